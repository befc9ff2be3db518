"""What is freed between blocks that live on goes back to the system."""

from __future__ import annotations

import ctypes

import psutil
import pytest

from collector.workers.allocation import trim

MIB = 2**20


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library keeps nothing that is free")
def test_what_is_free_between_blocks_goes_back() -> None:
    process = psutil.Process()
    blocks = [bytes(20_000) for _ in range(4_000)]
    kept = blocks[::100]
    held = process.memory_info().rss
    del blocks
    before = process.memory_info().rss

    assert trim()

    assert len(kept) == 40
    assert process.memory_info().rss < min(before, held - 40 * MIB)
