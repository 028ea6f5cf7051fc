"""Test vectors of the proofs (SPEC 6.1 to 6.10). Not a test module."""

from p2pcoup.deck import (
    Check,
    Pair,
    Point,
    Randomness,
)
from p2pcoup.deck.elgamal import encode_pairs, re_encrypt
from p2pcoup.deck.equality import (
    prove_equalities,
    prove_equality,
    verify_equalities,
    verify_equality,
)
from p2pcoup.deck.group import (
    BASE,
    IDENTITY,
    ORDER,
    add,
    encode_scalar,
    hash_to_point,
    multiply,
    multiply_base,
    reduce_scalar,
    subtract,
)
from p2pcoup.deck.rekey import prove_rekey, rekey, verify_rekey
from p2pcoup.deck.rows import shuffle_rows
from p2pcoup.deck.schnorr import prove_schnorr, verify_schnorr
from p2pcoup.deck.shuffle_proof import prove_shuffle, verify_shuffle
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


def with_field(data: bytes, index: int, field: bytes) -> bytes:
    """``data`` with one of its 32-byte fields replaced."""
    return data[: 32 * index] + field + data[32 * index + 32 :]


def damaged(good: Case, check: Check, points: int = 0) -> list[Case]:
    """The proof of a case damaged in the ways that every proof must withstand."""
    proof = bytes.fromhex(str(good["proof"]))
    count = len(proof) // 32
    last = proof[-32:]
    one_more = encode_scalar(reduce_scalar(int.from_bytes(last, "little") + 1))
    second_form = (int.from_bytes(last, "little") + ORDER).to_bytes(32, "little")
    swapped = proof[:-64] + last + proof[-64:-32]
    cases = [
        fails(good, "a response is one too high", check, proof=proof[:-32] + one_more),
        fails(good, "the last two fields are swapped", check, proof=swapped),
        fails(good, "all zero", Check.POINT_ENCODING if points else check, proof=bytes(32 * count)),
        fails(
            good,
            "a response has the group order added: a second encoding of one number",
            Check.SCALAR_ENCODING,
            proof=proof[:-32] + second_form,
        ),
        fails(good, "a byte is missing", Check.LENGTH, proof=proof[:-1]),
        fails(good, "a byte too much", Check.LENGTH, proof=proof + b"\0"),
        fails(good, "a field is missing", Check.LENGTH, proof=proof[:-32]),
        fails(good, "made for another place", check, domain=b"another place"),
    ]
    if points:
        for index, name in ((0, "c"), (points // 2, "c_hat")):
            identity = with_field(proof, index, IDENTITY)
            cases += [
                fails(good, f"{name}_1 is the identity", Check.POINT_ENCODING, proof=identity),
                fails(
                    good, f"{name}_1 is another point", check, proof=with_field(proof, index, OTHER)
                ),
            ]
    return cases


def schnorr() -> list[Case]:
    """Knowledge of a secret key."""
    proof = prove_schnorr(DOMAIN, PUBLIC, SECRET, RANDOMNESS)
    good = holds(
        "6.2 SchnorrVerify",
        "an honest proof",
        domain=DOMAIN,
        public=PUBLIC,
        proof=proof.encode(),
        prover={"seed": SEED.hex(), "secret": encode_scalar(SECRET).hex()},
        transcript=trace(lambda: verify_schnorr(DOMAIN, PUBLIC, proof)),
    )
    check = Check.KEY_PROOF
    moved = encode_scalar(reduce_scalar(proof.response + proof.challenge))
    return [
        good,
        *damaged(good, check),
        fails(good, "the proof of another key", check, public=OTHER),
        fails(good, "the negative key", check, public=subtract(IDENTITY, PUBLIC)),
        fails(
            good,
            "a related key, with the response moved along: the key is in the hash",
            check,
            public=add(PUBLIC, BASE),
            proof=encode_scalar(proof.challenge) + moved,
        ),
    ]


def equality() -> list[Case]:
    """Equal secrets, one pair and many."""
    bases = [hash_to_point(b"base", b"%d" % i) for i in range(4)]
    images = [multiply(SECRET, base) for base in bases]
    single = prove_equality(DOMAIN, PUBLIC, bases[0], images[0], SECRET, RANDOMNESS)
    many = prove_equalities(DOMAIN, PUBLIC, bases, images, SECRET, RANDOMNESS)
    prover = {"seed": SEED.hex(), "secret": encode_scalar(SECRET).hex()}
    one = holds(
        "6.4 EqualityVerify",
        "an honest proof",
        domain=DOMAIN,
        public=PUBLIC,
        base=bases[0],
        image=images[0],
        proof=single.encode(),
        prover=prover,
        transcript=trace(lambda: verify_equality(DOMAIN, PUBLIC, bases[0], images[0], single)),
    )
    batch = holds(
        "6.6 EqualitiesVerify",
        "an honest proof of four",
        domain=DOMAIN,
        public=PUBLIC,
        bases=bases,
        images=images,
        proof=many.encode(),
        prover=prover,
        transcript=trace(lambda: verify_equalities(DOMAIN, PUBLIC, bases, images, many)),
    )
    check = Check.EQUALITY_PROOF
    cancelling = [*images[:2], add(images[2], OTHER), subtract(images[3], OTHER)]
    forged = prove_equalities(DOMAIN, PUBLIC, bases, cancelling, SECRET, RANDOMNESS)
    return [
        one,
        *damaged(one, check),
        fails(one, "another key", check, public=OTHER),
        fails(one, "another base", check, base=OTHER),
        fails(one, "another image", check, image=OTHER),
        fails(one, "the negative image", check, image=subtract(IDENTITY, images[0])),
        fails(one, "base and image swapped", check, base=images[0], image=bases[0]),
        batch,
        *damaged(batch, check),
        fails(batch, "one wrong image", check, images=[*images[:3], OTHER]),
        fails(batch, "two images swapped", check, images=[images[1], images[0], *images[2:]]),
        fails(batch, "another order", check, bases=bases[::-1], images=images[::-1]),
        fails(batch, "a pair fewer", check, bases=bases[:3], images=images[:3]),
        fails(
            batch,
            "two errors that cancel in a sum without weights, with a proof made for them",
            check,
            images=cancelling,
            proof=forged.encode(),
        ),
    ]


def rekeying() -> list[Case]:
    """A card moved to another key."""
    target = multiply_base(Randomness(SEED).fork("target").scalar())
    plaintext = hash_to_point(b"card", b"duke")
    before = re_encrypt(Pair(IDENTITY, plaintext), PUBLIC, Randomness(SEED).fork("r").scalar())
    after, s = rekey(DOMAIN, before, SECRET, target, RANDOMNESS)
    proof = prove_rekey(DOMAIN, PUBLIC, target, before, after, SECRET, s, RANDOMNESS)
    good = holds(
        "6.8 RekeyVerify",
        "an honest move",
        domain=DOMAIN,
        holder=PUBLIC,
        target=target,
        before=before,
        after=after,
        proof=proof.encode(),
        prover={
            "seed": SEED.hex(),
            "secret": encode_scalar(SECRET).hex(),
            "randomizer": encode_scalar(s).hex(),
        },
        transcript=trace(lambda: verify_rekey(DOMAIN, PUBLIC, target, before, after, proof)),
    )
    check = Check.REKEY_PROOF
    lie = Pair(after.U, add(subtract(after.V, plaintext), hash_to_point(b"card", b"captain")))
    forged = prove_rekey(DOMAIN, PUBLIC, target, before, lie, SECRET, s, RANDOMNESS)
    slipped = re_encrypt(Pair(OTHER, OTHER), target, s)
    unknown = prove_rekey(DOMAIN, PUBLIC, target, before, slipped, SECRET, s, RANDOMNESS)
    return [
        good,
        *damaged(good, check),
        fails(good, "another holder", check, holder=OTHER),
        fails(good, "another target", check, target=OTHER),
        fails(good, "another first component before", check, before=Pair(OTHER, before.V)),
        fails(good, "another second component before", check, before=Pair(before.U, OTHER)),
        fails(good, "another first component after", check, after=Pair(OTHER, after.V)),
        fails(good, "another second component after", check, after=Pair(after.U, OTHER)),
        fails(
            good, "another card, with a proof made for it", check, after=lie, proof=forged.encode()
        ),
        fails(
            good,
            "somebody else's card, re-encrypted; proof made for it",
            check,
            after=slipped,
            proof=unknown.encode(),
        ),
    ]


def shuffles() -> list[Case]:
    """Shuffles of rows of one pair and of two."""
    return [*_shuffle(3, 1), *_shuffle(1, 1), *_shuffle(2, 2)]


def _shuffle(count: int, width: int) -> list[Case]:
    source = Randomness(SEED).fork("shuffle inputs")
    inputs = [
        tuple(
            re_encrypt(Pair(IDENTITY, hash_to_point(b"card", b"%d" % k)), PUBLIC, source.scalar())
            for k in range(row * width, row * width + width)
        )
        for row in range(count)
    ]
    shuffled = shuffle_rows(DOMAIN, PUBLIC, inputs, RANDOMNESS, range(count)[::-1])
    outputs = shuffled.outputs
    proof = prove_shuffle(DOMAIN, PUBLIC, inputs, shuffled, RANDOMNESS)
    good = holds(
        "6.10 ShuffleVerify",
        f"an honest shuffle of {count} rows of {width}",
        domain=DOMAIN,
        key=PUBLIC,
        width=width,
        inputs=[encode_pairs(row) for row in inputs],
        outputs=[encode_pairs(row) for row in outputs],
        proof=proof.encode(),
        prover={
            "seed": SEED.hex(),
            "permutation": list(shuffled.permutation),
            "randomizers": [[encode_scalar(r).hex() for r in row] for row in shuffled.randomizers],
        },
        transcript=trace(lambda: verify_shuffle(DOMAIN, PUBLIC, inputs, outputs, proof)),
    )
    if count == 1:
        return [good]
    check = Check.SHUFFLE_PROOF
    first, second = (encode_pairs(row) for row in outputs[:2])
    rest = [encode_pairs(row) for row in outputs[2:]]
    foreign = encode_pairs([re_encrypt(Pair(OTHER, OTHER), PUBLIC, SECRET)] * width)

    def with_outputs(why: str, *rows: bytes) -> Case:
        changed = [tuple(Pair(*_points(row, i)) for i in range(width)) for row in rows]
        forged = prove_shuffle(
            DOMAIN, PUBLIC, inputs, shuffled._replace(outputs=tuple(changed)), RANDOMNESS
        )
        return fails(good, why, check, outputs=list(rows), proof=forged.encode())

    cases = [
        good,
        *damaged(good, check, points=2 * count),
        fails(good, "another key", check, key=OTHER),
        fails(good, "the inputs in another order", check, inputs=[*good["inputs"]][::-1]),  # type: ignore[misc]
        fails(good, "the outputs in another order", check, outputs=[second, first, *rest]),
        with_outputs("a row twice, another one lost; proof made for it", second, second, *rest),
        with_outputs("a foreign row slipped in; proof made for it", foreign, second, *rest),
    ]
    if width == 2:
        crossed = (first[:64] + second[64:], second[:64] + first[64:])
        cases.append(with_outputs("the pairs of two rows parted; proof made for it", *crossed))
    return cases


def _points(row: bytes, index: int) -> tuple[Point, Point]:
    pair = row[64 * index : 64 * index + 64]
    return Point(pair[:32]), Point(pair[32:])
