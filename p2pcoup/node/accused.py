"""The false messages of a game on this machine: kept, and proven to whoever asks (SPEC 10.4).

A seat that has signed what it must not is out once all others say so. Each of them must therefore
have seen the false message: it is journaled like one of the game and passed on.
"""

from pathlib import Path

from p2pcoup.audit import make_evidence
from p2pcoup.journal import JournalError
from p2pcoup.journal.files import PUBLIC_MODE, reason, sync_folder_of, write_beside
from p2pcoup.rules import Seat
from p2pcoup.table import Blame, Terms


class Accused:
    """What seats were blamed for, one blame a seat and round.

    More would prove nothing new, and whoever signs false messages without end must not fill the
    disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._false: dict[tuple[Seat, int], tuple[bytes, ...]] = {}

    @property
    def seats(self) -> frozenset[Seat]:
        """Who was blamed; after a restart those as well that were blamed before it."""
        return frozenset(seat for seat, _ in self._false)

    @property
    def messages(self) -> list[bytes]:
        """The false messages, for peers that have not seen them."""
        return [raw for evidence in self._false.values() for raw in evidence]

    def file(self, blame: Blame) -> Path:
        """Where the evidence for this blame is."""
        return self._folder / f"evidence-round-{blame.round}-seat-{blame.seat}"

    def remember(self, blame: Blame) -> bool:
        """Keep what was signed falsely, to be passed on; False if there is such a blame already."""
        place = (blame.seat, blame.round)
        if place in self._false:
            return False
        self._false[place] = blame.evidence
        return True

    def write_evidence(self, terms: Terms, blame: Blame) -> None:
        """Make the file for a blame, unless it is there.

        It is there completely or not at all. Raises JournalError when the disk refuses.
        """
        path = self.file(blame)
        if path.exists():
            return
        try:
            temporary = write_beside(path, make_evidence(terms, blame), PUBLIC_MODE)
            try:
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)
            sync_folder_of(path)
        except OSError as error:
            raise JournalError(
                f"The evidence {path} cannot be written: {reason(error)}."
            ) from error
