"""The sheet of a table: who sits there, who watches, and what is to be played (SPEC 12.2).

The opener keeps it and sends it whole after every change. The terms of the game follow from it
completely but for the game's own text, so everybody can check a roster by making it themselves.
"""

import functools
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from p2pcoup.lobby.limits import (
    MAX_ADDRESS_CHARACTERS,
    MAX_ADDRESSES,
    MAX_ATTEMPTS,
    MAX_NUMBER,
    MAX_REIGN,
    MAX_WATCHERS,
    TABLE_BYTES,
)
from p2pcoup.lobby.settings import Settings, settings_of
from p2pcoup.table import Member, Terms
from p2pcoup.wire import Encodable, PeerId, Value, WireError, clean_name, parse_peer_id
from p2pcoup.wire.limits import MAX_NAME_CHARACTERS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table.

    Attributes:
        peer: who it is; the link proves it.
        name: what they want to be called (3.6); others may want the same.
        addresses: where they say they can be reached, as texts (9.1); hints, empty for watchers.
        bot: their own word that a program decides for them.
        watching: without a seat.
        ready: ready to play with the settings of the sheet.
        here: linked with the opener.
    """

    peer: PeerId
    name: str
    addresses: tuple[str, ...] = ()
    bot: bool = False
    watching: bool = False
    ready: bool = False
    here: bool = True

    def value(self) -> Encodable:
        """The person as a value for `encode`."""
        flags = (self.bot, self.watching, self.ready, self.here)
        return (self.peer, self.name, self.addresses, *flags)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as one opener wrote it. Cannot be built wrong: raises WireError.

    Attributes:
        table: the id of the table, TABLE_BYTES.
        reign: how often the table has been opened again.
        number: grows with every change of this opener's.
        opener: who keeps the sheet.
        name: what the table is called (3.6).
        people: in the order in which they came.
        starting: the number of the roster that is being signed; 0: none.
    """

    table: bytes
    reign: int
    number: int
    opener: PeerId
    name: str
    settings: Settings
    people: tuple[Person, ...]
    starting: int = 0

    def __post_init__(self) -> None:
        """Check the bounds, and that the opener is at the table."""
        if len(self.table) != TABLE_BYTES:
            raise WireError(f"The id of a table has {TABLE_BYTES} bytes.")
        whole_number(self.reign, MAX_REIGN)
        whole_number(self.number, MAX_NUMBER)
        whole_number(self.starting, MAX_ATTEMPTS)
        if len({person.peer for person in self.people}) != len(self.people):
            raise WireError("Somebody is at the table twice.")
        if len(self.seated) > self.settings.seats or len(self.watchers) > MAX_WATCHERS:
            raise WireError("There are more people than places at the table.")
        if not all(person.addresses for person in self.seated):
            raise WireError("Somebody sits at the table whom nobody can reach.")
        if self.opener not in (person.peer for person in self.seated):
            raise WireError("The opener does not sit at the table.")

    @property
    def seated(self) -> tuple[Person, ...]:
        """Those who are going to play."""
        return tuple(person for person in self.people if not person.watching)

    @property
    def watchers(self) -> tuple[Person, ...]:
        """Those who are not."""
        return tuple(person for person in self.people if person.watching)

    def person(self, peer: PeerId) -> Person | None:
        """That peer's line, if it is at the table."""
        return next((person for person in self.people if person.peer == peer), None)

    def label(self, peer: PeerId) -> str:
        """What that peer is called here, so that nobody else is; its id if it is not here."""
        return _labels(self.people).get(peer, peer)

    def terms(self, game: str) -> Terms:
        """The terms of the game of these people, which bears that text. Raises TermsError."""
        called = labels(self.seated)
        roster = tuple(Member(person.peer, called[person.peer]) for person in self.seated)
        chosen = self.settings
        return Terms(game, chosen.edition, roster, chosen.options, chosen.times)

    @property
    def rank(self) -> tuple[int, PeerId]:
        """The lower, the better: the higher reign, then the opener with the lower peer id."""
        return -self.reign, self.opener

    def is_better_than(self, other: "Sheet") -> bool:
        """Whether this opener is to be followed rather than the other one."""
        return self.rank < other.rank

    def value(self) -> tuple[Encodable, ...]:
        """The sheet as items of a message, after the table's id."""
        people = tuple(person.value() for person in self.people)
        head = (self.reign, self.number, self.opener, self.name)
        return (*head, self.settings.value(), people, self.starting)


def reopened(old: Sheet, me: Person, linked: Collection[PeerId]) -> Sheet:
    """The first sheet of who opens a table again, with those who are linked to it (SPEC 12.6)."""
    others = [
        replace(person, ready=False, here=True) for person in old.people if person.peer in linked
    ]
    people = (replace(me, ready=True, here=True), *others)
    return Sheet(old.table, old.reign + 1, 1, me.peer, old.name, old.settings, people)


def sheet_of(table: bytes, items: Sequence[Value]) -> Sheet:
    """Inverse of `Sheet.value`. Raises WireError."""
    match items:
        case [int(reign), int(number), str(opener), str(name), settings, [*people], int(starting)]:
            return Sheet(
                table,
                whole_number(reign, MAX_REIGN),
                whole_number(number, MAX_NUMBER),
                canonical(parse_peer_id, opener),
                canonical(clean_name, name),
                settings_of(settings),
                tuple(map(_person_of, people)),
                whole_number(starting, MAX_ATTEMPTS),
            )
    raise WireError("The sheet of the table cannot be read.")


def _person_of(value: Value) -> Person:
    match value:
        case (
            str(peer),
            str(name),
            [*addresses],
            bool(bot),
            bool(watching),
            bool(ready),
            bool(here),
        ):
            who, called = canonical(parse_peer_id, peer), canonical(clean_name, name)
            return Person(who, called, addresses_of(addresses), bot, watching, ready, here)
    raise WireError("Somebody on the sheet of the table cannot be read.")


def addresses_of(values: Sequence[Value]) -> tuple[str, ...]:
    """Addresses as texts: bounded and printable; whether they mean anything is not judged here."""
    if len(values) > MAX_ADDRESSES:
        raise WireError(f"At most {MAX_ADDRESSES} addresses are taken, not {len(values)}.")
    texts = tuple(value for value in values if isinstance(value, str))
    for text in texts:
        plain = text.isascii() and text.isprintable() and " " not in text
        if not (plain and 1 <= len(text) <= MAX_ADDRESS_CHARACTERS):
            raise WireError("An address cannot be read.")
    if len(texts) != len(values):
        raise WireError("An address is a text.")
    return texts


def is_here(host: str) -> bool:
    """Whether a link from that host comes from this very machine."""
    return host.startswith("127.") or host == "[::1]"


def seen_at(host: str, addresses: Sequence[str]) -> tuple[str, ...]:
    """Where to reach somebody: first the host their link comes from, with the port they name.

    A link from this very machine says nothing to others, so that address comes last.
    """
    if not addresses or not host:
        return tuple(addresses)
    port = addresses[0].rpartition(":")[2]
    observed = f"{host}:{port}"
    last = [*addresses[: MAX_ADDRESSES - 1], observed]
    places = last if is_here(host) else [observed, *addresses]
    return tuple(dict.fromkeys(places))[:MAX_ADDRESSES]


@functools.lru_cache(maxsize=256)
def canonical(read: Callable[[str], T], text: str) -> T:
    """What `read` makes of the text, if that is the text itself. Raises WireError.

    A sheet comes again after every change with nearly the same people: their ids and names are not
    checked again each time, which takes half a millisecond for each.
    """
    value = read(text)
    if value != text:
        raise WireError(f"{text[:80]!a} is not in canonical form.")
    return value


def whole_number(value: object, most: int) -> int:
    """The value, if it is an integer from 0 to that. Raises WireError."""
    if type(value) is not int or not 0 <= value <= most:
        raise WireError(f"A number from 0 to {most} is needed, not {str(value)[:40]!a}.")
    return value


# --- names ----------------------------------------------------------------------------------------

_GROUP = 7  # characters of a group of a peer id


def labels(people: Sequence[Person]) -> dict[PeerId, str]:
    """Algorithm 12.2a: what each is called, no two alike.

    Who shares a name (small and capital letters count as equal) is called by the name and the first
    group of the peer id; if even then two are alike, by the first three groups alone.
    """
    steps = dict.fromkeys((person.peer for person in people), 0)
    while True:
        called = {person.peer: _label(person, steps[person.peer]) for person in people}
        count = Counter(label.casefold() for label in called.values())
        alike = [peer for peer, label in called.items() if count[label.casefold()] > 1]
        if all(steps[peer] == len(_LABELS) - 1 for peer in alike):
            return called
        for peer in alike:
            steps[peer] = min(steps[peer] + 1, len(_LABELS) - 1)


_labels = functools.lru_cache(maxsize=16)(labels)  # of a sheet they are asked for again and again


def _with_group(person: Person) -> str:
    group = f" ({person.peer[:_GROUP]})"
    return person.name[: MAX_NAME_CHARACTERS - len(group)].rstrip() + group


_LABELS: Sequence[Callable[[Person], str]] = (
    lambda person: person.name,
    _with_group,
    lambda person: person.peer[: 3 * (_GROUP + 1) - 1],
)


def _label(person: Person, step: int) -> str:
    return _LABELS[step](person)
