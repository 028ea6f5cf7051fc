"""Test vectors of hidden counting (SPEC 6.13, 6.14) and of a recovery (SPEC 7.13). Not a test
module.
"""

from collections.abc import Sequence
from dataclasses import replace

from p2pcoup.deck import (
    Check,
    Deducting,
    Draw,
    Mixing,
    Pair,
    Point,
    Randomness,
    Scalar,
    begin_recovery,
    card_plaintexts,
    check_flags,
    deduct,
    deducted,
    give_flags,
    mix,
    mixed,
    recovered,
)
from p2pcoup.deck.decrement import (
    OPEN_ONE,
    OPEN_ZERO,
    Counter,
    Decrement,
    DecrementProof,
    as_counters,
    decrement,
    flags_of,
    prove_decrement,
    verify_decrement,
)
from p2pcoup.deck.elgamal import encode_pairs, re_encrypt
from p2pcoup.deck.group import IDENTITY, encode_scalar, multiply_base
from tests.deck.make_deck_vectors import LABELS, Story
from tests.deck.make_proof_vectors import damaged
from tests.deck.vector_case import (
    DOMAIN,
    OTHER,
    PUBLIC,
    RANDOMNESS,
    SECRET,
    SEED,
    Case,
    fails,
    holds,
    trace,
)

# --- SPEC 6.13, 6.14 ------------------------------------------------------------------------------

PLAINTEXTS = card_plaintexts(LABELS)
KEY = multiply_base(RANDOMNESS.fork("key of the flags").scalar())
RED, GREEN, BLUE = range(3)


def _open(*values: Sequence[int]) -> tuple[Counter, ...]:
    return tuple(tuple(OPEN_ONE if one else OPEN_ZERO for one in flags) for flags in values)


def _hide(counters: Sequence[Counter], randomizers: Sequence[Scalar]) -> tuple[Counter, ...]:
    flags = zip(flags_of(counters), randomizers, strict=True)
    return as_counters([re_encrypt(flag, KEY, r) for flag, r in flags], counters)


def _card(kind: int) -> Pair:
    r = Randomness(SEED).fork("card", bytes([kind])).scalar()
    return re_encrypt(Pair(IDENTITY, PLAINTEXTS[kind]), PUBLIC, r)


def decrements() -> list[Case]:
    """A counter that goes down by one: from flags that everybody sees, and from hidden ones."""
    source = Randomness(SEED).fork("flags before")
    start = _open((1, 0), (), (1, 1))
    hidden = _hide(start, [source.scalar() for _ in range(4)])
    return [*_decrement(_open((1, 1), (), (1,)), RED, "open flags"), *_lies(hidden, BLUE)]


def _statement(kind: int, before: tuple[Counter, ...], after: tuple[Counter, ...]) -> Decrement:
    return Decrement(KEY, PUBLIC, _card(kind), PLAINTEXTS, before, after)


def _values(counters: Sequence[Counter]) -> list[str]:
    return [encode_pairs(counter).hex() for counter in counters]


def _decrement(before: tuple[Counter, ...], kind: int, why: str) -> list[Case]:
    card = _card(kind)
    after, randomizers = decrement(DOMAIN, KEY, card, SECRET, kind, before, RANDOMNESS)
    statement = _statement(kind, before, after)
    proof = prove_decrement(DOMAIN, statement, SECRET, kind, randomizers, RANDOMNESS)
    good = holds(
        "6.14 DecrementVerify",
        f"an honest step down, from {why}",
        domain=DOMAIN,
        key=KEY,
        holder=PUBLIC,
        card=card,
        plaintexts=PLAINTEXTS,
        before=_values(before),
        after=_values(after),
        proof=proof.encode(),
        prover={
            "seed": SEED.hex(),
            "secret": encode_scalar(SECRET).hex(),
            "kind": kind,
            "randomizers": [encode_scalar(r).hex() for r in randomizers],
        },
        transcript=trace(lambda: verify_decrement(DOMAIN, statement, proof)),
    )
    return [good]


def _lies(before: tuple[Counter, ...], kind: int) -> list[Case]:
    (good,) = _decrement(before, kind, "hidden flags")
    check = Check.DECREMENT_PROOF
    after, r = decrement(DOMAIN, KEY, _card(kind), SECRET, kind, before, RANDOMNESS)
    proof = bytes.fromhex(str(good["proof"]))
    negated = DecrementProof.decode(proof[96:] + proof[:96], 2).encode()

    def lie(why: str, flags: tuple[Counter, ...], claimed: int = kind, card: int = kind) -> Case:
        statement = _statement(card, before, flags)
        forged = prove_decrement(DOMAIN, statement, SECRET, claimed, r, RANDOMNESS)
        changed: dict[str, object] = {"proof": forged.encode()}
        if flags != after:
            changed["after"] = _values(flags)
        if card != kind:
            changed["card"] = _card(card)
        return fails(good, f"{why}; proof made for it", check, **changed)

    other = replace(_statement(kind, before, after), holder=OTHER)
    foreign = prove_decrement(DOMAIN, other, SECRET, kind, r, RANDOMNESS)
    return [
        good,
        *damaged(good, check),
        fails(good, "the two branches are exchanged", check, proof=negated),
        fails(good, "another key of the flags", check, key=OTHER),
        fails(good, "another holder", check, holder=OTHER),
        fails(good, "another card", check, card=_card(GREEN)),
        fails(good, "the kinds in another order", check, plaintexts=PLAINTEXTS[::-1]),
        fails(
            good, "before and after exchanged", check, before=good["after"], after=good["before"]
        ),
        lie("another kind goes down", _hide(_open((0, 0), (), (1, 1)), r)),
        lie("another kind goes down and is claimed", _hide(_open((0, 0), (), (1, 1)), r), RED),
        lie("no kind goes down", _hide(_open((1, 0), (), (1, 1)), r)),
        lie("two kinds go down", _hide(_open((0, 0), (), (1, 0)), r)),
        lie("a kind goes down by two", _hide(_open((1, 0), (), (0, 0)), r)),
        lie("another kind goes up", _hide(_open((1, 1), (), (1, 0)), r)),
        lie("the flags are not in order", _hide(_open((1, 0), (), (0, 1)), r)),
        lie("a card of another kind", after, card=RED),
        fails(
            good,
            "a card whose key the prover does not know; proof made for it",
            check,
            holder=OTHER,
            proof=foreign.encode(),
        ),
    ]


# --- SPEC 7.13 ------------------------------------------------------------------------------------


def phase_state(phase: Deducting | Mixing) -> dict[str, object]:
    """A phase as it stands in the file."""
    lists = phase.counters if isinstance(phase, Deducting) else phase.rows
    name = "counters" if isinstance(phase, Deducting) else "rows"
    return {name: _values(lists), "waiting": list(phase.waiting), "seen": len(phase.deck.seen)}


def recovery() -> list[Case]:
    """A game of three seats up to the loss of seat 2, and the new Court of the two others."""
    story = Story(seats=3)
    story.keys()
    last = None
    for seat in range(3):
        last = story.shuffle(seat, last=last)
    story.draw([Draw(0, 0), Draw(0, 1), Draw(1, 0), Draw(2, 0)])
    story.open(0, [1])
    lost = [2]
    phase = begin_recovery(story.deck, lost)
    good = holds("7.13 BeginRecovery", "seat 2 is gone", lost=lost, phase=phase_state(phase))
    story.add(good)
    phase = _deductions(story, phase)
    _flags(story, _mixes(story, phase))
    story.draw([Draw(1, 1)])
    return story.cases


def _deductions(story: Story, phase: Deducting) -> Deducting:
    for seat in phase.waiting:
        domain = story.domain()
        message = deduct(phase, seat, story.secrets[seat], domain, RANDOMNESS)
        phase = deducted(phase, seat, domain, message)
        name, after = "7.13 Deduct", phase_state(phase)
        good = holds(
            name, "a card taken off", seat=seat, domain=domain, message=message, phase=after
        )
        story.add(
            good,
            fails(good, "made elsewhere", Check.DECREMENT_PROOF, domain=b"elsewhere"),
            fails(good, "a card fewer than held", Check.LENGTH, message=b""),
        )
    return phase


def _mixes(story: Story, phase: Deducting) -> Mixing:
    mixing = phase.mixing()
    last = b""
    for seat in mixing.waiting:
        domain = story.domain()
        message = mix(mixing, seat, domain, RANDOMNESS)
        mixing = mixed(mixing, seat, domain, message)
        after = phase_state(mixing)
        good = holds("7.13 Mix", "a mix", seat=seat, domain=domain, message=message, phase=after)
        bad = fails(good, "made elsewhere", Check.SHUFFLE_PROOF, domain=b"elsewhere")
        if last:
            bad = fails(good, "the last mix again", Check.FIRST_COMPONENT, message=last)
        story.add(good, bad)
        last = message
    return mixing


def _flags(story: Story, mixing: Mixing) -> None:
    revealing = mixing.revealing()
    shares: dict[int, tuple[Point, ...]] = {}
    for seat in revealing.speakers:
        domain = story.domain()
        message = give_flags(revealing, seat, story.secrets[seat], domain, RANDOMNESS)
        shares[seat] = check_flags(revealing, seat, domain, message)
        good = holds(
            "7.13 Flags",
            "shares",
            seat=seat,
            domain=domain,
            message=message,
            shares=shares[seat],
        )
        story.add(good, fails(good, "another seat's", Check.SHARE_PROOF, seat=1 - seat))
    story.add(holds("7.13 NewCourt", "the flags are read"), deck=recovered(revealing, shares))
