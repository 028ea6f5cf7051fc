"""Exchange: hand and drawn cards, of which the seat keeps some unseen."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Draw,
    Pair,
    Randomness,
    Scalar,
    exchange,
    exchanged,
    read,
)
from p2pcoup.deck.elgamal import PAIR_BYTES, encode_pairs, re_encrypt
from p2pcoup.deck.group import IDENTITY, add, multiply, multiply_base, subtract
from p2pcoup.deck.rekey import MOVED_BYTES, move, prove_rekey
from p2pcoup.deck.rows import Shuffled, shuffle_rows
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
KINDS = [0, 1, 2, 3, 4, 0, 1, 2]
SEAT = 1


@pytest.fixture
def table() -> CardTable:
    """Two seats with two cards each; four cards in the Court."""
    return CardTable.dealt(2, KINDS)


@pytest.fixture
def drawn(table: CardTable) -> CardTable:
    """The same, and seat 1 has drawn two cards."""
    table.draw([Draw(SEAT, None)] * 2)
    return table


def exchanging(table: CardTable, keep: Sequence[int] = (0, 3)) -> bytes:
    return exchange(table.deck, SEAT, table.secrets[SEAT], keep, DOMAIN, table.randomness)


@pytest.mark.parametrize("keep", [*combinations(range(4), 2)])
def test_an_exchange_keeps_any_two_of_four_and_returns_the_others(
    keep: tuple[int, int], drawn: CardTable
) -> None:
    held, below = drawn.hand(SEAT), drawn.court()
    data = exchanging(drawn, keep)
    assert len(data) == PAIR_BYTES * 4 + ShuffleProof.size(4) + 2 * MOVED_BYTES
    before, drawn.deck = drawn.deck, exchanged(drawn.deck, SEAT, DOMAIN, data)
    kept = [held[position] for position in keep]
    assert sorted(drawn.hand(SEAT)) == sorted(kept)
    assert drawn.court()[:2] == below
    assert Counter(drawn.court()[2:]) == Counter(held) - Counter(kept)
    assert not drawn.deck.drawn
    assert not set(before.face_down(SEAT)) & set(drawn.deck.face_down(SEAT))
    assert drawn.everything() == sorted(KINDS)


@pytest.mark.parametrize(("lost", "draws"), [(0, 2), (1, 2), (0, 1), (None, 1)])
def test_an_exchange_fits_the_cards_held_and_drawn(
    lost: int | None, draws: int, table: CardTable
) -> None:
    if lost is not None:
        table.open(SEAT, [lost])
    table.draw([Draw(SEAT, None)] * draws)
    held = table.hand(SEAT)
    count = len(table.deck.face_down(SEAT))
    table.exchange(SEAT, range(count, 0, -1))
    assert sorted(table.hand(SEAT)) == sorted(held[1 : count + 1])
    assert [pair is None for pair in table.deck.hands[SEAT]] == [slot == lost for slot in (0, 1)]
    assert len(table.deck.court) == 4
    assert table.everything() == sorted(KINDS)


def test_a_place_after_an_exchange_says_nothing_of_the_card(drawn: CardTable) -> None:
    """Attack 16: kept cards do not stay in their slots, returned ones not in their order."""
    held = read(drawn.deck, SEAT, drawn.secrets[SEAT])
    places: Counter[str] = Counter()
    for seed in range(40):
        drawn.randomness = Randomness(bytes([seed]) * 32)
        deck = exchanged(drawn.deck, SEAT, DOMAIN, exchanging(drawn, [0, 1]))
        after = read(deck, SEAT, drawn.secrets[SEAT]).hand
        places["kept in place"] += after == held.hand
        joint = sum(drawn.secrets.values())
        returned = [drawn.kind(pair, joint) for pair in deck.court[-2:]]
        places["returned in order"] += returned == list(held.drawn)
    assert len(set(held.hand)) == len(set(held.drawn)) == 2
    assert all(8 < count < 32 for count in places.values()), places


def test_the_order_in_which_cards_are_named_does_not_matter(drawn: CardTable) -> None:
    assert exchanging(drawn, [0, 3]) == exchanging(drawn, [3, 0])


def test_two_exchanges_considered_with_one_seed_have_nothing_in_common(drawn: CardTable) -> None:
    """Attack 19: the difference would show what is kept."""
    messages = [exchanging(drawn, keep) for keep in combinations(range(4), 2)]
    fields = Counter(data[i : i + 32] for data in messages for i in range(0, len(data), 32))
    assert set(fields.values()) == {1}


def test_every_damaged_exchange_is_refused() -> None:
    table = CardTable.dealt(2, KINDS, hand_size=1)
    table.draw([Draw(SEAT, None)] * 2)
    data = exchange(table.deck, SEAT, table.secrets[SEAT], [1], DOMAIN, table.randomness)
    refuse_all_damage(data, lambda got: exchanged(table.deck, SEAT, DOMAIN, got))


def test_an_exchange_is_refused_in_any_other_place(drawn: CardTable) -> None:
    """Attack 5."""
    data = exchanging(drawn)
    with refused(Check.SHUFFLE_PROOF):
        exchanged(drawn.deck, SEAT, b"other", data)
    later = exchanged(drawn.deck, SEAT, DOMAIN, data)
    with pytest.raises(DeckUseError):
        exchanged(later, SEAT, DOMAIN, data)
    again = replace(later, drawn=drawn.deck.drawn, hands=drawn.deck.hands)
    with refused(Check.FIRST_COMPONENT):
        exchanged(again, SEAT, DOMAIN, data)


class Exchanger:
    """A seat that makes an exchange part by part, and may cheat in each."""

    def __init__(self, table: CardTable) -> None:
        self.deck, self.secret, self.randomness = table.deck, table.secrets[SEAT], table.randomness
        self.public = table.deck.keys[SEAT]
        self.scope = subdomain(DOMAIN, "exchange", SEAT)
        self.held = [*self.deck.face_down(SEAT), *self.deck.drawn[SEAT]]

    def shuffle(self, changes: dict[int, Pair] | None = None) -> tuple[list[Pair], bytes]:
        """The shuffle of the held cards, some outputs changed."""
        rows = [(pair,) for pair in self.held]
        honest = shuffle_rows(self.scope, self.public, rows, self.randomness)
        outputs = [(changes or {}).get(i, row[0]) for i, row in enumerate(honest.outputs)]
        cheated = Shuffled(tuple((pair,) for pair in outputs), *honest[1:])
        proof = prove_shuffle(self.scope, self.public, rows, cheated, self.randomness)
        return outputs, encode_pairs(outputs) + proof.encode()

    def give(self, index: int, before: Pair) -> bytes:
        """One returned card."""
        inner = subdomain(DOMAIN, "exchange-return", SEAT, index)
        key = self.deck.joint_key
        return move(inner, self.public, key, before, self.secret, self.randomness)

    def give_as(self, index: int, before: Pair, after: Pair, s: Scalar) -> bytes:
        """One returned card that is another one."""
        inner = subdomain(DOMAIN, "exchange-return", SEAT, index)
        statement = (inner, self.public, self.deck.joint_key, before, after)
        proof = prove_rekey(*statement, self.secret, s, self.randomness)
        return encode_pairs([after]) + proof.encode()


def test_an_exchange_made_part_by_part_is_accepted(drawn: CardTable) -> None:
    cheat = Exchanger(drawn)
    outputs, message = cheat.shuffle()
    message += cheat.give(0, outputs[2]) + cheat.give(1, outputs[3])
    assert len(exchanged(drawn.deck, SEAT, DOMAIN, message).court) == 4


def test_three_cards_cannot_be_kept_and_one_returned(drawn: CardTable) -> None:
    """Attack 14."""
    cheat = Exchanger(drawn)
    outputs, message = cheat.shuffle()
    one = cheat.give(0, outputs[2])
    for returned in (one, one + one[:MOVED_BYTES], one + cheat.give(1, outputs[2])):
        with refused(Check.LENGTH, Check.FIRST_COMPONENT, Check.REKEY_PROOF):
            exchanged(drawn.deck, SEAT, DOMAIN, message + returned)


def test_a_card_returned_twice_is_refused(drawn: CardTable) -> None:
    """Attack 14: two different looking pairs of one card; the other card would be kept."""
    cheat = Exchanger(drawn)
    outputs, message = cheat.shuffle()
    s = Scalar(112358)
    target = drawn.deck.joint_key
    plaintext = subtract(outputs[2].V, multiply(cheat.secret, outputs[2].U))
    twin = Pair(multiply_base(s), add(plaintext, multiply(s, target)))
    for stated in (outputs[3], outputs[2]):
        forged = cheat.give(0, outputs[2]) + cheat.give_as(1, stated, twin, s)
        with refused(Check.REKEY_PROOF):
            exchanged(drawn.deck, SEAT, DOMAIN, message + forged)


def test_a_kept_card_is_not_returned_in_place_of_another(drawn: CardTable) -> None:
    """Attack 14: the returned cards are those after the kept ones, in that order."""
    cheat = Exchanger(drawn)
    outputs, message = cheat.shuffle()
    for first, second in ((0, 3), (2, 1), (3, 2)):
        returned = cheat.give(0, outputs[first]) + cheat.give(1, outputs[second])
        with refused(Check.REKEY_PROOF):
            exchanged(drawn.deck, SEAT, DOMAIN, message + returned)


def test_a_foreign_card_is_neither_kept_nor_returned(drawn: CardTable) -> None:
    """Attacks 9 and 14."""
    cheat = Exchanger(drawn)
    unheld = next(kind for kind in range(5) if kind not in drawn.hand(SEAT))
    wish = re_encrypt(Pair(IDENTITY, drawn.deck.plaintexts[unheld]), cheat.public, Scalar(271828))
    victim = re_encrypt(drawn.deck.face_down(0)[0], cheat.public, Scalar(271828))
    for place in (0, 2):
        for foreign in (wish, victim):
            outputs, message = cheat.shuffle({place: foreign})
            message += cheat.give(0, outputs[2]) + cheat.give(1, outputs[3])
            with refused(Check.SHUFFLE_PROOF):
                exchanged(drawn.deck, SEAT, DOMAIN, message)
    outputs, message = cheat.shuffle()
    s, target = Scalar(161803), drawn.deck.joint_key
    lie = Pair(multiply_base(s), add(drawn.deck.plaintexts[unheld], multiply(s, target)))
    slipped = re_encrypt(drawn.deck.face_down(0)[0], target, s)
    for after in (lie, slipped):
        forged = cheat.give_as(0, outputs[2], after, s) + cheat.give(1, outputs[3])
        with refused(Check.REKEY_PROOF):
            exchanged(drawn.deck, SEAT, DOMAIN, message + forged)


def test_a_returned_card_has_a_first_component_of_its_own(drawn: CardTable) -> None:
    """Attack 11: not that of the kept card, of a Court card, or of a card in another hand."""
    cheat = Exchanger(drawn)
    outputs, message = cheat.shuffle()
    honest = cheat.give(0, outputs[2])
    second = cheat.give(1, outputs[3])
    for known in (outputs[0], outputs[2], drawn.deck.court[0], drawn.deck.face_down(0)[0]):
        with refused(Check.FIRST_COMPONENT):
            exchanged(drawn.deck, SEAT, DOMAIN, message + known.U + honest[32:] + second)
    with refused(Check.FIRST_COMPONENT):
        exchanged(drawn.deck, SEAT, DOMAIN, message + honest + honest[:32] + second[32:])


@pytest.mark.parametrize("keep", [[], [0], [0, 0], [0, 1, 2], [0, 4], [-1, 0], [0, 1, 1]])
def test_cards_to_keep_that_do_not_fit_are_our_own_mistake(
    keep: list[int], drawn: CardTable
) -> None:
    with pytest.raises(DeckUseError):
        exchanging(drawn, keep)


def test_an_exchange_without_cards_is_our_own_mistake(table: CardTable) -> None:
    def refuse(secret: Scalar) -> None:
        with pytest.raises(DeckUseError):
            exchange(table.deck, SEAT, secret, [0, 1], DOMAIN, table.randomness)
        with pytest.raises(DeckUseError):
            exchanged(table.deck, SEAT, DOMAIN, b"")

    refuse(table.secrets[SEAT])  # nothing drawn
    table.draw([Draw(SEAT, None)])
    with pytest.raises(DeckUseError):
        exchange(table.deck, SEAT, table.secrets[0], [0, 1], DOMAIN, table.randomness)
    table.open(SEAT, [0, 1])
    refuse(table.secrets[SEAT])  # nothing held
    with pytest.raises(DeckUseError):
        exchanged(table.deck, 5, DOMAIN, b"")
