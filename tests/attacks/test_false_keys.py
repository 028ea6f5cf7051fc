"""Who sits down with a key that can be nobody's, or that is another's, does not sit down."""

import pytest

from p2pcoup.audit import Verdict, audit
from p2pcoup.journal import encode_transcript
from p2pcoup.table import Refused
from p2pcoup.wire import Kind, Message, sign
from p2pcoup.wire.message import MESSAGE_LABEL
from tests.table.party import BASE_GAME, Party, played

FIELD = 2**255 - 19
KEYS = {
    "zero": bytes(32),
    "one": (1).to_bytes(32, "little"),
    "minus one": (FIELD - 1).to_bytes(32, "little"),
    "of order eight": bytes.fromhex(
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
    ),
    "a second encoding": (FIELD + 1).to_bytes(32, "little"),
    "no point": b"\xff" * 32,
}


@pytest.fixture(scope="module")
def party() -> Party:
    return played(*BASE_GAME)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_that_can_be_nobody_s_takes_no_seat_and_breaks_nothing(
    party: Party, key: bytes
) -> None:
    game = party.terms.game_id
    false = sign(Message(game, 0, 0, game, Kind.JOIN, (key, bytes(32))), party.identities[0])
    table = party.new_table(0)
    (notice,) = table.receive(false.raw)
    assert isinstance(notice, Refused)
    assert table.waiting_for == party.terms.seats
    report = audit(encode_transcript(party.terms.encode(), [false]))
    assert report.verdict is Verdict.INVALID


def test_the_key_of_another_seat_takes_no_seat(party: Party) -> None:
    """Attack 4: a stranger's key is not the peer id's, and the peer's key is not the stranger's."""
    game, (ash, birch, _) = party.terms.game_id, party.identities
    for key in (ash.public_key, birch.public_key):
        payload = sign(Message(game, 0, 0, game, Kind.JOIN, (key, bytes(32))), birch).payload
        for signer in (ash, birch):
            if signer is ash and key == ash.public_key:
                continue  # Ash itself
            (notice,) = party.new_table(1).receive(payload + signer.sign(MESSAGE_LABEL, payload))
            assert isinstance(notice, Refused)
