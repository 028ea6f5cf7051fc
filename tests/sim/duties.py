"""When a peer that hears something false must blame its signer.

Not every false message can be judged: of a round that is not reached yet nothing is known, of one
that is closed without the signer nothing is left, and who is out of the game is not listened to.
What a peer hears in time, it must blame; what contradicts a message that it has accepted, at any
time.
"""

from p2pcoup.rules import Seat
from p2pcoup.table import Table
from p2pcoup.table.judge import signature_flaw
from p2pcoup.wire import SignedMessage, WireError, parse
from tests.sim.forgery import STATEMENTS
from tests.sim.inside import MOST_FAULTS, all_rounds, open_round
from tests.sim.record import Duty, Lie, Record, Witness


def note_duty(table: Table, raw: bytes, witness: Witness, record: Record) -> None:
    """Enter the duty, if any, that comes with bytes about to be given to an honest table."""
    if not record.lies:
        return
    try:
        signed = parse(raw)
    except WireError:
        return
    seat = Seat(signed.message.seat)
    if seat not in record.cheats or signature_flaw(table.game, signed) is not None:
        return
    lies = [lie for lie in record.lies if raw in lie.raws]
    if _contradicts(table, signed):
        witness.duties.append(Duty(seat, raw, "contradicts what it has said before"))
    elif _in_time(table, signed):
        told = [lie for lie in lies if lie.false and _is_complete(table, lie, raw)]
        witness.duties += [Duty(seat, raw, lie.cheat) for lie in told]


def _is_complete(table: Table, lie: Lie, raw: bytes) -> bool:
    """Whether the table has all else that proves the lie together with these bytes."""
    held = {signed.raw for signed in open_round(table).everything()}
    return held >= set(lie.raws) - {raw}


def _contradicts(table: Table, signed: SignedMessage) -> bool:
    message = signed.message
    if message.kind in STATEMENTS or message.round > table.round:
        return False
    at = all_rounds(table)[message.round]
    known = at.messages.get(Seat(message.seat))
    return known is not None and known.raw != signed.raw and at.parent == message.parent


def _in_time(table: Table, signed: SignedMessage) -> bool:
    """Whether the table can judge the message now."""
    message, now = signed.message, open_round(table)
    seat = Seat(message.seat)
    if message.round != table.round or message.parent != now.parent or table.outcome is not None:
        return False
    if seat in table.game.lost:
        return False
    if message.kind in STATEMENTS:
        return True
    return seat not in now.messages and now.faults[seat] < MOST_FAULTS
