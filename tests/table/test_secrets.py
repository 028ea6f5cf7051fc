"""One seed, all secrets; and attack 19, one nonce for two proofs."""

import itertools

from p2pcoup.table.secrets import Secrets

SEED, GAME = b"s" * 32, b"g" * 32


def everything(secrets: Secrets) -> list[bytes]:
    return [
        secrets.key,
        secrets.coin,
        secrets.salt(b"one"),
        secrets.salt(b"two"),
        secrets.randomness(b"one", b"").bytes(32),
        secrets.randomness(b"two", b"").bytes(32),
        secrets.randomness(b"one", b"keep 0").bytes(32),
    ]


def test_the_same_seed_gives_the_same_secrets_after_a_restart() -> None:
    assert everything(Secrets(SEED, GAME)) == everything(Secrets(SEED, GAME))


def test_no_two_uses_share_a_secret_not_even_with_one_seed_in_two_games() -> None:
    tables = [Secrets(SEED, GAME), Secrets(SEED, b"h" * 32), Secrets(b"t" * 32, GAME)]
    found = list(itertools.chain.from_iterable(everything(secrets) for secrets in tables))
    assert len(set(found)) == len(found) == 21
