"""One side of a discovery between processes. Not a test module.

``table_process announce SERVICE [ADDRESS]``: announces a table until standard input ends, only in
the network of the address if it is given; says ``fault``.
``table_process browse SERVICE``: says what it finds first, and after how many seconds.
``table_process silent``: why nothing is heard, why if another program has the port for itself, and
what is told to one who opens a table for this computer only.
Each says one line of JSON.
"""

import json
import socket
import sys
import time

import trio

from p2pcoup.net.address import Address
from p2pcoup.net.discovery import Found, announce, browse, diagnose
from tests.net.discovery.tables import advert


def say(**told: object) -> None:
    """One line of JSON."""
    print(json.dumps(told), flush=True)  # noqa: T201


async def announcing(service: str, *interfaces: str) -> None:
    """Announce until standard input ends."""
    listening = [Address(each, 7700) for each in interfaces or ("0.0.0.0",)]  # noqa: S104
    here = interfaces or None
    async with announce(advert(), listening, interfaces=here, service=service) as announcement:
        say(fault=await announcement.settled())
        await trio.to_thread.run_sync(sys.stdin.read)


async def browsing(service: str) -> None:
    """Say what is found first."""
    began = time.perf_counter()
    async with browse(service=service) as browser:
        event = await anext(browser)
        seconds = time.perf_counter() - began
        assert isinstance(event, Found)
        say(invite=str(event.sighting.invite), seconds=seconds)


async def silent() -> None:
    """Say why nothing is heard, and why while another program has the port for itself."""
    now = await diagnose()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as greedy:
        greedy.bind(("", 5353))
        blocked = await diagnose()
    async with announce(advert(), [Address("127.0.0.1", 7700)]) as announcement:
        fault = await announcement.settled()
    say(reason=now.reason.value, blocked=blocked.reason.value, fault=fault)


if __name__ == "__main__":
    work = {"announce": announcing, "browse": browsing, "silent": silent}[sys.argv[1]]
    trio.run(work, *sys.argv[2:])
