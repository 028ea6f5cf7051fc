"""Takes the steps of a file of vectors as a peer without any secret does. Not a test module."""

import json
from collections.abc import Callable
from typing import Any

from p2pcoup.deck import (
    Deck,
    Deducting,
    Draw,
    Mixing,
    Pair,
    Point,
    Revealing,
    begin_recovery,
    card_plaintexts,
    check_flags,
    check_key,
    check_shares,
    deducted,
    draw,
    exchanged,
    given_back,
    left,
    mixed,
    new_deck,
    opened,
    picked,
    recovered,
    shown_to,
    shuffled,
    with_returned,
)
from p2pcoup.deck.group import decode_point
from tests.deck.make_deck_vectors import state
from tests.deck.make_recovery_vectors import phase_state

Values = dict[str, Any]


class DifferentError(Exception):
    """What was computed is not what the case says."""


def same(computed: object, stated: object) -> None:
    if computed != stated:
        raise DifferentError(f"{computed!r} is not {stated!r}")


def raw(value: str) -> bytes:
    return bytes.fromhex(value)


def points(values: list[str]) -> list[Point]:
    return [decode_point(raw(value)) for value in values]


def pair(values: list[str]) -> Pair:
    return Pair(*points(values))


def as_in_a_file(value: object) -> object:
    return json.loads(json.dumps(value))


class Replay:
    """The deck as far as the steps were taken, the phase of a recovery, and shares not yet used."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.shares: dict[int, tuple[Point, ...]] = {}
        self.deck: Deck
        self.phase: Deducting | Mixing | Revealing

    def __call__(self, case: Values) -> None:
        step = case["algorithm"].split()[1]
        match step:
            case "Key":
                key = check_key(*said(case))
                same(key.hex(), case["key"])
                self.keys.append(case["key"])
            case "Shares" | "Flags":
                shares = self.checked_shares(step, case)
                same([share.hex() for share in shares], case["shares"])
                self.shares[case["seat"]] = shares
            case "BeginRecovery" | "Deduct" | "Mix":
                phase = self.next_phase(step, case)
                same(as_in_a_file(phase_state(phase)), case["phase"])
                self.phase = phase
            case _:
                deck = self.next_deck(step, case)
                same(as_in_a_file(state(deck)), case["deck"])
                self.deck = deck

    def checked_shares(self, step: str, case: Values) -> tuple[Point, ...]:
        if step == "Shares":
            draws = [Draw(*one) for one in case["draws"]]
            return check_shares(self.deck, case["seat"], draws, *said(case))
        if isinstance(self.phase, Mixing):
            self.phase = self.phase.revealing()
        assert isinstance(self.phase, Revealing)
        return check_flags(self.phase, case["seat"], *said(case))

    def next_phase(self, step: str, case: Values) -> Deducting | Mixing:
        if step == "BeginRecovery":
            return begin_recovery(self.deck, case["lost"])
        if step == "Deduct":
            assert isinstance(self.phase, Deducting)
            return deducted(self.phase, case["seat"], *said(case))
        if isinstance(self.phase, Deducting):
            self.phase = self.phase.mixing()
        assert isinstance(self.phase, Mixing)
        return mixed(self.phase, case["seat"], *said(case))

    def next_deck(self, step: str, case: Values) -> Deck:
        match step:
            case "NewDeck":
                if case["valid"]:
                    same(case["keys"], self.keys)
                plaintexts, keys = card_plaintexts(case["labels"]), points(case["keys"])
                return new_deck(plaintexts, case["kinds"], dict(enumerate(keys)), case["hand_size"])
            case "Draw":
                shares, self.shares = self.shares, {}
                return draw(self.deck, [Draw(*one) for one in case["draws"]], shares)
            case "Return":
                return with_returned(self.deck, case["kind"])
            case "NewCourt":
                shares, self.shares = self.shares, {}
                assert isinstance(self.phase, Revealing)
                return recovered(self.phase, shares)
            case _:
                return SPOKEN[step](self.deck, case, said(case))


Said = tuple[bytes, bytes]
"""Domain and message."""


def said(case: Values) -> Said:
    return raw(case["domain"]), raw(case["message"])


def open_step(deck: Deck, case: Values, said: Said) -> Deck:
    after, kinds = opened(deck, case["seat"], case["slots"], *said)
    same(list(kinds), case["opened"])
    return after


def show_step(deck: Deck, case: Values, said: Said) -> Deck:
    return shown_to(deck, case["seat"], case["slot"], case["reader"], *said)[0]


def pick_step(deck: Deck, case: Values, said: Said) -> Deck:
    return picked(deck, case["seat"], case["kinds"], case["slot"], *said)


SPOKEN: dict[str, Callable[[Deck, Values, Said], Deck]] = {
    "Shuffle": lambda deck, _, said: shuffled(deck, *said),
    "Open": open_step,
    "Exchange": lambda deck, case, said: exchanged(deck, case["seat"], *said),
    "Leave": lambda deck, case, said: left(deck, case["seat"], *said),
    "Show": show_step,
    "Pick": pick_step,
    "GiveBack": lambda deck, case, said: given_back(deck, case["seat"], case["slot"], *said),
}
