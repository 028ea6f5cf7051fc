"""Peers that are no members of a round, where those that are contradict each other: whoever knows
the same comes to the same end."""

import random

import pytest

from p2pcoup.rules import Seat, legal_moves, move_to_text
from p2pcoup.table import Behind, Blame, LeftBehind, Notice, Table
from p2pcoup.wire import Kind, SignedMessage, parse
from tests.table.party import BUSY, Party, make_party
from tests.table.test_attempts import statement

MAX_HEARINGS = 20


def last_two(kind: Kind) -> tuple[Party, Seat, Seat, SignedMessage]:
    """A game of three with two seats left, one of which has just made a message of that kind that
    nobody has heard; the seat, the other one, and the message.
    """
    party = make_party(3, 3, BUSY)
    party.begin()

    def is_due() -> bool:
        message = parse(party.flying[0][1]).message if party.flying else None
        if message is None or message.kind is not kind:
            return False
        others = [table for seat, table in enumerate(party.tables) if seat != message.seat]
        return all(
            table.waiting_for == (message.seat,)
            and table.round == message.round
            and len(table.game.members) == 2
            and len(legal_moves(table.game.playing, Seat(message.seat))) > 1
            for table in others
        )

    party.play(until=is_due)
    signed = parse(party.flying[0][1])
    speaker = Seat(signed.message.seat)
    (other,) = party.tables[speaker].game.members - {speaker}
    party.flying.clear()
    return party, speaker, other, signed


def another_move(party: Party, signed: SignedMessage) -> SignedMessage:
    """Another legal move of the same seat for the same place."""
    table = next(t for t in party.tables if t.round == signed.message.round)
    moves = [move_to_text(m) for m in legal_moves(table.game.playing, Seat(signed.message.seat))]
    other = next(text for text in moves if text != signed.message.body[0])
    return party.signed_again(signed, body=(other,))


def torn() -> tuple[Party, Table, list[bytes], list[bytes]]:
    """Of the last two one signs two moves: the other hears the one, goes on alone and wins. The
    table of the third, who is out of the game and has heard neither; all that the honest one has;
    all that the cheat shows.
    """
    party, cheat, other, word = last_two(Kind.DECIDE)
    (out,) = set(party.terms.seats) - {cheat, other}
    second = another_move(party, word)
    onlooker = party.new_table(None)
    for raw in party.raws(out):
        onlooker.receive(raw)
    shown = [second.raw]
    elsewhere = party.new_table(None)
    for raw in (*party.raws(out), second.raw):
        elsewhere.receive(raw)
    shown += [statement(party, cheat, f"{n}:{other}", elsewhere).raw for n in (1, 2)]
    table = party.tables[other]
    since = word.message.round
    party.gone |= {int(cheat)}
    party.handle(other, table.receive(word.raw))
    party.handle(other, table.receive(second.raw))
    for _ in range(MAX_HEARINGS):
        if table.outcome is None:
            party.handle(other, table.declare_absent({cheat}))
    assert table.outcome is not None
    assert table.outcome.winner == other
    return party, onlooker, [signed.raw for signed in table.messages(since)], shown


def hear(table: Table, raws: list[bytes]) -> list[Notice]:
    """Let a table hear messages, and again whenever it asks for them."""
    told: list[Notice] = []
    queue = list(raws)
    for _ in range(MAX_HEARINGS * len(raws)):
        if not queue:
            break
        notices = table.receive(queue.pop(0))
        told += notices
        if any(isinstance(notice, Behind) for notice in notices):
            queue += raws
    return told


def test_who_watches_does_not_go_on_with_a_cheat_alone_but_with_the_honest_seat() -> None:
    party, onlooker, honest, shown = torn()
    hear(onlooker, shown)
    cheat, other = parse(shown[0]).message.seat, parse(honest[-1]).message.seat
    assert onlooker.game.lost == {other}, "nothing is known against it yet"
    (blame,) = [n for n in onlooker.receive(honest[0]) if isinstance(n, Blame)]
    assert (blame.seat, blame.rule) == (cheat, "equivocation")
    assert onlooker.game.lost == set(), "the word of a cheat alone does not count"
    hear(onlooker, honest[1:] + honest)
    assert onlooker.outcome == party.tables[other].outcome
    assert [signed.raw for signed in onlooker.transcript()] == party.raws(other)


@pytest.mark.parametrize("seed", range(8))
def test_whoever_hears_the_same_comes_to_the_same_end_in_whatever_order(seed: int) -> None:
    party, onlooker, honest, shown = torn()
    winner = parse(honest[-1]).message.seat
    luck = random.Random(seed)
    parts = [list(honest), list(shown)]
    mixed: list[bytes] = []
    while any(parts):
        mixed.append(luck.choice([part for part in parts if part]).pop(0))
    for _ in range(3):
        hear(onlooker, mixed)
    assert onlooker.outcome == party.tables[winner].outcome
    assert [signed.raw for signed in onlooker.transcript()] == party.raws(winner)


def test_a_flood_of_versions_does_not_keep_a_watcher_from_the_true_one() -> None:
    party, onlooker, honest, shown = torn()
    model, winner = parse(shown[0]), parse(honest[-1]).message.seat
    onlooker.receive(model.raw)
    for number in range(40):
        onlooker.receive(party.signed_again(model, body=(f"0 nonsense {number}",)).raw)
    for _ in range(MAX_HEARINGS):
        hear(onlooker, honest)
        onlooker.declare_absent(onlooker.unheard)
    assert onlooker.outcome == party.tables[winner].outcome


def test_who_watches_a_game_of_two_is_not_sent_back_by_every_statement() -> None:
    party, cheat, other, word = last_two(Kind.DECIDE)
    (out,) = set(party.terms.seats) - {cheat, other}
    onlooker = party.tables[out]
    onlooker.receive(word.raw)
    texts = [f"{attempt}:{other}" for attempt in (*range(10, 100), *range(1, 10))]
    said = [statement(party, cheat, text, onlooker).raw for text in texts]
    told = [notice for raw in said for notice in onlooker.receive(raw)]
    assert sum(isinstance(notice, LeftBehind) for notice in told) == 1
    assert not any(isinstance(notice, Behind) for notice in told)


@pytest.mark.parametrize("first", [True, False])
def test_of_two_who_each_go_on_alone_a_watcher_follows_the_one_that_comes_to_an_end(
    first: bool,
) -> None:
    """Nobody has cheated. The one has spoken and then heard nothing of the other, who has not heard
    it; one of them has vanished before the end.
    """
    party, one, other, word = last_two(Kind.DECIDE)
    gone, here = (one, other) if first else (other, one)
    (out,) = set(party.terms.seats) - {one, other}
    onlooker = party.tables[out]
    for seat, silent in ((one, other), (other, one)):
        party.handle(seat, party.tables[seat].declare_absent({silent}))
        assert party.tables[seat].outcome is not None
    of_one, of_other = (
        [signed.raw for signed in party.tables[seat].messages(word.message.round)]
        for seat in (one, other)
    )
    known, rest = (of_one[:-1], of_other) if first else (of_other[:-1], of_one)
    hear(onlooker, known)
    assert onlooker.game.lost == {here}
    for _ in range(4):
        hear(onlooker, rest)
        onlooker.declare_absent(onlooker.unheard)
    assert onlooker.outcome == party.tables[here].outcome
    assert onlooker.game.lost == {gone}
