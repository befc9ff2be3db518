"""What an adapter is, and the one error it may raise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from adapters.schema import Answer
from adapters.trace import Trace


class MalformedRecord(Exception):  # noqa: N818 - the name of the contract, not of a failure in our code
    """A record that cannot be read: counted with ``reason``, kept for inspection, and never stops the loop."""

    def __init__(self, reason: str, where: str | None = None) -> None:
        super().__init__(reason if where is None else f"{where}: {reason}")
        self.reason = reason
        self.where = where


class Adapter(Protocol):
    """Turns one foreign trace into zero or more answers."""

    def adapt(self, trace: Trace) -> Iterator[Answer]:
        """Yield the answers of ``trace``; none when it holds no answered question. Raises `MalformedRecord`."""
        ...
