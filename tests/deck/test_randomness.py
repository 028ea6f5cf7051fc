"""Seeded randomness: repeatable, independent by label, without bias."""

from collections import Counter

import pytest

from p2pcoup.deck import DeckUseError, Randomness
from p2pcoup.deck.group import ORDER


def test_the_same_seed_repeats_everything() -> None:
    one, other = Randomness(bytes(32)), Randomness(bytes(32))
    assert one.bytes(100) == other.bytes(100)
    assert one.scalar() == other.scalar()
    assert one.permutation(15) == other.permutation(15)


def test_the_stream_does_not_depend_on_how_it_is_cut() -> None:
    one, other = Randomness(bytes(32)), Randomness(bytes(32))
    assert one.bytes(200) == b"".join(other.bytes(n) for n in (1, 63, 0, 64, 65, 7))


def test_a_fork_depends_on_seed_label_and_context_but_not_on_what_was_drawn() -> None:
    parent = Randomness(bytes(32))
    first = parent.fork("a", b"b").bytes(32)
    parent.bytes(1000)
    assert parent.fork("a", b"b").bytes(32) == first
    others = [
        parent.fork("a").bytes(32),
        parent.fork("ab").bytes(32),
        parent.fork("a", b"", b"b").bytes(32),
        parent.fork("a", b"b", b"").bytes(32),
        Randomness(bytes(31) + b"\x01").fork("a", b"b").bytes(32),
        Randomness(bytes(32)).bytes(32),
    ]
    assert len({first, *others}) == len(others) + 1


def test_scalars_are_in_range_and_differ(randomness: Randomness) -> None:
    scalars = [randomness.scalar() for _ in range(200)]
    assert all(0 < scalar < ORDER for scalar in scalars)
    assert len(set(scalars)) == len(scalars)
    assert any(scalar > ORDER // 2 for scalar in scalars)


def test_a_permutation_has_every_element_once(randomness: Randomness) -> None:
    for count in range(20):
        assert sorted(randomness.permutation(count)) == list(range(count))


def test_every_permutation_of_three_comes_equally_often(randomness: Randomness) -> None:
    seen = Counter(randomness.permutation(3) for _ in range(6000))
    assert len(seen) == 6
    # chi squared with 5 degrees of freedom: above 20.5 once in a thousand; the seed is fixed
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 20.5


def test_a_bound_is_respected_and_values_of_the_incomplete_range_are_drawn_again() -> None:
    class Scripted(Randomness):
        def __init__(self) -> None:
            super().__init__(bytes(32))
            self.script = [b"\xff" * 8, (7).to_bytes(8, "big")]

        def bytes(self, count: int) -> bytes:
            assert count == 8
            return self.script.pop(0)

    assert Scripted().below(3) == 1  # 2^64 mod 3 is 1, so 2^64 - 1 is drawn again
    with pytest.raises(DeckUseError):
        Randomness(bytes(32)).below(0)
    with pytest.raises(DeckUseError):
        Randomness(bytes(32)).below(2**32 + 1)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(DeckUseError):
        Randomness(bytes(size))


def test_system_seeds_differ_and_no_seed_is_ever_printed() -> None:
    assert Randomness.from_system().bytes(32) != Randomness.from_system().bytes(32)
    seed = b"a secret seed that nobody prints"
    shown = repr(Randomness(seed)) + str(Randomness(seed))
    assert "secret" not in shown
    assert seed.hex() not in shown
