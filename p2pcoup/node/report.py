"""What the user of a node is told: the story, the links, and who breaks the rules."""

from collections.abc import Iterable, Mapping, Sequence

from p2pcoup.net import Address
from p2pcoup.node.log import Complaints, NodeLog
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.usage import peak_memory_kib
from p2pcoup.rules import narrate
from p2pcoup.table import Blame, Happened, LeftBehind
from p2pcoup.wire import PeerId


class Report:
    """Turns what happens to a node into log events. Times are seconds of one clock."""

    def __init__(self, log: NodeLog, game: SeatedGame) -> None:
        self._log = log
        self._game = game
        self._names: Mapping[str, str] = {m.peer: m.name for m in game.terms.roster}
        self._complaints = Complaints()
        self._blamed: set[tuple[int, int, str]] = set()
        if game.restored and game.outcome is None:
            log.info(
                "restored",
                f"Took back {game.restored} messages from the journal; round {game.table.round}.",
                messages=game.restored,
            )

    # --- links ------------------------------------------------------------------------------------

    def linked(self, peer: PeerId) -> None:
        """There is a link with a peer."""
        self._log.info("linked", f"Linked to {self._name(peer)}.")

    def complete(self) -> None:
        """There has been a link with every peer at once."""
        self._log.info("complete", "Linked to everybody at the table.")

    def unlinked(self, peer: PeerId, reason: str) -> None:
        """The link with a peer has ended."""
        self._log.warning("unlinked", f"Lost the link to {self._name(peer)}: {reason}")

    def unreachable(self, peer: PeerId, reason: str) -> None:
        """Dialling a peer does not work."""
        self._log.warning(
            "unreachable", f"Cannot reach {self._name(peer)} yet, still trying. {reason}"
        )

    def turned_away(self, remote: Address, reason: str, unreported: int) -> None:
        """A stranger was refused a link."""
        more = f" ({unreported} more since the last report.)" if unreported else ""
        self._log.warning("refused", f"Turned away {remote}: {reason}{more}")

    # --- messages ---------------------------------------------------------------------------------

    def garbled(self, peer: PeerId, reason: str, now: float) -> None:
        """A peer sent a payload that is no gossip."""
        told = f"sent something that cannot be read. {reason}"
        self._complain("garbled", peer, told, now)

    def other_table(self, peer: PeerId, now: float) -> None:
        """A peer plays another game."""
        told = "is at another table. Compare your table files: only the addresses may differ."
        self._complain("other-table", peer, told, now)

    def not_accepted(self, peer: PeerId | None, reason: str, now: float) -> None:
        """The table refused what a peer passed on; whose fault it is cannot be proven."""
        if peer is not None:
            told = f"passed on a message that was not accepted: {reason}"
            self._complain("message-refused", peer, told, now)

    def blame(self, blame: Blame) -> None:
        """A seat signed what it must not sign; told once for each round and rule."""
        fault = (blame.seat, blame.round, blame.rule)
        if fault in self._blamed:
            return
        self._blamed.add(fault)
        name, file = self._game.terms.names[blame.seat], self._game.evidence_file(blame)
        self._log.warning(
            "blame",
            f"{name} broke the rule {blame.rule} in round {blame.round}: {blame.reason} "
            f"Their message was not accepted. Evidence for anybody: {file}",
            seat=blame.seat,
            round=blame.round,
            rule=blame.rule,
            evidence=[raw.hex() for raw in blame.evidence],
            file=str(file),
        )

    # --- the game ---------------------------------------------------------------------------------

    def dealt(self, seconds: float) -> None:
        """The cards are dealt, so long after all were linked."""
        self._log.info(
            "dealt",
            f"Keys agreed, shuffled by all and dealt in {seconds:.2f} s.",
            seconds=round(seconds, 4),
        )

    def story(self, step: Happened) -> None:
        """Something happened in the game."""
        for sentence in narrate(step.before, step.event, step.after, self._game.terms.names):
            self._log.info("story", sentence)

    def waiting(self, seconds: float, linked: Iterable[PeerId]) -> None:
        """Nothing has happened for a while; say for whom the game waits."""
        roster, here = self._game.terms.roster, set(linked)
        missing = [roster[seat] for seat in self._game.table.waiting_for]
        who = [m.name if m.peer in here else f"{m.name} (no link)" for m in missing]
        self._log.info(
            "waiting", f"Nothing has come for {seconds:.0f} s; the game waits for {_list(who)}."
        )

    def left_behind(self, notice: LeftBehind) -> None:
        """The others have put seats out of the game that they heard nothing of."""
        names = self._game.terms.names
        if self._game.seat in notice.seats:
            told = (
                "The others have heard nothing of this node for too long and go on without it; "
                "from now on it only watches."
            )
        else:
            who = _list([names[seat] for seat in sorted(notice.seats)])
            told = f"Nothing is heard of {who} any more; the game goes on without them."
        self._log.warning("left-behind", told, seats=sorted(notice.seats), round=notice.round)

    def finished(self, sent_bytes: int) -> None:
        """The game is over at this peer."""
        table = self._game.table
        self._log.info(
            "finished",
            f"The game is over. Transcript: {self._game.transcript_file}",
            transcript=str(self._game.transcript_file),
            rounds=table.round + 1,
            proof_seconds=round(table.proof_seconds, 4),
            sent_bytes=sent_bytes,
            peak_memory_kib=peak_memory_kib(),
        )

    def next_game(self, number: int, length: int) -> None:
        """The next game of the match starts."""
        self._log.info(
            "next-game", f"Game {number} of {length} starts.", number=number, games=length
        )

    def score(self, score: Mapping[str, int], played: int, length: int) -> None:
        """A game of a match is over; say who has won how many."""
        won = ", ".join(f"{name} {count}" for name, count in score.items())
        after = "The match is over" if played == length else f"After game {played} of {length}"
        self._log.info("score", f"{after}. Games won: {won}.", score=dict(score), played=played)

    # --- small parts ------------------------------------------------------------------------------

    def _name(self, peer: PeerId) -> str:
        return self._names.get(peer, peer)

    def _complain(self, event: str, peer: PeerId, told: str, now: float) -> None:
        held_back = self._complaints.admit((event, peer), now)
        if held_back is not None:
            more = f" (The same {held_back} times more since it was last told.)" * bool(held_back)
            self._log.warning(event, f"{self._name(peer)} {told}{more}")


def _list(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
