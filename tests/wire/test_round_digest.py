"""The order of messages within a round, and the digest that chains rounds."""

import dataclasses
import hashlib

import pytest

from p2pcoup.wire import Identity, Kind, Message, round_digest, sign


def said(kind: Kind, round_number: int, seat: int) -> Message:
    body: tuple[str | bytes, ...] = ("1:0",) if kind is Kind.ABSENT else (b"c" * 32,)
    return Message(b"g" * 32, round_number, seat, b"p" * 32, kind, body)


def test_places_go_by_round_then_absence_then_seat() -> None:
    in_order = [
        said(Kind.SEAL, 0, 1),
        said(Kind.ABSENT, 0, 0),  # in round 0 after the others: a key must be known first
        said(Kind.ABSENT, 0, 1),
        said(Kind.ABSENT, 1, 2),
        said(Kind.SEAL, 1, 0),
        said(Kind.SEAL, 1, 2),
        said(Kind.ABSENT, 300, 0),
        said(Kind.SEAL, 300, 0),
    ]
    places = [message.place for message in in_order]
    assert places == sorted(set(places))


def test_statements_of_absence_come_first_in_a_digest(identity: Identity) -> None:
    absent = [sign(said(Kind.ABSENT, 5, seat), identity) for seat in (1, 2)]
    spoken = [sign(said(Kind.SEAL, 5, seat), identity) for seat in (0, 1)]
    digest = round_digest(b"p" * 32, [*absent, *spoken])
    assert digest != round_digest(b"p" * 32, spoken)
    for wrong in ([*spoken, *absent], [absent[0], spoken[0], absent[1], spoken[1]]):
        with pytest.raises(ValueError, match="ascending order"):
            round_digest(b"p" * 32, wrong)


@pytest.fixture(scope="module")
def known_round(identity: Identity, other_identity: Identity) -> list[Message]:
    return [Message(b"g" * 32, 5, seat, b"p" * 32, Kind.SEAL, (b"c" * 32,)) for seat in (0, 2, 3)]


def test_the_round_digest_is_sha256_of_what_the_specification_says(
    known_round: list[Message], identity: Identity
) -> None:
    messages = [sign(message, identity) for message in known_round]
    text = b"p2pcoup/1 round digest\0" + b"p" * 32 + b"\0\0\0\x03"
    for signed in messages:
        text += len(signed.raw).to_bytes(4, "big") + signed.raw
    assert round_digest(b"p" * 32, messages) == hashlib.sha256(text).digest()


def test_the_round_digest_changes_with_every_message(
    known_round: list[Message], identity: Identity, other_identity: Identity
) -> None:
    messages = [sign(message, identity) for message in known_round]
    other = [sign(message, other_identity) for message in known_round]
    digests = {round_digest(b"p" * 32, messages)}
    for place in range(3):
        changed = [*messages[:place], other[place], *messages[place + 1 :]]
        digests.add(round_digest(b"p" * 32, changed))
        digests.add(round_digest(b"p" * 32, [*messages[:place], *messages[place + 1 :]]))
    assert len(digests) == 7


def test_only_the_messages_of_one_round_in_seat_order_have_a_digest(
    known_round: list[Message], identity: Identity
) -> None:
    messages = [sign(message, identity) for message in known_round]
    stranger = sign(dataclasses.replace(known_round[2], round=6), identity)
    game = sign(dataclasses.replace(known_round[2], game=b"h" * 32), identity)
    parent = sign(dataclasses.replace(known_round[2], parent=b"q" * 32), identity)
    for wrong in (
        [],
        messages[::-1],
        [messages[0], messages[0]],
        [*messages[:2], stranger],
        [*messages[:2], game],
        [*messages[:2], parent],
    ):
        with pytest.raises(ValueError, match="round"):
            round_digest(b"p" * 32, wrong)
    with pytest.raises(ValueError, match="previous digest"):
        round_digest(b"q" * 32, messages)
