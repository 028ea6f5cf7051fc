"""libsodium, as the ``rbcl`` package ships it, reduced to the few C functions of ristretto255 (RFC
9496) used here.

Of ``rbcl`` only the module that unpacks and loads the library is run. Its Python wrappers are not
used, because they drop the error code of addition and subtraction (an invalid point silently
becomes the identity) and raise when a product is the identity; and loading them takes as long
again. ``prototype`` declares a C function so that the caller sees the return code. ``ctypes.CDLL``
releases the GIL during each call, so proofs run in worker threads beside the event loop.

Loading leaves a copy of the library in the temporary folder, which is removed at once (Windows does
not let go of a loaded file; there the copy stays).
"""

import contextlib
import ctypes
from collections.abc import Callable
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path

Buffer32 = ctypes.c_char * 32
"""Receives one point."""


def _load() -> ctypes.CDLL:
    """The library, initialised. Raises ImportError, or OSError with a sentence for the user."""
    package = find_spec("rbcl")
    folders = None if package is None else package.submodule_search_locations
    found = None if folders is None else PathFinder.find_spec("rbcl._sodium", folders)
    if found is None or found.loader is None:
        raise ImportError("the package rbcl 1.1 is missing")
    loader = module_from_spec(found)  # kept by nobody: the library's bytes need not stay in memory
    try:
        found.loader.exec_module(loader)
    except OSError as error:
        raise OSError(
            "p2pcoup cannot start, because it cannot unpack and load a library in the temporary "
            f"folder: {error.strerror or error}. Make room there, or set TMPDIR to another folder "
            "on this machine"
        ) from error
    finally:
        if isinstance(copy := getattr(loader, "lib_path", None), str):
            with contextlib.suppress(OSError):  # Windows keeps a loaded library on disk
                Path(copy).unlink()
    library = getattr(loader, "_sodium", None)
    if not isinstance(library, ctypes.CDLL):
        raise ImportError("rbcl does not offer its libsodium handle as rbcl._sodium; install 1.1.x")
    if library.sodium_init() < 0:  # without it the calls are not thread-safe
        raise ImportError("libsodium cannot be initialised")
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
