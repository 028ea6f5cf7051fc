"""Finding tables in the local network by multicast DNS (SPEC 9.9). All of it is only a hint."""

from p2pcoup.net.discovery.advert import Advert, AdvertError, TableState
from p2pcoup.net.discovery.announce import Announcement, announce
from p2pcoup.net.discovery.browse import Browser, browse
from p2pcoup.net.discovery.mdns import SERVICE
from p2pcoup.net.discovery.sighting import Changed, Found, Gone, Sighting, TableEvent
from p2pcoup.net.discovery.silence import Reason, Silence, diagnose

__all__ = [
    "SERVICE",
    "Advert",
    "AdvertError",
    "Announcement",
    "Browser",
    "Changed",
    "Found",
    "Gone",
    "Reason",
    "Sighting",
    "Silence",
    "TableEvent",
    "TableState",
    "announce",
    "browse",
    "diagnose",
]
