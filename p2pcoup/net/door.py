"""The door: limits for callers nobody knows yet (SPEC 9.7).

There are two limits for each network (an IPv4 address, an IPv6 /64) and the same two for all
together: a rate, above which a connection is closed unread, and a number of half-open connections,
above which the *oldest* of the greediest network makes room. Turning the newest away instead would
let whoever holds some silent connections shut everybody else out; an honest handshake is done in
milliseconds and is hardly ever the oldest. The rate of all together binds those alone from whose
network no link has come lately: a flood from everywhere must not shut out who was here already.
The limits are pure: time and the way to evict come from the caller.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

import trio

from p2pcoup.net.address import Address, network_of
from p2pcoup.net.events import Event, Refused
from p2pcoup.net.limits import (
    CALL_BURST,
    CALLS_PER_SECOND,
    MAX_CALLER_NETWORKS,
    MAX_HALF_OPEN,
    MAX_HALF_OPEN_PER_NETWORK,
    MAX_REGULAR_NETWORKS,
    REFUSAL_BURST,
    REFUSALS_PER_SECOND,
    STRANGER_BURST,
    STRANGERS_PER_SECOND,
)
from p2pcoup.net.rate import TokenBucket


class Call:
    """One half-open connection, and the way to end it."""

    __slots__ = ("evict", "network")

    def __init__(self, network: str, evict: Callable[[], None]) -> None:
        self.network: Final = network
        self.evict: Final = evict


class Doorman:
    """Keeps the half-open connections within their limits."""

    def __init__(self) -> None:
        # In order of arrival, so the first of a network is its oldest.
        self._calls: OrderedDict[Call, None] = OrderedDict()
        self._rates: OrderedDict[str, TokenBucket] = OrderedDict()
        self._regulars: OrderedDict[str, None] = OrderedDict()
        self._strangers: TokenBucket | None = None

    def __len__(self) -> int:
        return len(self._calls)

    def knock(self, host: str, now: float, evict: Callable[[], None]) -> Call | None:
        """Let a connection from `host` in, evicting an older one if needed; None: turn it away.

        Whoever was let in must `leave` when it has shown who it is or has failed.
        """
        network = network_of(host)
        if not self._rate(network, now).take(now) or not self._has_room_for(network, now):
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

    def welcome(self, call: Call) -> None:
        """The connection has become a link: who calls from there is no stranger from now on."""
        self.leave(call)
        self._regulars[call.network] = None
        self._regulars.move_to_end(call.network)
        if len(self._regulars) > MAX_REGULAR_NETWORKS:
            self._regulars.popitem(last=False)

    def _evict_oldest(self, network: str) -> None:
        oldest = next(call for call in self._calls if call.network == network)
        del self._calls[oldest]
        oldest.evict()

    def _has_room_for(self, network: str, now: float) -> bool:
        if self._strangers is None:
            self._strangers = TokenBucket(STRANGER_BURST, STRANGERS_PER_SECOND, now)
        return network in self._regulars or self._strangers.take(now)

    def _rate(self, network: str, now: float) -> TokenBucket:
        rate = self._rates.get(network)
        if rate is None:
            if len(self._rates) >= MAX_CALLER_NETWORKS:
                self._rates.popitem(last=False)
            rate = self._rates[network] = TokenBucket(CALL_BURST, CALLS_PER_SECOND, now)
        self._rates.move_to_end(network)
        return rate


class RefusalReports:
    """Tells the node of callers that were turned away, without letting junk drown the game.

    Sends some `Refused` events and counts the others. Never waits for the node.
    """

    def __init__(self, events: trio.MemorySendChannel[Event]) -> None:
        self._events: Final = events
        self._rate: TokenBucket | None = None
        self._unreported = 0

    def report(self, remote: Address, reason: str, now: float) -> None:
        """A connection from `remote` was turned away; `now` in seconds of one clock."""
        if self._rate is None:
            self._rate = TokenBucket(REFUSAL_BURST, REFUSALS_PER_SECOND, now)
        if not self._rate.take(now):
            self._unreported += 1
            return
        try:
            self._events.send_nowait(Refused(remote, reason, self._unreported))
        except trio.WouldBlock:
            self._unreported += 1
        else:
            self._unreported = 0
