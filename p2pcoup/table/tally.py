"""Whether the cards are where the rules believe them to be, counted after every step (SPEC 8.6).

Deck and rules are told of every step apart from each other, and the rules never see a card. So that
no step is ever told to one of them alone, both are counted: the Court, every hand slot by slot, the
cards drawn, the cards face up. No peer can cause a difference; it is a fault of this program.
"""

from collections import Counter

from p2pcoup.rules import Seat
from p2pcoup.rules.moves import Replace
from p2pcoup.rules.steps import ChooseKept, ChoosePick
from p2pcoup.table.errors import TallyError
from p2pcoup.table.game import Game


def check_tally(game: Game) -> None:
    """Compare deck and rules between two steps of a game that goes on. Raises TallyError."""
    state, deck = game.playing, game.cards
    characters = game.terms.edition.characters
    swaps = [step for step in state.agenda if isinstance(step, Replace)]
    _same("the Court", len(deck.court), state.court_size)
    for seat in state.living:
        empty = {step.slot for step in swaps if step.seat == seat}  # shown, not yet swapped
        if isinstance(state.step, ChoosePick) and seat in state.step.waiting:
            empty |= set(state.face_down(seat))
        held = {slot for slot, pair in enumerate(deck.hands[seat]) if pair is not None}
        _same(f"the hand of seat {seat}", held, set(state.face_down(seat)) - empty)
    drawn = {Seat(seat): len(pairs) for seat, pairs in deck.drawn.items() if pairs}
    _same("the cards drawn", drawn, _drawn(state.step))
    up = Counter(card for hand in state.slots for card in hand if card is not None)
    up.update(step.shown for step in swaps)
    _same("the cards face up", Counter(characters[kind] for kind in deck.face_up), up)


def _drawn(step: object) -> dict[Seat, int]:
    return {step.seat: step.drawn} if isinstance(step, ChooseKept) else {}


def _same(what: str, in_deck: object, by_rules: object) -> None:
    if in_deck != by_rules:
        raise TallyError(f"{what}: {in_deck} in the deck, {by_rules} by the rules")
