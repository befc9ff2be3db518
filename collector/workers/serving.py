"""The worker's side: a process that makes a handler and answers one request at a time, until the agent is gone."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from collector.workers.allocation import trim

YOUNG = 100_000
"""Objects more than were given back until the young ones are looked through for garbage.

The panel leaves no cycles. With a tenth of this, what the caches over texts keep was looked through again and again,
for 6 to 8 % of the time over new passages; now only what a scorer of one's own may leave makes it run.
"""
SETTLED = 64
"""Requests after which models, tables and lexicons are there, which the first ones read, and stay."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Asks a worker to make its handler, or to make it anew."""

    setup: Callable[..., Callable[[Any], Any]]
    setup_args: tuple[Any, ...]
    niceness: int = 0
    """By how much a new worker gives way to others."""


def settle() -> None:
    """Have what is in memory now stay, without being looked through for garbage again and again."""
    gc.collect()
    gc.freeze()


def main(descriptor: int) -> None:
    """Serve over the socket that was inherited as ``descriptor``; the first request is a `SetUp`."""
    handler: Callable[[Any], Any] | None = None
    gc.set_threshold(YOUNG)
    answered = 0
    with Connection(descriptor) as pipe:
        while True:
            try:
                request = pipe.recv()
            except (EOFError, OSError):
                return
            try:
                if isinstance(request, SetUp):
                    reply = None
                    if handler is None:
                        os.nice(request.niceness)
                        gc.freeze()  # what was imported stays
                    handler = request.setup(*request.setup_args)
                elif handler is None:
                    return
                else:
                    reply = handler(request)
                    answered += 1
                    if answered == SETTLED:
                        settle()
                    if answered % SETTLED == 0:
                        trim()
            except Exception as error:  # noqa: BLE001 - sent to the caller, which raises it
                reply = error
            try:
                pipe.send(reply)
            except (BrokenPipeError, OSError):
                return
