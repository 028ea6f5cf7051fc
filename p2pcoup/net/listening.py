"""The sockets a node listens on."""

import errno

import trio

from p2pcoup.net.address import Address, explain_listen
from p2pcoup.net.errors import ListenError, PortInUseError


async def open_listeners(address: Address) -> list[trio.SocketListener]:
    """Listen on every address the host stands for.

    Raises PortInUseError if another program has the port, ListenError if it cannot be done
    for another reason.
    """
    try:
        return await trio.open_tcp_listeners(address.port, host=address.host)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUseError(explain_listen(address, error)) from error
        raise ListenError(explain_listen(address, error)) from error
    except UnicodeError as error:
        raise ListenError(f"Cannot listen at {address}: this is no address.") from error


def address_of(listener: trio.SocketListener) -> Address:
    """Where a listener listens, with the port the system chose."""
    host, port = listener.socket.getsockname()[:2]
    return Address(str(host), int(port))


def caller_of(stream: trio.SocketStream) -> Address | None:
    """Where an accepted connection comes from; None if it is gone already."""
    try:
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return None
    return Address(str(host), int(port))
