"""The one exception of this package for bytes or text from outside that are not acceptable."""


class WireError(ValueError):
    """What was received does not follow the wire format. The message is a sentence for people."""
