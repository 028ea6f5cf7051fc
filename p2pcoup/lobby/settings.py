"""What is to be played at a table, as everybody is shown it before sitting down (SPEC 12.2)."""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from p2pcoup.lobby.limits import MAX_GAMES
from p2pcoup.rules import BASE, USUAL, Edition, Options, RulesError, options_to_text, parse_options
from p2pcoup.table import TermsError, Times, edition_named
from p2pcoup.wire import Encodable, Value, WireError, encode

_DIGEST_LABEL: Final = b"p2pcoup/1 lobby settings"


@dataclass(frozen=True, slots=True)
class Settings:
    """Edition, options, times, how many can sit down and how many games are to be played.

    Raises:
        TermsError: so many cannot play like this, or a number is out of bounds.
    """

    edition: Edition = BASE
    options: Options = USUAL
    seats: int = 6
    games: int = 1
    times: Times = field(default_factory=Times)

    def __post_init__(self) -> None:
        """Refuse what no table could play."""
        if type(self.games) is not int or not 1 <= self.games <= MAX_GAMES:
            raise TermsError(f"A match has 1 to {MAX_GAMES} games, not {self.games!a}.")
        if type(self.seats) is not int:
            raise TermsError(f"The number of seats is a whole number, not {self.seats!a}.")
        try:
            self.options.check(self.edition, self.seats)
        except ValueError as error:
            raise TermsError(f"This table cannot play: {error}.") from error

    def value(self) -> Encodable:
        """The settings as a value for `encode`."""
        times = (self.times.decide, self.times.answer, self.times.grace)
        options = options_to_text(self.options)
        return (self.edition.name, options, self.seats, self.games, times)

    @property
    def digest(self) -> bytes:
        """32 bytes that stand for exactly these settings; who is ready is ready for them."""
        return hashlib.sha256(_DIGEST_LABEL + encode(self.value())).digest()


def settings_of(value: Value) -> Settings:
    """Inverse of `Settings.value`. Raises WireError."""
    match value:
        case (str(edition), str(options), int(seats), int(games), (decide, answer, grace)):
            try:
                times = Times(decide, answer, grace)  # type: ignore[arg-type]
                chosen = parse_options(options)
                return Settings(edition_named(edition), chosen, seats, games, times)
            except (TermsError, RulesError) as error:
                raise WireError(f"The settings of the table cannot be used: {error}") from error
    raise WireError("The settings of the table cannot be read.")
