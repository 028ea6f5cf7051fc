"""What the seats say beside a game: talk, and the wish for another game."""

import shutil
from pathlib import Path

import pytest

from p2pcoup.node.asides import BURST, MAX_TALK_FILE_BYTES, PAUSE, TALK_NAME, Asides, TooOftenError
from p2pcoup.rules import Seat
from p2pcoup.wire import WireError
from p2pcoup.wire.aside import Aside, AsideKind, sign_aside
from tests.node.nodes import SeatFiles, make_seats


@pytest.fixture
def seats(tmp_path: Path) -> tuple[SeatFiles, ...]:
    return tuple(make_seats(tmp_path, 3))


def asides(seat: SeatFiles) -> Asides:
    return Asides(seat.table().terms, Seat(seat.number), seat.folder)


def test_what_one_seat_says_the_others_hear_once(seats: tuple[SeatFiles, ...]) -> None:
    ash, birch = asides(seats[0]), asides(seats[1])
    said = ash.talk("  I have  the Duke. ", seats[0].identity, now=0.0)
    assert said.aside.text == "I have the Duke."
    key = seats[0].identity.public_key
    assert birch.hear(said.raw, key, now=0.0) == said
    assert birch.hear(said.raw, key, now=1.0) is None
    assert ash.hear(said.raw, key, now=1.0) is None
    assert [each.text for each in birch.recent(9)] == ["I have the Duke."]
    assert birch.recent(9) == ash.recent(9)


def test_nobody_can_put_words_into_another_s_mouth(seats: tuple[SeatFiles, ...]) -> None:
    birch = asides(seats[1])
    game = seats[0].table().terms.game_id
    forged = sign_aside(Aside(game, 0, 0, AsideKind.TALK, "I give up."), seats[2].identity)
    for key in (seats[0].identity.public_key, seats[2].identity.public_key):
        with pytest.raises(WireError, match="not signed by the peer"):
            birch.hear(forged.raw, key, now=0.0)
    assert birch.hear(forged.raw, None, now=0.0) is None, "who has not joined is not known yet"
    assert birch.recent(9) == []


@pytest.mark.parametrize(("game", "seat"), [(b"x" * 32, 0), (None, 3)])
def test_words_of_another_table_are_refused(
    seats: tuple[SeatFiles, ...], game: bytes | None, seat: int
) -> None:
    birch, key = asides(seats[1]), seats[0].identity.public_key
    place = game or seats[0].table().terms.game_id
    said = sign_aside(Aside(place, seat, 0, AsideKind.TALK, "hello"), seats[0].identity)
    with pytest.raises(WireError, match="another table"):
        birch.hear(said.raw, key, now=0.0)


def test_who_says_too_much_is_told_and_not_heard(seats: tuple[SeatFiles, ...]) -> None:
    ash, birch = asides(seats[0]), asides(seats[1])
    key = seats[0].identity.public_key
    for number in range(BURST):
        assert birch.hear(ash.talk(f"{number}", seats[0].identity, now=0.0).raw, key, now=0.0)
    with pytest.raises(TooOftenError, match="one message in 2 seconds"):
        ash.talk("more", seats[0].identity, now=0.0)
    game = seats[0].table().terms.game_id
    more = sign_aside(Aside(game, 0, 99, AsideKind.TALK, "more"), seats[0].identity)
    assert birch.hear(more.raw, key, now=0.0) is None
    assert birch.hear(more.raw, key, now=PAUSE) == more
    assert ash.talk("later", seats[0].identity, now=PAUSE)


def test_a_wish_for_another_game_is_heard_whatever_else_was_said(
    seats: tuple[SeatFiles, ...],
) -> None:
    ash, birch, cedar = (asides(seat) for seat in seats)
    key = seats[0].identity.public_key
    words = [ash.talk(f"{number}", seats[0].identity, now=0.0) for number in range(BURST)]
    wish = ash.speak_of_another(True, seats[0].identity)
    later = ash.talk("later", seats[0].identity, now=PAUSE)
    for said in (*words, wish, later):
        birch.hear(said.raw, key, now=0.0)
    for said in (later, *words, wish):  # the wish has come another way, after the talk
        cedar.hear(said.raw, key, now=0.0)
    assert birch.want_again == cedar.want_again == {0}


def test_the_last_word_of_each_about_another_game_counts(seats: tuple[SeatFiles, ...]) -> None:
    tables = [asides(seat) for seat in seats]
    for seat, table in zip(seats, tables, strict=True):
        said = table.speak_of_another(True, seat.identity)
        assert table.speak_of_another(True, seat.identity) == said, "nothing new is signed"
        for other in tables:
            other.hear(said.raw, seat.identity.public_key, now=0.0)
    assert all(table.want_again == {0, 1, 2} for table in tables)
    early = tables[2].wishes()[1]
    refused = tables[1].speak_of_another(False, seats[1].identity)
    for raw in (refused.raw, early):
        tables[0].hear(raw, seats[1].identity.public_key, now=0.0)
    assert (tables[0].want_again, tables[0].want_no_more) == ({0, 2}, {1})
    late = asides(seats[0])
    for raw, seat in zip(tables[0].wishes(), seats, strict=True):
        late.hear(raw, seat.identity.public_key, now=0.0)
    assert (late.want_again, late.want_no_more) == ({0, 2}, {1})


def test_after_a_restart_numbers_and_wishes_go_on(seats: tuple[SeatFiles, ...]) -> None:
    ash = asides(seats[0])
    first = ash.talk("one", seats[0].identity, now=0.0)
    wish = ash.speak_of_another(True, seats[0].identity)
    with (seats[0].folder / TALK_NAME).open("ab") as file:
        file.write(b'not json\n[]\n{"raw": 77}\n{"raw": "x"}\n{"raw": "00"}\n')
    again = asides(seats[0])
    assert again.want_again == {0}
    assert again.wishes() == [wish.raw]
    assert again.talk("two", seats[0].identity, now=0.0).aside.number > first.aside.number + 1
    assert [each.text for each in again.recent(9)] == ["one", "two"]
    assert [each.text for each in again.recent(1)] == ["two"]


def test_a_full_or_missing_file_silences_nobody(seats: tuple[SeatFiles, ...]) -> None:
    file = seats[0].folder / TALK_NAME
    file.write_bytes(b"x" * (MAX_TALK_FILE_BYTES - 10))
    ash = asides(seats[0])
    assert ash.talk("heard, not kept", seats[0].identity, now=0.0)
    assert file.stat().st_size == MAX_TALK_FILE_BYTES - 10
    birch = asides(seats[1])
    shutil.rmtree(seats[1].folder)
    assert birch.talk("heard, not kept", seats[1].identity, now=0.0)


def test_who_only_watches_has_no_voice(seats: tuple[SeatFiles, ...], tmp_path: Path) -> None:
    watching = Asides(seats[0].table().terms, None, tmp_path)
    with pytest.raises(WireError, match="only watches"):
        watching.talk("hello", seats[0].identity, now=0.0)
    with pytest.raises(WireError, match="only watches"):
        watching.speak_of_another(True, seats[0].identity)
