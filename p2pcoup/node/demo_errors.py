"""What can go wrong in a demo."""


class DemoError(Exception):
    """The game could not be played or its transcripts do not agree; the message says why."""
