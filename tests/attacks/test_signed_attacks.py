"""A seat signs what no honest one would. Whoever hears it blames that very seat, and anybody can
check it years later, from the evidence alone.

The cheats are those of the simulator, each in the place of every kind of message that it fits; here
with real cards and signatures, one at a time.
"""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from p2pcoup.audit import make_evidence, verify_evidence
from p2pcoup.table import Accepted, Blame, Player, Table
from p2pcoup.table.rounds import Speaker
from p2pcoup.wire import Kind, SignedMessage
from tests.sim import card_cheats, word_cheats
from tests.sim.forgery import CATALOGUE, Forgery, Moment, Way
from tests.sim.inside import open_round, wanted_in
from tests.table.party import Party, game_with, watcher

TRIES = 12
"""How often a cheat is asked for something to sign; some find something only now and then."""
NEVER = {
    # Nobody says such a thing twice in these games, so there is nothing to copy.
    ("copied-proof", Kind.EXCHANGE),
    ("copied-proof", Kind.LEAVE),
    # What these prove does not depend on the cards that the cheat would like to have.
    ("false-statement", Kind.SHARES),
    ("false-statement", Kind.PICK),
    ("false-statement", Kind.DEDUCT),
    ("false-statement", Kind.MIX),
    ("false-statement", Kind.FLAGS),
    # A seal that cannot be opened shows only at the opening (test_sealed_answers).
    ("unopenable-seal", Kind.JOIN),
    ("unopenable-seal", Kind.SEAL),
}
PAIRS = [
    (name, kind)
    for name, (kinds, _) in CATALOGUE.items()
    for kind in Kind
    if kind in kinds and (name, kind) not in NEVER
]
assert {card_cheats, word_cheats}, "they fill the catalogue"


def place_of(party: Party, kind: Kind) -> int:
    """Where in the game the last message of that kind is, before the messages of its round."""
    places = [n for n, s in enumerate(party.messages()) if s.message.kind is kind]
    return places[-1] if kind is not Kind.JOIN else places[0]


@cache
def moment_of(kind: Kind) -> tuple[Party, int, Table, Speaker]:
    """A seat that is about to say something of that kind, and where in which game that is."""
    party = game_with(kind)
    place = place_of(party, kind)
    honest = party.messages()[place]
    seat = honest.message.seat
    table = party.new_table(seat)
    for raw in party.raws()[:place]:
        table.receive(raw)
    player = Player(party.terms, party.identities[seat], party.seeds[seat])
    context = table._context(seat)
    move = party.choose(player.view(table.game)) if wanted_in(table).asks else None
    speaker = Speaker(context, player.secrets, player.public_key, move)
    assert wanted_in(table).say(speaker) == honest.message.body, "so far it is honest"
    return party, place, table, speaker


def forgeries(name: str, kind: Kind) -> Iterator[Forgery]:
    """What the cheat would sign in the place of a message of that kind."""
    party, place, table, speaker = moment_of(kind)
    honest = party.messages()[place]
    _, make = CATALOGUE[name]
    for seed in range(TRIES):
        moment = Moment(table, speaker, kind, honest.message.body, random.Random(seed))
        forgery = make(moment)
        if forgery is not None:
            yield forgery


@cache
def bystander(kind: Kind) -> Table:
    """Somebody who has heard the game up to there."""
    party, place, _, _ = moment_of(kind)
    return watcher(party, place)


def blamed(table: Table, false: SignedMessage) -> Blame:
    """Check that the signer is blamed and the game has not moved; nobody else is."""
    before = (table.round, table.waiting_for, [s.raw for s in table.transcript()])
    (blame,) = table.receive(false.raw)
    assert isinstance(blame, Blame)
    assert blame.seat == false.message.seat
    assert (table.round, table.waiting_for, [s.raw for s in table.transcript()]) == before
    open_round(table).faults.clear()
    return blame


def assert_convicts(blame: Blame, party: Party) -> None:
    """Check that the file convicts the seat before somebody who was not there."""
    finding = verify_evidence(make_evidence(party.terms, blame))
    assert finding.peer == party.terms.roster[blame.seat].peer
    assert (finding.seat, finding.round, finding.rule) == (blame.seat, blame.round, blame.rule)


@pytest.mark.parametrize(("name", "kind"), PAIRS, ids=lambda value: getattr(value, "value", value))
def test_what_no_honest_seat_signs_convicts_its_signer_from_the_evidence_alone(
    name: str, kind: Kind
) -> None:
    party, place, _, _ = moment_of(kind)
    honest = party.messages()[place]
    forgery = next(forgeries(name, kind))
    false = party.signed_again(honest, kind=forgery.kind, body=forgery.body)
    assert false.raw != honest.raw
    if forgery.false:
        table = bystander(kind)
        blame = blamed(table, false)
    else:  # each of two is flawless; both together are not
        table = watcher(party, place)
        assert any(isinstance(n, Accepted) for n in table.receive(honest.raw))
        (blame,) = (n for n in table.receive(false.raw) if isinstance(n, Blame))
        assert blame.rule == "equivocation"
    assert_convicts(blame, party)


def test_every_cheat_is_tried_but_those_that_have_nothing_to_sign() -> None:
    assert {name for name, _ in PAIRS} == set(CATALOGUE) - {"unopenable-seal"}
    for name, kind in NEVER:
        assert all(forgery.ways == (Way.OWN,) for forgery in forgeries(name, kind))
