"""Whatever step a seat is lost in, every card of the edition is still in the game afterwards."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from p2pcoup.deck import Deck, Pair
from p2pcoup.deck.group import IDENTITY, multiply, reduce_scalar, subtract
from p2pcoup.rules import BASE, INQUISITOR, Edition, Lost, Seat, State
from p2pcoup.rules.moves import Draw, Redraw, Replace, ShowTo, Shuffle
from p2pcoup.rules.steps import ChooseKept, ChooseReveal, Judge, LoseInfluence, Prove, Showing
from p2pcoup.table import Player, Table
from p2pcoup.table.errors import TallyError
from p2pcoup.table.game import Game
from p2pcoup.table.tally import check_tally
from p2pcoup.wire import Kind, parse
from tests.table.party import BUSY, Choose, Party, examining, likes, make_party
from tests.table.test_absence import agreed

SEEDS = range(8)  # of games that may not come to a moment
NIGHTLY = os.environ.get("P2PCOUP_NIGHTLY") == "1"

PROVING = likes("challenge", "show", "exchange", "tax")
ROLES: dict[str, Callable[[State], list[Seat]]] = {
    "claimant": lambda state: [s.seat for s in state.agenda if isinstance(s, Replace)],
    "turn": lambda state: [state.turn],
    "subject": lambda state: [] if state.question is None else [state.question.subject],
    "asked": lambda state: [getattr(state.step, "seat")],  # noqa: B009 - of some steps only
}

Moment = tuple[int, Choose, Edition, Kind, type, tuple[str, ...]]
"""Seats, choices and edition of a game; the kind of round and the step of the rules at which some
are lost; and who: their roles in that step."""

SHOWN: list[Moment] = [
    (4, PROVING, BASE, Kind.SHUFFLE, Replace, ("asked",)),
    (5, PROVING, BASE, Kind.DECIDE, LoseInfluence, ("claimant", "asked")),
]
"""A card has been shown to prove a claim and is not swapped yet."""
UNSEEN: list[Moment] = [
    (3, BUSY, BASE, Kind.EXCHANGE, ChooseKept, ("asked",)),
    (3, examining, INQUISITOR, Kind.GIVE_BACK, Redraw, ("asked",)),
]
"""Cards are drawn and not yet in a hand, or about to leave one."""
OTHERS: list[Moment] = [
    (4, PROVING, BASE, Kind.DECIDE, LoseInfluence, ("asked",)),
    (4, PROVING, BASE, Kind.SHARES, Replace, ("asked",)),
    (3, BUSY, BASE, Kind.SHARES, Draw, ("asked",)),
    (3, BUSY, BASE, Kind.DECIDE, Prove, ("asked",)),
    (3, PROVING, BASE, Kind.OPEN, Showing, ("subject",)),
    (3, BUSY, BASE, Kind.SHUFFLE, Shuffle, ("turn",)),
    (3, PROVING, INQUISITOR, Kind.EXCHANGE, ChooseKept, ("asked",)),
    (3, examining, INQUISITOR, Kind.SHARES, Redraw, ("asked",)),
    (3, examining, INQUISITOR, Kind.SHUFFLE, Redraw, ("asked",)),
    (3, examining, INQUISITOR, Kind.DECIDE, ChooseReveal, ("asked",)),
    (3, examining, INQUISITOR, Kind.SHOW, ShowTo, ("asked",)),
    (3, examining, INQUISITOR, Kind.DECIDE, Judge, ("asked",)),
]


def come_to(moment: Moment) -> tuple[Party, set[int]]:
    """A game in which all others are at that moment and have heard nothing there from the seats
    that are to be lost; and these seats.
    """
    seats, choose, edition, kind, step, roles = moment

    def is_there(table: Table) -> bool:
        state = table.game.state
        return state is not None and isinstance(state.step, step) and table._round.kind is kind

    for seed in SEEDS:
        party = make_party(seats, seed, choose, edition)
        found: set[int] = set()

        def reached(tables: list[Table] = party.tables, found: set[int] = found) -> bool:
            there = [table for table in tables if is_there(table)]
            found.clear()
            for role in roles if there else ():
                found.update(ROLES[role](there[0].game.playing))
            others = [table for seat, table in enumerate(tables) if seat not in found]
            return (
                len(found) == len(roles)
                and len(set(there[0].game.playing.living) - found) > 1
                and all(map(is_there, others))
                and len({table.round for table in others}) == 1
                and not any(found & set(table._now.messages) for table in others)
            )

        party.begin()
        party.play(until=reached)
        if len(found) == len(roles):
            return party, found
    raise AssertionError("no game comes to that moment")


def lose(party: Party, seats: set[int]) -> Game:
    """These seats sign nonsense and are gone; the others have heard nothing else of them in this
    round. Returns the game as one of the others has it when the Court is made anew.
    """
    here = sorted(set(party.terms.seats) - seats)
    table = party.tables[here[0]]
    party.vanish(*seats)
    party.flying = [(to, raw) for to, raw in party.flying if parse(raw).message.seat not in seats]
    model = next(table.transcript())
    place = {"round": table.round, "parent": table._now.parent}
    for gone in seats:
        false = party.signed_again(model, kind=Kind.DECIDE, body=("9 income",), seat=gone, **place)
        for seat in here:
            party.handle(seat, party.tables[seat].receive(false.raw))
    party.play(until=lambda: table.game.lost >= seats and not seats & set(table.game.holders))
    assert table.game.lost == seats
    assert table.outcome is None
    return table.game


def every_card(party: Party, game: Game) -> Counter[int]:
    """The kinds of all cards there are, read with the secrets of all seats together."""
    deck: Deck = game.cards
    keys = {
        s: Player(party.terms, party.identities[s], party.seeds[s]).secrets.key for s in deck.keys
    }
    joint = reduce_scalar(sum(keys.values()))

    def kind(pair: Pair, key: int) -> int:
        layer = IDENTITY if pair.U == IDENTITY else multiply(key, pair.U)  # type: ignore[arg-type]
        return deck.plaintexts.index(subtract(pair.V, layer))

    found = Counter(deck.face_up)
    found.update(kind(pair, joint) for pair in deck.court)
    for seat, key in keys.items():
        found.update(kind(pair, key) for pair in deck.held(seat))
    return found


@pytest.mark.parametrize("moment", SHOWN + UNSEEN + OTHERS if NIGHTLY else SHOWN + UNSEEN)
def test_every_card_is_still_in_the_game_whatever_a_seat_was_doing_when_it_was_lost(
    moment: Moment,
) -> None:
    party, seats = come_to(moment)
    game = lose(party, seats)
    copies = game.terms.edition.copies
    assert every_card(party, game) == dict.fromkeys(range(len(game.cards.plaintexts)), copies)
    party.play_on()
    agreed(party)


@pytest.mark.parametrize("moment", SHOWN)
def test_a_card_shown_to_prove_a_claim_goes_back_to_the_court_when_its_owner_is_lost(
    moment: Moment,
) -> None:
    party, seats = come_to(moment)
    here = next(table for seat, table in enumerate(party.tables) if seat not in seats)
    swap = next(step for step in here.game.playing.agenda if isinstance(step, Replace))
    kind = here.terms.edition.characters.index(swap.shown)
    up = here.game.playing.face_up(swap.shown)
    game = lose(party, seats)
    assert any(swap in s.before.agenda for s in game.happened if isinstance(s.event, Lost))
    assert game.cards.face_up.count(kind) == game.playing.face_up(swap.shown) == up


def test_a_deck_that_the_rules_do_not_expect_is_noticed_before_the_next_step() -> None:
    """Whatever is counted: a card too few or too many in the Court, in a hand, drawn or face up."""
    party = come_to((3, BUSY, BASE, Kind.EXCHANGE, ChooseKept, ("asked",)))[0]
    game = party.tables[0].game
    deck, seat = game.cards, Seat(game.playing.turn)
    check_tally(game)
    for what, false in {
        "the Court": replace(deck, court=deck.court[1:]),
        f"the hand of seat {seat}": replace(deck, hands={**deck.hands, seat: (None, None)}),
        "the cards drawn": replace(deck, drawn={}),
        "the cards face up": replace(deck, face_up=(*deck.face_up, 0)),
    }.items():
        game.deck = false
        with pytest.raises(TallyError, match=what):
            check_tally(game)
    game.deck = deck
    party.play()
    agreed(party)
