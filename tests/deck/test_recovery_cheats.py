"""Every wrong message of a recovery is refused, so that its sender is blamed.

The lies come with proofs that are computed as honest ones are, from the cheater's own secret.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2pcoup.deck import (
    Check,
    Deducting,
    Mixing,
    Pair,
    Point,
    ProofError,
    Revealing,
    begin_recovery,
    check_flags,
    check_key,
    deduct,
    deducted,
    give_flags,
    mix,
    mixed,
    prove_key,
)
from p2pcoup.deck.decrement import (
    Counter,
    Decrement,
    decrement,
    flags_of,
    prove_decrement,
)
from p2pcoup.deck.elgamal import encode_pairs, re_encrypt
from p2pcoup.deck.equality import prove_equalities
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    ORDER,
    Scalar,
    add,
    multiply,
    subtract,
)
from p2pcoup.deck.rows import Row, shuffle_rows
from p2pcoup.deck.shuffle_proof import prove_shuffle
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import SOME_POINT, refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
RED, GREEN, BLUE = 0, 1, 2


@pytest.fixture
def table() -> CardTable:
    """Seat 2 will be lost. Seat 0 has two cards, seat 1 one of the same kinds as seat 0."""
    return CardTable.arranged(
        [RED, RED, GREEN, GREEN, BLUE], [[RED, GREEN], [GREEN], [BLUE]], face_up=[]
    )


def first_phase(table: CardTable) -> Deducting:
    return begin_recovery(table.deck, [2])


def second_phase(table: CardTable) -> Mixing:
    phase = first_phase(table)
    for seat in phase.waiting:
        phase = deducted(phase, seat, DOMAIN, honest(table, phase, seat))
    return phase.mixing()


def third_phase(table: CardTable) -> Revealing:
    phase = second_phase(table)
    for seat in phase.waiting:
        phase = mixed(phase, seat, DOMAIN, mix(phase, seat, DOMAIN, table.randomness))
    return phase.revealing()


def honest(table: CardTable, phase: Deducting, seat: int) -> bytes:
    return deduct(phase, seat, table.secrets[seat], DOMAIN, table.randomness)


# --- every damage ---------------------------------------------------------------------------------


def test_every_damaged_deduction_is_refused() -> None:
    table = CardTable.arranged([RED, GREEN], [[RED], [None], [GREEN]])
    phase = first_phase(table)
    refuse_all_damage(honest(table, phase, 0), lambda got: deducted(phase, 0, DOMAIN, got))


def test_every_damaged_second_deduction_is_refused() -> None:
    """Of two cards in one message; the second proof is about what the first one left."""
    table = CardTable.arranged([RED, GREEN], [[RED, GREEN], [None], [None]])
    phase = first_phase(table)
    data = honest(table, phase, 0)
    half = len(data) // 2
    refuse_all_damage(data[half:], lambda got: deducted(phase, 0, DOMAIN, data[:half] + got))


def test_every_damaged_mix_is_refused() -> None:
    table = CardTable.arranged([RED, GREEN], [[RED], [None], [GREEN]])
    phase = second_phase(table)
    data = mix(phase, 0, DOMAIN, table.randomness)
    assert len(data) == 256 * 2 + 192
    refuse_all_damage(data, lambda got: mixed(phase, 0, DOMAIN, got))


def test_all_damaged_shares_of_flags_are_refused(table: CardTable) -> None:
    phase = third_phase(table)
    data = give_flags(phase, 0, table.secrets[0], DOMAIN, table.randomness)
    assert len(data) == 32 * 5 + 64
    refuse_all_damage(data, lambda got: check_flags(phase, 0, DOMAIN, got))


# --- deductions that are not those of one's cards -------------------------------------------------


class Liar:
    """Seat 0, which can put any steps into its message."""

    def __init__(self, table: CardTable) -> None:
        self.table, self.phase = table, first_phase(table)
        self.secret = table.secrets[0]
        self.red, self.green = self.phase.deck.held(0)
        self.before = self.phase.counters
        self.message = b""

    def step(
        self,
        index: int,
        card: Pair,
        kind: int,
        *,
        claimed: int | None = None,
        after: tuple[Counter, ...] | None = None,
    ) -> "Liar":
        """Count ``kind`` down for ``card`` (or go to ``after``), and claim that it is right."""
        deck, randomness = self.phase.deck, self.table.randomness
        scope = subdomain(DOMAIN, "recovery-deduct", 0, index)
        made, randomizers = decrement(
            scope, deck.joint_key, card, self.secret, kind, self.before, randomness
        )
        after = after or made
        statement = Decrement(
            deck.joint_key, deck.keys[0], card, deck.plaintexts, self.before, after
        )
        proof = prove_decrement(
            scope,
            statement,
            self.secret,
            kind if claimed is None else claimed,
            randomizers,
            randomness,
        )
        self.message += encode_pairs(flags_of(after)) + proof.encode()
        self.before = after
        return self

    def is_refused(self, check: Check = Check.DECREMENT_PROOF) -> None:
        with refused(check):
            deducted(self.phase, 0, DOMAIN, self.message)


def test_the_liar_makes_an_honest_message_when_it_does_not_lie(table: CardTable) -> None:
    """The refusals below are for the lie, not for how it is told."""
    liar = Liar(table)
    liar.step(0, liar.red, RED).step(1, liar.green, GREEN)
    assert liar.message == honest(table, liar.phase, 0)
    deducted(liar.phase, 0, DOMAIN, liar.message)


@pytest.mark.parametrize("kind", [GREEN, BLUE])
@pytest.mark.parametrize("claimed", [None, RED])
def test_a_card_of_another_kind_cannot_be_taken_off(
    table: CardTable, kind: int, claimed: int | None
) -> None:
    liar = Liar(table)
    liar.step(0, liar.red, kind, claimed=claimed).step(1, liar.green, GREEN).is_refused()


def test_the_second_card_must_be_right_too(table: CardTable) -> None:
    liar = Liar(table)
    liar.step(0, liar.red, RED).step(1, liar.green, RED).is_refused()


def test_one_card_cannot_be_taken_off_twice_and_the_other_not(table: CardTable) -> None:
    liar = Liar(table)
    liar.step(0, liar.red, RED).step(1, liar.red, RED).is_refused()


def test_the_cards_are_taken_off_in_the_order_they_lie(table: CardTable) -> None:
    liar = Liar(table)
    liar.step(0, liar.green, GREEN).step(1, liar.red, RED).is_refused()


def test_no_card_can_be_left_out_and_none_added(table: CardTable) -> None:
    liar = Liar(table)
    liar.step(0, liar.red, RED).is_refused(Check.LENGTH)
    liar.step(1, liar.green, GREEN).step(2, liar.red, RED).is_refused(Check.LENGTH)
    liar.message = b""
    liar.is_refused(Check.LENGTH)


def test_a_card_of_another_seat_cannot_be_taken_off(table: CardTable) -> None:
    liar = Liar(table)
    (foreign,) = table.deck.held(1)
    liar.step(0, foreign, GREEN).step(1, liar.green, GREEN).is_refused()


def test_flags_cannot_be_passed_on_as_they_were(table: CardTable) -> None:
    """Attack 11: a first component that was there before."""
    liar = Liar(table)
    liar.step(0, liar.red, RED)
    liar.step(1, liar.green, GREEN, after=liar.before).is_refused(Check.FIRST_COMPONENT)


def test_flags_cannot_be_left_open(table: CardTable) -> None:
    liar = Liar(table)
    liar.step(0, liar.red, RED, after=liar.before).step(1, liar.green, GREEN)
    liar.is_refused(Check.POINT_ENCODING)


def test_flags_cannot_borrow_the_first_component_of_a_card(table: CardTable) -> None:
    """Attack 10: the shares that open the flags would open the card."""
    for victim in (*table.deck.held(1), *table.deck.held(2)):
        liar = Liar(table)
        (first, *rest), *others = liar.step(0, liar.red, RED).before
        borrowed = ((Pair(victim.U, first.V), *rest), *others)
        liar = Liar(table)
        liar.step(0, liar.red, RED, after=borrowed).step(1, liar.green, GREEN)
        liar.is_refused(Check.FIRST_COMPONENT)
        shifted = ((re_encrypt(Pair(victim.U, first.V), SOME_POINT, Scalar(5)), *rest), *others)
        liar = Liar(table)
        liar.step(0, liar.red, RED, after=shifted).step(1, liar.green, GREEN).is_refused()


def test_a_deduction_counts_only_where_it_was_made(table: CardTable) -> None:
    """Attack 5: another round, another seat, other counters, other seats lost."""
    phase = first_phase(table)
    data = honest(table, phase, 0)
    with refused(Check.DECREMENT_PROOF):
        deducted(phase, 0, b"other", data)
    after = deducted(phase, 0, DOMAIN, data)
    with refused(Check.LENGTH):
        deducted(after, 1, DOMAIN, data)
    half = len(data) // 2
    with refused(Check.FIRST_COMPONENT):
        deducted(after, 1, DOMAIN, data[:half])
    with refused(Check.DECREMENT_PROOF):
        deducted(begin_recovery(table.deck, [1]), 0, DOMAIN, data)


# --- mixes that are not shuffles ------------------------------------------------------------------


def forged(table: CardTable, phase: Mixing, outputs: Sequence[Row], key: Point) -> bytes:
    """These rows, with the proof of an honest shuffle by seat 0 for them."""
    scope = subdomain(DOMAIN, "recovery-mix", 0)
    done = shuffle_rows(scope, key, phase.rows, table.randomness)
    lie = done._replace(outputs=tuple(outputs))
    proof = prove_shuffle(scope, key, phase.rows, lie, table.randomness)
    return encode_pairs([pair for row in outputs for pair in row]) + proof.encode()


def fresh(table: CardTable, phase: Mixing, row: Row) -> Row:
    key = phase.deck.joint_key
    flag, card = (re_encrypt(pair, key, table.randomness.scalar()) for pair in row)
    return flag, card


def test_a_mix_cannot_replace_double_or_part_what_belongs_together(table: CardTable) -> None:
    """Attack 9 and 14: no card comes in, and no flag passes to another card."""
    phase = second_phase(table)
    key, old = phase.deck.joint_key, phase.rows
    rows = [fresh(table, phase, row) for row in old]
    assert mixed(phase, 0, DOMAIN, mix(phase, 0, DOMAIN, table.randomness))
    ((flag_0, card_0), (flag_1, card_1)), rest = rows[:2], rows[2:]
    blue = (Pair(IDENTITY, BASE), Pair(IDENTITY, phase.deck.plaintexts[BLUE]))
    (held,) = table.deck.held(1)
    lies: dict[str, list[Row]] = {
        "a flag set": [(fresh(table, phase, blue)[0], card_0), *rows[1:]],
        "a card replaced": [(flag_0, fresh(table, phase, blue)[1]), *rows[1:]],
        "a row replaced": [fresh(table, phase, blue), *rows[1:]],
        "a row doubled": [fresh(table, phase, old[1]), *rows[1:]],
        "flags exchanged": [(flag_1, card_0), (flag_0, card_1), *rest],
        "flag and card exchanged": [(card_0, flag_0), *rows[1:]],
        "somebody's card": [(flag_0, fresh(table, phase, (held, held))[0]), *rows[1:]],
    }
    for lie in lies.values():
        with refused(Check.SHUFFLE_PROOF):
            mixed(phase, 0, DOMAIN, forged(table, phase, lie, key))


def test_a_mix_under_the_old_joint_key_is_refused(table: CardTable) -> None:
    phase, old_key = second_phase(table), table.deck.joint_key
    scope = subdomain(DOMAIN, "recovery-mix", 0)
    done = shuffle_rows(scope, old_key, phase.rows, table.randomness)
    with refused(Check.SHUFFLE_PROOF):
        mixed(phase, 0, DOMAIN, forged(table, phase, done.outputs, old_key))


def test_a_mix_counts_only_where_it_was_made(table: CardTable) -> None:
    phase = second_phase(table)
    data = mix(phase, 0, DOMAIN, table.randomness)
    with refused(Check.SHUFFLE_PROOF):
        mixed(phase, 0, b"other", data)
    with refused(Check.FIRST_COMPONENT):
        mixed(mixed(phase, 0, DOMAIN, data), 1, DOMAIN, data)


def test_no_pair_of_a_mix_has_a_first_component_of_an_earlier_one(table: CardTable) -> None:
    """Attack 11, within the rows, from the flags before and from a hand."""
    phase = second_phase(table)
    rows = [fresh(table, phase, row) for row in phase.rows]
    (flag, card), *rest = rows
    (held,) = table.deck.held(1)
    for first in (flag.U, rest[0][0].U, phase.rows[0][0].U, held.U):
        lie = [(flag, Pair(first, card.V)), *rest]
        with refused(Check.FIRST_COMPONENT):
            mixed(phase, 0, DOMAIN, forged(table, phase, lie, phase.deck.joint_key))


# --- shares that are not those of the key ---------------------------------------------------------


def test_wrong_shares_of_flags_are_refused(table: CardTable) -> None:
    """Attack 12, and a share that would turn a 1 into a 0, or two of them that cancel."""
    phase, secret = third_phase(table), table.secrets[0]
    bases = [flag.U for flag, _ in phase.rows]
    shares = [multiply(secret, base) for base in bases]
    first, second, *rest = shares
    scope = subdomain(DOMAIN, "recovery-flags", 0)
    for lie in (
        [add(first, BASE), second, *rest],
        [subtract(first, BASE), second, *rest],
        [add(first, BASE), subtract(second, BASE), *rest],
        [second, first, *rest],
        [multiply(table.secrets[1], base) for base in bases],
        [multiply(secret, card.U) for _, card in phase.rows],
    ):
        key = phase.deck.keys[0]
        proof = prove_equalities(scope, key, bases, lie, secret, table.randomness)
        with refused(Check.SHARE_PROOF):
            check_flags(phase, 0, DOMAIN, b"".join(lie) + proof.encode())


def test_shares_of_flags_count_only_where_they_were_given(table: CardTable) -> None:
    phase = third_phase(table)
    data = give_flags(phase, 0, table.secrets[0], DOMAIN, table.randomness)
    for seat, domain in ((0, b"other"), (1, DOMAIN)):
        with refused(Check.SHARE_PROOF):
            check_flags(phase, seat, domain, data)


# --- who is blamed --------------------------------------------------------------------------------


def test_a_refusal_says_whose_message_it_was(table: CardTable) -> None:
    first, second, third = first_phase(table), second_phase(table), third_phase(table)
    texts = []
    for receive in (
        lambda: deducted(first, 0, DOMAIN, b""),
        lambda: mixed(second, 0, DOMAIN, b""),
        lambda: check_flags(third, 0, DOMAIN, b""),
    ):
        with pytest.raises(ProofError, match="of seat 0 does not hold") as caught:
            receive()
        texts.append(str(caught.value))
    assert len(set(texts)) == 3


def test_survivors_whose_keys_cancel_out_have_nothing_to_hide_and_are_refused() -> None:
    """All survivors are in league then: an honest key among them cannot be cancelled."""
    table = CardTable.arranged([RED, GREEN], [[RED], [None], [GREEN]])
    secret = Scalar(ORDER - table.secrets[0])
    key = check_key(DOMAIN, prove_key(DOMAIN, secret, table.randomness))
    league = {0: table.deck.keys[0], 1: key, 2: table.deck.keys[2]}
    table.secrets[1] = secret
    phase = begin_recovery(replace(table.deck, keys=league), [2])
    assert phase.deck.joint_key == IDENTITY
    with refused(Check.POINT_ENCODING):
        deducted(phase, 0, DOMAIN, honest(table, phase, 0))
