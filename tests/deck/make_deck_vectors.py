"""Test vectors of the deck (SPEC 7): one game of cards, step by step. Not a test module.

The steps are taken one after the other by two seats; a refused one changes nothing. What a step
leaves behind is written out after it.
"""

from collections.abc import Callable, Mapping, Sequence

from p2pcoup.deck import (
    Check,
    Deck,
    Draw,
    Point,
    card_plaintexts,
    check_key,
    check_shares,
    draw,
    exchange,
    exchanged,
    give_back,
    give_shares,
    given_back,
    leave,
    left,
    new_deck,
    open_cards,
    opened,
    pick,
    picked,
    prove_key,
    show_to,
    shown_to,
    shuffle,
    shuffled,
    with_returned,
)
from p2pcoup.deck.elgamal import encode_pairs
from tests.deck.vector_case import RANDOMNESS, Case, fails, holds

LABELS = ("red", "green", "blue")
KINDS = (0, 1, 2, 0, 1)


def state(deck: Deck) -> dict[str, object]:
    """The deck as it stands in the file."""
    return {
        "joint_key": deck.joint_key.hex(),
        "court": [encode_pairs([pair]).hex() for pair in deck.court],
        "hands": {
            str(seat): [pair and encode_pairs([pair]).hex() for pair in hand]
            for seat, hand in deck.hands.items()
        },
        "drawn": {str(seat): encode_pairs(pairs).hex() for seat, pairs in deck.drawn.items()},
        "face_up": list(deck.face_up),
        "seen": len(deck.seen),
    }


class Story:
    """The steps so far and the deck after them."""

    def __init__(self, seats: int = 2) -> None:
        self.cases: list[Case] = []
        self.deck: Deck
        self.secrets = [RANDOMNESS.fork("seat", b"%d" % seat).scalar() for seat in range(seats)]
        self._count = 0

    def domain(self) -> bytes:
        """A new one for every step."""
        self._count += 1
        return b"step %d" % self._count

    def add(self, good: Case, *bad: Case, deck: Deck | None = None) -> None:
        """Steps to refuse, then the one to take."""
        self.cases += bad
        if deck is not None:
            self.deck = deck
            good["deck"] = state(deck)
        self.cases.append(good)

    def keys(self) -> None:
        keys: dict[int, Point] = {}
        for seat, secret in enumerate(self.secrets):
            domain = b"key of seat %d" % seat
            message = prove_key(domain, secret, RANDOMNESS)
            keys[seat] = check_key(domain, message)
            key = keys[seat]
            good = holds("7.1 Key", "a key", seat=seat, domain=domain, message=message, key=key)
            other = b"key of seat %d" % ((seat + 1) % len(self.secrets))
            copied = fails(good, "a copied key", Check.KEY_PROOF, domain=other)
            self.add(good, copied)
        good = holds(
            "7.2 NewDeck",
            "all cards open in the Court",
            labels=LABELS,
            kinds=KINDS,
            hand_size=2,
            keys=list(keys.values()),
        )
        equal = fails(good, "two equal keys", Check.KEYS, keys=[keys[0], keys[0]])
        self.add(good, equal, deck=new_deck(card_plaintexts(LABELS), KINDS, keys))

    def shuffle(self, seat: int, *, last: bytes | None = None) -> bytes:
        domain = self.domain()
        message = shuffle(self.deck, domain, RANDOMNESS)
        good = holds("7.3 Shuffle", "a shuffle", seat=seat, domain=domain, message=message)
        bad = []
        if last is None:
            bad = [fails(good, "made elsewhere", Check.SHUFFLE_PROOF, domain=b"elsewhere")]
        else:
            again = "the last shuffle again"
            bad = [fails(good, again, Check.FIRST_COMPONENT, message=last)]
        self.add(good, *bad, deck=shuffled(self.deck, domain, message))
        return message

    def draw(self, draws: Sequence[Draw], wrong: Sequence[Draw] | None = None) -> None:
        given: dict[int, tuple[Point, ...]] = {}
        for giver in self.deck.keys:
            if all(one.seat == giver for one in draws):
                continue
            domain = self.domain()
            message = give_shares(self.deck, giver, self.secrets[giver], draws, domain, RANDOMNESS)
            given[giver] = check_shares(self.deck, giver, draws, domain, message)
            good = holds(
                "7.4 Shares",
                "shares",
                seat=giver,
                draws=draws,
                domain=domain,
                message=message,
                shares=given[giver],
            )
            bad = []
            if wrong:
                why = "shares for other readers"
                bad = [fails(good, why, Check.SHARE_PROOF, draws=list(wrong))]
            self.add(good, *bad)
        self.add(holds("7.5 Draw", "a draw", draws=draws), deck=draw(self.deck, draws, given))

    def speak(
        self,
        algorithm: str,
        message: Callable[[bytes], bytes],
        heard: Callable[[bytes, bytes], tuple[Deck, Mapping[str, object]]],
        check: Check,
        **values: object,
    ) -> None:
        """A step with a message that one seat makes alone."""
        domain = self.domain()
        data = message(domain)
        deck, result = heard(domain, data)
        name = algorithm.split(" ", 1)[1]
        good = holds(algorithm, name, **values, domain=domain, message=data, **result)
        bad = fails(good, "made elsewhere", check, domain=b"elsewhere")
        self.add(good, bad, deck=deck)

    def open(self, seat: int, slots: Sequence[int]) -> None:
        def heard(domain: bytes, data: bytes) -> tuple[Deck, Mapping[str, object]]:
            deck, kinds = opened(self.deck, seat, slots, domain, data)
            return deck, {"opened": kinds}

        secret = self.secrets[seat]
        self.speak(
            "7.6 Open",
            lambda domain: open_cards(self.deck, seat, secret, slots, domain, RANDOMNESS),
            heard,
            Check.OPENING_PROOF,
            seat=seat,
            slots=slots,
        )


def steps() -> list[Case]:
    """The whole story."""
    story = Story()
    story.keys()
    story.shuffle(1, last=story.shuffle(0))
    kinds = [0, 1, 2]
    story.speak(
        "7.11 Pick",
        lambda domain: pick(story.deck, 0, kinds, 1, 0, domain, RANDOMNESS),
        lambda domain, data: (picked(story.deck, 0, kinds, 0, domain, data), {}),
        Check.SHUFFLE_PROOF,
        seat=0,
        kinds=kinds,
        slot=0,
    )
    deal = [Draw(0, 1), Draw(1, 0), Draw(1, 1)]
    story.draw(deal, wrong=[Draw(0, 1), Draw(1, 1), Draw(1, 0)])
    story.speak(
        "7.10 Show",
        lambda domain: show_to(story.deck, 0, story.secrets[0], 1, 1, domain, RANDOMNESS),
        lambda domain, data: (shown_to(story.deck, 0, 1, 1, domain, data)[0], {}),
        Check.REKEY_PROOF,
        seat=0,
        slot=1,
        reader=1,
    )
    story.open(0, [0])
    kind = story.deck.face_up[0]
    story.add(holds("7.7 Return", "the open card", kind=kind), deck=with_returned(story.deck, kind))
    story.shuffle(1, last=story.shuffle(0))
    story.draw([Draw(0, 0)])
    story.draw([Draw(1, None)])
    story.speak(
        "7.12 GiveBack",
        lambda domain: give_back(story.deck, 1, story.secrets[1], 1, domain, RANDOMNESS),
        lambda domain, data: (given_back(story.deck, 1, 1, domain, data), {}),
        Check.REKEY_PROOF,
        seat=1,
        slot=1,
    )
    story.draw([Draw(0, None)])
    story.speak(
        "7.8 Exchange",
        lambda domain: exchange(story.deck, 0, story.secrets[0], [0, 2], domain, RANDOMNESS),
        lambda domain, data: (exchanged(story.deck, 0, domain, data), {}),
        Check.SHUFFLE_PROOF,
        seat=0,
    )
    story.open(1, [1, 0])
    story.speak(
        "7.9 Leave",
        lambda domain: leave(story.deck, 1, story.secrets[1], domain, RANDOMNESS),
        lambda domain, data: (left(story.deck, 1, domain, data), {}),
        Check.LEAVE_PROOF,
        seat=1,
    )
    return story.cases
