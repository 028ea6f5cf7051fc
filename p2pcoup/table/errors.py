"""Errors of the table's own caller and machine. What peers do wrong is a notice, never an error."""


class AnswerError(ValueError):
    """The player's answer cannot be taken: the message says why. Nothing has changed."""


class OwnMessageError(RuntimeError):
    """This peer has made a message that its own check refuses; it was not sent."""


class TallyError(RuntimeError):
    """The cards are not where the rules believe them to be: a fault of this program, which no peer
    can cause. The game cannot go on.
    """
