"""How this process gives memory back: requests and batches of megabytes come and go, and the allocator would keep them.

By default glibc raises the size from which it asks the system for memory of its own to that of the largest block ever
freed, and has an arena for each thread. Blocks of megabytes then leave holes between small ones that live on, and the
process keeps for good what its busiest moment took.
Source: https://man7.org/linux/man-pages/man3/mallopt.3.html
"""

from __future__ import annotations

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
LARGE_BYTES = 256 * 1024
"""Blocks from here on go back to the system when they are freed."""
SPARE_BYTES = 1024 * 1024
ARENAS = 1
"""Threads take turns to hold the interpreter, and hardly wait for each other here; each more has holes of its own."""


def give_back_memory() -> bool:
    """Have large blocks returned to the system as soon as they are freed; return whether the C library can do that."""
    return _set((M_MMAP_THRESHOLD, LARGE_BYTES), (M_TRIM_THRESHOLD, SPARE_BYTES), (M_ARENA_MAX, ARENAS))


def share_arena() -> bool:
    """Have all threads take memory from one place; return whether the C library can do that.

    For the agent itself: to ask the system for each body of a request would cost it more than it saves.
    """
    return _set((M_ARENA_MAX, ARENAS))


def trim() -> bool:
    """Return free pages between blocks to the system; return whether the C library can do that and there were any.

    It takes a tenth of a millisecond to a few, however much is in use.
    Source: https://man7.org/linux/man-pages/man3/malloc_trim.3.html
    """
    malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return malloc_trim is not None and malloc_trim(0) == 1


def _set(*wanted: tuple[int, int]) -> bool:
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        # musl: it has no such options, and keeps no large blocks.
        return False
    return all(mallopt(option, value) == 1 for option, value in wanted)
