"""Seats and the clockwise direction (SPEC 11.1).

A seat is a small number that never changes during a game. Who sits beside whom is a separate
thing, the *order*: a tuple of all seats in clockwise direction, decided by a joint coin flip.
"""

from collections.abc import Sequence
from typing import NewType

Seat = NewType("Seat", int)


def clockwise_after(seats: Sequence[Seat], seat: Seat) -> tuple[Seat, ...]:
    """Return the other members of `seats` (given clockwise), beginning next to `seat`.

    `seat` must be one of `seats`; otherwise ValueError.
    """
    place = seats.index(seat)
    return (*seats[place + 1 :], *seats[:place])
