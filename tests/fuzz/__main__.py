"""Search one target for bytes that do harm, guided by what they reach: `python -m tests.fuzz`.

Needs atheris (`pip install .[fuzz]`). Each run begins from the kept inputs and from valid ones, and
from what earlier runs have reached, which is kept in a folder of the user's choice. What breaks a
target is written to its corpus and from then on is part of the tests.

The search makes the program several times slower. So the inputs that took longest are measured once
more at the end, in a program that is not watched.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from tests.fuzz.harness import CORPUS, TARGETS, Target, TooSlowError, longest_turn, run

MISSING = """The coverage-guided search needs the package atheris, which is not installed.
Install it with: pip install '.[fuzz]' (Linux and macOS). Without it: pytest tests/fuzz"""
MOST_BYTES = 20_000
"""Inputs the search makes; longer ones only make it slower."""
SLOWEST = 8
"""Inputs that are measured again at the end."""
HANGS_AFTER = 60
"""Seconds after which an input that is still being read is written down and ends the search."""


def main() -> int:
    """Run the search; the exit status is 0 when nothing was found."""
    asked = _arguments()
    names = sorted(path.name for path in CORPUS.iterdir())  # a test holds that these are all
    if asked.target not in names:
        print("Targets:", ", ".join(names))  # noqa: T201
        return 2
    if asked.measure is not None:
        return _measure(asked.target, asked.measure)
    return _search(asked)


def _search(asked: argparse.Namespace) -> int:
    """Search until the time is up or something is found; ends the process but when atheris is
    missing.
    """
    try:
        import atheris
    except ImportError:
        print(MISSING, file=sys.stderr)  # noqa: T201
        return 2
    with atheris.instrument_imports(include=["p2pcoup"]):
        import tests.fuzz.targets  # noqa: F401 - fills the list of targets
    from tests.fuzz.mutations import mutate, splice

    target = TARGETS[asked.target]
    known = [*target.samples(), *target.corpus]
    for sample in known:
        longest_turn(target, sample)

    def change(data: bytes, most: int, seed: int) -> bytes:
        luck = random.Random(seed)
        if luck.random() < 0.3:
            return atheris.Mutate(data, most)[:most]
        for _ in range(1 + luck.randrange(3)):
            data = mutate(data, luck)
        return splice(data, luck.choice(known), luck)[:most] if luck.random() < 0.1 else data[:most]

    place = asked.keep or Path(tempfile.mkdtemp(prefix="p2pcoup-fuzz-"))
    place.mkdir(parents=True, exist_ok=True)
    for sample in known:
        (place / hashlib.sha256(sample).hexdigest()[:16]).write_bytes(sample)

    def end(status: int) -> NoReturn:
        if asked.keep is None:
            shutil.rmtree(place, ignore_errors=True)
        os._exit(status)  # libFuzzer never comes back

    searching = _Searching(target, asked.seconds, end)
    options = [f"-max_len={MOST_BYTES}", f"-seed={asked.seed}", f"-timeout={HANGS_AFTER}"]
    options += ["-rss_limit_mb=0", "-verbosity=0", f"-artifact_prefix={target.folder}/found-"]
    atheris.Setup([sys.argv[0], *options, str(place)], searching.take, custom_mutator=change)
    atheris.Fuzz()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", help="which way in; a wrong name lists all")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of the search (default: 1)")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that reached something")
    parser.add_argument("--measure", type=Path, help="only measure the inputs in this folder")
    return parser.parse_args()


def _measure(name: str, folder: Path) -> int:
    """Measure inputs. Prints the slowest's seconds, or the file that is too slow; then status 1."""
    from tests.fuzz.targets import TARGETS

    slowest = 0.0
    for path in sorted(folder.iterdir()):
        try:
            slowest = max(slowest, run(TARGETS[name], path.read_bytes()))
        except TooSlowError:
            print(path)  # noqa: T201
            return 1
    print(slowest)  # noqa: T201
    return 0


class _Searching:
    """Feeds the target until the time is up, then reports and ends the process."""

    def __init__(self, target: Target, seconds: float, end: Callable[[int], NoReturn]) -> None:
        self._target = target
        self._end = end
        self._began = time.monotonic()
        self._seconds = seconds
        self._inputs = 0
        self._slowest: list[tuple[float, bytes]] = []

    def take(self, data: bytes) -> None:
        """One input. The first that breaks the target is kept and ends the search."""
        if time.monotonic() - self._began > self._seconds:
            self._end_in_time()
        self._inputs += 1
        try:
            spent = longest_turn(self._target, data)
        except Exception:  # noqa: BLE001 - whatever it is, it is what was looked for
            traceback.print_exc()
            self._report(self._keep(data), 0.0)
            self._end(1)
        if len(self._slowest) < SLOWEST or spent > self._slowest[-1][0]:
            self._slowest = sorted([*self._slowest, (spent, data)], reverse=True)[:SLOWEST]

    def _end_in_time(self) -> NoReturn:
        """Measure the slowest inputs where nobody watches, and report."""
        with tempfile.TemporaryDirectory(prefix="p2pcoup-fuzz-") as name:
            for number, (_, data) in enumerate(self._slowest):
                (Path(name) / str(number)).write_bytes(data)
            command = [sys.executable, "-m", "tests.fuzz", self._target.name, "--measure", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            told = done.stdout.strip()
            if done.returncode == 0:
                self._report(None, float(told))
                self._end(0)
            print(done.stderr, file=sys.stderr)  # noqa: T201
            too_slow = Path(told)
            self._report(self._keep(too_slow.read_bytes()) if too_slow.is_file() else None, 0.0)
        self._end(1)

    def _keep(self, data: bytes) -> Path:
        path = self._target.folder / f"found-{hashlib.sha256(data).hexdigest()[:12]}"
        path.write_bytes(data)
        return path

    def _report(self, found: Path | None, slowest: float) -> None:
        seconds = time.monotonic() - self._began
        print(  # noqa: T201
            json.dumps(
                {
                    "target": self._target.name,
                    "inputs": self._inputs,
                    "seconds": round(seconds, 1),
                    "slowest_ms": round(1000 * slowest, 2),
                    "found": None if found is None else str(found),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
