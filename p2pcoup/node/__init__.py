"""A peer as a program: the table, the journal and the links put together (SPEC 10)."""

from p2pcoup.node.archive import PastGame, audit_and_note, past_games
from p2pcoup.node.demo import NAMES, DemoGame, DemoMatch, play_demo
from p2pcoup.node.demo_errors import DemoError
from p2pcoup.node.demo_faults import NO_FAULTS, Faults, most_kills
from p2pcoup.node.desk import Beside, Desk, Ending, NoDesk, NothingBeside
from p2pcoup.node.failures import BROKEN_PIPE, INTERRUPTED, Failure, explain
from p2pcoup.node.home import (
    HOME_VARIABLE,
    HomeError,
    create_identity,
    game_folder,
    home_folder,
    identity_file,
    load_identity,
)
from p2pcoup.node.log import NodeLog
from p2pcoup.node.match import Match
from p2pcoup.node.node import play_seat, run_node
from p2pcoup.node.playing import play_over
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.story import in_paragraphs
from p2pcoup.node.tablefile import (
    MAX_GAMES,
    TableFile,
    TableFileError,
    parse_table_file,
    read_table_file,
)

__all__ = [
    "BROKEN_PIPE",
    "HOME_VARIABLE",
    "INTERRUPTED",
    "MAX_GAMES",
    "NAMES",
    "NO_FAULTS",
    "Beside",
    "DemoError",
    "DemoGame",
    "DemoMatch",
    "Desk",
    "Ending",
    "Failure",
    "Faults",
    "HomeError",
    "Match",
    "NoDesk",
    "NodeLog",
    "NothingBeside",
    "PastGame",
    "SeatedGame",
    "TableFile",
    "TableFileError",
    "audit_and_note",
    "create_identity",
    "explain",
    "game_folder",
    "home_folder",
    "identity_file",
    "in_paragraphs",
    "load_identity",
    "most_kills",
    "parse_table_file",
    "past_games",
    "play_demo",
    "play_over",
    "play_seat",
    "read_table_file",
    "run_node",
]
