"""The ``p2pcoup`` command, also as ``python -m p2pcoup``.

Importing the program can fail already, or be interrupted. That is the user's affair as much as
anything later, so it is told in a sentence as well; this module therefore imports nothing of the
program at its top.
"""

import signal
import sys
from typing import NoReturn

FAILED = 1
INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Import the program and run it."""
    try:
        from p2pcoup.cli import main as run
    except KeyboardInterrupt:
        _end(INTERRUPTED, "Stopped.")
    except ImportError as error:
        _end(FAILED, f"Error: p2pcoup is not completely installed: {error}. Install it again.")
    run()


def _end(status: int, told: str) -> NoReturn:
    sys.stderr.write(f"{told}\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
