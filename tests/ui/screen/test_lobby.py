"""The lobby says how others come in, who is here, and why it cannot start yet."""

import pytest

from tests.ui.drawing import SIZES, rows, shown, text
from tests.ui.messages import INVITE, lobby, person


@pytest.mark.parametrize("size", SIZES)
def test_the_lobby_shows_everything_one_needs(size: tuple[int, int]) -> None:
    screen = text(shown(lobby()), size)
    joined = "".join(row.rstrip() for row in rows(shown(lobby()), size))
    assert f'p2pcoup join "{INVITE}"' in joined
    for told in (
        "friday evening", "3 of 4 are here", "✓ ready       Ash (you)", "opened the table",
        "… not ready   Birch", "first time here", "a bot", "watching      Fern",
        "It cannot start yet: Birch is not ready.", "Base edition", "1 game", "up to 4 players",
        "r not ready", "s start", "b add a bot", "e settings", "k send away", "l leave",
        "c copy the invite",
    ):  # fmt: skip
        assert told in screen, told


def test_the_invite_stands_alone_on_its_lines() -> None:
    keys = shown(lobby())
    keys.press("c", 0.0)
    drawn = rows(keys, (80, 24))
    at = next(n for n, row in enumerate(drawn) if row.startswith("coup://"))
    assert (drawn[at] + drawn[at + 1]).strip() == INVITE
    assert INVITE in [row.rstrip() for row in rows(keys, (132, 40))]


@pytest.mark.parametrize("size", SIZES)
def test_the_settings_show_what_each_key_changes(size: tuple[int, int]) -> None:
    keys = shown(lobby(options="no-steal-from-penniless,no-block"))
    keys.press("e", 0.0)
    keys.press("e", 0.0)
    screen = text(keys, size)
    for told in ("[e] edition: Inquisitor", "[g] games: 1", "[n] seats: 4", "[o] options: no st"):
        assert told in screen, told
    assert "everybody has to be ready again" in screen
    assert "Enter change it" in screen


def test_a_full_table_of_people_with_long_names_fits() -> None:
    people = [person("Ash", you=True), *(person("정" * 24, ready=True) for _each in range(5))]
    people += [person(f"Watcher {n}", watching=True) for n in range(32)]
    for size in SIZES:
        drawn = rows(shown(lobby(people=people, seats=6)), size)
        assert sum("✓ ready" in row for row in drawn) == 5
        assert "? help" in " ".join(drawn[-2:])
        assert any("It cannot start yet" in row for row in drawn)


def test_another_key_under_a_known_name_is_told_loudly() -> None:
    people = [person("Ash", you=True), person("Birch", known="changed")]
    assert "ATTENTION: another key than this" in text(shown(lobby(people=people)), (100, 30))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"starting": True}, "Starting: everybody signs who sits where."),
        ({"opener_here": False}, "Press o to open it again"),
        ({"why_not_start": None}, "Everybody is ready: press s to start."),
        ({"why_not_start": None, "may": []}, "starts as soon as its opener says so"),
        ({"notes": ["Birch has renamed."]}, "Birch has renamed."),
    ],
)
def test_what_can_be_done_now_is_said(more: dict[str, object], told: str) -> None:
    assert told in text(shown(lobby(**more)), (80, 24))


def test_a_guest_is_told_the_key_and_then_who_starts() -> None:
    people = [person("Ash"), person("Birch", you=True)]
    guest = {"may": ["ready", "leave"], "why_not_start": "Whoever opened the table starts."}
    screen = text(shown(lobby(people=people, **guest)), (80, 24))
    assert "Press r when you are ready." in screen
    assert "cannot start" not in screen
    people[1]["ready"] = True
    screen = text(shown(lobby(people=people, **guest)), (80, 24))
    assert "The table starts as soon as its opener says so." in screen
    assert "cannot start" not in screen


def test_nobody_asks_whether_they_have_met_a_bot() -> None:
    people = [person("Ash", you=True), person("Birch", bot=True, known="new")]
    screen = text(shown(lobby(people=people)), (80, 24))
    assert "a bot" in screen
    assert "first time here" not in screen


def test_a_table_without_a_name_of_its_own_is_its_opener_s() -> None:
    people = [person("Jörg", you=True), person("Ash")]
    assert "Lobby: Jörg's table" in text(shown(lobby(people=people, table="Jörg")), (80, 24))
    assert "Lobby: Elm  " in text(shown(lobby(people=people, table="Elm")), (80, 24))


def test_names_cannot_paint_the_screen() -> None:
    people = [person("Ash", you=True), person("B\x1b[31mad\u202e\nname")]
    screen = text(shown(lobby(people=people)), (80, 24))
    assert "B[31mad name" in screen
    assert "\x1b" not in screen


def test_what_is_to_be_known_of_somebody_is_never_cut_off() -> None:
    name = "Maximiliane Hohenstein-W"
    people = [person("Ash", you=True), person(name, bot=True, here=False, known="changed")]
    drawn = rows(shown(lobby(people=people)), (80, 24))
    at = next(number for number, row in enumerate(drawn) if name in row)
    below = " ".join(" ".join(drawn[at + 1 : at + 3]).split())
    assert below == "a bot, connection lost, ATTENTION: another key than this name had before"
