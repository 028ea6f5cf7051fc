"""What is shown, as sentences: a line for each player, claim or person."""

from collections.abc import Iterable

from p2pcoup.ui import telling, words
from p2pcoup.ui.choices import Choice
from p2pcoup.ui.pictures import Game, Lobby, Person, SeatPicture
from p2pcoup.ui.sentences import Event
from p2pcoup.ui.words import _, fill, ngettext


def stop(text: str) -> str:
    """The text with a full stop at its end."""
    return f"{text}." if text and text[-1] not in ".!?:" else text


def choice_words(action: Choice | None, choice: Choice) -> str:
    """A choice as part of a sentence: action, target, price; then whether a claim is true."""
    if action is not None:
        fields = {"action": action.label, "target": choice.label}
        told = fill(_("{action} against {target}"), fields)
        return f"{told}: {action.detail}" if action.detail and choice.possible else told
    if choice.detail and choice.possible:
        return f"{choice.label}: {choice.detail}"
    return f"{choice.label} ({choice.short})" if choice.short and choice.possible else choice.label


def refused_words(choices: Iterable[tuple[Choice | None, Choice]]) -> list[str]:
    """What is not possible and why; an action that is possible against nobody counts once."""
    told = []
    for action, choice in choices:
        if action is not None and action.refusal:
            told.append(f"{action.label} ({action.refusal})")
        elif choice.refusal:
            told.append(f"{choice_words(action, choice)} ({choice.refusal})")
    return list(dict.fromkeys(told))


def event_line(event: Event) -> str:
    if event.kind == "talk":
        return fill(_("{who} says: {text}"), {"who": event.name, "text": event.text})
    return event.text


def table_lines(game: Game) -> list[str]:
    """A sentence for every player."""
    return [seat_line(seat, game) for seat in game.around]


def seat_line(seat: SeatPicture, game: Game) -> str:
    parts: list[str] = []
    if told := telling.status(seat.status, seat.out_turn):
        parts.append(told)
    else:
        parts.append(words.coins(seat.coins))
    own = game.hand if seat.seat == game.you else ()
    for slot, up in enumerate(seat.cards):
        held = own[slot] if slot < len(own) else None
        if up is not None:
            parts.append(fill(_("{character} lost"), {"character": words.character(up)}))
        elif held is not None:
            fields = {"character": words.character(held)}
            parts.append(fill(_("{character} face down"), fields))
        else:
            parts.append(_("a card face down"))
    if told := telling.link(seat.link):
        parts.append(told)
    name = fill(_("{name} (you)"), {"name": seat.name}) if seat.seat == game.you else seat.name
    return f"{name}: {', '.join(parts)}."


def who_lines(game: Game) -> list[str]:
    return [each for each in (telling.stage(game), stop(telling.waiting(game))) if each]


def claim_lines(game: Game) -> list[str]:
    told = [
        fill(
            ngettext(
                "{who}, {character}: claimed {n} time, proven {proven}, not proven {caught}.",
                "{who}, {character}: claimed {n} times, proven {proven}, not proven {caught}.",
                claim.claimed,
            ),
            {
                "who": game.name(claim.seat),
                "character": words.character(claim.character),
                "n": str(claim.claimed),
                "proven": str(claim.proven),
                "caught": str(claim.caught),
            },
        )
        for claim in game.claims
        if claim.claimed
    ]
    return told or [_("Nobody has claimed anything yet.")]


def lobby_lines(lobby: Lobby) -> list[str]:
    told = [stop(fill(_("Lobby: {table}"), {"table": lobby.table}))]
    told.append(stop(", ".join(telling.settings(lobby))))
    if lobby.invite:
        told += [_("The invite for others, on the next line:"), lobby.invite]
    return [*told, *people_lines(lobby), *lobby.notes, *start_lines(lobby)]


def people_lines(lobby: Lobby) -> list[str]:
    return [stop(f"{person.name}: {', '.join(about_words(person))}") for person in lobby.people]


def about_words(person: Person) -> list[str]:
    told = [_("ready") if person.ready else _("not ready")]
    if person.watching:
        told = [_("watching")]
    if person.you:
        told.insert(0, _("you"))
    if person.bot:
        told.append(_("a bot"))
    if not person.here:
        told.append(_("connection lost"))
    if person.known == "changed":
        told.append(_("ATTENTION: another key than this name had before"))
    return told


def start_lines(lobby: Lobby) -> list[str]:
    if lobby.starting:
        return [_("Starting: everybody signs who sits where.")]
    if not lobby.opener_here:
        return [_("Whoever opened this table is gone. Type reopen to open it again.")]
    if not lobby.opened_here:
        ready = lobby.you is None or lobby.you.ready or "ready" not in lobby.may
        if ready:
            return [_("The table starts as soon as its opener says so.")]
        return [_("Type ready when you are.")]
    if lobby.why_not_start:
        return [fill(_("It cannot start yet: {reason}"), {"reason": lobby.why_not_start})]
    return [_("Everybody is ready: type start.")]
