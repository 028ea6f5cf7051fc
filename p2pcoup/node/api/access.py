"""Who may be a client: a program of the same user, and no page of the web (protocol/API.md 1).

A server on the loopback interface can be reached by every program of the machine, and through the
user's browser by every page on the web. So a client must know a token that only the user can read,
it must have come to this very address (a page cannot, whatever its name is made to resolve to), and
a page must come from here.
"""

import contextlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from p2pcoup.journal import make_private_folder
from p2pcoup.journal.files import PRIVATE_MODE, reason, write_beside
from p2pcoup.node.home import HomeError

FILE_NAME: Final = "api.json"
PATH: Final = "/api/1"
FORBIDDEN, UNAUTHORIZED = 403, 401


@dataclass(frozen=True, slots=True)
class Door:
    """A listening address and the token that opens it."""

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def place(self) -> str:
        """What a request names as its host."""
        return f"{self.host}:{self.port}"

    def refusal(self, headers: Iterable[tuple[bytes, bytes]], query: bytes) -> int | None:
        """The status a request is refused with; None: it may come in."""
        given: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            given.setdefault(name.lower(), []).append(value)
        if given.get(b"host") != [self.place.encode()]:
            return FORBIDDEN
        if given.get(b"origin", []) not in ([], [b"http://" + self.place.encode()]):
            return FORBIDDEN
        return None if self._has_token(given, query) else UNAUTHORIZED

    def _has_token(self, headers: Mapping[bytes, list[bytes]], query: bytes) -> bool:
        tokens = [
            value.removeprefix(b"Bearer ")
            for value in headers.get(b"authorization", [])
            if value.startswith(b"Bearer ")
        ]
        with contextlib.suppress(ValueError):  # not UTF-8, or too many fields
            found = parse_qs(query.decode("ascii"), max_num_fields=8).get("token", [])
            tokens += [token.encode() for token in found]
        expected = self.token.encode()
        return len(tokens) == 1 and hmac.compare_digest(tokens[0], expected)


def write_door(home: Path, door: Door) -> Path:
    """Tell the user's own programs where the door is and how to open it.

    Raises HomeError when the file cannot be written.
    """
    path = home / FILE_NAME
    url = f"ws://{door.place}{PATH}"
    text = json.dumps({"url": url, "token": door.token, "pid": os.getpid()}) + "\n"
    try:
        make_private_folder(home)
        temporary = write_beside(path, text.encode(), PRIVATE_MODE)
        try:
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise HomeError(
            f"Clients cannot be told where to find this node: {path}: {reason(error)}."
        ) from error
    return path


def remove_door(path: Path, door: Door) -> None:
    """Take the file away, unless another node has written its own meanwhile."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        if json.loads(path.read_bytes())["token"] == door.token:
            path.unlink()
