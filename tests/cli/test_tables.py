"""``p2pcoup tables``: what is listed, and what is said when there is nothing."""

import json
from pathlib import Path

import pytest

from p2pcoup.node.known import open_known
from tests.cli.running import Run
from tests.net.discovery.tables import LOOPBACK, advert, own_service, peer

LOOK = ("tables", "--interface", *LOOPBACK, "--seconds", "0.5", "--service")


def test_a_table_is_listed_with_its_invite(run: Run, service: str) -> None:
    result = run(*LOOK, service)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "friday evening: 1 of 6 seats taken, 5 free; base edition",
        "  opened by Ash (new), at 127.0.0.1:7700",
        f"  coup://127.0.0.1:7700#{advert().opener}",
    ]


def test_the_list_as_json_says_whether_the_opener_is_known(
    run: Run, service: str, home: Path
) -> None:
    open_known(home).meet(peer(1), "Ash")
    result = run(*LOOK, service, "--json")
    told = json.loads(result.stdout)
    (table,) = told["tables"]
    assert (table["peer"], table["known"]) == (advert().opener, "changed")
    assert (table["taken"], table["seats"], table["state"]) == (1, 6, "open")
    assert table["addresses"] == ["127.0.0.1:7700"]
    assert told["nothing"] is None


def test_a_known_name_with_another_key_is_pointed_out(run: Run, service: str, home: Path) -> None:
    open_known(home).meet(peer(1), "Ash")
    assert "opened by Ash (NOT the Ash you have met), at" in run(*LOOK, service).stdout
    open_known(home).forget(peer(1))
    open_known(home).meet(advert().opener, "Ash")
    assert "opened by Ash (known), at" in run(*LOOK, service).stdout
    open_known(home).meet(advert().opener, "Fern")
    assert "opened by Ash (known as Fern), at" in run(*LOOK, service).stdout


def test_when_there_is_none_it_is_said_why_and_that_is_no_failure(run: Run) -> None:
    result = run("tables", "--interface", *LOOPBACK, "--seconds", "0", "--service", own_service())
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("No table was found: nobody in this network has answered.")


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--interface", "eth0", "'eth0' is no IPv4 address"),
        ("--interface", "1.2.3", "neither a host name"),
        ("--interface", "\x1b[2J", "neither a host name"),
        ("--seconds", "nan", "it is no time"),
        ("--seconds", "-1", "not in the range"),
    ],
)
def test_wrong_options_are_refused_with_a_reason(
    run: Run, option: str, value: str, told: str
) -> None:
    result = run("tables", option, value)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())
    assert "\x1b" not in result.stderr


def test_the_help_has_an_example(run: Run) -> None:
    assert "  p2pcoup tables --seconds 10" in run("tables", "--help").stdout
