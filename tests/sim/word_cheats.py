"""Cheats with words: seals, openings, moves, results, and second signatures."""

from dataclasses import replace

from p2pcoup.deck import Randomness
from p2pcoup.rules import RulesError, apply, legal_moves, move_to_text, parse_move
from p2pcoup.table.rounds import Body
from p2pcoup.table.secrets import Secrets
from p2pcoup.wire import Kind
from tests.sim.card_cheats import PART, PROVEN
from tests.sim.forgery import STATEMENTS, Forgery, Moment, Way, cheat
from tests.sim.inside import open_round

SEALED = frozenset({Kind.JOIN, Kind.SEAL})
OPENED = frozenset({Kind.COIN, Kind.UNSEAL})
MOVES = frozenset({Kind.DECIDE, Kind.UNSEAL})
KNOWN = frozenset(Kind) - SEALED - frozenset(STATEMENTS)
"""Kinds of which everybody can tell at once whether they are right."""


# --- commitments ----------------------------------------------------------------------------------


@cheat("unopenable-seal", SEALED)
def unopenable_seal(moment: Moment) -> Forgery | None:
    """A commitment that cannot be opened, or that of another seat (attack 6)."""
    *rest, own = moment.body
    others = [
        signed.message.body[-1]
        for signed in open_round(moment.table).messages.values()
        if signed.message.kind is moment.kind
    ]
    seal = moment.luck.choice((moment.luck.randbytes(PART), *others))
    if seal == own:
        return None
    return Forgery(moment.kind, (*rest, seal), false=False, ways=(Way.OWN,))


@cheat("wrong-opening", OPENED)
def wrong_opening(moment: Moment) -> Forgery | None:
    """Another value than was committed to, or another salt (attack 7)."""
    value, salt = moment.body
    if moment.luck.random() < 0.5:
        return Forgery(moment.kind, (value, moment.luck.randbytes(PART)))
    if moment.kind is Kind.COIN:
        return Forgery(moment.kind, (moment.luck.randbytes(PART), salt))
    other = _another_legal_move(moment)
    return None if other is None else Forgery(moment.kind, (other, salt))


# --- moves and results ----------------------------------------------------------------------------


def _another_legal_move(moment: Moment) -> str | None:
    state = moment.table.game.playing
    said = moment.body[0] if moment.kind in MOVES else None
    texts = [move_to_text(move) for move in legal_moves(state, moment.speaker.context.seat)]
    others = [text for text in texts if text != said]
    return moment.luck.choice(others) if others else None


@cheat("illegal-move", frozenset({Kind.DECIDE}))
def illegal_move(moment: Moment) -> Forgery | None:
    """A move that is not legal now, is another seat's, or is no move at all."""
    seats = moment.table.terms.seats
    verbs = ("income", "coup", "tax", "steal", "assassinate", "pass", "challenge", "lose 0", "show")
    seat, target = moment.luck.choice(seats), moment.luck.choice(seats)
    verb = moment.luck.choice(verbs)
    text = moment.luck.choice((f"{seat} {verb}", f"{seat} {verb} {target}", "I win", f"{seat}"))
    return None if _is_legal(moment, text) else Forgery(moment.kind, (text,))


def _is_legal(moment: Moment, text: str) -> bool:
    try:
        move = parse_move(moment.table.terms.edition, text)
        apply(moment.table.game.playing, move)
    except RulesError:
        return False
    return move.seat == moment.speaker.context.seat


@cheat("wrong-kind", KNOWN)
def wrong_kind(moment: Moment) -> Forgery | None:
    """A message of another kind than the round wants."""
    others = [
        signed.message
        for signed in moment.table.transcript()
        if signed.message.kind not in (moment.kind, *STATEMENTS)
    ]
    if not others:
        return None
    other = moment.luck.choice(others)
    return Forgery(other.kind, other.body)


@cheat("false-result", frozenset({Kind.RESULT}))
def false_result(moment: Moment) -> Forgery | None:
    """Somebody else has won."""
    texts = [f"winner {seat}" for seat in moment.table.terms.seats]
    return Forgery(moment.kind, (moment.luck.choice([t for t in texts if (t,) != moment.body]),))


# --- second signatures ----------------------------------------------------------------------------


class OtherSecrets(Secrets):
    """The same key and coin, other randomness: honest messages that are not the same bytes."""

    __slots__ = ("_pepper",)

    def __init__(self, like: Secrets, pepper: bytes) -> None:
        self._root = like._root
        self._pepper = pepper

    def randomness(self, domain: bytes, choice: bytes) -> Randomness:
        """Not what the seat would use otherwise."""
        return super().randomness(domain, choice + self._pepper)


@cheat("second-signature", PROVEN | {Kind.DECIDE})
def second_signature(moment: Moment) -> Forgery | None:
    """Two messages for one place that are each flawless: other randomness, another move
    (attack 8).
    """
    if moment.kind is Kind.DECIDE:
        text = _another_legal_move(moment)
        body: Body | None = None if text is None else (text,)
    else:
        secrets = OtherSecrets(moment.speaker.secrets, moment.luck.randbytes(8))
        body = moment.said_by(replace(moment.speaker, secrets=secrets))
    if body is None or body == moment.body:
        return None
    return Forgery(moment.kind, body, false=False, ways=(Way.AFTER, Way.SPLIT))
