"""One seat's games over links that are there already (SPEC 9.6).

One task waits for what the mesh reports, for requests from the desk and for what is due, whichever
comes first, and hands it, one at a time, to the seated game in a worker thread. Proofs therefore
never run on the event loop, the links keep answering pings, and a peer that sends faster than we
can check is slowed down by its own full queue.

The games of a match are played over the same links. Peers come to the end of a game at different
times: who is behind is still told the end of it by those ahead, and who is ahead is asked for the
next game by each that starts it, so nothing that came too early is missed.
"""

import contextlib
import functools
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

import trio

from p2pcoup.journal import JournalError
from p2pcoup.net import Connected, Disconnected, Event, Mesh, Received, Refused, Unreachable
from p2pcoup.node import junk
from p2pcoup.node.answers import understood
from p2pcoup.node.desk import Beside, Desk, Ending, NoDesk, NothingBeside
from p2pcoup.node.gossip import Have, Passed, Requests, decode_gossip
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.milestones import Milestones
from p2pcoup.node.missing import Missing
from p2pcoup.node.post import Post
from p2pcoup.node.report import Report
from p2pcoup.node.seat import SeatedGame, Step
from p2pcoup.node.telling import Telling
from p2pcoup.node.window import Window
from p2pcoup.node.wishes import DONE, NOT_POSSIBLE, Answer, Quit, Reply, Request
from p2pcoup.table import Accepted, Finished
from p2pcoup.table.open_round import may_go_on
from p2pcoup.wire import PeerId, WireError

LINGER_SECONDS = 30.0  # how long a finished peer stays for others that lack the last messages
EVENTS_AT_ONCE = 32  # of the mesh
T = TypeVar("T")


async def play_over(
    mesh: Mesh,
    match: Match,
    peers: Iterable[PeerId],
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
        peers: the other seats.
        desk: whoever plays our seat; None: a bot does, or nobody has it.
        beside: what else the links are used for.
        stay: whether to stay after the last game, for another one, until the desk wants to quit.

    Raises:
        JournalError: the disk refuses; nothing was sent that is not in the journal.
    """
    return await _Playing(
        match, mesh, peers, log, desk or NoDesk(), beside or NothingBeside(), stay
    ).run()


class _Playing:
    """Reacts to the mesh and the desk until the match is over for everybody."""

    def __init__(
        self,
        match: Match,
        mesh: Mesh,
        peers: Iterable[PeerId],
        log: NodeLog,
        desk: Desk,
        beside: Beside,
        stay: bool,
    ) -> None:
        self._match = match
        self._mesh = mesh
        self._desk = desk
        self._beside = beside
        self._telling = Telling(log, desk)
        self._requests = Requests()
        self._peers = frozenset(peers)
        self._stay = stay
        self._linger = trio.CancelScope()
        self._quit = False
        self._desk_has_turn = False
        self._here: set[PeerId] = set()
        self._complete = False
        self._post = Post(mesh)
        self._sit_down(match.current)

    def _sit_down(self, game: SeatedGame) -> None:
        """Begin anew with all that belongs to a single game."""
        self._game = game
        self._report = Report(self._telling, game)
        self._window = Window()
        self._missing = Missing(game, self._report)
        self._unfinished = set(self._peers)
        self._known: set[bytes] = set()
        all_here_at = trio.current_time() if self._complete else None
        self._milestones = Milestones(game, self._report, all_here_at)
        self._sent_before = self._post.sent_bytes

    async def run(self) -> Ending:
        """Play; afterwards stay until every other seat has the last game, or for a while."""
        await self._begin()
        for peer in self._mesh.linked:
            self._linked(peer)
        with self._linger:
            while not self._quit and (self._stay or self._is_needed or not self._match.over):
                self._show()
                for news in await self._next():
                    await self._take(news)
                await self._do_what_is_due()
                while self._game.outcome is not None and not self._match.over:
                    await self._next_game()
        if not self._unfinished:
            self._game.note_known_to_all()
        self._show()
        return Ending.QUIT if self._quit else Ending.OVER

    @property
    def _is_needed(self) -> bool:
        """Whether a seat may lack the end of the game. Those that the others have gone on without
        were waited for long enough; one that was eliminated may have left, or be on its way back.
        """
        game = self._game
        lost = {game.terms.roster[seat].peer for seat in game.table.game.lost}
        return bool(self._unfinished - (lost - self._mesh.linked))

    async def _begin(self) -> None:
        if self._game.outcome is None:
            await self._step(self._game.begin)
        else:
            self._wait_a_while()

    async def _next_game(self) -> None:
        """Go on to the next game of the match, and ask for what was said in it already."""
        self._sit_down(await _in_thread(self._match.open_next))
        self._report.next_game(self._match.number, self._match.length)
        await self._begin()
        self._post.to_all(self._game.have())

    # --- what comes -------------------------------------------------------------------------------

    async def _next(self) -> Sequence[Event | Request]:
        """What the mesh reports or the desk asks; nothing when something else is due first. What
        lies there already is taken together, but every other time the desk has its turn as well.
        """
        got: list[Event | Request] = []
        self._desk_has_turn = not self._desk_has_turn
        with contextlib.suppress(trio.WouldBlock):
            while not self._desk_has_turn and len(got) < EVENTS_AT_ONCE:
                got.append(self._mesh.events.receive_nowait())
        if got:
            return got
        window = self._window
        ends_at = window.ends_at if self._game.question is not None else window.tell_at
        due_at = min(self._requests.due_at(), ends_at, window.tell_at, window.grace_ends_at)
        with trio.move_on_at(due_at):
            async with trio.open_nursery() as nursery:

                async def wait_for(source: Callable[[], Awaitable[Event | Request]]) -> None:
                    got.append(await source())
                    nursery.cancel_scope.cancel()

                nursery.start_soon(wait_for, self._mesh.events.receive)
                nursery.start_soon(wait_for, self._desk.next_request)
        return got

    async def _take(self, news: Event | Request) -> None:
        if isinstance(news, Request):
            await self._asked(news)
        elif not self._beside.heard(news):
            await self._react(news)

    async def _do_what_is_due(self) -> None:
        now, window = trio.current_time(), self._window
        for peer, have in self._requests.take(now):
            game = self._match.game(have.game) or self._game
            for raw in await _in_thread(game.messages, have.closed):
                self._post.to(peer, Passed(raw))
        if self._game.question is not None and window.has_ended(now):
            await self._answer_by_default()
        if window.must_tell(now):
            self._report.waiting(self._mesh.linked)
        if window.grace_has_ended(now, self._game.terms.times.grace):
            await self._miss_the_silent()

    async def _react(self, event: Event) -> None:
        match event:
            case Connected(peer):
                self._linked(peer)
            case Disconnected(peer, reason):
                self._here.discard(peer)
                self._report.unlinked(peer, reason)
                self._missing.lost(peer)
            case Unreachable(peer, reason):
                self._report.unreachable(peer, reason)
            case Refused(remote, reason, unreported):
                self._report.turned_away(remote, reason, unreported)
            case Received(peer, payload):
                await self._received(peer, payload)
        if not isinstance(event, Received):
            self._missing.look()

    def _linked(self, peer: PeerId) -> None:
        """There is a link. One that was there at the start may be reported once more."""
        if peer in self._here:
            return
        self._here.add(peer)
        self._report.linked(peer)
        if not self._complete and self._mesh.linked >= self._peers:
            self._complete = True
            self._milestones.all_here_at = trio.current_time()
            self._report.complete()
        self._missing.heard_of(peer)
        self._post.to(peer, self._game.have())
        # What is said in the open round may be news even to a peer that is ahead of us.
        for raw in self._game.messages(self._game.table.round):
            self._post.to(peer, Passed(raw))

    async def _received(self, peer: PeerId, payload: bytes) -> None:
        now = trio.current_time()
        try:
            gossip = decode_gossip(payload)
        except WireError as error:
            self._report.garbled(peer, str(error), now)
            self._mesh.reproach(peer)
            return
        match gossip:
            # Everybody passes everything on: most of what comes is here already.
            case Passed(raw) if raw not in self._known:
                await self._passed_on(peer, raw)
            case Have():
                self._told(peer, gossip)

    async def _passed_on(self, peer: PeerId, raw: bytes) -> None:
        """Take what a peer passes on; what cannot be of use costs no turn of the game's thread."""
        if (flaw := junk.flaw(self._match, raw)) is not None:
            self._report.not_accepted(peer, flaw, trio.current_time())
            self._mesh.reproach(peer)
        if flaw is not None or not junk.is_of_now(self._match, raw):
            return
        step = await _in_thread(self._match.receive, raw)
        if junk.is_forged(self._match, raw, step):
            self._mesh.reproach(peer)
        self._act(step, peer, raw)

    def _told(self, peer: PeerId, have: Have) -> None:
        """A peer has said how far it is, in the current game or another one."""
        game = self._match.game(have.game)
        if game is self._game:
            self._milestones.others_are_at(have.closed)
            self._milestones.look(trio.current_time())
        if game is None:
            self._told_of_unknown(peer)
        elif not have.finished:
            self._requests.ask(peer, have)
        elif game is self._game:
            self._unfinished.discard(peer)

    def _told_of_unknown(self, peer: PeerId) -> None:
        """A peer is at another table or, in a match, in a game that we have not come to."""
        nothing_played = self._match.number == 1 and self._game.table.round == 0
        if self._match.in_last_game or nothing_played:
            self._report.other_table(peer, trio.current_time())
        if not self._match.in_last_game:
            # All it had to say of this game has come by now; if that was not the end, we ask. What
            # it wants of the next game it will get: we say all of that to everybody.
            self._post.to(peer, self._game.have())

    # --- what the desk wants ----------------------------------------------------------------------

    async def _asked(self, request: Request) -> None:
        match request.wish:
            case Answer() as answer:
                await self._answer(request, answer)
            case Quit():
                self._quit = True
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

    async def _miss_the_silent(self) -> None:
        """State that those nothing is heard of are gone; say, once, when that helps nobody."""
        table = self._game.table
        members = table.game.members
        unheard = table.unheard & members
        await self._step(self._game.declare_absent)
        taking_part = self._game.seat in members and bool(unheard)
        if taking_part and not may_go_on(members, unheard) and self._window.is_news_of_silence():
            self._report.cut_off(unheard)

    async def _answer_by_default(self) -> None:
        """The player's time is over: the harmless choice is made."""
        asked = self._game.question
        if asked is not None:
            self._report.answered_by_default(self._game.default_answer(asked))
            await self._step(self._game.answer_by_default)

    # --- what follows -----------------------------------------------------------------------------

    async def _step(self, work: Callable[..., Step], *args: object) -> None:
        """Let the game take a step of our own, in its thread."""
        self._act(await _in_thread(work, *args))

    def _act(self, step: Step, origin: PeerId | None = None, passed: bytes = b"") -> None:
        """Pass on what is new, and tell the user.

        ``passed`` is the message from ``origin`` that led to this step. It alone need not go back
        there; our own answer to it must.
        """
        for raw in step.fresh:
            self._known.add(raw)
            self._post.to_all(Passed(raw), but=origin if raw == passed else None)
        if step.ask_again:
            self._known.clear()  # back in an earlier round, the table needs them once more
            self._post.to_all(self._game.have())
        for notice in step.notices:
            match notice:
                case Accepted(signed):
                    self._missing.heard_of(self._game.terms.roster[signed.message.seat].peer)
                case Finished():
                    self._over()
                case _:  # of a question the desk learns from the picture
                    self._report.notice(notice, origin, trio.current_time())
        self._note_progress(step)

    def _note_progress(self, step: Step) -> None:
        now = trio.current_time()
        self._window.look(self._game.table, now)
        if step.progress:
            self._window.heard(now, self._game.terms.times.grace)
        self._missing.look()
        self._milestones.look(now)

    def _over(self) -> None:
        """The game is finished here: say so to all. After the last one, do not wait for ever."""
        match = self._match
        if match.over:
            self._wait_a_while()
        self._post.to_all(self._game.have())
        self._report.finished(self._post.sent_bytes - self._sent_before)
        if match.length > 1:
            self._report.score(match.score, match.number, match.length)

    def _wait_a_while(self) -> None:
        """Everything is played: stay only for those that may lack the end."""
        if not self._stay:
            self._linger.deadline = trio.current_time() + LINGER_SECONDS

    def _show(self) -> None:
        """Show the desk how things are."""
        remaining = self._window.remaining_ms(trio.current_time())
        self._desk.changed(self._game, self._match, self._mesh.linked, remaining)


async def _in_thread(work: Callable[..., T], *args: object) -> T:
    """Run one piece of the game off the event loop and wait for it, even when stopped."""
    run: Awaitable[T] = trio.to_thread.run_sync(functools.partial(work, *args))
    return await run
