"""What keeps a node from going on. Each message is a sentence that tells its user what to do."""


class NodeError(Exception):
    """The base of them all."""


class TableClosedError(NodeError):
    """This peer has no place at the table, and that was nobody's wish here."""
