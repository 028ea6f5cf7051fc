"""Makes ``protocol/vectors``: what another implementation must compute, accept and refuse.

``python -m tests.deck.make_vectors`` writes the files; the same bytes every time. All byte strings
are hexadecimal. A case names its algorithm in the specification, says whether it holds and why, and
if not, by which check it is refused. A refused case shows only what differs from the case it is
``like``. A case with a ``prover`` has all that is needed to make the same proof (SPEC 5.3); its
``transcript`` lists what is absorbed and which challenges come out. The cases of ``deck.json`` and
of ``recovery.json`` are the steps of one game each, to be taken one after the other.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from p2pcoup.deck import (
    Check,
    Scalar,
    card_plaintexts,
    commit,
)
from p2pcoup.deck.group import (
    BASE,
    FIELD_PRIME,
    IDENTITY,
    ORDER,
    encode_scalar,
    hash_to_point,
    subtract,
)
from p2pcoup.deck.shuffle_proof import commitment_generator
from p2pcoup.deck.transcript import ProofTranscript, subdomain
from tests.deck import make_deck_vectors, make_proof_vectors, make_recovery_vectors
from tests.deck.vector_case import (
    DOMAIN,
    PUBLIC,
    RANDOMNESS,
    SECRET,
    SEED,
    Case,
    fails,
    holds,
    numbered,
)

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"

CHARACTERS = ("duke", "assassin", "captain", "ambassador", "contessa", "inquisitor")

NON_SQUARE = bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371")
NEGATIVE_PRODUCT = bytes.fromhex("3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e")


# --- SPEC 4 ---------------------------------------------------------------------------------------


def group() -> list[Case]:
    """Decoding, hashing to a point, cards and generators."""
    point = holds("4.1 DecodePoint", "a canonical encoding", encoding=PUBLIC)
    negative = (FIELD_PRIME - int.from_bytes(PUBLIC, "little")).to_bytes(32, "little")
    top_bit = PUBLIC[:31] + bytes([PUBLIC[31] | 0x80])
    bad_points = [
        ("the identity is never received", bytes(32), Check.POINT_ENCODING),
        ("the top bit is set", top_bit, Check.POINT_ENCODING),
        ("a negative field element", negative, Check.POINT_ENCODING),
        ("the field prime: zero again", FIELD_PRIME.to_bytes(32, "little"), Check.POINT_ENCODING),
        ("above the field prime", (FIELD_PRIME + 1).to_bytes(32, "little"), Check.POINT_ENCODING),
        ("a non-square (RFC 9496, A.2)", NON_SQUARE, Check.POINT_ENCODING),
        ("a negative product (RFC 9496, A.2)", NEGATIVE_PRODUCT, Check.POINT_ENCODING),
        ("all ones", b"\xff" * 32, Check.POINT_ENCODING),
        ("31 bytes", PUBLIC[:31], Check.LENGTH),
        ("33 bytes", PUBLIC + b"\0", Check.LENGTH),
        ("nothing", b"", Check.LENGTH),
    ]
    scalar = holds("4.2 DecodeScalar", "below the order", encoding=encode_scalar(SECRET))
    largest = holds("4.2 DecodeScalar", "the largest", encoding=encode_scalar(Scalar(ORDER - 1)))
    zero = holds("4.2 DecodeScalar", "zero is a scalar", encoding=bytes(32))
    bad_scalars = [
        ("the order itself", ORDER.to_bytes(32, "little"), Check.SCALAR_ENCODING),
        ("all ones", b"\xff" * 32, Check.SCALAR_ENCODING),
        ("31 bytes", bytes(31), Check.LENGTH),
        ("33 bytes", bytes(33), Check.LENGTH),
    ]
    items = (b"a", b"", b"bc")
    hashed = holds(
        "4.3 HashToPoint",
        "label and items, each behind its length",
        label=b"label",
        items=items,
        point=hash_to_point(b"label", *items),
    )
    cards = [
        holds("4.4 CardPlaintext", "a card", label=name, point=plaintext)
        for name, plaintext in zip(CHARACTERS, card_plaintexts(CHARACTERS), strict=True)
    ]
    generators = [
        holds("4.5 CommitmentGenerator", "h" if i == 0 else f"h_{i}", index=i, point=point_i)
        for i, point_i in enumerate(map(commitment_generator, range(17)))
    ]
    return [
        holds("4.1 DecodePoint", "the base", encoding=BASE),
        point,
        *(fails(point, why, check, encoding=data) for why, data, check in bad_points),
        scalar,
        largest,
        zero,
        *(fails(scalar, why, check, encoding=data) for why, data, check in bad_scalars),
        hashed,
        fails(hashed, "the same bytes, cut elsewhere", items=(b"", b"a", b"bc")),
        fails(hashed, "an item fewer", items=(b"a", b"bc")),
        fails(hashed, "another label", label=b"labe"),
        fails(hashed, "the negative", point=subtract(IDENTITY, hash_to_point(b"label", *items))),
        *cards,
        fails(cards[0], "another card", point=cards[1]["point"]),
        fails(cards[0], "labels are case-sensitive", label="Duke"),
        *generators,
        fails(generators[1], "another index", index=0),
        fails(generators[1], "a multiple of the base", point=BASE),
    ]


# --- SPEC 5 ---------------------------------------------------------------------------------------


def transcript() -> list[Case]:
    """Challenges of histories, and derived domains and nonces."""

    def run(history: Sequence[tuple[str, str, bytes]], proof: str = "proof") -> list[bytes]:
        one = ProofTranscript(DOMAIN, proof)
        challenges = []
        for action, label, data in history:
            if action == "absorb":
                one.absorb_bytes(label, data)
            else:
                challenges.append(encode_scalar(one.challenge_scalar(label)))
        return challenges

    history = [
        ("absorb", "points", BASE + PUBLIC),
        ("absorb", "count", (258).to_bytes(8, "big")),
        ("challenge", "u", b""),
        ("challenge", "u", b""),
        ("absorb", "empty", b""),
        ("challenge", "c", b""),
    ]
    good = holds(
        "5.2 Challenge",
        "three challenges of one history",
        domain=DOMAIN,
        proof="proof",
        history=history,
        challenges=run(history),
    )
    moved = [("absorb", "point", b"s" + BASE + PUBLIC), *history[1:]]
    merged = [("absorb", "points", BASE + PUBLIC + history[1][2]), *history[2:]]
    sub = holds(
        "5.1 Subdomain",
        "operation and numbers, framed",
        domain=DOMAIN,
        operation="shares",
        numbers=[0, 1, 258],
        subdomain=subdomain(DOMAIN, "shares", 0, 1, 258),
    )
    absorbed = ProofTranscript(DOMAIN, "proof")
    absorbed.absorb_point("points", BASE, PUBLIC)
    fresh = absorbed.nonces(RANDOMNESS, SECRET, 5)
    nonces = holds(
        "5.3 Nonces",
        "two scalars of the generator, then a permutation of seven",
        domain=DOMAIN,
        proof="proof",
        history=history[:1],
        seed=SEED,
        witness=[encode_scalar(SECRET), encode_scalar(Scalar(5))],
        scalars=[encode_scalar(fresh.scalar()), encode_scalar(fresh.scalar())],
        permutation=fresh.permutation(7),
    )
    return [
        good,
        fails(good, "another domain", domain=b"another place"),
        fails(good, "another proof", proof="proofs"),
        fails(good, "a byte moved from the data to its label", history=moved),
        fails(good, "two items in one", history=merged),
        fails(good, "the empty item left out", history=[*history[:4], history[5]]),
        fails(good, "another order", history=[history[1], history[0], *history[2:]]),
        fails(good, "the second challenge is not the first again", challenges=run(history)[:1] * 3),
        sub,
        fails(sub, "a number fewer", numbers=[0, 1]),
        fails(sub, "another operation", operation="leave"),
        nonces,
        fails(nonces, "another seed", seed=SEED[::-1]),
        fails(nonces, "another witness", witness=[encode_scalar(SECRET)]),
    ]


# --- SPEC 6.12 ------------------------------------------------------------------------------------


def commitments() -> list[Case]:
    """Hash commitments and their openings."""
    domain, salt = bytes(range(100, 164)), bytes(range(32))
    good = holds(
        "6.12 CheckOpening",
        "an honest opening",
        label="answer",
        domain=domain,
        value=b"2 pass",
        salt=salt,
        commitment=commit("answer", domain, b"2 pass", salt),
    )
    check = Check.COMMITMENT
    return [
        good,
        fails(good, "another value", check, value=b"2 challenge"),
        fails(good, "another message: a copied one cannot be opened", check, domain=domain[::-1]),
        fails(good, "another label", check, label="coin"),
        fails(good, "other random bytes", check, salt=salt[::-1]),
        fails(good, "a byte moved to the domain", check, domain=domain + b"2", value=b" pass"),
        fails(good, "a salt of 31 bytes", Check.LENGTH, salt=salt[:31]),
        fails(good, "a commitment of 31 bytes", Check.LENGTH, commitment=bytes(31)),
    ]


# --- files ----------------------------------------------------------------------------------------

FILES: dict[str, Callable[[], list[Case]]] = {
    "group.json": group,
    "transcript.json": transcript,
    "schnorr.json": make_proof_vectors.schnorr,
    "equality.json": make_proof_vectors.equality,
    "rekey.json": make_proof_vectors.rekeying,
    "shuffle.json": make_proof_vectors.shuffles,
    "decrement.json": make_recovery_vectors.decrements,
    "commitment.json": commitments,
    "deck.json": make_deck_vectors.steps,
    "recovery.json": make_recovery_vectors.recovery,
}


def text_of(name: str) -> str:
    """The content of one file."""
    return json.dumps(numbered(FILES[name]()), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file_name in FILES:
        (FOLDER / file_name).write_text(text_of(file_name), encoding="utf-8")
