"""Our own seat: identity, secrets, and what it may know (SPEC 8.3)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from p2pcoup import deck as cards
from p2pcoup.rules import Character, Examined, Seat, View, view
from p2pcoup.table.game import Game
from p2pcoup.table.rounds import Context, seal_coin
from p2pcoup.table.secrets import Secrets
from p2pcoup.table.terms import Terms, TermsError
from p2pcoup.wire import Identity, Kind, Message


class Player:
    """The one seat this peer plays, with everything secret about it."""

    __slots__ = ("identity", "seat", "secrets")

    def __init__(self, terms: Terms, identity: Identity, seed: bytes) -> None:
        """Take the seat the roster gives this identity, with the game's secret seed (32 bytes).

        Raises:
            TermsError: the identity has no seat at this table.
        """
        seat = terms.seat_of(identity.peer_id)
        if seat is None:
            raise TermsError(
                f"This peer is {identity.peer_id}, which has no seat at the table. "
                "Correct the table file, or use the identity it names."
            )
        self.seat: Seat = seat
        self.identity = identity
        self.secrets = Secrets(seed, terms.game_id)

    def __repr__(self) -> str:
        return f"Player(seat {self.seat})"

    @property
    def public_key(self) -> bytes:
        """The Ed25519 identity key, 32 bytes."""
        return self.identity.public_key

    def has_begun(self, said: Message) -> bool:
        """Whether a message could be ours by its coin, if it is our first. With another secret than
        the game was begun with nothing that we say could hold.
        """
        if said.kind is not Kind.JOIN or said.seat != self.seat:
            return True
        context = Context(said.game, said.round, self.seat, said.parent)
        return said.body[1:] == (seal_coin(context, self.secrets),)

    def view(self, game: Game) -> View:
        """What this seat may know now: the public game and its own cards."""
        characters = game.terms.edition.characters
        own = cards.read(game.cards, self.seat, self.secrets.key)
        hand = tuple(
            up if kind is None else characters[kind]
            for up, kind in zip(game.playing.slots[self.seat], own.hand, strict=False)
        )  # before a deal is complete the rules count fewer slots than the deck has
        return view(
            game.playing,
            self.seat,
            hand,
            drawn=[characters[kind] for kind in own.drawn],
            returned=list(self._returned(game, characters)),
            history=game.history,
            aside=self._aside(game, characters),
            examined=list(self._examined(game, characters)),
        )

    def _returned(self, game: Game, characters: Sequence[Character]) -> Iterable[Character]:
        """What this seat has put back unseen: what it held before each exchange and not after."""
        for seat, before, after in game.exchanged:
            if seat == self.seat:
                held, kept = (cards.read(deck, seat, self.secrets.key) for deck in (before, after))
                gone = Counter((*held.hand, *held.drawn)) - Counter(kept.hand)
                yield from (characters[kind] for kind in gone.elements() if kind is not None)

    def _aside(self, game: Game, characters: Sequence[Character]) -> Sequence[Character]:
        """The rest of the set of five this seat has picked from."""
        if self.seat not in game.picked:
            return ()
        picked, *_ = cards.read(game.picked[self.seat], self.seat, self.secrets.key).hand
        return [character for kind, character in enumerate(characters) if kind != picked]

    def _examined(self, game: Game, characters: Sequence[Character]) -> Iterable[Examined]:
        """The cards that others have shown to this seat alone."""
        for card in game.shown:
            if card.reader == self.seat:
                kind = cards.read_shown(game.cards, self.seat, self.secrets.key, card.pair)
                yield Examined(card.at, card.seat, card.slot, characters[kind])
