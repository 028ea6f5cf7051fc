"""A program that its user can stop at any time: Ctrl-C, or a signal to end."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import trio

from p2pcoup.node.log import NodeLog

PLAYS_ON: Final = "Nothing is lost: the same command plays on."
NOTHING_TO_PLAY_ON: Final = "No game had begun, so there is none to play on."


async def until_stopped(
    work: Callable[[], Awaitable[object]],
    log: NodeLog,
    has_begun: Callable[[], bool] = lambda: True,
) -> signal.Signals | None:
    """Do the work until it is done or a signal comes, which cancels it.

    Args:
        has_begun: whether there is a game by now.

    Returns:
        The signal that stopped it; None: it is done.

    Raises:
        ExceptionGroup: of what the work raises.
    """
    stopped: signal.Signals | None = None
    working = trio.CancelScope()

    async def stop_on_signal(signals: AsyncIterator[int]) -> None:
        nonlocal stopped
        async for number in signals:
            if stopped is None:  # the rest only say that somebody is impatient
                stopped = signal.Signals(number)
                then = PLAYS_ON if has_begun() else NOTHING_TO_PLAY_ON
                log.info("stopped", f"Stopped by {stopped.name}. {then}")
                working.cancel()

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stop_on_signal, signals)
            with working:
                await work()
            nursery.cancel_scope.cancel()
    return stopped
