"""The log: one event a line, safe to show, and never in the way of the game."""

import io
import json
import threading

import pytest

from p2pcoup.node.log import COMPLAINT_SECONDS, MAX_WAITING_LINES, Complaints, NodeLog, escaped


def logged(form: str, *events: tuple[str, str, dict[str, object]]) -> list[str]:
    lines = io.StringIO()
    with NodeLog(form, lines.write) as log:
        for event, sentence, fields in events:
            log.info(event, sentence, **fields)
    return lines.getvalue().splitlines()


def test_a_json_line_holds_time_level_event_sentence_and_fields() -> None:
    (line,) = logged("json", ("dealt", "Dealt.", {"seconds": 0.5}))
    entry = json.loads(line)
    assert entry.pop("time").endswith("+00:00")
    assert entry == {"level": "info", "event": "dealt", "text": "Dealt.", "seconds": 0.5}


def test_a_text_line_holds_the_time_of_day_and_the_sentence() -> None:
    (line,) = logged("text", ("dealt", "Dealt.", {"seconds": 0.5}))
    assert len(line) == len("12:30:01 Dealt.")
    assert line.endswith(" Dealt.")


def test_a_warning_is_marked() -> None:
    lines = io.StringIO()
    with NodeLog("text", lines.write) as log:
        log.warning("refused", "Turned away.")
    assert lines.getvalue().endswith(" ! Turned away.\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_every_event_is_one_line_whatever_it_says(form: str) -> None:
    nasty = "up\x1b[2J \r\n\x07 \u202e \u2028 100%s"
    (line,) = logged(form, ("story", nasty, {}))
    assert line.isprintable()


def test_what_steers_a_terminal_is_escaped_and_letters_are_not() -> None:
    assert escaped("Zoë\x1b[2J\u202e\n") == r"Zoë\x1b[2J\u202e\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_events_are_written_in_order_and_all_before_the_end(form: str) -> None:
    lines = logged(form, *(("story", f"Event {number}.", {}) for number in range(500)))
    told = [json.loads(line)["text"] if form == "json" else line[9:] for line in lines]
    assert told == [f"Event {number}." for number in range(500)]


def test_a_reader_that_has_stopped_holds_up_nobody_and_costs_lines_not_memory() -> None:
    paused, resumed, lines = threading.Event(), threading.Event(), []

    def write(line: str) -> None:
        paused.set()
        resumed.wait()
        lines.append(line)

    with NodeLog("json", write) as log:
        log.info("story", "the one that is being written")
        paused.wait()
        for number in range(MAX_WAITING_LINES + 500):
            log.info("story", str(number))  # returns, or this test would never end
        resumed.set()
    assert len(lines) == 1 + MAX_WAITING_LINES
    assert json.loads(lines[-1])["text"] == str(MAX_WAITING_LINES - 1)


def test_a_log_that_cannot_be_written_is_no_reason_to_stop() -> None:
    tried = []

    def refuse(line: str) -> None:
        tried.append(line)
        raise OSError(28, "No space left on device")

    with NodeLog("text", refuse) as log:
        log.info("one", "One.")
        log.info("two", "Two.")
    assert len(tried) == 2


# --- complaints -----------------------------------------------------------------------------------


def test_the_first_complaint_is_told_at_once() -> None:
    assert Complaints().admit("garbled", 5.0) == 0


def test_repeated_complaints_are_counted_and_told_when_the_time_has_come() -> None:
    complaints = Complaints()
    complaints.admit("garbled", 0.0)
    for number in range(300):
        assert complaints.admit("garbled", COMPLAINT_SECONDS * number / 301) is None
    assert complaints.admit("garbled", COMPLAINT_SECONDS) == 300
    assert complaints.admit("garbled", 2 * COMPLAINT_SECONDS) == 0


def test_one_peer_s_junk_does_not_silence_the_complaints_about_another() -> None:
    complaints = Complaints()
    complaints.admit(("garbled", "Ash"), 0.0)
    assert complaints.admit(("garbled", "Birch"), 0.0) == 0
    assert complaints.admit(("refused", "Ash"), 0.0) == 0
