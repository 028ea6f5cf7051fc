"""What a table may agree on beside the edition (SPEC 11.10).

Like the edition, the options are part of what everybody signs before a game; like everything else
they have one canonical text: the words for what departs from the usual game, joined by commas, or
``standard`` when nothing does::

    set-of-five,starter-coin
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from p2pcoup.rules.editions import Edition
from p2pcoup.rules.errors import MoveSyntaxError


class Setup(Enum):
    """How the cards come to the players."""

    STANDARD = "standard"
    """All cards are shuffled and dealt (R4); of two players the starter has a coin less (R42)."""
    SET_OF_FIVE = "set-of-five"
    """Two players, three sets of one card of each character: each picks a card from a set of its
    own in secret, the third set is dealt from and is the Court (R43)."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game. Raises ValueError for a combination that means nothing."""

    setup: Setup = Setup.STANDARD
    starter_coin: bool = False
    """In the set of five the starter begins with as many coins as in the standard set-up of two
    (1), not with as many as the other (2) (D17)."""
    failed_challenger_may_block: bool = True
    """A target that has challenged an action in vain may still block it (D3)."""
    steal_from_penniless: bool = True
    """A player without coins may be chosen as the target of a steal (D6)."""

    def __post_init__(self) -> None:
        """Refuse an option that has no meaning in the chosen set-up."""
        if self.starter_coin and self.setup is not Setup.SET_OF_FIVE:
            raise ValueError(
                "starter-coin is an option of the set-of-five set-up; in the standard set-up of "
                "two players the starter has a coin less anyway"
            )

    def check(self, edition: Edition, seats: int) -> None:
        """Raise ValueError, with a sentence, when so many cannot play this edition like this."""
        if not edition.min_players <= seats <= edition.max_players:
            raise ValueError(
                f"{seats} players cannot play the {edition.name} game; "
                f"it is for {edition.min_players} to {edition.max_players}"
            )
        if self.setup is not Setup.SET_OF_FIVE:
            return
        if seats != 2:
            raise ValueError(f"the set-of-five set-up is for exactly 2 players, not {seats}")
        court = len(edition.characters) - seats * self.dealt(edition)
        if edition.copies != seats + 1 or court < edition.most_drawn:
            raise ValueError(f"the cards of the {edition.name} game do not make sets of five")

    def dealt(self, edition: Edition) -> int:
        """Return how many cards of a hand are dealt from the Court; the others are picked."""
        return edition.hand_size - 1 if self.setup is Setup.SET_OF_FIVE else edition.hand_size

    def aside(self, edition: Edition) -> int:
        """Return how many cards each player sets aside, never to be seen in the game."""
        return len(edition.characters) - 1 if self.setup is Setup.SET_OF_FIVE else 0


MAX_OPTIONS_TEXT: Final = 200
"""Characters of a text quoted when it is refused; all options together take less than half."""

USUAL: Final = Options()
"""The options of the usual game."""

_WORDS: Final = (
    ("starter-coin", "starter_coin"),
    ("no-block-after-challenge", "failed_challenger_may_block"),
    ("no-steal-from-penniless", "steal_from_penniless"),
)
"""What a departure from the usual option is called, in canonical order."""


def options_to_text(options: Options) -> str:
    """Return the canonical text of options, such as ``set-of-five,starter-coin``."""
    words = [] if options.setup is USUAL.setup else [options.setup.value]
    words += [word for word, name in _WORDS if getattr(options, name) != getattr(USUAL, name)]
    return ",".join(words) or USUAL.setup.value


def parse_options(text: str) -> Options:
    """Return the options with that canonical text. Raises MoveSyntaxError for anything else."""
    words = text.split(",")
    departures = {name: not getattr(USUAL, name) for word, name in _WORDS if word in words}
    setup = next((each for each in Setup if each.value in words), USUAL.setup)
    try:
        options = Options(setup, **departures)
    except ValueError as error:
        raise MoveSyntaxError(f"{text[:MAX_OPTIONS_TEXT]!r} are no options: {error}") from error
    if options_to_text(options) != text:
        known = [each.value for each in Setup] + [word for word, _ in _WORDS]
        raise MoveSyntaxError(
            f"{text[:MAX_OPTIONS_TEXT]!r} are no options; what there is, in this order and joined "
            f"by commas: {', '.join(known)}"
        )
    return options
