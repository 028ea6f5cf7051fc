"""A second valid signature of the same key under the same bytes, as no honest program makes one.

Ed25519 (RFC 8032) takes its nonce from the key and the message, but nobody can see whether it did.
"""

import ctypes
import hashlib

from p2pcoup.deck.sodium import prototype
from p2pcoup.wire import Identity, SignedMessage
from p2pcoup.wire.identity import _signed_bytes, verify
from p2pcoup.wire.message import MESSAGE_LABEL, parse

ORDER = 2**252 + 27742317777372353535851937790883648493
SIGNATURE_BYTES = 64

_multiply_base = prototype("crypto_scalarmult_ed25519_base_noclamp", 2)


def twin(signed: SignedMessage, identity: Identity) -> SignedMessage:
    """The same message with another signature."""
    payload = signed.raw[:-SIGNATURE_BYTES]
    seed = identity._private_key.private_bytes_raw()
    wide = bytearray(hashlib.sha512(seed).digest()[:32])
    wide[0] &= 248
    wide[31] = wide[31] & 127 | 64
    secret, nonce = int.from_bytes(wide, "little"), 7
    point = (ctypes.c_char * 32)()
    assert _multiply_base(point, nonce.to_bytes(32, "little")) == 0
    hashed = bytes(point) + identity.public_key + _signed_bytes(MESSAGE_LABEL, payload)
    challenge = int.from_bytes(hashlib.sha512(hashed).digest(), "little")
    answer = (nonce + challenge * secret) % ORDER
    other = parse(payload + bytes(point) + answer.to_bytes(32, "little"))
    assert verify(identity.public_key, MESSAGE_LABEL, payload, other.signature)
    assert other.raw != signed.raw
    return other
