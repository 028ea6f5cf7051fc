"""What a node tells its user beside the story, as templates: what `report` chooses from.

A reason in them comes from elsewhere and is English.
"""

from typing import Final

from p2pcoup.rules.sentence import Template

RESTORED: Final = Template("Took back {messages} messages from the journal; round {round}.")

# Links

LINKED: Final = Template("Linked to {who}.")
LINKED_TO_WATCHER: Final = Template("Linked to somebody who watches.")
UNLINKED_FROM_WATCHER: Final = Template("Somebody who watched is gone: {reason}")
COMPLETE: Final = Template("Linked to everybody at the table.")
UNLINKED: Final = Template("Lost the link to {who}: {reason}")
UNREACHABLE: Final = Template("Cannot reach {who} yet, still trying. {reason}")
TURNED_AWAY: Final = Template("Turned away {address}: {reason}")
TURNED_AWAY_MORE: Final = Template(
    "Turned away {address}: {reason} ({times} more since the last report.)"
)

# The lobby

INVITE: Final = Template("Invite: {invite}")
BOT: Final = Template("A bot called {who} is on its way.")
BOT_FAILED: Final = Template(
    "The bot {who} has ended. It said last: {reason} Send for another one; the rest is in {file}"
)
BOT_SILENT: Final = Template(
    "The bot {who} has ended and did not say why. Send for another one; its log is {file}"
)
OTHER_KEY: Final = Template(
    "Somebody called {who} has played here before, with another key. Ask them whether they have a "
    "new one; it may be somebody else."
)

# Messages

GARBLED: Final = Template("{who} sent something that cannot be read. {reason}")
OTHER_TABLE: Final = Template(
    "{who} is at another table. Compare your table files: only the addresses may differ."
)
OTHER_COURSE: Final = Template(
    "{who} has ended the last game otherwise than this program, and plays on without somebody who "
    "plays here. Perhaps a link was lost at its very end."
)
NOT_ACCEPTED: Final = Template("{who} passed on a message that was not accepted: {reason}")
AGAIN_AND_AGAIN: Final = Template("{said} (The same {times} times more since it was last told.)")
BLAME: Final = Template(
    "{who} broke the rule {rule} in round {round}: {reason} Their message was not accepted. "
    "Evidence for anybody: {file}"
)

# The game

SEATED: Final = Template("Everybody has sat down. The keys are agreed, the cards shuffled.")
DEALT: Final = Template("Keys agreed, shuffled by all and dealt in {seconds} s.")
WAITING: Final = Template("Waiting for {who}.")
RECONNECTING: Final = Template("{who} (reconnecting)")
BACK: Final = Template("{who} is back.")
ANSWERED: Final = Template(
    "You have not answered in time; the node has answered for you: {answer}."
)
LEFT_BEHIND_HERE: Final = Template(
    "The others have heard nothing of this node for too long and go on without it; from now on it "
    "only watches."
)
LEFT_BEHIND: Final = Template("Nothing is heard of {who} any more; the game goes on without them.")
RECOVERED: Final = Template("The Court is made anew in {seconds} s.")
CAUGHT_UP: Final = Template("Caught up with the others; round {round}.")
CUT_OFF: Final = Template(
    "Nothing is heard of {who}, and those who are left are too few to go on without them. Perhaps "
    "your own network is down. The game waits; if the others have gone on without you meanwhile, "
    "you learn it as soon as the program of one of them is reached."
)
FINISHED: Final = Template("The game is over. Transcript: {file}")
NEXT_GAME: Final = Template("Game {number} of {games} starts.")
NEXT_WITHOUT_US: Final = Template(
    "The match goes on without you, as the others had to end the last game without you. You can "
    "watch."
)
NEXT_WITHOUT: Final = Template("The match goes on without {who}.")
NOBODY_LEFT: Final = Template("Too few are left for another game of the match.")
SCORE: Final = Template("After game {number} of {games}. Games won: {score}.")
MATCH_OVER: Final = Template("The match is over. Games won: {score}.")
WANTS_AGAIN: Final = Template("{who} wants another game.")
WANTS_NO_MORE: Final = Template("{who} does not want another game.")
SAID_BEFORE: Final = Template("What was said before this program was started:")

TEMPLATES: Final = tuple(each for each in globals().values() if isinstance(each, Template))
"""All of them, in the order of this page."""
