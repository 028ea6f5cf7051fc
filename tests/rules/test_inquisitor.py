"""The Inquisitor: rules R50 to R53, and what the rulings say about them."""

import pytest

from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    IllegalMoveError,
    WrongSeatError,
    apply,
    parse_fact,
    parse_move,
    start,
)
from tests.rules.dealer import Dealer
from tests.rules.scripts import play, table, texts, verbs


def at_table(coins="2,2,2", cards="", **more):
    return table(coins, cards, edition="inquisitor", **more)


EXAMINING = "act 0: 0 examine 1\n challenge-action 1 2: all pass\n reveal 1:"
SHOWING = EXAMINING + " 1 reveal 1\n show-to 1 1 0:"
JUDGING = SHOWING + " 1 shown\n judge 0:"
REDRAWING = JUDGING + " 0 force\n redraw 1 1:"


# R50


def test_r50_three_inquisitors_take_the_place_of_the_ambassadors():
    cards = [card.name for card in INQUISITOR.cards()]
    assert len(cards) == 15
    assert cards.count("inquisitor") == 3
    assert "ambassador" not in cards
    others = [card.name for card in BASE.cards() if card.name != "ambassador"]
    assert [name for name in cards if name != "inquisitor"] == others


def test_r50_all_but_exchange_and_examine_is_as_in_the_base_game():
    def shown(action):
        return (action.effect, action.amount, action.cost, action.claim)

    both = {action.name for action in BASE.actions} - {"exchange"}
    assert {action.name for action in INQUISITOR.actions} == both | {"exchange", "examine"}
    for name in both:
        assert shown(BASE.action(name)) == shown(INQUISITOR.action(name))


def test_r50_the_inquisitor_blocks_a_steal_and_must_be_proven_as_such():
    state = play(
        at_table(),
        """
        act 0: 0 steal 1
        challenge-action 1 2: all pass
        block 1:
        """,
    )
    assert texts(state, 1) == ["1 pass", "1 block captain", "1 block inquisitor"]
    state = play(
        state,
        """
        block 1: 1 block inquisitor
        challenge-block 2 0: 2 pass, 0 challenge
        prove 1: 1 show 0
        open 1 0:
        """,
    )
    with pytest.raises(IllegalMoveError, match="inquisitor was claimed"):
        play(state, "open 1 0: 1 opened captain")


# R51


def test_r51_an_exchange_draws_one_and_returns_one():
    state = play(
        at_table(),
        """
        act 0: 0 exchange
        challenge-action 1 2: all pass
        draw 0 1: 0 drew
        keep 0:
        """,
    )
    assert state.court_size == 15 - 6 - 1
    assert texts(state, 0) == ["0 keep 0,1", "0 keep 0,2", "0 keep 1,2"]
    state = play(state, "keep 0: 0 keep 1,2\n shuffle: shuffled\n act 1:")
    assert state.court_size == 15 - 6


def test_r51_with_one_influence_one_of_two_is_kept():
    state = play(
        at_table("2,2", "duke,? ?,?"),
        "act 0: 0 exchange\n challenge-action 1: 1 pass\n draw 0 1: 0 drew\n keep 0:",
    )
    assert texts(state, 0) == ["0 keep 0", "0 keep 1"]


# R52


def test_r52_every_living_opponent_may_be_examined():
    state = at_table("2,2,2,0", "?,? ?,? ?,? duke,duke")
    assert [text for text in texts(state, 0) if "examine" in text] == ["0 examine 1", "0 examine 2"]


def test_r52_the_examined_player_chooses_the_card_and_the_examiner_decides():
    state = play(at_table(), EXAMINING)
    assert texts(state, 1) == ["1 reveal 0", "1 reveal 1"]
    assert texts(state, 0) == []
    state = play(state, "reveal 1: 1 reveal 0\n show-to 1 0 0: 1 shown\n judge 0:")
    assert texts(state, 0) == ["0 allow", "0 force"]
    assert texts(state, 1) == []


def test_r52_an_allowed_card_stays_and_the_turn_ends():
    state = play(at_table(), JUDGING + " 0 allow\n coins 2,2,2\n cards ?,? ?,? ?,?\n act 1:")
    assert state.court_size == 15 - 6


def test_r52_with_one_card_left_there_is_nothing_to_choose():
    play(
        at_table("2,2,2", "?,? duke,? ?,?"),
        """
        act 0: 0 examine 1
        challenge-action 1 2: all pass
        show-to 1 1 0: 1 shown
        judge 0: 0 force
        redraw 1 1: 1 redrawn
        cards ?,? duke,? ?,?
        act 1:
        """,
    )


def test_r52_an_examination_is_challenged_like_any_claim_and_fails_unproven():
    play(
        at_table(),
        """
        act 0: 0 examine 2
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 decline
        lose 0: 0 lose 0
        open 0 0: 0 opened duke
        act 1:
        """,
    )


def test_r52_a_proven_examination_goes_ahead_after_loss_and_swap():
    play(
        at_table(),
        """
        act 0: 0 examine 2
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 1
        open 0 1: 0 opened inquisitor
        lose 1: 1 lose 0
        open 1 0: 1 opened duke
        replace 0 1 inquisitor: 0 replaced
        reveal 2: 2 reveal 0
        show-to 2 0 0: 2 shown
        judge 0: 0 allow
        act 1:
        """,
    )


def test_r52_an_examination_cannot_be_blocked():
    assert INQUISITOR.action("examine").blockers == ()
    play(at_table(), "act 0: 0 examine 1\n challenge-action 1 2: all pass\n reveal 1:")


def test_d5_an_examination_of_a_player_who_went_out_by_a_challenge_has_no_effect():
    play(
        at_table("2,3,2", "?,? duke,? ?,?"),
        """
        act 0: 0 examine 1
        challenge-action 1 2: 1 challenge, 2 pass
        prove 0: 0 show 0
        open 0 0: 0 opened inquisitor
        open 1 1: 1 opened captain
        replace 0 0 inquisitor: 0 replaced
        coins 2,0,2
        act 2:
        """,
    )


# R53


def test_r53_a_forced_redraw_is_one_request_and_changes_nothing_that_is_seen():
    before = play(at_table(), EXAMINING)
    after = play(before, "reveal 1: 1 reveal 1\n show-to 1 1 0: 1 shown\n judge 0: 0 force")
    after = play(after, "redraw 1 1: 1 redrawn\n cards ?,? ?,? ?,?\n coins 2,2,2\n act 1:")
    assert after.court_size == before.court_size


def test_r53_the_new_card_is_drawn_before_the_old_one_goes_back():
    state = start(INQUISITOR, 2, (0, 1), 0)
    cards = Dealer.stacked(state, "inquisitor duke", "captain contessa")
    cards.court[:] = cards.court[:1]  # one card left: the old one could otherwise come back
    new = cards.court[0]
    state = play(
        state,
        "act 0: 0 examine 1\n challenge-action 1: 1 pass\n reveal 1: 1 reveal 1\n show-to 1 1 0:",
    )
    for text in ("1 shown", "0 force", "1 redrawn"):
        event = cards.answer(state) if state.request else parse_move(INQUISITOR, text)
        state = cards.play(state, event)
    assert cards.hands[1][1] == new
    assert [card.name for card in cards.court] == ["contessa"]


# Giving up, losing, refusals


def test_d25_an_examined_player_may_give_up_instead():
    play(
        at_table(),
        EXAMINING + " 1 concede\n open 1 0,1: 1 opened duke,duke\n coins 2,0,2\n act 2:",
    )


def test_d25_an_examiner_may_give_up_instead_and_the_card_stays():
    play(
        at_table(),
        JUDGING + " 0 concede\n open 0 0,1: 0 opened duke,duke\n cards duke,duke ?,? ?,?\n act 1:",
    )


@pytest.mark.parametrize("script", [EXAMINING, SHOWING, JUDGING])
@pytest.mark.parametrize(("seat", "following"), [(0, 1), (1, 2)])
def test_d25_an_examination_ends_when_examiner_or_examined_is_lost(script, seat, following):
    play(at_table(), f"{script} {seat} lost\n act {following}:")


def test_d25_a_redraw_goes_on_without_the_examiner_and_ends_without_the_examined():
    play(at_table(), REDRAWING + " 0 lost\n redraw 1 1: 1 redrawn\n act 1:")
    play(at_table(), REDRAWING + " 1 lost\n cards ?,? - ?,?\n act 2:")


@pytest.mark.parametrize(
    ("script", "text", "error"),
    [
        (EXAMINING, "0 reveal 0", WrongSeatError),
        (EXAMINING, "1 reveal 2", IllegalMoveError),
        (EXAMINING, "1 allow", IllegalMoveError),
        (EXAMINING, "1 lose 0", IllegalMoveError),
        (JUDGING, "1 allow", WrongSeatError),
        (JUDGING, "2 force", WrongSeatError),
        (JUDGING, "0 reveal 0", IllegalMoveError),
        (JUDGING, "0 pass", IllegalMoveError),
        (SHOWING, "1 reveal 0", WrongSeatError),
        (REDRAWING, "0 force", WrongSeatError),
        ("act 0:", "0 examine 0", IllegalMoveError),
        ("act 0:", "0 allow", IllegalMoveError),
    ],
)
def test_r52_only_the_one_whose_decision_it_is_decides(script, text, error):
    with pytest.raises(error):
        apply(play(at_table(), script), parse_move(INQUISITOR, text))


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (SHOWING, "0 shown"),
        (SHOWING, "1 redrawn"),
        (SHOWING, "1 opened duke"),
        (JUDGING, "1 shown"),
        (REDRAWING, "0 redrawn"),
        (REDRAWING, "1 replaced"),
    ],
)
def test_r53_the_cards_answer_only_what_was_asked(script, text):
    with pytest.raises(IllegalMoveError, match="the game waits for"):
        apply(play(at_table(), script), parse_fact(INQUISITOR, text))


def test_r14_with_ten_coins_nobody_is_examined():
    assert verbs(at_table("10,2,2"), 0) == {"coup"}
