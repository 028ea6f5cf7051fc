"""Encrypted counters, and the proof that one of them, nobody knows which, goes down by one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from p2pcoup.deck import Check, DeckUseError, Pair, Point, Randomness, Scalar, card_plaintexts
from p2pcoup.deck.decrement import (
    OPEN_ONE,
    OPEN_ZERO,
    Counter,
    Decrement,
    DecrementProof,
    as_counters,
    decrement,
    flags_of,
    one_down,
    prove_decrement,
    verify_decrement,
)
from p2pcoup.deck.elgamal import re_encrypt
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    add,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from tests.deck.damage import SOME_POINT, refuse_all_damage, refused

DOMAIN = b"game, round, seat"
PLAINTEXTS = card_plaintexts(["red", "green", "blue", "white"])
SIZES = (2, 1, 0, 3)
"""Flags of each counter; of the third kind no card is left."""
WHITE = 3


@dataclass
class Holder:
    """Who holds a white card, and knows the key of the flags as well, to look at the result."""

    secret: Scalar
    card: Pair
    flag_secret: Scalar
    key: Point
    before: tuple[Counter, ...]
    after: tuple[Counter, ...]
    randomizers: tuple[Scalar, ...]

    @property
    def statement(self) -> Decrement:
        holder = multiply_base(self.secret)
        return Decrement(self.key, holder, self.card, PLAINTEXTS, self.before, self.after)

    def hide(self, counters: Sequence[Counter]) -> tuple[Counter, ...]:
        """These counters with all flags re-encrypted with the randomizers."""
        flags = zip(flags_of(counters), self.randomizers, strict=True)
        return as_counters([re_encrypt(flag, self.key, r) for flag, r in flags], counters)

    def counts(self, counters: Sequence[Counter]) -> list[list[int]]:
        """What the flags say, by the secret key."""
        values = {IDENTITY: 0, BASE: 1, add(BASE, BASE): 2}
        return [
            [values[subtract(flag.V, multiply(self.flag_secret, flag.U))] for flag in counter]
            for counter in counters
        ]


def encrypted(plaintext: Point, secret: Scalar, randomness: Randomness) -> Pair:
    return re_encrypt(Pair(IDENTITY, plaintext), multiply_base(secret), randomness.scalar())


def counters(*values: Sequence[int]) -> tuple[Counter, ...]:
    """Flags that everybody sees."""
    return tuple(tuple(OPEN_ONE if flag else OPEN_ZERO for flag in flags) for flags in values)


@pytest.fixture
def holder(randomness: Randomness) -> Holder:
    secret, flag_secret = randomness.scalar(), randomness.scalar()
    key = multiply_base(flag_secret)
    card = encrypted(PLAINTEXTS[WHITE], secret, randomness)
    start = counters((1, 0), (1,), (), (1, 1, 0))
    before = tuple(
        tuple(re_encrypt(flag, key, randomness.scalar()) for flag in counter) for counter in start
    )
    after, randomizers = decrement(DOMAIN, key, card, secret, WHITE, before, randomness)
    return Holder(secret, card, flag_secret, key, before, after, randomizers)


def prove(holder: Holder, randomness: Randomness, kind: int = WHITE) -> DecrementProof:
    return prove_decrement(
        DOMAIN, holder.statement, holder.secret, kind, holder.randomizers, randomness
    )


# --- counting -------------------------------------------------------------------------------------


def test_the_counter_of_the_card_goes_down_and_the_others_stay(holder: Holder) -> None:
    assert holder.counts(holder.before) == [[1, 0], [1], [], [1, 1, 0]]
    assert holder.counts(holder.after) == [[1, 0], [1], [], [1, 0, 0]]
    firsts = {flag.U for flag in flags_of(holder.before)}
    assert len(firsts | {flag.U for flag in flags_of(holder.after)}) == 2 * sum(SIZES)


def test_every_kind_can_be_counted_down_from_open_counters(randomness: Randomness) -> None:
    secret, flag_secret = randomness.scalar(), randomness.scalar()
    before = tuple((OPEN_ONE,) * size for size in SIZES)
    for kind, size in enumerate(SIZES):
        card = encrypted(PLAINTEXTS[kind], secret, randomness)
        arguments = (DOMAIN, multiply_base(flag_secret), card, secret, kind, before, randomness)
        if not size:
            with pytest.raises(DeckUseError):
                decrement(*arguments)
            continue
        after, randomizers = decrement(*arguments)
        it = Holder(secret, card, flag_secret, arguments[1], before, after, randomizers)
        verify_decrement(DOMAIN, it.statement, prove(it, randomness, kind))
        expected = [[1] * other for other in SIZES]
        expected[kind][-1] = 0
        assert it.counts(after) == expected


def test_a_counter_goes_down_to_zero_and_its_flags_stay_as_many() -> None:
    (counter,) = counters((1, 1))
    assert one_down(counter) == (OPEN_ONE, OPEN_ZERO)
    assert one_down(one_down(counter)) == (OPEN_ZERO, OPEN_ZERO)


def test_the_randomizers_depend_on_the_seed_and_on_all_that_is_counted(
    holder: Holder, randomness: Randomness
) -> None:
    """Attack 19: two choices considered with one seed show nothing by their difference."""
    h = holder
    arguments = (DOMAIN, h.key, h.card, h.secret, WHITE, h.before, randomness)
    assert decrement(*arguments) == (h.after, h.randomizers)
    changes = (
        (0, b"other"),
        (1, SOME_POINT),
        (2, h.before[0][0]),
        (4, 0),
        (5, h.after),
        (6, randomness.fork("other")),
    )
    seen = {h.randomizers[0]}
    for place, value in changes:
        changed = (*arguments[:place], value, *arguments[place + 1 :])
        seen.add(decrement(*changed)[1][0])  # type: ignore[arg-type]
    assert len(seen) == 1 + len(changes)


# --- the proof ------------------------------------------------------------------------------------


def test_an_honest_proof_is_accepted_and_has_three_fields_a_branch(
    holder: Holder, randomness: Randomness
) -> None:
    data = prove(holder, randomness).encode()
    assert len(data) == DecrementProof.size(3) == 288
    verify_decrement(DOMAIN, holder.statement, DecrementProof.decode(data, 3))


def test_no_field_of_a_proof_shows_which_branch_is_true(randomness: Randomness) -> None:
    """The same fields, all different, whichever kind it is; none is a constant."""
    secret, flag_secret = randomness.scalar(), randomness.scalar()
    before = tuple((OPEN_ONE,) * size for size in SIZES)
    fields: list[Scalar] = []
    for kind in (0, 1, 3):
        card = encrypted(PLAINTEXTS[kind], secret, randomness)
        key = multiply_base(flag_secret)
        after, randomizers = decrement(DOMAIN, key, card, secret, kind, before, randomness)
        it = Holder(secret, card, flag_secret, key, before, after, randomizers)
        fields += [field for branch in prove(it, randomness, kind).branches for field in branch]
    assert len(set(fields)) == 27
    assert min(fields) > 2**128


def test_every_changed_field_of_a_proof_is_refused(holder: Holder, randomness: Randomness) -> None:
    refuse_all_damage(
        prove(holder, randomness).encode(),
        lambda got: verify_decrement(DOMAIN, holder.statement, DecrementProof.decode(got, 3)),
    )


def test_branches_cannot_be_exchanged_or_left_out(holder: Holder, randomness: Randomness) -> None:
    proof = prove(holder, randomness)
    first, second, third = proof.branches
    with refused(Check.DECREMENT_PROOF):
        verify_decrement(DOMAIN, holder.statement, DecrementProof((second, first, third)))
    with pytest.raises(DeckUseError):
        verify_decrement(DOMAIN, holder.statement, DecrementProof((first, second)))


def recut(counters: tuple[Counter, ...]) -> tuple[Counter, ...]:
    """The same flags, but the second counter begins one earlier."""
    (first, second), (third,), *rest = counters
    return ((first,), (second, third), *rest)


def test_every_changed_part_of_a_statement_is_refused(
    holder: Holder, randomness: Randomness
) -> None:
    proof, it = prove(holder, randomness), holder.statement
    point = SOME_POINT
    changed = [
        replace(it, key=point),
        replace(it, holder=point),
        replace(it, card=Pair(point, it.card.V)),
        replace(it, card=Pair(it.card.U, point)),
        replace(it, plaintexts=(*PLAINTEXTS[:3], point)),
        replace(it, plaintexts=(*PLAINTEXTS[:2], point, PLAINTEXTS[3])),
        replace(it, plaintexts=PLAINTEXTS[::-1]),
        replace(it, before=it.after, after=it.before),
        replace(it, before=recut(it.before), after=recut(it.after)),
    ]
    for index in range(sum(SIZES)):
        for name, flags in (("before", flags_of(it.before)), ("after", flags_of(it.after))):
            u, v = flags[index]
            for flag in (Pair(point, v), Pair(u, point)):
                cut = as_counters([*flags[:index], flag, *flags[index + 1 :]], it.before)
                changed.append(replace(it, **{name: cut}))  # type: ignore[arg-type]
    with refused(Check.DECREMENT_PROOF):
        verify_decrement(b"other", it, proof)
    for statement in changed:
        with refused(Check.DECREMENT_PROOF):
            verify_decrement(DOMAIN, statement, proof)


LIES: dict[str, tuple[tuple[Sequence[int], ...], int]] = {
    "another kind is counted down": (((0, 0), (1,), (), (1, 1, 0)), WHITE),
    "another kind is counted down and claimed": (((0, 0), (1,), (), (1, 1, 0)), 0),
    "the last copy of another kind is counted down": (((1, 0), (0,), (), (1, 1, 0)), 1),
    "nothing is counted down": (((1, 0), (1,), (), (1, 1, 0)), WHITE),
    "one kind goes down by two": (((1, 0), (1,), (), (0, 0, 0)), WHITE),
    "two kinds go down": (((0, 0), (1,), (), (1, 0, 0)), WHITE),
    "a kind goes up": (((1, 1), (1,), (), (1, 0, 0)), WHITE),
    "a kind goes up and another one down": (((1, 0), (1,), (), (1, 1, 1)), WHITE),
    "the count is right but the flags are not in order": (((1, 0), (1,), (), (0, 1, 0)), WHITE),
    "flags change between kinds": (((1, 1), (0,), (), (1, 0, 0)), WHITE),
}


@pytest.mark.parametrize("lie", LIES)
def test_no_other_counting_can_be_proven(lie: str, holder: Holder, randomness: Randomness) -> None:
    """Each with a proof that its maker computes as an honest one would."""
    flags, claimed = LIES[lie]
    holder.after = holder.hide(counters(*flags))
    assert holder.counts(holder.after) == [list(counter) for counter in flags]
    with refused(Check.DECREMENT_PROOF):
        verify_decrement(DOMAIN, holder.statement, prove(holder, randomness, claimed))


def test_a_flag_of_two_cannot_be_made(holder: Holder, randomness: Randomness) -> None:
    two = Pair(IDENTITY, add(BASE, BASE))
    before = holder.counts(holder.before)
    holder.after = holder.hide(((two, OPEN_ZERO), *counters((1,), (), (1, 0, 0))))
    assert holder.counts(holder.after)[0] == [2, 0] != before[0]
    with refused(Check.DECREMENT_PROOF):
        verify_decrement(DOMAIN, holder.statement, prove(holder, randomness))


def test_a_card_one_does_not_hold_cannot_be_counted(holder: Holder, randomness: Randomness) -> None:
    """Neither with one's own key nor, without its secret, with that of its holder."""
    victim, secret = holder.statement, randomness.scalar()
    for holder_key in (multiply_base(secret), victim.holder):
        statement = replace(victim, holder=holder_key)
        proof = prove_decrement(DOMAIN, statement, secret, WHITE, holder.randomizers, randomness)
        with refused(Check.DECREMENT_PROOF):
            verify_decrement(DOMAIN, statement, proof)


def test_flags_under_another_key_are_refused(holder: Holder, randomness: Randomness) -> None:
    other = multiply_base(randomness.scalar())
    moved = [one_down(c) if k == WHITE else c for k, c in enumerate(holder.before)]
    flags = zip(flags_of(moved), holder.randomizers, strict=True)
    holder.after = as_counters([re_encrypt(flag, other, r) for flag, r in flags], moved)
    with refused(Check.DECREMENT_PROOF):
        verify_decrement(DOMAIN, holder.statement, prove(holder, randomness))


def test_two_wrong_flags_that_cancel_in_a_sum_are_refused(
    holder: Holder, randomness: Randomness
) -> None:
    """The weights come after the flags, so no pair of errors fits them."""
    flags = flags_of(holder.after)
    more, less = add(flags[0].V, SOME_POINT), subtract(flags[1].V, SOME_POINT)
    wrong = [Pair(flags[0].U, more), Pair(flags[1].U, less), *flags[2:]]
    holder.after = as_counters(wrong, holder.before)
    with refused(Check.DECREMENT_PROOF):
        verify_decrement(DOMAIN, holder.statement, prove(holder, randomness))


def test_a_wrong_witness_proves_nothing(holder: Holder, randomness: Randomness) -> None:
    it, r = holder.statement, holder.randomizers
    for secret, randomizers in (
        (reduce_scalar(holder.secret + 1), r),
        (holder.secret, (reduce_scalar(r[0] + 1), *r[1:])),
        (holder.secret, r[::-1]),
    ):
        proof = prove_decrement(DOMAIN, it, secret, WHITE, randomizers, randomness)
        with refused(Check.DECREMENT_PROOF):
            verify_decrement(DOMAIN, it, proof)


def test_a_proof_is_simulated_only_when_the_challenge_is_known_first(
    holder: Holder, randomness: Randomness
) -> None:
    """Attack 18: all branches made up for challenges of the cheater's choice."""
    made_up = tuple((randomness.scalar(), randomness.scalar(), randomness.scalar()) for _ in "123")
    for branches in (made_up, ((Scalar(0), Scalar(0), Scalar(0)),) * 3):
        with refused(Check.DECREMENT_PROOF):
            verify_decrement(DOMAIN, holder.statement, DecrementProof(branches))


def test_lists_that_do_not_fit_are_our_own_mistake(holder: Holder) -> None:
    it = holder.statement
    for change in (
        {"plaintexts": PLAINTEXTS[:3]},
        {"after": it.after[:3]},
        {"after": (it.after[1], it.after[0], *it.after[2:])},
        {"before": ((), (), (), ()), "after": ((), (), (), ())},
    ):
        with pytest.raises(DeckUseError):
            replace(it, **change)  # type: ignore[arg-type]
