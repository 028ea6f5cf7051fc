"""Where a user's files live: the data folder as in SPEC 10.5, and the identity in it."""

import contextlib
import os
import stat
import sys
from pathlib import Path

from p2pcoup.journal import JournalError, make_private_folder
from p2pcoup.journal.files import PRIVATE_MODE, reason, sync_folder_of, write_beside
from p2pcoup.node.errors import NodeError
from p2pcoup.wire import Identity

MAX_IDENTITY_BYTES = 4096  # a key in PEM form has 119


class HomeError(NodeError):
    """Something about the user's own files stands in the way; the message says what to do."""


def game_folder(home: Path, game_id: bytes) -> Path:
    """The folder of one game, named by the first half of its id."""
    return home / "games" / game_id.hex()[:32]


def identity_file(home: Path) -> Path:
    """Where the identity is kept."""
    return home / "identity.pem"


def load_identity(home: Path) -> Identity:
    """The identity of this user.

    Raises:
        HomeError: there is none yet, or its file cannot be used.
    """
    path = identity_file(home)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            pem = file.read(MAX_IDENTITY_BYTES + 1)
    except FileNotFoundError:
        raise HomeError(
            f"There is no identity in {home} yet. Make one: p2pcoup identity create"
        ) from None
    except OSError as error:
        raise HomeError(f"The identity {path} cannot be read: {reason(error)}.") from error
    if sys.platform != "win32" and stat.S_IMODE(mode) & 0o077:
        raise HomeError(
            f"The identity {path} can be read by other users of this machine, who could sit down "
            f"as you. If none of them has: chmod 600 {path}"
        )
    try:
        return Identity.from_pem(pem)
    except ValueError as error:
        raise HomeError(
            f"The identity {path} cannot be used. {error} Put back a copy of it, or move it away "
            "and make a new one; the others must then put your new peer id into their table files."
        ) from error


def create_identity(home: Path) -> Identity:
    """Make a new identity and keep it, readable by this user alone.

    Raises:
        HomeError: there is one already (it is never overwritten), or it cannot be written.
    """
    path = identity_file(home)
    identity = Identity.generate()
    try:
        make_private_folder(home)
        # Complete under another name first: a full disk must not leave half an identity.
        temporary = write_beside(path, identity.to_pem(), PRIVATE_MODE)
        try:
            _name_once(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder_of(path)
    except FileExistsError:
        raise HomeError(
            f"There is an identity in {home} already; it was left as it is. "
            "Show it: p2pcoup identity show"
        ) from None
    except JournalError as error:
        raise HomeError(f"There is no place for an identity. {error}") from error
    except OSError as error:
        raise HomeError(f"The identity cannot be kept in {path}: {reason(error)}.") from error
    return identity


def _name_once(temporary: Path, path: Path) -> None:
    """Give the file its name, unless there is one of that name. Raises FileExistsError then."""
    with contextlib.suppress(FileNotFoundError):
        path.lstat()
        raise FileExistsError
    try:
        # Unlike a rename on POSIX, a link never replaces a file made in the meantime.
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: rename, after all.
        temporary.rename(path)
