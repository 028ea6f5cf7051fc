"""One case of a file of test vectors. Not a test module."""

from collections.abc import Callable

from p2pcoup.deck import Randomness
from p2pcoup.deck.group import hash_to_point, multiply_base
from p2pcoup.deck.transcript import traced

Case = dict[str, object]

SEED = bytes(range(32))
RANDOMNESS = Randomness(SEED)
DOMAIN = b"test vector"
SECRET = Randomness(SEED).fork("secret").scalar()
PUBLIC = multiply_base(SECRET)
OTHER = hash_to_point(b"another point")


def shown(value: object) -> object:
    """A value as it stands in the file."""
    match value:
        case bytes():
            return value.hex()
        case list() | tuple():
            return [shown(item) for item in value]
        case _:
            return value


def holds(algorithm: str, why: str, **values: object) -> Case:
    """A case to accept."""
    shown_values = {name: shown(value) for name, value in values.items()}
    return {"algorithm": algorithm, "valid": True, "why": why, **shown_values}


def fails(good: Case, why: str, check: str = "different", **changes: object) -> Case:
    """The same case with some values changed, to refuse. Only what is changed is written out."""
    changed = {name: shown(value) for name, value in changes.items()}
    assert all(good[name] != value for name, value in changed.items()), why
    return {"like": good, "valid": False, "why": why, "refused_by": str(check), **changed}


def numbered(cases: list[Case]) -> list[Case]:
    """The cases as they stand in a file: each with its number, "like" with that of the other."""
    number = {id(case): index for index, case in enumerate(cases)}
    return [
        {"number": index} | case | ({"like": number[id(case["like"])]} if "like" in case else {})
        for index, case in enumerate(cases)
    ]


def trace(work: Callable[[], object]) -> list[str]:
    """What the transcript of ``work`` absorbed."""
    lines: list[str] = []
    with traced(lines.append):
        work()
    return lines
