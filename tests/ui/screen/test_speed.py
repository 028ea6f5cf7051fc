"""A screen is drawn so fast that a key is seen at once, and not at all while nothing changes."""

from statistics import median
from time import process_time

from p2pcoup.ui.screen import compose
from p2pcoup.ui.screen.widgets import Picture
from tests.ui.drawing import shown
from tests.ui.messages import asked, event

MOST_SECONDS = 0.05  # from a key to the screen


def test_a_drawing_takes_much_less_than_a_person_notices() -> None:
    events = [event(10 + n, f"event {n}, with words that have to be broken") for n in range(500)]
    keys = shown(*events, asked("act", "inquisitor"))
    for size in ((80, 24), (200, 60)):
        taken = []
        for second in range(15):
            start = process_time()
            Picture(compose(keys.model, keys, size, float(second)), size)
            taken.append(process_time() - start)
        assert median(taken) < MOST_SECONDS / 5
