"""One seat's game on this machine: table, journal, secret and player together, without any waiting.

Everything here is synchronous and runs in a worker thread, one call at a time: proofs and disk
writes never hold up the links. Each call returns what is to be sent; by then it is on disk. A bot
decides at once, or when its caller says so; a player who is asked from outside may take the time
the terms allow.
"""

import contextlib
import random
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from p2pcoup.bots import Policy, harmless
from p2pcoup.journal import (
    Journal,
    JournalError,
    erase_seed,
    load_or_create_seed,
    make_private_folder,
    write_transcript,
)
from p2pcoup.node.accused import Accused
from p2pcoup.node.asides import Asides
from p2pcoup.node.gossip import Have
from p2pcoup.rules import Move, Outcome, Seat
from p2pcoup.table import (
    Accepted,
    Behind,
    Blame,
    Finished,
    Notice,
    OwnMessageError,
    Player,
    Prompt,
    Refused,
    Table,
    Terms,
    TermsError,
)
from p2pcoup.wire import Identity, Kind

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

    Attributes:
        seat: our own seat; None at a peer that only watches.
        asides: what the seats say beside the game.
        pace: seconds our bot is to think about a question; 0: there is none, or it does not.
    """

    def __init__(
        self,
        terms: Terms,
        identity: Identity,
        folder: Path,
        policy: Policy | None,
        luck: random.Random,
        *,
        clock: Callable[[], float],
        watching: bool = False,
        pace: float = 0.0,
    ) -> None:
        """Open or create the files and take back what the journal holds.

        Args:
            policy: decides whatever our seat is asked; None: a question stays open until `answer`
                or `answer_by_default`.
            luck: for the policy alone.
            watching: whether to watch the game if this identity has no seat. One that follows
                another is watched in any case: it goes on without seats that were lost.
            pace: seconds the policy is to think about a question, which stays open until `decide`;
                0: it decides at once.

        Raises:
            TermsError: this identity has no seat.
            JournalError: the files cannot be used; nothing was changed.
        """
        seat = terms.seat_of(identity.peer_id)
        if seat is None and not watching and terms.sequel is None:
            raise TermsError(
                f"This peer is {identity.peer_id}, which has no seat at the table. Correct the "
                "table file, or use the identity it names."
            )
        make_private_folder(folder)
        self.seat = seat
        self._identity = identity
        self.terms = terms
        self._policy = policy
        self.pace = pace if policy is not None else 0.0
        self._luck = luck
        self._secret_file = folder / "secret"
        self._transcript_file = folder / TRANSCRIPT_NAME
        self._known_file = folder / "known-to-all"
        self._accused = Accused(folder)
        self.asides = Asides(terms, seat, folder)
        owner = None if seat is None else identity.peer_id
        self._journal = Journal.open(folder / "journal", terms.encode(), owner)
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
        if self.seat is not None and (self._secret_file.exists() or not records):
            player = Player(self.terms, identity, load_or_create_seed(self._secret_file))
        table = Table(self.terms, player, clock=clock, seat=self.seat)
        try:
            table.remember(records)
        except OwnMessageError as error:
            raise self._does_not_fit(str(error)) from error
        for number, record in enumerate(records, 1):
            self._take_back(table, number, record)
        if table.outcome is not None:
            self._finish(table)
        elif player is None and self.seat is not None:
            raise JournalError(
                f"The secret of this game, {self._secret_file}, is gone. Without it nobody can "
                "play this seat on; put it back if there is a copy."
            )
        elif player is not None:
            self._check_secret(table, player)
        return table

    def _check_secret(self, table: Table, player: Player) -> None:
        """With another secret than the game was begun with nothing that we say could hold."""
        if not all(player.has_begun(signed.message) for signed in table.messages(0)):
            raise JournalError(
                f"The secret {self._secret_file} is not the one this game was begun with. Put that "
                "one back if there is a copy; without it nobody can play this seat on."
            )

    def _take_back(self, table: Table, number: int, record: bytes) -> None:
        """Every record was accepted once, or proved something against another seat. One that is no
        message of this game any more must stop us.
        """
        for notice in table.receive(record):
            match notice:
                case Blame(seat=seat) if seat != self.seat:
                    self._accused.remember(notice)  # it was kept because it is false
                case Refused(reason, misplaced=False) | Blame(reason=reason):
                    raise self._does_not_fit(
                        f"its record {number} is not accepted any more. {reason}"
                    )
                case _:
                    pass

    def _does_not_fit(self, reason: str) -> JournalError:
        return JournalError(
            f"The journal {self._journal.path} does not fit this game: {reason} Play on with the "
            "version of p2pcoup that wrote it."
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
        return self._work_off(self.table.begin(None if self.seat is None else self._identity))

    def receive(self, raw: bytes) -> Step:
        """Take a signed message from a link."""
        return self._work_off(self.table.receive(raw))

    @property
    def question(self) -> Prompt | None:
        """What our player must decide now; after a restart it is asked again."""
        return self.table.prompt

    def answer(self, question: int, move: Move) -> Step:
        """Take the player's move for the question with that id.

        Raises:
            AnswerError: that question is not open, or the move is not possible; nothing changed.
        """
        return self._work_off(self.table.answer(question, move))

    def decide(self) -> Step:
        """Let the bot that was to think first answer the open question, if there is one."""
        asked = self.question
        if asked is None or self._policy is None:
            return Step()
        return self.answer(asked.id, self._policy(asked.view, self._luck))

    def answer_by_default(self) -> Step:
        """Decide what harms our player least, who has not answered in time."""
        asked = self.question
        return Step() if asked is None else self.answer(asked.id, self.default_answer(asked))

    @staticmethod
    def default_answer(question: Prompt) -> Move:
        """What is answered for a player who does not."""
        return harmless(question.view)

    def declare_absent(self, among: Collection[Seat] | None = None) -> Step:
        """State that the seats nothing is heard of are gone; with the others' word they are out.

        Args:
            among: only of these; None: of all.
        """
        unheard = self.table.unheard
        gone = unheard if among is None else unheard.intersection(among)
        return self._work_off(self.table.declare_absent(gone))

    def have(self) -> Have:
        """What this peer holds of the game."""
        finished = self.outcome is not None
        return Have(self.terms.game_id, self.table.wanted + finished, finished)

    def messages(self, since: int) -> list[bytes]:
        """All messages from that round on, for a peer that lacks them, and the false ones: without
        these it would stand by a seat that the others have caught.
        """
        return [*(signed.raw for signed in self.table.messages(since)), *self._accused.messages]

    @property
    def caught(self) -> frozenset[Seat]:
        """The seats that were blamed in this game, before a restart of ours or since."""
        return self._accused.seats

    def evidence_file(self, blame: Blame) -> Path:
        """Where the evidence for this blame is, or for one before it that is enough."""
        return self._accused.file(blame)

    def _work_off(self, notices: Iterable[Notice]) -> Step:
        """Journal what was accepted, let the bot answer, and collect what is to be sent."""
        step = Step()
        queue = list(notices)
        while queue:
            notice = queue.pop(0)
            step.notices.append(notice)
            match notice:
                case Accepted(signed, own, again):
                    if not again:
                        self._journal.append(signed.raw, durable=own)
                        step.progress |= signed.message.kind is not Kind.ABSENT
                    step.fresh.append(signed.raw)
                case Prompt(id=prompt, view=view) if self._policy is not None and not self.pace:
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
        """Keep the evidence, if there is not enough; the messages it consists of, if they are to be
        passed on.
        """
        self._accused.write_evidence(self.terms, blame)
        # Who signs as we do is for our user to know; we are not out of the game for it.
        if blame.seat == self.seat or not self._accused.remember(blame):
            return []
        if self._accused.keeps(blame):  # of two messages the first was accepted before
            self._journal.append(blame.evidence[-1], durable=False)
        return list(blame.evidence)

    def _finish(self, table: Table) -> None:
        """Keep the transcript, forget the secrets of the game. Done again, it changes nothing."""
        self._journal.sync()  # without its end, the game could not be finished without the secret
        write_transcript(self._transcript_file, self.terms.encode(), list(table.transcript()))
        erase_seed(self._secret_file)
