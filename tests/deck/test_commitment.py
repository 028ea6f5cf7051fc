"""Hash commitments."""

import pytest

from p2pcoup.deck import Check, DeckUseError, check_opening, commit
from tests.deck.damage import refused

GAME = bytes(range(32))
SALT = bytes(range(100, 132))
VALUE = b"value"


def test_the_committed_value_opens() -> None:
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    assert len(commitment) == 32
    check_opening(commitment, "answer", GAME, 3, 1, VALUE, SALT)
    empty = commit("answer", GAME, 3, 1, b"", SALT)
    check_opening(empty, "answer", GAME, 3, 1, b"", SALT)


def test_every_changed_part_is_refused() -> None:
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
def test_wrong_lengths_are_refused(size: int) -> None:
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    with pytest.raises(DeckUseError):
        commit("answer", GAME, 3, 1, VALUE, bytes(size))
    with refused(Check.LENGTH):
        check_opening(commitment, "answer", GAME, 3, 1, VALUE, bytes(size))
    with refused(Check.LENGTH):
        check_opening(bytes(size), "answer", GAME, 3, 1, VALUE, SALT)


def test_a_copied_commitment_cannot_be_opened_by_another_seat() -> None:
    """Attack 6: whoever copies is refused at the opening, even with the copied value and salt."""
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    for copier in (0, 2):
        with refused(Check.COMMITMENT):
            check_opening(commitment, "answer", GAME, 3, copier, VALUE, SALT)
    check_opening(commitment, "answer", GAME, 3, 1, VALUE, SALT)  # the owner is not harmed


def test_an_opening_does_not_open_the_commitment_of_another_game_or_round() -> None:
    """Attack 5."""
    commitment = commit("answer", GAME, 3, 1, VALUE, SALT)
    for game, round_number in ((bytes(32), 3), (GAME, 4), (GAME, 2)):
        with refused(Check.COMMITMENT):
            check_opening(commitment, "answer", game, round_number, 1, VALUE, SALT)


def test_a_guessed_value_cannot_be_confirmed_without_the_random_bytes() -> None:
    """Attack 7: few values are possible, and all of them fit all salts equally well."""
    commitment = commit("answer", GAME, 3, 1, b"pass", SALT)
    for guess in (b"pass", b"challenge"):
        for salt in (bytes(32), SALT[::-1]):
            with refused(Check.COMMITMENT):
                check_opening(commitment, "answer", GAME, 3, 1, guess, salt)
    assert commitment != commit("answer", GAME, 3, 1, b"pass", bytes(32))
