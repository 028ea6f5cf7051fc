"""Simulate games: ``python -m tests.sim --seed 17 --games 200``.

Every failure is one line with the command that repeats exactly that game; the exit status is then
1.
"""

import argparse
import contextlib
import json
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from p2pcoup.rules import EDITIONS, Setup
from tests.sim.figures import Figures
from tests.sim.plan import FAULTS, Wanted
from tests.sim.run import Setting, bulk, commit, run
from tests.sim.scheme import ALL_CHEATS


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser("python -m tests.sim", description=__doc__.split("\n\n")[0])
    made.add_argument("--seed", type=int, default=0, help="seed of the first game")
    made.add_argument("--games", type=int, default=1, help="how many games, seed after seed")
    made.add_argument("--seats", type=int, choices=range(2, 7), help="otherwise the seed decides")
    made.add_argument("--edition", choices=sorted(EDITIONS), help="otherwise the seed decides")
    made.add_argument("--setup", choices=[setup.value for setup in Setup])
    made.add_argument(
        "--faults",
        default="all",
        help=f"all (the seed draws some), none, or some of {', '.join(FAULTS)}",
    )
    made.add_argument(
        "--cheats",
        default="",
        help=f"cheat at every opportunity, one way a game: all, or of {', '.join(ALL_CHEATS)}",
    )
    made.add_argument("--real", action="store_true", help="with the true group")
    made.add_argument("--trace", action="store_true", help="print every event")
    made.add_argument("--json", action="store_true", help="end with the figures as JSON")
    made.add_argument("--seeds", type=Path, help="play the games of a file, a command line each")
    return made


def setting_of(options: argparse.Namespace, number: int = 0) -> Setting:
    """What the options ask for in the game of that number.

    Raises SystemExit, with a sentence, for names there are not.
    """
    faults = {"all": None, "none": ()}.get(options.faults, _names(options.faults, FAULTS))
    cheats = _names(options.cheats, ALL_CHEATS)
    cheat = cheats[number % len(cheats)] if cheats else None
    wanted = Wanted(options.seats, options.edition, options.setup, faults, cheat)
    return Setting(wanted, options.real)


def _names(text: str, known: Sequence[str]) -> tuple[str, ...]:
    if text in ("all", "none"):
        return tuple(known) if text == "all" else ()
    names = tuple(name for name in text.split(",") if name)
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"There is no {unknown[0]!r}; known: {', '.join(known)}.")
    return names


def games_of(options: argparse.Namespace) -> Iterator[tuple[int, Setting]]:
    """The seeds to play, each with its setting."""
    if options.seeds is None:
        for number in range(options.games):
            yield options.seed + number, setting_of(options, number)
        return
    for line in options.seeds.read_text(encoding="utf-8").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            recorded = parser().parse_args(words)
            recorded.real |= options.real
            yield from games_of(recorded)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, report, and return the exit status."""
    options = parser().parse_args(arguments)
    figures, started = Figures(), time.monotonic()
    for seed, setting in games_of(options):
        with contextlib.nullcontext() if setting.real else bulk():
            result = run(seed, setting)
        figures.add(result)
        if options.trace:
            print(*result.record.trace, f"digest {result.digest}", sep="\n")  # noqa: T201
        for failure in result.failures():
            print(f"FAILED {failure} -- {setting.command(seed)} -- commit {commit()}")  # noqa: T201
    print(*figures.lines(time.monotonic() - started), sep="\n")  # noqa: T201
    if options.json:
        print(json.dumps(figures.as_dict()))  # noqa: T201
    return 1 if figures.failed else 0


if __name__ == "__main__":
    sys.exit(main())
