"""What a player may answer, and giving up."""

import pytest

from p2pcoup.rules import (
    BASE,
    Act,
    Challenge,
    Concede,
    DecisionKind,
    Keep,
    Lose,
    Move,
    Opened,
    View,
    pending,
    state_to_text,
)
from p2pcoup.table import AnswerError, Happened, Player, Prompt
from tests.table.party import BUSY, Choose, Party, any_legal, likes, make_party, played


def prompts(party: Party, seat: int) -> list[Prompt]:
    return [n for n in party.notices[seat] if isinstance(n, Prompt)]


def first_prompt(seats: int = 3) -> tuple[Party, int, Prompt]:
    """A party that waits for its first action: the table answers nothing by itself."""
    party = make_party(seats, seed=8)
    found: list[tuple[int, Prompt]] = []

    def handle(seat: int, notices: object) -> None:
        for notice in notices:  # type: ignore[attr-defined]
            party.notices[seat].append(notice)
            if isinstance(notice, Prompt):
                found.append((seat, notice))
        said = [n for n in notices if getattr(n, "own", False)]  # type: ignore[attr-defined]
        for accepted in said:
            party.flying += [(to, accepted.signed.raw) for to in range(seats) if to != seat]

    party.handle = handle  # type: ignore[method-assign]
    party.begin()
    party.play()
    ((seat, prompt),) = found
    return party, seat, prompt


def test_an_answer_that_is_not_possible_is_refused_with_what_is_and_changes_nothing() -> None:
    party, seat, prompt = first_prompt()
    table = party.tables[seat]
    other = next(s for s in party.terms.seats if s != seat)
    coup = BASE.action("coup")
    assert coup is not None
    for move in (Challenge(seat), Act(seat, coup, other), Lose(seat, 0), Challenge(other)):
        with pytest.raises(AnswerError, match=r"choose from: .*income"):
            table.answer(prompt.id, move)
        assert table.prompt is prompt
        assert table.waiting_for == (seat,)
    assert table.answer(prompt.id, prompt.view.legal_moves()[0])


def test_an_answer_to_an_old_or_unknown_decision_is_refused() -> None:
    """Cases 46, 62: a double click or a late key acts once."""
    party, seat, prompt = first_prompt()
    table = party.tables[seat]
    move = prompt.view.legal_moves()[0]
    with pytest.raises(AnswerError, match="no longer open"):
        table.answer(prompt.id + 1, move)
    table.answer(prompt.id, move)
    with pytest.raises(AnswerError, match="no longer open"):
        table.answer(prompt.id, move)
    for other in party.terms.seats:
        if other != seat:
            with pytest.raises(AnswerError, match="no longer open"):
                party.tables[other].answer(prompt.id, move)


def test_a_decision_is_asked_once_and_only_of_its_owner() -> None:
    party = played(3, 3, BUSY)
    for seat in party.terms.seats:
        asked = prompts(party, seat)
        assert len({prompt.id for prompt in asked}) == len(asked)
        assert all(prompt.decision.seat == seat == prompt.view.seat for prompt in asked)


def concedes_at(kind: DecisionKind, otherwise: Choose) -> Choose:
    """Plays one way until the first decision of a kind comes, then gives up, once in a game."""

    def choose(view: View) -> Move:
        decision = next(one for one in pending(view.state) if one.seat == view.seat)
        if any(isinstance(event, Concede) for event in view.history):
            return BUSY(view)  # ends soon
        return Concede(view.seat) if decision.kind is kind else otherwise(view)

    return choose


BLOCKING = likes("steal", "block", "pass", "show")


@pytest.mark.parametrize(
    ("kind", "otherwise"),
    [
        (DecisionKind.ACT, BUSY),
        (DecisionKind.CHALLENGE_ACTION, BUSY),
        (DecisionKind.BLOCK, BLOCKING),
        (DecisionKind.CHALLENGE_BLOCK, BLOCKING),
        (DecisionKind.PROVE, BUSY),
        (DecisionKind.LOSE, BUSY),
    ],
)
def test_giving_up_is_possible_at_every_decision_and_the_game_ends_well(
    kind: DecisionKind, otherwise: Choose
) -> None:
    party = make_party(3, 3, concedes_at(kind, otherwise))
    party.begin()
    party.play()
    assert party.tables[0].outcome is not None
    assert len({tuple(party.raws(seat)) for seat in party.terms.seats}) == 1
    assert party.complaints() == []
    steps = [n for n in party.notices[0] if isinstance(n, Happened)]
    first = next(step for step in steps if isinstance(step.event, Concede))
    after = [step.event for step in steps[steps.index(first) :]]
    assert any(isinstance(event, Opened) and event.seat == first.event.seat for event in after)
    assert first.event.seat not in steps[-1].after.living


def test_giving_up_while_keeping_cards_is_refused() -> None:
    party = make_party(2, 0, likes("exchange"))
    refusals: list[str] = []

    def choose(view: View) -> Move:
        moves = view.legal_moves()
        if isinstance(moves[0], Keep) and not refusals:
            table = party.tables[view.seat]
            assert table.prompt is not None
            with pytest.raises(AnswerError) as caught:
                table.answer(table.prompt.id, Concede(view.seat))
            refusals.append(str(caught.value))
        return likes("exchange", "pass")(view) if not refusals else BUSY(view)

    party.choose = choose
    party.begin()
    party.play(until=lambda: bool(refusals))
    (refusal,) = refusals
    assert "keep" in refusal


def test_a_view_shows_only_ones_own_hidden_cards() -> None:
    party = played(4, 4, any_legal)
    seen = 0
    for seat in party.terms.seats:
        for prompt in prompts(party, seat):
            view = prompt.view
            for other, slots in enumerate(view.state.slots):
                for slot, up in enumerate(slots):
                    if other == seat:
                        assert view.hand[slot] is not None
                        assert up in (None, view.hand[slot])
            assert "?" in state_to_text(view.state)
            assert all(getattr(event, "kept", None) is None for event in view.history)
            seen += 1
    assert seen > 20


def test_who_only_watches_has_no_hand() -> None:
    party = played(2, 2)
    with pytest.raises(AnswerError, match="without a seat"):
        party.new_table(None).view()


def test_a_player_or_its_secrets_never_show_a_secret_in_text() -> None:
    party = make_party(2)
    player = Player(party.terms, party.identities[0], party.seeds[0])
    for text in (repr(player), repr(player.secrets), str(player), f"{player.secrets}"):
        assert party.seeds[0].hex() not in text
        assert repr(party.seeds[0])[2:-1] not in text
        assert player.secrets.coin.hex() not in text
