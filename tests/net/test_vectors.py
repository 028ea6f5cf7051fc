"""The vectors of invites and adverts are what this program reads, writes and refuses."""

import json
from typing import Any

import pytest

from p2pcoup.net.discovery.advert import AdvertError, decode_advert, encode_advert
from p2pcoup.net.invite import InviteError, parse_invite
from tests.net.make_vectors import FILES, FOLDER, said, text_of


def cases(name: str) -> list[Any]:
    read: list[Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return [pytest.param(case, id=f"{case['number']} {case['why']}") for case in read]


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_those_that_are_made(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(FILES[name]())


@pytest.mark.parametrize("case", cases("invite.json"))
def test_an_invite_is_read_as_its_vector_says(case: dict[str, Any]) -> None:
    if not case["valid"]:
        with pytest.raises(InviteError) as caught:
            parse_invite(case["text"])
        assert str(caught.value).isprintable()
        return
    invite = parse_invite(case["text"])
    assert (invite.peer, list(map(str, invite.addresses))) == (case["peer"], case["addresses"])
    assert str(invite) == case["written"]
    assert parse_invite(case["written"]) == invite


@pytest.mark.parametrize("case", cases("advert.json"))
def test_an_advert_is_read_as_its_vector_says(case: dict[str, Any]) -> None:
    record = bytes.fromhex(case["record"])
    if not case["valid"]:
        with pytest.raises(AdvertError):
            decode_advert(record)
        return
    advert = decode_advert(record)
    assert said(advert) == {key: case[key] for key in said(advert)}
    assert decode_advert(encode_advert(advert)) == advert
