"""Which programs a demo kills and when; whole demos with faults are in tests/test_demo.py."""

import pytest

from p2pcoup.demo.faults import Faults, leaves_a_majority, most_kills, plan_faults
from p2pcoup.table.open_round import may_go_on


@pytest.mark.parametrize(("seats", "most"), [(2, 1), (3, 1), (4, 1), (5, 2), (6, 2)])
def test_never_so_many_are_killed_that_no_majority_is_left(seats: int, most: int) -> None:
    assert most_kills(seats) == most
    for gone in range(1, most + 1):
        assert may_go_on(range(seats), frozenset(range(gone)))
    with pytest.raises(ValueError, match="cannot be killed"):
        plan_faults(seats, Faults(kill=most + 1), "1")


@pytest.mark.parametrize("seed", "abcdefgh")
def test_the_blows_hit_different_seats_for_good_and_never_the_teller(seed: str) -> None:
    plan = plan_faults(5, Faults(kill=2, restart=20), seed)
    killed = [blow.seat for blow in plan.blows if blow.for_good]
    restarted = {blow.seat for blow in plan.blows if not blow.for_good}
    assert len(set(killed)) == 2
    assert len(plan.blows) == 22
    assert not restarted & set(killed)
    assert plan.teller not in {*killed, *restarted}
    assert list(plan.blows) == sorted(plan.blows)


def test_the_same_seed_plans_the_same_and_another_one_something_else() -> None:
    faults = Faults(kill=2, restart=3)
    plans = [plan_faults(6, faults, seed) for seed in ("1", "1", "2")]
    assert plans[0] == plans[1] != plans[2]


def test_without_faults_the_first_seat_tells_and_nothing_happens() -> None:
    plan = plan_faults(4, Faults(), "1")
    assert (plan.teller, plan.blows) == (0, ())


def test_nobody_can_be_started_again_where_only_the_teller_is_left() -> None:
    with pytest.raises(ValueError, match="cannot be killed"):
        plan_faults(2, Faults(kill=1, restart=1), "1")


@pytest.mark.parametrize("living", range(2, 7))
@pytest.mark.parametrize("dead", range(1, 4))
def test_where_a_majority_is_left_it_is_still_one_when_one_more_is_eliminated(
    living: int, dead: int
) -> None:
    seats = range(living)
    gone = frozenset(range(min(dead, living)))
    allowed = leaves_a_majority(seats, gone)
    assert allowed >= (len(gone) == 1)
    if allowed:
        assert may_go_on(seats, gone)
        for out in set(seats) - gone:
            rest = set(seats) - {out}
            assert len(rest) == len(gone) or may_go_on(rest, gone)


def test_two_of_three_cannot_be_killed_before_the_first_is_put_out() -> None:
    assert leaves_a_majority({0, 1, 2}, {1})
    assert not leaves_a_majority({0, 1, 2}, {1, 2})
    assert leaves_a_majority({0, 2}, {2})
