"""What receivers tell the agent's telemetry, and what they may refuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from adapters.wire.ids import IdFlaw
from adapters.wire.otlp_logs import Ignored

ReceiveProtocol = Literal["http/protobuf", "http/json", "grpc"]
Rejection = Literal[IdFlaw, "too_large", "thinned"]
"""Why an item of an accepted request is refused. ``thinned`` is our own choice; the others the sender is told."""
Dropped = Rejection | Ignored
"""Why an item is not stored."""
SignalName = Literal["traces", "logs"]

RETRY_SECONDS = 1
"""When a sender that was refused should come back: a commit takes milliseconds, so a second clears any burst."""


class ReceiveTelemetry(Protocol):
    """Where receivers and the writer report. Called from several threads."""

    def request(
        self,
        protocol: ReceiveProtocol,
        code: str,
        *,
        signal: SignalName,
        items: int,
        dropped: Mapping[Dropped, int],
        n_bytes: int,
    ) -> None:
        """Count a request answered with ``code`` (HTTP status, or name of the gRPC status).

        ``items`` (spans or log records) were acknowledged, after they were durable; ``n_bytes`` is the body after
        decompression, 0 if it was never read whole.
        """
        ...

    def commit(self, seconds: float, *, requests: int, items: int) -> None:
        """Observe one commit: how long it took, and what it made durable."""
        ...

    def queue(self, n_bytes: int) -> None:
        """Set the bytes received and not yet committed."""
        ...


@dataclass(slots=True)
class RequestTally:
    """What becomes of one request, for telemetry."""

    n_bytes: int = 0
    items: int = 0
    dropped: Counter[Dropped] = field(default_factory=Counter)


class RetryLater(Exception):  # noqa: N818 - an answer to the sender, not a failure of ours
    """The request cannot be taken now and changed nothing; the sender should try again in `RETRY_SECONDS`."""


class QueueFull(RetryLater):
    """As much as may wait for its commit is waiting."""


class Unavailable(RetryLater):
    """The agent is stopping, or its store cannot be written."""
