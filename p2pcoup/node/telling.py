"""The user is told: in the log, and at the desk."""

from p2pcoup.node.desk import Desk
from p2pcoup.node.log import NodeLog
from p2pcoup.rules import Sentence
from p2pcoup.table import Happened


class Telling:
    """Tells log and desk the same, under the same stable names."""

    def __init__(self, log: NodeLog, desk: Desk) -> None:
        self._log = log
        self._desk = desk

    def info(self, event: str, sentence: Sentence | str, **fields: object) -> None:
        """Something happened as it should."""
        self._log.info(event, str(sentence), **fields)
        self._desk.told(event, sentence, fields, None)

    def warning(self, event: str, sentence: Sentence | str, **fields: object) -> None:
        """Something the user may want to look at; the node goes on."""
        self._log.warning(event, str(sentence), **fields)
        self._desk.told(event, sentence, fields, None)

    def again(self, event: str, sentence: Sentence | str, **fields: object) -> None:
        """What the log has from before: only the desk is told it once more."""
        self._desk.told(event, sentence, fields, None)

    def story(self, sentence: Sentence | str, step: Happened, **fields: object) -> None:
        """A sentence about a step of the game."""
        self._log.info("story", str(sentence), **fields)
        self._desk.told("story", sentence, fields, step)
