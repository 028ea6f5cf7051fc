"""The benchmark of the client plays a real game in a real terminal.

How fast it is depends on the machine and is no test here; that a drawing is fast is one in
tests/ui/screen.
"""

import sys
from pathlib import Path

import pytest

from p2pcoup.bench.client import SIZES, Delays, bench_client


def test_what_95_of_100_keys_do_not_exceed_is_told_beside_the_median() -> None:
    seconds = tuple(n / 1000 for n in range(1, 101))
    median, most = Delays(80, 24, False, seconds).as_figures()
    assert median.value == pytest.approx(50.5)
    assert most.value == pytest.approx(95)
    assert Delays(80, 24, True, (0.007,)).as_figures()[1].value == pytest.approx(7)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_every_key_is_seen_in_both_sizes_and_nothing_is_left(tmp_path: Path) -> None:
    measured = bench_client(tmp_path / "bench", keys=3, bots=1, idle_seconds=0.2)
    assert [(each.columns, each.rows) for each in measured.delays] == [*SIZES, *SIZES]
    for each in measured.delays:
        assert len(each.seconds) == 3
        assert all(0 < seconds < 5 for seconds in each.seconds)
    assert list(tmp_path.iterdir()) == [], "nothing is left"
    names = [figure.name for figure in measured.as_figures()]
    assert len(set(names)) == len(names) >= 8
