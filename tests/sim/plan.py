"""What a seed means: the table, the players and the faults of one game, all drawn from it.

Every part of a game has a generator of its own, so that a change in one part leaves the others of
an old seed alone.
"""

import random
from dataclasses import dataclass

from p2pcoup.rules import EDITIONS, Options, Setup

FAULTS = (
    "repeats",  # payloads are delivered twice
    "stalls",  # some payloads hold up their link for longer than the grace time
    "apart",  # some peers never have a link to each other and hear of each other through others
    "late",  # somebody starts only when the others already wait
    "cuts",  # links are lost with all that is on its way, and come back
    "partition",  # the table falls in two parts for longer than the grace time, or for good
    "thinking",  # players take their time
    "crash",  # machines die in the middle of their work and start again from the journal
    "vanish",  # somebody is gone for good
    "cheat",  # somebody signs what it likes
)
"""All kinds of faults."""

HARMLESS_FAULTS = frozenset({"repeats", "thinking", "cheat"})
"""Kinds that part nobody from anybody."""

CHANCE = {"repeats": 0.3, "apart": 0.25, "partition": 0.15, "vanish": 0.25, "stalls": 0.2}
USUAL_CHANCE = 0.4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line fixes; None: the seed decides.

    Attributes:
        faults: the kinds that may come; a kind that was asked for by name always does.
        cheat: the one cheat that is tried, at every opportunity.
    """

    seats: int | None = None
    edition: str | None = None
    setup: str | None = None
    faults: tuple[str, ...] | None = None
    cheat: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One game before it begins.

    Attributes:
        faults: the kinds of faults that come.
        cheat: the only one that cheaters know; None: they know all.
    """

    seed: int
    seats: int
    edition: str
    options: Options
    faults: frozenset[str]
    cheat: str | None = None

    def luck(self, purpose: str) -> random.Random:
        """A generator for that purpose alone."""
        return random.Random(f"p2pcoup simulation {self.seed} {purpose}")


def make_plan(seed: int, wanted: Wanted) -> Plan:
    """Draw the game of a seed, as far as nothing else is wanted."""
    luck = random.Random(f"p2pcoup simulation {seed} plan")
    drawn_edition = luck.choice(sorted(EDITIONS))
    drawn_seats = luck.choice((2, 2, 3, 3, 3, 4, 4, 5, 6))
    of_five = luck.random() < 0.12 and wanted.seats in (None, 2)
    coin, block, steal = (luck.random() < chance for chance in (0.5, 0.7, 0.7))
    drawn_faults = tuple(kind for kind in FAULTS if luck.random() < CHANCE.get(kind, USUAL_CHANCE))

    faults = drawn_faults if wanted.faults is None else wanted.faults
    if wanted.cheat is not None:
        faults = (*faults, "cheat")
    setup = Setup(wanted.setup or (Setup.SET_OF_FIVE if of_five else Setup.STANDARD).value)
    five = setup is Setup.SET_OF_FIVE
    return Plan(
        seed,
        seats=wanted.seats or (2 if five else drawn_seats),
        edition=wanted.edition or drawn_edition,
        options=Options(setup, coin and five, block, steal),
        faults=frozenset(faults),
        cheat=wanted.cheat,
    )
