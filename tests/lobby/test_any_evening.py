"""Evenings at random: links break, people come, go and die, messages are lost, and starts go on.

Whatever has happened, once everything is linked again a game is played by all of its seats or by
none, and everybody at the table follows one opener.
"""

import os
import random

import pytest

from p2pcoup.lobby import Begin, Closed, NotPossible
from p2pcoup.lobby.limits import HOLD_SECONDS
from p2pcoup.lobby.messages import Entered, Roster, Signed, Started, Void
from tests.lobby.crowd import Crowd, Guest

NAMES = ("Ash", "Birch", "Cedar", "Elm")
EVENINGS = 500 if os.environ.get("P2PCOUP_NIGHTLY") else 25


class Evening:
    """A table of four, and what happens there by chance."""

    def __init__(self, seed: int) -> None:
        self.luck = random.Random(seed)
        self.crowd = Crowd()
        self.crowd.open(NAMES[0])
        for name in NAMES[1:]:
            self.crowd.join(name, NAMES[0])
        self.crowd.wait(4)
        self.loss = 0.0
        self.crowd.lost = self._lost

    def _lost(self, _sender: str, _receiver: str, message: object) -> bool:
        # A link delivers or breaks; lost are the last words before it does, most of all these.
        late = isinstance(message, Roster | Signed | Started | Entered | Void)
        return late and self.luck.random() < self.loss

    @property
    def running(self) -> list[Guest]:
        return [guest for guest in self.crowd.people.values() if guest.running]

    def happen(self) -> None:
        """One thing, whatever it is."""
        guest = self.luck.choice(self.running)
        other = self.luck.choice(self.running)
        match self.luck.randrange(12):
            case 0 | 1 | 2 | 3:
                self.wish(lambda: guest.lobby.ready(True, self.crowd.now))
            case 4 | 5 | 6:
                self.wish(lambda: guest.lobby.start(self.crowd.now))
            case 7 if guest is not other:
                self.crowd.unlink(guest.name, other.name)
            case 8:
                self.crowd.heal()
            case 9 if len(self.running) > 2 and self.luck.random() < 0.3:
                self.crowd.kill(guest.name)
            case 10:
                self.wish(lambda: guest.lobby.reopen(self.crowd.now))
            case _:
                self.crowd.wait(self.luck.choice([0.1, 1, 4, HOLD_SECONDS + 1]))

    def wish(self, wish: object) -> None:
        try:
            wish()
        except NotPossible:
            return
        self.crowd.settle()

    def calm_down(self) -> None:
        """Nothing is lost any more, and all links come up."""
        self.loss = 0.0
        self.crowd.heal()
        for _ in range(8):
            self.crowd.wait(HOLD_SECONDS / 4)
            self.crowd.heal()


@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_a_game_is_begun_by_all_of_its_seats_or_by_none(loss: float) -> None:
    begun = void = 0
    for seed in range(EVENINGS):
        evening = Evening(seed)
        evening.loss = loss
        for _ in range(40):
            evening.happen()
        # Who was told nothing because of a loss hears it on a new link.
        for pair in list(evening.crowd.links):
            evening.crowd.unlink(*sorted(pair), for_good=False)
        evening.calm_down()
        begun += check(evening, seed) or not can_still_play(evening, seed)
        void += len(evening.crowd.of_kind(Void))
    assert 0 < begun < EVENINGS
    assert void > 0 or loss == 0


def can_still_play(evening: Evening, seed: int) -> bool:
    """Whether those who are left at the table were enough; fails if they could not play then."""
    crowd = evening.crowd
    left = [guest for guest in evening.running if not guest.all(Closed)]
    if len(left) < 2:
        return False
    if not any(guest.lobby.is_opener for guest in left):
        left[0].lobby.reopen(crowd.now)
        crowd.settle()
    (opener,) = (guest for guest in left if guest.lobby.is_opener)
    crowd.ready(*(guest.name for guest in left if guest is not opener))
    crowd.wait(4)
    crowd.start(opener.name)
    assert {guest.begun and guest.begun.terms for guest in left} == {opener.begun.terms}, seed
    return True


def check(evening: Evening, seed: int) -> bool:
    """Whether a game was begun; fails if not by all who run, or by somebody twice."""
    games = set()
    for guest in evening.running:
        begins = guest.all(Begin)
        assert len(begins) <= 1, seed
        games |= {begin.terms for begin in begins}
    for terms in games:
        for guest in evening.running:
            if terms.seat_of(guest.peer) is not None:
                assert guest.begun is not None, (seed, guest.name)
                assert guest.begun.terms == terms, (seed, guest.name)
    at_table = [guest for guest in evening.running if not (guest.begun or guest.all(Closed))]
    openers = {guest.peer for guest in at_table if guest.lobby.is_opener}
    if not games:
        assert len(openers) <= 1, seed
        if openers:
            assert {guest.sheet.opener for guest in at_table} == openers, seed
    return bool(games)
