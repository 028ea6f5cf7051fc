"""Makes the vectors of invites and adverts (SPEC 9.8, 9.9). Not a test module.

``python -m tests.net.make_vectors`` writes the files; the same bytes every time.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2pcoup.net.discovery.advert import Advert, TableState, decode_advert, encode_advert
from p2pcoup.net.invite import MAX_INVITE_TEXT, parse_invite
from p2pcoup.wire import Identity, PeerId

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"
PEER: PeerId = Identity(Ed25519PrivateKey.from_private_bytes(bytes(range(32)))).peer_id

Case = dict[str, Any]


# --- SPEC 9.8 ---------------------------------------------------------------------------------


def invites() -> list[Case]:
    """Texts and what they are read as."""
    one = f"coup://192.168.1.10:7700#{PEER}"
    bare = PEER.replace("-", "").lower()
    read = [
        (one, "as it is written"),
        (f"coup://h.example:1,[fd00::1]:65535#{PEER}", "a name, and an IPv6 address"),
        (f"COUP://H.example:7700#{PEER.lower()}", "case does not count"),
        (f"192.168.1.10:7700#{PEER}", "without the scheme"),
        (f"coup:192.168.1.10:7700/#{PEER}", "slashes too few and too many"),
        (f" <{one[:20]}\n  {one[20:60]}\r\n{one[60:]}>.", "wrapped in a message"),
        (f"192.168.1.10:7700#{bare}", "a peer id without dashes"),
        (f"coup://a:7,A:7,a:8#{PEER}", "an address given twice"),
        (f"coup://{','.join(f'a:{n}' for n in range(1, 9))}#{PEER}", "as many addresses as can be"),
    ]
    wrong = PEER[:-1] + ("A" if PEER[-1] != "A" else "B")
    refused = [
        ("", "nothing at all"),
        ("coup://192.168.1.10:7700", "no peer id"),
        ("coup://192.168.1.10:7700#", "an empty peer id"),
        (f"coup://#{PEER}", "no address"),
        (f"coup://a:1,#{PEER}", "an empty address"),
        (f"coup://192.168.1.10#{PEER}", "no port"),
        (f"coup://192.168.1.10:0#{PEER}", "port 0"),
        (f"coup://192.168.1.10:65536#{PEER}", "a port too large"),
        (f"coup://[fe80::1%eth0]:7700#{PEER}", "a zone"),
        (f"coup://fd00::1:7700#{PEER}", "an IPv6 address without brackets"),
        (f"coup://192.168.1.10:7700#{wrong}", "a mistyped peer id"),
        (f"coup://192.168.1.10:7700#{PEER}#{PEER}", "two peer ids"),
        (f"https://192.168.1.10:7700#{PEER}", "another kind of link"),
        (f"coup://{','.join(f'a:{n}' for n in range(1, 10))}#{PEER}", "too many addresses"),
        (f"coup://a\u001b[2J:1#{PEER}", "what would steer a terminal"),
        (one + " " * (MAX_INVITE_TEXT + 1 - len(one)), "too long, though only by blanks"),
    ]
    cases = []
    for text, why in read:
        invite = parse_invite(text)
        cases.append(
            {
                "algorithm": "9.8b ReadInvite",
                "valid": True,
                "why": why,
                "text": text,
                "peer": invite.peer,
                "addresses": [str(address) for address in invite.addresses],
                "written": str(invite),
            }
        )
    for text, why in refused:
        cases.append({"algorithm": "9.8b ReadInvite", "valid": False, "why": why, "text": text})
    return cases


# --- SPEC 9.9 ---------------------------------------------------------------------------------

ADVERT = Advert(PEER, "friday evening", "Zoë", "base", "standard", 1, 4, since=1_750_000_000)


def strings_of(advert: Advert) -> list[bytes]:
    """The strings of a record, without their lengths."""
    data, strings = encode_advert(advert), []
    while data:
        strings.append(data[1 : 1 + data[0]])
        data = data[1 + data[0] :]
    return strings


def record_of(strings: list[bytes]) -> bytes:
    """The record of these strings."""
    return b"".join(bytes([len(each)]) + each for each in strings)


def with_value(key: str, value: bytes) -> bytes:
    """The usual record with another value for the key."""
    start = key.encode() + b"="
    return record_of(
        [start + value if each.startswith(start) else each for each in strings_of(ADVERT)]
    )


def adverts() -> list[Case]:
    """Records and what they say."""
    usual = strings_of(ADVERT)
    full = Advert(
        PEER,
        "가" * 24,
        "ab" * 12,
        "inquisitor",
        "set-of-five,starter-coin,no-block-after-challenge,no-steal-from-penniless",
        10,
        10,
        TableState.PLAYING,
        2**53 - 1,
        9999,
    )
    read = [
        (encode_advert(ADVERT), "as it is written"),
        (encode_advert(full), "everything as long as it can be"),
        (record_of(usual[::-1]), "another order"),
        (record_of([each.replace(b"table=", b"TaBle=") for each in usual]), "case of a key"),
        (record_of([*usual, b"", b"later", b"photo=\xff\x00", b"=x"]), "strings nobody knows"),
        (record_of([*usual, b"table=another"]), "a key given twice"),
        (record_of([each for each in usual if not each.startswith(b"since")]), "no time"),
        (with_value("seats", b"01/04"), "seats with leading zeros"),
        (with_value("protocol", b"2"), "another version of the protocol"),
        (with_value("edition", b"unheard-of"), "an edition nobody knows"),
    ]
    refused = [
        (b"", "an empty record"),
        (b"\x00", "an empty string"),
        (encode_advert(ADVERT)[:-1], "cut off"),
        (record_of([*usual, *(b"x" * 255 for _ in range(5))]), "too long"),
        *(
            (record_of([each for each in usual if each != missing]), f"no {missing.decode()}")
            for missing in usual
            if not missing.startswith(b"since")
        ),
        (with_value("txtvers", b"2"), "another format"),
        (with_value("protocol", b"10000"), "a version out of bounds"),
        (with_value("protocol", b"+1"), "a number with a sign"),
        (with_value("protocol", "١".encode()), "digits of another script"),
        (with_value("peer", PEER.lower().encode()), "a peer id that is not canonical"),
        (with_value("peer", PEER[:-1].encode()), "no peer id"),
        (with_value("table", b""), "an empty name"),
        (with_value("table", b"x" * 25), "a name too long"),
        (with_value("table", b" x"), "a name that is not canonical"),
        (with_value("table", b"\xff"), "no UTF-8"),
        (with_value("table", b"a\x1b[2Jb"), "what would steer a terminal"),
        (with_value("name", "a\u202eb".encode()), "what would turn text around"),
        (with_value("name", b"a\x00b"), "a zero byte"),
        (with_value("edition", b"Base"), "a capital letter"),
        (with_value("edition", b"a" * 25), "an edition too long"),
        (with_value("options", b""), "no options"),
        (with_value("options", b"a" * 121), "options too long"),
        (with_value("seats", b"5/4"), "more seats taken than there are"),
        (with_value("seats", b"0/0"), "no seats"),
        (with_value("seats", b"1/11"), "more seats than any game has"),
        (with_value("seats", b"4"), "only one number"),
        (with_value("state", b"closed"), "an unknown state"),
        (with_value("since", b"9007199254740992"), "a time out of bounds"),
        (with_value("since", b"01"), "a number with leading zeros"),
    ]
    cases = [
        {"algorithm": "9.9b ReadAdvert", "valid": True, "why": why, "record": data.hex()}
        | said(decode_advert(data))
        for data, why in read
    ]
    for data, why in refused:
        cases.append(
            {"algorithm": "9.9b ReadAdvert", "valid": False, "why": why, "record": data.hex()}
        )
    return cases


def said(advert: Advert) -> Case:
    """What an advert says, by the keys of the record."""
    return {
        "protocol": advert.protocol,
        "peer": advert.opener,
        "table": advert.table,
        "name": advert.opener_name,
        "edition": advert.edition,
        "options": advert.options,
        "taken": advert.taken,
        "seats": advert.seats,
        "state": advert.state.value,
        "since": advert.since,
    }


FILES: dict[str, Callable[[], list[Case]]] = {"invite.json": invites, "advert.json": adverts}


def text_of(cases: list[Case]) -> str:
    """The file of these cases."""
    numbered = [{"number": number, **case} for number, case in enumerate(cases)]
    return json.dumps(numbered, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, make in FILES.items():
        (FOLDER / name).write_text(text_of(make()), encoding="utf-8")
