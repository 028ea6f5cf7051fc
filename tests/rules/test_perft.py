"""Exact numbers of what can happen, and a second set of rules that must agree (SPEC 11.5)."""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.rules import EDITIONS, Options, Setup, parse_state, state_to_text
from tests.rules import naive, perft

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"

MOST_COUNTED = 5_000 if NIGHTLY else 1_500
MOST_COMPARED = 100_000 if NIGHTLY else 600
"""Sequences of one length that are counted, and compared line by line; at night all recorded."""

RECORDED = perft.read()
counts_of_each = pytest.mark.parametrize(("position", "mode"), RECORDED)


@counts_of_each
def test_the_engine_gives_exactly_the_recorded_numbers_of_sequences(position, mode):
    numbers = [number for number in RECORDED[position, mode] if number <= MOST_COUNTED]
    assert perft.count(parse_state(position), len(numbers), **perft.MODES[mode]) == numbers


@counts_of_each
def test_the_engine_and_the_naive_rules_allow_the_same_sequences(position, mode):
    numbers, extras = RECORDED[position, mode], perft.MODES[mode]
    depth = sum(number <= MOST_COMPARED for number in numbers)
    by_engine = perft.sequences(parse_state(position), depth, **extras)
    by_the_rules = naive.sequences(position, depth, **extras)
    assert by_engine == by_the_rules
    assert len(by_engine) == numbers[depth - 1] > 0


@given(seed=st.integers(0, 2**32), case=st.sampled_from(list(RECORDED)))
@settings(deadline=None, max_examples=3000 if NIGHTLY else 100)
def test_along_whole_random_games_the_naive_rules_allow_the_same(seed, case):
    position, mode = case
    luck, extras = random.Random(seed), perft.MODES[mode]
    state, script = parse_state(position), []
    while state.outcome is None:
        following = perft.texts_of_children(state, **extras)
        assert list(following) == naive.continuations(position, script, **extras)
        if not following:
            return  # a card is shown that cannot be the claimed one: play never comes here
        text = luck.choice(list(following))
        state = following[text]
        script.append(text)
        assert parse_state(state_to_text(state)) == state
    assert naive.continuations(position, script, **extras) == []


def test_every_edition_set_up_and_number_of_players_is_counted():
    assert {position for position, _ in RECORDED} == set(perft.positions())
    counted = {
        (state.edition.name, state.options, len(state.order))
        for state in map(parse_state, perft.positions())
    }
    for edition in EDITIONS.values():
        for seats in range(edition.min_players, edition.max_players + 1):
            assert (edition.name, Options(), seats) in counted
        assert (edition.name, Options(Setup.SET_OF_FIVE), 2) in counted


def test_the_numbers_are_those_of_a_sequence_worth_counting():
    deepest = [len(numbers) for numbers in RECORDED.values()]
    assert min(deepest) >= 3
    assert sum(map(sum, RECORDED.values())) > 300_000
