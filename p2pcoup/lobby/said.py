"""What the people of a lobby are told, as templates: what `words` and the roles choose from."""

from typing import Final

from p2pcoup.rules.sentence import Template

# Who comes and goes

SAT_DOWN: Final = Template("{who} has sat down.")
WATCHES: Final = Template("{who} watches.")
LEFT: Final = Template("{who} has left the table.")
KICKED: Final = Template("{who} was sent away from the table.")
GONE: Final = Template("Nothing was heard of {who} for too long; the place is free again.")
RENAMED: Final = Template("{old} is called {who} now.")
BACK: Final = Template("{who} is back.")
AWAY: Final = Template("The link to {who} is lost.")
READY: Final = Template("{who} is ready.")
NOT_READY: Final = Template("{who} is not ready any more.")
GARBLED: Final = Template("{who} sent something that cannot be read. {reason}")

# What is played

SETTINGS: Final = Template(
    "What is played has changed: {edition}, {options}, {seats} seats, one game; {decide} s for a "
    "decision, {answer} s for an answer, {grace} s of grace. Everybody says again that they are "
    "ready.",
    "What is played has changed: {edition}, {options}, {seats} seats, {games} games; {decide} s "
    "for a decision, {answer} s for an answer, {grace} s of grace. Everybody says again that they "
    "are ready.",
    by="games",
)

# Who keeps the table

OPENER_GONE: Final = Template(
    "{who}, who opened the table, is gone. Whoever sits here can open it again."
)
REOPENED: Final = Template("{who} has opened the table again.")
REOPENED_HERE: Final = Template("You have opened the table again.")
TWO_TABLES: Final = Template(
    "There are two of this table now; {who} keeps the other one. Who wants to go over leaves this "
    "one, then: p2pcoup join '{invite}'"
)
STEPPED_DOWN: Final = Template("{who} has opened the table again and keeps it now.")

# Why it does not start yet

OPENER_STARTS: Final = Template("Whoever opened the table starts the game.")
ABOUT_TO_BEGIN: Final = Template("The game is about to begin.")
IS_SIGNING: Final = Template("Everybody's program is signing who plays; one moment.")
TOO_FEW: Final = Template("One more must sit down.", "{missing} more must sit down.", by="missing")
NO_LINK: Final = Template("There is no link to {who} at the moment.")
NOT_READY_YET: Final = Template("{who} is not ready yet.", "{who} are not ready yet.", by="number")
JUST_SAT_DOWN: Final = Template(
    "Somebody has only just sat down; the others must have time to see who plays."
)
JUST_CHANGED: Final = Template(
    "What is played was changed just now; the others must have time to see it."
)
IMPOSSIBLE: Final = Template("{reason}")

# Starting

SIGNING: Final = Template("Everybody is asked to sign who plays.")
SIGNED: Final = Template("The opener starts the game; who plays is signed by everybody.")
NOT_ENTERED: Final = Template(
    "{who} has signed but has not come into the game yet. It begins as soon as they do. You may "
    "leave; if it is played after all, this takes you into it: p2pcoup resume",
    "{who} have signed but have not come into the game yet. It begins as soon as they do. You may "
    "leave; if it is played after all, this takes you into it: p2pcoup resume",
    by="number",
)
START_VOID: Final = Template(
    "The game was not begun: {who} was not ready for it any more. Everybody is back at the table."
)
OFF_CHANGED: Final = Template(
    "The start is called off: {who} was shown something else than what was to be signed."
)
OFF_NOT_READY: Final = Template("The start is called off: {who} is not ready.")
OFF_TOO_NEW: Final = Template("The start is called off: {who} has not had time to see who plays.")
OFF_NOT_NEW: Final = Template(
    "The start is called off: {who} has met a game of this name before; start once more."
)
OFF_SILENT: Final = Template("The start is called off: {who} has not signed in time.")
OFF_GONE: Final = Template("The start is called off: {who} is gone.")

TEMPLATES: Final = tuple(each for each in globals().values() if isinstance(each, Template))
"""All of them, in the order of this page."""
