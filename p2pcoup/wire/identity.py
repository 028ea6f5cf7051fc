"""Who a peer is: a lasting Ed25519 key, and the peer id people read, type and compare (SPEC 2).

A peer id is SHA-256 over a label and the public key, written in base32: 52 characters in four
blocks of 13, each block followed by one check character, the 56 characters in eight groups of
seven. The check is a weighted sum in GF(32) with distinct weights and a constant of the block, so
one wrong character, any two exchanged characters in a block, and exchanged blocks are all noticed
(Luhn mod 32, as Syncthing uses it, misses some exchanges), and the message names the two groups.

Everything signed with the key starts with a fixed prefix and the length of the label. Neither a
TLS 1.3 handshake (64 blanks) nor a certificate (0x30) starts like that, so the key may serve TLS
as well and no signature of one use is ever valid for another.
"""

import base64
import hashlib
from typing import Final, NewType

from cryptography.exceptions import InternalError, InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from p2pcoup.wire.errors import WireError

PeerId = NewType("PeerId", str)
"""The canonical text of a peer id: eight groups of seven, upper case, joined by '-'."""

PUBLIC_KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
MAX_LABEL_BYTES: Final = 255
"""A label's length is one byte of what is signed."""
MAX_PEER_ID_INPUT: Final = 256
"""Typed or pasted text longer than this is no peer id (a canonical one has 63 characters)."""

_PEER_ID_LABEL: Final = b"p2pcoup peer id v1\x00"
_SIGNED_PREFIX: Final = b"p2pcoup signed\x00"
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_GROUP: Final = 7
_GROUPS: Final = 8
_BLOCK: Final = 13
_BLOCKS: Final = 4
_ID_CHARACTERS: Final = _GROUP * _GROUPS
# 0, 1 and 8 are not in the alphabet, so each can only be a misread letter.
_FORGIVEN: Final = str.maketrans({"0": "O", "1": "I", "8": "B"})
_DASHES: Final = "-\u2010\u2011\u2012\u2013\u2014\u2212"

_FIELD: Final = 2**255 - 19
# The y coordinates of the eight points of small order. Under such a key one signature fits many
# messages, so it could not pin a message on anybody.
_SMALL_ORDER_Y: Final[frozenset[int]] = frozenset(
    {
        0,
        1,
        _FIELD - 1,
        int.from_bytes(
            bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
            "little",
        ),
        int.from_bytes(
            bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
            "little",
        ),
    }
)


class Identity:
    """A peer's own lasting key pair. Its repr shows the peer id and nothing else."""

    __slots__ = ("_peer_id", "_private_key", "_public_key")

    def __init__(self, private_key: Ed25519PrivateKey) -> None:
        self._private_key = private_key
        self._public_key = private_key.public_key().public_bytes_raw()
        self._peer_id = peer_id(self._public_key)

    @classmethod
    def generate(cls) -> "Identity":
        """A new identity from the operating system's randomness."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, pem: bytes) -> "Identity":
        """Read back what `to_pem` wrote. Raises WireError for anything but an Ed25519 key."""
        try:
            key = serialization.load_pem_private_key(pem, password=None)
        except TypeError as error:
            raise WireError(
                "The identity key is protected by a password, which is not supported; "
                "save it again without one."
            ) from error
        except (ValueError, UnsupportedAlgorithm, InternalError) as error:
            # InternalError: a key of another curve that has the wrong length.
            raise WireError(
                "The identity key cannot be read: it is not a private key in PEM form."
            ) from error
        if not isinstance(key, Ed25519PrivateKey):
            raise WireError("The identity key is of another kind; an Ed25519 key is needed.")
        return cls(key)

    def to_pem(self) -> bytes:
        """The private key as unencrypted PKCS #8 in PEM form; keep it in a file of mode 0600."""
        return self._private_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )

    @property
    def public_key(self) -> bytes:
        """The 32 raw bytes of the Ed25519 public key."""
        return self._public_key

    @property
    def peer_id(self) -> PeerId:
        """The peer id other people know this identity by."""
        return self._peer_id

    @property
    def private_key(self) -> Ed25519PrivateKey:
        """The key itself, for making TLS certificates."""
        return self._private_key

    def sign(self, label: bytes, data: bytes) -> bytes:
        """The 64-byte Ed25519 signature (RFC 8032) over the framed label and data (SPEC 2.3)."""
        return self._private_key.sign(_signed_bytes(label, data))

    def __repr__(self) -> str:
        return f"Identity({self._peer_id})"


def verify(public_key: bytes, label: bytes, data: bytes, signature: bytes) -> bool:
    """Whether `signature` is `public_key`'s on this label and data (SPEC 2.3).

    Never raises for what a peer may send: a malformed key or signature is simply not valid.
    """
    signed = _signed_bytes(label, data)
    if key_fault(public_key) is not None or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def _signed_bytes(label: bytes, data: bytes) -> bytes:
    if not 1 <= len(label) <= MAX_LABEL_BYTES:
        raise ValueError(f"A signature label has 1 to {MAX_LABEL_BYTES} bytes, not {len(label)}.")
    return _SIGNED_PREFIX + bytes([len(label)]) + label + data


def key_fault(public_key: bytes) -> str | None:
    """Why these bytes cannot be anybody's public key, as a sentence; None if they may be.

    Refuses a wrong length, a second encoding of a point (y >= p) and the points of small order.
    """
    if len(public_key) != PUBLIC_KEY_BYTES:
        return f"A public key has {PUBLIC_KEY_BYTES} bytes, not {len(public_key)}."
    y = int.from_bytes(public_key, "little") & (2**255 - 1)
    if y >= _FIELD:
        return "The public key is not in canonical form."
    if y in _SMALL_ORDER_Y:
        return "The public key is a point of small order, under which signatures prove nothing."
    return None


def peer_id(public_key: bytes) -> PeerId:
    """Algorithm 2.1: the peer id of a 32-byte Ed25519 public key. Raises WireError for no key."""
    fault = key_fault(public_key)
    if fault is not None:
        raise WireError(fault)
    digest = hashlib.sha256(_PEER_ID_LABEL + public_key).digest()
    data = base64.b32encode(digest).decode("ascii").rstrip("=")
    blocks = [data[i * _BLOCK : (i + 1) * _BLOCK] for i in range(_BLOCKS)]
    return _grouped("".join(b + _check_character(i, b) for i, b in enumerate(blocks)))


def parse_peer_id(text: str) -> PeerId:
    """Algorithm 2.2: the canonical form of a peer id somebody typed or pasted.

    Forgives case, blanks, missing or additional dashes, and 0, 1, 8 for O, I, B.
    Raises WireError with a sentence that names the groups which cannot be right.
    """
    if len(text) > MAX_PEER_ID_INPUT:
        raise WireError(f"A peer id has {_ID_CHARACTERS} letters and digits; this text is longer.")
    # Only ASCII is put in upper case: "ß" would become two letters.
    upper = "".join(c.upper() if c.isascii() else c for c in text.translate(_FORGIVEN))
    characters = "".join(c for c in upper if c not in _DASHES and not c.isspace())
    for position, character in enumerate(characters):
        if character not in _ALPHABET:
            raise WireError(
                f"Group {min(position // _GROUP + 1, _GROUPS)} of the peer id contains "
                f"{character!a}; only the letters A to Z and the digits 2 to 7 occur in it."
            )
    if len(characters) != _ID_CHARACTERS:
        raise WireError(_wrong_length(upper, len(characters)))
    _check_blocks(characters)
    return _grouped(characters)


def _check_blocks(characters: str) -> None:
    wrong: list[str] = []
    for i in range(_BLOCKS):
        block = characters[i * (_BLOCK + 1) : (i + 1) * (_BLOCK + 1)]
        if _check_character(i, block[:-1]) != block[-1]:
            wrong.append(f"{2 * i + 1} and {2 * i + 2} ({block[:_GROUP]}-{block[_GROUP:]})")
    if wrong:
        raise WireError(
            f"The peer id has a mistake in groups {', '.join(wrong)}; compare them once more."
        )
    # 52 characters carry 260 bits; the last four belong to no digest and are zero.
    if _ALPHABET.index(characters[-2]) & 0b1111:
        raise WireError("The peer id has a mistake in group 8; it is the id of no peer.")


def _wrong_length(upper: str, count: int) -> str:
    for dash in _DASHES:
        upper = upper.replace(dash, "-")
    groups = ["".join(group.split()) for group in upper.split("-")]
    if len(groups) == _GROUPS:
        # Only when all dashes are there is it certain which group is too short or too long.
        odd = [f"group {i} ({g}) has {len(g)}" for i, g in enumerate(groups, 1) if len(g) != _GROUP]
        return f"Each group of a peer id has {_GROUP} characters; {', '.join(odd)}."
    return (
        f"A peer id has {_ID_CHARACTERS} letters and digits ({_GROUPS} groups of {_GROUP}); "
        f"this one has {count}."
    )


def _grouped(characters: str) -> PeerId:
    groups = (characters[i : i + _GROUP] for i in range(0, _ID_CHARACTERS, _GROUP))
    return PeerId("-".join(groups))


def _check_character(block: int, data: str) -> str:
    """One GF(32) symbol: the weighted sum of the block's symbols, plus the block's number + 1.

    Horner's rule gives character i of n the weight 2^(n-i); those thirteen powers are distinct.
    """
    total = 0
    for character in data:
        total = _times_two(total ^ _ALPHABET.index(character))
    return _ALPHABET[total ^ (block + 1)]


def _times_two(value: int) -> int:
    """Multiply by the primitive element 2 in GF(32), whose polynomial is x^5 + x^2 + 1."""
    doubled = value << 1
    return doubled ^ 0b100101 if doubled & 0b100000 else doubled
