"""The terms of the next game of a match, which follow from the end of the one before (SPEC 8.1)."""

from dataclasses import replace

from p2pcoup.rules import Seat
from p2pcoup.table.table import Table
from p2pcoup.table.terms import Sequel, Terms


def following_terms(before: Table, game: str) -> Terms:
    """Algorithm 8.1: the terms of the game of that text which follows one that is over.

    It is played by all seats that the others have not gone on without, in the same order. The
    winner starts; if it vanished at the very end, the next one clockwise that is left.

    Raises:
        TermsError: so few cannot play it.
        RuntimeError: the game is not over.
    """
    if before.outcome is None:
        raise RuntimeError("the game is not over")
    old, left = before.terms, before.game.present
    number = {seat: Seat(place) for place, seat in enumerate(left)}
    order = before.game.playing.order
    first = order.index(before.outcome.winner)
    clockwise = [seat for seat in (*order[first:], *order[:first]) if seat in number]
    sequel = Sequel(
        before.final_digest,
        tuple(number[seat] for seat in order if seat in number),
        number[clockwise[0]],
    )
    roster = tuple(old.roster[seat] for seat in left)
    return replace(old, game=game, roster=roster, sequel=sequel)
