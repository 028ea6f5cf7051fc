"""What a recovery publishes lets nobody read a hidden card: an attacker tries.

The attacker is everybody but one survivor, the lost seats included. It has their secrets and every
byte that was published, also in a recovery that was broken off, and tries each hidden pair against
each combination of its keys and of the published points.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import pytest

from p2pcoup.deck import (
    Draw,
    Pair,
    Point,
    ProofError,
    Revealing,
    Scalar,
    begin_recovery,
    check_flags,
    deduct,
    deducted,
    give_flags,
    mix,
    mixed,
    recovered,
)
from p2pcoup.deck.decrement import flags_of
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    add,
    decode_point,
    encode_scalar,
    multiply,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.rows import Row
from tests.deck.seats import CardTable

CARDS = [0, 0, 1, 1, 2, 2, 2, 3]
HANDS = [[0, 1], [0, None], [2, None], [1, None], [3, None]]
SURVIVORS = (0, 1, 2)


class Run:
    """One recovery, with all that lay on the table on the way."""

    def __init__(self, table: CardTable, lost: Sequence[int]) -> None:
        self.table = table
        self.sent: list[bytes] = []
        self.flags: list[Pair] = []
        """Of the counters, after each deduction."""
        self.mixes: list[tuple[int, tuple[Row, ...], tuple[Row, ...]]] = []
        """Of each mix: whose it was, the rows before and after."""
        phase = begin_recovery(table.deck, lost)
        for seat in phase.waiting:
            domain = table.domain()
            self.say(deduct(phase, seat, table.secrets[seat], domain, table.randomness))
            phase = deducted(phase, seat, domain, self.sent[-1])
            self.flags += flags_of(phase.counters)
        mixing = phase.mixing()
        for seat in mixing.waiting:
            domain, before = table.domain(), mixing.rows
            self.say(mix(mixing, seat, domain, table.randomness))
            mixing = mixed(mixing, seat, domain, self.sent[-1])
            self.mixes.append((seat, before, mixing.rows))
        self.revealing: Revealing = mixing.revealing()

    def say(self, data: bytes) -> None:
        self.sent.append(data)

    def reveal(self, seats: Iterable[int]) -> dict[int, tuple[Point, ...]]:
        """These seats give their shares of the flags."""
        shares = {}
        for seat in seats:
            domain, secret = self.table.domain(), self.table.secrets[seat]
            self.say(give_flags(self.revealing, seat, secret, domain, self.table.randomness))
            shares[seat] = check_flags(self.revealing, seat, domain, self.sent[-1])
        return shares

    def hidden(self) -> Iterator[Pair]:
        """All flags before the last mix, and all cards."""
        yield from self.flags
        last = len(self.mixes) - 1
        for index, (_, _, rows) in enumerate(self.mixes):
            for flag, card in rows:
                yield card
                if index < last:
                    yield flag


@dataclass
class Story:
    """A draw that stays void, a recovery that is broken off when seat 3 goes, and a second one."""

    table: CardTable
    old_court: tuple[Pair, ...]
    runs: tuple[Run, Run]
    published: set[Point]


@pytest.fixture(scope="module")
def story() -> Story:
    table = CardTable.arranged(CARDS, HANDS)
    old_court = table.deck.court
    void = table.shares([Draw(0, None)])
    first = Run(table, [4])
    first.reveal((0, 1, 2))  # seat 3 keeps its shares back, and is gone
    second = Run(table, [3, 4])
    shares = second.reveal(SURVIVORS)
    table.deck = recovered(second.revealing, shares)
    published = {IDENTITY, *(share for seat in (1, 2, 3) for share in void[seat])}
    published |= set(points([*first.sent, *second.sent]))
    assert sorted(table.court()) == [1, 2, 2, 3]
    return Story(table, old_court, (first, second), published)


def points(messages: Sequence[bytes]) -> Iterator[Point]:
    """Every field that is a point."""
    for data in messages:
        for at in range(0, len(data), 32):
            try:
                yield decode_point(data[at : at + 32])
            except ProofError:
                continue  # a scalar


@dataclass
class Coalition:
    """Seats that pool their secrets, and all that was published."""

    keys: list[Scalar]
    published: set[Point]

    @classmethod
    def of(cls, story: Story, seats: Sequence[int]) -> "Coalition":
        single = [story.table.secrets[seat] for seat in seats]
        keys = [
            reduce_scalar(sum(some))
            for count in range(len(single) + 1)
            for some in combinations(single, count)
        ]
        return cls(keys, story.published)

    def reads(self, pair: Pair, plaintexts: Sequence[Point]) -> set[Point]:
        """What the pair may hide: V - k*U is it, or it and a published point (other than V itself)
        apart.
        """
        found = set()
        for key in self.keys:
            rest = subtract(pair.V, multiply(key, pair.U))
            for plaintext in plaintexts:
                apart = {subtract(rest, plaintext), subtract(plaintext, rest)} - {pair.V}
                if apart & self.published:
                    found.add(plaintext)
        return found

    def links(self, before: Pair, after: Pair) -> bool:
        """Whether the one can be seen to be the other, re-encrypted."""
        change = Pair(subtract(after.U, before.U), subtract(after.V, before.V))
        return any(
            subtract(change.V, multiply(key, change.U)) in self.published for key in self.keys
        )


def all_but(honest: int) -> list[int]:
    return [seat for seat in range(len(HANDS)) if seat != honest]


@pytest.mark.parametrize("honest", SURVIVORS)
def test_all_others_together_read_no_card_and_no_flag(story: Story, honest: int) -> None:
    coalition = Coalition.of(story, all_but(honest))
    deck = story.table.deck
    plaintexts = (*deck.plaintexts[:4], IDENTITY, BASE)
    hidden = {*deck.held(honest), *deck.court, *story.old_court[1:]}
    hidden |= {pair for run in story.runs for pair in run.hidden()}
    if honest == 0:  # who was to draw the top card and never could
        hidden.add(story.old_court[0])
    assert len(hidden) > 100
    assert not any(coalition.reads(pair, plaintexts) for pair in hidden)


def test_a_void_draw_is_read_by_its_reader_if_who_kept_the_share_back_helps(story: Story) -> None:
    """Nothing can prevent it: it is the one card that this reader was entitled to. It returns."""
    top, plaintexts = story.old_court[0], story.table.deck.plaintexts
    assert len(Coalition.of(story, [0, 2, 3, 4]).reads(top, plaintexts)) == 1
    for seats in ([0, 2, 3], [1, 2, 3, 4]):
        assert not Coalition.of(story, seats).reads(top, plaintexts)


@pytest.mark.parametrize("honest", SURVIVORS)
def test_nobody_follows_a_row_through_the_mix_of_an_honest_seat(story: Story, honest: int) -> None:
    """Neither does the first component of a flag show which card goes with it."""
    coalition = Coalition.of(story, all_but(honest))
    for run in story.runs:
        ((before, after),) = [(old, new) for seat, old, new in run.mixes if seat == honest]
        for (old_flag, old_card), (new_flag, new_card) in product(before, after):
            assert not coalition.links(old_flag, new_flag)
            assert not coalition.links(old_card, new_card)
        for flag, card in after:
            assert subtract(flag.U, card.U) not in story.published
            assert add(flag.U, card.U) not in story.published


def test_the_attack_is_a_real_one(story: Story) -> None:
    """It reads the flags that were revealed, and with the last key everything."""
    deck, (_, second) = story.table.deck, story.runs
    coalition = Coalition.of(story, all_but(0))
    values = [coalition.reads(flag, (IDENTITY, BASE)) for flag, _ in second.revealing.rows]
    assert [value for value in values if len(value) != 1] == []
    assert sum(value == {BASE} for value in values) == len(deck.court) == 4
    everybody = Coalition.of(story, range(5))
    kinds = [everybody.reads(pair, deck.plaintexts) for pair in deck.court]
    assert kinds == [{deck.plaintexts[kind]} for kind in story.table.court()]
    assert all(everybody.reads(pair, deck.plaintexts) for pair in story.old_court)
    _, before, after = second.mixes[0]
    assert all(any(everybody.links(old[1], new[1]) for new in after) for old in before)


def test_no_secret_and_no_plaintext_is_ever_published(story: Story) -> None:
    sent = b"".join(data for run in story.runs for data in run.sent)
    fields = {sent[i : i + 32] for i in range(0, len(sent), 32)}
    for secret in story.table.secrets.values():
        assert encode_scalar(secret) not in sent
        assert encode_scalar(secret)[::-1] not in sent
    plaintexts = (*story.table.deck.plaintexts, BASE)
    apart = {subtract(one, two) for one, two in product((*plaintexts, IDENTITY), repeat=2)}
    assert not fields & apart


def test_a_broken_off_recovery_and_the_next_have_nothing_in_common(story: Story) -> None:
    first, second = (set(points(run.sent)) for run in story.runs)
    assert len(first) > 200
    assert not first & second
