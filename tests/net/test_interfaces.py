"""Which addresses of a computer are told to others, and where multicast is spoken."""

import ipaddress

from p2pcoup.net.address import Address
from p2pcoup.net.interfaces import (
    OwnAddress,
    addresses_to_tell,
    multicast_addresses,
    own_addresses,
)
from p2pcoup.net.invite import MAX_INVITE_ADDRESSES


def own(ip: str, interface: str = "lan", index: int = 2, prefix: int = 24) -> OwnAddress:
    return OwnAddress(ipaddress.ip_address(ip), interface, index, prefix)


LOOPBACK = own("127.0.0.1", "lo", 1, 8)
LOOPBACK6 = own("::1", "lo", 1, 128)


def test_a_computer_finds_its_own_addresses_with_loopback_ones_last() -> None:
    found = own_addresses()
    assert "127.0.0.1" in [str(each.ip) for each in found]
    loopback = [each.ip.is_loopback for each in found]
    assert loopback == sorted(loopback)
    assert all(each.ip in each.network for each in found)


def test_the_network_of_an_address_has_its_bits() -> None:
    assert str(own("192.0.2.77").network) == "192.0.2.0/24"
    assert str(LOOPBACK6.network) == "::1/128"
    assert str(own("::2", prefix=8).network) == "::/8"


def test_one_who_listens_everywhere_tells_the_addresses_of_the_computer() -> None:
    everywhere = [Address("0.0.0.0", 7), Address("::", 7)]  # noqa: S104
    told = addresses_to_tell(everywhere)
    mine = {str(each.ip) for each in own_addresses()}
    assert 1 <= len(told) <= MAX_INVITE_ADDRESSES
    assert {each.host for each in told} <= mine
    assert {each.port for each in told} == {7}
    kinds = [":" in each.host for each in told]
    assert kinds == sorted(kinds)
    loopback = [ipaddress.ip_address(each.host).is_loopback for each in told]
    assert all(loopback) or not any(loopback)


def test_one_who_listens_at_one_address_tells_that_one() -> None:
    assert addresses_to_tell([Address("192.0.2.9", 7)]) == (Address("192.0.2.9", 7),)
    assert addresses_to_tell([Address("127.0.0.1", 7)]) == (Address("127.0.0.1", 7),)
    assert addresses_to_tell([]) == ()


def test_what_is_of_no_use_to_others_is_told_only_if_there_is_nothing_else() -> None:
    local, link, lan = Address("127.0.0.1", 7), Address("fe80::1", 7), Address("192.0.2.9", 7)
    assert addresses_to_tell([local, link, lan]) == (lan,)
    assert addresses_to_tell([link]) == ()
    assert addresses_to_tell([Address("fe80::1%2", 7), local]) == (local,)


def test_addresses_are_told_ipv4_first_and_each_once() -> None:
    six, four = Address("2001:db8::9", 7), Address("192.0.2.9", 7)
    assert addresses_to_tell([six, four, six]) == (four, six)
    many = [Address(f"192.0.2.{number}", 7) for number in range(1, 20)]
    assert addresses_to_tell(many) == tuple(many[:MAX_INVITE_ADDRESSES])


def test_multicast_is_spoken_on_every_network_and_on_loopback_only_without_any() -> None:
    cable, wifi = own("192.0.2.9"), own("198.51.100.9", "wifi", 3)
    six = own("2001:db8::9", "lan", 2, 64)
    assert multicast_addresses([cable, six, wifi, LOOPBACK]) == ("192.0.2.9", "198.51.100.9")
    assert multicast_addresses([six, own("fe80::9"), LOOPBACK]) == (2,)
    assert multicast_addresses([LOOPBACK, LOOPBACK6]) == ("127.0.0.1",)
    assert multicast_addresses([]) == ()
