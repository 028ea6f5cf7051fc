"""Every limit of the message format, with its reason (SPEC 1.2).

All of them are checked before anything is allocated, computed or verified, so a peer that sends
junk costs its reader no more than the junk's own length.
"""

from typing import Final

PROTOCOL_VERSION: Final = 1
"""First item of every payload. Peers of different versions cannot play together."""

# --- the encoding ---------------------------------------------------------------------------

MAX_INTEGER: Final = 2**53 - 1
"""Largest integer: what every language, JavaScript included, represents exactly."""
MIN_INTEGER: Final = -MAX_INTEGER
"""Smallest integer, for the same reason."""
MAX_DEPTH: Final = 8
"""Arrays inside arrays. A message needs two, terms a few more; recursion stays shallow."""
MAX_ITEMS: Final = 4096
"""Values in one encoding, nested ones counted. A value can be one byte but costs its reader 60."""

# --- what a game is about ---------------------------------------------------------------------

MAX_TERMS_BYTES: Final = 4096
"""The encoded terms of a game. Ten players with the longest names need under 1800."""

# --- the envelope of a message --------------------------------------------------------------

DIGEST_BYTES: Final = 32
"""SHA-256; also the length of game ids, commitments, salts and coins."""
MAX_SEATS: Final = 10
"""The largest edition the rules know of has ten players; seats are numbered from 0."""
MAX_ROUND: Final = 65_535
"""Last round number. A long six-player game has some hundred rounds; no game needs more."""

# --- the fields of a body -------------------------------------------------------------------

MAX_KEY_BYTES: Final = 128
"""A group element and a Schnorr proof are three times 32 bytes."""
MAX_SHUFFLE_BYTES: Final = 8192
"""25 cards (ten players): 25 pairs of 64 bytes and a proof of 105 elements are 4960 bytes."""
MAX_SHARES_BYTES: Final = 2048
"""One share of 32 bytes for each of 25 cards and one batched proof."""
MAX_OPEN_BYTES: Final = 512
"""A few shares with a proof each; a conceding seat opens all its cards at once."""
MAX_EXCHANGE_BYTES: Final = 4096
"""A proven shuffle of four cards and two rekeyed cards are under 1300 bytes."""
MAX_PICK_BYTES: Final = 4096
"""A proven shuffle of the five cards of a set is 1120 bytes."""
MAX_MOVED_BYTES: Final = 256
"""One card under another key, with its rekey proof."""
MAX_LEAVE_BYTES: Final = 2048
"""The leaver's layer of 25 Court cards with one batched proof."""
MAX_DEDUCT_BYTES: Final = 12288
"""Four cards in mid-exchange, each with counters for 25 cards and a proof: 8320."""
MAX_MIX_BYTES: Final = 8192
"""25 rows of a flag and a card, with the proof of the shuffle: 6592."""
MAX_SEATS_TEXT: Final = 32
"""The number of an attempt, a colon, and all seats of the largest table with commas between."""
MAX_MOVE_TEXT: Final = 64
"""The longest move of any edition in text notation has under 40 characters."""
MAX_OUTCOME_TEXT: Final = 64
"""An outcome names a winner and a reason."""

MAX_ENVELOPE_BYTES: Final = 192
"""Payload and signature without the body's own bytes take at most 151; some room is left."""
MAX_MESSAGE_BYTES: Final = MAX_DEDUCT_BYTES + MAX_ENVELOPE_BYTES
"""A whole signed message: its largest body and the envelope."""

# --- names ----------------------------------------------------------------------------------

MAX_NAME_CHARACTERS: Final = 24
"""A player's name, in code points after normalisation: six names fit beside each other."""
MAX_NAME_INPUT: Final = 256
"""Longer text is refused before it is normalised."""
MAX_MARKS: Final = 3
"""Combining marks in a row. Writing systems need up to three; piles of them cover other lines."""
