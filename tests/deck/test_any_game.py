"""Any sequence of steps, as a whole: no card is lost, doubled, changed or seen."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcoup.deck import Draw, Pair
from p2pcoup.deck.group import IDENTITY, multiply, reduce_scalar, subtract
from tests.deck.seats import CardTable

KINDS = [0, 0, 1, 1, 2, 3, 4]
SEATS = 3


class AnyGame:
    """Takes steps as far as they fit the deck; instead of one that does not, the next that does."""

    def __init__(self) -> None:
        self.table = CardTable.dealt(SEATS, KINDS, hand_size=1)
        self.taken: list[str] = []

    def step(self, first: int, seat: int, choice: int) -> None:
        if seat not in self.table.deck.keys:
            return
        for step in (*STEPS[first:], *STEPS[:first]):
            if step(self, seat, choice):
                self.taken.append(step.__name__)
                return

    def slots(self, seat: int) -> tuple[list[int], list[int]]:
        """Those with a card, and those without."""
        hand = self.table.deck.hands[seat]
        full = [slot for slot, pair in enumerate(hand) if pair is not None]
        return full, [slot for slot in range(len(hand)) if slot not in full]

    def drawn(self, seat: int) -> int:
        return len(self.table.deck.drawn.get(seat, ()))

    def draw(self, seat: int, choice: int) -> bool:
        _, empty = self.slots(seat)
        slot = empty[choice % len(empty)] if empty and choice % 2 else None
        if self.table.deck.court:
            self.table.draw([Draw(seat, slot)])
            return True
        return False

    def exchange(self, seat: int, choice: int) -> bool:
        full, _ = self.slots(seat)
        if not full or not self.drawn(seat):
            return False
        total = len(full) + self.drawn(seat)
        self.table.exchange(seat, [(choice + i) % total for i in range(len(full))])
        self.table.shuffle_all()
        return True

    def give_back(self, seat: int, choice: int) -> bool:
        full, _ = self.slots(seat)
        if not full or self.drawn(seat) != 1:
            return False
        self.table.give_back(seat, full[choice % len(full)])
        self.table.shuffle_all()
        return True

    def open(self, seat: int, choice: int) -> bool:
        full, _ = self.slots(seat)
        if not full:
            return False
        self.table.open(seat, [full[choice % len(full)]])
        return True

    def return_open(self, _seat: int, choice: int) -> bool:
        face_up = self.table.deck.face_up
        if not face_up:
            return False
        self.table.return_open(face_up[choice % len(face_up)])
        self.table.shuffle_all()
        return True

    def show(self, seat: int, choice: int) -> bool:
        full, _ = self.slots(seat)
        readers = [reader for reader in self.table.deck.keys if reader != seat]
        if not full or not readers:
            return False
        self.table.show(seat, full[choice % len(full)], readers[choice % len(readers)])
        return True

    def leave(self, seat: int, _choice: int) -> bool:
        if self.slots(seat)[0] or self.drawn(seat) or len(self.table.deck.keys) == 1:
            return False
        self.table.leave(seat)
        return True

    def recover(self, seat: int, _choice: int) -> bool:
        if len(self.table.deck.keys) < 3:
            return False
        self.table.recover([seat])
        return True


def everybody_s(table: CardTable) -> list[tuple[int, Pair]]:
    """All cards in hands and beside them, with their owners."""
    deck = table.deck
    return [
        (seat, pair)
        for seat in deck.hands
        for pair in (*deck.face_down(seat), *deck.drawn.get(seat, ()))
    ]


STEPS: tuple[Callable[[AnyGame, int, int], bool], ...] = (
    AnyGame.leave,
    AnyGame.give_back,
    AnyGame.recover,
    AnyGame.exchange,
    AnyGame.return_open,
    AnyGame.draw,
    AnyGame.open,
    AnyGame.show,
)


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.integers(0, len(STEPS) - 1), st.integers(0, SEATS - 1), st.integers(0, 5)),
        min_size=6,
        max_size=14,
    )
)
def test_after_any_steps_all_cards_are_there_and_each_is_its_owner_s_alone(
    steps: list[tuple[int, int, int]],
) -> None:
    game = AnyGame()
    for first, seat, choice in steps:
        game.step(first, seat, choice)
        table = game.table
        assert table.everything() == sorted(KINDS), game.taken
        held = everybody_s(table)
        firsts = [pair.U for pair in (*table.deck.court, *(pair for _, pair in held))]
        assert IDENTITY not in firsts
        assert len(set(firsts)) == len(firsts)
        assert set(firsts) <= table.deck.seen
    for seat, pair in everybody_s(game.table):
        others = [secret for other, secret in game.table.secrets.items() if other != seat]
        for secret in (*others, reduce_scalar(sum(others))):
            assert subtract(pair.V, multiply(secret, pair.U)) not in game.table.deck.plaintexts
