"""Makes ``protocol/vectors/lobby.json``: ``python -m tests.lobby.make_vectors``.

The same bytes every time. Byte strings are hexadecimal; a refused case says why.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from p2pcoup.lobby import Person, Settings, Sheet, encode_lobby, labels
from p2pcoup.lobby.messages import (
    CalledOff,
    Declined,
    Doubt,
    Entered,
    Follows,
    Leave,
    LobbyMessage,
    Ready,
    Reason,
    Refused,
    Roster,
    Signed,
    Sit,
    Started,
    Void,
)
from p2pcoup.lobby.signing import sign_roster, sign_talk
from p2pcoup.rules import EDITIONS, Options, Setup
from p2pcoup.table import Times
from p2pcoup.wire import encode
from tests.lobby.crowd import identity_of

FILE = Path(__file__).parents[2] / "protocol" / "vectors" / "lobby.json"
TABLE = bytes(range(16))
GAME_TEXT = "friday evening 000102030405060708090a0b"

Case = Mapping[str, object]

ASH, BIRCH, CEDAR, ELM = (identity_of(name) for name in ("Ash", "Birch", "Cedar", "Elm"))


def people() -> tuple[Person, ...]:
    """Two of one name, one more, and one who watches."""
    return (
        Person(ASH.peer_id, "Ash", ("192.168.1.10:7700",), ready=True),
        Person(BIRCH.peer_id, "Birch", ("192.168.1.11:7700", "[fd00::2]:7700"), ready=True),
        Person(CEDAR.peer_id, "birch", ("bots.example:9",), bot=True, ready=True, here=False),
        Person(ELM.peer_id, "눈송이", watching=True),
    )


def sheet() -> Sheet:
    """A sheet of the second opener of a table."""
    settings = Settings(EDITIONS["inquisitor"], seats=5, games=3, times=Times(30, 15, 60))
    return Sheet(TABLE, 1, 42, ASH.peer_id, "friday evening", settings, people(), 2)


def roster() -> Roster:
    """The roster of that sheet."""
    terms = sheet().terms(GAME_TEXT).encode()
    return Roster(TABLE, 1, 2, 42, 3, terms)


def started() -> Started:
    """The start with all signatures."""
    asked = roster()
    signatures = tuple((who.public_key, sign_roster(asked, who)) for who in (ASH, BIRCH, CEDAR))
    places = tuple(person.addresses for person in sheet().seated)
    return Started(TABLE, 1, 2, 3, asked.terms, signatures, places)


def messages() -> Iterator[tuple[str, LobbyMessage]]:
    """One of every kind."""
    asked = roster()
    game = sheet().terms(GAME_TEXT).game_id
    yield "the first of a joiner", Sit(b"", "Birch", ("192.168.1.11:7700",), False, False)
    yield "on a later link, to watch", Sit(TABLE, "눈송이", (), False, True)
    yield "ready", Ready(TABLE, sheet().settings.digest)
    yield "not ready", Ready(TABLE, b"")
    yield "leave", Leave(TABLE)
    yield "a sheet", sheet()
    yield "refused", Refused(TABLE, Reason.FULL)
    yield "follows", Follows(TABLE, 1, ASH.peer_id, True)
    yield "a roster", asked
    yield "signed", Signed(TABLE, 1, 2, BIRCH.public_key, sign_roster(asked, BIRCH))
    yield "declined", Declined(TABLE, 1, 2, Doubt.TOO_NEW)
    yield "called off", CalledOff(TABLE, 1, 2, Doubt.SILENT, CEDAR.peer_id)
    yield "started", started()
    yield "entered", Entered(TABLE, game, (0, 2))
    yield "void", Void(TABLE, game)
    yield "talk", sign_talk(TABLE, 1_765_432_109_876, "한 판 더? Who wants to open?", BIRCH)


def refused_messages() -> Iterator[tuple[str, bytes]]:
    """Bytes that are no message."""
    plain = replace(sheet(), people=sheet().seated[:1])
    items = list(plain.value())

    def with_item(place: int, value: object) -> bytes:
        return encode(("lobby", "sheet", TABLE, *items[:place], value, *items[place + 1 :]))  # type: ignore[arg-type]

    line = list(people()[0].value())  # type: ignore[arg-type]
    yield "an unknown kind", encode(("lobby", "gossip", TABLE))
    signed = sign_talk(TABLE, 7, "well", BIRCH)
    said = ("lobby", "talk", TABLE, 7, signed.key, signed.signature)
    yield "talk without words", encode((*said, ""))
    yield "talk with needless blanks", encode((*said, "well,  well"))
    yield "talk that steers a terminal", encode((*said, "well\x1b[2J"))
    yield "talk of 281 characters", encode((*said, "a" * 281))
    yield "talk without a signature", encode((*said[:5], b"", "well"))
    yield "one item too many", encode(("lobby", "leave", TABLE, 0))
    yield "a table's id of 15 bytes", encode(("lobby", "leave", TABLE[:15]))
    yield "an empty id where only sit may have one", encode(("lobby", "leave", b""))
    yield "a seat without an address", encode(("lobby", "sit", TABLE, "Ash", (), False, False))
    yield "a name not in the form of 3.6", encode(("lobby", "sit", TABLE, " A", (), False, True))
    yield "five addresses", encode(("lobby", "sit", TABLE, "A", ("h:1",) * 5, False, False))
    yield "a blank in an address", encode(("lobby", "sit", TABLE, "A", ("h :1",), False, False))
    yield "an integer for a boolean", encode(("lobby", "sit", TABLE, "A", (), 0, True))
    yield "a digest of 31 bytes", encode(("lobby", "ready", TABLE, b"d" * 31))
    yield "an unknown reason", encode(("lobby", "refused", TABLE, "dislike"))
    yield "seats not ascending", encode(("lobby", "entered", TABLE, b"g" * 32, (1, 0)))
    yield "a reign above 1000", with_item(0, 1001)
    yield "an opener who does not sit there", with_item(2, ELM.peer_id)
    yield "a peer id in small letters", with_item(2, ASH.peer_id.lower())
    yield "seven seats for six players", with_item(4, ("base", "standard", 7, 1, (45, 20, 120)))
    yield "set-of-five for three", with_item(4, ("base", "set-of-five", 3, 1, (45, 20, 120)))
    yield "a peer twice", with_item(5, (line, line))
    roster = ("lobby", "roster", TABLE, 0, 1)
    yield "true for the number of a sheet", encode((*roster, True, 1, b"terms"))
    yield "true for the number of games", encode((*roster, 1, True, b"terms"))


def cases() -> list[Case]:
    """All cases, numbered."""
    found: list[Case] = []
    for crowd in (people(), sheet().seated, twins()):
        shown = [[person.peer, person.name] for person in crowd]
        called = [labels(crowd)[person.peer] for person in crowd]
        found += [right("12.2a Labels", people=shown, labels=called)]
    set_of_five = Settings(options=Options(Setup.SET_OF_FIVE), seats=2)
    for settings in (Settings(), sheet().settings, set_of_five):
        value, digest = encode(settings.value()).hex(), settings.digest.hex()
        found += [right("12.2 digest of settings", settings=value, digest=digest)]
    terms = sheet().terms(GAME_TEXT).encode().hex()
    shown_sheet = encode_lobby(sheet()).hex()
    found += [right("12.2b Terms of a sheet", sheet=shown_sheet, game=GAME_TEXT, terms=terms)]
    for why, message in messages():
        found += [right("12.3 message", why=why, payload=encode_lobby(message).hex())]
    for why, payload in refused_messages():
        found += [wrong("12.3 message", why=why, payload=payload.hex())]
    found += list(starts())
    return [{"number": number, **case} for number, case in enumerate(found)]


def twins() -> tuple[Person, ...]:
    """One has taken the label that another gets."""
    group = f"Birch ({BIRCH.peer_id[:7]})"
    return (
        Person(BIRCH.peer_id, "Birch", ("h:1",)),
        Person(CEDAR.peer_id, group, ("h:1",)),
        Person(ELM.peer_id, "Birch", ("h:1",)),
        Person(ASH.peer_id, "x" * 24, ("h:1",)),
    )


def starts() -> Iterator[Case]:
    """Starts with right and with wrong signatures."""
    start = started()
    first, second, third = start.signatures
    false = {
        "a signature is missing": replace(
            start, signatures=(first, second), addresses=start.addresses[:2]
        ),
        "signed by another seat": replace(start, signatures=(first, third, third)),
        "in another order": replace(start, signatures=(second, first, third)),
        "of another attempt": replace(start, attempt=3),
        "of another reign": replace(start, reign=2),
        "of more games": replace(start, games=4),
        "of another table": replace(start, table=TABLE[::-1]),
    }
    game = sheet().terms(GAME_TEXT).game_id.hex()
    payload = encode_lobby(start).hex()
    yield right("12.6a started", why="every seat has signed", payload=payload, game_id=game)
    for why, each in false.items():
        yield wrong("12.6a started", why=why, payload=encode_lobby(each).hex())


def right(algorithm: str, **more: object) -> Case:
    """A case that holds."""
    return {"algorithm": algorithm, "valid": True, **more}


def wrong(algorithm: str, **more: object) -> Case:
    """A case that is refused."""
    return {"algorithm": algorithm, "valid": False, **more}


def text() -> str:
    """The file's text."""
    return json.dumps(cases(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
