"""What holds after every step of any game, shown on random play of every edition and set-up."""

import os
import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.rules import (
    EDITIONS,
    Act,
    Allow,
    Block,
    Challenge,
    Concede,
    DecisionKind,
    Decline,
    Fact,
    Force,
    IllegalMoveError,
    Keep,
    Lose,
    Lost,
    Pass,
    Pick,
    Reveal,
    Seat,
    Setup,
    Show,
    WrongSeatError,
    apply,
    fact_to_text,
    legal_moves,
    move_to_text,
    narrate,
    parse_fact,
    parse_move,
    parse_state,
    pending,
    state_to_text,
)
from tests.rules.random_games import TABLES, random_game

NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"
"""`make nightly`: many more games, the same checks."""

GAMES = 100_000 if NIGHTLY else 1000
MORE = 20 if NIGHTLY else 1

games = given(seed=st.integers(0, 2**32), table=st.sampled_from(TABLES))


@games
@settings(max_examples=80 * MORE)
def test_r1_r4_r43_cards_are_conserved(seed, table):
    edition = table.edition
    for cards, _, _, state in random_game(seed, table):
        if state.outcome is not None:
            return  # a lost seat may have taken its set of five with it
        everything = Counter(cards.court + cards.drawn)
        for seat in state.order:
            hand, seen = cards.hands[seat], state.slots[seat]
            everything += Counter(hand) + Counter(cards.aside.get(seat, ()))
            if hand:
                assert all(up in (None, card) for up, card in zip(seen, hand, strict=True))
            elif state.options.setup is Setup.SET_OF_FIVE:
                everything += Counter(edition.characters)  # its set, not picked from yet
        assert everything == Counter(edition.cards())
        assert state.court_size == len(cards.court)
        assert state.drawn == len(cards.drawn)


@games
@settings(max_examples=60 * MORE)
def test_r11_the_eliminated_have_no_coins_and_no_decisions(seed, table):
    for _, _, _, state in random_game(seed, table):
        assert state.living == tuple(seat for seat in state.order if state.influence(seat))
        asked = {seat for seat, _ in pending(state)}
        assert asked <= set(state.living)
        for seat in state.order:
            if seat not in state.living:
                assert state.coins[seat] == 0
                assert legal_moves(state, seat) == ()


@games
@settings(max_examples=60 * MORE)
def test_r2_coins_only_move_between_players_and_treasury(seed, table):
    for _, before, event, after in random_game(seed, table):
        assert sum(after.coins) + after.treasury == 50
        assert min(after.coins) >= 0
        moved = sum(after.coins) - sum(before.coins)
        lost = sum(before.coins[seat] for seat in before.living if seat not in after.living)
        assert -lost - 7 <= moved <= 3
        if isinstance(event, Pass | Challenge | Block) and after.step == before.step:
            assert moved == 0


@games
@settings(max_examples=60 * MORE)
def test_the_game_always_waits_for_exactly_one_thing(seed, table):
    for _, _, _, state in random_game(seed, table):
        waits = [bool(pending(state)), state.request is not None, state.outcome is not None]
        assert waits.count(True) == 1
        for seat, _ in pending(state):
            assert legal_moves(state, seat)
        assert (len(state.living) == 1) == (state.outcome is not None)


@games
@settings(max_examples=60 * MORE)
def test_exactly_the_right_seats_are_asked(seed, table):
    for _, _, _, state in random_game(seed, table):
        asked = [seat for seat, _ in pending(state)]
        kinds = {kind for _, kind in pending(state)}
        assert len(kinds) <= 1
        kind, question = next(iter(kinds), None), state.question
        if kind in (DecisionKind.ACT, DecisionKind.KEEP, DecisionKind.JUDGE):
            assert asked == [state.turn]
        elif kind is DecisionKind.PICK:
            assert set(asked) <= set(state.order)
            assert state.slots == ((None,), (None,))
        elif kind is DecisionKind.REVEAL:
            assert state.influence(*asked) > 1
            assert asked != [state.turn]
        elif kind is DecisionKind.LOSE:
            assert state.influence(*asked) > 1
        elif kind is DecisionKind.PROVE:
            assert asked == [question.subject]
        elif kind is not None:
            assert question.subject not in asked
            if kind is DecisionKind.BLOCK and question.act.target is not None:
                assert asked == [question.act.target]


@games
@settings(max_examples=60 * MORE)
def test_everyone_living_but_the_claimant_is_asked_about_a_claim(seed, table):
    for _, before, event, after in random_game(seed, table):
        question, kinds = after.question, {kind for _, kind in pending(after)}
        asked_all = DecisionKind.CHALLENGE_ACTION in kinds or DecisionKind.CHALLENGE_BLOCK in kinds
        if DecisionKind.BLOCK in kinds:
            asked_all = question.act.target is None
        if asked_all and before.question != question and not isinstance(event, Lost):
            others = {seat for seat in after.living if seat != question.subject}
            assert {seat for seat, _ in pending(after)} == others


@games
@settings(max_examples=40 * MORE)
def test_texts_of_states_moves_and_facts_round_trip(seed, table):
    for _, before, event, after in random_game(seed, table):
        text = state_to_text(after)
        assert parse_state(text) == after
        assert state_to_text(parse_state(text)) == text
        assert state_to_text(before) != text
        if isinstance(event, Fact):
            assert parse_fact(table.edition, fact_to_text(event)) == event
        else:
            assert parse_move(table.edition, move_to_text(event)) == event


@games
@settings(max_examples=40 * MORE)
def test_apply_leaves_its_argument_unchanged(seed, table):
    seen = []
    for _, before, _, after in random_game(seed, table):
        seen += [(before, state_to_text(before)), (after, state_to_text(after))]
    assert all(state_to_text(state) == text for state, text in seen)


@games
@settings(max_examples=40 * MORE)
def test_answers_in_any_order_lead_to_the_same_state(seed, table):
    rng = random.Random(seed)
    for _, _, _, state in random_game(seed, table):
        if len(pending(state)) < 2:
            continue
        answers = [
            rng.choice([*legal_moves(state, seat), Concede(seat)]) for seat, _ in pending(state)
        ]
        reached = set()
        for _ in range(3):
            rng.shuffle(answers)
            end = state
            for answer in answers:
                end = apply(end, answer)
            reached.add(end)
        assert len(reached) == 1


@games
@settings(max_examples=25 * MORE)
def test_a_half_filled_window_does_not_tell_the_order_of_the_answers(seed, table):
    rng = random.Random(seed)
    for _, _, _, state in random_game(seed, table):
        if len(pending(state)) < 3:
            continue
        (one, _), (two, _) = rng.sample(pending(state), 2)
        first, second = (rng.choice([*legal_moves(state, s), Concede(s)]) for s in (one, two))
        assert apply(apply(state, first), second) == apply(apply(state, second), first)


def every_conceivable_move(state):
    """Return all moves of the editions' language with small numbers, whether legal or not."""
    characters = {one for edition in EDITIONS.values() for one in edition.characters}
    actions = [action for edition in EDITIONS.values() for action in edition.actions]
    for seat in map(Seat, range(len(state.order) + 1)):
        yield from (make(seat) for make in (Pass, Challenge, Decline, Allow, Force))
        yield from (make(seat, slot) for make in (Show, Lose, Reveal) for slot in range(-1, 3))
        yield from (make(seat, character) for make in (Block, Pick) for character in characters)
        for action in actions:
            yield from (Act(seat, action, target) for target in (None, *range(len(state.order))))
        for size in range(1, 4):
            yield from (Keep(seat, kept) for kept in combinations(range(5), size))
        yield Keep(seat, (1, 0))


@given(seed=st.integers(0, 2**32), table=st.sampled_from([t for t in TABLES if t.seats < 4]))
@settings(max_examples=8 * MORE)
def test_exactly_the_listed_moves_are_accepted(seed, table):
    for _, _, _, state in random_game(seed, table):
        listed = {move for seat in state.order for move in legal_moves(state, seat)}
        asked = {seat for seat, _ in pending(state)}
        before, accepted = state_to_text(state), set()
        for move in every_conceivable_move(state):
            try:
                apply(state, move)
                accepted.add(move)
            except WrongSeatError:
                assert move.seat not in asked
            except IllegalMoveError:
                assert move.seat in asked
        assert accepted == listed
        assert state_to_text(state) == before


@games
@settings(max_examples=40 * MORE)
def test_the_public_forms_of_keep_and_pick_lead_to_the_same_state(seed, table):
    for _, before, event, after in random_game(seed, table):
        if isinstance(event, Keep | Pick):
            assert apply(before, type(event)(event.seat, None)) == after


@games
@settings(max_examples=30 * MORE)
def test_a_view_can_be_made_for_every_seat_and_lists_a_move_where_it_must_decide(seed, table):
    for cards, _, _, state in random_game(seed, table):
        asked = {seat for seat, _ in pending(state)}
        for seat in state.living:
            seen = cards.view(state, seat)
            assert bool(seen.legal_moves()) == (seat in asked)
            assert set(seen.legal_moves()) <= set(legal_moves(state, seat))


@games
@settings(max_examples=40 * MORE)
def test_a_seat_can_be_lost_at_any_moment_and_the_game_goes_on(seed, table):
    luck = random.Random(seed)
    for _, _, _, state in random_game(seed, table):
        if state.outcome is not None:
            return
        after, gone = state, luck.choice(state.living)
        after = apply(state, Lost(gone))
        assert parse_state(state_to_text(after)) == after
        assert after.living == tuple(seat for seat in state.living if seat != gone)
        assert after.coins[gone] == after.influence(gone) == 0
        assert legal_moves(after, gone) == ()
        others = [seat for seat in state.order if seat != gone]
        assert [after.slots[seat] for seat in others] == [state.slots[seat] for seat in others]
        step = after.step
        assert (step is None) == (len(after.living) == 1)
        concerned = {getattr(step, "seat", None), getattr(step, "examiner", None)}
        assert gone not in concerned | set(after.deciders)


@games
@settings(max_examples=30 * MORE)
def test_every_game_can_be_narrated(seed, table):
    names = [f"P{seat}" for seat in range(table.seats)]
    story = []
    for _, before, event, after in random_game(seed, table):
        story += map(str, narrate(before, event, after, names))
    assert story[-1].endswith("wins the game.")
    assert all(line.endswith(".") for line in story)
    assert sum(line.endswith("is out.") for line in story) == table.seats - 1
    assert not any(one == two for one, two in pairwise(story) if one.endswith("'s turn."))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_random_games_end_with_one_winner(table):
    for seed in range(GAMES // len(TABLES) + 1):
        *_, (_, _, _, last) = random_game(seed, table)
        assert last.outcome is not None
        assert last.living == (last.outcome.winner,)
        assert last.step is None
        assert last.agenda == ()
