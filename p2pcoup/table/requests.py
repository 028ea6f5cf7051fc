"""What the rules ask of the cards, as rounds of the script (SPEC 8.7, 8.9).

Each request of the rules is served by steps of the deck, one message each; the rules are then told
the fact that follows.
"""

from collections.abc import Sequence
from typing import assert_never

from p2pcoup import deck as cards
from p2pcoup.deck import Deck, Pair, Point
from p2pcoup.rules import (
    Deal,
    Dealt,
    Draw,
    Drew,
    Open,
    Opened,
    Redraw,
    Redrawn,
    Replace,
    Replaced,
    Request,
    Seat,
    Shown,
    ShowTo,
    Shuffle,
    Shuffled,
    apply,
)
from p2pcoup.table.game import Game, ShownCard
from p2pcoup.table.rounds import (
    Body,
    Context,
    Script,
    Speaker,
    one_bytes,
    speak,
    speak_alone,
)
from p2pcoup.wire import Kind


def serve(game: Game, request: Request) -> Script[None]:
    """Do what the rules ask of the cards and tell them the fact."""
    match request:
        case Open(seat, slots):
            yield from open_cards(game, seat, slots)
        case Replace(seat, slot, shown):
            kind = game.terms.edition.characters.index(shown)
            game.deck = cards.with_returned(game.cards, kind)
            yield from shuffle_court(game)
            yield from draw(game, [cards.Draw(seat, slot)])
            game.apply(Replaced(seat))
        case Draw(seat, count):
            yield from draw(game, [cards.Draw(seat, None)] * count)
            game.apply(Drew(seat))
        case Shuffle():
            yield from shuffle_court(game)
            game.apply(Shuffled())
        case Deal(count):
            yield from deal(game, game.playing.order, count)
            game.apply(Dealt())
        case ShowTo(seat, slot, examiner):
            yield from show_to(game, seat, slot, examiner)
            game.apply(Shown(seat))
        case Redraw(seat, slot):
            yield from draw(game, [cards.Draw(seat, None)])
            held = game.cards
            yield from give_back(game, seat, slot)
            settled = game.cards
            yield from shuffle_court(game)
            game.exchanged.append((seat, held, settled))
            game.apply(Redrawn(seat))
        case _:
            assert_never(request)


def open_cards(game: Game, seat: Seat, slots: Sequence[int]) -> Script[None]:
    """The seat turns cards up, with the proof that they are what it says (SPEC 7.6)."""

    def turn_up(me: Speaker) -> Body:
        secret = me.secrets.key
        return (cards.open_cards(game.cards, seat, secret, slots, me.domain, me.randomness),)

    def turned_up(context: Context, body: Body) -> tuple[Deck, Opened]:
        deck, kinds = cards.opened(game.cards, seat, slots, context.domain, one_bytes(body))
        fact = Opened(seat, tuple(game.terms.edition.characters[kind] for kind in kinds))
        apply(game.playing, fact)  # refuses another card than the one claimed
        return deck, fact

    game.deck, fact = yield from speak_alone(Kind.OPEN, seat, say=turn_up, hear=turned_up)
    game.apply(fact)


def show_to(game: Game, seat: Seat, slot: int, reader: Seat) -> Script[None]:
    """The seat shows a card to one other seat alone (SPEC 7.10, R52)."""

    def show(me: Speaker) -> Body:
        secret = me.secrets.key
        return (cards.show_to(game.cards, seat, secret, slot, reader, me.domain, me.randomness),)

    def shown(context: Context, body: Body) -> tuple[Deck, Pair]:
        return cards.shown_to(game.cards, seat, slot, reader, context.domain, one_bytes(body))

    game.deck, pair = yield from speak_alone(Kind.SHOW, seat, say=show, hear=shown)
    game.shown.append(ShownCard(len(game.happened), seat, slot, reader, pair))


def give_back(game: Game, seat: Seat, slot: int) -> Script[None]:
    """The card just drawn takes the place of the one in the slot, which returns to the Court
    unseen (SPEC 7.12, R53).
    """
    game.deck = yield from speak_alone(
        Kind.GIVE_BACK,
        seat,
        say=lambda me: (
            cards.give_back(game.cards, seat, me.secrets.key, slot, me.domain, me.randomness),
        ),
        hear=lambda context, body: cards.given_back(
            game.cards, seat, slot, context.domain, one_bytes(body)
        ),
    )


def deal(game: Game, order: Sequence[Seat], count: int) -> Script[None]:
    """The Court is shuffled, then so many cards go round the table, one at a time, into the last
    slots of each hand (SPEC 8.7, R4).
    """
    yield from shuffle_court(game)
    size = game.terms.edition.hand_size
    slots = range(size - count, size)
    readers = [seat for seat in order if seat in game.cards.keys]
    yield from draw(game, [cards.Draw(seat, slot) for slot in slots for seat in readers])


def shuffle_court(game: Game) -> Script[None]:
    """Every seat still in shuffles the Court in turn; one honest shuffler is enough (SPEC 7.3)."""
    for seat in game.holders:
        game.deck = yield from speak_alone(
            Kind.SHUFFLE,
            seat,
            say=lambda me: (cards.shuffle(game.cards, me.domain, me.randomness),),
            hear=lambda context, body: cards.shuffled(game.cards, context.domain, one_bytes(body)),
        )


def draw(game: Game, draws: Sequence[cards.Draw]) -> Script[None]:
    """The top cards go to their readers: all the others give their shares (SPEC 7.4, 7.5)."""
    deck = game.cards
    givers = [seat for seat in game.holders if any(reader != seat for reader, _ in draws)]

    def give(me: Speaker) -> Body:
        seat, secret = me.context.seat, me.secrets.key
        return (cards.give_shares(deck, seat, secret, draws, me.domain, me.randomness),)

    def given(context: Context, body: Body) -> tuple[Point, ...]:
        return cards.check_shares(deck, context.seat, draws, context.domain, one_bytes(body))

    shares = yield from speak(Kind.SHARES, givers, say=give, hear=given)
    game.deck = cards.draw(deck, draws, shares)
