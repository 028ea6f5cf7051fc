"""How a game must end: for everybody, in one way, and as the auditor finds it."""

from collections.abc import Iterator

from p2pcoup.audit import Verdict, audit
from p2pcoup.rules import Seat
from p2pcoup.table import Table
from p2pcoup.table.open_round import may_go_on
from tests.sim.course import Course

MOST_COPIES = 60  # of one message to one seat, over all links and on all occasions
CALM = 2_000  # payloads that nobody minds


def all_have_one_transcript(course: Course) -> Iterator[str]:
    """All honest peers that finish have the same bytes."""
    for witness in course.finished[1:]:
        first = course.finished[0]
        ours, theirs = first.disk.transcript or b"", witness.disk.transcript or b""
        if ours != theirs:
            excuse = course.parting(ours, theirs)
            if excuse is None:
                yield f"seats {first.seat} and {witness.seat} have different transcripts"
            else:
                course.record.excused[excuse] += 1


def the_auditor_agrees(course: Course) -> Iterator[str]:
    """Every transcript audits, with the winner that the table has told its players."""
    winners: dict[bytes, int | None] = {}
    for witness in course.finished:
        transcript = witness.disk.transcript or b""
        if transcript not in winners:
            report = audit(transcript)
            winners[transcript] = report.winner
            if report.verdict is not Verdict.VALID:
                yield f"the auditor says: {report.problem}"
        outcome = None if witness.table is None else witness.table.outcome
        told = None if outcome is None else outcome.winner
        if told != winners[transcript]:
            yield f"seat {witness.seat} was told that {told} has won, not {winners[transcript]}"


def the_game_ends(course: Course) -> Iterator[str]:
    """Once faults are over everybody comes to the end, as long as enough are left to go on."""
    for witness in course.record.honest:
        table = witness.table
        if witness.gone or (table is not None and table.outcome is not None):
            continue
        island = next((i for i in course.record.islands if witness.seat in i), set())
        if table is None or not island:
            yield f"seat {witness.seat} does not run any more"
        elif (excuse := _excuse(course, table, island)) is not None:
            course.record.excused[excuse] += 1
        else:
            waiting = list(table.waiting_for)
            yield f"seat {witness.seat} is still in round {table.round}, waiting for {waiting}"


def nobody_is_lost_in_haste(course: Course) -> Iterator[str]:
    """An honest seat is given up only in a round that has been open for the grace time, however
    others behave: players may think.
    """
    record, grace_ms = course.record, 1000 * course.terms.times.grace
    for (round_, seat), lost_at in record.lost.items():
        opened_at = record.opened.get(round_, lost_at)
        if seat not in record.cheats and lost_at - opened_at < grace_ms:
            waited = lost_at - opened_at
            yield f"seat {seat} was given up in round {round_} after {waited} ms"


def nobody_in_touch_is_lost(course: Course) -> Iterator[str]:
    """As long as nothing parts them, honest seats give up no honest seat, however others cheat."""
    if course.record.undisturbed:
        for round_, seat in course.record.lost:
            if seat not in course.record.cheats:
                yield f"seat {seat} was given up in round {round_} though it was in touch"


def nobody_floods(course: Course) -> Iterator[str]:
    """However seats cheat, messages are not sent round and round: each reaches each seat by every
    link and again for those who ask, but not without end.
    """
    seats = len(course.terms.seats)
    said = sum(len(witness.said) for witness in course.record.witnesses)
    most = CALM + MOST_COPIES * seats * said
    if course.record.delivered > most:
        yield f"{course.record.delivered} payloads were delivered for {said} messages"


def _excuse(course: Course, table: Table, island: set[int]) -> str | None:
    """Why a peer need not have come to the end; None if it must have."""
    here = {w.seat: w.table for w in course.record.honest if w.seat in island and w.table}
    if all(other.round == 0 for other in here.values()) and set(table.waiting_for).isdisjoint(here):
        return "never sat down"  # a table waits without end until all are there
    if any(other.outcome is not None for other in here.values()):
        return None
    if table.game.members <= course.record.cheats:
        return "only cheats left"
    if not _may_go_on(table.game.members, set(here)):
        return "too few left"
    return "parted by a cheat" if _behind_cheats(course, island) & table.game.members else None


def _behind_cheats(course: Course, island: set[int]) -> set[int]:
    """The honest seats that are in touch with these through cheats alone: the cheats choose what
    one side hears of the other, so neither can know that the other has to be given up.
    """
    reached = next((all_ for all_ in course.record.reach if all_ & island), set())
    honest = set().union(*course.record.islands)
    return (reached & honest) - island


def _may_go_on(members: frozenset[Seat], here: set[Seat]) -> bool:
    """Whether the honest members that are in touch may go on alone (SPEC 8.13)."""
    left = members & here
    return left == members or (bool(left) and may_go_on(members, members - left))
