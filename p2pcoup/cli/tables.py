"""The command that lists the tables in the local network."""

import json
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
import trio

from p2pcoup.cli.finding import called
from p2pcoup.cli.openers import opened_by
from p2pcoup.net import AddressError, parse_address
from p2pcoup.node.folder import home_folder
from p2pcoup.node.known import Acquaintance, Changed, Known, KnownPeers, New, open_known

if TYPE_CHECKING:
    # Imported when it is used: multicast DNS takes a while, and other commands need none.
    from p2pcoup.net.discovery import Sighting, Silence

_AGES = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


@dataclass(frozen=True, slots=True)
class _Heard:
    tables: "tuple[Sighting, ...]"
    silence: "Silence | None"
    left_out: int


@click.command()
@click.option(
    "--seconds",
    type=click.FloatRange(0, 3600),
    default=3.0,
    show_default=True,
    help="How long to listen. Most tables answer within a second.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "--interface",
    "interfaces",
    metavar="ADDRESS",
    multiple=True,
    help="Listen only where this computer has this IPv4 address. May be repeated.",
)
@click.option("--service", hidden=True)
def tables(seconds: float, as_json: bool, interfaces: tuple[str, ...], service: str | None) -> None:
    """List the tables in the local network, each with the invite to it.

    \b
        p2pcoup tables
        p2pcoup tables --seconds 10
        p2pcoup tables --json

    Tables are found by multicast DNS, which reaches the local network only. What they say of
    themselves is not proven; who is really there is known once you have joined. A table elsewhere,
    or behind a firewall, can be joined by its invite all the same.

    Exit status 0, also if there is none; then it is said why.
    """
    if math.isnan(seconds):
        raise click.BadParameter("it is no time.", param_hint="--seconds")
    for each in interfaces:
        _check_own_address(each)
    known = open_known(home_folder())
    heard = trio.run(_listen, seconds, interfaces or None, service)
    if as_json:
        click.echo(json.dumps(_as_object(heard, known), ensure_ascii=False, indent=1))
        return
    for sighting in heard.tables:
        opener = known.judge(sighting.advert.opener, sighting.advert.opener_name)
        click.echo("\n".join(_lines(sighting, opener, time.time())))
    if heard.silence is not None:
        click.echo(heard.silence.text, err=True)
    if heard.left_out:
        click.echo("There are more tables than can be listed.", err=True)


def _check_own_address(text: str) -> None:
    try:
        host = parse_address(text, default_port=0).host
    except AddressError as error:
        raise click.BadParameter(str(error), param_hint="--interface") from error
    if host != text or not all(part.isdigit() for part in text.split(".")):
        raise click.BadParameter(f"{text!a} is no IPv4 address.", param_hint="--interface")


async def _listen(
    seconds: float, interfaces: tuple[str, ...] | None, service: str | None
) -> _Heard:
    from p2pcoup.net.discovery import SERVICE, browse

    async with browse(interfaces=interfaces, service=service or SERVICE) as browser:
        await trio.sleep(seconds)
        seen = browser.tables
        silence = None if seen else await browser.why_nothing()
        return _Heard(seen, silence, browser.left_out)


def _lines(sighting: "Sighting", opener: Acquaintance, now: float) -> list[str]:
    """A table for people: what it is, whose it is, the invite."""
    advert = sighting.advert
    free = advert.seats - advert.taken
    if advert.state.value == "open":
        room = f"{advert.taken} of {advert.seats} seats taken, {free} free"
    else:
        room = f"{advert.taken} players, the game has begun"
    options = "" if advert.options == "standard" else f" ({advert.options})"
    age = f", {_age(now - advert.since)}" if advert.since else ""
    lines = [
        f"{called(advert)}: {room}; {advert.edition} edition{options}",
        f"  opened by {opened_by(advert.opener_name, opener)}{age}, at {sighting.addresses[0]}",
        f"  {sighting.invite}",
    ]
    if not advert.playable:
        lines.append("  It is played with another version of the protocol; update one of the two.")
    return lines


def _age(seconds: float) -> str:
    for length, unit in _AGES:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def _as_object(heard: _Heard, known: KnownPeers) -> dict[str, object]:
    words = {New: "new", Known: "known", Changed: "changed"}
    return {
        "source": "mdns",
        "tables": [
            {
                "table": each.advert.table,
                "state": each.advert.state.value,
                "edition": each.advert.edition,
                "options": each.advert.options,
                "taken": each.advert.taken,
                "seats": each.advert.seats,
                "opener": each.advert.opener_name,
                "peer": each.advert.opener,
                "known": words[type(known.judge(each.advert.opener, each.advert.opener_name))],
                "addresses": [str(address) for address in each.addresses],
                "since": each.advert.since or None,
                "protocol": each.advert.protocol,
                "playable": each.advert.playable,
                "invite": str(each.invite),
            }
            for each in heard.tables
        ],
        "left_out": heard.left_out,
        "nothing": None
        if heard.silence is None
        else {"reason": heard.silence.reason.value, "text": heard.silence.text},
    }
