"""A peer's certificate, and TLS contexts that trust exactly one other certificate (SPEC 9.2).

The certificate is a function of the identity key: fixed name, serial number and validity, signed
by the key itself (Ed25519 is deterministic), so nothing has to be stored and no clock to be right.
It carries nothing but the key. Trust comes from the peer id, never from the certificate.

Python's `ssl` loads a key only from a file. The file is encrypted under a random password that
exists in this process alone, readable by this user alone, and removed before the load returns; a
crash in between leaves bytes nobody can decrypt.
"""

import contextlib
import datetime
import os
import secrets
import ssl
import tempfile
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID

from p2pcoup.net.errors import HandshakeError, LinkError
from p2pcoup.wire.errors import WireError
from p2pcoup.wire.identity import Identity, PeerId, peer_id

MAX_CERTIFICATE_BYTES: Final = 1024
"""An Ed25519 certificate of ours has about 320 bytes; no honest one needs three times that."""

_NAME: Final = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2pcoup")])
_NOT_BEFORE: Final = datetime.datetime(1970, 1, 1)
_NOT_AFTER: Final = datetime.datetime(9999, 12, 31, 23, 59, 59)  # RFC 5280 4.1.2.5: no expiry


def make_certificate(private_key: Ed25519PrivateKey) -> bytes:
    """Algorithm 9.2: the self-signed certificate of an identity key, in DER."""
    key_id = x509.SubjectKeyIdentifier.from_public_key(private_key.public_key())
    # The extensions are those OpenSSL asks of a trust anchor under X509_V_FLAG_X509_STRICT.
    builder = (
        x509.CertificateBuilder()
        .subject_name(_NAME)
        .issuer_name(_NAME)
        .public_key(private_key.public_key())
        .serial_number(1)
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_KEY_USAGE, critical=True)
        .add_extension(key_id, critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(key_id), critical=False
        )
    )
    return builder.sign(private_key, None).public_bytes(serialization.Encoding.DER)


_KEY_USAGE: Final = x509.KeyUsage(
    digital_signature=True,
    key_cert_sign=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)


def certified_peer(certificate: bytes) -> PeerId:
    """Algorithm 9.3: the peer id of the Ed25519 key in a DER certificate.

    Says whose certificate it is, not that its sender has the key: TLS shows that.
    Raises HandshakeError for anything else than one Ed25519 certificate.
    """
    if not 0 < len(certificate) <= MAX_CERTIFICATE_BYTES:
        raise HandshakeError(
            f"A certificate has 1 to {MAX_CERTIFICATE_BYTES} bytes, not {len(certificate)}."
        )
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, TypeError, x509.InvalidVersion, UnsupportedAlgorithm) as error:
        raise HandshakeError("What was sent as a certificate is none.") from error
    if not isinstance(key, Ed25519PublicKey):
        raise HandshakeError("The certificate's key is of another kind than Ed25519.")
    try:
        return peer_id(key.public_bytes_raw())
    except WireError as error:
        raise HandshakeError(f"The certificate's key cannot be used. {error}") from error


class Credentials:
    """An identity's certificate and key, ready for TLS. Holds the key only encrypted."""

    __slots__ = ("_password", "_pem", "certificate", "peer_id")

    def __init__(self, identity: Identity) -> None:
        self.peer_id: Final = identity.peer_id
        self.certificate: Final = make_certificate(identity.private_key)
        self._password = secrets.token_hex(32)
        key = identity.private_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(self._password.encode("ascii")),
        )
        self._pem = key + ssl.DER_cert_to_PEM_cert(self.certificate).encode("ascii")

    def dialling_context(self, trusted: bytes) -> ssl.SSLContext:
        """A TLS 1.3 client that accepts only the server certificate `trusted` (DER)."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False  # peers have ids, not host names
        return self._prepared(context, trusted)

    def listening_context(self, trusted: bytes) -> ssl.SSLContext:
        """A TLS 1.3 server that accepts only the client certificate `trusted` (DER)."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.num_tickets = 0  # the context serves one connection: nothing can be resumed
        return self._prepared(context, trusted)

    def _prepared(self, context: ssl.SSLContext, trusted: bytes) -> ssl.SSLContext:
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.verify_mode = ssl.CERT_REQUIRED
        self._load_key(context)
        try:
            context.load_verify_locations(cadata=trusted)
        except (ssl.SSLError, ValueError) as error:
            raise HandshakeError("The certificate cannot be used for TLS.") from error
        return context

    def _load_key(self, context: ssl.SSLContext) -> None:
        try:
            descriptor, name = tempfile.mkstemp(prefix="p2pcoup-")  # mode 0600
        except OSError as error:
            raise LinkError(
                f"A link needs a temporary file, which cannot be made: {error.strerror}."
            ) from error
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(self._pem)
            context.load_cert_chain(name, password=self._password)
        except OSError as error:  # ssl.SSLError is one
            raise LinkError(f"The temporary file for a link cannot be used: {error}.") from error
        finally:
            with contextlib.suppress(OSError):
                Path(name).unlink()
