"""A node before its game: the lobby as a task, and from there into the game (SPEC 12)."""
