"""What receivers tell the agent's telemetry, and what they may refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

ReceiveProtocol = Literal["http/protobuf", "http/json", "grpc"]
Rejection = Literal["invalid_trace_id", "invalid_span_id", "too_large", "thinned"]
"""Why a span of an accepted request is not stored. ``thinned`` is our own choice; the others the sender is told."""

RETRY_SECONDS = 1
"""When a sender that was refused should come back: a commit takes milliseconds, so a second clears any burst."""


class ReceiveTelemetry(Protocol):
    """Where receivers and the writer report. Called from several threads."""

    def request(
        self, protocol: ReceiveProtocol, code: str, *, spans: int, rejected: Mapping[Rejection, int], n_bytes: int
    ) -> None:
        """Count a request answered with ``code`` (HTTP status, or name of the gRPC status).

        ``spans`` were acknowledged, after they were durable; ``n_bytes`` is the body after decompression, 0 if it was
        never read whole.
        """
        ...

    def commit(self, seconds: float, *, requests: int, spans: int) -> None:
        """Observe one commit: how long it took, and what it made durable."""
        ...

    def queue(self, n_bytes: int) -> None:
        """Set the bytes received and not yet committed."""
        ...


class Refused(Exception):  # noqa: N818 - an answer to the sender, not a failure of ours
    """The request cannot be taken now and changed nothing; the sender should try again in `RETRY_SECONDS`."""


class Full(Refused):
    """As much as may wait for its commit is waiting."""


class Unavailable(Refused):
    """The agent is stopping, or its store cannot be written."""


class Garbage(Exception):  # noqa: N818 - says what came in
    """A body that is not what its content type says, or not OTLP; trying again is useless."""


class TooLarge(Exception):  # noqa: N818 - says what came in
    """A body beyond the bounds of the receiver."""
