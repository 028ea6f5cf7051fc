"""The hub between a node and its clients: the desk of API.md.

The node tells it what changes; it numbers the events, keeps the latest picture and wakes the
clients, each of which is sent what it lacks at its own pace. Their wishes come to the node one at a
time, and every client has at most one on the way, so none can crowd out another.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

import trio

import p2pcoup
from p2pcoup.node.api.audits import Audits
from p2pcoup.node.api.chronicle import begins_turn
from p2pcoup.node.api.client import Client
from p2pcoup.node.api.eventlog import EventLog, to_json
from p2pcoup.node.api.reasons import recognised, with_reasons
from p2pcoup.node.api.shown import Known, Shown, look
from p2pcoup.node.log import escaped
from p2pcoup.node.match import Match
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.wishes import CLOSED, DONE, NOT_POSSIBLE, Mute, Reply, Request, Wish
from p2pcoup.rules import (
    EDITIONS,
    Edition,
    Options,
    RulesError,
    Sentence,
    options_to_text,
    parse_options,
    reference_to_data,
    sentence_to_data,
)
from p2pcoup.table import Happened
from p2pcoup.wire import PeerId, parse_peer_id

API_VERSION: Final = 1
MAX_MUTED: Final = 64
GOODBYE_SECONDS: Final = 2.0  # for the last lines to each client when the node ends
ENDED: Final = Reply(CLOSED, "The node is about to stop; nothing was changed.")
GAME_EVENTS: Final = frozenset({"dealt", "finished", "next-game", "score", "already-played"})


class Hub:
    """Tells clients about one node, and the node what they want."""

    def __init__(
        self, peer: PeerId, name: str | None, clock: Callable[[], float] = trio.current_time
    ) -> None:
        """``peer`` and ``name`` are the user's own; ``clock`` returns seconds."""
        self.run = secrets.token_hex(8)
        self.events = EventLog()
        self.version = 0
        self.ended = False
        self.reference: str | None = None
        self.audits = Audits(self._change)
        self._peer = peer
        self._name = name
        self._clock = clock
        self._clients: set[Client] = set()
        self._reason: str | None = None
        self._lobby: Mapping[str, object] | None = None
        self._table = ""
        self._shown: Shown | None = None
        self._watching = 0
        self._muted: set[PeerId] = set()
        self._played: tuple[Edition, Options] | None = None
        self._known = Known()
        self._turn = 0
        self._story: Happened | None = None
        self._wishes, self._requests = trio.open_memory_channel[Request](0)
        self._unanswered: set[Callable[[Reply], None]] = set()
        self._progress = trio.Event()

    # --- for the node (the desk) ------------------------------------------------------------------

    def changed(
        self,
        game: SeatedGame,
        match: Match,
        links: frozenset[PeerId],
        remaining_ms: int | None,
    ) -> None:
        """Something in the picture is new."""
        if self._shown is not None and self._shown.sight.terms != game.terms:
            self._known = Known()
        ends_at = None if remaining_ms is None else self._clock() + remaining_ms / 1000
        shown = look(game, match, links, ends_at, self._known)
        watching = len(links - {member.peer for member in game.terms.roster})
        self._turn, self._story = self._known.chronicle.turn, None
        before = self._shown if self._lobby is None else None
        if before is not None and shown.shows_the_same(before) and watching == self._watching:
            return
        self._shown, self._watching, self._lobby = shown, watching, None
        self._refer(game.terms.edition, game.terms.options)
        self.audits.want(shown.transcript)
        self._change()

    def told(
        self,
        event: str,
        text: Sentence | str,
        fields: Mapping[str, object],
        story: Happened | None,
    ) -> None:
        """The user is told something."""
        peer = fields.get("peer")
        if event == "waiting" and self._shown is not None:
            self._known.miss(self._shown.sight.terms, peer)
        if event == "talk" and peer in self._muted:
            return
        self.events.add(
            {**_heading(event, fields), **_told_data(text), "turn": self._turn_of(story)}
        )
        self._wake()

    async def next_request(self) -> Request:
        """Wait for a wish of a client."""
        return await self._requests.receive()

    # --- for what is beside a game ----------------------------------------------------------------

    def show_lobby(self, lobby: Mapping[str, object]) -> None:
        """The lobby as API.md 2.1 has it; it is shown until a game is."""
        self._lobby = lobby
        self._table = str(lobby.get("table", ""))
        edition = EDITIONS.get(str(lobby.get("edition")))
        with suppress(RulesError):
            if edition is not None:
                self._refer(edition, parse_options(str(lobby.get("options"))))
        self._change()

    # --- for the clients --------------------------------------------------------------------------

    @contextmanager
    def client(self, drop: Callable[[], None]) -> Iterator[Client]:
        """A new client, for as long as it stays. ``drop`` is called when it does not read: it must
        cut the connection at once.
        """
        client = Client(self, drop)
        self._clients.add(client)
        try:
            yield client
        finally:
            self._clients.discard(client)
            self._progress.set()

    @property
    def clients(self) -> int:
        """How many clients there are."""
        return len(self._clients)

    def hello(self) -> str:
        """The first message to a client."""
        return to_json(
            {
                "type": "hello",
                "api": API_VERSION,
                "program": f"p2pcoup {p2pcoup.__version__}",
                "peer": self._peer,
                "name": self._name,
                "run": self.run,
                "next": self.events.next,
            }
        )

    def state(self) -> str:
        """The picture as it is now."""
        game = question = None
        shown = self._shown
        if shown is not None and self._lobby is None:
            audited = self.audits.found(shown.transcript)
            game, question = shown.pictures(self._clock(), audited, self._table)
        message: dict[str, object] = {
            "type": "state",
            "phase": self._phase,
            "lobby": None if self.ended else self._lobby,
            "game": game,
            "question": None if self.ended else question,
            "watching": self._watching,
            "muted": sorted(self._muted),
            "again": None if shown is None or self._lobby is not None else shown.again,
        }
        if self._reason is not None:
            message["reason"] = self._reason
            told = recognised(self._reason)
            message["why_ended"] = None if told is None else sentence_to_data(told)
        return to_json(message)

    @property
    def over(self) -> bool:
        """Whether every game has been played and no lobby is open for another one."""
        return self._shown is not None and self._shown.over and self._lobby is None

    @property
    def in_lobby(self) -> bool:
        """Whether a lobby is shown, or nothing yet."""
        return not self.ended and self._phase == "lobby"

    @property
    def _phase(self) -> str:
        if self.ended:
            return "ended"
        if self._shown is None or self._lobby is not None:
            return "lobby"
        return "over" if self.over else "game"

    async def fulfil(self, wish: Wish) -> Reply:
        """Let the node do what a client wants, and wait for what becomes of it."""
        if isinstance(wish, Mute):
            return self._mute(wish)
        replied, answers = trio.Event(), list[Reply]()

        def reply(answer: Reply) -> None:
            if not answers:
                answers.append(answer)
                replied.set()

        self._unanswered.add(reply)
        try:
            await self._wishes.send(Request(wish, reply))
            await replied.wait()
        except trio.BrokenResourceError:  # the node has stopped to take any
            return ENDED
        finally:
            self._unanswered.discard(reply)
        return answers[0]

    # --- the end ----------------------------------------------------------------------------------

    async def end(self, reason: str) -> None:
        """Tell the clients that the node stops, and why; wait a moment until they have read it."""
        self.ended, self._reason = True, reason
        self._requests.close()
        for reply in list(self._unanswered):
            reply(ENDED)
        self._change()
        with trio.move_on_after(GOODBYE_SECONDS):
            while self._clients:
                self._progress = trio.Event()
                await self._progress.wait()

    # --- small parts ------------------------------------------------------------------------------

    def _change(self) -> None:
        self.version += 1
        self._progress.set()
        self._wake()

    def _wake(self) -> None:
        for client in self._clients:  # none leaves during this: it does so in a task of its own
            client.wake()

    def _refer(self, edition: Edition, options: Options) -> None:
        """Remember the reference card of what is played."""
        if self._played == (edition, options):
            return
        self._played = edition, options
        self.reference = to_json(
            {
                "type": "reference",
                "edition": edition.name,
                "options": options_to_text(options),
                "sections": reference_to_data(edition, options),
            }
        )

    def _turn_of(self, story: Happened | None) -> int:
        """The turn in which something is told: a step that ends a turn is told in that one."""
        if story is not None and story is not self._story:
            if self._story is not None and begins_turn(self._story):
                self._turn += 1
            self._story = story
        return self._turn

    def _mute(self, wish: Mute) -> Reply:
        """Talk of muted peers is not shown; what is said to us is no business of the game."""
        try:
            peer = parse_peer_id(wish.peer)
        except ValueError as error:
            return Reply(NOT_POSSIBLE, str(error))
        if wish.muted and len(self._muted) >= MAX_MUTED:
            return Reply(NOT_POSSIBLE, f"No more than {MAX_MUTED} can be muted.")
        (self._muted.add if wish.muted else self._muted.discard)(peer)
        self._change()
        return DONE


def _told_data(text: Sentence | str) -> Mapping[str, object]:
    """What is told, for any language where that is possible."""
    if isinstance(text, Sentence):
        return sentence_to_data(with_reasons(text))
    return {"text": escaped(text)}


def _heading(event: str, fields: Mapping[str, object]) -> Mapping[str, object]:
    """What an event is about, as API.md sorts them."""
    match event:
        case "story":
            return {"kind": "story"}
        case "talk":
            return {"kind": "talk", "peer": fields.get("peer"), "name": fields.get("name")}
        case _:
            return {"kind": "game" if event in GAME_EVENTS else "table", "name": event}
