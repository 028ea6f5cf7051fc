"""The texts of moves and facts."""

import pytest

from p2pcoup.rules import (
    BASE,
    EDITIONS,
    INQUISITOR,
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    Deal,
    Dealt,
    Decline,
    Draw,
    Drew,
    Force,
    Keep,
    Lose,
    Lost,
    MoveSyntaxError,
    Open,
    Opened,
    Outcome,
    Pass,
    Pick,
    Redraw,
    Redrawn,
    Replace,
    Replaced,
    Reveal,
    Seat,
    Show,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
    fact_to_text,
    move_to_text,
    outcome_to_text,
    parse_fact,
    parse_move,
    request_to_text,
)

DUKE = BASE.character("duke")
CONTESSA = BASE.character("contessa")

MOVES = {
    "0 income": Act(0, BASE.action("income")),
    "3 foreign-aid": Act(3, BASE.action("foreign-aid")),
    "0 tax": Act(0, BASE.action("tax")),
    "0 exchange": Act(0, BASE.action("exchange")),
    "0 coup 1": Act(0, BASE.action("coup"), 1),
    "0 steal 2": Act(0, BASE.action("steal"), 2),
    "5 assassinate 10": Act(5, BASE.action("assassinate"), 10),
    "1 pass": Pass(1),
    "1 challenge": Challenge(1),
    "1 block contessa": Block(1, CONTESSA),
    "0 show 1": Show(0, 1),
    "0 decline": Decline(0),
    "0 lose 1": Lose(0, 1),
    "0 keep 0,2": Keep(0, (0, 2)),
    "0 keep 2": Keep(0, (2,)),
    "0 keep ?": Keep(0, None),
    "0 pick duke": Pick(0, DUKE),
    "1 pick ?": Pick(1, None),
    "1 reveal 0": Reveal(1, 0),
    "0 allow": Allow(0),
    "0 force": Force(0),
    "0 concede": Concede(0),
}

FACTS = {
    "0 opened duke": Opened(0, (DUKE,)),
    "0 opened duke,contessa": Opened(0, (DUKE, CONTESSA)),
    "2 replaced": Replaced(2),
    "2 drew": Drew(2),
    "shuffled": Shuffled(),
    "dealt": Dealt(),
    "1 shown": Shown(1),
    "1 redrawn": Redrawn(1),
    "2 lost": Lost(2),
}

NO_MOVES = [
    "",
    " ",
    "0",
    "income",
    "income 0",
    "0  income",
    " 0 income",
    "0 income ",
    "0 income\n",
    "00 income",
    "+0 income",
    "-0 income",
    "0_0 income",
    "٠ income",
    "a income",
    "0 Income",
    "0 INCOME",
    "0 income 1",
    "0 steal",
    "0 steal 1 2",
    "0 steal x",
    "0 steal 01",
    "0 coup duke",
    "0 block",
    "0 block inquisitor",
    "0 block Duke",
    "0 block 1",
    "0 pass 1",
    "0 show",
    "0 show x",
    "0 show 0,1",
    "0 lose",
    "0 lose ?",
    "0 keep",
    "0 keep ,",
    "0 keep 0,",
    "0 keep 0, 1",
    "0 keep 00",
    "0 keep ??",
    "0 pick",
    "0 pick joker",
    "0 pick ??",
    "0 pick duke,duke",
    "0 reveal",
    "0 reveal ?",
    "0 allow 1",
    "0 force duke",
    "0 lost",
    "0 dance",
    "shuffled",
    "0 drew",
    "9" * 5000 + " income",
    "0 keep " + ",".join(["1"] * 500),
]

NO_FACTS = [
    "",
    "Shuffled",
    "shuffled ",
    "0 shuffled",
    "drew",
    "0 drew 2",
    "00 drew",
    "0 replaced 1",
    "0 opened",
    "0 opened ",
    "0 opened joker",
    "0 opened duke,",
    "0 opened duke, duke",
    "0 opened ?",
    "0 opened duke,joker",
    "x opened duke",
    "dealt 1",
    "0 dealt",
    "shown",
    "1 shown duke",
    "redrawn",
    "lost",
    "1 lost 2",
    "0 income",
    "9" * 5000 + " drew",
]


@pytest.mark.parametrize("text", MOVES)
def test_a_move_has_one_text_both_ways(text):
    assert parse_move(BASE, text) == MOVES[text]
    assert move_to_text(MOVES[text]) == text


@pytest.mark.parametrize("text", FACTS)
def test_a_fact_has_one_text_both_ways(text):
    assert parse_fact(BASE, text) == FACTS[text]
    assert fact_to_text(FACTS[text]) == text


@pytest.mark.parametrize("text", NO_MOVES)
def test_whatever_is_not_the_canonical_text_of_a_move_is_refused(text):
    with pytest.raises(MoveSyntaxError, match="not a move"):
        parse_move(BASE, text)


@pytest.mark.parametrize("text", NO_FACTS)
def test_whatever_is_not_the_canonical_text_of_a_fact_is_refused(text):
    with pytest.raises(MoveSyntaxError, match="not a fact"):
        parse_fact(BASE, text)


def test_the_refusal_of_an_endless_text_is_short():
    with pytest.raises(MoveSyntaxError) as caught:
        parse_move(BASE, "0 " + "x" * 100_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (Open(1, (0, 1)), "open 1 0,1"),
        (Replace(1, 0, BASE.character("duke")), "replace 1 0 duke"),
        (Draw(2, 2), "draw 2 2"),
        (Shuffle(), "shuffle"),
        (Deal(1), "deal 1"),
        (ShowTo(1, 0, 2), "show-to 1 0 2"),
        (Redraw(1, 0), "redraw 1 0"),
    ],
)
def test_a_request_is_written_as_one_line(request_, text):
    assert request_to_text(request_) == text


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_names_of_an_edition_are_canonical_and_clash_with_no_other_word(edition):
    words = (
        "pass challenge block show decline lose keep pick reveal allow force concede "
        "opened replaced drew shuffled dealt shown redrawn lost"
    )
    names = [item.name for item in (*edition.characters, *edition.actions)]
    assert len(names) == len(set(names))
    assert not set(names) & set(words.split())
    for name in names:
        assert all(part.isascii() and part.isalpha() and part.islower() for part in name.split("-"))


def test_moves_of_different_kinds_are_never_equal():
    assert len({*MOVES.values()}) == len(MOVES)
    assert Pass(1) != Challenge(1)
    assert len({Show(0, 1), Lose(0, 1), Reveal(0, 1)}) == 3
    assert Allow(0) != Force(0)


def test_a_move_of_another_edition_is_not_read():
    for text in ("0 examine 1", "0 pick inquisitor", "1 block inquisitor"):
        assert move_to_text(parse_move(INQUISITOR, text)) == text
        with pytest.raises(MoveSyntaxError):
            parse_move(BASE, text)


def test_a_result_is_written_as_one_line():
    assert outcome_to_text(Outcome(Seat(2))) == "winner 2"
