"""Commands that check what others have left."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from p2pcoup.audit import (
    EvidenceError,
    Report,
    Verdict,
    audit_file,
    match_flaw,
    verify_evidence_file,
)
from p2pcoup.audit.evidence import UnreadableEvidenceError
from p2pcoup.cli.program import listed
from p2pcoup.demo.story import in_paragraphs

PROVES_NOTHING, UNREADABLE = 1, 2
# --- audit ----------------------------------------------------------------------------------------


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, one line a file.")
@click.option("--story", is_flag=True, help="Tell the game as well.")
def audit(files: Sequence[Path], as_json: bool, story: bool) -> None:
    """Check finished games from their transcripts alone.

    Every signature, digest, commitment, proof and rule is checked; no secret and no trust is
    needed. Of the games of a match, in their order, it is also checked that each goes on from the
    one before it.

    \b
        p2pcoup audit game.coup
        p2pcoup audit --story game.coup
        p2pcoup audit --json *.coup

    Exit status: 0 all valid; 1 something does not hold (it says round, seat and rule); 2 a file is
    no transcript or its game is not finished.
    """
    verdicts = set()
    earlier: Report | None = None
    for path in files:
        report = audit_file(path)
        flaw = None if earlier is None else match_flaw(earlier, report)
        earlier = report
        verdicts |= {report.verdict} if flaw is None else {report.verdict, Verdict.INVALID}
        if as_json:
            found = {"file": str(path), **report.as_dict(), "match_flaw": flaw}
            click.echo(json.dumps(found))
            continue
        if story:
            click.echo("\n".join([*in_paragraphs(report.story), ""]))
        click.echo(f"{path}: {describe(report)}")
        if flaw is not None:
            click.echo(f"{path}: NOT VALID in this match. {flaw}")
    worst = Verdict.INVALID if Verdict.INVALID in verdicts else max(verdicts, key=_status)
    sys.exit(worst.exit_status)


def _status(verdict: Verdict) -> int:
    return verdict.exit_status


def describe(report: Report) -> str:
    """The verdict of an audit in a sentence or two."""
    if report.verdict is Verdict.VALID and report.winner is not None:
        return (
            f"valid. {report.names[report.winner]} won against "
            f"{listed(name for name in report.names if name != report.names[report.winner])}; "
            f"{report.messages} signed messages in {report.rounds} rounds all hold."
        )
    words = {
        Verdict.INVALID: "NOT VALID",
        Verdict.UNFINISHED: "unfinished",
        Verdict.UNREADABLE: "not readable as a transcript",
    }
    return f"{words.get(report.verdict, 'valid')}. {report.problem}"


# --- evidence -------------------------------------------------------------------------------------


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def evidence(file: Path, as_json: bool) -> None:
    """Check a complaint: does it prove that a player broke the rules?

    A node leaves such a file in the folder of its game when somebody signs what they must not.
    Nothing in it has to be believed; it convinces anybody who has this program.

    \b
        p2pcoup evidence evidence-round-7-seat-2

    Exit status: 0 it is proven, and says who did what; 1 it proves nothing; 2 it is no evidence
    that can be read.
    """
    found: dict[str, object] = {"file": str(file), "verdict": "proven", "problem": None}
    status = 0
    try:
        finding = verify_evidence_file(file)
        told = finding.sentence
        found |= asdict(finding)
    except UnreadableEvidenceError as error:
        status, told = UNREADABLE, str(error)
        found |= {"verdict": "unreadable", "problem": told}
    except EvidenceError as error:
        status, told = PROVES_NOTHING, str(error)
        found |= {"verdict": "proves-nothing", "problem": told}
    click.echo(json.dumps(found) if as_json else told)
    sys.exit(status)
