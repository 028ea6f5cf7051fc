"""A peer's certificate, and TLS contexts that trust exactly one other certificate (SPEC 9.2).

The certificate is a function of the identity key: every byte but the key, its hash and the
signature is fixed, and Ed25519 signatures are deterministic. So nothing has to be stored, no clock
has to be right, and a certificate that comes from a stranger is compared, never parsed. It carries
nothing but the key. Trust comes from the peer id, never from the certificate.

Python's `ssl` loads a key only from a file. The file is encrypted under a random password that
exists in this process alone, readable by this user alone, and removed before the load returns; a
crash in between leaves bytes nobody can decrypt.
"""

import contextlib
import hashlib
import os
import secrets
import ssl
import tempfile
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pcoup.net.errors import HandshakeError, LinkError
from p2pcoup.wire.errors import WireError
from p2pcoup.wire.identity import PUBLIC_KEY_BYTES, SIGNATURE_BYTES, Identity, PeerId, peer_id

# Extensions and times are what OpenSSL asks of a trust anchor even under X509_V_FLAG_X509_STRICT.
_CERTIFICATE: Final = bytes.fromhex("3082013a")
_BEFORE_KEY: Final = bytes.fromhex(
    "3081ed"  # TBSCertificate
    "a003020102"  # version 3
    "020101"  # serial number 1
    "300506032b6570"  # to be signed with Ed25519
    "30123110300e06035504030c077032 70636f7570"  # issuer: CN=p2pcoup
    "3020170d3730303130313030303030305a"  # valid from 1970-01-01
    "180f39393939313233313233353935395a"  # without end (RFC 5280 4.1.2.5)
    "30123110300e06035504030c077032 70636f7570"  # subject: the same name
    "302a300506032b6570032100"  # an Ed25519 key follows
)
_BEFORE_KEY_ID: Final = bytes.fromhex(
    "a3663064"
    "30120603551d130101ff040830060101ff020100"  # basic constraints: CA, path length 0; critical
    "300e0603551d0f0101ff040403020284"  # key usage: signatures and certificates; critical
    "301d0603551d0e04160414"  # subject key identifier: SHA-1 of the key follows
)
_BEFORE_KEY_ID_AGAIN: Final = bytes.fromhex("301f0603551d23041830168014")  # authority's: the same
_BEFORE_SIGNATURE: Final = bytes.fromhex("300506032b6570034100")  # signed with Ed25519

CERTIFICATE_BYTES: Final = 318
"""The length of every certificate."""
_KEY_AT: Final = len(_CERTIFICATE) + len(_BEFORE_KEY)


def make_certificate(private_key: Ed25519PrivateKey) -> bytes:
    """Algorithm 9.2: the self-signed certificate of an identity key, in DER."""
    signed = _signed_part(private_key.public_key().public_bytes_raw())
    return _CERTIFICATE + signed + _BEFORE_SIGNATURE + private_key.sign(signed)


def _signed_part(public_key: bytes) -> bytes:
    key_id = hashlib.sha1(public_key, usedforsecurity=False).digest()  # RFC 5280 4.2.1.2
    return _BEFORE_KEY + public_key + _BEFORE_KEY_ID + key_id + _BEFORE_KEY_ID_AGAIN + key_id


def certified_peer(certificate: bytes) -> PeerId:
    """The peer id of the key in a certificate, which must be what Algorithm 9.2 makes of it.

    Says whose certificate it is, not that its sender has the key: TLS shows that.
    Raises HandshakeError for anything else.
    """
    public_key = certificate[_KEY_AT : _KEY_AT + PUBLIC_KEY_BYTES]
    signed = _signed_part(public_key)
    signature = certificate[-SIGNATURE_BYTES:]
    if certificate != _CERTIFICATE + signed + _BEFORE_SIGNATURE + signature:
        raise HandshakeError("What was sent as a certificate is none of this game.")
    try:
        peer = peer_id(public_key)
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, signed)
    except WireError as error:
        raise HandshakeError(f"The certificate's key cannot be used. {error}") from error
    except (InvalidSignature, ValueError) as error:
        raise HandshakeError("The certificate was not made with its own key.") from error
    return peer


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
