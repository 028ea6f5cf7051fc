"""One seat's games over links that are there already (SPEC 9.6).

One task waits for what the mesh reports, for requests from the desk and for what is due, whichever
comes first, and hands it, one at a time, to the seated game in a worker thread. Proofs therefore
never run on the event loop, the links keep answering pings, and a peer that sends faster than we
can check is slowed down by its own full queue. The games of a match are played over the same links.
"""

import math
from collections.abc import Callable

import trio

from p2pcoup.journal import JournalError
from p2pcoup.net import Mesh
from p2pcoup.node.answers import understood
from p2pcoup.node.away import Away
from p2pcoup.node.desk import Beside, Desk, Ending, NoDesk, NothingBeside
from p2pcoup.node.exchange import Exchange
from p2pcoup.node.gossip import Passed
from p2pcoup.node.inbox import Inbox
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.post import Post
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.node.sitting import Sitting
from p2pcoup.node.telling import Telling
from p2pcoup.node.threads import in_thread
from p2pcoup.node.wishes import DONE, NOT_POSSIBLE, Answer, Quit, Reply, Request
from p2pcoup.table import Accepted, Finished
from p2pcoup.table.open_round import may_go_on
from p2pcoup.wire import PeerId

LINGER_SECONDS = 30.0  # how long a finished peer stays for others that lack the last messages


async def play_over(
    mesh: Mesh,
    match: Match,
    log: NodeLog,
    desk: Desk | None = None,
    beside: Beside | None = None,
    *,
    stay: bool = False,
) -> Ending:
    """Play until every game is over and every other seat that may have it has the last one, or for
    LINGER_SECONDS longer; or until the desk wants to quit. The mesh stays open.

    A last game that was over before is only offered to the seats that may lack its end. Cancelled
    at any time, nothing is lost.

    Args:
        mesh: its events are read here and nowhere else meanwhile.
        desk: whoever plays our seat; None: a bot does, or nobody has it.
        beside: what else the links are used for.
        stay: whether to stay after the last game, for another one, until the desk wants to quit.

    Raises:
        JournalError: the disk refuses; nothing was sent that is not in the journal.
    """
    return await _Playing(match, mesh, log, desk or NoDesk(), beside or NothingBeside(), stay).run()


class _Playing:
    """Reacts to the mesh and the desk until the match is over for everybody."""

    def __init__(
        self, match: Match, mesh: Mesh, log: NodeLog, desk: Desk, beside: Beside, stay: bool
    ) -> None:
        self._match = match
        self._mesh = mesh
        self._desk = desk
        self._beside = beside
        self._stay = stay
        self._telling = Telling(log, desk)
        self._inbox = Inbox(mesh, desk)
        self._post = Post(mesh)
        self._away = Away()
        self._linger = trio.CancelScope()
        self._quit = False
        self._at = Sitting(match.current, mesh.me, self._telling, None)
        self._exchange = Exchange(match, mesh, self._post, beside, self._at)
        self._sent_before = 0

    @property
    def _game(self) -> SeatedGame:
        return self._at.game

    async def run(self) -> Ending:
        """Play; afterwards stay until every other seat has the last game, or for a while."""
        await self._begin()
        for peer in self._mesh.linked:
            self._exchange.linked(peer)
        with self._linger:
            while not self._quit and (self._stay or self._is_needed or not self._match.over):
                self._show()
                for news in await self._inbox.next(self._due_at()):
                    if isinstance(news, Request):
                        await self._asked(news)
                    elif (came := await self._exchange.take(news)) is not None:
                        self._act(came.step, came.origin, came.raw)
                await self._do_what_is_due()
                while self._game.outcome is not None and not self._match.over:
                    await self._next_game()
        if not self._at.unfinished:
            self._game.note_known_to_all()
        self._show()
        return Ending.QUIT if self._quit else Ending.OVER

    @property
    def _is_needed(self) -> bool:
        """Whether a seat may lack the end, or somebody who watches has still to be answered."""
        return self._at.is_needed_by(self._mesh.linked) or self._exchange.due_at() < math.inf

    async def _begin(self) -> None:
        over = self._game.outcome is not None
        await self._step(self._game.begin)
        if over:
            self._wait_a_while()

    async def _next_game(self) -> None:
        """Go on to the next game of the match, and ask for what was said in it already."""
        before = self._game
        game = await in_thread(self._match.open_next)
        self._sit_down()
        self._at.report.next_game(self._match.number, self._match.length, before)
        await self._begin()
        self._post.to_all(game.have())
        declined = {before.terms.roster[seat].peer for seat in before.asides.want_no_more}
        not_coming = [seat for seat in map(game.terms.seat_of, declined) if seat is not None]
        if not_coming and game.outcome is None:
            # They have said so themselves: there is nothing to wait for.
            await self._step(game.declare_absent, not_coming)

    def _sit_down(self) -> None:
        """Begin anew with all that belongs to a single game."""
        all_here_at = trio.current_time() if self._exchange.complete else None
        game = self._match.current
        self._at = Sitting(game, self._mesh.me, self._telling, all_here_at)
        self._exchange.sitting = self._at
        self._sent_before = self._post.sent_bytes

    # --- what is due ------------------------------------------------------------------------------

    def _due_at(self) -> float:
        """When something is to be done, whatever comes until then."""
        window = self._at.window
        ends_at = window.ends_at if self._game.question is not None else window.tell_at
        away_at = self._away.due_at(trio.current_time()) if self._match.over else math.inf
        decide_at = self._at.thinking.ends_at
        waits = (window.tell_at, window.grace_ends_at, away_at)
        return min(self._exchange.due_at(), decide_at, ends_at, *waits)

    async def _do_what_is_due(self) -> None:
        now, window = trio.current_time(), self._at.window
        await self._exchange.answer(now)
        if now >= self._at.thinking.ends_at:
            await self._step(self._game.decide)
        if self._game.question is not None and window.has_ended(now):
            await self._answer_by_default()
        if window.must_tell(now):
            self._at.report.waiting(self._mesh.linked)
        if window.grace_has_ended(now, self._game.terms.times.grace):
            await self._miss_the_silent()
        self._match.away = self._away.look(self._match.current, self._mesh.linked, now)

    async def _miss_the_silent(self) -> None:
        """State that those nothing is heard of are gone; say, once, when that helps nobody."""
        table = self._game.table
        members = table.game.members
        unheard = table.unheard & members
        await self._step(self._game.declare_absent)
        taking_part = self._game.seat in members and bool(unheard)
        if taking_part and not may_go_on(members, unheard) and self._at.window.is_news_of_silence():
            self._at.report.cut_off(unheard)

    async def _answer_by_default(self) -> None:
        """The player's time is over: the harmless choice is made."""
        asked = self._game.question
        if asked is not None:
            self._at.report.answered_by_default(self._game.default_answer(asked))
            await self._step(self._game.answer_by_default)

    # --- what the desk wants ----------------------------------------------------------------------

    async def _asked(self, request: Request) -> None:
        match request.wish:
            case Answer() as answer:
                await self._answer(request, answer)
            case Quit():
                self._quit = True
                self._beside.leaving()
                request.reply(DONE)
            case _ if not self._beside.asked(request):
                request.reply(Reply(NOT_POSSIBLE, "That is not possible during a game."))

    async def _answer(self, request: Request, answer: Answer) -> None:
        """Take the player's decision. It is on disk before it is sent, and sent before the player
        is told that it counts.
        """
        given = understood(self._game, answer)
        if isinstance(given, Reply):
            request.reply(given)
            return
        try:
            await self._step(self._game.answer, *given)
        except JournalError as error:
            request.reply(Reply(NOT_POSSIBLE, f"Your move was not sent. {error}"))
            raise
        request.reply(DONE)

    # --- what follows -----------------------------------------------------------------------------

    async def _step(self, work: Callable[..., Step], *args: object) -> None:
        """Let the game take a step of our own, in its thread."""
        self._act(await in_thread(work, *args))

    def _act(self, step: Step, origin: PeerId | None = None, passed: bytes = b"") -> None:
        """Pass on what is new, and tell the user.

        ``passed`` is the message from ``origin`` that led to this step. It alone need not go back
        there; our own answer to it must.
        """
        at = self._at
        for raw in step.fresh:
            at.known.add(raw)
            self._post.to_all(Passed(raw), but=origin if raw == passed else None)
        if step.ask_again:
            at.known.clear()  # back in an earlier round, the table needs them once more
            self._post.to_all(at.game.have())
        for notice in step.notices:
            match notice:
                case Accepted(signed):
                    at.missing.heard_of(at.game.terms.roster[signed.message.seat].peer)
                case Finished():
                    self._over()
                case _:  # of a question the desk learns from the picture
                    at.report.notice(notice, origin, trio.current_time())
        self._note_progress(step)

    def _note_progress(self, step: Step) -> None:
        at, now = self._at, trio.current_time()
        at.window.look(at.game.table, now)
        at.thinking.look(at.game, now)
        if step.progress:
            at.window.heard(now, at.game.terms.times.grace)
        at.missing.look()
        at.milestones.look(now)

    def _over(self) -> None:
        """The game is finished here: say so to all. After the last one, do not wait for ever."""
        match, report = self._match, self._at.report
        if match.over:
            self._wait_a_while()
        self._post.to_all(self._game.have())
        report.finished(self._post.sent_bytes - self._sent_before)
        if max(match.length, match.agreed) > 1:
            report.score(match.score, match.number, match.length, match.agreed)

    def _wait_a_while(self) -> None:
        """Everything is played: stay only for those that may lack the end."""
        if not self._stay:
            self._linger.deadline = trio.current_time() + LINGER_SECONDS

    def _show(self) -> None:
        """Show the desk how things are."""
        remaining = self._at.window.remaining_ms(trio.current_time())
        self._desk.changed(self._game, self._match, self._mesh.linked, remaining)
