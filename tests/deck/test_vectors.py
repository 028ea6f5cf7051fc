"""The files in ``protocol/vectors`` are what this program computes, accepts and refuses.

Each case is judged from its file alone, as another implementation would.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from p2pcoup.deck import (
    Pair,
    Point,
    ProofError,
    Randomness,
    card_plaintexts,
    check_opening,
)
from p2pcoup.deck.decrement import (
    Counter,
    Decrement,
    DecrementProof,
    prove_decrement,
    verify_decrement,
)
from p2pcoup.deck.elgamal import decode_pairs
from p2pcoup.deck.equality import (
    EqualityProof,
    prove_equalities,
    prove_equality,
    verify_equalities,
    verify_equality,
)
from p2pcoup.deck.group import IDENTITY, decode_point, decode_scalar, encode_scalar, hash_to_point
from p2pcoup.deck.rekey import RekeyProof, prove_rekey, verify_rekey
from p2pcoup.deck.rows import Row, Shuffled
from p2pcoup.deck.schnorr import SchnorrProof, prove_schnorr, verify_schnorr
from p2pcoup.deck.shuffle_proof import (
    ShuffleProof,
    commitment_generator,
    prove_shuffle,
    verify_shuffle,
)
from p2pcoup.deck.transcript import ProofTranscript, subdomain, traced
from tests.deck.make_vectors import FILES, FOLDER, text_of
from tests.deck.replay import DifferentError, Replay, Values, pair, points, raw, same

STORIES = ("deck.json", "recovery.json")
"""Files whose cases are steps, each after the one before."""


def rows(values: list[str], width: int) -> list[Row]:
    return [decode_pairs(raw(value), width) for value in values]


# --- single algorithms ----------------------------------------------------------------------------


def decode(case: Values) -> None:
    decoder = decode_point if case["algorithm"] == "4.1 DecodePoint" else decode_scalar
    decoder(raw(case["encoding"]))


def hashing(case: Values) -> None:
    point = hash_to_point(raw(case["label"]), *map(raw, case["items"]))
    same(point.hex(), case["point"])


def plaintext(case: Values) -> None:
    same(card_plaintexts([case["label"]])[0].hex(), case["point"])


def generator(case: Values) -> None:
    same(commitment_generator(case["index"]).hex(), case["point"])


def absorbed(case: Values) -> tuple[ProofTranscript, list[str]]:
    transcript, challenges = ProofTranscript(raw(case["domain"]), case["proof"]), []
    for action, label, data in case["history"]:
        if action == "absorb":
            transcript.absorb_bytes(label, raw(data))
        else:
            challenges.append(encode_scalar(transcript.challenge_scalar(label)).hex())
    return transcript, challenges


def challenge(case: Values) -> None:
    same(absorbed(case)[1], case["challenges"])


def derived_domain(case: Values) -> None:
    domain = subdomain(raw(case["domain"]), case["operation"], *case["numbers"])
    same(domain.hex(), case["subdomain"])


def nonces(case: Values) -> None:
    witness = [decode_scalar(raw(value)) for value in case["witness"]]
    fresh = absorbed(case)[0].nonces(Randomness(raw(case["seed"])), *witness)
    same([encode_scalar(fresh.scalar()).hex() for _ in range(2)], case["scalars"])
    same(list(fresh.permutation(7)), case["permutation"])


def opening(case: Values) -> None:
    fixed = (raw(case["commitment"]), case["label"], raw(case["domain"]))
    check_opening(*fixed, raw(case["value"]), raw(case["salt"]))


# --- proofs: verified, and made again -------------------------------------------------------------


def secrets_of(case: Values) -> tuple[Any, Randomness]:
    prover = case["prover"]
    return decode_scalar(raw(prover["secret"])), Randomness(raw(prover["seed"]))


def schnorr(case: Values) -> None:
    statement = (raw(case["domain"]), decode_point(raw(case["public"])))
    verify_schnorr(*statement, SchnorrProof.decode(raw(case["proof"])))
    if "prover" in case:
        same(prove_schnorr(*statement, *secrets_of(case)).encode().hex(), case["proof"])


def equality(case: Values) -> None:
    public, base, image = points([case["public"], case["base"], case["image"]])
    statement = (raw(case["domain"]), public, base, image)
    verify_equality(*statement, EqualityProof.decode(raw(case["proof"])))
    if "prover" in case:
        same(prove_equality(*statement, *secrets_of(case)).encode().hex(), case["proof"])


def equalities(case: Values) -> None:
    bases, images = points(case["bases"]), points(case["images"])
    statement = (raw(case["domain"]), decode_point(raw(case["public"])), bases, images)
    verify_equalities(*statement, EqualityProof.decode(raw(case["proof"])))
    if "prover" in case:
        same(prove_equalities(*statement, *secrets_of(case)).encode().hex(), case["proof"])


def rekeyed(case: Values) -> None:
    holder, target = points([case["holder"], case["target"]])
    pairs = pair(case["before"]), pair(case["after"])
    statement = (raw(case["domain"]), holder, target, *pairs)
    verify_rekey(*statement, RekeyProof.decode(raw(case["proof"])))
    if "prover" in case:
        secret, randomness = secrets_of(case)
        randomizer = decode_scalar(raw(case["prover"]["randomizer"]))
        proof = prove_rekey(*statement, secret, randomizer, randomness)
        same(proof.encode().hex(), case["proof"])


def shuffle_of_rows(case: Values) -> None:
    width = case["width"]
    inputs, outputs = rows(case["inputs"], width), rows(case["outputs"], width)
    place = (raw(case["domain"]), decode_point(raw(case["key"])))
    proof = ShuffleProof.decode(raw(case["proof"]), len(inputs), width)
    verify_shuffle(*place, inputs, outputs, proof)
    if "prover" in case:
        prover = case["prover"]
        randomizers = tuple(
            tuple(decode_scalar(raw(r)) for r in row) for row in prover["randomizers"]
        )
        done = Shuffled(tuple(outputs), tuple(prover["permutation"]), randomizers)
        again = prove_shuffle(*place, inputs, done, Randomness(raw(prover["seed"])))
        same(again.encode().hex(), case["proof"])


def counters(values: list[str]) -> tuple[Counter, ...]:
    """Counters of the agreed state, whose flags may be open."""
    return tuple(
        tuple(
            Pair(state_point(data[at : at + 32]), state_point(data[at + 32 : at + 64]))
            for at in range(0, len(data), 64)
        )
        for data in map(raw, values)
    )


def state_point(data: bytes) -> Point:
    return IDENTITY if data == IDENTITY else decode_point(data)


def decremented(case: Values) -> None:
    statement = Decrement(
        *points([case["key"], case["holder"]]),
        pair(case["card"]),
        tuple(points(case["plaintexts"])),
        counters(case["before"]),
        counters(case["after"]),
    )
    domain, branches = raw(case["domain"]), sum(map(bool, case["before"]))
    verify_decrement(domain, statement, DecrementProof.decode(raw(case["proof"]), branches))
    if "prover" in case:
        secret, randomness = secrets_of(case)
        kind = case["prover"]["kind"]
        randomizers = [decode_scalar(raw(r)) for r in case["prover"]["randomizers"]]
        proof = prove_decrement(domain, statement, secret, kind, randomizers, randomness)
        same(proof.encode().hex(), case["proof"])


ALGORITHMS: dict[str, Callable[[Values], None]] = {
    "4.1 DecodePoint": decode,
    "4.2 DecodeScalar": decode,
    "4.3 HashToPoint": hashing,
    "4.4 CardPlaintext": plaintext,
    "4.5 CommitmentGenerator": generator,
    "5.1 Subdomain": derived_domain,
    "5.2 Challenge": challenge,
    "5.3 Nonces": nonces,
    "6.2 SchnorrVerify": schnorr,
    "6.4 EqualityVerify": equality,
    "6.6 EqualitiesVerify": equalities,
    "6.8 RekeyVerify": rekeyed,
    "6.10 ShuffleVerify": shuffle_of_rows,
    "6.12 CheckOpening": opening,
    "6.14 DecrementVerify": decremented,
}


def cases(name: str) -> Iterator[Values]:
    """The cases of a file, each completed from the one it is like."""
    listed = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    for case in listed:
        if "like" in case:
            good = {k: v for k, v in listed[case["like"]].items() if k not in EXTRA}
            yield good | case
        else:
            yield case


EXTRA = ("prover", "transcript")


def refusal(judge: Callable[[Values], None], case: Values) -> str | None:
    """The check that refuses the case; None if it holds."""
    try:
        judge(case)
    except ProofError as error:
        return str(error.check)
    except DifferentError:
        return "different"
    return None


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_exactly_what_is_generated_and_small(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text == text_of(name), "run: python -m tests.deck.make_vectors"
    assert len(text) < 60_000


@pytest.mark.parametrize("name", FILES)
def test_every_case_is_accepted_or_refused_as_its_file_says(name: str) -> None:
    replay = Replay()
    verdicts = []
    for case in cases(name):
        judge = replay if name in STORIES else ALGORITHMS[case["algorithm"]]
        stated = None if case["valid"] else case["refused_by"]
        assert refusal(judge, case) == stated, (case["number"], case["why"])
        verdicts.append(case["valid"])
    assert any(verdicts)
    assert not all(verdicts)


@pytest.mark.parametrize("name", FILES)
def test_the_transcript_of_a_case_is_what_its_verifier_absorbs(name: str) -> None:
    for case in cases(name):
        if "transcript" not in case:
            continue
        lines: list[str] = []
        verification = {key: value for key, value in case.items() if key != "prover"}
        with traced(lines.append):
            ALGORITHMS[case["algorithm"]](verification)
        assert lines == case["transcript"], case["number"]


def test_every_algorithm_of_the_list_has_cases() -> None:
    used = {case["algorithm"] for name in FILES if name not in STORIES for case in cases(name)}
    assert used == set(ALGORITHMS)
