"""Going on without seats that are lost, as rounds of the script (SPEC 8.14).

A lost seat is eliminated (D25): its face-down cards return to the Court unseen. Nobody has its key,
so the survivors make a new Court of all cards that none of them holds. A card it has shown to prove
a claim was on its way to the Court and goes there too (R34).
"""

from p2pcoup import deck as cards
from p2pcoup.deck import Deck, Deducting, Mixing, Point, Revealing
from p2pcoup.rules import Lost, Replace, Seat
from p2pcoup.table.game import Game
from p2pcoup.table.rounds import (
    Body,
    Context,
    Script,
    SeatsLostError,
    Speaker,
    one_bytes,
    speak,
    speak_alone,
)
from p2pcoup.wire import Kind


def go_on_without_lost(game: Game) -> Script[None]:
    """Tell the rules who is lost, and take their keys off the Court (SPEC 8.14)."""
    while True:
        for seat in sorted(game.lost.intersection(game.playing.living)):
            _return_shown(game, seat)
            game.apply(Lost(seat))
            if game.playing.outcome is not None:
                return
        locking = game.lost.intersection(game.holders)
        if not locking:
            return
        try:
            game.deck = yield from recover(game, sorted(locking))
        except SeatsLostError:
            continue  # begun again, without these too


def _return_shown(game: Game, seat: Seat) -> None:
    """Put back into the Court what the seat has shown and did not come to swap (SPEC 7.7)."""
    for step in game.playing.agenda:
        if isinstance(step, Replace) and step.seat == seat:
            kind = game.terms.edition.characters.index(step.shown)
            game.deck = cards.with_returned(game.cards, kind)


def recover(game: Game, lost: list[Seat]) -> Script[Deck]:
    """The survivors rebuild the Court without the keys of the lost (SPEC 7.13)."""
    deducting = cards.begin_recovery(game.cards, lost)
    for seat in deducting.waiting:
        deducting = yield from _deduct(deducting, Seat(seat))
    mixing = deducting.mixing()
    for seat in mixing.waiting:
        mixing = yield from _mix(mixing, Seat(seat))
    return (yield from _reveal(mixing.revealing()))


def _deduct(phase: Deducting, seat: Seat) -> Script[Deducting]:
    """The seat takes the cards it holds out of what is left, without showing which they are."""

    def deduct(me: Speaker) -> Body:
        return (cards.deduct(phase, seat, me.secrets.key, me.domain, me.randomness),)

    def deducted(context: Context, body: Body) -> Deducting:
        return cards.deducted(phase, seat, context.domain, one_bytes(body))

    return (yield from speak_alone(Kind.DEDUCT, seat, say=deduct, hear=deducted))


def _mix(phase: Mixing, seat: Seat) -> Script[Mixing]:
    """The seat shuffles what is left together with the flags that say what is."""

    def mix(me: Speaker) -> Body:
        return (cards.mix(phase, seat, me.domain, me.randomness),)

    def mixed(context: Context, body: Body) -> Mixing:
        return cards.mixed(phase, seat, context.domain, one_bytes(body))

    return (yield from speak_alone(Kind.MIX, seat, say=mix, hear=mixed))


def _reveal(phase: Revealing) -> Script[Deck]:
    """All open the flags; the cards whose flag is set are the new Court, still face down."""

    def give(me: Speaker) -> Body:
        seat, secret = me.context.seat, me.secrets.key
        return (cards.give_flags(phase, seat, secret, me.domain, me.randomness),)

    def given(context: Context, body: Body) -> tuple[Point, ...]:
        return cards.check_flags(phase, context.seat, context.domain, one_bytes(body))

    speakers = [Seat(seat) for seat in phase.speakers]
    shares = yield from speak(Kind.FLAGS, speakers, say=give, hear=given)
    return cards.recovered(phase, shares)
