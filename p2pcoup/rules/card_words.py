"""The sentences and words of the reference card (SPEC 11.11): what `reference` chooses from."""

from typing import Final

from p2pcoup.rules.sentence import Template

TITLE: Final = Template("{edition} edition, {fewest} to {most} players")
TITLE_SET_OF_FIVE: Final = Template("{edition} edition, 2 players, set of five")

# The cards and coins to begin with

SETUP: Final = Template("Set-up")
CARDS: Final = Template("{cards} cards, {copies} each of {characters}.")
DEAL: Final = Template(
    "All are shuffled and {cards} card dealt to each player; the others are the Court.",
    "All are shuffled and {cards} cards dealt to each player; the others are the Court.",
    by="cards",
)
COINS: Final = Template("Coins: {coins} for each player; of two players {less} for who starts.")
PICK: Final = Template(
    "Each player has a set, one card of each character, picks one of them in secret and sets the "
    "other {cards} aside unseen.",
    "Each player has a set, one card of each character, picks one of them in secret and sets the "
    "other {cards} aside unseen.",
    by="cards",
)
DEAL_THIRD: Final = Template(
    "The third set is shuffled and {cards} card dealt to each player; the others are the Court.",
    "The third set is shuffled and {cards} cards dealt to each player; the others are the Court.",
    by="cards",
)
COINS_LESS: Final = Template("Coins: {less} for the player who starts, {coins} for the other.")
COINS_BOTH: Final = Template("Coins: {coins} for each player.")

# The table of actions

ACTIONS: Final = Template("Actions (with {coins} or more coins only {action})")
HEAD_ACTION: Final = Template("action")
HEAD_COST: Final = Template("cost")
HEAD_CLAIM: Final = Template("claims")
HEAD_EFFECT: Final = Template("effect")
HEAD_BLOCK: Final = Template("blocked by")
ANYBODY: Final = Template("any {characters}")
GAIN: Final = Template("take {coins} coin", "take {coins} coins", by="coins")
TAKE: Final = Template(
    "take {coins} coin of a player", "take {coins} coins of a player", by="coins"
)
STRIKE: Final = Template("a player loses an influence")
EXCHANGE: Final = Template(
    "draw {cards} card, return {cards}", "draw {cards} cards, return {cards}", by="cards"
)
EXAMINE: Final = Template(
    "see {cards} card of a player", "see {cards} cards of a player", by="cards"
)

# The table of characters

CHARACTERS: Final = Template("Characters")
COPIES: Final = Template("{copies}x")
DOES: Final = Template("does {does}")
BLOCKS: Final = Template("blocks {stops}")
DOES_BLOCKS: Final = Template("does {does}, blocks {stops}")

# How claims go

CLAIMS: Final = Template("Claims")
CLAIM_ANY: Final = Template(
    "Anybody may claim any character, and any other player may challenge that at once."
)
CHALLENGE: Final = Template(
    "Who then does not show the card loses an influence, and the claim fails; the cost of an "
    "action comes back. Otherwise the challenger loses one, and the card is swapped for a new one."
)
BLOCK: Final = Template("A block is a claim too. What it stops has no effect and stays paid.")
STILL_BLOCKS: Final = Template("A target that has challenged an action in vain may still block it.")
NO_LONGER_BLOCKS: Final = Template(
    "A target that has challenged an action in vain may not block it."
)
TAKE_ANY: Final = Template(
    "{action} takes what there is; it may be aimed at a player without coins."
)
TAKE_FROM_RICH: Final = Template(
    "{action} takes what there is; it may not be aimed at a player without coins."
)
EXAMINING: Final = Template(
    "{action}: the player chooses the card and shows it to you alone; you may make them draw "
    "another one for it."
)

TEMPLATES: Final = tuple(each for each in globals().values() if isinstance(each, Template))
"""All of them, in the order of this page."""
