"""Hash commitments: a value is fixed now and shown later. SPEC 6.11, 6.12.

SHA-256 over a label, the domain of the message that seals, the value and 32 random bytes, each
framed. The random bytes hide a value that could be guessed (attack 7). The domain (SPEC 8.2) names
game, round, seat and all that was said before, so a copied commitment cannot be opened (attack 6):
the copier is refused, at the opening, whichever of the two came first.
"""

import hashlib
import hmac
from typing import Final

from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import framed

SALT_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32
COMMITMENT_LABEL: Final = b"p2pcoup deck 1 commitment"


def commit(label: str, domain: bytes, value: bytes, salt: bytes) -> bytes:
    """Algorithm 6.11: the 32-byte commitment.

    Raises ``DeckUseError`` if ``salt`` has not 32 bytes.
    """
    if len(salt) != SALT_BYTES:
        raise DeckUseError(f"a commitment needs {SALT_BYTES} random bytes, not {len(salt)}")
    content = framed(COMMITMENT_LABEL, label.encode(), domain, value, salt)
    return hashlib.sha256(content).digest()


def check_opening(commitment: bytes, label: str, domain: bytes, value: bytes, salt: bytes) -> None:
    """Algorithm 6.12. ``domain`` is that of the message the commitment came in.

    Raises ``ProofError`` (length, commitment) unless value and salt open ``commitment``.
    """
    if len(commitment) != COMMITMENT_BYTES or len(salt) != SALT_BYTES:
        raise ProofError(
            Check.LENGTH,
            f"a commitment has {COMMITMENT_BYTES} bytes and its salt {SALT_BYTES}, "
            f"not {len(commitment)} and {len(salt)}",
        )
    if not hmac.compare_digest(commitment, commit(label, domain, value, salt)):
        raise ProofError(Check.COMMITMENT, "what was opened is not what was committed to")
