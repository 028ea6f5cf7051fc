"""Where nothing is announced, somebody met before is asked."""

from pathlib import Path

import pytest
import trio

from p2pcoup.cli.finding import met_before
from p2pcoup.net import Address
from p2pcoup.node.known import open_known
from tests.node.nodes import HERE, NOBODY_LISTENS, identity_of

ASH, BIRCH, CEDAR = (identity_of(number).peer_id for number in range(3))

pytestmark = pytest.mark.trio


async def test_without_acquaintances_nobody_is_asked(tmp_path: Path) -> None:
    assert await met_before(tmp_path) is None


async def test_of_those_met_before_the_one_seen_last_whose_program_answers_is_asked(
    tmp_path: Path,
) -> None:
    now = iter(range(100))
    known = open_known(tmp_path, lambda: float(next(now)))
    first, second = [(await trio.open_tcp_listeners(0, host=HERE))[0] for _ in range(2)]
    async with first, second:
        for peer, name, listener in ((ASH, "Ash", first), (BIRCH, "Birch", second)):
            known.meet(peer, name, Address(HERE, listener.socket.getsockname()[1]))
        known.meet(CEDAR, "Cedar", Address(HERE, NOBODY_LISTENS))
        known.meet(identity_of(3).peer_id, "Elm")
        found = await met_before(tmp_path)
        assert found is not None
        assert found.peer == BIRCH
        await second.aclose()
        found = await met_before(tmp_path)
        assert found is not None
        assert found.peer == ASH
    assert await met_before(tmp_path) is None
