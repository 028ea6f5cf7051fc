"""What must hold after every game, whatever has happened in it.

Each check looks at a played game and yields a sentence for everything that is wrong.
"""

from collections.abc import Callable, Iterator

from tests.sim import ending_checks, word_checks
from tests.sim.course import Course

Check = Callable[[Course], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    ending_checks.all_have_one_transcript,
    ending_checks.the_auditor_agrees,
    ending_checks.the_game_ends,
    ending_checks.nobody_is_lost_in_haste,
    ending_checks.nobody_in_touch_is_lost,
    ending_checks.nobody_floods,
    word_checks.nobody_honest_is_blamed,
    word_checks.evidence_convinces_a_stranger,
    word_checks.every_lie_is_blamed,
    word_checks.nobody_signs_twice,
    word_checks.restarts_keep_to_the_journal,
    word_checks.views_hold_nothing_but_the_own_hand,
)


def problems(course: Course) -> list[str]:
    """Everything that is wrong with a game, each with the name of its check."""
    return [f"{check.__name__}: {problem}" for check in CHECKS for problem in check(course)]
