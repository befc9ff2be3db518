"""OTLP: scores and verdicts as `gen_ai.evaluation.result` events, to any backend that takes logs.

Names follow the GenAI semantic conventions (events, as of v1.40) and stand only here; what they have no name for is
below ``groundwire.``. An event is a log record with the trace id and span id of the answer's root span. Sending is
at least once: ``log.record.uid`` is the same whenever the same score is sent, so that a backend can drop copies.

The SDK's exporter encodes; over HTTP our own client carries, and over gRPC a witness listens, because the exporter
itself says no more than whether it failed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

import orjson
from pydantic import Field, SecretStr

from collector.errors import ConfigError
from collector.outbound.client import MAX_ANSWER_BYTES
from collector.outbound.options import Closable, Credentials
from collector.security.secrets import read_secret
from collector.writeback.base import TargetOptions, WriteBackItem, WriteResult

if TYPE_CHECKING:
    from opentelemetry.sdk._logs import ReadableLogRecord

EVENT = "gen_ai.evaluation.result"
NAME = "gen_ai.evaluation.name"
VALUE = "gen_ai.evaluation.score.value"
LABEL = "gen_ai.evaluation.score.label"
EXPLANATION = "gen_ai.evaluation.explanation"
UID = "log.record.uid"
OURS = "groundwire."
HeaderName = Annotated[str, Field(pattern=r"^[0-9A-Za-z_.-]{1,100}$")]
"""As gRPC allows it, which is less than HTTP does."""


class Sender(Closable, Protocol):
    """Sends one batch of log records and says what became of it."""

    def send(self, records: Sequence[ReadableLogRecord]) -> tuple[int, str]:
        """Return how many records were rejected, and why. Raises `Refused` and `Unreachable`."""
        ...


class OtlpWriteBack(TargetOptions):
    """Writes scores and verdicts to any OpenTelemetry backend, as `gen_ai.evaluation.result` events."""

    type: Literal["otlp"] = "otlp"
    protocol: Literal["http/protobuf", "grpc"] = Field(
        default="http/protobuf", description="How events are sent; with HTTP they go to `/v1/logs` below the URL."
    )
    headers: Mapping[HeaderName, SecretStr] = Field(
        default_factory=dict, description="Headers of every request, such as `authorization`."
    )
    header_files: Mapping[HeaderName, Path] = Field(
        default_factory=dict, description="More headers, each with the file that holds its value."
    )
    resource: Mapping[str, str] = Field(
        default_factory=dict,
        description="Resource attributes of the events, added to `service.name: groundwire`, which they may override.",
    )

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret: any header may be one."""
        return bool(self.headers or self.header_files)

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: a header given twice, or one that cannot be sent."""
        taken = {name.lower() for name in self.headers}
        for name in self.header_files:
            if name.lower() in taken:
                yield f"{where}.header_files.{name}: give the header or its file, not both"

    def credentials(self, where: str) -> Credentials:
        """Return the headers. Raises `ConfigError` for one that cannot be read, or that cannot be sent."""
        headers = {name.lower(): value.get_secret_value() for name, value in self.headers.items()}
        for name, value in headers.items():
            if not (value.isascii() and value.isprintable()):
                raise ConfigError(f"{where}.headers.{name}: a header is one line of printable ASCII")
        for name, file in self.header_files.items():
            headers[name.lower()] = read_secret(None, file, f"{where}.header_files.{name}") or ""
        return Credentials(headers)

    def open(self, where: str) -> OtlpTarget:
        """Return the target. Raises `ConfigError` for a header or a certificate, or if the exporter is missing."""
        # What the exporter says of a failure stands in the target's status; its log would say it once a request.
        logging.getLogger("opentelemetry.exporter").setLevel(logging.CRITICAL)
        timeout = self.timeout.total_seconds()
        sender: Sender
        try:
            if self.protocol == "grpc":
                from collector.writeback.otlpgrpc import GrpcSender

                headers = self.credentials(where).headers
                sender = GrpcSender(self.url, headers=headers, timeout=timeout, ca_file=self.ca_file, where=where)
            else:
                from collector.writeback.otlphttp import HttpSender

                sender = HttpSender(self.client(where, max_bytes=MAX_ANSWER_BYTES), self.url, timeout=timeout)
        except ImportError as error:
            raise ConfigError(f"{where}.type: otlp needs more packages: pip install 'groundwire[otlp]'") from error
        return OtlpTarget(sender, self.resource)


class OtlpTarget:
    """Writes to one OTLP endpoint."""

    def __init__(self, sender: Sender, resource: Mapping[str, str]) -> None:
        from opentelemetry.sdk._logs import ReadableLogRecord
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.util.instrumentation import InstrumentationScope

        version = installed_version("groundwire")
        # Not `Resource.create`, which reads the environment.
        self._resource = Resource({"service.name": "groundwire", "service.version": version, **resource})
        self._scope = InstrumentationScope("groundwire", version)
        self._record = ReadableLogRecord
        self._sender = sender

    def write(self, items: Sequence[WriteBackItem]) -> WriteResult:
        """Send one event an item."""
        records = [self._record(_log_record(item), self._resource, self._scope) for item in items]
        rejected, reason = self._sender.send(records)
        rejected = min(max(rejected, 0), len(items))
        return WriteResult(len(items) - rejected, (), rejected, (reason,) if rejected and reason else ())

    def close(self) -> None:
        """Close the connection."""
        self._sender.close()


def attributes(item: WriteBackItem) -> dict[str, str | int | float]:
    """Return the attributes of an item's event."""
    found: dict[str, str | int | float] = {NAME: item.name, UID: _uid(item)}
    found |= {OURS + name: value for name, value in item.metadata.items()}
    found |= {OURS + "answer_id": item.answer_id, OURS + "revision": item.revision}
    for name, value in ((VALUE, item.value), (LABEL, item.label), (EXPLANATION, item.explanation)):
        if value is not None:
            found[name] = value
    return found


def _uid(item: WriteBackItem) -> str:
    content = orjson.dumps([item.answer_id, item.revision, item.name, item.scored_at])
    return blake2b(content, digest_size=16).hexdigest()


def _log_record(item: WriteBackItem) -> Any:
    from opentelemetry._logs import LogRecord, SeverityNumber
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    span = SpanContext(
        trace_id=int(item.trace_id, 16),
        span_id=int(item.span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
    return LogRecord(
        timestamp=item.scored_at,
        observed_timestamp=item.scored_at,
        context=set_span_in_context(NonRecordingSpan(span), Context()),
        severity_number=SeverityNumber.INFO,
        attributes=attributes(item),
        event_name=EVENT,
    )
