"""The two kinds of failure of the card layer, split by whose fault it is.

``ProofError``: a peer sent something that does not hold (SPEC 4.1, 4.2, 6, 7). ``DeckUseError``:
our own caller asked for something that cannot be. Nothing else leaves this package because of what
a peer sent.
"""

from enum import StrEnum


class Check(StrEnum):
    """Name of the check that refused what a peer sent; stable, so evidence can cite it."""

    LENGTH = "length"
    POINT_ENCODING = "point-encoding"
    SCALAR_ENCODING = "scalar-encoding"
    KEY_PROOF = "key-proof"
    KEYS = "keys"
    EQUALITY_PROOF = "equality-proof"
    SHARE_PROOF = "share-proof"
    OPENING_PROOF = "opening-proof"
    LEAVE_PROOF = "leave-proof"
    REKEY_PROOF = "rekey-proof"
    SHUFFLE_PROOF = "shuffle-proof"
    DECREMENT_PROOF = "decrement-proof"
    FIRST_COMPONENT = "first-component"
    PLAINTEXT = "plaintext"
    COMMITMENT = "commitment"


class ProofError(ValueError):
    """What a peer sent does not hold.

    ``check`` names the check that refused it; the text says it for people.
    """

    def __init__(self, check: Check, message: str) -> None:
        super().__init__(message)
        self.check = check


class DeckUseError(ValueError):
    """Our own caller asked for something that the state of the deck does not allow."""
