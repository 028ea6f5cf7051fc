"""Reading the objects of the API: wrong or missing fields become their defaults.

A client must pass over what it does not know (API 1), and a picture with a hole in it is better
than none. All text is cleaned here, at the only gate; `exact` is for what is sent back unchanged.
"""

from collections.abc import Mapping

from p2pcoup.ui.clean import clean


class Fields:
    """One JSON object."""

    def __init__(self, value: object) -> None:
        """Read this value; what is no object counts as an empty one."""
        self._values: Mapping[object, object] = value if isinstance(value, dict) else {}

    @property
    def whole(self) -> object:
        """The object as it came."""
        return self._values

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def exact(self, name: str) -> str:
        """A text as it came, never to be shown; empty if it is missing."""
        value = self._values.get(name)
        return value if isinstance(value, str) else ""

    def text(self, name: str) -> str:
        """A text that is safe to show; empty if it is missing."""
        return clean(self.exact(name))

    def value(self, name: str) -> object:
        """What is in this field, as it came."""
        return self._values.get(name)

    def number(self, name: str, default: int = 0) -> int:
        """A whole number."""
        value = self.maybe_number(name)
        return default if value is None else value

    def maybe_number(self, name: str) -> int | None:
        """A whole number, or None."""
        value = self._values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def flag(self, name: str, default: bool = False) -> bool:
        """Yes or no."""
        value = self._values.get(name)
        return value if isinstance(value, bool) else default

    def part(self, name: str) -> "Fields":
        """The object in this field."""
        return Fields(self._values.get(name))

    def parts(self, name: str) -> "list[Fields]":
        """The objects of a list."""
        return [Fields(each) for each in self.values(name)]

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a list, safe to show."""
        return tuple(clean(each) for each in self.values(name) if isinstance(each, str))

    def maybe_texts(self, name: str) -> tuple[str | None, ...]:
        """The texts of a list; what is no text is None."""
        return tuple(clean(each) if isinstance(each, str) else None for each in self.values(name))

    def numbers(self, name: str) -> tuple[int, ...]:
        """The whole numbers of a list."""
        return tuple(
            each
            for each in self.values(name)
            if isinstance(each, int) and not isinstance(each, bool)
        )

    def values(self, name: str) -> list[object]:
        """A list as it came."""
        value = self._values.get(name)
        return value if isinstance(value, list) else []

    def items(self, name: str) -> list[tuple[str, object]]:
        """Names and values of the object in this field."""
        value = self._values.get(name)
        if not isinstance(value, dict):
            return []
        return [(key, each) for key, each in value.items() if isinstance(key, str)]
