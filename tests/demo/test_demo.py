"""What a demo makes of nodes that fail or disagree; whole demos are in tests/test_demo.py."""

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2pcoup.audit import Report, Verdict
from p2pcoup.demo.demo import NodeRun, agreed_transcripts, chain_flaw, play_demo
from p2pcoup.demo.errors import DemoError
from p2pcoup.rules import Seat
from p2pcoup.table import Sequel
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
    runs = [
        NodeRun("Ash", status=0, transcripts=[b"one", b"two"]),
        NodeRun("Birch", status=0, transcripts=[b"one", b"other"]),
    ]
    with pytest.raises(DemoError, match="different transcripts"):
        agreed_transcripts(runs, 2, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("games", "what"), [(1, "the game"), (2, "all games")])
def test_a_node_without_its_finished_games_is_no_success(
    tmp_path: Path, games: int, what: str
) -> None:
    done = NodeRun("Ash", status=0, transcripts=[b"one", b"two"][:games])
    said = ["Linked to Ash.", "Waiting."]
    stuck = NodeRun("Birch", said=said, status=0, transcripts=[b"one"][: games - 1])
    with pytest.raises(DemoError) as caught:
        agreed_transcripts([done, stuck], games, tmp_path)
    assert str(caught.value) == (
        f"The node of Birch did not finish {what}. The last it said:\n"
        f"  Linked to Ash.\n  Waiting.\nEverything is left in {tmp_path}."
    )


@pytest.mark.parametrize(
    ("transcripts", "names"),
    [([b"one"], ["game.coup"]), ([b"one", b"two"], ["game-1.coup", "game-2.coup"])],
)
def test_one_transcript_of_each_game_is_kept(
    tmp_path: Path, transcripts: list[bytes], names: list[str]
) -> None:
    runs = [NodeRun(name, status=0, transcripts=transcripts) for name in ("Ash", "Birch")]
    kept = agreed_transcripts(runs, len(transcripts), tmp_path)
    assert [path.name for path in kept] == names
    assert [path.read_bytes() for path in kept] == transcripts


def test_games_that_do_not_follow_each_other_are_no_match() -> None:
    who = {"names": ("Ash", "Birch"), "peers": ("one", "two"), "order": (0, 1)}
    first = Report(Verdict.VALID, game="one", winner=1, final_digest=b"a" * 32, **who)
    true = Sequel(b"a" * 32, (Seat(0), Seat(1)), Seat(1))
    later = Report(Verdict.VALID, game="two", sequel=true, **who)
    assert chain_flaw([first]) is None
    assert chain_flaw([first, later]) is None
    for sequel in (None, replace(true, previous=b"b" * 32)):
        flaw = chain_flaw([first, replace(later, sequel=sequel)])
        assert flaw == "Game 'two' does not name the game before it."
    flaw = chain_flaw([first, replace(later, sequel=replace(true, starter=Seat(0)))])
    assert flaw == "Game 'two' was not started by the winner of the game before it."
