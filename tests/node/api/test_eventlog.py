"""Events: numbered, kept, and forgotten from the oldest on."""

import json

from p2pcoup.node.api.eventlog import EventLog


def test_events_are_numbered_from_0_and_told_from_any_number_on() -> None:
    log = EventLog()
    assert list(log.lines(0, 10)) == []
    for word in "abc":
        log.add({"kind": "story", "text": word})
    events = [json.loads(line) for line in log.lines(0, 10)]
    assert [(event["number"], event["text"]) for event in events] == [(0, "a"), (1, "b"), (2, "c")]
    assert {event["type"] for event in events} == {"event"}
    assert [json.loads(line)["number"] for line in log.lines(1, 1)] == [1]
    assert list(log.lines(3, 10)) == []


def test_the_oldest_are_forgotten_when_all_together_are_too_long() -> None:
    log = EventLog(most_bytes=1000)
    for number in range(100):
        log.add({"text": "x" * 60, "n": number})
    kept = [json.loads(line) for line in log.lines(log.first, 1000)]
    assert [event["number"] for event in kept] == list(range(log.first, 100))
    assert 500 < sum(len(line) for line in log.lines(log.first, 1000)) <= 1000
    (first,) = log.lines(0, 1)
    assert json.loads(first)["number"] == log.first, "those before it are gone"


def test_a_line_is_ascii_whatever_the_names_are() -> None:
    log = EventLog()
    log.add({"text": "하늘 sagt: »Grüße«"})
    (line,) = log.lines(0, 1)
    assert line.isascii()
    assert "\n" not in line
    assert json.loads(line)["text"] == "하늘 sagt: »Grüße«"
