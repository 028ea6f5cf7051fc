"""What holds after every step of any game, shown on random play."""

import random
from collections import Counter
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.rules import (
    BASE,
    Act,
    Block,
    Challenge,
    Concede,
    DecisionKind,
    Decline,
    Fact,
    IllegalMoveError,
    Keep,
    Lose,
    Pass,
    Seat,
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
    start,
    state_to_text,
)
from tests.rules.dealer import Dealer

MAX_STEPS = 2000
"""Random games last about a hundred steps; one that takes this many does not end."""

CONCEDING = 0.01
"""How often a random player gives up instead of deciding."""

games = given(seed=st.integers(0, 2**32), seats=st.integers(2, 6))


def truthful(dealer, state, moves):
    """Leave out Show with a card that is not the claimed one: the cards would refuse it."""
    claimed = state.question.character if state.question else None
    return [
        move
        for move in moves
        if not isinstance(move, Show) or dealer.hands[move.seat][move.slot] == claimed
    ]


def random_game(seed, seats):
    """Yield (dealer, state, event, next state) for each step of one random game."""
    rng = random.Random(seed)
    order = list(range(seats))
    rng.shuffle(order)
    state = start(BASE, seats, order, rng.choice(order))
    dealer = Dealer.deal(state, rng)
    for _ in range(MAX_STEPS):
        if state.outcome is not None:
            return
        if state.request is not None:
            event = dealer.answer(state)
        else:
            seat, kind = rng.choice(pending(state))
            event = rng.choice(truthful(dealer, state, legal_moves(state, seat)))
            if kind is not DecisionKind.KEEP and rng.random() < CONCEDING:
                event = Concede(seat)
            dealer.note(state, event)
        after = apply(state, event)
        yield dealer, state, event, after
        state = after
    raise AssertionError(f"no end after {MAX_STEPS} steps (seed {seed}, {seats} seats)")


@games
@settings(deadline=None, max_examples=60)
def test_r1_r4_cards_are_conserved(seed, seats):
    for cards, _, _, state in random_game(seed, seats):
        hands = [card for hand in cards.hands for card in hand]
        everything = Counter(hands + cards.court + cards.drawn)
        assert everything == Counter(BASE.cards())
        assert state.court_size == len(cards.court)
        assert state.drawn == len(cards.drawn)
        for seat in state.order:
            for up, card in zip(state.slots[seat], cards.hands[seat], strict=True):
                assert up in (None, card)


@games
@settings(deadline=None, max_examples=60)
def test_r11_the_eliminated_have_no_coins_and_no_decisions(seed, seats):
    for _, _, _, state in random_game(seed, seats):
        assert state.living == tuple(seat for seat in state.order if state.influence(seat))
        asked = {seat for seat, _ in pending(state)}
        assert asked <= set(state.living)
        for seat in state.order:
            if seat not in state.living:
                assert state.coins[seat] == 0
                assert legal_moves(state, seat) == ()


@games
@settings(deadline=None, max_examples=60)
def test_r2_coins_only_move_between_players_and_treasury(seed, seats):
    for _, before, event, after in random_game(seed, seats):
        assert sum(after.coins) + after.treasury == 50
        assert min(after.coins) >= 0
        moved = sum(after.coins) - sum(before.coins)
        lost = sum(before.coins[seat] for seat in before.living if seat not in after.living)
        assert -lost - 7 <= moved <= 3
        if isinstance(event, Pass | Challenge | Block) and after.step == before.step:
            assert moved == 0


@games
@settings(deadline=None, max_examples=60)
def test_the_game_always_waits_for_exactly_one_thing(seed, seats):
    for _, _, _, state in random_game(seed, seats):
        waits = [bool(pending(state)), state.request is not None, state.outcome is not None]
        assert waits.count(True) == 1
        for seat, _ in pending(state):
            assert legal_moves(state, seat)
        assert (len(state.living) == 1) == (state.outcome is not None)


@games
@settings(deadline=None, max_examples=60)
def test_exactly_the_right_seats_are_asked(seed, seats):
    for _, _, _, state in random_game(seed, seats):
        asked = [seat for seat, _ in pending(state)]
        kinds = {kind for _, kind in pending(state)}
        assert len(kinds) <= 1
        kind, question = next(iter(kinds), None), state.question
        if kind in (DecisionKind.ACT, DecisionKind.KEEP):
            assert asked == [state.turn]
        elif kind is DecisionKind.LOSE:
            assert state.influence(*asked) > 1
        elif kind is DecisionKind.PROVE:
            assert asked == [question.subject]
        elif kind is not None:
            assert question.subject not in asked
            if kind is DecisionKind.BLOCK and question.act.target is not None:
                assert asked == [question.act.target]


@games
@settings(deadline=None, max_examples=60)
def test_everyone_living_but_the_claimant_is_asked_about_a_claim(seed, seats):
    for _, before, _, after in random_game(seed, seats):
        question, kinds = after.question, {kind for _, kind in pending(after)}
        asked_all = DecisionKind.CHALLENGE_ACTION in kinds or DecisionKind.CHALLENGE_BLOCK in kinds
        if DecisionKind.BLOCK in kinds:
            asked_all = question.act.target is None
        if asked_all and before.question != question:
            others = {seat for seat in after.living if seat != question.subject}
            assert {seat for seat, _ in pending(after)} == others


@games
@settings(deadline=None, max_examples=40)
def test_texts_of_states_moves_and_facts_round_trip(seed, seats):
    for _, before, event, after in random_game(seed, seats):
        text = state_to_text(after)
        assert parse_state(text) == after
        assert state_to_text(parse_state(text)) == text
        assert state_to_text(before) != text
        if isinstance(event, Fact):
            assert parse_fact(BASE, fact_to_text(event)) == event
        else:
            assert parse_move(BASE, move_to_text(event)) == event


@games
@settings(deadline=None, max_examples=40)
def test_apply_leaves_its_argument_unchanged(seed, seats):
    seen = []
    for _, before, _, after in random_game(seed, seats):
        seen += [(before, state_to_text(before)), (after, state_to_text(after))]
    assert all(state_to_text(state) == text for state, text in seen)


@games
@settings(deadline=None, max_examples=40)
def test_answers_in_any_order_lead_to_the_same_state(seed, seats):
    rng = random.Random(seed)
    for _, _, _, state in random_game(seed, seats):
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
@settings(deadline=None, max_examples=25)
def test_a_half_filled_window_does_not_tell_the_order_of_the_answers(seed, seats):
    rng = random.Random(seed)
    for _, _, _, state in random_game(seed, seats):
        if len(pending(state)) < 3:
            continue
        (one, _), (two, _) = rng.sample(pending(state), 2)
        first, second = (rng.choice([*legal_moves(state, s), Concede(s)]) for s in (one, two))
        assert apply(apply(state, first), second) == apply(apply(state, second), first)


def every_conceivable_move(state):
    """Return all moves of the edition's language with small numbers, whether legal or not."""
    for seat in map(Seat, range(len(state.order) + 1)):
        yield from (Pass(seat), Challenge(seat), Decline(seat))
        yield from (make(seat, slot) for make in (Show, Lose) for slot in range(3))
        yield from (Block(seat, character) for character in BASE.characters)
        for action in BASE.actions:
            yield from (Act(seat, action, target) for target in (None, *range(len(state.order))))
        for size in range(1, 4):
            yield from (Keep(seat, kept) for kept in combinations(range(5), size))
        yield Keep(seat, (1, 0))


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
@settings(deadline=None, max_examples=8)
def test_exactly_the_listed_moves_are_accepted(seed, seats):
    for _, _, _, state in random_game(seed, seats):
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
@settings(deadline=None, max_examples=40)
def test_the_public_form_of_a_keep_leads_to_the_same_state(seed, seats):
    for _, before, event, after in random_game(seed, seats):
        if isinstance(event, Keep):
            assert apply(before, Keep(event.seat, None)) == after


@games
@settings(deadline=None, max_examples=30)
def test_every_game_can_be_narrated(seed, seats):
    names = [f"P{seat}" for seat in range(seats)]
    story = []
    for _, before, event, after in random_game(seed, seats):
        story += narrate(before, event, after, names)
    assert story[-1].endswith("wins the game.")
    assert all(line.endswith(".") for line in story)
    assert sum(line.endswith("is out.") for line in story) == seats - 1
    assert not any(one == two for one, two in pairwise(story) if one.endswith("'s turn."))


def test_two_thousand_random_games_of_two_to_six_players_end():
    for number in range(2000):
        seats = 2 + number % 5
        *_, (_, _, _, last) = random_game(number, seats)
        assert last.outcome is not None
        assert last.living == (last.outcome.winner,)
        assert last.agenda == ()
