"""What no honest peer passes on (SPEC 9.7): it is not worth the game's thread, nor much patience.

An honest peer passes on what its own table has accepted, or what proves something against its
signer. So every message it sends is one, and is signed by the seat that it names.
"""

from p2pcoup.node.match import Match
from p2pcoup.node.seat import Step
from p2pcoup.rules import Seat
from p2pcoup.table import Refused
from p2pcoup.table.judge import signature_flaw
from p2pcoup.wire import WireError, parse


def flaw(match: Match, raw: bytes) -> str | None:
    """Why these bytes are no message of this match, in a sentence; None if they may be one. Costs
    little. While games are to come, a message may be of one of them.
    """
    try:
        message = parse(raw).message
    except WireError as error:
        return str(error)
    if not match.may_hold(message.game):
        return "The message belongs to another game."
    return None


def is_of_now(match: Match, raw: bytes) -> bool:
    """Whether this message is of the game that is played: of one before nothing more is needed,
    and what belongs to one to come is asked for when that begins.
    """
    return parse(raw).message.game == match.current.terms.game_id


def is_forged(match: Match, raw: bytes, step: Step) -> bool:
    """Whether this message, which led to that step, was refused as it is not its seat's. Before a
    seat has joined, nobody can say.
    """
    if not any(isinstance(notice, Refused) for notice in step.notices):
        return False
    signed, game = parse(raw), match.current.table.game
    seat = signed.message.seat
    if seat >= len(game.terms.roster):
        return True
    return Seat(seat) in game.public_keys and signature_flaw(game, signed) is not None
