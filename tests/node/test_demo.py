"""What a demo makes of nodes that fail or disagree; whole demos are in tests/test_demo.py."""

from pathlib import Path

import pytest
import trio

from p2pcoup.node import DemoError, play_demo
from p2pcoup.node.demo import NodeRun, agreed_transcript
from tests.node.nodes import PATIENCE, ROOT


@pytest.mark.trio
async def test_a_node_that_fails_ends_the_demo_with_its_name_and_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    told: list[str] = []
    with trio.fail_after(PATIENCE), pytest.raises(DemoError) as caught:
        await play_demo(tmp_path / "d", bots=["honest", "genius"], seed="1", echo=told.append)
    text = str(caught.value)
    assert text.startswith("The node of Birch ended with status 2. The last it said:\n")
    assert "'genius' is not one of" in text
    assert text.endswith(f"Everything is left in {tmp_path / 'd'}.")
    assert (tmp_path / "d" / "seat-1" / "table.toml").exists()
    assert told == []


def test_nodes_with_different_transcripts_are_no_success(tmp_path: Path) -> None:
    runs = [NodeRun("Ash", status=0, transcript=b"one"), NodeRun("Birch", status=0)]
    runs[1].transcript = b"other"
    with pytest.raises(DemoError, match="different transcripts"):
        agreed_transcript(runs, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_node_without_a_finished_game_is_no_success(tmp_path: Path) -> None:
    done = NodeRun("Ash", status=0, transcript=b"one")
    stuck = NodeRun("Birch", said=["Linked to Ash.", "Waiting."])
    with pytest.raises(DemoError) as caught:
        agreed_transcript([done, stuck], tmp_path)
    assert str(caught.value) == (
        "The node of Birch did not finish the game. The last it said:\n"
        f"  Linked to Ash.\n  Waiting.\nEverything is left in {tmp_path}."
    )


def test_the_one_transcript_is_kept(tmp_path: Path) -> None:
    runs = [NodeRun(name, status=0, transcript=b"one") for name in ("Ash", "Birch")]
    assert agreed_transcript(runs, tmp_path).read_bytes() == b"one"
