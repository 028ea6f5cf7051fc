"""From the lobby to the game: what is written down when a game is entered, so that it can be
played on after any crash (SPEC 12.6, 10.5).
"""

import contextlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from p2pcoup.journal import make_private_folder
from p2pcoup.journal.files import PRIVATE_MODE, sync_folder_of, write_beside
from p2pcoup.lobby import Enter, Withdraw
from p2pcoup.net import Address
from p2pcoup.node.archive import past_games
from p2pcoup.node.home import game_folder
from p2pcoup.node.tablefile import TableFile, later_text
from p2pcoup.rules import options_to_text
from p2pcoup.table import Terms
from p2pcoup.wire import PeerId

TABLE_NAME = "table.toml"
SESSION_NAME = "session"
MAX_SESSION_BYTES = 64

WhereIs = Callable[[Terms], Mapping[PeerId, Address]]


def table_text(table: TableFile) -> str:
    """The text of a table file, which `parse_table_file` reads back."""
    terms, times = table.terms, table.terms.times
    lines = [
        f"game = {_quoted(terms.game)}",
        f"edition = {_quoted(terms.edition.name)}",
        f"options = {_quoted(options_to_text(terms.options))}",
        f"decide_seconds = {times.decide}",
        f"answer_seconds = {times.answer}",
        f"grace_seconds = {times.grace}",
        f"games = {table.games}",
    ]
    for member in terms.roster:
        lines += ["", "[[seats]]", f"name = {_quoted(member.name)}"]
        lines += [f"peer = {_quoted(member.peer)}"]
        lines += [f"address = {_quoted(str(table.addresses[member.peer]))}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML string; JSON strings without escapes for other letters are such. Apostrophes are
    escaped, or three of them would look like a string of several lines.
    """
    return json.dumps(text, ensure_ascii=False).replace("'", "\\u0027")


class GameFiles:
    """The games of this user that begin in a lobby."""

    def __init__(self, home: Path, me: PeerId, where: WhereIs, session: str = "") -> None:
        """``where`` says how each seat is reached; ``session`` names the run of a client, whose
        node finds the game again if it is started anew.
        """
        self._home = home
        self._me = me
        self._where = where
        self._session = session

    def keep(self, enter: Enter) -> None:
        """Write the table file into the game's folder, for good. Who only watches needs none.

        Raises:
            JournalError, OSError: the disk refuses.
        """
        if enter.terms.seat_of(self._me) is None:
            return
        path = self._path(enter.terms)
        make_private_folder(path.parent)
        table = TableFile(enter.terms, self._where(enter.terms), enter.started.games)
        for file, text in (
            (path.with_name(SESSION_NAME), self._session),
            (path, table_text(table)),
        ):
            if text:
                write_beside(file, text.encode(), PRIVATE_MODE).replace(file)
        sync_folder_of(path)

    def forget(self, withdraw: Withdraw) -> None:
        """Nobody will play that game: it is not to be offered again."""
        self._path(withdraw.terms).unlink(missing_ok=True)

    def is_new(self, game_id: bytes) -> bool:
        """Whether no game of that id was ever begun here."""
        return not game_folder(self._home, game_id).exists()

    def _path(self, terms: Terms) -> Path:
        return game_folder(self._home, terms.game_id) / TABLE_NAME


# --- playing on ---------------------------------------------------------------------------------


def game_of_session(home: Path, session: str) -> Path | None:
    """The table file of the newest game that was begun in that run of a client."""
    return next((path for path in _tables(home) if _session_of(path) == session), None)


def unfinished_game(home: Path) -> Path | None:
    """The table file of the newest match that is not over, as far as the folders show."""
    games = {game.folder: game for game in past_games(home)}
    for path in _tables(home):
        game = games.get(path.parent)
        if game is None or game.terms is None or not game.finished:
            return path
        later = later_text(game.terms.game, 0).partition("0")[0]
        following = [each for each in games.values() if _is_named(each.terms, later)]
        if any(not each.finished for each in following):
            return path
    return None


def _tables(home: Path) -> list[Path]:
    """The table files of games that began in a lobby, the newest first."""
    dated = []
    for path in (home / "games").glob(f"*/{TABLE_NAME}"):
        with contextlib.suppress(OSError):
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)]


def _session_of(path: Path) -> str | None:
    try:
        return path.with_name(SESSION_NAME).read_bytes()[:MAX_SESSION_BYTES].decode()
    except (OSError, ValueError):
        return None


def _is_named(terms: Terms | None, beginning: str) -> bool:
    return terms is not None and terms.game.startswith(beginning)
