"""Nobody gains by answering later, earlier or faster than the others, nor by a clock of its own."""

import itertools

import pytest

from p2pcoup.audit import make_evidence, verify_evidence
from p2pcoup.table import Accepted, Blame, Notice, Player, Prompt, Table
from p2pcoup.wire import Kind, SignedMessage
from tests.table.party import BASE_GAME, GAMES, Party, make_party, played

OPENINGS = {Kind.JOIN: Kind.COIN, Kind.SEAL: Kind.UNSEAL}


@pytest.fixture(scope="module")
def party() -> Party:
    return played(*BASE_GAME)


def first_round_of(party: Party, kind: Kind) -> list[SignedMessage]:
    """The messages of the first round of that kind."""
    first = next(s for s in party.messages() if s.message.kind is kind)
    return [s for s in party.messages() if s.message.round == first.message.round]


class Seated:
    """One seat of a party, whose decisions are those it made there."""

    def __init__(self, party: Party, seat: int) -> None:
        self._party = party
        self._table = party.new_table(seat)
        self.said: list[SignedMessage] = []

    def begin(self) -> None:
        self._answer(self._table.begin())

    def hear(self, raw: bytes) -> None:
        self._answer(self._table.receive(raw))

    def _answer(self, notices: list[Notice]) -> None:
        queue = list(notices)
        while queue:
            match queue.pop(0):
                case Accepted(signed, own=True):
                    self.said.append(signed)
                case Prompt(id=prompt, view=view):
                    queue += self._table.answer(prompt, self._party.choose(view))

    def kinds_since(self, round_: int) -> set[Kind]:
        """What it has said from that round on."""
        return {s.message.kind for s in self.said if s.message.round >= round_}


@pytest.mark.parametrize(("sealing", "opening"), OPENINGS.items())
def test_no_answer_is_opened_before_every_seat_has_sealed_its_own(
    party: Party, sealing: Kind, opening: Kind
) -> None:
    """Attack 22: each seat, told all seals but one, says nothing more; with the last it opens."""
    seals = first_round_of(party, sealing)
    round_ = seals[0].message.round
    for own in (signed.message.seat for signed in seals):
        seat = Seated(party, own)
        for signed in party.messages():
            if signed.message.round < round_:
                seat.hear(signed.raw)
        seat.begin()
        *others, last = (s.raw for s in seals if s.message.seat != own)
        for raw in others:
            seat.hear(raw)
        assert seat.kinds_since(round_) == {sealing}
        seat.hear(last)
        assert opening in seat.kinds_since(round_ + 1)


def test_a_sealed_answer_does_not_show_what_it_is_by_its_length() -> None:
    said = [signed.message for game in GAMES for signed in played(*game).messages()]
    answers = {str(m.body[0]).split(" ", 1)[1] for m in said if m.kind is Kind.UNSEAL}
    assert {"challenge", "pass"} <= answers
    assert len({len(part) for m in said if m.kind is Kind.SEAL for part in m.body}) == 1


@pytest.mark.parametrize("sealing", OPENINGS)
def test_a_seal_that_cannot_be_opened_convicts_at_the_opening(party: Party, sealing: Kind) -> None:
    """Attacks 6 and 7: whatever is shown does not fit; silence would lose the game as well."""
    seals = first_round_of(party, sealing)
    *rest, commitment = seals[0].message.body
    blind = party.signed_again(seals[0], body=(*rest, commitment[::-1]))
    table = party.new_table(None)
    for raw in party.raws()[: party.messages().index(seals[0])]:
        table.receive(raw)
    for signed in (blind, *seals[1:]):
        assert any(isinstance(n, Accepted) for n in table.receive(signed.raw))
    place = party.messages().index(seals[-1]) + 1
    opening = party.messages()[place]
    assert opening.message.kind is OPENINGS[sealing]
    opening = party.signed_again(opening, seat=blind.message.seat, parent=table._now.parent)
    (blame,) = table.receive(opening.raw)
    assert isinstance(blame, Blame)
    assert (blame.seat, blame.rule) == (blind.message.seat, "commitment")
    assert verify_evidence(make_evidence(party.terms, blame)).seat == blind.message.seat


def test_whatever_a_clock_shows_the_game_is_the_same() -> None:
    """Attack 24: nothing that is sent or decided comes from a clock."""
    wild = make_party(*BASE_GAME[:3])
    wild.tables = [
        Table(
            wild.terms,
            Player(wild.terms, wild.identities[seat], wild.seeds[seat]),
            clock=itertools.count(seat * 10**6, -37 * seat).__next__,
        )
        for seat in wild.terms.seats
    ]
    wild.begin()
    wild.play()
    assert wild.transcript() == played(*BASE_GAME).transcript()
