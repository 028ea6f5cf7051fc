"""What can go wrong with files. Every message is a sentence for people."""


class JournalError(Exception):
    """A file of the game cannot be used: damaged, somebody else's, in use, or the disk refuses."""


class TranscriptError(ValueError):
    """These bytes are not a readable transcript. The message names the byte where reading ended."""
