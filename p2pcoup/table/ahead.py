"""Messages for rounds that are not reached yet (SPEC 8.2a, step 2)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from p2pcoup.rules import Seat
from p2pcoup.wire import SignedMessage

MAX_ROUNDS_AHEAD = 128  # a seat that is out may lag by this much before it must fetch again


@dataclass(slots=True)
class Ahead:
    """What others, who are faster, have said already: at most two messages a seat and round,
    one of them a statement of absence.

    Attributes:
        dropped: something could not be kept and must be had again when its round has come.
    """

    dropped: bool = False
    _rounds: dict[int, dict[tuple[int, Seat], SignedMessage]] = field(default_factory=dict)
    _asked_in: int = -1

    def __len__(self) -> int:
        return sum(len(messages) for messages in self._rounds.values())

    def keep(self, signed: SignedMessage) -> None:
        """Hold a message, whose signature is good, for a round within MAX_ROUNDS_AHEAD."""
        message = signed.message
        place = (message.place[1], Seat(message.seat))
        kept = self._rounds.setdefault(message.round, {}).setdefault(place, signed)
        # Which of two is the one that fits shows only later; the other must then be had again.
        self.dropped |= kept.raw != signed.raw

    def take(self, round_: int) -> Iterable[SignedMessage]:
        """The messages for a round that has now come."""
        return self._rounds.pop(round_, {}).values()

    def must_ask_again(self, round_: int) -> bool:
        """Whether to ask for dropped messages now: once a round, whatever a peer floods."""
        if not self.dropped or self._asked_in == round_:
            return False
        self.dropped, self._asked_in = False, round_
        return True
