import datetime
import hashlib
import ssl
import tempfile
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from p2pcoup.net.credentials import (
    CERTIFICATE_BYTES,
    Credentials,
    certified_peer,
    make_certificate,
)
from p2pcoup.net.errors import HandshakeError, LinkError
from p2pcoup.wire.identity import Identity

KEY = slice(108, 140)
KEY_ID, KEY_ID_AGAIN = slice(191, 211), slice(224, 244)


def _built(
    key: Ed25519PrivateKey | ec.EllipticCurvePrivateKey, name: str = "p2pcoup", serial: int = 1
) -> bytes:
    """The certificate of SPEC 9.2 in the words of a library for certificates."""
    names = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    key_id = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    usage = dict.fromkeys(
        (
            *("content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
            *("crl_sign", "encipher_only", "decipher_only"),
        ),
        False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(names)
        .issuer_name(names)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(datetime.datetime(1970, 1, 1))
        .not_valid_after(datetime.datetime(9999, 12, 31, 23, 59, 59))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.KeyUsage(digital_signature=True, key_cert_sign=True, **usage), critical=True
        )
        .add_extension(key_id, critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(key_id), critical=False
        )
    )
    algorithm = None if isinstance(key, Ed25519PrivateKey) else hashes.SHA256()
    return builder.sign(key, algorithm).public_bytes(serialization.Encoding.DER)


def _with_key(certificate: bytes, key: bytes) -> bytes:
    """The certificate with another key in all three places, and the signature it had."""
    changed = bytearray(certificate)
    changed[KEY] = key
    changed[KEY_ID] = changed[KEY_ID_AGAIN] = hashlib.sha1(key, usedforsecurity=False).digest()
    return bytes(changed)


def test_a_certificate_names_the_peer_whose_key_it_carries(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    for identity, each in zip(identities, credentials, strict=True):
        assert certified_peer(each.certificate) == identity.peer_id == each.peer_id


def test_an_identity_always_makes_the_same_certificate(identities: list[Identity]) -> None:
    one = make_certificate(identities[0].private_key)
    assert one == Credentials(identities[0]).certificate
    assert len(one) == CERTIFICATE_BYTES


def test_the_bytes_of_a_certificate_are_those_of_a_library(identities: list[Identity]) -> None:
    for identity in identities:
        assert make_certificate(identity.private_key) == _built(identity.private_key)


def test_the_certificate_of_the_specifications_example_has_its_bytes() -> None:
    certificate = make_certificate(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
    assert certificate[KEY_ID].hex() == "fd81a6db64d6faf7f702c07971a82c25c1dc3c90"
    assert certificate[-64:].hex().startswith("1d1dab1d59e0986b3de0bd9333b96ab6b5abc268")
    assert hashlib.sha256(certificate).hexdigest() == (
        "6d5d2e5dcd3b3b5e489d63381d5816945b7dd585f771b64929811f0309507463"
    )


def test_a_certificate_of_another_form_is_refused(identities: list[Identity]) -> None:
    key = identities[0].private_key
    others = [
        _built(key, name="p2pcouq"),
        _built(key, name="p2pcoup "),
        _built(key, serial=2),
        _built(ec.generate_private_key(ec.SECP256R1())),
    ]
    for other in others:
        with pytest.raises(HandshakeError, match="none of this game"):
            certified_peer(other)


def test_a_certificate_with_a_key_of_small_order_is_refused(credentials: list[Credentials]) -> None:
    with pytest.raises(HandshakeError, match="small order"):
        certified_peer(_with_key(credentials[0].certificate, b"\x01" + bytes(31)))


def test_a_certificate_that_was_not_made_with_its_key_is_refused(
    identities: list[Identity], credentials: list[Credentials]
) -> None:
    other = _with_key(credentials[0].certificate, identities[1].public_key)
    assert other[:-64] == credentials[1].certificate[:-64]
    with pytest.raises(HandshakeError, match="not made with its own key"):
        certified_peer(other)


def test_every_single_byte_of_a_certificate_matters(credentials: list[Credentials]) -> None:
    honest = credentials[0].certificate
    for position in range(len(honest)):
        for flip in (0x01, 0x55, 0x80):
            changed = bytearray(honest)
            changed[position] ^= flip
            with pytest.raises(HandshakeError):
                certified_peer(bytes(changed))


def test_a_certificate_with_bytes_before_or_after_it_is_refused(
    credentials: list[Credentials],
) -> None:
    certificate = credentials[0].certificate
    for data in (certificate + b"\x00", b"\x00" + certificate, certificate * 2, certificate[:-1]):
        with pytest.raises(HandshakeError):
            certified_peer(data)


@given(st.binary(max_size=400))
def test_any_other_bytes_are_no_certificate(data: bytes) -> None:
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


def test_without_a_folder_for_temporary_files_there_is_no_link(
    credentials: list[Credentials], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(LinkError, match=r"needs a temporary file, which cannot be made: .*\.$"):
        credentials[0].listening_context(credentials[1].certificate)


def test_a_temporary_file_that_cannot_be_written_means_no_link_and_is_removed(
    credentials: list[Credentials], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource", reason="limits on files are a POSIX matter")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
    try:
        with pytest.raises(LinkError, match="temporary file for a link cannot be used"):
            credentials[0].dialling_context(credentials[1].certificate)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_a_context_cannot_trust_what_is_no_certificate(credentials: list[Credentials]) -> None:
    for junk in (b"", b"junk"):
        with pytest.raises(HandshakeError, match="cannot be used for TLS"):
            credentials[0].dialling_context(junk)
