"""Who may knock: limits on incoming connections that have not yet shown who they are (SPEC 9.7).

Two limits for each network (an IPv4 address, an IPv6 /64) and one for all together:
a rate, above which a connection is closed unread, and a number of half-open connections, above
which the *oldest* of the greediest network makes room. Turning the newest away instead would let
whoever holds some silent connections shut everybody else out; an honest handshake is done in
milliseconds and is hardly ever the oldest. Pure: time and the way to evict come from the caller.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from p2pcoup.net.address import network_of
from p2pcoup.net.limits import (
    CALL_BURST,
    CALLS_PER_SECOND,
    MAX_CALLER_NETWORKS,
    MAX_HALF_OPEN,
    MAX_HALF_OPEN_PER_NETWORK,
)
from p2pcoup.net.pacing import TokenBucket


class Call:
    """One half-open connection. `evict` ends it; who replaces the function keeps that meaning."""

    __slots__ = ("evict", "network")

    def __init__(self, network: str, evict: Callable[[], None]) -> None:
        self.network: Final = network
        self.evict = evict


class Doorman:
    """Keeps the half-open connections within their limits."""

    def __init__(self) -> None:
        # In order of arrival, so the first of a network is its oldest.
        self._calls: OrderedDict[Call, None] = OrderedDict()
        self._rates: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._calls)

    def knock(self, host: str, now: float, evict: Callable[[], None]) -> Call | None:
        """Let a connection from `host` in, evicting an older one if needed; None: turn it away.

        Whoever was let in must `leave` when it has shown who it is or has failed.
        """
        network = network_of(host)
        if not self._rate(network, now).take(now):
            return None
        counts = Counter(call.network for call in self._calls)
        if counts[network] >= MAX_HALF_OPEN_PER_NETWORK:
            self._evict_oldest(network)
        elif len(self._calls) >= MAX_HALF_OPEN:
            self._evict_oldest(counts.most_common(1)[0][0])
        call = Call(network, evict)
        self._calls[call] = None
        return call

    def leave(self, call: Call) -> None:
        """The connection is no longer half-open. May be called more than once."""
        self._calls.pop(call, None)

    def _evict_oldest(self, network: str) -> None:
        oldest = next(call for call in self._calls if call.network == network)
        del self._calls[oldest]
        oldest.evict()

    def _rate(self, network: str, now: float) -> TokenBucket:
        rate = self._rates.get(network)
        if rate is None:
            if len(self._rates) >= MAX_CALLER_NETWORKS:
                self._rates.popitem(last=False)
            rate = self._rates[network] = TokenBucket(CALL_BURST, CALLS_PER_SECOND, now)
        self._rates.move_to_end(network)
        return rate
