"""The game as a script, from the first signature to the last (SPEC 8).

The same lines run in a player, a spectator and the auditor. Each ``yield from speak(...)`` is one
round: what a speaker says stands beside how everybody checks it. Only ``say`` touches secrets, and
it runs for our own seat alone.
"""

import hashlib
from collections.abc import Iterable, Sequence

from p2pcoup import deck as cards
from p2pcoup.deck import Deck, Point, Randomness, check_opening, commit
from p2pcoup.rules import (
    Concede,
    DecisionKind,
    Draw,
    Drew,
    Keep,
    Move,
    Open,
    Opened,
    Outcome,
    Replace,
    Replaced,
    Request,
    Seat,
    Shuffle,
    Shuffled,
    apply,
    legal_moves,
    move_to_text,
    parse_move,
    pending,
    start,
)
from p2pcoup.table.game import Game
from p2pcoup.table.rounds import (
    Body,
    Context,
    Script,
    Speaker,
    Violation,
    one_bytes,
    one_text,
    speak,
    speak_alone,
    text_and_bytes,
    two_bytes,
)
from p2pcoup.wire import Kind, encode, peer_id

FLIP_LABEL = "p2pcoup joint flip"
COIN_LABEL = "coin"
ANSWER_LABEL = "answer"


def play(game: Game) -> Script[Outcome]:
    """One whole game: take seats, agree on keys, shuffle, deal, play, sign the result."""
    order, starter = yield from take_seats(game)
    yield from agree_on_keys(game)
    yield from shuffle_court(game)
    yield from deal(game, order, starter)
    while (outcome := game.playing.outcome) is None:
        request = game.playing.request
        if request is None:
            yield from decide(game)
        else:
            yield from serve(game, request)
        yield from see_off(game)
    yield from sign_result(game, outcome)
    return outcome


# --- before the first turn (SPEC 8.4 to 8.7) ------------------------------------------------------


def take_seats(game: Game) -> Script[tuple[tuple[Seat, ...], Seat]]:
    """Everybody joins and a joint coin flip fixes the clockwise order and who starts (SPEC 8.4).

    A flip is committed to before any is opened, so none can depend on another.
    """

    def join(me: Speaker) -> Body:
        coin = me.secrets.coin
        return me.public_key, _seal(me.context, COIN_LABEL, coin, me.salt)

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
        _unseal(joins[context.seat], COIN_LABEL, coin, salt)
        return coin

    joins = yield from speak(Kind.JOIN, game.terms.seats, say=join, hear=joined)
    coins = yield from speak(Kind.COIN, game.terms.seats, say=show_coin, hear=coin_shown)
    flip = Randomness(joint_flip(coins.values()))
    seats = game.terms.seats
    order = tuple(seats[place] for place in flip.fork("order").permutation(len(seats)))
    return order, order[flip.fork("starter").permutation(len(seats))[0]]


def agree_on_keys(game: Game) -> Script[None]:
    """Every seat publishes its key for this game's cards with a proof of knowledge (SPEC 8.5).

    One after the other, so that of two equal keys, or of keys that cancel out, it is the later
    seat that is refused, at every peer alike.
    """
    edition = game.terms.edition
    plaintexts = cards.card_plaintexts([character.name for character in edition.characters])
    kinds = [edition.characters.index(card) for card in edition.cards()]
    keys: dict[int, Point] = {}

    def say_key(me: Speaker) -> Body:
        return (cards.prove_key(me.domain, me.secrets.key, me.randomness),)

    def key_heard(context: Context, body: Body) -> Point:
        key = cards.check_key(context.domain, one_bytes(body))
        if key in keys.values():
            raise Violation("keys", f"Seat {context.seat} has the card key of another seat.")
        if len(keys) + 1 == len(game.terms.seats):
            cards.new_deck(plaintexts, kinds, {**keys, context.seat: key})  # refuses an open deck
        return key

    for seat in game.terms.seats:
        keys[seat] = yield from speak_alone(Kind.KEY, seat, say=say_key, hear=key_heard)
    game.deck = cards.new_deck(plaintexts, kinds, keys, edition.hand_size)


def deal(game: Game, order: Sequence[Seat], starter: Seat) -> Script[None]:
    """The top cards go round the table one at a time, until every hand is full (SPEC 8.7, R4)."""
    edition = game.terms.edition
    rounds = range(edition.hand_size)
    yield from draw(game, [cards.Draw(seat, slot) for slot in rounds for seat in order])
    game.state = start(edition, len(order), order, starter)


# --- decisions (SPEC 8.8) -------------------------------------------------------------------------


def decide(game: Game) -> Script[None]:
    """Whoever the rules wait for decides: alone in the open, several sealed and then opened."""
    decisions = pending(game.playing)
    if len(decisions) > 1:
        yield from answer_sealed(game, [decision.seat for decision in decisions])
    elif decisions[0].kind is DecisionKind.KEEP:
        yield from exchange(game, decisions[0].seat)
    else:
        move = yield from speak_alone(
            Kind.DECIDE,
            decisions[0].seat,
            say=lambda me: (move_to_text(me.chosen),),
            hear=lambda context, body: _legal_move(game, context, one_text(body)),
            asks=True,
        )
        game.apply(move)


def answer_sealed(game: Game, seats: Sequence[Seat]) -> Script[None]:
    """A challenge or block window: all answers are committed to, then opened together (D11).

    Nobody sees another's answer before giving their own, and the fastest link has no advantage.
    """

    def seal(me: Speaker) -> Body:
        return (_seal(me.context, ANSWER_LABEL, move_to_text(me.chosen).encode(), me.salt),)

    def sealed(context: Context, body: Body) -> tuple[Context, bytes]:
        return context, one_bytes(body)

    def unseal(me: Speaker) -> Body:
        context, commitment = seals[me.context.seat]
        salt = me.secrets.salt(context.domain)
        # After a crash only the journal is left, and it holds nothing secret: the answer is found
        # again as the one that fits our own commitment.
        for move in (*legal_moves(game.playing, context.seat), Concede(context.seat)):
            text = move_to_text(move)
            if _seal(context, ANSWER_LABEL, text.encode(), salt) == commitment:
                return text, salt
        raise RuntimeError("our own sealed answer fits no legal move; the game secret is another's")

    def unsealed(context: Context, body: Body) -> Move:
        text, salt = text_and_bytes(body)
        _unseal(seals[context.seat], ANSWER_LABEL, text.encode(), salt)
        return _legal_move(game, context, text)

    seals = yield from speak(Kind.SEAL, seats, say=seal, hear=sealed, asks=True)
    moves = yield from speak(Kind.UNSEAL, seats, say=unseal, hear=unsealed)
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


# --- what the rules ask of the cards (SPEC 8.9) ---------------------------------------------------


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


# --- leaving and ending (SPEC 8.10, 8.11) ---------------------------------------------------------


def see_off(game: Game) -> Script[None]:
    """A seat that is out takes its layer off the Court deck; its past stays hidden (SPEC 7.9)."""
    if game.playing.outcome is not None:
        return
    for seat in game.holders:
        if seat in game.playing.living:
            continue
        game.deck = yield from speak_alone(
            Kind.LEAVE,
            seat,
            say=lambda me: (
                cards.leave(game.cards, me.context.seat, me.secrets.key, me.domain, me.randomness),
            ),
            hear=lambda context, body: cards.left(
                game.cards, context.seat, context.domain, one_bytes(body)
            ),
        )


def sign_result(game: Game, outcome: Outcome) -> Script[None]:
    """Everybody who has not left signs the result; the message's parent covers all before it."""
    result = result_text(outcome)

    def agreed(_context: Context, body: Body) -> None:
        if one_text(body) != result:
            raise Violation("result", f"The result is {result!r}, not {one_text(body)!r}.")

    yield from speak(Kind.RESULT, game.holders, say=lambda _me: (result,), hear=agreed)


def result_text(outcome: Outcome) -> str:
    """The result as it is signed: ``winner 2``."""
    return f"winner {outcome.winner}"


# --- small parts ----------------------------------------------------------------------------------


def _legal_move(game: Game, context: Context, text: str) -> Move:
    """The move a message states, if it is the sender's and legal now."""
    move = parse_move(game.terms.edition, text)
    if move.seat != context.seat:
        raise Violation("move", f"Seat {context.seat} spoke for seat {move.seat}.")
    apply(game.playing, move)
    return move


def _seal(context: Context, label: str, value: bytes, salt: bytes) -> bytes:
    return commit(label, context.game, context.round, context.seat, value, salt)


def _unseal(sealed: tuple[Context, bytes], label: str, value: bytes, salt: bytes) -> None:
    """Raise ProofError unless the commitment, made in that place, was to this value."""
    context, commitment = sealed
    place = (context.game, context.round, context.seat)
    check_opening(commitment, label, *place, value, salt)


def joint_flip(coins: Iterable[bytes]) -> bytes:
    """The seed that all coins together make, in seat order (SPEC 8.4)."""
    return hashlib.sha256(encode((FLIP_LABEL, *coins))).digest()
