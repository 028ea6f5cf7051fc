"""The line mode runs on every system: it needs no full screen and nothing that only some have."""

import subprocess
import sys

POSIX_ONLY = (
    "urwid", "termios", "fcntl", "tty", "pty", "resource", "grp", "pwd", "curses", "readline",
    "posix", "syslog",
)  # fmt: skip

WITHOUT_THEM = f"""
import builtins, sys

usual = builtins.__import__

def guarded(name, globals=None, locals=None, fromlist=(), level=0):
    importer = str((globals or {{}}).get("__name__", ""))
    if importer.partition(".")[0] == "p2pcoup" and name.partition(".")[0] in {POSIX_ONLY!r}:
        raise ModuleNotFoundError(f"{{importer}} wants {{name}}")
    return usual(name, globals, locals, fromlist, level)

builtins.__import__ = guarded
"""

NODE = """
import json, sys
def tell(**message):
    print(json.dumps(message), flush=True)
tell(type="hello", api=1, run="r", next=0)
said = next(line for line in map(json.loads, sys.stdin) if line["type"] == "say")
tell(type="event", number=0, kind="talk", name="Ash", text=said["text"])
"""


def run(script: str, *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_THEM + script, *arguments],
        input=typed, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_lines_are_shown_and_obeyed_without_what_only_posix_has() -> None:
    client = "from p2pcoup.ui.run import Mode, run; sys.exit(run(sys.argv[1:], Mode.PLAIN, 'en'))"
    done = run(client, sys.executable, "-c", NODE, typed="say hello there\n")
    assert done.returncode == 0, done.stderr
    assert "Ash says: hello there" in done.stdout.splitlines()


def test_a_running_node_can_be_attached_to_without_it_as_well() -> None:
    done = run("import p2pcoup.ui.websocket, p2pcoup.ui.reference; print(sorted(sys.modules))")
    assert done.returncode == 0, done.stderr
    assert "'urwid" not in done.stdout


def test_the_full_screen_is_what_needs_it() -> None:
    done = run("import p2pcoup.ui.screen")
    assert done.returncode != 0
    assert "wants urwid" in done.stderr
