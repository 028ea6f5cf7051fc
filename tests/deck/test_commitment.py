"""Hash commitments."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from p2pcoup.deck import Check, DeckUseError, check_distinct, check_opening, commit

Refused = Callable[..., AbstractContextManager[None]]
GAME = bytes(range(32))
SALT = bytes(range(100, 132))
VALUE = b"value"


def test_the_committed_value_opens() -> None:
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    assert len(commitment) == 32
    check_opening(commitment, "answer", GAME, 3, 1, VALUE, SALT)
    empty = commit("answer", GAME, 3, 1, b"", SALT)
    check_opening(empty, "answer", GAME, 3, 1, b"", SALT)


def test_every_changed_part_is_refused(refused: Refused) -> None:
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    for label, game, round_number, seat, value, salt in (
        ("coin", GAME, 3, 1, VALUE, SALT),
        ("answer", bytes(32), 3, 1, VALUE, SALT),
        ("answer", GAME, 4, 1, VALUE, SALT),
        ("answer", GAME, 3, 2, VALUE, SALT),
        ("answer", GAME, 1, 3, VALUE, SALT),
        ("answer", GAME, 3, 1, b"other", SALT),
        ("answer", GAME, 3, 1, b"", SALT),
        ("answer", GAME, 3, 1, VALUE, bytes(32)),
        ("answe", b"r" + GAME, 3, 1, VALUE, SALT),
        ("answer", GAME, 3, 1, VALUE + SALT[:1], SALT[1:] + b"\0"),
    ):
        with refused(Check.COMMITMENT):
            check_opening(commitment, label, game, round_number, seat, value, salt)
    with refused(Check.COMMITMENT):
        check_opening(bytes(32), "answer", GAME, 3, 1, VALUE, SALT)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_wrong_lengths_are_refused(size: int, refused: Refused) -> None:
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    with pytest.raises(DeckUseError):
        commit("answer", GAME, 3, 1, VALUE, bytes(size))
    with refused(Check.LENGTH):
        check_opening(commitment, "answer", GAME, 3, 1, VALUE, bytes(size))
    with refused(Check.LENGTH):
        check_opening(bytes(size), "answer", GAME, 3, 1, VALUE, SALT)


def test_equal_commitments_are_refused(refused: Refused) -> None:
    one, other = (commit("answer", GAME, 3, seat, VALUE, SALT) for seat in (1, 2))
    assert one != other
    check_distinct([one, other])
    check_distinct([])
    with refused(Check.COMMITMENT):
        check_distinct([one, other, one])
