"""The reasons of the links are known by their form, so that they can be told in any language."""

import ast
import re
from collections.abc import Iterator
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL, EAFNOSUPPORT, EIO, EPERM
from pathlib import Path

import pytest
import trio

import p2pcoup
from p2pcoup.net import Address
from p2pcoup.net.address import _CONNECT_REASONS, explain_connect, explain_listen
from p2pcoup.net.errors import ListenError
from p2pcoup.net.listening import open_listeners
from p2pcoup.node import said
from p2pcoup.node.api.reasons import REASONS, recognised, with_reasons
from p2pcoup.rules import sentence_to_data

NET = Path(p2pcoup.__file__).parent / "net"
THERE = Address("192.168.1.20", 7700)

RAISED = re.compile(r"\w*(LinkError|PeerError|ClosedError|ReplacedError|AdmittedError|JunkError"
                    r"|HandshakeError|UnreachableError|_report_refusal|_objection)")  # fmt: skip
"""What a reason is given to, in the code of the links."""


def blanked(text: str) -> str:
    """A reason with its fields left open."""
    return re.sub(r"\{\w*\}", "{}", text)


def text_of(node: ast.AST) -> str | None:
    """A string, or an f-string with its fields left open."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.JoinedStr(parts):
            return "".join(text_of(part) or "{}" for part in parts)
    return None


def given() -> Iterator[str]:
    """Every reason that stands in the code of the links as a whole sentence."""
    for path in sorted(NET.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for call in ast.walk(tree):
            name = ""
            if isinstance(call, ast.Call):
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                values = call.args
            elif isinstance(call, ast.FunctionDef) and RAISED.fullmatch(call.name):
                name = call.name
                values = [each.value for each in ast.walk(call) if isinstance(each, ast.Return)]
            if RAISED.fullmatch(name):
                yield from filter(None, map(text_of, filter(None, values)))


def test_every_reason_in_the_code_of_the_links_has_its_form() -> None:
    known = {blanked(template.text) for template in REASONS}
    found = set(given())
    assert len(found) > 30
    handshake = "{} {} within {} s."  # what was not done is a field there
    assert found - known - {handshake} == set()


@pytest.mark.parametrize("code", _CONNECT_REASONS)
def test_every_way_in_which_dialling_fails_is_known(code: int) -> None:
    told = explain_connect(THERE, OSError(code, "what the system says"))
    found = recognised(told)
    assert found is not None
    assert str(found) == told
    assert found.args["address"] == str(THERE)


async def refused(address: Address) -> str:
    with pytest.raises(ListenError) as error:
        await open_listeners(address)
    return str(error.value)


@pytest.mark.trio
async def test_a_port_that_is_taken_is_told_in_any_language() -> None:
    (taken, *_) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with taken:
        address = Address("127.0.0.1", taken.socket.getsockname()[1])
        told = await refused(address)
    found = recognised(told)
    assert found is not None
    assert str(found) == told
    assert "another program" in found.template


def test_what_listening_fails_with_otherwise_is_known_too() -> None:
    for code in (EPERM, EACCES, EADDRINUSE, EAFNOSUPPORT, EADDRNOTAVAIL, EIO):
        told = explain_listen(THERE, OSError(code, "what the system says"))
        assert str(recognised(told)) == told


def test_a_reason_a_peer_has_given_is_found_within_another_one() -> None:
    told = f"{THERE} closed the link: The node has closed."
    sentence = said.UNLINKED(who="Birch", reason=told)
    shown = with_reasons(sentence)
    assert str(shown) == str(sentence)
    assert sentence_to_data(shown)["args"] == {
        "who": "Birch",
        "reason": {
            "template": "{address} closed the link: {reason}",
            "args": {
                "address": str(THERE),
                "reason": {"template": "The node has closed.", "args": {}},
            },
        },
    }


def test_a_reason_within_a_repeated_complaint_is_found() -> None:
    inner = said.UNREACHABLE(who="Birch", reason=f"{THERE} sent too much that is of no use.")
    outer = said.AGAIN_AND_AGAIN(said=inner, times=3)
    shown = with_reasons(outer)
    assert str(shown) == str(outer)
    assert "of no use" in str(sentence_to_data(shown)["args"]["said"]["args"]["reason"]["template"])


def test_what_is_not_known_stays_as_it_is() -> None:
    assert recognised("Something else.") is None
    strange = said.UNLINKED(who="Birch", reason="Something else.")
    assert with_reasons(strange) is strange
    plain = said.LINKED(who="Birch")
    assert with_reasons(plain) is plain


def test_a_peer_cannot_have_reasons_looked_into_without_end() -> None:
    told = f"{THERE} closed the link: " * 40 + "The node has closed."
    assert str(recognised(told)) == told
