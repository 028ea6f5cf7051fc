"""How much memory this process has needed, where the system tells."""

import sys

if sys.platform == "win32":

    def peak_memory_kib() -> int | None:
        """The most memory this process has held so far, in KiB; None where not known."""
        return None

else:
    import resource

    def peak_memory_kib() -> int | None:
        """The most memory this process has held so far, in KiB; None where not known."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak // 1024 if sys.platform == "darwin" else peak
