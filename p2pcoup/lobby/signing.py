"""The signatures of a lobby: under a roster, what makes a start valid, and of words (SPEC 12.5).

A signature covers the table, the number of the roster, the number of games and the terms. It is a
word for some seconds, not for ever: see `entry`.
"""

from typing import Final

from p2pcoup.lobby.messages import Roster, Started, Talk
from p2pcoup.table import Terms, TermsError, decode_terms
from p2pcoup.wire import Identity, WireError, encode, peer_id, verify

ROSTER_LABEL: Final = b"p2pcoup lobby roster"
TALK_LABEL: Final = b"p2pcoup lobby talk"


def sign_roster(roster: Roster | Started, identity: Identity) -> bytes:
    """SPEC 12.5: this peer's signature under a roster."""
    return identity.sign(ROSTER_LABEL, _signed(roster))


def is_signed(roster: Roster | Started, key: bytes, signature: bytes) -> bool:
    """Whether the signature under the roster is that of the key."""
    return verify(key, ROSTER_LABEL, _signed(roster), signature)


def sign_talk(table: bytes, number: int, text: str, identity: Identity) -> Talk:
    """These words, said at that table."""
    signature = identity.sign(TALK_LABEL, encode((table, number, text)))
    return Talk(table, number, identity.public_key, signature, text)


def is_said(talk: Talk) -> bool:
    """Whether the words are signed by the key they name."""
    words = encode((talk.table, talk.number, talk.text))
    return verify(talk.key, TALK_LABEL, words, talk.signature)


def check_start(started: Started) -> Terms:
    """The terms of a start that every seat has signed. Raises WireError for any other."""
    try:
        terms = decode_terms(started.terms)
    except TermsError as error:
        raise WireError(str(error)) from error
    if len(started.signatures) != len(terms.roster) or started.games < 1:
        raise WireError("A start does not have one signature for each seat.")
    for member, (key, signature) in zip(terms.roster, started.signatures, strict=True):
        if peer_id(key) != member.peer or not is_signed(started, key, signature):
            raise WireError(f"A start is not signed by {member.name}.")
    return terms


def _signed(roster: Roster | Started) -> bytes:
    which = (roster.table, roster.reign, roster.attempt)
    return encode((*which, roster.games, roster.terms))
