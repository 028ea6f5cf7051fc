"""The game as a script, from the first signature to the last (SPEC 8).

The same lines run in a player, a spectator and the auditor. Each ``yield from speak(...)`` is one
round: what a speaker says stands beside how everybody checks it. Only ``say`` touches secrets, and
it runs for our own seat alone. How decisions are made is in :mod:`~p2pcoup.table.decisions`, what
the rules ask of the cards in :mod:`~p2pcoup.table.requests`.
"""

import hashlib
from collections.abc import Iterable, Sequence

from p2pcoup import deck as cards
from p2pcoup.deck import Point, Randomness
from p2pcoup.rules import Character, Outcome, Seat, Setup, outcome_to_text, start
from p2pcoup.table.decisions import decide
from p2pcoup.table.game import Game
from p2pcoup.table.losses import go_on_without_lost
from p2pcoup.table.requests import deal, serve
from p2pcoup.table.rounds import (
    COIN_LABEL,
    Body,
    Context,
    Script,
    SeatsLostError,
    Speaker,
    Violation,
    check_seal,
    one_bytes,
    one_text,
    seal_coin,
    speak,
    speak_alone,
    two_bytes,
)
from p2pcoup.table.tally import check_tally
from p2pcoup.wire import Kind, encode, peer_id

FLIP_LABEL = "p2pcoup joint flip"


def play(game: Game) -> Script[Outcome]:
    """One whole game: take seats, agree on keys, shuffle, deal, play, sign the result."""
    terms = game.terms
    order, starter = yield from take_seats(game)
    yield from lay_out_cards(game, order)
    game.state = start(terms.edition, len(order), order, starter, terms.options)
    yield from go_on_without_lost(game)
    while (outcome := game.playing.outcome) is None:
        check_tally(game)
        before = game.cards
        try:
            yield from take_step(game)
        except SeatsLostError:
            game.take_back(before)
        yield from see_off(game)
        yield from go_on_without_lost(game)
    yield from sign_result(game, outcome)
    return outcome


def take_step(game: Game) -> Script[None]:
    """The next thing the rules wait for; a loss that makes it void leaves them as they were."""
    request = game.playing.request
    if request is None:
        yield from decide(game)
    else:
        yield from serve(game, request)


# --- before the first turn (SPEC 8.4, 8.5) --------------------------------------------------------


def take_seats(game: Game) -> Script[tuple[tuple[Seat, ...], Seat]]:
    """Everybody joins and a joint coin flip fixes the clockwise order and who starts (SPEC 8.4).

    A flip is committed to before any is opened, so none can depend on another. In a later game of
    a match the order stays and the winner starts (R7); its coins only make the game unlike others.
    """

    def join(me: Speaker) -> Body:
        return me.public_key, seal_coin(me.context, me.secrets)

    def joined(context: Context, body: Body) -> tuple[Context, bytes]:
        public_key, commitment = two_bytes(body)
        if peer_id(public_key) != game.terms.roster[context.seat].peer:
            raise Violation("identity", "The key does not belong to the peer the roster names.")
        game.public_keys[context.seat] = public_key
        return context, commitment

    def show_coin(me: Speaker) -> Body:
        context, _ = joins[me.context.seat]
        return me.secrets.coin, me.secrets.salt(context.domain)

    def coin_shown(context: Context, body: Body) -> bytes:
        coin, salt = two_bytes(body)
        check_seal(joins[context.seat], COIN_LABEL, coin, salt)
        return coin

    joins = yield from speak(Kind.JOIN, game.terms.seats, say=join, hear=joined, partly=True)
    coins = yield from speak(Kind.COIN, joins, say=show_coin, hear=coin_shown, partly=True)
    if game.terms.sequel is not None:
        return game.terms.sequel.order, game.terms.sequel.starter
    flip = Randomness(joint_flip(coins.values()))
    seats = game.terms.seats
    order = tuple(seats[place] for place in flip.fork("order").permutation(len(seats)))
    return order, order[flip.fork("starter").permutation(len(seats))[0]]


def lay_out_cards(game: Game, order: Sequence[Seat]) -> Script[None]:
    """Keys, and unless the players pick first, the deal. Begun again when a seat is lost: nobody
    has seen a card yet, so that is all there is to recover.
    """
    while len(game.present) > 1:
        try:
            yield from agree_on_keys(game)
            if game.terms.options.setup is Setup.STANDARD:
                yield from deal(game, order, game.terms.edition.hand_size)
        except SeatsLostError:
            game.deck = None
        else:
            return


def agree_on_keys(game: Game) -> Script[None]:
    """Every seat publishes its key for this game's cards with a proof of knowledge (SPEC 8.5).

    One after the other, so that of two equal keys, or of keys that cancel out, it is the later
    seat that is refused, at every peer alike.
    """
    edition = game.terms.edition
    plaintexts = cards.card_plaintexts([character.name for character in edition.characters])
    kinds = [edition.characters.index(card) for card in first_court(game)]
    keys: dict[int, Point] = {}
    seats = game.present

    def say_key(me: Speaker) -> Body:
        return (cards.prove_key(me.domain, me.secrets.key, me.randomness),)

    def key_heard(context: Context, body: Body) -> Point:
        key = cards.check_key(context.domain, one_bytes(body))
        if key in keys.values():
            raise Violation("keys", f"Seat {context.seat} has the card key of another seat.")
        if context.seat == seats[-1]:
            cards.new_deck(plaintexts, kinds, {**keys, context.seat: key})  # refuses an open deck
        return key

    for seat in seats:
        keys[seat] = yield from speak_alone(Kind.KEY, seat, say=say_key, hear=key_heard)
    game.deck = cards.new_deck(plaintexts, kinds, keys, edition.hand_size)


def first_court(game: Game) -> Sequence[Character]:
    """The cards the Court begins with: all, or the set of five that nobody picks from (R43)."""
    edition = game.terms.edition
    five = game.terms.options.setup is Setup.SET_OF_FIVE
    return edition.characters if five else edition.cards()


def joint_flip(coins: Iterable[bytes]) -> bytes:
    """The seed that all coins together make, in seat order (SPEC 8.4)."""
    return hashlib.sha256(encode((FLIP_LABEL, *coins))).digest()


# --- leaving and ending (SPEC 8.10, 8.11) ---------------------------------------------------------


def see_off(game: Game) -> Script[None]:
    """A seat that is out takes its layer off the Court deck; its past stays hidden (SPEC 7.9)."""
    if game.playing.outcome is not None:
        return
    for seat in game.holders:
        if seat in game.playing.living:
            continue
        try:
            game.deck = yield from speak_alone(
                Kind.LEAVE,
                seat,
                say=lambda me: (
                    cards.leave(
                        game.cards, me.context.seat, me.secrets.key, me.domain, me.randomness
                    ),
                ),
                hear=lambda context, body: cards.left(
                    game.cards, context.seat, context.domain, one_bytes(body)
                ),
            )
        except SeatsLostError:
            continue  # gone with its layer still on: the others rebuild the Court without it


def sign_result(game: Game, outcome: Outcome) -> Script[None]:
    """Everybody who has not left signs the result; the message's parent covers all before it."""
    result = outcome_to_text(outcome)

    def agreed(_context: Context, body: Body) -> None:
        if one_text(body) != result:
            raise Violation("result", f"The result is {result!r}, not {one_text(body)!r}.")

    signers = sorted(game.members)
    yield from speak(Kind.RESULT, signers, say=lambda _me: (result,), hear=agreed, partly=True)
