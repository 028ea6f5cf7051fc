"""A desk for tests: somebody who is asked by a node, looks at the game and answers."""

from collections import deque
from collections.abc import Callable, Mapping

import trio

from p2pcoup.node.match import Match
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.wishes import Answer, Reply, Request, Wish, question_id
from p2pcoup.rules import Sentence, move_to_text
from p2pcoup.table import Happened, Prompt
from p2pcoup.wire import PeerId
from tests.node.nodes import PATIENCE


class PlayersDesk:
    """Remembers the last picture and all that was told; what the test asks, it passes on."""

    def __init__(self) -> None:
        self.links: frozenset[PeerId] = frozenset()
        self.remaining_ms: int | None = None
        self.question: Prompt | None = None
        self.question_id = ""
        self.told_events: list[tuple[str, str]] = []
        self.steps: list[Happened] = []
        self._changed = trio.Event()
        self._requests: deque[Request] = deque()
        self._asked = trio.Event()

    # --- what the node calls

    def changed(
        self,
        game: SeatedGame,
        match: Match,  # noqa: ARG002 - no test looks at the match
        links: frozenset[PeerId],
        remaining_ms: int | None,
    ) -> None:
        self.links, self.remaining_ms, self.question = links, remaining_ms, game.question
        if game.question is not None:
            self.question_id = question_id(game.terms.game_id, game.question.id)
        self._news()

    def told(
        self,
        event: str,
        text: Sentence | str,
        fields: Mapping[str, object],  # noqa: ARG002 - the log has them as well
        story: Happened | None,
    ) -> None:
        self.told_events.append((event, str(text)))
        if story is not None:
            self.steps.append(story)
        self._news()

    async def next_request(self) -> Request:
        while not self._requests:
            await self._asked.wait()
            self._asked = trio.Event()
        return self._requests.popleft()

    # --- what the test does

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until that is true of what this desk has seen."""
        with trio.fail_after(PATIENCE):
            while not true():
                await self._changed.wait()

    async def asked(self) -> Prompt:
        """The question that is open, once there is one."""
        await self.until(lambda: self.question is not None)
        assert self.question is not None
        return self.question

    async def wish(self, wish: Wish) -> Reply:
        """Ask the node for something; its reply."""
        replies: list[Reply] = []
        replied = trio.Event()

        def reply(given: Reply) -> None:
            replies.append(given)
            replied.set()

        self._requests.append(Request(wish, reply))
        self._asked.set()
        with trio.fail_after(PATIENCE):
            await replied.wait()
        (given,) = replies
        return given

    async def answer(self, move: str | None = None) -> Reply:
        """Answer the open question, with its first legal move unless the test says another."""
        asked = await self.asked()
        return await self.wish(
            Answer(self.question_id, move or move_to_text(asked.view.legal_moves()[0]))
        )

    async def concede(self) -> Reply:
        """Give up at the next question."""
        asked = await self.asked()
        return await self.answer(f"{asked.decision.seat} concede")

    def heard(self, event: str) -> list[str]:
        """What was told under that name."""
        return [text for name, text in self.told_events if name == event]

    def _news(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
