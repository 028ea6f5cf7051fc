"""Where a user's files live (SPEC 10).

``P2PCOUP_HOME`` if set, else the folder the platform has for an application's data::

    identity.pem          who we are, readable by the user alone
    games/<game>/         one folder a game: journal, game secret, transcript
    demo/<time>/          what ``p2pcoup demo`` played
"""

import os
from pathlib import Path

import platformdirs

from p2pcoup.wire import Identity

HOME_VARIABLE = "P2PCOUP_HOME"


class HomeError(Exception):
    """Something about the user's own files stands in the way; the message says what to do."""


def home_folder() -> Path:
    """The data folder; it need not exist yet."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("p2pcoup", appauthor=False))


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
        pem = path.read_bytes()
    except FileNotFoundError:
        raise HomeError(
            f"There is no identity in {home} yet. Make one: p2pcoup identity create"
        ) from None
    except OSError as error:
        raise HomeError(f"The identity {path} cannot be read: {error.strerror}.") from error
    try:
        return Identity.from_pem(pem)
    except ValueError as error:
        raise HomeError(
            f"The identity {path} is damaged ({error}) Put back a copy of it, or move it away "
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
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "xb", opener=_private) as file:
            file.write(identity.to_pem())
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise HomeError(
            f"There is an identity in {home} already; it was left as it is. "
            "Show it: p2pcoup identity show"
        ) from None
    except OSError as error:
        raise HomeError(f"The identity cannot be kept in {path}: {error.strerror}.") from error
    return identity


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
