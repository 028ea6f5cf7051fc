"""What the user of a node is told: the story, the links, and who breaks the rules."""

from collections.abc import Collection, Iterable, Mapping

from p2pcoup.net import Address
from p2pcoup.node import said
from p2pcoup.node.log import Complaints
from p2pcoup.node.seat import SeatedGame
from p2pcoup.node.telling import Telling
from p2pcoup.node.usage import peak_memory_kib
from p2pcoup.rules import Move, Seat, Sentence, move_to_text, narrate
from p2pcoup.rules.chosen import chosen
from p2pcoup.rules.sentence import listed
from p2pcoup.table import Blame, Happened, LeftBehind, Notice
from p2pcoup.table import Refused as MessageRefused
from p2pcoup.wire import PeerId


class Report:
    """Turns what happens to a node into events that are told. Times are seconds of one clock."""

    def __init__(self, log: Telling, game: SeatedGame) -> None:
        self._log = log
        self._game = game
        self._names: Mapping[str, str] = {m.peer: m.name for m in game.terms.roster}
        self._own = None if game.seat is None else game.terms.roster[game.seat].peer
        self._complaints = Complaints()
        self._blamed: set[tuple[int, int, str]] = set()
        if game.restored and game.outcome is None:
            log.info(
                "restored",
                said.RESTORED(messages=game.restored, round=game.table.round),
                messages=game.restored,
            )

    # --- links ------------------------------------------------------------------------------------

    def linked(self, peer: PeerId) -> None:
        """There is a link with a peer."""
        plays = peer in self._names
        told = said.LINKED(who=self._name(peer)) if plays else said.LINKED_TO_WATCHER()
        self._log.info("linked", told, peer=peer)

    def complete(self) -> None:
        """There has been a link with every peer at once."""
        self._log.info("complete", said.COMPLETE())

    def unlinked(self, peer: PeerId, reason: str) -> None:
        """The link with a peer has ended."""
        if peer in self._names:
            told = said.UNLINKED(who=self._name(peer), reason=reason)
            self._log.warning("unlinked", told, peer=peer)
        else:
            gone = said.UNLINKED_FROM_WATCHER(reason=reason)
            self._log.info("unlinked", gone, peer=peer)

    def unreachable(self, peer: PeerId, reason: str) -> None:
        """Dialling a peer does not work."""
        self._log.warning("unreachable", said.UNREACHABLE(who=self._name(peer), reason=reason))

    def turned_away(self, remote: Address, reason: str, unreported: int) -> None:
        """A stranger was refused a link."""
        told = said.TURNED_AWAY_MORE if unreported else said.TURNED_AWAY
        self._log.warning("refused", told(address=str(remote), reason=reason, times=unreported))

    # --- what the table says ----------------------------------------------------------------------

    def notice(self, notice: Notice, origin: PeerId | None, now: float) -> None:
        """Tell what the user should know of a notice; ``origin`` has passed on what led to it."""
        match notice:
            case Happened():
                self.story(notice)
            case Blame():
                self.blame(notice)
            case LeftBehind():
                self.left_behind(notice)
            case MessageRefused(reason):
                self.not_accepted(origin, reason, now)
            case _:
                pass

    # --- messages ---------------------------------------------------------------------------------

    def garbled(self, peer: PeerId, reason: str, now: float) -> None:
        """A peer sent a payload that is no gossip."""
        told = said.GARBLED(who=self._name(peer), reason=reason)
        self._complain("garbled", peer, told, now)

    def other_table(self, peer: PeerId, now: float) -> None:
        """A peer plays another game."""
        self._complain("other-table", peer, said.OTHER_TABLE(who=self._name(peer)), now)

    def other_course(self, peer: PeerId, now: float) -> None:
        """A peer goes on from another end of the game before."""
        self._complain("other-course", peer, said.OTHER_COURSE(who=self._name(peer)), now)

    def not_accepted(self, peer: PeerId | None, reason: str, now: float) -> None:
        """The table refused what a peer passed on; whose fault it is cannot be proven."""
        if peer is not None:
            told = said.NOT_ACCEPTED(who=self._name(peer), reason=reason)
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
            said.BLAME(
                who=name, rule=blame.rule, round=blame.round, reason=blame.reason, file=str(file)
            ),
            seat=blame.seat,
            round=blame.round,
            rule=blame.rule,
            evidence=[raw.hex() for raw in blame.evidence],
            file=str(file),
        )

    # --- the game ---------------------------------------------------------------------------------

    def seated(self) -> None:
        """Everybody has sat down."""
        self._log.info("seated", said.SEATED())

    def dealt(self, seconds: float) -> None:
        """The cards are dealt, so long after all were linked."""
        self._log.info("dealt", said.DEALT(seconds=f"{seconds:.2f}"), seconds=round(seconds, 4))

    def story(self, step: Happened) -> None:
        """Something happened in the game."""
        for sentence in narrate(step.before, step.event, step.after, self._game.terms.names):
            self._log.story(sentence, step, living=list(step.after.living))

    def waiting(self, linked: Iterable[PeerId]) -> None:
        """The time of a round is over; say for whom the game waits."""
        roster, here = self._game.terms.roster, {*linked, self._own}
        missing = [roster[seat] for seat in self._game.table.waiting_for]
        who = [m.name if m.peer in here else said.RECONNECTING(who=m.name) for m in missing]
        if who:
            self._log.info("waiting", said.WAITING(who=listed(who)))

    def reconnecting(self, peer: PeerId) -> None:
        """The game waits for a seat whose link is down."""
        missed = said.RECONNECTING(who=self._name(peer))
        self._log.info("waiting", said.WAITING(who=missed), peer=peer)

    def back(self, peer: PeerId) -> None:
        """One of whom that was said is heard of again."""
        self._log.info("back", said.BACK(who=self._name(peer)), peer=peer)

    def answered_by_default(self, move: Move) -> None:
        """Our player has not answered in time."""
        self._log.warning(
            "answered-for-you",
            said.ANSWERED(answer=chosen(move, self._game.terms.names)),
            move=move_to_text(move),
        )

    def recovered(self, seconds: float) -> None:
        """The Court is free of the keys of those who are gone, so long after that was agreed."""
        self._log.info(
            "recovered",
            said.RECOVERED(seconds=f"{seconds:.2f}"),
            seconds=round(seconds, 4),
        )

    def caught_up(self) -> None:
        """After a restart we are as far as the others."""
        at = self._game.table.round
        self._log.info("caught-up", said.CAUGHT_UP(round=at), round=at)

    def cut_off(self, unheard: Collection[Seat]) -> None:
        """Those nothing is heard of are too many for the others to go on without them."""
        who = listed([self._game.terms.names[seat] for seat in sorted(unheard)])
        self._log.warning("cut-off", said.CUT_OFF(who=who), seats=sorted(unheard))

    def left_behind(self, notice: LeftBehind) -> None:
        """The others have put seats out of the game that they heard nothing of."""
        names = self._game.terms.names
        if self._game.seat in notice.seats:
            told = said.LEFT_BEHIND_HERE()
        else:
            who = listed([names[seat] for seat in sorted(notice.seats)])
            told = said.LEFT_BEHIND(who=who)
        self._log.warning("left-behind", told, seats=sorted(notice.seats), round=notice.round)

    def finished(self, sent_bytes: int) -> None:
        """The game is over at this peer."""
        table = self._game.table
        self._log.info(
            "finished",
            said.FINISHED(file=str(self._game.transcript_file)),
            transcript=str(self._game.transcript_file),
            rounds=table.round + 1,
            proof_seconds=round(table.proof_seconds, 4),
            sent_bytes=sent_bytes,
            peak_memory_kib=peak_memory_kib(),
        )

    def next_game(self, number: int, length: int, before: SeatedGame) -> None:
        """The next game of the match starts, without those who were lost in the one before."""
        told = said.NEXT_GAME(number=number, games=length)
        self._log.info("next-game", told, number=number, games=length)
        lost = sorted(before.table.game.lost)
        others = [before.terms.names[seat] for seat in lost if seat != before.seat]
        if before.seat in lost:
            self._log.warning("next-without-us", said.NEXT_WITHOUT_US())
        if others:
            self._log.info("next-without", said.NEXT_WITHOUT(who=listed(others)), seats=lost)

    def score(self, score: Mapping[str, int], played: int, length: int, agreed: int) -> None:
        """A game of a match is over; say who has won how many. A match of ``length`` games may have
        become shorter than was agreed.
        """
        won = ", ".join(f"{name} {count}" for name, count in score.items())
        if length < agreed:
            self._log.info("nobody-left", said.NOBODY_LEFT())
        over = said.MATCH_OVER if played == length else said.SCORE
        told = over(number=played, games=length, score=won)
        self._log.info("score", told, score=dict(score), played=played)

    # --- small parts ------------------------------------------------------------------------------

    def _name(self, peer: PeerId) -> str:
        return self._names.get(peer, peer)

    def _complain(self, event: str, peer: PeerId, told: Sentence, now: float) -> None:
        held_back = self._complaints.admit((event, peer), now)
        if held_back is not None:
            more = said.AGAIN_AND_AGAIN(said=told, times=held_back) if held_back else told
            self._log.warning(event, more)
