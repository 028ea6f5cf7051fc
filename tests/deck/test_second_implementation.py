"""A second implementation of the proofs, written from SPEC 5 and 6 alone, judges the vectors.

It writes the formulas as they stand in the specification, without any of the shortcuts.
"""

from collections.abc import Callable, Sequence
from math import prod

import pytest

from p2pcoup.deck import Point
from p2pcoup.deck.group import BASE, IDENTITY, ORDER, decode_scalar, hash_to_point, subtract
from tests.deck.from_spec import (
    Points,
    State,
    Values,
    accepted,
    cases,
    combination,
    compare,
    plus,
    point,
    points,
    raw,
    scalars,
    times,
    u64,
)

# --- 6.2 to 6.8 -----------------------------------------------------------------------------------


def schnorr(case: Values) -> None:
    y, (c, s) = point(case["public"]), scalars(case, 2)
    state = State(raw(case["domain"]), "schnorr")
    state.absorb("public", y)
    state.absorb("T", subtract(times(s, BASE), times(c, y)))
    compare(state.challenge("c"), c)


def chaum_pedersen(state: State, y: Point, u: Point, d: Point, c: int, s: int) -> None:
    first = subtract(times(s, BASE), times(c, y))
    state.absorb("T", first, subtract(times(s, u), times(c, d)))
    compare(state.challenge("c"), c)


def equality(case: Values) -> None:
    y, u, d = (point(case[name]) for name in ("public", "base", "image"))
    c, s = scalars(case, 2)
    state = State(raw(case["domain"]), "equality")
    for label, value in (("public", y), ("U", u), ("D", d)):
        state.absorb(label, value)
    chaum_pedersen(state, y, u, d, c, s)


def equalities(case: Values) -> None:
    y, us, ds = point(case["public"]), *(list(map(point, case[n])) for n in ("bases", "images"))
    c, s = scalars(case, 2)
    state = State(raw(case["domain"]), "batched-equality")
    state.absorb("public", y)
    state.absorb("U", *us)
    state.absorb("D", *ds)
    e = [1] + [state.challenge("weight") for _ in us[1:]]
    chaum_pedersen(state, y, combination(e, us), combination(e, ds), c, s)


def rekeyed(case: Values) -> None:
    y, k = point(case["holder"]), point(case["target"])
    (u, v), (u_new, v_new) = (map(point, case[name]) for name in ("before", "after"))
    c, z_x, z_s = scalars(case, 3)
    state = State(raw(case["domain"]), "rekey")
    state.absorb("holder", y)
    state.absorb("target", k)
    state.absorb("before", u, v)
    state.absorb("after", u_new, v_new)
    t_1 = subtract(times(z_x, BASE), times(c, y))
    t_2 = subtract(times(z_s, BASE), times(c, u_new))
    t_3 = plus(times(z_s, k), times(-z_x, u), times(-c, subtract(v_new, v)))
    state.absorb("T", t_1, t_2, t_3)
    compare(state.challenge("c"), c)


# --- 6.9 and 6.10 ---------------------------------------------------------------------------------


class Statement:
    """What both algorithms begin with."""

    def __init__(self, case: Values) -> None:
        self.width, self.key = case["width"], point(case["key"])
        self.inputs = [points(raw(row), 2 * self.width) for row in case["inputs"]]
        self.outputs = [points(raw(row), 2 * self.width) for row in case["outputs"]]
        self.rows = len(self.inputs)
        label = b"commitment-generator"
        self.h, *self.hs = (hash_to_point(label, u64(i)) for i in range(self.rows + 1))
        self.state = State(raw(case["domain"]), "shuffle")
        self.state.absorb("rows", u64(self.rows))
        self.state.absorb("width", u64(self.width))
        self.state.absorb("generators", self.h, *self.hs)
        self.state.absorb("key", self.key)
        self.state.absorb("inputs", *(p for row in self.inputs for p in row))
        self.state.absorb("outputs", *(p for row in self.outputs for p in row))

    def close(self, t: Points, t_4: Points, t_hat: Points) -> int:
        self.state.absorb("t", *t)
        self.state.absorb("t_4", *t_4)
        self.state.absorb("t_hat", *t_hat)
        return self.state.challenge("c")

    def column(self, rows: Sequence[Points], column: int) -> list[Point]:
        """A column of points: the even ones are U, the odd ones V."""
        return [row[column] for row in rows]


def shuffle(case: Values) -> None:
    it = Statement(case)
    n, w = it.rows, it.width
    c_s, c_hat = (points(raw(case["proof"])[32 * n * i :], n) for i in range(2))
    c, s_1, s_2, s_3, *rest = scalars(case, 2 * n + 4 + w, skip=2 * n)
    s_4, s_hat, s_prime = rest[:w], rest[w : w + n], rest[w + n :]
    it.state.absorb("c", *c_s)
    u = [it.state.challenge("u") for _ in range(n)]
    it.state.absorb("c_hat", *c_hat)
    chain = [it.h, *c_hat]
    t_1 = subtract(times(s_1, BASE), times(c, subtract(plus(*c_s), plus(*it.hs))))
    t_2 = subtract(times(s_2, BASE), times(c, subtract(c_hat[-1], times(prod(u), it.h))))
    opened = plus(times(s_3, BASE), combination(s_prime, it.hs))
    t_3 = subtract(opened, times(c, combination(u, c_s)))
    t_4 = []
    for column in range(2 * w):
        outs, ins = it.column(it.outputs, column), it.column(it.inputs, column)
        blinding = times(s_4[column // 2], it.key if column % 2 else BASE)
        after = subtract(combination(s_prime, outs), blinding)
        t_4.append(subtract(after, times(c, combination(u, ins))))
    t_hat = [
        plus(times(s_hat[i], BASE), times(s_prime[i], chain[i]), times(-c, chain[i + 1]))
        for i in range(n)
    ]
    compare(it.close([t_1, t_2, t_3], t_4, t_hat), c)


def prove_shuffle(case: Values) -> bytes:
    it, prover = Statement(case), case["prover"]
    n, w, j = it.rows, it.width, prover["permutation"]
    r = [[decode_scalar(raw(value)) for value in row] for row in prover["randomizers"]]
    nonce = it.state.nonces(raw(prover["seed"]), *j, *(value for row in r for value in row))
    rho = [nonce() for _ in range(n)]
    c_s = [IDENTITY] * n
    for i in range(n):
        c_s[j[i]] = plus(times(rho[j[i]], BASE), it.hs[i])
    it.state.absorb("c", *c_s)
    u = [it.state.challenge("u") for _ in range(n)]
    u_prime = [u[j[i]] for i in range(n)]
    rho_hat, chain = [nonce() for _ in range(n)], [it.h]
    for i in range(n):
        chain.append(plus(times(rho_hat[i], BASE), times(u_prime[i], chain[i])))
    it.state.absorb("c_hat", *chain[1:])
    w_1, w_2, w_3 = nonce(), nonce(), nonce()
    w_4, w_hat, w_prime = ([nonce() for _ in range(k)] for k in (w, n, n))
    t = [times(w_1, BASE), times(w_2, BASE), plus(times(w_3, BASE), combination(w_prime, it.hs))]
    t_4 = [
        subtract(
            combination(w_prime, it.column(it.outputs, column)),
            times(w_4[column // 2], it.key if column % 2 else BASE),
        )
        for column in range(2 * w)
    ]
    t_hat = [plus(times(w_hat[i], BASE), times(w_prime[i], chain[i])) for i in range(n)]
    c = it.close(t, t_4, t_hat)
    rho_star = 0
    for i in range(n):
        rho_star = rho_hat[i] + u_prime[i] * rho_star
    fields = [
        c,
        w_1 + c * sum(rho),
        w_2 + c * rho_star,
        w_3 + c * sum(a * b for a, b in zip(rho, u, strict=True)),
        *(w_4[k] + c * sum(r[i][k] * u_prime[i] for i in range(n)) for k in range(w)),
        *(w_hat[i] + c * rho_hat[i] for i in range(n)),
        *(w_prime[i] + c * u_prime[i] for i in range(n)),
    ]
    encoded = b"".join((value % ORDER).to_bytes(32, "little") for value in fields)
    return b"".join([*c_s, *chain[1:]]) + encoded


# --- the vectors ----------------------------------------------------------------------------------

FILES: dict[str, dict[str, Callable[[Values], None]]] = {
    "schnorr.json": {"6.2 SchnorrVerify": schnorr},
    "equality.json": {"6.4 EqualityVerify": equality, "6.6 EqualitiesVerify": equalities},
    "rekey.json": {"6.8 RekeyVerify": rekeyed},
    "shuffle.json": {"6.10 ShuffleVerify": shuffle},
}


@pytest.mark.parametrize("name", FILES)
def test_it_accepts_and_refuses_the_same(name: str) -> None:
    for case in cases(name):
        judge = FILES[name][case["algorithm"]]
        assert accepted(judge, case) == case["valid"], (case["number"], case["why"])


def test_it_makes_the_same_shuffle_proofs() -> None:
    honest = [case for case in cases("shuffle.json") if case["valid"]]
    assert len(honest) == 3
    for case in honest:
        assert prove_shuffle(case).hex() == case["proof"]
