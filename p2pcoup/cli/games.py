"""The command that lists what was played."""

import json
from datetime import datetime

import click

from p2pcoup.cli.program import listed
from p2pcoup.lobby.naming import table_of
from p2pcoup.node.archive import PastGame, audit_and_note, past_games
from p2pcoup.node.folder import home_folder


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, one line a game.")
@click.option("--no-audit", is_flag=True, help="Do not audit games that were not audited before.")
def games(as_json: bool, no_audit: bool) -> None:
    """List the games played on this machine: who won, and what the audit found.

    \b
        p2pcoup games
        p2pcoup games --json

    The newest comes first. A game that was not finished goes on when its node is started again.
    """
    found = past_games(home_folder())
    if not found and not as_json:
        click.echo("No game was played here yet. Try: p2pcoup play")
    for game in found:
        report = game.report
        if report is None and game.finished and not no_audit:
            report = audit_and_note(game.folder).as_dict()
        click.echo(json.dumps(_fields(game, report)) if as_json else _told(game, report))


def _fields(game: PastGame, report: object) -> dict[str, object]:
    terms = game.terms
    return {
        "folder": str(game.folder),
        "played_at": game.played_at,
        "game": None if terms is None else terms.game,
        "edition": None if terms is None else terms.edition.name,
        "names": [] if terms is None else list(terms.names),
        "finished": game.finished,
        "transcript": str(game.transcript) if game.finished else None,
        "audit": report,
    }


def _told(game: PastGame, report: object) -> str:
    """Two lines: what was played by whom, and how it ended."""
    when = datetime.fromtimestamp(game.played_at).astimezone().strftime("%Y-%m-%d %H:%M")
    if game.terms is None:
        return f"{when}  (its journal cannot be read)\n                  {game.folder}"
    terms = game.terms
    what = f"{table_of(terms.game)} ({terms.edition.name} edition): {listed(terms.names)}"
    return f"{when}  {what}\n                  {_ended(game, report)}"


def _ended(game: PastGame, report: object) -> str:
    if not game.finished:
        return f"Not finished. {game.folder}"
    names = () if game.terms is None else game.terms.names
    match report:
        case {"verdict": "valid", "winner": int(winner), **rest} if winner < len(names):
            alone = " by absence, stated by itself alone" if rest.get("by_absence") else ""
            told = f"{names[winner]} won{alone}. Audit: valid."
        case {"verdict": str(verdict), "problem": problem}:
            told = f"Audit: {verdict.upper()}. {problem}"
        case _:
            told = "Not audited."
    return f"{told} {game.transcript}"
