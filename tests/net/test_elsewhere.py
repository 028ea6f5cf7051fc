"""Which addresses that others name are dialled at all."""

import pytest

from p2pcoup.net.elsewhere import can_be_elsewhere

NO_PLACES = (
    "0.0.0.0 :: 224.0.0.251 ff02::fb 255.255.255.255 fe80::1 fe80::1%eth0 fd00::1%lo "
    "::ffff:10.0.0.1 ::ffff:127.0.0.1"
)
NAMES = "localhost LocalHost. a.localhost 0x7f000001 127.1 leads-anywhere.example"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1"])
def test_this_very_computer_is_dialled_only_where_peers_on_it_are_meant(host: str) -> None:
    assert not can_be_elsewhere(host)
    assert can_be_elsewhere(host, loopback=True)


@pytest.mark.parametrize("host", NO_PLACES.split())
def test_what_is_no_place_of_one_computer_is_never_dialled(host: str) -> None:
    assert not can_be_elsewhere(host)
    assert not can_be_elsewhere(host, loopback=True)


@pytest.mark.parametrize("host", NAMES.split())
def test_a_name_is_not_dialled_as_its_owner_says_where_it_leads(host: str) -> None:
    assert not can_be_elsewhere(host)
    assert not can_be_elsewhere(host, loopback=True)


@pytest.mark.parametrize("host", ["192.168.1.10", "203.0.113.7", "169.254.3.4", "fd00::1"])
def test_other_places_are(host: str) -> None:
    assert can_be_elsewhere(host)
