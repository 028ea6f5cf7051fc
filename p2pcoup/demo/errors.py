"""What can go wrong in a demo."""

from p2pcoup.node.errors import NodeError


class DemoError(NodeError):
    """The game could not be played or its transcripts do not agree; the message says why."""
