"""How a command ends: a sentence and an exit status for whatever came up."""

import errno

import pytest

from p2pcoup.demo.errors import DemoError
from p2pcoup.journal import JournalError
from p2pcoup.net import PortInUseError
from p2pcoup.node.failures import BROKEN_PIPE, BUG, FAILED, INTERRUPTED, explain
from p2pcoup.node.home import HomeError
from p2pcoup.node.tablefile import TableFileError
from p2pcoup.table import TermsError


@pytest.mark.parametrize(
    "kind", [HomeError, TableFileError, TermsError, JournalError, PortInUseError, DemoError]
)
def test_an_error_for_users_is_told_as_it_is(kind: type[Exception]) -> None:
    failure = explain(kind("The reason, and what to do."))
    assert failure.status == FAILED
    assert failure.told == "Error: The reason, and what to do."


def test_an_error_from_the_depth_of_groups_is_told_the_same() -> None:
    group = ExceptionGroup("tasks", [ExceptionGroup("more", [PortInUseError("Taken.")])])
    assert explain(group) == explain(PortInUseError("Taken."))


def test_ctrl_c_wins_over_what_it_causes() -> None:
    group = BaseExceptionGroup("tasks", [JournalError("Closed."), KeyboardInterrupt()])
    assert explain(group).status == INTERRUPTED == 130
    assert explain(KeyboardInterrupt()) == explain(group)


def test_the_system_s_reason_is_told_with_the_file() -> None:
    failure = explain(OSError(errno.ENOSPC, "No space left on device", "/somewhere/table.toml"))
    assert failure.status == FAILED
    assert failure.told == "Error: /somewhere/table.toml: No space left on device."


def test_without_a_reader_there_is_nobody_to_tell() -> None:
    pipe = BrokenPipeError(errno.EPIPE, "Broken pipe")
    assert explain(pipe).status == explain(ExceptionGroup("tasks", [pipe])).status == BROKEN_PIPE
    assert explain(pipe).told == ""


def test_a_real_reason_wins_over_a_closed_pipe() -> None:
    group = ExceptionGroup("tasks", [BrokenPipeError(errno.EPIPE, "x"), JournalError("Full.")])
    assert explain(group).told == "Error: Full."


def test_a_bug_is_reported_with_its_place_and_without_a_traceback() -> None:
    variable = "31337"

    def fail(seed: str) -> None:
        raise RuntimeError("our own message was not valid")

    with pytest.raises(RuntimeError) as caught:
        fail(variable)
    failure = explain(ExceptionGroup("tasks", [JournalError("Closed."), caught.value]))
    assert failure.status == BUG
    assert "RuntimeError: our own message was not valid" in failure.told
    assert "test_failures.py:" in failure.told
    assert "Traceback" not in failure.told
    assert variable not in failure.told


def test_nothing_in_a_reason_can_steer_the_terminal() -> None:
    told = explain(TableFileError("bad \x1b[2J name\nsecond line")).told
    assert told.split("\n") == [r"Error: bad \x1b[2J name", "second line"]
