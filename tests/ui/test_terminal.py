"""The terminal of these tests shows what a terminal shows."""

from tests.ui.terminal import Screen


def test_text_is_put_where_the_cursor_is_and_wide_characters_take_two_cells() -> None:
    screen = Screen(10, 2)
    screen.feed("abc\r\n\x1b[1;3Hx\x1b[2;1H정우y\x1b[K")
    assert screen.text == "abx       \n정우y     "


def test_a_sequence_that_comes_in_pieces_is_understood() -> None:
    screen = Screen(4, 1)
    screen.feed("\x1b[1")
    screen.feed(";3Hx\x1b]0;title\x07y\x1b[?25l\x1b[?2026$p\x1b(B")
    assert screen.text == "  xy"
