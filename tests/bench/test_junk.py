"""A match under junk. How fast it goes on is no test: that depends on the machine."""

from pathlib import Path

import pytest

from p2pcoup.bench.junk import bench_junk

CONNECTIONS, FRAMES = 60, 400
MOST_MEMORY_KIB = 120 * 1024


@pytest.mark.trio
async def test_a_match_goes_on_under_junk(tmp_path: Path) -> None:
    measured = await bench_junk(tmp_path, CONNECTIONS, FRAMES, quiet=0.5, thinks=0.05)
    assert measured.faults == ()
    assert measured.thrown.connections == CONNECTIONS
    assert measured.thrown.frames >= FRAMES
    assert set(measured.thrown.kinds) == {
        "replayed",
        "false have",
        "random bytes",
        "no message",
        "of another game",
        "unsigned",
        "forged aside",
    }
    assert 0 < measured.thrown.read <= measured.thrown.frames
    assert measured.during.waits, "decisions were made meanwhile"
    assert measured.memory_peak is None or measured.memory_peak < MOST_MEMORY_KIB
    assert len(measured.control) == len(measured.memory) != 1
    assert list(tmp_path.iterdir()) == [], "nothing is left"
    names = [figure.name for figure in measured.as_figures()]
    assert len(set(names)) == len(names) >= 6
