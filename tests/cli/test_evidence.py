"""Complaints: proven or not."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from p2pcoup.audit import make_evidence
from p2pcoup.table import Blame
from p2pcoup.wire import Kind
from tests.cli.running import Run
from tests.table.party import Party, watcher


@pytest.fixture
def complaints(party: Party, tmp_path: Path) -> dict[str, Path]:
    """Files of evidence: against a seat that signed twice, and others that prove nothing."""
    old = next(s for s in party.messages() if s.message.kind is Kind.DECIDE)
    second = party.signed_again(old, body=(f"{old.message.seat} concede",))
    table = watcher(party, len(party.messages()))
    (blame,) = table.receive(second.raw)
    assert isinstance(blame, Blame)
    honest = replace(blame, evidence=(old.raw,))
    contents = {
        "proven": make_evidence(table.terms, blame),
        "honest": make_evidence(table.terms, honest),
        "cut": make_evidence(table.terms, blame)[:-1],
        "other": b"hearsay",
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in (*contents, "missing")}


@pytest.mark.parametrize(
    ("name", "status", "verdict"),
    [
        ("proven", 0, "proven"),
        ("honest", 1, "proves-nothing"),
        ("cut", 2, "unreadable"),
        ("other", 2, "unreadable"),
        ("missing", 2, "unreadable"),
    ],
)
def test_a_complaint_is_proven_or_not_and_the_exit_status_says_which(
    run: Run, complaints: dict[str, Path], name: str, status: int, verdict: str
) -> None:
    told = run("evidence", complaints[name])
    found = run("evidence", "--json", complaints[name])
    assert told.exit_code == found.exit_code == status
    report = json.loads(found.output)
    assert report["verdict"] == verdict
    assert (report["problem"] is None) == (verdict == "proven")
    assert told.output.count("\n") == found.output.count("\n") == 1
    if verdict == "proven":
        assert report["rule"] == "equivocation"
        assert f"{report['name']} (seat {report['seat']}, peer {report['peer']})" in told.output
    else:
        assert told.output == report["problem"] + "\n"
