"""Coup, the bluffing card game, peer to peer: no server, no dealer, an auditable transcript.

The folders, from the bottom up; imports go downwards only::

    rules   Coup as a pure game            deck    mental cards, whatever the game
    wire    message bytes and identities
    table   the protocol of one game, sans-IO: joins rules and deck over wire
    journal the transcript and its crash-safe file
    audit   replays a transcript without secrets
    bots    policies: view -> decision
    net     trio: TLS links and the mesh
    node    trio: puts it together
    cli     the command line

``protocol/SPEC.md`` is the contract; the code cites its numbers.
"""

__version__ = "0.1.0"
