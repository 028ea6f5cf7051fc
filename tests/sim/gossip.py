"""What the node says over a link, from the node's own module.

It is loaded without its package: `p2pcoup.node` loads the network code, beside which the simulator
does not use its stand-in for the group. The module itself needs nothing but `p2pcoup.wire`.
"""

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import p2pcoup

if TYPE_CHECKING:
    from p2pcoup.node import gossip
else:
    _PATH = Path(p2pcoup.__file__).parent / "node" / "gossip.py"
    _SPEC = importlib.util.spec_from_file_location("tests.sim._node_gossip", _PATH)
    gossip = importlib.util.module_from_spec(_SPEC)
    sys.modules[_SPEC.name] = gossip
    _SPEC.loader.exec_module(gossip)

Gossip = gossip.Gossip
Have = gossip.Have
Passed = gossip.Passed
Requests = gossip.Requests
decode_gossip = gossip.decode_gossip
encode_gossip = gossip.encode_gossip

__all__ = ["Gossip", "Have", "Passed", "Requests", "decode_gossip", "encode_gossip"]
