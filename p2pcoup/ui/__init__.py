"""The terminal client. It knows nothing of the game but the node's local API (protocol/API.md)."""
