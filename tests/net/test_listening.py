import errno

import pytest
import trio

from p2pcoup.net.address import Address
from p2pcoup.net.errors import ListenError, PortInUseError
from p2pcoup.net.listening import address_of, caller_of, open_listeners
from tests.net.peers import ANYWHERE, socket_pair


@pytest.mark.trio
async def test_port_0_becomes_a_port_of_the_systems_choice() -> None:
    (listener,) = await open_listeners(ANYWHERE)
    async with listener:
        address = address_of(listener)
        assert address.host == "127.0.0.1"
        assert address.port > 0


@pytest.mark.trio
async def test_a_port_in_use_is_told_with_its_address_and_what_to_do() -> None:
    (listener,) = await open_listeners(ANYWHERE)
    async with listener:
        taken = address_of(listener)
        with pytest.raises(PortInUseError, match=f"{taken}: another program.*another port") as it:
            await open_listeners(taken)
        assert isinstance(it.value.__cause__, OSError)
        assert it.value.__cause__.errno == errno.EADDRINUSE


@pytest.mark.trio
@pytest.mark.parametrize(
    ("address", "words"),
    [
        (Address("192.0.2.1", 0), "is not an address of this computer"),
        (Address("a" * 64 + ".example", 1), "this is no address"),
    ],
)
async def test_an_address_that_cannot_be_listened_at_is_an_error_with_a_reason(
    address: Address, words: str
) -> None:
    with pytest.raises(ListenError, match=words) as caught:
        await open_listeners(address)
    assert not isinstance(caught.value, PortInUseError)


@pytest.mark.trio
async def test_a_caller_is_known_by_its_address() -> None:
    async with socket_pair() as (one, two):
        host, port = one.socket.getsockname()
        assert caller_of(two) == Address(host, port)
        await trio.aclose_forcefully(two)
        assert caller_of(two) is None
