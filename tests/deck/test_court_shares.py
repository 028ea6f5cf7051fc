"""The Court: decryption shares, and the cards drawn with them."""

from collections.abc import Sequence

import pytest

from p2pcoup.deck import (
    Check,
    DeckUseError,
    Draw,
    check_shares,
    draw,
    give_shares,
)
from p2pcoup.deck.equality import prove_equalities
from p2pcoup.deck.group import (
    Point,
    multiply,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.transcript import subdomain
from tests.deck.damage import refuse_all_damage, refused
from tests.deck.seats import CardTable

DOMAIN = b"game, round, seat"
KINDS = [0, 1, 2, 3, 4, 0, 1]


@pytest.fixture
def table() -> CardTable:
    """Three seats that have shuffled; nothing is dealt."""
    table = CardTable.of(3, KINDS)
    table.shuffle_all()
    return table


@pytest.fixture
def dealt() -> CardTable:
    """Three seats with two cards each and one card in the Court."""
    return CardTable.dealt(3, KINDS)


# --- shares ---------------------------------------------------------------------------------------

DRAWS = [Draw(0, 0), Draw(1, 0), Draw(2, 0), Draw(1, None)]


def shares_of(
    table: CardTable, giver: int, draws: Sequence[Draw] = DRAWS, domain: bytes = DOMAIN
) -> bytes:
    return give_shares(table.deck, giver, table.secrets[giver], draws, domain, table.randomness)


def test_a_seat_gives_a_share_for_every_card_that_another_one_draws(table: CardTable) -> None:
    for giver, others in ((0, 3), (1, 2), (2, 3)):
        data = shares_of(table, giver)
        assert len(data) == 32 * others + 64
        shares = check_shares(table.deck, giver, DRAWS, DOMAIN, data)
        bases = [
            pair.U for pair, one in zip(table.deck.court, DRAWS, strict=False) if one.seat != giver
        ]
        assert shares == tuple(multiply(table.secrets[giver], base) for base in bases)


def test_every_damaged_share_is_refused(table: CardTable) -> None:
    """Attack 12."""
    data = shares_of(table, 0)
    refuse_all_damage(data, lambda got: check_shares(table.deck, 0, DRAWS, DOMAIN, got))


def test_a_share_with_another_secret_is_refused(table: CardTable) -> None:
    """Attack 12: the owner would read a card that does not exist."""
    wrong = reduce_scalar(table.secrets[0] + 1)
    public = table.deck.keys[0]
    bases = [pair.U for pair in table.deck.court[1:4]]
    images = [multiply(wrong, base) for base in bases]
    scope = subdomain(DOMAIN, "shares", 0, 0, 1, 1, 1, 2, 1, 1, 0)
    honest = [multiply(table.secrets[0], base) for base in bases]
    proof = prove_equalities(scope, public, bases, honest, table.secrets[0], table.randomness)
    data = b"".join(honest) + proof.encode()
    check_shares(table.deck, 0, DRAWS, DOMAIN, data)  # the scope above is the right one
    for secret in (wrong, table.secrets[0]):
        proof = prove_equalities(scope, public, bases, images, secret, table.randomness)
        with refused(Check.SHARE_PROOF):
            check_shares(table.deck, 0, DRAWS, DOMAIN, b"".join(images) + proof.encode())


def test_a_share_is_refused_in_any_other_place(table: CardTable) -> None:
    """Attack 5."""
    data = shares_of(table, 0)
    with refused(Check.SHARE_PROOF):
        check_shares(table.deck, 0, DRAWS, b"other", data)
    with refused(Check.SHARE_PROOF):
        check_shares(table.deck, 2, DRAWS, DOMAIN, data)
    with refused(Check.LENGTH):
        check_shares(table.deck, 1, DRAWS, DOMAIN, data)


def test_a_share_for_one_reader_is_no_share_for_another(table: CardTable) -> None:
    """Attack 10: reader and slot of every position are in the proof."""
    data = shares_of(table, 0, [Draw(1, 0), Draw(2, 0)])
    check_shares(table.deck, 0, [Draw(1, 0), Draw(2, 0)], DOMAIN, data)
    for readers in (
        [Draw(2, 0), Draw(1, 0)],
        [Draw(1, 0), Draw(1, 1)],
        [Draw(1, 1), Draw(2, 0)],
        [Draw(1, None), Draw(2, 0)],
    ):
        with refused(Check.SHARE_PROOF):
            check_shares(table.deck, 0, readers, DOMAIN, data)


def test_a_position_has_one_reader_only(table: CardTable) -> None:
    """Attack 10: the k-th draw is position k, and a drawn card has left the Court."""
    first = [Draw(1, 0)]
    top = table.deck.court[0]
    data = shares_of(table, 0, first)
    table.draw(first)
    assert top not in table.deck.court
    assert table.deck.hands[1][0] is not None
    with pytest.raises(DeckUseError):
        shares_of(table, 0, first)  # into a slot that is taken
    second = [Draw(2, 0)]
    with refused(Check.SHARE_PROOF):
        check_shares(table.deck, 0, second, DOMAIN, data)


def test_a_share_for_a_pair_that_is_dead_is_refused(table: CardTable) -> None:
    """Attacks 10 and 11: after the next shuffle the old pairs are nothing any more."""
    data = shares_of(table, 0)
    check_shares(table.deck, 0, DRAWS, DOMAIN, data)
    table.shuffle_all()
    with refused(Check.SHARE_PROOF):
        check_shares(table.deck, 0, DRAWS, DOMAIN, data)


@pytest.mark.parametrize(
    "draws",
    [
        [],
        [Draw(0, None)] * 8,
        [Draw(0, 2)],
        [Draw(0, -1)],
        [Draw(3, 0)],
        [Draw(-1, 0)],
        [Draw(0, 0), Draw(0, 0)],
        [Draw(0, 0), Draw(1, 0), Draw(0, 0)],
    ],
)
def test_draws_that_do_not_fit_the_deck_are_our_own_mistake(
    draws: list[Draw], table: CardTable
) -> None:
    with pytest.raises(DeckUseError):
        shares_of(table, 1, draws)
    with pytest.raises(DeckUseError):
        check_shares(table.deck, 1, draws, DOMAIN, b"")
    with pytest.raises(DeckUseError):
        draw(table.deck, draws, {})


def test_shares_by_a_stranger_or_with_a_strange_secret_are_our_own_mistake(
    table: CardTable,
) -> None:
    with pytest.raises(DeckUseError):
        give_shares(table.deck, 3, table.secrets[0], DRAWS, DOMAIN, table.randomness)
    with pytest.raises(DeckUseError):
        give_shares(table.deck, 0, table.secrets[1], DRAWS, DOMAIN, table.randomness)
    with pytest.raises(DeckUseError):  # nobody else draws: there is nothing to give
        shares_of(table, 0, [Draw(0, 0)])


def test_no_card_is_drawn_from_a_court_that_lies_open(table: CardTable) -> None:
    unshuffled = CardTable.of(2, KINDS)
    with pytest.raises(DeckUseError):
        shares_of(unshuffled, 0, [Draw(1, 0)])
    dealt = CardTable.dealt(2, KINDS)
    dealt.draw([Draw(0, None)])
    (kind,) = dealt.open(1, [0])
    dealt.return_open(kind)
    with pytest.raises(DeckUseError):  # everybody knows where the last card lies
        shares_of(dealt, 0, [Draw(1, None)] * len(dealt.deck.court))


# --- draw -----------------------------------------------------------------------------------------


def test_the_top_cards_come_into_the_hands_they_were_drawn_for(table: CardTable) -> None:
    kinds = table.court()
    table.draw(DRAWS)
    assert [table.hand(seat) for seat in range(3)] == [
        [kinds[0]],
        [kinds[1], kinds[3]],
        [kinds[2]],
    ]
    assert table.court() == kinds[4:]
    assert table.deck.hands[1] == (table.deck.face_down(1)[0], None)
    assert set(table.deck.drawn) == {1}
    table.draw([Draw(1, None)])
    assert table.hand(1) == [kinds[1], kinds[3], kinds[4]]


def test_nobody_but_its_reader_reads_a_drawn_card(dealt: CardTable) -> None:
    """All shares are public; what is missing is the reader's own."""
    for seat in range(3):
        others = [dealt.secrets[other] for other in range(3) if other != seat]
        for pair in dealt.deck.face_down(seat):
            for secret in (*others, sum(others), sum(dealt.secrets.values()), 0):
                plaintext = subtract(pair.V, multiply(reduce_scalar(secret), pair.U))
                assert plaintext not in dealt.deck.plaintexts


def test_a_draw_needs_the_shares_of_all_others(table: CardTable) -> None:
    """Attack 12: silence does not read a card."""
    shares = table.shares(DRAWS)
    draw(table.deck, DRAWS, shares)
    for missing in range(3):
        some = {giver: given for giver, given in shares.items() if giver != missing}
        with pytest.raises(DeckUseError):
            draw(table.deck, DRAWS, some)
        with pytest.raises(DeckUseError):
            draw(table.deck, DRAWS, {**shares, missing: shares[missing][1:]})


def test_a_point_of_the_message_is_decoded_before_it_is_used(table: CardTable) -> None:
    """Attack 2: bytes that are no point are named as such, not as a proof that fails."""
    data = shares_of(table, 0)
    no_point: Point = Point(b"\x01" + bytes(31))
    with refused(Check.POINT_ENCODING):
        check_shares(table.deck, 0, DRAWS, DOMAIN, no_point + data[32:])
    with refused(Check.SCALAR_ENCODING):
        check_shares(table.deck, 0, DRAWS, DOMAIN, data[:-32] + b"\xff" * 32)
