"""What the user of a lobby wants, done or refused with a sentence (protocol/API.md 3)."""

from p2pcoup.lobby import Lobby, NotPossible, TooOften
from p2pcoup.lobby import Settings as LobbySettings
from p2pcoup.node.wishes import (
    DONE,
    NOT_POSSIBLE,
    TOO_LONG,
    TOO_OFTEN,
    Kick,
    Leave,
    Ready,
    Reopen,
    Reply,
    Say,
    Settings,
    Start,
    Wish,
)
from p2pcoup.rules import RulesError, parse_options
from p2pcoup.table import TermsError, Times, edition_named
from p2pcoup.wire import WireError, parse_peer_id
from p2pcoup.wire.aside import MAX_TALK_CHARACTERS


def fulfil(lobby: Lobby, wish: Wish, now: float) -> Reply | None:
    """Do what the user wants; what became of it, or None if that is no matter of a lobby."""
    try:
        match wish:
            case Ready(ready):
                lobby.ready(ready, now)
            case Start():
                lobby.start(now)
            case Leave():
                lobby.leave()
            case Kick(peer):
                lobby.kick(parse_peer_id(peer))
            case Reopen():
                lobby.reopen(now)
            case Settings():
                lobby.change(_changed(lobby, wish), now)
            case Say(text):
                return _say(lobby, text, now)
            case _:
                return None
    except (NotPossible, TermsError, RulesError, WireError) as error:
        return Reply(NOT_POSSIBLE, _sentence(str(error)))
    return DONE


def _say(lobby: Lobby, text: str, now: float) -> Reply:
    try:
        lobby.say(text, now)
    except TooOften as error:
        return Reply(TOO_OFTEN, str(error))
    except WireError as error:
        return Reply(TOO_LONG if len(text) > MAX_TALK_CHARACTERS else NOT_POSSIBLE, str(error))
    return DONE


def _changed(lobby: Lobby, wish: Settings) -> LobbySettings:
    """The settings of the table with what the user wants otherwise."""
    if lobby.sheet is None:
        raise NotPossible("There is no table yet.")
    old = lobby.sheet.settings
    times = {name: getattr(old.times, name) for name in ("decide", "answer", "grace")}
    edition = old.edition if wish.edition is None else edition_named(wish.edition)
    seats = wish.seats
    if seats is None:
        seats = max(min(old.seats, edition.max_players), edition.min_players)
    return LobbySettings(
        edition,
        old.options if wish.options is None else parse_options(wish.options),
        seats,
        old.games if wish.games is None else wish.games,
        Times(**{**times, **(wish.times or {})}),
    )


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
