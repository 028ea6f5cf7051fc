"""A peer written from SPEC 9 alone, with blocking sockets and none of this program's link code."""

import hashlib
import socket
import ssl
import struct
from pathlib import Path

import pytest
import trio
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.net import Connected, Disconnected, Received
from p2pcoup.wire.identity import Identity, peer_id
from tests.net.peers import SOON, open_node

HEAD = bytes.fromhex("3082013a")
BEFORE_KEY = bytes.fromhex(
    "3081eda003020102020101300506032b657030123110300e06035504030c07703270636f75703020"
    "170d3730303130313030303030305a180f39393939313233313233353935395a"
    "30123110300e06035504030c07703270636f7570302a300506032b6570032100"
)
BEFORE_ID = bytes.fromhex(
    "a366306430120603551d130101ff040830060101ff020100"
    "300e0603551d0f0101ff040403020284301d0603551d0e04160414"
)
BEFORE_SECOND_ID = bytes.fromhex("301f0603551d23041830168014")
BEFORE_SIGNATURE = bytes.fromhex("300506032b6570034100")


class BlockingPeer:
    """Dials, and speaks the link protocol byte by byte."""

    def __init__(self, key: Ed25519PrivateKey, folder: Path) -> None:
        public = key.public_key().public_bytes_raw()
        key_id = hashlib.sha1(public).digest()  # noqa: S324 - an identifier
        signed = BEFORE_KEY + public + BEFORE_ID + key_id + BEFORE_SECOND_ID + key_id
        self.certificate = HEAD + signed + BEFORE_SIGNATURE + key.sign(signed)
        self.file = folder / "peer.pem"
        pem = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self.file.write_bytes(pem + ssl.DER_cert_to_PEM_cert(self.certificate).encode())

    def dial(self, port: int) -> None:
        """Hello, TLS, verdicts (9.3, 9.4)."""
        connection = socket.create_connection(("127.0.0.1", port), timeout=SOON)
        connection.sendall(b"p2pcoup\x01" + self.certificate)
        hello = b""
        while len(hello) < 326:
            hello += connection.recv(326 - len(hello))
        assert hello[:8] == b"p2pcoup\x01"
        self.other = hello[8:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self.file)
        context.load_verify_locations(cadata=self.other)
        self.tls = context.wrap_socket(connection)
        assert self.tls.getpeercert(binary_form=True) == self.other
        verdict = self.read(17)
        assert verdict[0] == 1
        self.tls.sendall(b"\x01" + b"blocking" + struct.pack(">Q", 1))

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.tls.recv(count - len(data))
            assert part, "the connection ended"
            data += part
        return data

    def frame(self) -> tuple[int, bytes]:
        (length,) = struct.unpack(">I", self.read(4))
        body = self.read(length)
        return body[0], body[1:]

    def say(self, kind: int, payload: bytes) -> None:
        self.tls.sendall(struct.pack(">I", 1 + len(payload)) + bytes([kind]) + payload)

    def play(self, port: int) -> list[tuple[int, bytes]]:
        """The whole life of a link; the frames that came."""
        self.dial(port)
        heard: list[tuple[int, bytes]] = []
        try:
            self.say(1, b"my ping!")
            self.say(0, b"from another implementation")
            while not heard or heard[-1][0] != 0:
                heard.append(self.frame())
            self.say(3, b"Thank you.")
            assert self.tls.recv(1) == b""
        except (ssl.SSLEOFError, ConnectionResetError):
            pass  # closed without a close_notify, as it may be
        finally:
            self.tls.close()
        return heard


@pytest.mark.trio
async def test_a_peer_written_from_the_specification_alone_links_and_talks(
    identities: list[Identity], tmp_path: Path
) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    name = peer_id(key.public_key().public_bytes_raw())
    other = BlockingPeer(key, tmp_path)
    heard: list[tuple[int, bytes]] = []
    async with open_node(identities[0], {name: None}) as node, trio.open_nursery() as nursery:

        async def play() -> None:
            heard.extend(await trio.to_thread.run_sync(other.play, node.address.port))

        nursery.start_soon(play)
        await node.until(lambda: len(node.received(name)) == 1)
        assert node.mesh.send(name, b"and back")
        await node.until(lambda: len(node.of(Disconnected)) == 1)
    assert [type(event) for event in node.events] == [Connected, Received, Disconnected]
    assert node.received(name) == [b"from another implementation"]
    assert node.of(Disconnected)[0].reason.endswith("closed the link: Thank you.")
    assert [frame for frame in heard if frame[0] != 1] == [(2, b"my ping!"), (0, b"and back")]
