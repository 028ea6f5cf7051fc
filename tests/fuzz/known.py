"""Identities and games that are the same in every run."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.audit import make_evidence
from p2pcoup.journal import encode_transcript
from p2pcoup.table import Blame
from p2pcoup.wire import Identity, Kind
from tests.table.party import BASE_GAME, Party, bereft, played, watcher


@contextmanager
def file_of(data: bytes) -> Iterator[Path]:
    """A file with these bytes that only this user can read."""
    with tempfile.TemporaryDirectory(prefix="p2pcoup-fuzz-") as folder:
        path = Path(folder) / "file"
        path.touch(0o600)
        path.write_bytes(data)
        yield path


@cache
def identity(number: int) -> Identity:
    """The identity with that number."""
    return Identity(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


@cache
def game() -> Party:
    """A short game of three that is over."""
    return played(*BASE_GAME)


@cache
def game_without_a_seat() -> Party:
    """A game of four that one seat left for good."""
    return bereft(4, 1, 60)


@cache
def place_of(kind: Kind) -> int:
    """Where in `game` the first message of a kind is."""
    return next(n for n, s in enumerate(game().messages()) if s.message.kind is kind)


@cache
def beginning(count: int) -> bytes:
    """The transcript of the first so many messages of `game`."""
    party = game()
    return encode_transcript(party.terms.encode(), party.messages()[:count])


@cache
def evidence_against(kind: Kind) -> bytes:
    """The evidence of two messages in one place, or of a false proof of that kind, in `game`."""
    party, place = game(), place_of(kind)
    honest = party.messages()[place]
    table = watcher(party, place)
    if kind is Kind.JOIN:
        table.receive(honest.raw)
    first, *rest = honest.message.body
    wrong = f"{first} x" if isinstance(first, str) else first
    tail = [part[::-1] if isinstance(part, bytes) else part for part in rest]
    if not tail and isinstance(wrong, bytes):
        wrong = bytes([wrong[0] ^ 1]) + wrong[1:]
    false = party.signed_again(honest, body=(wrong, *tail))
    (blame,) = (n for n in table.receive(false.raw) if isinstance(n, Blame))
    return make_evidence(party.terms, blame)
