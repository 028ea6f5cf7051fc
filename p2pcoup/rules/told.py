"""The sentences a game is told in (SPEC 11.9): what `narration` chooses from."""

from typing import Final

from p2pcoup.rules.sentence import Template

# What is done

ANNOUNCES: Final = Template("{who} announces {action}.")
ANNOUNCES_AGAINST: Final = Template("{who} announces {action} against {target}.")
CLAIMS: Final = Template("{who} claims the {character} and announces {action}.")
CLAIMS_AGAINST: Final = Template(
    "{who} claims the {character} and announces {action} against {target}."
)
PAYS: Final = Template(
    "{who} pays {coins} coin and announces {action}.",
    "{who} pays {coins} coins and announces {action}.",
    by="coins",
)
PAYS_AGAINST: Final = Template(
    "{who} pays {coins} coin and announces {action} against {target}.",
    "{who} pays {coins} coins and announces {action} against {target}.",
    by="coins",
)
PAYS_CLAIMS: Final = Template(
    "{who} pays {coins} coin, claims the {character} and announces {action}.",
    "{who} pays {coins} coins, claims the {character} and announces {action}.",
    by="coins",
)
PAYS_CLAIMS_AGAINST: Final = Template(
    "{who} pays {coins} coin, claims the {character} and announces {action} against {target}.",
    "{who} pays {coins} coins, claims the {character} and announces {action} against {target}.",
    by="coins",
)
CHALLENGES: Final = Template("{who} challenges {claimant}'s claim to the {character}.")
BLOCKS: Final = Template("{who} claims the {character} and blocks.")
SHOWS: Final = Template("{who} shows the {character}.")
SHOWS_NOT: Final = Template("{who} does not show the {character}: {action} fails.")
SHOWS_NOT_FOR_BLOCK: Final = Template("{who} does not show the {character}: the block falls.")
KEEPS: Final = Template(
    "{who} keeps {cards} card and returns the others.",
    "{who} keeps {cards} cards and returns the others.",
    by="cards",
)
PICKS: Final = Template(
    "{who} picks a card in secret and sets {cards} card aside.",
    "{who} picks a card in secret and sets {cards} cards aside.",
    by="cards",
)
ALLOWS: Final = Template("{who} lets {other} keep the card.")
FORCES: Final = Template("{who} makes {other} draw another card.")
CONCEDES: Final = Template("{who} gives up.")

# What the cards say

TURNS_UP: Final = Template(
    "{who} turns up the {cards} and loses an influence.",
    "{who} turns up the {cards} and loses {influences} influences.",
    by="influences",
)
REPLACES: Final = Template("{who} puts the card back into the Court and draws a new one.")
DRAWS: Final = Template(
    "{who} draws {cards} card from the Court.",
    "{who} draws {cards} cards from the Court.",
    by="cards",
)
SHUFFLED: Final = Template("The Court is shuffled.")
DEALT: Final = Template(
    "The Court is shuffled and everybody is dealt {cards} card.",
    "The Court is shuffled and everybody is dealt {cards} cards.",
    by="cards",
)
SHOWS_TO: Final = Template("{who} shows a face-down card to {examiner} alone.")
REDRAWS: Final = Template("{who} draws a new card and puts the old one back into the Court.")
LOST: Final = Template("{who} is lost; all face-down cards return to the Court unseen.")

# What came of it

BLOCK_COUNTS: Final = Template("{who} is next clockwise: that block counts.")
CHALLENGE_COUNTS: Final = Template("{who} is next clockwise: that challenge counts.")
STANDS: Final = Template("The block stands: {action} fails.")
RETURNS: Final = Template(
    "{who} returns {coins} coin to the Treasury.",
    "{who} returns {coins} coins to the Treasury.",
    by="coins",
)
GETS_BACK: Final = Template(
    "{who} gets {coins} coin back.", "{who} gets {coins} coins back.", by="coins"
)
TAKES: Final = Template(
    "{who} takes {coins} coin from the Treasury and has {has} now.",
    "{who} takes {coins} coins from the Treasury and has {has} now.",
    by="coins",
)
TAKES_FROM: Final = Template(
    "{who} takes {coins} coin from {target} and has {has} now.",
    "{who} takes {coins} coins from {target} and has {has} now.",
    by="coins",
)
OUT: Final = Template("{who} is out.")
WINS: Final = Template("{who} wins the game.")
TURN: Final = Template("It is {who}'s turn.")

TEMPLATES: Final = tuple(each for each in globals().values() if isinstance(each, Template))
"""All of them, in the order of this page."""
