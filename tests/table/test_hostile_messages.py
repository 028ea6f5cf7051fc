"""Bytes that must not become part of a game: refused with a reason, blamed where signed, and the
game goes on as if they had never come."""

from collections.abc import Iterator
from dataclasses import replace

import msgpack
import pytest

from p2pcoup.table import Accepted, Behind, Blame, Refused, Table
from p2pcoup.table import listener as table_module
from p2pcoup.wire import Identity, Kind, SignedMessage, sign
from p2pcoup.wire.limits import MAX_MESSAGE_BYTES
from p2pcoup.wire.message import MESSAGE_LABEL
from tests.table.party import ABSENCE, BASE_GAME, GAMES, Party, game_with, played, watcher

PLAYED = set(Kind) - ABSENCE


@pytest.fixture(scope="module")
def party() -> Party:
    return played(*BASE_GAME)


@pytest.fixture(scope="module", params=GAMES, ids=["base", "inquisitor", "fives"])
def any_party(request: pytest.FixtureRequest) -> Party:
    return played(*request.param)


def state_of(table: Table) -> tuple[object, ...]:
    """All that a refused message must leave alone."""
    raws = tuple(signed.raw for signed in table.transcript())
    return raws, table.round, table.waiting_for, table.game.deck, table.game.state, table.outcome


def each_turn(party: Party) -> Iterator[tuple[Table, SignedMessage]]:
    """A watching table before each message of the game, and that message."""
    table = party.new_table(None)
    for signed in party.messages():
        yield table, signed
        assert any(isinstance(n, Accepted) for n in table.receive(signed.raw))


def first_of_each_kind(party: Party) -> dict[Kind, int]:
    """Where in the game a kind of message first comes."""
    places: dict[Kind, int] = {}
    for place, signed in enumerate(party.messages()):
        places.setdefault(signed.message.kind, place)
    return places


def body_of(kind: Kind) -> tuple[bytes | str, ...]:
    """A body that some message of that kind has."""
    return next(s.message.body for s in game_with(kind).messages() if s.message.kind is kind)


def refused(table: Table, raw: bytes) -> str:
    """Check that bytes are refused and change nothing; return the reason."""
    before = state_of(table)
    notice, *more = table.receive(raw)
    assert isinstance(notice, Refused)
    assert more in ([], [Behind()])  # whose past differs from ours is worth comparing with
    assert state_of(table) == before
    return notice.reason


def blamed(table: Table, signed: SignedMessage) -> Blame:
    """Check that a signed message gets its signer blamed and changes nothing."""
    before = state_of(table)
    (notice,) = table.receive(signed.raw)
    assert isinstance(notice, Blame)
    assert notice.seat == signed.message.seat
    assert notice.round == signed.message.round
    assert signed.raw in notice.evidence
    assert state_of(table) == before
    return notice


def test_bytes_that_are_no_signed_message_are_refused_in_every_round(any_party: Party) -> None:
    stranger = Identity.generate()
    for table, signed in each_turn(any_party):
        raw = signed.raw
        for length in (0, 1, 63, 64, 65, len(raw) // 2, len(raw) - 1):
            refused(table, raw[:length])
        refused(table, raw + b"\0")
        refused(table, b"\0" + raw)
        refused(table, raw[:-64] + bytes(64))
        refused(table, raw[:-1] + bytes([raw[-1] ^ 1]))
        refused(table, bytes([raw[0] ^ 1]) + raw[1:])
        refused(table, sign(signed.message, stranger).raw)
        refused(table, raw + bytes(MAX_MESSAGE_BYTES))


def test_a_second_encoding_of_the_same_message_is_refused(party: Party) -> None:
    table, signed = next(each_turn(party))
    items = msgpack.unpackb(signed.payload)
    parts = [msgpack.packb(item) for item in items]
    assert b"\x97" + b"".join(parts) == signed.payload
    parts[items.index(0)] = b"\xcf" + bytes(8)  # the same number in nine bytes instead of one
    payload = b"\x97" + b"".join(parts)
    assert msgpack.unpackb(payload) == items
    raw = payload + party.identities[0].sign(MESSAGE_LABEL, payload)
    assert "shortest form" in refused(table, raw)


def test_a_message_out_of_place_is_refused_in_every_round(any_party: Party) -> None:
    everybody = set(any_party.terms.seats)
    for table, signed in each_turn(any_party):
        other_game = any_party.signed_again(signed, game=bytes(32))
        assert "another game" in refused(table, other_game.raw)
        elsewhere = any_party.signed_again(signed, parent=bytes(32))
        assert "another course" in refused(table, elsewhere.raw)
        if table.game.public_keys.keys() == everybody:
            for seat in everybody - set(table.waiting_for):
                out_of_turn = any_party.signed_again(signed, seat=seat)
                if out_of_turn in any_party.messages():
                    continue  # its own word, which is no fault
                (notice,) = table.receive(out_of_turn.raw)
                assert isinstance(notice, Blame)
                assert notice.rule in ("turn", "equivocation")
                assert notice.seat == seat
        nobody = replace(signed.message, seat=5)
        assert "no seat 5" in refused(table, sign(nobody, any_party.identities[0]).raw)


def test_a_message_of_another_kind_is_blamed(any_party: Party) -> None:
    bodies = {kind: body_of(kind) for kind in PLAYED}
    for table, signed in each_turn(any_party):
        if signed.message.round == 0:
            continue  # before joining nobody's key is known
        for kind in PLAYED - {signed.message.kind}:
            assert blamed(table, any_party.signed_again(signed, kind=kind, body=bodies[kind]))
            table._now.faults.clear()


def test_a_message_heard_before_is_silently_ignored_for_ever(any_party: Party) -> None:
    seen: list[bytes] = []
    for table, signed in each_turn(any_party):
        seen.append(signed.raw)
        for raw in seen[:-1]:
            assert table.receive(raw) == []
    done = watcher(any_party, len(seen))
    assert all(done.receive(raw) == [] for raw in seen)


def damaged(field: bytes | str) -> Iterator[bytes | str]:
    """A field with every one of its 32-byte parts changed in turn, or a text changed."""
    if isinstance(field, str):
        yield from (field + " ", field.upper(), field[:-1] + "~", field.replace(" ", "  "))
        return
    for at in range(0, len(field), 32):
        for position, mask in ((at, 0x01), (min(at + 31, len(field) - 1), 0x80)):
            yield field[:position] + bytes([field[position] ^ mask]) + field[position + 1 :]
        if at:
            yield field[: at - 32] + field[at : at + 32] + field[at - 32 : at] + field[at + 32 :]
    yield field[:-1]
    yield field + b"\0"
    yield field[32:]


@pytest.mark.parametrize("kind", sorted(PLAYED - {Kind.JOIN}, key=str))
def test_every_changed_field_of_every_proof_is_blamed_on_its_signer(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = game_with(kind)
    monkeypatch.setattr(table_module, "MAX_FAULTS_PER_ROUND", 10_000)
    place = first_of_each_kind(party)[kind]
    table, honest = watcher(party, place), party.messages()[place]
    tried = 0
    for number, field in enumerate(honest.message.body):
        for changed in damaged(field):
            body = list(honest.message.body)
            body[number] = changed
            if changed == field:
                continue
            try:
                forged = party.signed_again(honest, body=tuple(body))
            except ValueError:
                continue  # cannot even be written as a message: the wire's tests
            tried += 1
            if kind is Kind.SEAL:
                continue  # any 32 bytes are a commitment; what it hides shows at the opening
            blamed(table, forged)
    assert tried
    assert any(isinstance(n, Accepted) for n in table.receive(honest.raw))


def test_a_changed_seal_or_coin_commitment_is_blamed_at_its_opening(party: Party) -> None:
    for sealing, opening in ((Kind.JOIN, Kind.COIN), (Kind.SEAL, Kind.UNSEAL)):
        place = first_of_each_kind(party)[sealing]
        table, honest = watcher(party, place), party.messages()[place]
        *rest, commitment = honest.message.body
        assert isinstance(commitment, bytes)
        forged = party.signed_again(honest, body=(*rest, commitment[::-1]))
        assert any(isinstance(n, Accepted) for n in table.receive(forged.raw))
        others = [s for s in party.messages() if s.message.round == honest.message.round]
        for signed in others:
            if signed.message.seat != honest.message.seat:
                table.receive(signed.raw)
        assert table.round == honest.message.round + 1
        usual = next(
            s
            for s in party.messages()
            if s.message.round == table.round and s.message.seat == honest.message.seat
        )
        assert usual.message.kind is opening
        blamed(table, party.signed_again(usual, parent=table._now.parent))


def test_the_commitment_of_another_seat_cannot_be_opened_as_ones_own(party: Party) -> None:
    """Attack 6: the copier is blamed, whoever was heard first."""
    joins = party.messages()[:3]
    theirs = joins[0].message.body
    own_key = joins[1].message.body[0]
    copied = party.signed_again(joins[1], body=(own_key, theirs[1]))
    for order in ([joins[0], copied, joins[2]], [copied, joins[0], joins[2]]):
        table = party.new_table(None)
        for signed in order:
            assert any(isinstance(n, Accepted) for n in table.receive(signed.raw))
        coins = [party.signed_again(s, parent=table._now.parent) for s in party.messages()[3:6]]
        assert any(isinstance(n, Accepted) for n in table.receive(coins[0].raw))
        blamed(table, party.signed_again(coins[1], body=coins[0].message.body))


def test_two_signed_messages_for_one_place_are_equivocation_that_proves_itself(
    party: Party,
) -> None:
    seen: list[SignedMessage] = []
    for table, signed in each_turn(party):
        if len(party.terms.roster) == len(table.game.public_keys):
            for old in seen[-4:]:
                body = next(s.message.body for s in party.messages() if s is not old)
                kind = next(s.message.kind for s in party.messages() if s is not old)
                second = party.signed_again(old, kind=kind, body=body)
                if second.raw == old.raw:
                    continue
                (blame,) = table.receive(second.raw)
                assert isinstance(blame, Blame)
                assert blame.rule == "equivocation"
                assert blame.seat == old.message.seat
                assert set(blame.evidence) == {old.raw, second.raw}
        seen.append(signed)


def test_a_seat_that_keeps_sending_false_messages_is_soon_not_listened_to(party: Party) -> None:
    place = first_of_each_kind(party)[Kind.SHUFFLE]
    table, honest = watcher(party, place), party.messages()[place]
    (proof,) = honest.message.body
    assert isinstance(proof, bytes)
    for number in range(table_module.MAX_FAULTS_PER_ROUND):
        blamed(table, party.signed_again(honest, body=(bytes([number]) + proof[1:],)))
    assert "too many" in refused(table, party.signed_again(honest, body=(proof[:-1],)).raw)
    assert "too many" in refused(table, honest.raw)


def test_a_copied_or_cancelling_card_key_is_blamed_on_the_later_seat(party: Party) -> None:
    """Attack 3. The copy has no valid proof, so it falls already there."""
    place = first_of_each_kind(party)[Kind.KEY]
    table = watcher(party, place + 1)
    first, second = party.messages()[place : place + 2]
    blame = blamed(table, party.signed_again(second, body=first.message.body))
    assert blame.rule == "key-proof"


def test_a_move_of_another_seat_or_an_illegal_one_is_blamed(party: Party) -> None:
    place = first_of_each_kind(party)[Kind.DECIDE]
    table, honest = watcher(party, place), party.messages()[place]
    seat = honest.message.seat
    other = (seat + 1) % 3
    for text in (f"{other} income", f"{seat} coup {other}", f"{seat} steal {seat}", "income", "?"):
        blame = blamed(table, party.signed_again(honest, body=(text,)))
        assert blame.rule in ("move", "message")
        table._now.faults.clear()


def test_a_false_result_is_blamed(party: Party) -> None:
    place = first_of_each_kind(party)[Kind.RESULT]
    table, honest = watcher(party, place), party.messages()[place]
    loser = (party.tables[0].game.playing.living[0] + 1) % 3
    assert blamed(table, party.signed_again(honest, body=(f"winner {loser}",))).rule == "result"
    assert blamed(table, party.signed_again(honest, body=("nobody",))).rule == "result"
