"""The user's own files: where they are, who may read them, and that an identity is never lost."""

import stat
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from p2pcoup.node.home import (
    HomeError,
    create_identity,
    game_folder,
    identity_file,
    load_identity,
)

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes are a POSIX matter")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_every_game_has_a_folder_of_its_own(tmp_path: Path) -> None:
    first, second = (game_folder(tmp_path, bytes([number]) * 32) for number in (1, 2))
    assert first != second
    assert first.parent == second.parent == tmp_path / "games"


def test_an_identity_is_the_same_whenever_it_is_loaded(tmp_path: Path) -> None:
    made = create_identity(tmp_path / "home")
    assert load_identity(tmp_path / "home").peer_id == made.peer_id


@posix
def test_only_the_user_can_read_an_identity_and_the_folders_made_for_it(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    create_identity(home)
    assert mode(identity_file(home)) == 0o600
    assert mode(home) == mode(home.parent) == 0o700


def test_an_identity_is_never_overwritten(tmp_path: Path) -> None:
    made = create_identity(tmp_path)
    with pytest.raises(HomeError, match="already; it was left as it is"):
        create_identity(tmp_path)
    assert load_identity(tmp_path).peer_id == made.peer_id
    assert [path.name for path in tmp_path.iterdir()] == ["identity.pem"]


def test_a_damaged_identity_is_not_overwritten_either(tmp_path: Path) -> None:
    identity_file(tmp_path).write_bytes(b"")
    with pytest.raises(HomeError, match="already; it was left as it is"):
        create_identity(tmp_path)
    assert identity_file(tmp_path).read_bytes() == b""


@posix
def test_a_full_disk_leaves_no_half_identity(tmp_path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, limits[1]))
    try:
        with pytest.raises(HomeError, match=r"cannot be kept in .*: File too large"):
            create_identity(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


def test_without_an_identity_the_user_is_told_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(
        HomeError, match=r"no identity in .* yet\. Make one: p2pcoup identity create"
    ):
        load_identity(tmp_path / "nowhere")


def private_file(path: Path, data: bytes) -> None:
    path.touch(0o600)
    path.write_bytes(data)


def foreign_key() -> bytes:
    return X25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "it is not a private key in PEM form"),
        (b"\x00" * 10_000, "it is not a private key in PEM form"),
        (foreign_key(), "an Ed25519 key is needed"),
    ],
)
def test_an_identity_file_with_something_else_in_it_says_so_and_what_to_do(
    tmp_path: Path, data: bytes, told: str
) -> None:
    private_file(identity_file(tmp_path), data)
    with pytest.raises(HomeError) as caught:
        load_identity(tmp_path)
    assert told in str(caught.value)
    assert str(identity_file(tmp_path)) in str(caught.value)
    assert "Put back a copy of it" in str(caught.value)


def test_a_truncated_identity_is_never_taken_for_another_one(tmp_path: Path) -> None:
    create_identity(tmp_path)
    whole = identity_file(tmp_path).read_bytes()
    for length in range(len(whole) - 1):
        identity_file(tmp_path).write_bytes(whole[:length])
        with pytest.raises(HomeError):
            load_identity(tmp_path)


@posix
def test_an_identity_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    create_identity(tmp_path)
    identity_file(tmp_path).chmod(0o640)
    with pytest.raises(HomeError, match=r"can be read by other users .* chmod 600"):
        load_identity(tmp_path)


@pytest.mark.parametrize("act", [load_identity, create_identity])
def test_a_home_that_is_no_folder_is_a_sentence(tmp_path: Path, act) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(HomeError, match="file"):
        act(tmp_path / "file")
