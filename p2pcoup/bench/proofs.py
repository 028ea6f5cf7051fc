"""What the proofs cost, beside the raw cost of their library calls.

A proof is priced against its raw cost: the same number of the same libsodium calls, made in the
same run, in turn with the proof. That ratio says what our own code adds, on any machine. Times are
medians; on a shared machine only they and the ratios are worth quoting.
"""

import ctypes
import secrets
import statistics
import time
from collections.abc import Callable, Sequence

from p2pcoup import deck as cards
from p2pcoup.bench.figure import Figure
from p2pcoup.deck import Deck, Draw, Randomness, count_operations
from p2pcoup.deck.elgamal import PAIR_BYTES
from p2pcoup.deck.group import OperationCount
from p2pcoup.deck.sodium import Buffer32, prototype
from p2pcoup.rules import BASE

REPEATS = 25
CARDS = len(BASE.cards())


def measure_proofs(repeats: int = REPEATS) -> list[Figure]:
    """The proofs of a 15-card deck between four seats. Calls: variable + base + add + validity."""
    secrets_of = [Randomness.from_system().scalar() for _ in range(4)]
    domain, randomness = b"bench", Randomness.from_system()
    keys = {
        seat: cards.check_key(domain, cards.prove_key(domain, secret, randomness))
        for seat, secret in enumerate(secrets_of)
    }
    plaintexts = cards.card_plaintexts([character.name for character in BASE.characters])
    kinds = [BASE.characters.index(character) for character in BASE.cards()]
    new = cards.new_deck(plaintexts, kinds, keys)
    deck = cards.shuffled(new, domain, cards.shuffle(new, domain, randomness))
    shuffle = cards.shuffle(deck, domain, randomness)
    draws = [Draw(1, 0)]
    share = cards.give_shares(deck, 0, secrets_of[0], draws, domain, randomness)
    dealt = _deal_one(deck, secrets_of, draws, domain)
    opening = cards.open_cards(dealt, 1, secrets_of[1], [0], domain, randomness)
    proof_bytes = len(shuffle) - CARDS * PAIR_BYTES
    price = _Pricing(repeats)
    return [
        price("shuffle 15 cards", lambda: cards.shuffle(deck, domain, randomness), "≤ 1.2 × raw"),
        price("verify the shuffle", lambda: cards.shuffled(deck, domain, shuffle), "≤ 1.2 × raw"),
        Figure("shuffle proof", proof_bytes, "B", limit="≤ 2300 B"),
        price(
            "share of one card, with proof",
            lambda: cards.give_shares(deck, 0, secrets_of[0], draws, domain, randomness),
            "≤ 0.4 ms",
        ),
        price(
            "verify the share",
            lambda: cards.check_shares(deck, 0, draws, domain, share),
            "≤ 0.5 ms",
        ),
        price(
            "open one card",
            lambda: cards.open_cards(dealt, 1, secrets_of[1], [0], domain, randomness),
        ),
        price("verify the opening", lambda: cards.opened(dealt, 1, [0], domain, opening)),
    ]


def _deal_one(
    deck: Deck, secrets_of: Sequence[cards.Scalar], draws: Sequence[Draw], domain: bytes
) -> Deck:
    randomness = Randomness.from_system()
    shares = {
        seat: cards.check_shares(
            deck,
            seat,
            draws,
            domain,
            cards.give_shares(deck, seat, secret, draws, domain, randomness),
        )
        for seat, secret in enumerate(secrets_of)
        if seat != draws[0].seat
    }
    return cards.draw(deck, draws, shares)


class _Pricing:
    """Times work and, in turn with it, the same library calls without any of our code."""

    def __init__(self, repeats: int) -> None:
        self._repeats = repeats
        point = cards.card_plaintexts(("bench",))[0]
        scalar = (secrets.randbelow(2**251) + 1).to_bytes(32, "little")
        result = Buffer32()
        self._raw: dict[str, Callable[[], int]] = {
            "variable": _call("crypto_scalarmult_ristretto255", result, scalar, point),
            "base": _call("crypto_scalarmult_ristretto255_base", result, scalar),
            "add": _call("crypto_core_ristretto255_add", result, point, point),
            "valid": _call("crypto_core_ristretto255_is_valid_point", point),
        }

    def __call__(self, name: str, work: Callable[[], object], limit: str = "") -> Figure:
        with count_operations() as calls:
            work()
        spent, raw = [], []
        for _ in range(self._repeats):
            spent.append(_milliseconds(work))
            raw.append(_milliseconds(lambda: self._same_calls(calls)))
        return Figure(name, statistics.median(spent), "ms", statistics.median(raw), calls, limit)

    def _same_calls(self, calls: OperationCount) -> None:
        for kind, function in self._raw.items():
            for _ in range(getattr(calls, kind)):
                function()


def _call(name: str, *arguments: bytes | ctypes.Array[ctypes.c_char]) -> Callable[[], int]:
    function = prototype(name, len(arguments))
    return lambda: function(*arguments)


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000
