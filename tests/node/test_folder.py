"""Where the user's files are."""

import sys
from pathlib import Path

import pytest

from p2pcoup.node.folder import HOME_VARIABLE, home_folder


def test_the_home_folder_is_the_one_the_user_chose(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "mine"))
    assert home_folder() == tmp_path / "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="where it is differs from system to system")
@pytest.mark.parametrize("chosen", [None, ""])
def test_without_a_choice_it_is_where_the_system_keeps_such_data(
    monkeypatch, tmp_path: Path, chosen: str | None
) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    if chosen is not None:
        monkeypatch.setenv(HOME_VARIABLE, chosen)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert home_folder() == tmp_path / "p2pcoup"
