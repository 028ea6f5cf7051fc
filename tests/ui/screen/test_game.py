"""The screen of a game at every stage, in both editions, with 2 to 6 seats, in every size."""

import pytest
import urwid

from p2pcoup.ui.choices import flat
from p2pcoup.ui.model import GUARD_SECONDS
from p2pcoup.ui.screen import compose
from p2pcoup.ui.screen.widgets import Picture
from tests.ui.drawing import SIZES, rows, shown, text
from tests.ui.messages import NAMES, STAGES, WITHOUT_QUESTION, asked, event, game, state

SMALL = (80, 24)
LATER = GUARD_SECONDS + 1


def width(row: str) -> int:
    return int(urwid.calc_width(row, 0, len(row)))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("edition", ["base", "inquisitor"])
def test_everything_that_must_be_seen_is_seen_at_every_stage(
    edition: str, seats: int, size: tuple[int, int]
) -> None:
    for kind in STAGES:
        message = asked(kind, edition, seats)
        keys = shown(message)
        drawn = rows(keys, size)
        screen = "\n".join(drawn)
        assert len(drawn) == size[1]
        assert {width(row) for row in drawn} == {size[0]}, kind
        players = drawn[1 : 3 + seats]
        for number in range(seats):
            (row,) = [row for row in players if f" {number + 1} {NAMES[number][:12]}" in row]
            picture = message["game"]["seats"][number]
            assert (f"{picture['coins']} coins" in row) == (picture["status"] == "playing")
            waited_for = number in message["game"]["stage"]["waiting_for"]
            assert ("… to answer" in row or "… reconnecting" in row) == waited_for
        assert any("▶" in row and NAMES[message["game"]["turn"]] in row for row in players)
        assert "Waiting for: you" in screen
        assert "30 s left, then: " in screen
        for choice in keys.choices:
            place = f"[{choice.key}] " if choice.possible else f" {choice.key}  "
            assert f"{place}{choice.label}" in screen, f"{kind}: {choice.label}"
            assert choice.refusal in screen
        claims = [row for row in drawn if "3✓1" in row or "12✓2✗1" in row]
        assert len(claims) == 2, kind
        assert f"Court {message['game']['court']}" in drawn[0]
        assert "[?]" in screen or kind == "pick"
        assert "? help" in drawn[-1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", WITHOUT_QUESTION)
def test_what_goes_by_itself_says_so(kind: str, size: tuple[int, int]) -> None:
    screen = text(shown(state("game", game=game(kind))), size)
    assert "Waiting for: Birch" in screen
    assert "Nothing to do for you now." in screen
    assert "Your hand: " in screen or "Your hand" in screen


def test_who_has_not_answered_is_named_and_marked() -> None:
    drawn = rows(shown(asked("challenge-action")), SMALL)
    assert sum("… to answer" in row for row in drawn[1:7]) == 3
    assert any("Waiting for: you, Élodie, Fern" in row for row in drawn)
    assert "… to answer" not in drawn[2]  # Birch claims
    assert "… to answer" not in drawn[4]  # Maximiliane has answered


def test_links_and_ends_of_players_are_told_in_words() -> None:
    drawn = rows(shown(asked("act")), SMALL)
    assert "reconnecting" in drawn[2]
    assert "out in turn 9" in drawn[3]
    assert "Ambassador lost" in drawn[3]
    assert "via others" in drawn[4]


def test_a_player_who_is_waited_for_and_not_reachable_is_both() -> None:
    message = asked("challenge-action")
    message["game"]["seats"][4]["link"] = "reconnecting"
    assert "… reconnecting" in rows(shown(message), SMALL)[5]


def test_what_is_claimed_and_what_may_be_done_about_it_is_said() -> None:
    screen = " ".join(text(shown(asked("challenge-action")), (100, 30)).split())
    assert "Birch claims the Captain for Steal against Ash." in screen
    assert "Anybody else may challenge that now." in screen
    assert "Then Ash may block it as Captain or Ambassador." in screen


def test_a_claimed_block_is_told_with_what_it_stops() -> None:
    screen = text(shown(asked("challenge-block")), (100, 30))
    assert "Birch claims the Duke and blocks Foreign Aid by Birch." in screen


def test_the_targets_of_an_action_are_shown_with_their_numbers() -> None:
    keys = shown(asked("act"))
    keys.press("s", LATER)
    drawn = rows(keys, SMALL)
    screen = "\n".join(drawn)
    assert "Steal against whom? Esc goes back." in screen
    for _action, target in flat(keys.choices):
        assert sum(f" {target.key} {target.label[:12]}" in row for row in drawn[1:7]) == 1
        assert f"[{target.key}] {target.label}" in screen


def test_a_hidden_hand_is_nowhere_on_the_screen() -> None:
    for kind in ("act", "lose", "prove", "keep"):
        keys = shown(asked(kind))
        keys.press("H", LATER)
        for size in SIZES:
            claims_begin = next(n for n, row in enumerate(rows(keys, size)) if "Claims" in row)
            above = "\n".join(rows(keys, size)[:claims_begin])
            assert "Your hand is hidden." in above
            assert "[Duke]" not in above
            assert "[Assassin]" not in above
            assert "(true)" not in above
            assert "bluff" not in above
            assert "Show Duke" not in above


def test_that_a_player_is_reached_through_others_does_not_hide_that_they_have_to_answer() -> None:
    message = asked("challenge-action")
    message["game"]["stage"]["waiting_for"].append(3)
    assert "… to answer" in rows(shown(message), SMALL)[4]


def test_one_who_watches_and_has_few_links_is_not_told_of_each() -> None:
    message = state("game", game=game("challenge-action", you=None))
    message["game"]["seats"][4]["link"] = "reconnecting"
    screen = text(shown(message), SMALL)
    assert "via others" not in screen
    assert "reconnecting" in screen


def test_before_the_deal_nobody_is_said_to_have_lost_their_cards() -> None:
    message = state("game", game=game("setup", hand=[]))
    for each in message["game"]["seats"]:
        each["cards"] = []
    for size in SIZES:
        screen = text(shown(message), size)
        assert "not dealt yet" in screen
        assert "no cards any more" not in screen


@pytest.mark.parametrize(
    ("left", "told"), [(600_000, "10 min left"), (121_000, "3 min left"), (120_000, "120 s left")]
)
def test_a_long_time_is_told_in_minutes(left: int, told: str) -> None:
    message = asked("act")
    message["question"]["remaining_ms"] = left
    message["game"]["stage"]["remaining_ms"] = left
    screen = "\n".join(rows(shown(message), SMALL, 0.0))
    assert told in screen


def test_one_who_watches_sees_no_hand_and_no_question() -> None:
    keys = shown(state("game", game=game("challenge-action", you=None)))
    for size in SIZES:
        screen = text(keys, size)
        assert "You are watching" in screen
        assert "You only watch; there is nothing to do." in screen
        assert "[Duke]" not in screen
        assert "pass until my turn" not in screen


def test_passing_on_everything_is_seen_while_it_is_on() -> None:
    keys = shown(state("game", game=game("cards")))
    keys.press("P", LATER)
    screen = text(keys, SMALL)
    assert "You pass on everything until you are asked something else. P stops it." in screen
    assert "stop passing" in screen


def test_a_lost_node_is_said_where_everybody_looks() -> None:
    keys = shown(asked("act"))
    keys.model.lost("The node cannot be reached. Trying again …")
    for size in SIZES:
        assert "The node cannot be reached. Trying again …" in rows(keys, size)[0]
    assert "[i] Income" not in text(keys, SMALL)
    assert "Nothing can be answered until the connection is back." in text(keys, SMALL)


def test_the_number_of_the_turn_stays_the_same_from_its_beginning_on() -> None:
    for kind in ("act", "block", "lose"):
        assert "turn 14" in rows(shown(asked(kind)), SMALL)[0]


def test_whether_a_block_is_a_bluff_stands_beside_it() -> None:
    screen = text(shown(asked("block")), SMALL)
    assert "Block as Captain (bluff)" in screen


def test_one_who_is_out_is_not_offered_to_pass() -> None:
    playing = game("challenge-action")
    assert "P pass until my turn" in rows(shown(state("game", game=playing)), SMALL)[-1]
    playing["seats"][0] |= {"status": "out", "out_turn": 3, "cards": ["duke", "duke"]}
    keys = shown(state("game", game=playing))
    assert "pass until my turn" not in rows(keys, SMALL)[-1]
    keys.press("P", LATER)
    assert not keys.model.passing


def test_the_time_of_a_question_is_seen_on_the_card_too() -> None:
    keys = shown(asked("act"))
    keys.press("?", LATER)
    assert "31 s left" in rows(keys, SMALL, 0.0)[0]


def test_a_line_that_is_being_written_has_the_cursor() -> None:
    keys = shown(asked("act"))
    keys.press("T", LATER)
    talk = urwid.Edit("Say: ", "hello")
    picture = Picture(compose(keys.model, keys, SMALL, 1.0, talk), SMALL)
    assert picture.cursor == (len("Say: hello"), SMALL[1] - 1)
    assert "[i] Income" in text(keys, SMALL)


def test_the_time_on_the_screen_runs_down() -> None:
    keys = shown(asked("act"))
    assert "31 s left" in text(keys, SMALL, 0.0)
    assert "1 s left" in text(keys, SMALL, 30.0)


def test_the_log_shows_the_end_and_scrolls_back() -> None:
    keys = shown(asked("act"), *(event(10 + n, f"event number {n}") for n in range(50)))
    assert "event number 49" in text(keys, SMALL)
    assert "event number 20" not in text(keys, SMALL)
    for _press in range(6):
        keys.press("page up", LATER)
    assert "event number 49" not in text(keys, SMALL)
    assert "You look back; End shows what is new." in text(keys, SMALL)
    for _press in range(40):
        keys.press("page up", LATER)
    assert "It is Birch's turn." in text(keys, SMALL)  # the first one, and not beyond it


def test_talk_is_told_from_the_story_without_colours() -> None:
    screen = text(shown(asked("act")), SMALL)
    assert "정우: he never has it" in screen
    assert "· The link to Birch is down." in screen


def test_a_larger_window_shows_more() -> None:
    events = [event(10 + n, f"event number {n:02}") for n in range(60)]
    counts = [text(shown(asked("act"), *events), size).count("event number") for size in SIZES]
    assert counts == sorted(counts)
    assert counts[0] < counts[1] < counts[2] < counts[3]
    assert "Maximiliane Hohenstein-W" in text(shown(asked("act")), (100, 30))


def test_below_80_by_24_it_asks_for_more_room() -> None:
    keys = shown(asked("act"))
    for size in ((79, 24), (80, 23), (20, 5), (1, 1)):
        drawn = rows(keys, size)
        assert len(drawn) == size[1]
    assert "80 columns and 24" in " ".join(text(keys, (60, 20)).split())
    assert "79 x 24" in text(keys, (79, 24))


@pytest.mark.parametrize("language", ["de", "fr", "it", "ko"])
def test_every_language_fits_the_smallest_screen(language: str) -> None:
    from p2pcoup.ui import words

    try:
        assert words.speak(language) == language
        for edition in ("base", "inquisitor"):
            for kind in STAGES:
                keys = shown(asked(kind, edition))
                drawn = rows(keys, SMALL)
                assert {width(row) for row in drawn} == {80}
                assert sum("3✓1" in row or "12✓2✗1" in row for row in drawn) == 2
                assert any("Fern" in row for row in drawn[12:]), f"{kind}: the claims are cut"
                for choice in keys.choices:
                    start = f"[{choice.key}] " if choice.possible else f" {choice.key}  "
                    assert any(start in row for row in drawn)
                assert drawn[-1].strip()
    finally:
        words.speak("en")


def test_six_names_of_24_wide_characters_leave_everything_in_its_place() -> None:
    message = asked("act", seats=6)
    for number, each in enumerate(message["game"]["seats"]):
        each |= {"label": "가나다라마바사아자차카타파하" * 2 + str(number), "link": "linked"}
    for size in SIZES:
        drawn = rows(shown(message), size)
        assert {width(row) for row in drawn} == {size[0]}
        (own,) = [row for row in drawn[1:9] if "(you)" in row]
        assert "5 coins" in own
        assert "… to answer" in own
        assert sum("coins" in row for row in drawn[1:9]) == 5  # one is out
        assert any("[i] Income" in row for row in drawn)


def test_there_is_no_number_of_a_turn_before_the_first() -> None:
    title = rows(shown(state("game", game=game("setup", turns=0, turn=None))), SMALL)[0]
    assert "turn" not in title
    assert "Court" in title


def test_who_is_waited_for_is_seen_beside_a_long_default_answer() -> None:
    message = asked("keep")
    message["question"]["default"] = message["question"]["moves"][0]["move"]
    for move in message["question"]["moves"]:
        move["characters"] = ["ambassador", "assassin", "contessa"]
    (row,) = [row for row in rows(shown(message), SMALL) if "Waiting for" in row]
    assert "Waiting for: you " in row
    assert "30 s left, then: Keep Ambassador" in row
    assert width(row) == SMALL[0]


def test_all_cards_that_only_the_user_knows_are_seen_in_full() -> None:
    message = asked("keep")
    message["game"] |= {
        "options": "set-of-five",
        "drawn": ["duke", "assassin"],
        "aside": ["duke", "assassin", "captain", "ambassador"],
    }
    screen = " ".join(text(shown(message), SMALL).split())
    assert "set aside: Duke, Assassin, Captain, Ambassador" in screen
    assert "set of five" in screen
