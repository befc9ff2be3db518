"""The worker's side: a process that makes a handler and answers one request at a time, until the agent is gone."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from collector.workers.allocation import give_back_memory

NICENESS = 10
"""Workers give way to the receiver, which has senders waiting."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Asks a worker to make its handler, or to make it anew."""

    setup: Callable[..., Callable[[Any], Any]]
    setup_args: tuple[Any, ...]


def main(descriptor: int) -> None:
    """Serve over the socket that was inherited as ``descriptor``; the first request is a `SetUp`."""
    os.nice(NICENESS)
    give_back_memory()
    handler: Callable[[Any], Any] | None = None
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
                        # What was imported stays: no need to look through it for garbage again and again.
                        gc.freeze()
                    handler = request.setup(*request.setup_args)
                elif handler is None:
                    return
                else:
                    reply = handler(request)
            except Exception as error:  # noqa: BLE001 - sent to the caller, which raises it
                reply = error
            try:
                pipe.send(reply)
            except (BrokenPipeError, OSError):
                return
