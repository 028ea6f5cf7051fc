"""Makes ``protocol/vectors/table.json``: ``python -m tests.table.make_vectors``.

Terms, game ids and domains (SPEC 8.1, 8.2), the same bytes every time. Refused terms are the
encoding of a value that is nearly terms.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from p2pcoup.rules import BASE, INQUISITOR, Options, Seat, Setup
from p2pcoup.table import Member, Sequel, Terms, Times
from p2pcoup.table.rounds import Context
from p2pcoup.wire import decode, encode
from tests.lobby.crowd import identity_of

FILE = Path(__file__).parents[2] / "protocol" / "vectors" / "table.json"
Case = dict[str, object]

ROSTER = tuple(Member(identity_of(name).peer_id, name) for name in ("Ash", "Birch", "눈송이"))
TERMS = Terms("2026-01-31 a1b2", BASE, ROSTER, times=Times(30, 15, 0))
SEQUEL = Sequel(b"d" * 32, (Seat(2), Seat(0), Seat(1)), Seat(1))
NEXT = replace(TERMS, game="2026-01-31 a1b2 (game 2)", edition=INQUISITOR, sequel=SEQUEL)
FIVES = replace(TERMS, roster=ROSTER[:2], options=Options(Setup.SET_OF_FIVE, starter_coin=True))


def refused() -> Iterator[tuple[str, bytes]]:
    """What is wrong, and the bytes."""
    items = decode(NEXT.encode(), max_bytes=4096)
    assert isinstance(items, tuple)

    def with_item(place: int, value: object) -> bytes:
        return encode((*items[:place], value, *items[place + 1 :]))  # type: ignore[arg-type]

    yield "another format", with_item(0, "p2pcoup terms 2")
    yield "no text of the game", with_item(1, "")
    yield "an edition there is not", with_item(2, "gold")
    yield "options not in canonical form", with_item(3, "")
    yield "a time of zero", with_item(4, (0, 15, 0))
    yield "true for a time", with_item(4, (True, 15, 0))
    yield "a peer twice", with_item(5, (items[5][0], items[5][0], items[5][2]))  # type: ignore[index]
    yield (
        "a peer id in small letters",
        with_item(
            5,
            ((ROSTER[0].peer.lower(), "Ash"), *items[5][1:]),  # type: ignore[index]
        ),
    )
    yield "a digest of 31 bytes", with_item(6, (b"d" * 31, (2, 0, 1), 1))
    yield "a seat twice in the order", with_item(6, (b"d" * 32, (2, 0, 0), 1))
    yield "a starter who is no seat", with_item(6, (b"d" * 32, (2, 0, 1), 3))
    yield "true and false for seats", with_item(6, (b"d" * 32, (2, False, True), 1))
    yield "true for the starter", with_item(6, (b"d" * 32, (2, 0, 1), True))
    yield "something in the order that is no seat", with_item(6, (b"d" * 32, (2, 0, 1, ""), 1))
    yield "an item too many", encode((*items, 0))
    yield "a byte left over", NEXT.encode() + b"\0"


def cases() -> list[Case]:
    """All cases, numbered."""
    found: list[Case] = [
        {
            "algorithm": "8.1 terms and game id",
            "valid": True,
            "terms": terms.encode().hex(),
            "game_id": terms.game_id.hex(),
        }
        for terms in (TERMS, NEXT, FIVES)
    ]
    found += [
        {"algorithm": "8.1 terms and game id", "valid": False, "why": why, "terms": data.hex()}
        for why, data in refused()
    ]
    place = Context(TERMS.game_id, 7, Seat(2), b"p" * 32)
    found += [
        {
            "algorithm": "8.2 domain",
            "valid": True,
            "game": each.game.hex(),
            "round": each.round,
            "seat": each.seat,
            "parent": each.parent.hex(),
            "domain": each.domain.hex(),
        }
        for each in (place, replace(place, round=300), replace(place, parent=b"q" * 32))
    ]
    return [{"number": number, **case} for number, case in enumerate(found)]


def text() -> str:
    """The file's text."""
    return json.dumps(cases(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
