"""Hash commitments."""

import pytest

from p2pcoup.deck import Check, DeckUseError, check_opening, commit
from tests.deck.damage import refused

DOMAIN = bytes(range(64))
OTHER = bytes([1, *DOMAIN[1:]])
SALT = bytes(range(100, 132))
VALUE = b"value"


def test_the_committed_value_opens() -> None:
    commitment = commit("answer", DOMAIN, VALUE, SALT)
    assert len(commitment) == 32
    check_opening(commitment, "answer", DOMAIN, VALUE, SALT)
    empty = commit("answer", DOMAIN, b"", SALT)
    check_opening(empty, "answer", DOMAIN, b"", SALT)


def test_every_changed_part_is_refused() -> None:
    commitment = commit("answer", DOMAIN, VALUE, SALT)
    for label, domain, value, salt in (
        ("coin", DOMAIN, VALUE, SALT),
        ("answer", OTHER, VALUE, SALT),
        ("answer", DOMAIN, b"other", SALT),
        ("answer", DOMAIN, b"", SALT),
        ("answer", DOMAIN, VALUE, bytes(32)),
        ("answe", b"r" + DOMAIN, VALUE, SALT),
        ("answer", DOMAIN + VALUE[:1], VALUE[1:], SALT),
        ("answer", DOMAIN, VALUE + SALT[:1], SALT[1:] + b"\0"),
    ):
        with refused(Check.COMMITMENT):
            check_opening(commitment, label, domain, value, salt)
    with refused(Check.COMMITMENT):
        check_opening(bytes(32), "answer", DOMAIN, VALUE, SALT)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_wrong_lengths_are_refused(size: int) -> None:
    commitment = commit("answer", DOMAIN, VALUE, SALT)
    with pytest.raises(DeckUseError):
        commit("answer", DOMAIN, VALUE, bytes(size))
    with refused(Check.LENGTH):
        check_opening(commitment, "answer", DOMAIN, VALUE, bytes(size))
    with refused(Check.LENGTH):
        check_opening(bytes(size), "answer", DOMAIN, VALUE, SALT)


def test_a_copied_commitment_cannot_be_opened_in_another_message() -> None:
    """Attacks 5 and 6: game, round, seat and course are in the domain; whoever copies is refused at
    the opening, even with the copied value and salt.
    """
    commitment = commit("answer", DOMAIN, VALUE, SALT)
    with refused(Check.COMMITMENT):
        check_opening(commitment, "answer", OTHER, VALUE, SALT)
    check_opening(commitment, "answer", DOMAIN, VALUE, SALT)  # the owner is not harmed


def test_a_guessed_value_cannot_be_confirmed_without_the_random_bytes() -> None:
    """Attack 7: few values are possible, and all of them fit all salts equally well."""
    commitment = commit("answer", DOMAIN, b"pass", SALT)
    for guess in (b"pass", b"challenge"):
        for salt in (bytes(32), SALT[::-1]):
            with refused(Check.COMMITMENT):
                check_opening(commitment, "answer", DOMAIN, guess, salt)
    assert commitment != commit("answer", DOMAIN, b"pass", bytes(32))
