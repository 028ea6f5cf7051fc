"""libsodium, as the ``rbcl`` package ships it, reduced to the few C functions of ristretto255 (RFC
9496) used here.

``rbcl`` is only asked to load and initialise the library. Its Python wrappers are not used, because
they drop the error code of addition and subtraction (an invalid point silently becomes the
identity) and raise when a product is the identity. ``prototype`` declares a C function so that the
caller sees the return code. ``ctypes.CDLL`` releases the GIL during each call, so proofs run in
worker threads beside the event loop.

Loading has two leftovers, both cleared at once: a copy of the library in the temporary folder
(Windows does not let go of a loaded file; there the copy stays) and the same bytes in memory.
"""

import contextlib
import ctypes
import importlib
from collections.abc import Callable
from pathlib import Path

Buffer32 = ctypes.c_char * 32
"""Receives one point."""


def _load() -> ctypes.CDLL:
    importlib.import_module(
        "rbcl"
    )  # initialises libsodium; without it the calls are not thread-safe
    loader = importlib.import_module("rbcl._sodium")
    library = loader._sodium
    if not isinstance(library, ctypes.CDLL):
        raise ImportError("rbcl does not offer its libsodium handle as rbcl._sodium; install 1.1.x")
    temporary_copy = getattr(loader, "lib_path", None)
    if isinstance(temporary_copy, str):
        with contextlib.suppress(OSError):  # Windows keeps a loaded library on disk
            Path(temporary_copy).unlink()
    if hasattr(loader, "sodium_bs"):
        del loader.sodium_bs
    return library


_LIBRARY = _load()


def prototype(name: str, arguments: int) -> Callable[..., int]:
    """The C function ``name`` taking ``arguments`` byte pointers; its result is the C return code
    (0: success).

    Lengths are not checked: every pointer must have as many bytes as the C function reads.
    """
    function = _LIBRARY[name]
    function.argtypes = [ctypes.c_char_p] * arguments
    function.restype = ctypes.c_int
    return function
