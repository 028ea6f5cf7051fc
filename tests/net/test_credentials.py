import datetime
import ssl
import tempfile
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.net.credentials import (
    MAX_CERTIFICATE_BYTES,
    Credentials,
    certified_peer,
    make_certificate,
)
from p2pcoup.net.errors import HandshakeError
from p2pcoup.wire.identity import Identity


def _certificate(
    subject_key: Ed25519PublicKey | ec.EllipticCurvePublicKey,
    signer: Ed25519PrivateKey | ec.EllipticCurvePrivateKey,
) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "other")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(subject_key)
        .serial_number(7)
        .not_valid_before(datetime.datetime(2000, 1, 1))
        .not_valid_after(datetime.datetime(2100, 1, 1))
    )
    algorithm = None if isinstance(signer, Ed25519PrivateKey) else hashes.SHA256()
    return builder.sign(signer, algorithm).public_bytes(serialization.Encoding.DER)


def test_a_certificate_names_the_peer_whose_key_it_carries(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    for identity, each in zip(identities, credentials, strict=True):
        assert certified_peer(each.certificate) == identity.peer_id == each.peer_id


def test_an_identity_always_makes_the_same_certificate(identities: list[Identity]) -> None:
    one = make_certificate(identities[0].private_key)
    assert one == Credentials(identities[0]).certificate
    assert len(one) < MAX_CERTIFICATE_BYTES // 2


def test_a_certificate_of_another_kind_of_key_is_refused() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(HandshakeError, match="another kind"):
        certified_peer(_certificate(key.public_key(), key))


def test_a_certificate_with_a_key_of_small_order_is_refused(identities: list[Identity]) -> None:
    weak = Ed25519PublicKey.from_public_bytes(b"\x01" + bytes(31))
    with pytest.raises(HandshakeError, match="small order"):
        certified_peer(_certificate(weak, identities[0].private_key))


@pytest.mark.parametrize("data", [b"", b"\x30", b"\x00" * 300, b"\x30\x82\xff\xff" + b"\x00" * 200])
def test_what_is_no_certificate_is_refused(data: bytes) -> None:
    with pytest.raises(HandshakeError):
        certified_peer(data)


def test_a_certificate_with_bytes_before_or_after_it_is_refused(
    credentials: list[Credentials],
) -> None:
    certificate = credentials[0].certificate
    for data in (certificate + b"\x00", b"\x00" + certificate, certificate + certificate):
        with pytest.raises(HandshakeError):
            certified_peer(data)


def test_an_oversized_certificate_is_refused_unread() -> None:
    with pytest.raises(HandshakeError, match="1024 bytes"):
        certified_peer(b"\x30" * (MAX_CERTIFICATE_BYTES + 1))


def test_no_changed_byte_of_a_certificate_breaks_the_parser(credentials: list[Credentials]) -> None:
    honest = credentials[0]
    start = honest.certificate.index(bytes.fromhex("06032b6570032100")) + 8
    for position in range(len(honest.certificate)):
        changed = bytearray(honest.certificate)
        changed[position] ^= 0x55
        try:
            peer = certified_peer(bytes(changed))
        except HandshakeError:
            continue
        in_key = start <= position < start + 32
        assert (peer != honest.peer_id) == in_key


@given(st.binary(max_size=400))
def test_any_bytes_are_a_certificate_or_a_handshake_error(data: bytes) -> None:
    with pytest.raises(HandshakeError):
        certified_peer(data)


def _handshake(dialling: ssl.SSLContext, listening: ssl.SSLContext) -> tuple[object, object]:
    to_listener, to_dialler = ssl.MemoryBIO(), ssl.MemoryBIO()
    dialler = dialling.wrap_bio(to_dialler, to_listener, server_side=False)
    listener = listening.wrap_bio(to_listener, to_dialler, server_side=True)
    for end in (dialler, listener, dialler, listener):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
    assert dialler.version() == listener.version() == "TLSv1.3"
    return dialler.getpeercert(binary_form=True), listener.getpeercert(binary_form=True)


def test_contexts_accept_each_other_also_under_strict_verification(
    credentials: list[Credentials],
) -> None:
    # Python 3.13 made strict X.509 verification the default of its convenience functions.
    one, two = credentials[:2]
    dialling = one.dialling_context(two.certificate)
    listening = two.listening_context(one.certificate)
    for context in (dialling, listening):
        context.verify_flags |= ssl.VERIFY_X509_STRICT
    assert _handshake(dialling, listening) == (two.certificate, one.certificate)


def test_a_context_accepts_no_other_certificate_than_the_one_it_trusts(
    credentials: list[Credentials],
) -> None:
    one, two, three = credentials[:3]
    with pytest.raises(ssl.SSLCertVerificationError):
        _handshake(one.dialling_context(three.certificate), two.listening_context(one.certificate))
    with pytest.raises(ssl.SSLCertVerificationError):
        _handshake(one.dialling_context(two.certificate), two.listening_context(three.certificate))


def test_the_key_never_lies_readable_on_the_disk(
    identities: list[Identity], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[bytes] = []
    unlink = Path.unlink

    def watched_unlink(path: Path) -> None:
        assert path.stat().st_mode & 0o077 == 0
        seen.append(path.read_bytes())
        unlink(path)

    monkeypatch.setattr(Path, "unlink", watched_unlink)
    mine = Credentials(identities[0])
    mine.dialling_context(Credentials(identities[1]).certificate)
    assert list(tmp_path.iterdir()) == []
    (written,) = seen
    assert b"ENCRYPTED PRIVATE KEY" in written
    assert identities[0].private_key.private_bytes_raw() not in written
    assert identities[0].to_pem().split(b"\n")[1] not in written
