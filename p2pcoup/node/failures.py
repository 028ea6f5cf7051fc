"""Why a command ended: what its user is told, and the exit status.

Errors that a user can do something about are sentences already. Everything else is a bug, and its
user gets a few lines to pass on instead of a traceback.
"""

import errno
import signal
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import p2pcoup
from p2pcoup.node.errors import NodeError
from p2pcoup.node.log import escaped

FAILED = 1
BUG = 70  # EX_SOFTWARE of sysexits.h; 1 and 2 have meanings of their own
INTERRUPTED = 128 + signal.SIGINT
BROKEN_PIPE = 128 + 13  # SIGPIPE, which not every system has


@dataclass(frozen=True, slots=True)
class Failure:
    """How a command ends: its exit status, and what its user is told (nothing if empty)."""

    status: int
    told: str


def explain(error: BaseException) -> Failure:
    """What an error or a group of them means to the user; the one nearest to the cause decides."""
    errors = _leaves(error)
    if any(isinstance(each, KeyboardInterrupt) for each in errors):
        return Failure(INTERRUPTED, "Stopped.")
    for each in errors:
        if isinstance(each, ImportError):
            told = f"p2pcoup is not completely installed: {each}. Install it again."
            return Failure(FAILED, f"Error: {_escaped_lines(told)}")
    ours = [each for each in errors if not isinstance(each, OSError)]
    for each in ours:
        if not isinstance(each, _user_errors()):
            return Failure(BUG, _bug(each))
    if ours:
        return Failure(FAILED, f"Error: {_escaped_lines(str(ours[0]))}")
    for each in errors:
        if isinstance(each, OSError) and each.errno != errno.EPIPE:
            return Failure(FAILED, f"Error: {_escaped_lines(_system_error(each))}")
    # Nobody reads our output any more (p2pcoup audit … | head), and nobody is to be told.
    return Failure(BROKEN_PIPE, "")


def _user_errors() -> tuple[type[Exception], ...]:
    """The errors that are sentences for users.

    Loaded only when there is an error that may be one of them: no command needs all of it, and when
    libsodium cannot be loaded (an OSError), this could not be either.
    """
    from p2pcoup.journal import JournalError
    from p2pcoup.net import AddressError, ListenError
    from p2pcoup.net.invite import InviteError
    from p2pcoup.table import TermsError

    return (NodeError, TermsError, JournalError, AddressError, InviteError, ListenError)


def _leaves(error: BaseException) -> Sequence[BaseException]:
    """The errors in a group, from whatever depth: the tasks of a node raise them together."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in _leaves(each)]
    return [error]


def _system_error(error: OSError) -> str:
    where = "" if error.filename is None else f"{error.filename}: "
    return f"{where}{error.strerror or error}."


def _bug(error: BaseException) -> str:
    """What a user can pass on about an error nobody has thought of; no value of a variable."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "p2pcoup" in Path(frame.filename).parts] or frames
    way = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in ours)
    return (
        f"Error: p2pcoup {p2pcoup.__version__} has a bug; please report these lines. "
        "Games are kept in their journals, and the same command plays on.\n"
        f"  {type(error).__name__}: {_escaped_lines(str(error))}\n"
        f"  {way}"
    )


def _escaped_lines(text: str) -> str:
    """The text with its line breaks, and everything else that steers a terminal escaped."""
    return "\n".join(map(escaped, text.split("\n")))
