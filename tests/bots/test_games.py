"""Whole games between bots, in every edition and set-up: what the honest bot never does, that
games end, and who wins them."""

import random
from collections import Counter

import pytest

from p2pcoup.bots import BOTS, Policy, honest, random_move
from p2pcoup.rules import (
    BASE,
    INQUISITOR,
    USUAL,
    Act,
    Block,
    Challenge,
    Decline,
    Effect,
    Seat,
    Show,
    View,
    move_to_text,
)
from tests.bots.tables import Decided, play
from tests.rules.random_games import TABLES, Table


def mixed(seats: int) -> list[Policy]:
    """Honest bots on the even seats, random ones between them."""
    return [honest if seat % 2 == 0 else random_move for seat in range(seats)]


def held(decided: Decided, seat: Seat) -> set[str]:
    """What a seat truly holds; nothing yet while it picks."""
    hand = decided.dealer.hands[seat]
    if not hand:
        return set()
    return {hand[slot].name for slot in decided.state.face_down(seat)}


def last_card_is_at_stake(view: View) -> bool:
    """Whether an assassination is aimed at the last card of the seat."""
    question = view.state.question
    assert question is not None
    return (
        question.block is None
        and question.act.target == view.seat
        and question.act.action.effect is Effect.STRIKE
        and view.state.influence(view.seat) == 1
    )


def check_honesty(decided: Decided) -> None:
    """The move is legal and keeps every rule of an honest player."""
    view, move = decided.view, decided.move
    assert move in view.legal_moves()
    own = held(decided, view.seat)
    match move:
        case Act(_, action) if action.claim is not None:
            assert action.claim.name in own
            assert decided.state.face_up(action.claim) < decided.state.edition.copies
        case Block(_, character):
            assert character.name in own
        case Show(seat, slot):
            question = decided.state.question
            assert question is not None
            assert decided.dealer.hands[seat][slot] == question.character
        case Decline():
            raise AssertionError("it has claimed what it does not hold")
        case Challenge():
            question = decided.state.question
            assert question is not None
            assert question.character is not None
            known = question.character.name not in held(decided, question.subject)
            assert known or last_card_is_at_stake(view)
        case _:
            pass


def check_last_stand(decided: Decided) -> None:
    """No assassination of the last card passes while there is something honest to do (case 83)."""
    question = decided.state.question
    if question is None or not last_card_is_at_stake(decided.view):
        return
    legal = [move_to_text(move) for move in decided.view.legal_moves()]
    seat, own = decided.view.seat, held(decided, decided.view.seat)
    blocks = [f"{seat} block {blocker.name}" for blocker in question.act.action.blockers]
    can_block = any(block.rsplit(" ", 1)[1] in own for block in blocks)
    if f"{seat} challenge" in legal:
        assert isinstance(decided.move, Challenge) != can_block
    elif can_block:
        assert isinstance(decided.move, Block)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_honest_bot_never_bluffs_nor_challenges_on_a_guess(table: Table) -> None:
    moves: Counter[type] = Counter()

    def watch(decided: Decided) -> None:
        if decided.view.seat % 2 == 0:
            check_honesty(decided)
            check_last_stand(decided)
            moves[type(decided.move)] += 1

    for seed in range(12):
        play(table, mixed(table.seats), seed, watch)
    assert moves[Act] > 20
    assert moves[Block]
    assert moves[Show]


def test_in_these_games_the_honest_bot_challenges_on_knowledge_and_at_its_last_stand() -> None:
    reasons: Counter[bool] = Counter()

    def watch(decided: Decided) -> None:
        if decided.view.seat % 2 == 0 and isinstance(decided.move, Challenge):
            reasons[last_card_is_at_stake(decided.view)] += 1

    for seed in range(40):
        play(Table(BASE, USUAL, 6), mixed(6), seed, watch)
    assert reasons[True] > 5
    assert reasons[False] > 5


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_games_between_honest_bots_end(table: Table) -> None:
    for seed in range(4):
        assert play(table, [honest] * table.seats, seed) in range(table.seats)


@pytest.mark.parametrize("table", [Table(BASE, USUAL, 4), Table(INQUISITOR, USUAL, 3)], ids=str)
@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_bot_depends_on_the_view_and_its_luck_alone(name: str, table: Table) -> None:
    bot = BOTS[name]
    games: list[list[str]] = []
    for _ in range(2):
        story: list[str] = []
        games.append(story)

        def watch(decided: Decided, story: list[str] = story) -> None:
            story.append(move_to_text(decided.move))
            if len(story) % 5 == 0:
                for seed in range(3):
                    again = {bot(decided.view, random.Random(seed)) for _ in range(2)}
                    assert len(again) == 1

        play(table, [bot] * table.seats, 7, watch)
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("table", "games", "at_least"),
    [
        (Table(BASE, USUAL, 2), 100, 90),
        (Table(BASE, USUAL, 4), 100, 85),
        (Table(INQUISITOR, USUAL, 3), 100, 85),
    ],
    ids=str,
)
def test_one_honest_bot_wins_nearly_every_game_against_random_ones(
    table: Table, games: int, at_least: int
) -> None:
    wins = 0
    for seed in range(games):
        honest_seat = seed % table.seats
        policies: list[Policy] = [random_move] * table.seats
        policies[honest_seat] = honest
        wins += play(table, policies, seed) == honest_seat
    assert wins >= at_least
