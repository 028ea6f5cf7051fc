"""Whether a message may be part of a round (SPEC 8.2a, steps 5 to 8)."""

from p2pcoup.deck import ProofError
from p2pcoup.rules import RulesError, Seat
from p2pcoup.table.game import Game
from p2pcoup.table.rounds import Context, Round, Violation
from p2pcoup.wire import Kind, Message, SignedMessage, WireError, peer_id, verify_signature

REFUSALS = (Violation, ProofError, WireError, RulesError)
"""What `check` raises when it is the signer's fault."""


def signature_flaw(game: Game, signed: SignedMessage) -> str | None:
    """Why the signature proves nothing about the seat, or None when it is good."""
    seat = Seat(signed.message.seat)
    key = game.public_keys.get(seat)
    try:
        if key is None:
            match signed.message:
                case Message(kind=Kind.JOIN, body=(bytes(key), _)):
                    if peer_id(key) != game.terms.roster[seat].peer:
                        return f"Seat {seat} belongs to another peer."
                case _:
                    return f"Seat {seat} has not joined yet."
        verify_signature(signed, key)
    except WireError as error:
        return str(error)
    return None


def check(round_: Round, context: Context, message: Message) -> None:
    """Take the content of a correctly signed message into the round; raises one of `REFUSALS`."""
    if context.seat not in round_.speakers:
        raise Violation("turn", f"Seat {context.seat} has nothing to say in round {context.round}.")
    if message.kind is not round_.kind:
        wanted, got = round_.kind.value, message.kind.value
        raise Violation("kind", f"Round {context.round} wants {wanted}, not {got}.")
    round_.hear(context, message.body)


def rule_of(error: Exception) -> str:
    """The short name of the rule that an error of any layer stands for."""
    match error:
        case Violation(rule=rule):
            return rule
        case ProofError(check=broken):
            return broken
        case RulesError():
            return "move"
        case _:
            return "message"
