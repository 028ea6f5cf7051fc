"""The false messages of a game on this machine: kept, and proven to whoever asks (SPEC 10.4).

A seat that has signed what it must not is out once all others say so. Each of them must therefore
have seen the false message: it is journaled like one of the game and passed on.
"""

from pathlib import Path
from typing import Final

from p2pcoup.audit import make_evidence
from p2pcoup.journal import JournalError
from p2pcoup.journal.files import PUBLIC_MODE, reason, sync_folder_of, write_beside
from p2pcoup.rules import Seat
from p2pcoup.table import Blame, Terms

MAX_KEPT: Final = 3
"""Blames of one seat that are kept on the disk and for peers that come later. Each file holds the
game up to its round, and one is enough to prove that the seat is no honest one."""


class Accused:
    """What seats were blamed for, one blame a seat and round, and of each seat only the first few.

    More would prove nothing new, and whoever signs false messages without end must not fill the
    disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: dict[tuple[Seat, int], tuple[bytes, ...]] = {}
        self._known: set[tuple[Seat, int]] = set()

    @property
    def seats(self) -> frozenset[Seat]:
        """Who was blamed; after a restart those as well that were blamed before it."""
        return frozenset(seat for seat, _ in self._kept)

    @property
    def messages(self) -> list[bytes]:
        """The false messages that are kept, for peers that have not seen them."""
        return [raw for evidence in self._kept.values() for raw in evidence]

    def file(self, blame: Blame) -> Path:
        """Where evidence against the seat is: for this blame, or an earlier one if there were so
        many that this one was not kept.
        """
        path = self._path(blame)
        return path if path.exists() else min(self._files(blame.seat), default=path)

    def remember(self, blame: Blame) -> bool:
        """Note what was signed falsely, to be passed on; False if there is such a blame already."""
        place = (blame.seat, blame.round)
        if place in self._known:
            return False
        self._known.add(place)
        if sum(seat == blame.seat for seat, _ in self._kept) < MAX_KEPT:
            self._kept[place] = blame.evidence
        return True

    def keeps(self, blame: Blame) -> bool:
        """Whether this blame is one of the few of its seat that are kept."""
        return (blame.seat, blame.round) in self._kept

    def write_evidence(self, terms: Terms, blame: Blame) -> None:
        """Make the file for a blame, unless it is there or the seat has enough of them.

        It is there completely or not at all. Raises JournalError when the disk refuses.
        """
        path = self._path(blame)
        if path.exists() or len(self._files(blame.seat)) >= MAX_KEPT:
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

    def _path(self, blame: Blame) -> Path:
        return self._folder / f"evidence-round-{blame.round}-seat-{blame.seat}"

    def _files(self, seat: Seat) -> list[Path]:
        return list(self._folder.glob(f"evidence-round-*-seat-{seat}"))
