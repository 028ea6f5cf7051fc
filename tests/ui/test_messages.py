"""The messages that these tests write out are messages a node may send (api.schema.json)."""

import pytest

from tests.node.api.clients import check
from tests.ui.messages import (
    STAGES,
    WITHOUT_QUESTION,
    asked,
    game,
    hello,
    lobby,
    over,
    state,
    story,
)


@pytest.mark.parametrize("edition", ["base", "inquisitor"])
@pytest.mark.parametrize("kind", STAGES)
def test_every_question_is_one_of_the_api(kind: str, edition: str) -> None:
    check(asked(kind, edition))


def test_every_other_message_is_one_of_the_api() -> None:
    others = [hello(), lobby(), over(), state("ended", reason="It is over."), *story()]
    others += [state("game", game=game(kind)) for kind in WITHOUT_QUESTION]
    others.append(state("game", game=game("challenge-action", you=None)))
    for message in others:
        check(message)
