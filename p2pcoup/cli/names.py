"""Who the user is at a table: an identity, and a name that is remembered."""

from pathlib import Path

import click

from p2pcoup.journal import make_private_folder
from p2pcoup.node.folder import NAME_FILE
from p2pcoup.node.home import HomeError, create_identity, identity_file, load_identity
from p2pcoup.wire import Identity, WireError, clean_name

MAX_NAME_BYTES = 400


def own_identity(home: Path) -> Identity:
    """The identity of this user, made now if there is none yet. Raises HomeError."""
    return load_identity(home) if identity_file(home).exists() else create_identity(home)


def own_name(home: Path, name: str | None) -> str:
    """What this user wants to be called: as given, which is remembered, or as before.

    Raises:
        BadParameter: no name could be used like that.
        HomeError: none was given yet, or it cannot be kept.
    """
    path = home / NAME_FILE
    if name is None:
        try:
            return clean_name(path.read_bytes()[:MAX_NAME_BYTES].decode())
        except (OSError, ValueError):
            raise HomeError("Say once what you want to be called: --name NAME") from None
    try:
        called = clean_name(name)
    except WireError as error:
        raise click.BadParameter(str(error), param_hint="--name") from error
    try:
        make_private_folder(home)
        path.write_text(called, encoding="utf-8")
    except OSError as error:
        raise HomeError(f"Your name cannot be kept in {path}: {error.strerror}.") from error
    return called
