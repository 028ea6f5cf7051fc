"""Mental cards, game-neutral: a deck that nobody sees and everybody can check. SPEC 4 to 7.

``deck`` is the public state; ``court``, ``hand``, ``choice`` and ``recovery`` change it. Below them
one primitive a module: ``group``, ``transcript``, ``randomness``, ``elgamal``, ``schnorr``,
``equality``, ``rekey``, ``rows``, ``shuffle_proof``, ``decrement``, ``commitment``. What the table
needs is here.
"""

from p2pcoup.deck.choice import exchange, exchanged, give_back, given_back, pick, picked
from p2pcoup.deck.commitment import check_opening, commit
from p2pcoup.deck.court import (
    check_key,
    check_shares,
    draw,
    give_shares,
    leave,
    left,
    prove_key,
    shuffle,
    shuffled,
)
from p2pcoup.deck.deck import HAND_SIZE, Deck, Draw, card_plaintexts, new_deck
from p2pcoup.deck.elgamal import Pair
from p2pcoup.deck.errors import Check, DeckUseError, ProofError
from p2pcoup.deck.group import Point, Scalar, count_operations
from p2pcoup.deck.hand import (
    OwnCards,
    open_cards,
    opened,
    read,
    read_shown,
    show_to,
    shown_to,
    with_returned,
)
from p2pcoup.deck.randomness import SEED_BYTES, Randomness
from p2pcoup.deck.recovery import (
    Deducting,
    Mixing,
    Revealing,
    begin_recovery,
    check_flags,
    deduct,
    deducted,
    give_flags,
    mix,
    mixed,
    recovered,
)

__all__ = [
    "HAND_SIZE",
    "SEED_BYTES",
    "Check",
    "Deck",
    "DeckUseError",
    "Deducting",
    "Draw",
    "Mixing",
    "OwnCards",
    "Pair",
    "Point",
    "ProofError",
    "Randomness",
    "Revealing",
    "Scalar",
    "begin_recovery",
    "card_plaintexts",
    "check_flags",
    "check_key",
    "check_opening",
    "check_shares",
    "commit",
    "count_operations",
    "deduct",
    "deducted",
    "draw",
    "exchange",
    "exchanged",
    "give_back",
    "give_flags",
    "give_shares",
    "given_back",
    "leave",
    "left",
    "mix",
    "mixed",
    "new_deck",
    "open_cards",
    "opened",
    "pick",
    "picked",
    "prove_key",
    "read",
    "read_shown",
    "recovered",
    "show_to",
    "shown_to",
    "shuffle",
    "shuffled",
    "with_returned",
]
