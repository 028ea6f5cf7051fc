"""A second implementation of hidden counting, written from SPEC 5 and 6 alone, judges the vectors.

It forms all counters of a branch and compares them flag by flag, where the program adds up steps.
"""

from collections.abc import Sequence
from itertools import chain

from p2pcoup.deck import Point
from p2pcoup.deck.group import BASE, IDENTITY, ORDER, decode_scalar, subtract
from tests.deck.from_spec import (
    Points,
    State,
    Values,
    accepted,
    cases,
    combination,
    compare,
    point,
    raw,
    scalars,
    times,
    u64,
)

# --- 6.13 and 6.14 --------------------------------------------------------------------------------

Flag = tuple[Point, Point]


def flag_lists(values: Sequence[str]) -> list[list[Flag]]:
    """Flags as they stand in the agreed state, in which 0 may occur."""
    return [
        [
            (Point(raw(value)[i : i + 32]), Point(raw(value)[i + 32 : i + 64]))
            for i in range(0, len(raw(value)), 64)
        ]
        for value in values
    ]


class Countdown:
    """What both algorithms begin with, and the four images of each branch."""

    def __init__(self, case: Values) -> None:
        self.k, self.y = point(case["key"]), point(case["holder"])
        self.u, v = map(point, case["card"])
        plaintexts = list(map(point, case["plaintexts"]))
        before, after = flag_lists(case["before"]), flag_lists(case["after"])
        a, a_new = [*chain(*before)], [*chain(*after)]
        self.state = State(raw(case["domain"]), "decrement")
        for label, *values in (
            ("key", self.k),
            ("holder", self.y),
            ("card", self.u, v),
            ("plaintexts", *plaintexts),
            *(("flags", u64(len(flags))) for flags in before),
            ("before", *chain(*a)),
            ("after", *chain(*a_new)),
        ):
            self.state.absorb(str(label), *values)
        self.e = [self.state.challenge("weight") for _ in a]
        self.branches: dict[int, list[Point]] = {}
        start = 0
        for kind, flags in enumerate(before):
            stepped = [*a]
            if flags:
                stepped[start : start + len(flags)] = [*flags[1:], (IDENTITY, IDENTITY)]
                w = [
                    combination(
                        self.e,
                        [subtract(new[i], old[i]) for new, old in zip(a_new, stepped, strict=True)],
                    )
                    for i in range(2)
                ]
                self.branches[kind] = [self.y, subtract(v, plaintexts[kind]), *w]
            start += len(flags)

    def bases(self) -> list[tuple[int, Point]]:
        """Of the four equations: 0 for x and 1 for R, and the base."""
        return [(0, BASE), (0, self.u), (1, BASE), (1, self.k)]

    def answered(self, images: Points, c: int, z: Sequence[int]) -> list[Point]:
        return [
            subtract(times(z[which], base), times(c, image))
            for (which, base), image in zip(self.bases(), images, strict=True)
        ]


def decremented(case: Values) -> None:
    it = Countdown(case)
    values = scalars(case, 3 * len(it.branches))
    for i, images in enumerate(it.branches.values()):
        c, *z = values[3 * i : 3 * i + 3]
        it.state.absorb("T", *it.answered(images, c, z))
    compare(it.state.challenge("c"), sum(values[::3]) % ORDER)


def prove_decrement(case: Values) -> bytes:
    it, prover = Countdown(case), case["prover"]
    x, kind = decode_scalar(raw(prover["secret"])), prover["kind"]
    r = [decode_scalar(raw(value)) for value in prover["randomizers"]]
    nonce = it.state.nonces(raw(prover["seed"]), x, kind, *r)
    w = [nonce(), nonce()]
    others = {j: [nonce(), nonce(), nonce()] for j in it.branches if j != kind}
    for j, images in it.branches.items():
        if j == kind:
            it.state.absorb("T", *(times(w[which], base) for which, base in it.bases()))
        else:
            it.state.absorb("T", *it.answered(images, others[j][0], others[j][1:]))
    c = it.state.challenge("c") - sum(answer[0] for answer in others.values())
    total = sum(e * one for e, one in zip(it.e, r, strict=True))
    others[kind] = [c, w[0] + c * x, w[1] + c * total]
    fields = [value for j in sorted(others) for value in others[j]]
    return b"".join((value % ORDER).to_bytes(32, "little") for value in fields)


# --- the vectors ----------------------------------------------------------------------------------


def test_it_accepts_and_refuses_the_same_decrements() -> None:
    for case in cases("decrement.json"):
        assert accepted(decremented, case) == case["valid"], (case["number"], case["why"])


def test_it_makes_the_same_decrement_proofs() -> None:
    honest = [case for case in cases("decrement.json") if case["valid"]]
    assert len(honest) == 2
    for case in honest:
        assert prove_decrement(case).hex() == case["proof"]
