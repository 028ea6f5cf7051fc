"""Why a link failed or a node ends, as sentences that can be told in any language.

The links know no templates: a reason is English when it comes from there, and one that a peer gives
comes in English over the link. Here it is recognised by its form, and what is not known stays as it
is. A test holds that every reason of the links is known here.
"""

import re
from functools import cache
from typing import Final

from p2pcoup.rules import Sentence
from p2pcoup.rules.sentence import Argument, Template

# How a node ends

STOPPED: Final = Template("The node was stopped. Nothing is lost: the same command plays on.")
STOPPED_IN_LOBBY: Final = Template(
    "The node was stopped before a game began: there is none to play on. Start it again to open a "
    "table or to sit down at one."
)
OVER: Final = Template("All games are over.")

REASONS: Final = (
    STOPPED,
    STOPPED_IN_LOBBY,
    OVER,
    Template("Error: {reason}"),
    # nobody answers
    Template("Nobody listens at {address}; is the other node running there?"),
    Template("{address} does not answer; a firewall may be in between."),
    Template(
        "{address} did not answer within {seconds} s; a firewall may be in between, or the address "
        "is old."
    ),
    Template("There is no way to {address}; is it in another network?"),
    Template("There is no way to {address}; is this computer connected to a network?"),
    Template("{address} closed the connection at once; it may be busy."),
    Template("This computer does not allow connections to {address}."),
    Template("A firewall on this computer does not allow connections to {address}."),
    Template("{address} cannot be reached from any address of this computer."),
    Template("The name {host} is not known; check its spelling, or use an IP address."),
    Template("{host} cannot be looked up: it is no host name."),
    Template("Connecting to {address} failed: {system}."),
    # who answers is not who should
    Template(
        "{address} uses version {theirs} of the link protocol and this node version {ours}; the "
        "older program has to be updated."
    ),
    Template("What is at {address} is not a node of this game."),
    Template(
        "At {address} answers the peer {peer}, not {expected}; the address or the peer id is wrong "
        "or out of date."
    ),
    Template("{address} did not prove that the certificate it sent is its own."),
    Template("{address} used another certificate than the one it announced."),
    Template(
        "{address} has this node's own identity: it is this node itself, or a second one that was "
        "started with a copy of the same key."
    ),
    Template("What was sent as a certificate is none of this game."),
    Template("The certificate's key cannot be used. {fault}"),
    Template("The certificate was not made with its own key."),
    Template("The certificate cannot be used for TLS."),
    Template("A link needs a temporary file, which cannot be made: {system}."),
    Template("The temporary file for a link cannot be used: {system}."),
    # the handshake goes wrong
    Template("{address} did not say who it is within {seconds} s."),
    Template("{address} did not finish the TLS handshake within {seconds} s."),
    Template("{address} did not read within {seconds} s."),
    Template("{address} did not say whether it takes the link within {seconds} s."),
    Template(
        "{address} closed the connection during the handshake; it may be busy, or not a node of "
        "this game."
    ),
    Template("{address} refused with a reason that is too long."),
    Template("{address} sent the unknown verdict {verdict}."),
    # one of the two does not want the link
    Template("{address} refused the link: {reason}"),
    Template("{peer} was refused: {reason}"),
    Template("This node is closing."),
    Template("You have sent too much that is of no use; wait a little."),
    Template("This node does not know you and expects no guests."),
    Template("This node has too many guests."),
    Template("A link with the same peer came in meanwhile."),
    Template("The peer has a newer link with this node."),
    Template(
        "There is a newer link with the same peer. If this goes on, two nodes have been started "
        "with the same key."
    ),
    Template("Too many connections from there."),
    Template("It was slow, and others were waiting."),
    # a link ends
    Template("{address} closed the link."),
    Template("{address} closed the link: {reason}"),
    Template("The connection with {address} broke."),
    Template("Nothing was heard from {address} for {seconds} s."),
    Template("{address} has read nothing for {seconds} s."),
    Template("{address} does not read: {messages} messages are waiting."),
    Template("{address} sent too much that is of no use."),
    Template("{address} sent {fault}."),
    Template("You sent {fault}."),
    Template("This node closed the link."),
    Template("This node no longer needs the link."),
    Template("The node has closed."),
    # the port of this node
    Template(
        "Cannot listen at {address}: another program, perhaps this one started twice, already uses "
        "the port. Close it, or choose another port."
    ),
    Template(
        "Cannot listen at {address}: this user may not use port {port}. Choose a port from 1024 up."
    ),
    Template(
        "Cannot listen at {address}: {host} is not an address of this computer. Use one of its "
        "own, or 0.0.0.0 for all of them."
    ),
    Template("Cannot listen at {address}: this computer has no such kind of address."),
    Template("Cannot listen at {address}: the name {host} is not known."),
    Template("Cannot listen at {address}: this is no address."),
    Template("Cannot listen at {address}: {system}."),
)
"""All that are known; of two that fit, the first one counts."""

MAX_NESTING: Final = 4
"""Reasons within reasons; a peer has a say in them."""

_FIELD: Final = re.compile(r"\{(\w+)\}")
_LONG: Final = frozenset({"reason", "fault", "system"})
"""What may have blanks in it; everything else is one word."""


@cache
def _form(template: Template) -> re.Pattern[str]:
    parts = _FIELD.split(template.text)
    fields = [f"(?P<{name}>{'.+' if name in _LONG else '[^ ]+'})" for name in parts[1::2]]
    words = [re.escape(part) for part in parts[::2]]
    ends = zip(words, [*fields, ""], strict=True)
    return re.compile("".join(part for pair in ends for part in pair))


def recognised(text: str, depth: int = 0) -> Sentence | None:
    """The sentence this English text is; None if it is not known."""
    if depth >= MAX_NESTING:
        return None
    for template in REASONS:
        if found := _form(template).fullmatch(text):
            args: dict[str, Argument] = dict(found.groupdict())
            if "reason" in args:
                args["reason"] = recognised(found["reason"], depth + 1) or found["reason"]
            return template(**args)
    return None


def with_reasons(sentence: Sentence) -> Sentence:
    """The sentence, with a reason in it that can be told in any language, if it is known."""
    args = {name: _told(name, argument) for name, argument in sentence.args.items()}
    if args == sentence.args:
        return sentence
    return Sentence(sentence.template, args, sentence.plural, sentence.n)


def _told(name: str, argument: Argument) -> Argument:
    if isinstance(argument, Sentence):
        return with_reasons(argument)
    if name == "reason" and isinstance(argument, str):
        return recognised(argument) or argument
    return argument
