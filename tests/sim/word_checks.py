"""What honest peers may say, blame and show, whatever happens to them."""

from collections import defaultdict
from collections.abc import Iterator

from p2pcoup.audit import EvidenceError, verify_evidence
from p2pcoup.table.open_round import parse_statement
from p2pcoup.wire import Kind, SignedMessage, WireError, parse
from tests.sim.course import Course
from tests.sim.inside import open_round
from tests.sim.record import Witness
from tests.sim.seat import where

# --- blame ----------------------------------------------------------------------------------------


def nobody_honest_is_blamed(course: Course) -> Iterator[str]:
    """Only seats that cheat are ever blamed."""
    for witness in course.record.honest:
        for blame, _ in witness.blames:
            if blame.seat not in course.record.cheats:
                yield f"seat {witness.seat} blames seat {blame.seat}, which is honest: {blame.rule}"


def evidence_convinces_a_stranger(course: Course) -> Iterator[str]:
    """The evidence of every blame proves the very same to somebody who was not there."""
    proven: set[bytes] = set()
    for witness in course.record.honest:
        for blame, evidence in witness.blames:
            if evidence in proven:
                continue
            proven.add(evidence)
            what = f"seat {witness.seat} blames seat {blame.seat} ({blame.rule}: {blame.reason})"
            try:
                finding = verify_evidence(evidence)
            except EvidenceError as error:
                yield f"{what}, but the evidence proves nothing: {error}"
            else:
                if (finding.seat, finding.rule) != (blame.seat, blame.rule):
                    yield f"{what}, but the evidence is of seat {finding.seat} ({finding.rule})"


def every_lie_is_blamed(course: Course) -> Iterator[str]:
    """Who hears a false message in time blames its signer, with that message in the evidence."""
    for witness in course.record.honest:
        blamed = {(b.seat, raw) for b, _ in witness.blames for raw in b.evidence}
        for duty in witness.duties:
            if (duty.seat, duty.raw) not in blamed:
                what = f"{_named(duty.raw)}: {duty.why}"
                yield f"seat {witness.seat} does not blame seat {duty.seat} for {what}"


def _named(raw: bytes) -> str:
    try:
        return where(parse(raw))
    except WireError:
        return "bytes"


# --- one's own word -------------------------------------------------------------------------------


def nobody_signs_twice(course: Course) -> Iterator[str]:
    """Whatever crashes come, an honest seat signs one message for a round and the course before it,
    and one statement of absence for each attempt.
    """
    for witness in course.record.honest:
        words: dict[tuple[int, bytes, str], set[bytes]] = defaultdict(set)
        for signed in _own_words(witness):
            message = signed.message
            match message.kind:
                case Kind.ABSENT:
                    what = f"attempt {parse_statement(str(message.body[0])).attempt}"
                case _:
                    what = "word"
            words[message.round, message.parent, what].add(signed.raw)
        for (round_, _, what), raws in words.items():
            if len(raws) > 1:
                yield f"seat {witness.seat} has signed {len(raws)} times, round {round_}, {what}"


def _own_words(witness: Witness) -> Iterator[SignedMessage]:
    """All that the seat has signed, sent or not."""
    yield from witness.said.values()
    kept = [record for record in witness.disk.records if record not in witness.said]
    for signed in map(parse, kept):
        if signed.message.seat == witness.seat:
            yield signed


def restarts_keep_to_the_journal(course: Course) -> Iterator[str]:
    """A journal is taken back whole, and holds all that was sent."""
    for witness in course.record.honest:
        yield from (f"seat {witness.seat}: {sentence}" for sentence in witness.broken)


# --- secrets --------------------------------------------------------------------------------------


def views_hold_nothing_but_the_own_hand(course: Course) -> Iterator[str]:
    """What a policy was shown follows from the public transcript and the seat's own secrets: an
    observer of the transcript who is given these sees exactly the same.
    """
    for transcript in {w.disk.transcript: None for w in course.finished}:
        here = [w for w in course.finished if w.disk.transcript == transcript]
        for table in course.watched(transcript or b""):
            place = (table.round, open_round(table).parent)
            for witness in here:
                shown = [
                    view for round_, parent, view in witness.views if (round_, parent) == place
                ]
                if shown and any(view != witness.player.view(table.game) for view in shown):
                    yield f"seat {witness.seat} was shown more or less in round {table.round}"
