"""Decisions of the players, as rounds of the script (SPEC 8.8).

Whoever the rules wait for decides: alone in the open; several in a window sealed, then opened
together; and where the cards themselves must stay unseen, by a proof of the deck.
"""

from collections.abc import Sequence

from p2pcoup import deck as cards
from p2pcoup.rules import (
    Concede,
    DecisionKind,
    Keep,
    Move,
    Pick,
    Seat,
    apply,
    legal_moves,
    move_to_text,
    parse_move,
    pending,
)
from p2pcoup.table.game import Game
from p2pcoup.table.rounds import (
    Body,
    Context,
    Script,
    Speaker,
    Violation,
    check_seal,
    one_bytes,
    one_text,
    seal_value,
    speak,
    speak_alone,
    text_and_bytes,
)
from p2pcoup.wire import Kind

ANSWER_LABEL = "answer"


def decide(game: Game) -> Script[None]:
    """Whoever the rules wait for decides: alone in the open, several sealed and then opened."""
    decisions = pending(game.playing)
    seat, kind = decisions[0]
    if kind is DecisionKind.PICK:
        yield from pick(game, seat)
    elif len(decisions) > 1:
        yield from answer_sealed(game, [decision.seat for decision in decisions])
    elif kind is DecisionKind.KEEP:
        yield from exchange(game, seat)
    else:
        move = yield from speak_alone(
            Kind.DECIDE,
            seat,
            say=lambda me: (move_to_text(me.chosen),),
            hear=lambda context, body: _legal_move(game, context, one_text(body)),
            asks=True,
        )
        game.apply(move)


def pick(game: Game, seat: Seat) -> Script[None]:
    """The seat keeps one card of its own set of five; nobody learns which (SPEC 7.11, R43)."""
    characters = game.terms.edition.characters
    kinds, slot = range(len(characters)), 0

    def choose(me: Speaker) -> Body:
        character = me.chosen.character if isinstance(me.chosen, Pick) else None
        if character is None:
            raise RuntimeError("a pick needs the card to keep")
        kept = characters.index(character)
        return (cards.pick(game.cards, seat, kinds, kept, slot, me.domain, me.randomness),)

    game.deck = yield from speak_alone(
        Kind.PICK,
        seat,
        say=choose,
        hear=lambda context, body: cards.picked(
            game.cards, seat, kinds, slot, context.domain, one_bytes(body)
        ),
        asks=True,
    )
    game.picked[seat] = game.cards
    game.apply(Pick(seat, None))


def answer_sealed(game: Game, seats: Sequence[Seat]) -> Script[None]:
    """A challenge or block window: all answers are committed to, then opened together (D11).

    Nobody sees another's answer before giving their own, and the fastest link has no advantage.
    """

    def seal(me: Speaker) -> Body:
        return (seal_value(me.context, ANSWER_LABEL, move_to_text(me.chosen).encode(), me.salt),)

    def sealed(context: Context, body: Body) -> tuple[Context, bytes]:
        return context, one_bytes(body)

    def unseal(me: Speaker) -> Body:
        context, commitment = seals[me.context.seat]
        salt = me.secrets.salt(context.domain)
        # After a crash only the journal is left, and it holds nothing secret: the answer is found
        # again as the one that fits our own commitment.
        for move in (*legal_moves(game.playing, context.seat), Concede(context.seat)):
            text = move_to_text(move)
            if seal_value(context, ANSWER_LABEL, text.encode(), salt) == commitment:
                return text, salt
        raise RuntimeError("our own sealed answer fits no legal move; the game secret is another's")

    def unsealed(context: Context, body: Body) -> Move:
        text, salt = text_and_bytes(body)
        check_seal(seals[context.seat], ANSWER_LABEL, text.encode(), salt)
        return _legal_move(game, context, text)

    seals = yield from speak(Kind.SEAL, seats, say=seal, hear=sealed, asks=True, partly=True)
    moves = yield from speak(Kind.UNSEAL, seals, say=unseal, hear=unsealed, partly=True)
    for move in moves.values():
        game.apply(move)


def exchange(game: Game, seat: Seat) -> Script[None]:
    """The seat keeps what it likes of hand and drawn cards; nobody learns which (SPEC 7.8)."""

    def keep(me: Speaker) -> Body:
        kept = me.chosen.kept if isinstance(me.chosen, Keep) else None
        if kept is None:
            raise RuntimeError("an exchange needs the cards to keep")
        secret = me.secrets.key
        return (cards.exchange(game.cards, seat, secret, kept, me.domain, me.randomness),)

    before = game.cards
    game.deck = yield from speak_alone(
        Kind.EXCHANGE,
        seat,
        say=keep,
        hear=lambda context, body: cards.exchanged(before, seat, context.domain, one_bytes(body)),
        asks=True,
    )
    game.exchanged.append((seat, before, game.deck))
    game.apply(Keep(seat, None))


def _legal_move(game: Game, context: Context, text: str) -> Move:
    """The move a message states, if it is the sender's and legal now."""
    move = parse_move(game.terms.edition, text)
    if move.seat != context.seat:
        raise Violation("move", f"Seat {context.seat} spoke for seat {move.seat}.")
    apply(game.playing, move)
    return move
