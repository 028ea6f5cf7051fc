"""Running commands: in this process, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from p2pcoup.node.folder import HOME_VARIABLE
from tests.node.nodes import ROOT

Run = Callable[..., Result]


def run_process(home: Path, *arguments: object, **options: object) -> subprocess.CompletedProcess:
    """Runs a command as a process."""
    return subprocess.run(
        [sys.executable, "-m", "p2pcoup", *map(str, arguments)],
        env={**os.environ, HOME_VARIABLE: str(home), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
        **options,
    )
