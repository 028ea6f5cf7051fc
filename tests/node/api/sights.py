"""Pictures of random games with open cards. Not a test module."""

from collections.abc import Iterator

from p2pcoup.node.api.chronicle import Chronicle
from p2pcoup.node.api.picture import Sight
from p2pcoup.rules import USUAL, Seat, State
from p2pcoup.table import Happened, Member, Terms
from tests.node.nodes import NAMES, identity_of
from tests.rules.dealer import Dealer
from tests.rules.random_games import TABLES, Table, random_game

SOME_TABLES = [table for table in TABLES if table.options != USUAL or table.seats in (2, 4)]
"""Both editions with every set-up, and with few and with more players."""


def terms_of(table: Table) -> Terms:
    """Terms for such a table."""
    roster = tuple(
        Member(identity_of(number).peer_id, NAMES[number]) for number in range(table.seats)
    )
    return Terms("a random game", table.edition, roster, table.options)


def sight(terms: Terms, dealer: Dealer, state: State, seat: int | None) -> Sight:
    """What a seat may know, or what who only watches does."""
    return Sight(
        terms=terms,
        seat=None if seat is None else Seat(seat),
        state=state,
        view=None if seat is None else dealer.view(state, Seat(seat)),
        history=tuple(dealer.history),
        waiting_for=state.deciders,
        holders=frozenset(state.living),
    )


def moments(seed: int, table: Table) -> Iterator[tuple[Dealer, State, Chronicle, Happened]]:
    """The game after each of its steps."""
    chronicle = Chronicle()
    for dealer, before, event, after in random_game(seed, table):
        step = Happened(before, event, after)
        chronicle.take(step)
        yield dealer, after, chronicle, step
