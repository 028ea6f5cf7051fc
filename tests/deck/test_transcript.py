"""The proof transcript: everything absorbed changes the challenge, nothing is ambiguous."""

import hashlib

import pytest

from p2pcoup.deck import DeckUseError, Randomness, Scalar
from p2pcoup.deck.group import BASE, ORDER, multiply_base
from p2pcoup.deck.schnorr import prove_schnorr
from p2pcoup.deck.transcript import ProofTranscript, subdomain, traced


def item(kind: bytes, *parts: bytes) -> bytes:
    return kind + b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def test_the_challenge_is_the_hash_that_the_specification_writes_out() -> None:
    transcript = ProofTranscript(b"domain", "proof")
    transcript.absorb_int("number", 258)
    transcript.absorb_scalar("scalars", Scalar(1), Scalar(2))
    one = transcript.challenge_scalar("c")
    transcript.absorb_point("points", BASE, BASE)
    two = transcript.challenge_scalar("c")
    written = b"".join(
        [
            item(b"\0", b"protocol", b"p2pcoup deck 1"),
            item(b"\0", b"group", b"ristretto255"),
            item(b"\0", b"base", BASE),
            item(b"\0", b"domain", b"domain"),
            item(b"\0", b"proof", b"proof"),
            item(b"\0", b"number", b"\0\0\0\0\0\0\x01\x02"),
            item(b"\0", b"scalars", b"\x01" + bytes(31) + b"\x02" + bytes(31)),
            item(b"\x01", b"c"),
        ]
    )
    assert one == int.from_bytes(hashlib.sha512(written).digest(), "little") % ORDER
    written += item(b"\0", b"points", BASE + BASE) + item(b"\x01", b"c")
    assert two == int.from_bytes(hashlib.sha512(written).digest(), "little") % ORDER


def test_every_part_of_the_history_changes_the_challenge() -> None:
    def challenge(
        domain: bytes = b"d",
        proof: str = "p",
        label: str = "l",
        data: tuple[bytes, ...] = (b"ab", b"c"),
        name: str = "c",
    ) -> Scalar:
        transcript = ProofTranscript(domain, proof)
        for part in data:
            transcript.absorb_bytes(label, part)
        return transcript.challenge_scalar(name)

    challenges = [
        challenge(),
        challenge(domain=b"e"),
        challenge(domain=b"dp"),
        challenge(proof="q"),
        challenge(label="m"),
        challenge(data=(b"a", b"bc")),
        challenge(data=(b"abc",)),
        challenge(data=(b"c", b"ab")),
        challenge(data=(b"ab", b"c", b"")),
        challenge(name="d"),
    ]
    assert len(set(challenges)) == len(challenges)


def test_two_challenges_in_a_row_differ() -> None:
    transcript = ProofTranscript(b"d", "p")
    assert transcript.challenge_scalar("u") != transcript.challenge_scalar("u")


def test_a_challenge_cannot_be_imitated_by_absorbing() -> None:
    one, other = ProofTranscript(b"d", "p"), ProofTranscript(b"d", "p")
    one.challenge_scalar("u")
    other.absorb_bytes("u", b"")
    assert one.challenge_scalar("c") != other.challenge_scalar("c")


def test_an_empty_domain_is_refused() -> None:
    with pytest.raises(DeckUseError):
        ProofTranscript(b"", "p")


def test_nonces_come_from_the_seed_the_statement_and_the_witness(randomness: Randomness) -> None:
    def nonce(data: bytes, witness: int, seed: Randomness) -> Scalar:
        transcript = ProofTranscript(b"d", "p")
        transcript.absorb_bytes("statement", data)
        return transcript.nonces(seed, witness).scalar()

    first = nonce(b"a", 1, randomness)
    randomness.bytes(99)  # what was drawn elsewhere does not matter
    assert nonce(b"a", 1, randomness) == first
    assert nonce(b"b", 1, randomness) != first
    assert nonce(b"a", 2, randomness) != first
    assert nonce(b"a", 1, Randomness.from_system()) != first


def test_a_restarted_prover_repeats_its_proof_and_never_a_nonce(randomness: Randomness) -> None:
    secret = randomness.scalar()
    public = multiply_base(secret)
    first = prove_schnorr(b"round 1", public, secret, randomness)
    again = prove_schnorr(b"round 1", public, secret, randomness)
    other = prove_schnorr(b"round 2", public, secret, randomness)
    assert again == first
    # With one nonce in two proofs the secret could be computed (attack 19).
    quotient = pow(first.challenge - other.challenge, -1, ORDER)
    assert (first.response - other.response) * quotient % ORDER != secret


def test_subdomains_are_unambiguous() -> None:
    domains = {
        subdomain(b"d", "x"),
        subdomain(b"d", "x", 0),
        subdomain(b"d", "x", 0, 0),
        subdomain(b"d", "x", 1),
        subdomain(b"dx", ""),
        subdomain(b"", "dx"),
        subdomain(subdomain(b"d", "x"), "x"),
    }
    assert len(domains) == 7


def test_the_debug_mode_shows_what_is_absorbed_and_no_secret(randomness: Randomness) -> None:
    secret = randomness.scalar()
    public = multiply_base(secret)
    lines: list[str] = []
    with traced(lines.append):
        prove_schnorr(b"d", public, secret, randomness)
    prove_schnorr(b"d", public, secret, randomness)
    assert [line.split()[:2] for line in lines] == [
        ["absorb", "protocol"],
        ["absorb", "group"],
        ["absorb", "base"],
        ["absorb", "domain"],
        ["absorb", "proof"],
        ["absorb", "public"],
        ["absorb", "T"],
        ["challenge", "c"],
    ]
    assert public.hex() in lines[5]
    assert secret.to_bytes(32, "little").hex() not in "".join(lines)
