"""The headless peer as a program: links on one side, one seat's games on the other (SPEC 9.6)."""

import functools
import signal

from p2pcoup.net import Address, Mesh, open_mesh
from p2pcoup.node.company import Company
from p2pcoup.node.desk import Beside, Desk, Ending, NoDesk
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.playing import LINGER_SECONDS, play_over
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.stopping import until_stopped
from p2pcoup.node.tablefile import TableFile
from p2pcoup.node.telling import Telling
from p2pcoup.wire import Identity


async def run_node(
    table: TableFile,
    identity: Identity,
    match: Match,
    log: NodeLog,
    listen: Address | None,
    desk: Desk | None = None,
) -> signal.Signals | None:
    """`play_seat` until the user stops the program.

    Returns:
        The signal that stopped the node; None: every game is finished, or the desk wanted to quit.

    Raises:
        ExceptionGroup: of what `play_seat` raises.
    """
    return await until_stopped(
        functools.partial(play_seat, table, identity, match, log, listen, desk), log
    )


async def play_seat(
    table: TableFile,
    identity: Identity,
    match: Match,
    log: NodeLog,
    listen: Address | None = None,
    desk: Desk | None = None,
    beside: Beside | None = None,
) -> Ending:
    """Open the links of one seat and `play_over` them, with all that belongs to a table.

    Args:
        beside: what else the links are used for.
        listen: where to listen; None: at the table file's address for this seat.

    Raises:
        ListenError: the node cannot listen there; PortInUseError if the port is taken.
        JournalError: the disk refuses; nothing was sent that is not in the journal.
    """
    if match.over:
        _tell_already_played(match.current, log)
        if match.current.known_to_all:
            return Ending.OVER
    peers = {peer: place for peer, place in table.addresses.items() if peer != identity.peer_id}
    here = listen or table.addresses[identity.peer_id]
    async with open_mesh(identity, listen=here, peers=peers) as mesh:
        tell_listening(log, mesh)
        company = Company(mesh, match, identity, Telling(log, desk or NoDesk()), beside)
        return await play_over(mesh, match, log, desk, company)


def tell_listening(log: NodeLog, mesh: Mesh) -> None:
    """Say where others reach this node."""
    places = ", ".join(map(str, mesh.addresses))
    log.info("listening", f"Listening at {places} as {mesh.me}.", port=mesh.addresses[0].port)


def _tell_already_played(game: SeatedGame, log: NodeLog) -> None:
    stays = f" It is offered to the others for {LINGER_SECONDS:.0f} s, as one may lack its end."
    log.info(
        "already-played",
        f"This game is already played. Transcript: {game.transcript_file}. To play another one, "
        f"everybody writes the same new game name into the table file."
        f"{'' if game.known_to_all else stays}",
        transcript=str(game.transcript_file),
    )
