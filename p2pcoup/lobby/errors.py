"""What a lobby raises at its own caller; peers' faults are never exceptions."""


class NotPossible(Exception):  # noqa: N818 - it answers a wish, it is no failure
    """A wish that cannot be met now; the message is a sentence for the person who had it."""


class TooOften(NotPossible):
    """A wish that can be met a little later."""
