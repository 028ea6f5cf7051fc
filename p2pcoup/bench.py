"""Measure the proofs, whole games and the rules (``p2pcoup bench``).

A proof is priced against its raw cost: the same number of the same libsodium calls, made in the
same run, in turn with the proof. That ratio says what our own code adds, on any machine. Times are
medians; on a shared machine only they and the ratios are worth quoting.
"""

import contextlib
import ctypes
import importlib
import secrets
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from p2pcoup import deck as cards
from p2pcoup.bench_rules import SEATS, RulesFigures, bench_rules
from p2pcoup.deck import Deck, Draw, Randomness, count_operations
from p2pcoup.deck.elgamal import PAIR_BYTES
from p2pcoup.deck.group import OperationCount
from p2pcoup.deck.sodium import Buffer32, prototype
from p2pcoup.node import NO_FAULTS, DemoMatch, Faults, play_demo
from p2pcoup.rules import BASE

REPEATS = 25
SLICES = 10  # of the games of two engines measured in turn
CARDS = len(BASE.cards())


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        unit: of ``value`` and ``raw``, such as ``"ms"``.
        raw: the median of the same libsodium calls alone, where that makes sense.
        limit: what the project promises, in words.
    """

    name: str
    value: float
    unit: str
    raw: float | None = None
    calls: OperationCount | None = None
    limit: str = ""

    def as_dict(self) -> dict[str, object]:
        """The figure for machines."""
        calls = self.calls and {
            "variable": self.calls.variable,
            "base": self.calls.base,
            "add": self.calls.add,
            "valid": self.calls.valid,
        }
        return {
            "value": round(self.value, 4),
            "unit": self.unit,
            "raw": None if self.raw is None else round(self.raw, 4),
            "ratio": None if self.raw is None else round(self.value / self.raw, 4),
            "calls": calls,
            "limit": self.limit,
        }

    def __str__(self) -> str:
        text = f"{self.value:10.3f} {self.unit:<4}"
        if self.raw is not None and self.calls is not None:
            count = f"{self.calls.variable}+{self.calls.base}+{self.calls.add}+{self.calls.valid}"
            text += f"  raw {self.raw:8.3f}  x {self.value / self.raw:4.2f}  calls {count:<13}"
        return text + (f"  ({self.limit})" if self.limit else "")


# --- proofs ---------------------------------------------------------------------------------------


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


# --- games ----------------------------------------------------------------------------------------


async def measure_games(folder: Path) -> list[Figure]:
    """Whole games between node processes on this machine, in a new folder within ``folder``.

    Raises DemoError when a game fails; its files are left then.
    """
    folder = folder / secrets.token_hex(4)
    six = await _game(folder, ["honest"] * 6)
    four = await _game(folder, ["honest", "random"] * 2)
    losses = await _losses(folder)
    kilobytes = four.games[0].transcript.stat().st_size / 1000
    shutil.rmtree(folder)
    with contextlib.suppress(OSError):  # unless a game that failed is kept there
        folder.parent.rmdir()
    memory = [*six.figures("finished", "peak_memory_kib")]
    memory += four.figures("finished", "peak_memory_kib")
    proofs = statistics.mean(four.figures("finished", "proof_seconds"))
    dealt = max(six.figures("dealt", "seconds"))
    return [
        Figure("6 peers: keys, shuffles, deal", dealt, "s", limit="≤ 1.5 s once linked"),
        Figure("4 bots: start of demo to verdict", four.seconds, "s", limit="≤ 20 s"),
        Figure("4 bots: proofs at each peer", proofs, "s"),
        Figure("4 bots: transcript", kilobytes, "kB"),
        Figure("memory of one peer", max(memory) / 1024, "MB", limit="≤ 120 MB"),
        *losses,
    ]


async def _losses(folder: Path) -> list[Figure]:
    """Seats whose program is killed: how soon the others can play on once it is put out, and how
    soon it has caught up when it is started again, without the start of the program itself.
    """
    figures = []
    for seats in (6, 4):
        killed = await _game(folder, ["honest"] * seats, Faults(kill=1), "kill")
        seconds = max(killed.figures("recovered", "seconds"), default=None)
        if seconds is not None:  # else the killed one was out of the game before
            figures.append(Figure(f"{seats - 1} survivors: the Court made anew", seconds, "s"))
    start = statistics.median([await _program_start() for _ in range(3)])
    back = await _game(folder, ["honest"] * 4, Faults(restart=3), "restart")
    ages = back.figures("caught-up", "age")
    figures.append(Figure("start of the program", start, "s"))
    if ages:
        caught_up = statistics.median(ages) - start
        figures.append(Figure("restart to caught up", caught_up, "s"))
    return figures


async def _program_start() -> float:
    """Seconds the program takes to start and do nothing."""
    began = trio.current_time()
    await trio.run_process([sys.executable, "-m", "p2pcoup", "--version"], capture_stdout=True)
    return trio.current_time() - began


async def _game(
    folder: Path, bots: Sequence[str], faults: Faults = NO_FAULTS, name: str = "whole"
) -> DemoMatch:
    # The same bots every time, though never the same cards.
    place = folder / f"{len(bots)}-seats-{name}"
    return await play_demo(place, bots=bots, seed="bench", faults=faults)


# --- rules ----------------------------------------------------------------------------------------


def measure_rules(games: int, seed: int) -> list[Figure]:
    """Random games of four by our rules and, where it is installed, by those of coupml: in turn, a
    slice of each, so that both meet the same machine.
    """
    ours: list[RulesFigures] = []
    theirs: list[RulesFigures] = []
    for number in range(SLICES):
        size = games // SLICES + (number < games % SLICES)
        ours.append(bench_rules(size, seed + number))
        with contextlib.suppress(ImportError):
            theirs.append(_bench_coupml(size, seed + number))
    figures = _of_rules("rules", _sum(ours), "≥ 100000/s")
    return figures + (_of_rules("coupml", _sum(theirs)) if theirs else [])


def _sum(slices: Sequence[RulesFigures]) -> RulesFigures:
    return RulesFigures(
        sum(each.games for each in slices),
        sum(each.decisions for each in slices),
        sum(each.seconds for each in slices),
    )


def _of_rules(name: str, measured: RulesFigures, limit: str = "") -> list[Figure]:
    return [
        Figure(f"{name}: games", measured.games_per_second, "/s"),
        Figure(f"{name}: decisions", measured.decisions_per_second, "/s", limit=limit),
    ]


def _bench_coupml(games: int, seed: int) -> RulesFigures:
    """The same with the package coupml, which draws its cards by NumPy; a decision is one of its
    legal actions played. Raises ImportError where it is not installed.
    """
    game_of, numpy = (importlib.import_module(name) for name in ("coupml.game", "numpy"))
    luck = numpy.random.RandomState(seed)
    decisions = 0
    began = time.perf_counter()
    for _ in range(games):
        game = game_of.Game(SEATS, luck)
        game.init_game()
        while not game.is_game_over():
            actions = game.get_legal_actions()
            game.play_action(actions[int(luck.random_sample() * len(actions))])
            decisions += 1
    return RulesFigures(games, decisions, time.perf_counter() - began)
