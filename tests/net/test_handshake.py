import contextlib
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from p2pcoup.net.address import Address
from p2pcoup.net.credentials import CERTIFICATE_BYTES, Credentials
from p2pcoup.net.errors import (
    BrokenLinkError,
    HandshakeError,
    LinkError,
    SelfLinkError,
    SilentPeerError,
    UnreachableError,
    WrongPeerError,
)
from p2pcoup.net.handshake import (
    PREAMBLE,
    Channel,
    dial_channel,
    encode_hello,
    greet_dialler,
    greet_listener,
    receive_exactly,
    receive_hello,
)
from p2pcoup.net.limits import Timing
from p2pcoup.wire.identity import Identity
from tests.net.peers import SOON, channel_pair, rest_of, socket_pair, soon

PLACE = Address("peer.test", 1)
End = Callable[[trio.SocketStream], Awaitable[Channel | None]]


async def meet(dialler: End, listener: End) -> list[Channel | LinkError | None]:
    """What becomes of the two ends of one connection. What they make of it is closed again."""
    outcomes: list[Channel | LinkError | None] = [None, None]
    async with socket_pair() as streams:

        async def run(index: int, end: End) -> None:
            try:
                outcomes[index] = await end(streams[index])
            except LinkError as error:
                outcomes[index] = error

        with trio.fail_after(SOON):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run, 0, dialler)
                nursery.start_soon(run, 1, listener)
    return outcomes


def dialling(me: Credentials, timing: Timing | None = None) -> End:
    return lambda stream: greet_listener(stream, me, None, PLACE, timing or Timing())


def listening(me: Credentials, timing: Timing | None = None) -> End:
    return lambda stream: greet_dialler(stream, me, PLACE, timing or Timing())


# --- peers that keep to it ---------------------------------------------------------------------


@pytest.mark.trio
async def test_both_ends_learn_who_the_other_is_and_share_a_tls_1_3_stream(
    credentials: list[Credentials],
) -> None:
    one, two = credentials[:2]
    async with channel_pair(one, two) as (dialled, answered):
        assert (dialled.peer, dialled.dialled) == (two.peer_id, True)
        assert (answered.peer, answered.dialled) == (one.peer_id, False)
        assert dialled.stream.version() == answered.stream.version() == "TLSv1.3"
        await dialled.stream.send_all(b"there")
        await answered.stream.send_all(b"back")
        assert await receive_exactly(answered.stream, 5, PLACE) == b"there"
        assert await receive_exactly(dialled.stream, 4, PLACE) == b"back"


def test_a_hello_has_these_bytes(credentials: list[Credentials]) -> None:
    certificate = credentials[0].certificate
    assert encode_hello(certificate) == b"p2pcoup\x01" + certificate
    assert len(certificate) == 318


@pytest.mark.trio
async def test_a_hello_that_comes_byte_by_byte_is_understood(
    credentials: list[Credentials],
) -> None:
    hello = encode_hello(credentials[0].certificate)
    async with socket_pair() as (one, two):

        async def trickle() -> None:
            for byte in hello:
                await one.send_all(bytes([byte]))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trickle)
            assert await soon(lambda: receive_hello(two, PLACE)) == credentials[0].certificate


@pytest.mark.trio
async def test_the_dialler_refuses_another_peer_than_the_one_it_dialled(
    credentials: list[Credentials],
) -> None:
    me, wanted, found = credentials[:3]
    outcomes = await meet(
        lambda stream: greet_listener(stream, me, wanted.peer_id, PLACE, Timing()),
        listening(found),
    )
    assert isinstance(outcomes[0], WrongPeerError)
    assert wanted.peer_id in str(outcomes[0])
    assert found.peer_id in str(outcomes[0])
    assert isinstance(outcomes[1], BrokenLinkError)


@pytest.mark.trio
async def test_a_node_that_reaches_itself_notices_at_both_ends(
    credentials: list[Credentials],
) -> None:
    outcomes = await meet(dialling(credentials[0]), listening(credentials[0]))
    assert [type(outcome) for outcome in outcomes] == [SelfLinkError, SelfLinkError]


@pytest.mark.trio
async def test_nobody_at_the_address_is_told_with_the_address(
    credentials: list[Credentials], unused_port: int
) -> None:
    address = Address("127.0.0.1", unused_port)
    with pytest.raises(UnreachableError, match=f"Nobody listens at {address}"):
        await soon(lambda: dial_channel(address, credentials[0], None, Timing()))


@pytest.mark.trio
async def test_an_address_that_does_not_answer_is_not_waited_for(
    credentials: list[Credentials], unused_port: int
) -> None:
    address, no_time = Address("127.0.0.1", unused_port), replace(Timing(), connect=1e-9)
    with pytest.raises(UnreachableError, match=f"{address} did not answer within 1e-09 s"):
        await dial_channel(address, credentials[0], None, no_time)


@pytest.mark.trio
@pytest.mark.parametrize("host", ["a" * 64 + ".example", "\udcff"])
async def test_a_host_that_can_be_no_name_is_unreachable(
    credentials: list[Credentials], host: str
) -> None:
    address = Address(host, 5470)
    with pytest.raises(UnreachableError) as caught:
        await soon(lambda: dial_channel(address, credentials[0], None, Timing()))
    assert str(caught.value).endswith(".")


# --- peers that are somebody else --------------------------------------------------------------


def _bare_context(side: int) -> ssl.SSLContext:
    """A context that believes anything."""
    context = ssl.SSLContext(side)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _with_chain(side: int, folder: Path, *ders: bytes, key: Ed25519PrivateKey) -> ssl.SSLContext:
    """A context that shows these certificates; the key is the first one's."""
    context = _bare_context(side)
    file = folder / "chain.pem"
    chain = "".join(ssl.DER_cert_to_PEM_cert(der) for der in ders)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(chain.encode() + pem)
    context.load_cert_chain(file)
    return context


def _announcing(certificate: bytes, context: ssl.SSLContext, side: int) -> End:
    """An end that announces a certificate and then does TLS with a context of its own."""

    async def end(stream: trio.SocketStream) -> None:
        await stream.send_all(encode_hello(certificate))
        with contextlib.suppress(HandshakeError):
            await receive_hello(stream, PLACE)
        secured = trio.SSLStream(stream, context, server_side=side == ssl.PROTOCOL_TLS_SERVER)
        with contextlib.suppress(trio.BrokenResourceError):
            await secured.do_handshake()
            assert await secured.receive_some(1) == b"", "the other end goes on"
        await trio.aclose_forcefully(stream)

    return end


@pytest.mark.trio
async def test_a_caller_with_a_copied_certificate_and_no_key_is_refused(
    credentials: list[Credentials], identities: list[Identity], tmp_path: Path
) -> None:
    me, victim, thief = credentials[:3]
    client = ssl.PROTOCOL_TLS_CLIENT
    own = _with_chain(client, tmp_path, thief.certificate, key=identities[2].private_key)
    for context in (own, _bare_context(client)):
        _, mine = await meet(_announcing(victim.certificate, context, client), listening(me))
        assert isinstance(mine, HandshakeError)
        assert "did not prove" in str(mine)


@pytest.mark.trio
async def test_a_listener_with_a_copied_certificate_and_no_key_is_refused(
    credentials: list[Credentials], identities: list[Identity], tmp_path: Path
) -> None:
    me, victim, thief = credentials[:3]
    server = ssl.PROTOCOL_TLS_SERVER
    context = _with_chain(server, tmp_path, thief.certificate, key=identities[2].private_key)
    mine, _ = await meet(dialling(me), _announcing(victim.certificate, context, server))
    assert isinstance(mine, HandshakeError)
    assert "did not prove" in str(mine)


@pytest.mark.trio
async def test_a_certificate_signed_by_the_announced_one_does_not_stand_for_it(
    credentials: list[Credentials], identities: list[Identity], tmp_path: Path
) -> None:
    # OpenSSL is content with it: the announced certificate is a root that the chain leads to.
    me, announced = credentials[:2]
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    root = x509.load_der_x509_certificate(announced.certificate)
    leaf = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "leaf")]))
        .issuer_name(root.subject)
        .public_key(key.public_key())
        .serial_number(2)
        .not_valid_before(root.not_valid_before_utc)
        .not_valid_after(root.not_valid_after_utc)
        .sign(identities[1].private_key, None)
        .public_bytes(serialization.Encoding.DER)
    )
    client, server = ssl.PROTOCOL_TLS_CLIENT, ssl.PROTOCOL_TLS_SERVER
    context = _with_chain(client, tmp_path, leaf, key=key)
    _, mine = await meet(_announcing(announced.certificate, context, client), listening(me))
    assert isinstance(mine, HandshakeError)
    assert "another certificate" in str(mine)
    context = _with_chain(server, tmp_path, leaf, key=key)
    mine, _ = await meet(dialling(me), _announcing(announced.certificate, context, server))
    assert isinstance(mine, HandshakeError)
    assert "another certificate" in str(mine)


@pytest.mark.trio
async def test_an_older_tls_than_1_3_is_refused(
    credentials: list[Credentials], identities: list[Identity], tmp_path: Path
) -> None:
    me, other = credentials[:2]
    for side in (ssl.PROTOCOL_TLS_CLIENT, ssl.PROTOCOL_TLS_SERVER):
        context = _with_chain(side, tmp_path, other.certificate, key=identities[1].private_key)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        end = _announcing(other.certificate, context, side)
        if side == ssl.PROTOCOL_TLS_CLIENT:
            _, mine = await meet(end, listening(me))
        else:
            mine, _ = await meet(dialling(me), end)
        assert isinstance(mine, HandshakeError | BrokenLinkError)


# --- what is no peer at all --------------------------------------------------------------------


def _saying(data: bytes, heard: list[bytes]) -> End:
    """An end that says something, and then listens until it is closed."""

    async def end(stream: trio.SocketStream) -> None:
        with contextlib.suppress(trio.BrokenResourceError):
            await stream.send_all(data)
        heard.append(await rest_of(stream))

    return end


STRANGERS = {
    "web browser": b"GET / HTTP/1.1\r\nHost: peer.test\r\n\r\n",
    "tls client": bytes.fromhex("16030100c8010000c40303") + bytes(189),
    "junk": bytes(range(256)) * 16,
    "no certificate": PREAMBLE + bytes(CERTIFICATE_BYTES),
    "huge": PREAMBLE + b"\x30" * 100_000,
}


@pytest.mark.trio
@pytest.mark.parametrize("name", STRANGERS)
async def test_who_is_no_peer_is_closed_and_told_nothing_but_the_version(
    credentials: list[Credentials], name: str
) -> None:
    heard: list[bytes] = []
    _, mine = await meet(_saying(STRANGERS[name], heard), listening(credentials[0]))
    assert isinstance(mine, HandshakeError)
    # A connection that is closed before all was read is reset, which may lose the answer.
    assert heard[0] in (b"", PREAMBLE)


@pytest.mark.trio
@pytest.mark.parametrize("name", STRANGERS)
async def test_a_listener_that_is_no_peer_is_left(
    credentials: list[Credentials], name: str
) -> None:
    heard: list[bytes] = []
    mine, _ = await meet(dialling(credentials[0]), _saying(STRANGERS[name], heard))
    assert isinstance(mine, HandshakeError)
    hello = encode_hello(credentials[0].certificate)
    assert hello.startswith(heard[0])


@pytest.mark.trio
async def test_nodes_of_different_versions_tell_each_other(credentials: list[Credentials]) -> None:
    heard: list[bytes] = []
    other = PREAMBLE[:-1] + b"\x02" + credentials[1].certificate
    _, mine = await meet(_saying(other[:8], heard), listening(credentials[0]))
    assert "uses version 2 of the link protocol and this node version 1" in str(mine)
    assert heard == [PREAMBLE]
    mine, _ = await meet(dialling(credentials[0]), _saying(other, heard))
    assert "uses version 2" in str(mine)


@pytest.mark.trio
@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 200, 325])
async def test_a_connection_that_ends_within_the_hello_is_a_failed_handshake(
    credentials: list[Credentials], length: int
) -> None:
    part = encode_hello(credentials[1].certificate)[:length]

    async def breaking_off(stream: trio.SocketStream) -> None:
        await stream.send_all(part)
        await stream.aclose()

    _, one = await meet(breaking_off, listening(credentials[0]))
    other, _ = await meet(dialling(credentials[0]), breaking_off)
    for mine in (one, other):
        assert isinstance(mine, BrokenLinkError)
        assert "closed the connection during the handshake" in str(mine)


@pytest.mark.trio
@pytest.mark.parametrize("length", [0, 5, 100])
async def test_who_is_silent_within_the_hello_is_not_waited_for(
    credentials: list[Credentials], length: int
) -> None:
    impatient = replace(Timing(), hello=0.05)
    part = encode_hello(credentials[1].certificate)[:length]
    heard: list[bytes] = []
    _, mine = await meet(_saying(part, heard), listening(credentials[0], impatient))
    assert isinstance(mine, SilentPeerError)
    assert heard == [b""]
    mine, _ = await meet(dialling(credentials[0], impatient), _saying(part, heard))
    assert isinstance(mine, SilentPeerError)


@pytest.mark.trio
async def test_who_is_silent_after_the_hello_is_not_waited_for(
    credentials: list[Credentials],
) -> None:
    impatient = replace(Timing(), tls=0.05)
    hello = encode_hello(credentials[1].certificate)
    heard: list[bytes] = []
    _, mine = await meet(_saying(hello, heard), listening(credentials[0], impatient))
    assert isinstance(mine, SilentPeerError)
    assert heard == [encode_hello(credentials[0].certificate)]
    mine, _ = await meet(dialling(credentials[0], impatient), _saying(hello, heard))
    assert isinstance(mine, SilentPeerError)


@pytest.mark.trio
@pytest.mark.parametrize("greet", [dialling, listening])
async def test_a_handshake_that_is_cancelled_closes_its_connection(
    credentials: list[Credentials], greet: Callable[[Credentials], End]
) -> None:
    async with socket_pair() as (one, two):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(greet(credentials[0]), one)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        hello = encode_hello(credentials[0].certificate)
        assert await rest_of(two) == (hello if greet is dialling else b"")
