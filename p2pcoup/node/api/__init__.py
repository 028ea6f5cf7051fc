"""The local API of a node: how clients see its game and play (protocol/API.md)."""

from p2pcoup.node.api.hub import Hub
from p2pcoup.node.api.serving import Way, parse_way, with_clients

__all__ = ["Hub", "Way", "parse_way", "with_clients"]
