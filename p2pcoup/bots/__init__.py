"""Bots: policies that decide from a view, knowing exactly what a person in that seat knows."""

from collections.abc import Mapping
from types import MappingProxyType

from p2pcoup.bots.harmless import harmless
from p2pcoup.bots.honest import honest
from p2pcoup.bots.policy import Policy, random_move

BOTS: Mapping[str, Policy] = MappingProxyType({"random": random_move, "honest": honest})
"""Every bot by its name."""

__all__ = ["BOTS", "Policy", "harmless", "honest", "random_move"]
