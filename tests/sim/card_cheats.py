"""Cheats with cards: proofs that are damaged, borrowed, or flawless proofs of something else."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from p2pcoup.deck import Deck, Pair, Point, Randomness
from p2pcoup.deck.group import add, multiply, multiply_base, reduce_scalar
from p2pcoup.table.rounds import Context
from p2pcoup.wire import Kind
from tests.sim.forgery import Forgery, Moment, cheat

PART = 32  # bytes of a point, a scalar, a digest

SHARED = frozenset({Kind.SHARES, Kind.OPEN, Kind.LEAVE, Kind.FLAGS})
"""Kinds that begin with shares."""
MOVED = frozenset(
    {
        Kind.SHUFFLE,
        Kind.EXCHANGE,
        Kind.PICK,
        Kind.SHOW,
        Kind.GIVE_BACK,
        Kind.DEDUCT,
        Kind.MIX,
    }
)
"""Kinds that begin with cards."""
PROVEN = SHARED | MOVED | {Kind.KEY}
"""Kinds whose whole body is cards, shares or a key, and a proof."""


def _bytes_of(moment: Moment) -> bytes:
    (data,) = moment.body
    assert isinstance(data, bytes)
    return data


def _changed(moment: Moment, data: bytes) -> Forgery | None:
    return Forgery(moment.kind, (data,)) if data != _bytes_of(moment) and data else None


# --- damaged --------------------------------------------------------------------------------------


@cheat("flip-field", PROVEN)
def flip_field(moment: Moment) -> Forgery | None:
    """One bit of one point or scalar is changed (attack 18)."""
    data = bytearray(_bytes_of(moment))
    data[moment.luck.randrange(len(data))] ^= 1 << moment.luck.randrange(8)
    return _changed(moment, bytes(data))


@cheat("swap-fields", PROVEN)
def swap_fields(moment: Moment) -> Forgery | None:
    """Two fields change places."""
    data = _bytes_of(moment)
    parts = [data[at : at + PART] for at in range(0, len(data), PART)]
    one, other = moment.luck.sample(range(len(parts)), 2)
    parts[one], parts[other] = parts[other], parts[one]
    return _changed(moment, b"".join(parts))


@cheat("wrong-length", PROVEN)
def wrong_length(moment: Moment) -> Forgery | None:
    """A field is missing or there is one too many."""
    data = _bytes_of(moment)
    return _changed(moment, moment.luck.choice((data[:-PART], data[PART:], data + data[-PART:])))


# --- borrowed -------------------------------------------------------------------------------------


@cheat("other-place", PROVEN)
def other_place(moment: Moment) -> Forgery | None:
    """The true statement, proven for another game, round or course of the game (attack 5)."""
    context = moment.speaker.context
    elsewhere: Context = moment.luck.choice(
        (
            replace(context, game=moment.luck.randbytes(32)),
            replace(context, round=context.round + 1),
            replace(context, parent=moment.luck.randbytes(32)),
        )
    )
    body = moment.said_by(replace(moment.speaker, context=elsewhere))
    return None if body is None or body == moment.body else Forgery(moment.kind, body)


@cheat("copied-proof", PROVEN)
def copied_proof(moment: Moment) -> Forgery | None:
    """What this or another seat said in another round (attacks 5 and 6)."""
    bodies = [
        signed.message.body
        for signed in moment.table.transcript()
        if signed.message.kind is moment.kind and signed.message.body != moment.body
    ]
    return Forgery(moment.kind, moment.luck.choice(bodies)) if bodies else None


@cheat("other-key", frozenset({Kind.KEY}))
def other_key(moment: Moment) -> Forgery | None:
    """The card key of another seat with the own proof (attack 3)."""
    data = _bytes_of(moment)
    theirs = [
        signed.message.body[0]
        for signed in moment.table.transcript()
        if signed.message.kind is Kind.KEY
    ]
    keys = [field[:PART] for field in theirs if isinstance(field, bytes)]
    return _changed(moment, moment.luck.choice(keys) + data[PART:]) if keys else None


# --- something else -------------------------------------------------------------------------------


def _with_point(moment: Moment, point: Point) -> Forgery | None:
    """The message with one of its first points replaced, the proof kept."""
    data = _bytes_of(moment)
    at = PART * moment.luck.randrange(2 if moment.kind in MOVED else 1)
    return _changed(moment, data[:at] + point + data[at + PART :])


@cheat("other-share", SHARED)
def other_share(moment: Moment) -> Forgery | None:
    """The share of a pair that nobody has asked for: of the Court, or of a hand (attack 10)."""
    deck = moment.deck
    if deck is None:
        return None
    hands = [pair for seat in deck.hands for pair in deck.face_down(seat)]
    pairs = [pair for pair in (*deck.court, *hands) if any(pair.U)]
    if not pairs:
        return None
    base = moment.luck.choice(pairs).U
    return _with_point(moment, multiply(moment.speaker.secrets.key, base))


@cheat("other-card", MOVED | {Kind.OPEN})
def other_card(moment: Moment) -> Forgery | None:
    """A card of the message becomes another: one of somebody's hand, or an open one (attack 9)."""
    deck = moment.deck
    if deck is None:
        return None
    hands = [point for seat in deck.hands for pair in deck.face_down(seat) for point in pair]
    return _with_point(moment, moment.luck.choice((*hands, *deck.plaintexts)))


@cheat("false-statement", MOVED | SHARED)
def false_statement(moment: Moment) -> Forgery | None:
    """A flawless proof, but over other cards in the own hand and in the Court (attacks 14, 15)."""
    game = moment.table.game
    if game.deck is None:
        return None
    honest, game.deck = game.deck, _doctored(moment, game.deck)
    try:
        body = moment.said_by(moment.speaker)
    finally:
        game.deck = honest
    return None if body is None or body == moment.body else Forgery(moment.kind, body)


def _doctored(moment: Moment, deck: Deck) -> Deck:
    """The deck with cards of the cheat's choice in its hand, beside it and in the Court."""
    seat = moment.speaker.context.seat
    wishes = _wishes(moment, deck)
    hand = tuple(pair if pair is None else next(wishes) for pair in deck.hands.get(seat, ()))
    drawn = tuple(next(wishes) for _ in deck.drawn.get(seat, ()))
    own = next(wishes)
    common = Pair(own.U, add(own.V, multiply(moment.speaker.secrets.key, deck.joint_key)))
    return replace(
        deck,
        hands=MappingProxyType({**deck.hands, seat: hand}),
        drawn=MappingProxyType({**deck.drawn, seat: drawn} if drawn else dict(deck.drawn)),
        court=(common, *deck.court[1:]),
    )


def _wishes(moment: Moment, deck: Deck) -> Iterator[Pair]:
    """Cards as the cheat would like them, under its own key: well made, but out of nothing."""
    secret = moment.speaker.secrets.key
    randomness = Randomness(moment.luck.randbytes(32))
    while True:
        blinding = randomness.scalar()
        wish = moment.luck.choice(deck.plaintexts)
        locked = add(wish, multiply_base(reduce_scalar(blinding * secret)))
        yield Pair(multiply_base(blinding), locked)
