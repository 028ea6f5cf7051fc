"""Evenings at random: links break, people come, go and die, messages are lost, and starts go on.

Whatever has happened, once everything is linked again a game is played by all of its seats or by
none, and those who are left can play: at once, or, where a seat died while it entered or the table
was torn into halves, after what they are told to do.
"""

import os
import random

import pytest

from p2pcoup.lobby import Begin, Closed, Enter, NotPossible
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
        evening = spent(seed, loss)
        begun += check(evening, seed) or not can_still_play(evening, seed)
        void += len(evening.crowd.of_kind(Void))
    assert 0 < begun < EVENINGS
    assert void > 0 or loss == 0


def test_where_a_seat_died_while_it_entered_the_others_are_told_and_can_leave() -> None:
    evening = spent(325, 0.3)
    assert not check(evening, 325)
    assert not can_still_play(evening, 325)
    assert len([guest for guest in evening.running if guest.all(Closed)]) == 3


def test_a_table_torn_into_halves_is_one_again_when_some_go_over_as_they_are_told() -> None:
    evening = spent(447, 0.3)
    assert not check(evening, 447)
    assert len({guest.sheet.opener for guest in evening.running}) == 2
    assert can_still_play(evening, 447)
    assert all(guest.begun for guest in evening.running if not guest.all(Closed))


def spent(seed: int, loss: float) -> Evening:
    """An evening until all is calm."""
    evening = Evening(seed)
    evening.loss = loss
    for _ in range(40):
        evening.happen()
    # Who was told nothing because of a loss hears it on a new link.
    for pair in list(evening.crowd.links):
        evening.crowd.unlink(*sorted(pair), for_good=False)
    evening.calm_down()
    return evening


def can_still_play(evening: Evening, seed: int) -> bool:
    """Whether those who are left at the table were enough; fails if they could not play then."""
    crowd = evening.crowd
    left = [guest for guest in evening.running if not guest.all(Closed)]
    if len(left) < 2:
        return False
    if any(guest.lobby.starting(crowd.now) for guest in left):
        all_may_leave(evening, left, seed)
        return False
    if not any(guest.lobby.is_opener for guest in left):
        left[0].lobby.reopen(crowd.now)
        crowd.settle()
    openers = [guest for guest in left if guest.lobby.is_opener]
    if len(openers) > 1:
        go_over(evening, left, openers, seed)
        left = [guest for guest in evening.running if not guest.all(Closed)]
        openers = [guest for guest in left if guest.lobby.is_opener]
    (opener,) = openers
    crowd.ready(*(guest.name for guest in left if guest is not opener))
    crowd.wait(4)
    crowd.start(opener.name)
    assert {guest.begun and guest.begun.terms for guest in left} == {opener.begun.terms}, seed
    return True


def all_may_leave(evening: Evening, left: list[Guest], seed: int) -> None:
    """A seat has died between signing and entering, and may yet come back and play. Nobody can
    know, so the game is not called off; but those who wait are told for whom, and can leave.
    """
    crowd = evening.crowd
    dead = {guest.name for guest in crowd.people.values() if not guest.running}
    for guest in left:
        (enter,) = guest.all(Enter)[-1:]
        assert dead & set(enter.terms.names), seed
        (told,) = guest.events("not-entered")[-1:]
        assert any(name in told.partition(" signed ")[0] for name in dead), (seed, told)
        assert guest.lobby.may(crowd.now) == ("leave",), seed
        guest.lobby.leave()
        crowd.settle()
        (closed,) = guest.all(Closed)
        assert closed.wished, seed
        assert "p2pcoup resume" in closed.text, seed


def go_over(evening: Evening, left: list[Guest], openers: list[Guest], seed: int) -> None:
    """A table that was torn into halves may stay two tables: no opener follows one whom its own
    guests do not follow, or a guest could take a table over. But both are whole, everybody who
    sees both openers is told, and who then goes over makes it one table again.
    """
    crowd = evening.crowd
    keeper, other = openers
    for guest in left:
        opener = crowd.name_of(guest.sheet.opener)
        assert opener in (keeper.name, other.name), seed
        assert guest.lobby.opener_here(crowd.now), seed
        assert crowd[opener].sheet.person(guest.peer) is not None, seed
        for rival in openers:
            if rival.name != opener and frozenset((guest.name, rival.name)) in crowd.links:
                (told,) = guest.events("two-tables")[-1:]
                assert rival.name in told, seed
                assert f"#{rival.peer}" in told, seed
    for guest in [each for each in left if each.sheet.opener == other.peer]:
        guest.lobby.leave()
        crowd.settle()
        crowd.kill(guest.name)
        crowd.join(guest.name, keeper.name)
    crowd.wait(4)


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
    if not games and openers:
        assert len(openers) <= 2, seed
        assert {guest.sheet.opener for guest in at_table} == openers, seed
    return bool(games)
