"""The terminal client. It knows nothing of the game but the node's local API (protocol/API.md)."""

from p2pcoup.ui.run import Mode, chosen_mode, run, run_client

__all__ = ["Mode", "chosen_mode", "run", "run_client"]
