"""Every limit of a lobby, with its reason (SPEC 12.7). Times are seconds of the caller's clock."""

from typing import Final

MAX_LOBBY_BYTES: Final = 32 * 1024
"""One message. A full table with 32 watchers and the longest names and addresses has under 24 KiB;
a frame holds 64."""
TABLE_BYTES: Final = 16
"""The id of a table: random, so that a message of an evening long past fits no other."""
GAME_RANDOM_BYTES: Final = 12
"""What makes the text of a game new, in hexadecimal behind the table's name."""
MAX_WATCHERS: Final = 32
"""People without a seat. The opener passes everything on to each of them."""
MAX_ADDRESSES: Final = 4
"""Where one person may be reached: home networks give two or three addresses."""
MAX_ADDRESS_CHARACTERS: Final = 300
"""The text of an address (9.1)."""
MAX_GAMES: Final = 100
"""Games of a match; a table file allows no more."""
MAX_REIGN: Final = 1000
"""How often a table can be opened again."""
MAX_REIGNS_MISSED: Final = 8
"""How many of these a guest may have missed; a claim further ahead is a lie."""
MAX_KNOWN: Final = 128
"""People of the table a guest takes links from, also after they are off the sheet."""
MAX_NUMBER: Final = 1_000_000
"""Sheets of one opener: four changes a second for days."""
MAX_ATTEMPTS: Final = 10_000
"""Rosters of one opener."""

BURST: Final = 40
"""Messages of one peer that are read at once after a quiet time; an honest one sends a few."""
MESSAGES_PER_SECOND: Final = 8.0
"""The lasting rate after that; what is more is not read. The opener answers a change with a sheet
for everybody, so this bounds what one guest can make it send."""
TALK_BURST: Final = 5
"""Things one person may say at once; the rest is not shown. As in a game (3.7)."""
TALK_PAUSE: Final = 2.0
"""And then one in so many seconds."""
CALL_BURST: Final = 20
"""Addresses of a sheet that a guest dials at once; more than people sit at a table."""
CALL_PAUSE: Final = 2.0
"""And then one in so many seconds: an opener that names new ones without end must not make its
guests call all the world."""
KEPT_WORDS: Final = 20
"""Things that were said which are said again to those who come a little later."""

GONE_SECONDS: Final = 3.0
"""No link with the opener for so long: the table may be opened again. A link that only broke is up
again in one."""
KEPT_SECONDS: Final = 60.0
"""How long a place is kept for somebody without a link."""
SHOWN_SECONDS: Final = 3.0
"""So long everybody has been shown to the others before the opener starts: nobody plays with
somebody they had no time to see."""
SHOWN_LEAST: Final = 2.0
"""What a guest insists on of that; less, because a sheet may be late."""
READ_SECONDS: Final = 1.0
"""So long after a change of the settings nobody can say that they are ready: whoever does it so
soon has not seen them."""
SIGN_SECONDS: Final = 10.0
"""How long the opener waits for all signatures. Programs sign, not people."""
HOLD_SECONDS: Final = 30.0
"""How long a signature stands: the opener's patience and slow links."""
ENTER_SECONDS: Final = 10.0
"""So long everybody has to enter a game before the others are told who has not. Programs enter."""
PARTED_SECONDS: Final = 5.0
"""So long another opener of the same table stands beside one's own before the user is told."""
BUSY_SECONDS: Final = 3.0
"""When a newcomer that was told to wait tries again."""
