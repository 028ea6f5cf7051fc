"""What whole games between node processes cost: time, bytes, memory, and what losses add."""

import contextlib
import secrets
import shutil
import statistics
from collections.abc import Sequence
from pathlib import Path

from p2pcoup.bench.figure import Figure
from p2pcoup.demo.demo import DemoMatch, play_demo
from p2pcoup.demo.faults import NO_FAULTS, Faults


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
    soon it has caught up when it is started again, the start of the program included.
    """
    figures = []
    for seats in (6, 4):
        killed = await _game(folder, ["honest"] * seats, Faults(kill=1), "kill")
        seconds = max(killed.figures("recovered", "seconds"), default=None)
        if seconds is not None:  # else the killed one was out of the game before
            figures.append(Figure(f"{seats - 1} survivors: the Court made anew", seconds, "s"))
    back = await _game(folder, ["honest"] * 4, Faults(restart=3), "restart")
    ages = back.figures("caught-up", "age")
    if ages:
        figures.append(Figure("started again to caught up", statistics.median(ages), "s"))
    return figures


async def _game(
    folder: Path, bots: Sequence[str], faults: Faults = NO_FAULTS, name: str = "whole"
) -> DemoMatch:
    # The same bots every time, though never the same cards.
    place = folder / f"{len(bots)}-seats-{name}"
    return await play_demo(place, bots=bots, seed="bench", faults=faults)
