"""A small network that can be torn: Linux network namespaces joined by bridges and veth pairs.

One namespace is the switch: two bridges and a wire between them. Every machine is a namespace with
one interface at one of the bridges. Nothing of it is seen outside; all names are of this run only.
"""

import itertools
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NETWORK = "10.77.0"
_numbers = itertools.count()


class Network:
    """Machines on two sides of a wire. Machine n has the address NETWORK.(n + 1)."""

    def __init__(self, name: str, sides: tuple[int, int]) -> None:
        self._name = name
        self.machines = sum(sides)
        self._switch = f"{name}-switch"
        self._side = ["left"] * sides[0] + ["right"] * sides[1]

    def address(self, machine: int) -> str:
        return f"{NETWORK}.{machine + 1}"

    def inside(self, machine: int) -> str:
        """A line of shell that runs what follows it in that machine."""
        return f"exec ip netns exec {self._machine(machine)}"

    def tear(self) -> None:
        """Cut the wire between the two sides. Nobody is told; what is sent is lost."""
        ip(f"-n {self._switch} link set wire-left down")

    def mend(self) -> None:
        """Put the wire back."""
        ip(f"-n {self._switch} link set wire-left up")

    def build(self) -> None:
        for name in (self._switch, *map(self._machine, range(self.machines))):
            ip(f"netns add {name}")
        switch = f"-n {self._switch}"
        for side in ("left", "right"):
            ip(f"{switch} link add {side} type bridge")
            ip(f"{switch} link set {side} up")
        ip(f"{switch} link add wire-left type veth peer name wire-right")
        for side in ("left", "right"):
            ip(f"{switch} link set wire-{side} master {side} up")
        for machine, side in enumerate(self._side):
            name = self._machine(machine)
            ip(f"{switch} link add port{machine} type veth peer name eth0 netns {name}")
            ip(f"{switch} link set port{machine} master {side} up")
            ip(f"-n {name} address add {self.address(machine)}/24 dev eth0")
            for interface in ("lo", "eth0"):
                ip(f"-n {name} link set {interface} up")

    def remove(self) -> None:
        """Remove all of it; the interfaces go with the namespaces."""
        names = (self._switch, *map(self._machine, range(self.machines)))
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)

    def _machine(self, number: int) -> str:
        return f"{self._name}-{number}"


def ip(arguments: str) -> None:
    """Run ``ip``. Raises CalledProcessError with what it says."""
    subprocess.run(["ip", *arguments.split()], check=True, capture_output=True, text=True)


@contextmanager
def network(left: int, right: int) -> Iterator[Network]:
    """Machines on two sides of a wire, for the length of the block. Skips the test where this is
    not allowed, or not possible.
    """
    if shutil.which("ip") is None:
        pytest.skip("needs iproute2 (the program ip)")
    name = f"p2pcoup-{os.getpid()}-{secrets.token_hex(3)}-{next(_numbers)}"
    made = Network(name, (left, right))
    try:
        try:
            made.build()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces cannot be made here: {error.stderr.strip()}")
        yield made
    finally:
        made.remove()
