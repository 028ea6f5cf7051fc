"""A node that plays by a table file, as `p2pcoup node --table` starts it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from p2pcoup.cli.input_end import Stopped
from p2pcoup.cli.seat import SeatOptions
from p2pcoup.node.home import game_folder, load_identity
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.node import run_node
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.tablefile import read_table_file
from p2pcoup.table import Terms
from p2pcoup.wire import PeerId

if TYPE_CHECKING:
    from p2pcoup.node.api import Hub


def sit_at_table(options: SeatOptions, path: Path) -> int:
    """Play all games of the table file; the exit status."""
    own = load_identity(options.home)
    table = read_table_file(path)
    policy, luck = options.policy, options.luck()

    def sit_down(terms: Terms) -> SeatedGame:
        folder = game_folder(options.home, terms.game_id)
        clock = time.perf_counter
        return SeatedGame(terms, own, folder, policy, luck, clock=clock, pace=options.pace)

    match = Match(table, sit_down)

    async def run(log: NodeLog, hub: "Hub | None") -> Stopped:
        return await run_node(table, own, match, log, options.listen, hub)

    try:
        return options.play(own.peer_id, _name(table.terms, own.peer_id), run)
    finally:
        match.close()


def _name(terms: Terms, peer: PeerId) -> str | None:
    seat = terms.seat_of(peer)
    return None if seat is None else terms.names[seat]
