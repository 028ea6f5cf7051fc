"""Why there was no game after all, when that was nobody's wish here."""


class TableClosedError(Exception):
    """This peer has no place at the table; the message is a sentence for its user."""
