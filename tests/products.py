"""Products and sums of points that are worked out once, though every seat of a table needs them.

At a table of tests all seats stand in one process, each checks every message, and the same game is
played again and again up to some moment: most of what libsodium works out there it has worked out
before, and the same bytes give the same bytes. What is refused is never remembered.
"""

from collections.abc import Callable
from typing import Final

from p2pcoup.deck import group

AT_MOST: Final = 100_000
"""So many results of each function are kept; each takes about 300 bytes."""


def remembering(function: Callable[..., int]) -> Callable[..., int]:
    """A function of libsodium that writes one point, and remembers which."""
    known: dict[tuple[bytes, ...], bytes] = {}

    def asked(result: group.Buffer32, *arguments: bytes) -> int:
        found = known.get(arguments)
        if found is not None:
            result.raw = found
            return 0
        status = function(result, *arguments)
        if status == 0:
            if len(known) >= AT_MOST:
                known.clear()
            known[arguments] = result.raw
        return status

    return asked


TRUE: Final = {
    name: getattr(group, name) for name in ("_add", "_subtract", "_multiply", "_multiply_base")
}
REMEMBERED: Final = {name: remembering(function) for name, function in TRUE.items()}


def remember(on: bool) -> None:
    """Whether the deck takes what is remembered, from now on."""
    vars(group).update(REMEMBERED if on else TRUE)
