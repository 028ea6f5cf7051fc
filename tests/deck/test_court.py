"""The Court: keys and shuffles."""

from dataclasses import replace

import pytest

from p2pcoup.deck import (
    Check,
    Deck,
    DeckUseError,
    Pair,
    Randomness,
    Scalar,
    check_key,
    prove_key,
    shuffle,
    shuffled,
)
from p2pcoup.deck.elgamal import encode_pairs, re_encrypt
from p2pcoup.deck.group import (
    IDENTITY,
    multiply_base,
    subtract,
)
from p2pcoup.deck.rows import Shuffled, shuffle_rows
from p2pcoup.deck.schnorr import prove_schnorr
from p2pcoup.deck.shuffle_proof import ShuffleProof, prove_shuffle
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


# --- keys -----------------------------------------------------------------------------------------


def test_a_key_comes_with_the_knowledge_of_its_secret(randomness: Randomness) -> None:
    secret = randomness.scalar()
    data = prove_key(DOMAIN, secret, randomness)
    assert len(data) == 96
    assert check_key(DOMAIN, data) == multiply_base(secret)


def test_every_damaged_key_is_refused(randomness: Randomness) -> None:
    data = prove_key(DOMAIN, randomness.scalar(), randomness)
    refuse_all_damage(data, lambda got: check_key(DOMAIN, got))


def test_a_key_of_another_game_seat_or_identity_is_refused(randomness: Randomness) -> None:
    """Attacks 3, 5 and 6: who copies a key with its proof has not proven to know it."""
    data = prove_key(DOMAIN, randomness.scalar(), randomness)
    for domain in (b"other", DOMAIN + b"!", subdomain(DOMAIN, "key")):
        with refused(Check.KEY_PROOF):
            check_key(domain, data)


def test_a_key_made_to_cancel_another_one_cannot_be_proven(randomness: Randomness) -> None:
    """Attack 3: with Y' = z*B - Y the joint key would be z*B, and z the attacker's own."""
    victim, z = multiply_base(randomness.scalar()), randomness.scalar()
    rogue = subtract(multiply_base(z), victim)
    proof = prove_schnorr(subdomain(DOMAIN, "key"), rogue, z, randomness)
    with refused(Check.KEY_PROOF):
        check_key(DOMAIN, rogue + proof.encode())


# --- shuffle --------------------------------------------------------------------------------------


def test_all_seats_shuffle_and_all_cards_are_still_there(table: CardTable) -> None:
    assert sorted(table.court()) == sorted(KINDS)
    before = table.deck
    table.shuffle_all()
    assert sorted(table.court()) == sorted(KINDS)
    assert not {p.U for p in before.court} & {p.U for p in table.deck.court}
    assert not {p.V for p in before.court} & {p.V for p in table.deck.court}
    assert replace(table.deck, court=before.court, seen=before.seen) == before


def test_a_court_of_one_card_can_be_shuffled() -> None:
    table = CardTable.of(2, [3])
    table.shuffle_all()
    assert table.court() == [3]


def test_every_damaged_shuffle_is_refused() -> None:
    table = CardTable.of(2, [0, 1, 2])
    table.shuffle_all()
    data = shuffle(table.deck, DOMAIN, table.randomness)
    refuse_all_damage(data, lambda got: shuffled(table.deck, DOMAIN, got))


def test_a_shuffle_is_refused_in_any_other_place(table: CardTable) -> None:
    """Attack 5."""
    data = shuffle(table.deck, DOMAIN, table.randomness)
    after = shuffled(table.deck, DOMAIN, data)
    with refused(Check.SHUFFLE_PROOF):
        shuffled(table.deck, b"other", data)
    with refused(Check.FIRST_COMPONENT):
        shuffled(after, DOMAIN, data)
    moved = replace(table.deck, court=table.deck.court[::-1])
    with refused(Check.SHUFFLE_PROOF):
        shuffled(moved, DOMAIN, data)
    fewer = replace(table.deck, court=table.deck.court[1:])
    with refused(Check.LENGTH):
        shuffled(fewer, DOMAIN, data)


def cheating_shuffle(deck: Deck, first: Pair, randomness: Randomness) -> bytes:
    """A shuffle with another pair on top, proven as well as the cheater can."""
    scope = subdomain(DOMAIN, "shuffle")
    rows = [(pair,) for pair in deck.court]
    honest = shuffle_rows(scope, deck.joint_key, rows, randomness)
    outputs = [first, *(row[0] for row in honest.outputs[1:])]
    cheated = Shuffled(tuple((pair,) for pair in outputs), *honest[1:])
    proof = prove_shuffle(scope, deck.joint_key, rows, cheated, randomness)
    return encode_pairs(outputs) + proof.encode()


def test_a_hand_card_of_another_seat_cannot_be_slipped_into_the_court(dealt: CardTable) -> None:
    """Attack 9: it would be drawn, and the others' shares would read it."""
    victim, _ = dealt.deck.face_down(1)
    slipped = re_encrypt(victim, dealt.deck.joint_key, Scalar(8675309))
    data = cheating_shuffle(dealt.deck, slipped, dealt.randomness)
    with refused(Check.SHUFFLE_PROOF):
        shuffled(dealt.deck, DOMAIN, data)


def test_a_shuffle_brings_no_first_component_of_an_earlier_card() -> None:
    """Attacks 9, 10 and 11: a share for the copy would be a share for the original."""
    table = CardTable.dealt(2, KINDS)
    dead = table.deck.court
    table.shuffle_all()
    earlier = [*table.deck.face_down(1), *dead, table.deck.court[1]]
    for victim in earlier:
        copy = Pair(victim.U, table.deck.court[0].V)
        data = cheating_shuffle(table.deck, copy, table.randomness)
        with refused(Check.FIRST_COMPONENT):
            shuffled(table.deck, DOMAIN, data)


def test_a_shuffle_has_no_first_component_twice(table: CardTable) -> None:
    """Attack 11."""
    fields = shuffle(table.deck, DOMAIN, table.randomness)
    data = fields[:64] + fields[:32] + fields[96:]
    with refused(Check.FIRST_COMPONENT):
        shuffled(table.deck, DOMAIN, data)


def test_a_shuffle_never_shows_an_open_card(table: CardTable) -> None:
    """Attack 2: the identity as first component is only in the agreed state, never received."""
    open_card = Pair(IDENTITY, table.deck.plaintexts[0])
    data = cheating_shuffle(table.deck, open_card, table.randomness)
    with refused(Check.POINT_ENCODING):
        shuffled(table.deck, DOMAIN, data)


def test_an_empty_court_cannot_be_shuffled(table: CardTable) -> None:
    empty = replace(table.deck, court=())
    with pytest.raises(DeckUseError):
        shuffle(empty, DOMAIN, table.randomness)
    with pytest.raises(DeckUseError):
        shuffled(empty, DOMAIN, bytes(ShuffleProof.size(0)))


def test_a_refused_message_leaves_the_deck_as_it_was(table: CardTable) -> None:
    before = table.deck
    copy = replace(before)
    data = shuffle(before, DOMAIN, table.randomness)
    with refused():
        shuffled(before, b"other", data)
    assert before == copy
    assert shuffled(before, DOMAIN, data).court != before.court
