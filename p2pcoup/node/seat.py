"""One seat's game on this machine: table, journal, secret and bot together, without any waiting.

Everything here is synchronous and runs in a worker thread, one call at a time: proofs and disk
writes never hold up the links. Each call returns what is to be sent; by then it is on disk.
"""

import contextlib
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from p2pcoup.bots import Policy
from p2pcoup.journal import (
    Journal,
    JournalError,
    erase_seed,
    load_or_create_seed,
    make_private_folder,
    write_transcript,
)
from p2pcoup.node.accused import Accused
from p2pcoup.node.gossip import Have
from p2pcoup.rules import Outcome
from p2pcoup.table import (
    Accepted,
    Behind,
    Blame,
    Finished,
    Notice,
    Player,
    Prompt,
    Refused,
    Table,
    Terms,
    TermsError,
)
from p2pcoup.wire import Identity, Kind, parse

TRANSCRIPT_NAME = "game.coup"


@dataclass(slots=True)
class Step:
    """What one call brought about.

    Attributes:
        fresh: signed messages to pass on, already in the journal: those of the game, and false ones
            that prove something against their signer.
        notices: everything the table said, for the log.
        ask_again: messages were dropped; others should send them once more.
        progress: somebody has spoken; a statement that others are silent is none.
    """

    fresh: list[bytes] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    ask_again: bool = False
    progress: bool = False


class SeatedGame:
    """The game of one seat, from its journal if there is one.

    The folder holds ``journal``, ``secret`` and, once the game is over, ``game.coup``; then
    ``known-to-all`` as soon as every other seat has said that it has the whole game as well. For
    every seat and round with a false message there is ``evidence-round-R-seat-S``.
    """

    def __init__(
        self,
        terms: Terms,
        identity: Identity,
        folder: Path,
        policy: Policy,
        luck: random.Random,
        *,
        clock: Callable[[], float],
    ) -> None:
        """Open or create the files and take back what the journal holds.

        Raises:
            TermsError: this identity has no seat.
            JournalError: the files cannot be used; nothing was changed.
        """
        seat = terms.seat_of(identity.peer_id)
        if seat is None:
            raise TermsError(
                f"This peer is {identity.peer_id}, which has no seat at the table. Correct the "
                "table file, or use the identity it names."
            )
        make_private_folder(folder)
        self.seat = seat
        self.terms = terms
        self._policy = policy
        self._luck = luck
        self._secret_file = folder / "secret"
        self._transcript_file = folder / TRANSCRIPT_NAME
        self._known_file = folder / "known-to-all"
        self._accused = Accused(folder)
        self._journal = Journal.open(folder / "journal", terms.encode(), identity.peer_id)
        try:
            self.table = self._restore(identity, clock)
        except BaseException:
            self._journal.close()
            raise

    def _restore(self, identity: Identity, clock: Callable[[], float]) -> Table:
        """The table as the journal left it."""
        records = self._journal.records
        # The secret of a finished game is erased; the game can still be shown to the others.
        player = None
        if self._secret_file.exists() or not records:
            player = Player(self.terms, identity, load_or_create_seed(self._secret_file))
        table = Table(self.terms, player, clock=clock)
        for number, record in enumerate(records, 1):
            self._take_back(table, number, record)
        if table.outcome is not None:
            self._finish(table)
        elif player is None:
            raise JournalError(
                f"The secret of this game, {self._secret_file}, is gone. Without it nobody can "
                "play this seat on; put it back if there is a copy."
            )
        return table

    def _take_back(self, table: Table, number: int, record: bytes) -> None:
        """Every record was accepted once, or proved something against another seat. One that does
        neither now must stop us: without it we might sign something else in its place.
        """
        closed = table.round
        notices = table.receive(record)
        refusals = [notice.reason for notice in notices if isinstance(notice, Blame | Refused)]
        accepted = any(isinstance(notice, Accepted) for notice in notices)
        for notice in notices:
            if isinstance(notice, Blame) and notice.seat != self.seat:
                self._accused.remember(notice)  # it was kept because it is false
                accepted = True
        # What was said about a round after its end counts for nothing in it and is passed over.
        if accepted or (not refusals and parse(record).message.round < closed):
            return
        reason = refusals[0] if refusals else "It has no place in this game."
        raise JournalError(
            f"The journal {self._journal.path} does not fit this game: its record {number} is not "
            f"accepted any more. {reason} Play on with the version of p2pcoup that wrote it."
        )

    @property
    def restored(self) -> int:
        """How many messages the journal held at the start."""
        return len(self._journal.records)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    @property
    def outcome(self) -> Outcome | None:
        """The result, once it is signed."""
        return self.table.outcome

    @property
    def transcript_file(self) -> Path:
        """Where the finished game's transcript is."""
        return self._transcript_file

    @property
    def known_to_all(self) -> bool:
        """Whether every other seat has said that it has the whole game."""
        return self._known_file.exists()

    def note_known_to_all(self) -> None:
        """Remember that nobody needs anything of this game from us any more."""
        # Forgetting it costs a short wait at the next start, so a disk that refuses is no error.
        with contextlib.suppress(OSError):
            self._known_file.touch()

    def begin(self) -> Step:
        """Start to speak."""
        return self._work_off(self.table.begin())

    def receive(self, raw: bytes) -> Step:
        """Take a signed message from a link."""
        return self._work_off(self.table.receive(raw))

    def declare_absent(self) -> Step:
        """State that the seats nothing is heard of are gone; with the others' word they are out."""
        return self._work_off(self.table.declare_absent(self.table.unheard))

    def have(self) -> Have:
        """What this peer holds of the game."""
        finished = self.outcome is not None
        return Have(self.terms.game_id, self.table.wanted + finished, finished)

    def messages(self, since: int) -> list[bytes]:
        """All messages from that round on, for a peer that lacks them, and the false ones: without
        these it would vouch for a seat that the others have caught.
        """
        return [*(signed.raw for signed in self.table.messages(since)), *self._accused.messages]

    def evidence_file(self, blame: Blame) -> Path:
        """Where the evidence for this blame is."""
        return self._accused.file(blame)

    def _work_off(self, notices: Iterable[Notice]) -> Step:
        """Journal what was accepted, let the bot answer, and collect what is to be sent."""
        step = Step()
        queue = list(notices)
        while queue:
            notice = queue.pop(0)
            step.notices.append(notice)
            match notice:
                case Accepted(signed, own):
                    self._journal.append(signed.raw, durable=own)
                    step.fresh.append(signed.raw)
                    step.progress |= signed.message.kind not in (Kind.ABSENT, Kind.PRESENT)
                case Prompt(id=prompt, view=view):
                    queue += self.table.answer(prompt, self._policy(view, self._luck))
                case Blame():
                    step.fresh += self._accuse(notice)
                case Behind():
                    step.ask_again = True
                case Finished():
                    self._finish(self.table)
                case _:
                    pass
        return step

    def _accuse(self, blame: Blame) -> list[bytes]:
        """Keep the evidence; the false message, if it is to be passed on."""
        self._accused.write_evidence(self.table, blame)
        # Who signs as we do is for our user to know; we are not out of the game for it.
        false = None if blame.seat == self.seat else self._accused.remember(blame)
        if false is None:
            return []
        self._journal.append(false, durable=False)
        return [false]

    def _finish(self, table: Table) -> None:
        """Keep the transcript, forget the secrets of the game. Done again, it changes nothing."""
        self._journal.sync()  # without its end, the game could not be finished without the secret
        write_transcript(self._transcript_file, self.terms.encode(), list(table.transcript()))
        erase_seed(self._secret_file)
