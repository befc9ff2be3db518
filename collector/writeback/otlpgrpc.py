"""OTLP over gRPC: the SDK's exporter, with a witness at its stub that keeps what the server answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import RetryInfo
from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk._logs.export import LogRecordExportResult

from collector.errors import ConfigError
from collector.outbound.client import MAX_ANSWER_BYTES
from collector.outbound.errors import Refused, Unreachable
from collector.outbound.reply import MAX_RETRY_AFTER_SECONDS, Secrets

RETRY_INFO = "google.rpc.retryinfo-bin"
TOO_LARGE = "larger than max"
"""In what gRPC says of a message beyond the receiver's limit, with a code that otherwise asks to come back later."""


class GrpcSender:
    """Sends log records to one OTLP/gRPC endpoint."""

    def __init__(
        self, url: str, *, headers: Mapping[str, str], timeout: float, ca_file: Path | None, where: str
    ) -> None:
        self._url = url
        self._secrets = Secrets.of(headers, None)
        secure = url.startswith("https:")
        self._exporter = _Exporter(
            headers,
            endpoint=url,
            insecure=not secure,
            credentials=grpc.ssl_channel_credentials(_authorities(ca_file, where)) if secure else None,
            timeout=timeout,
            compression=grpc.Compression.NoCompression,
            channel_options=(
                ("grpc.enable_http_proxy", 0),
                ("grpc.max_receive_message_length", MAX_ANSWER_BYTES),
            ),
            # None that a call fails with: waiting is the frame's.
            retryable_error_codes=(grpc.StatusCode.OK,),
        )

    def send(self, records: Sequence[ReadableLogRecord]) -> tuple[int, str]:
        """Return how many records were rejected, and why. Raises `Refused` and `Unreachable`."""
        self._exporter.error, self._exporter.response = None, None
        result = LogRecordExportResult.FAILURE
        # The exporter fails on trailers it cannot read; what the call itself said is known by then.
        with suppress(DecodeError):
            result = self._exporter.export(records)
        if self._exporter.error is not None:
            raise self._problem(self._exporter.error)
        if result is not LogRecordExportResult.SUCCESS:
            raise Unreachable(f"{self._url}: the export failed")
        partial = getattr(self._exporter.response, "partial_success", None)
        if partial is None:
            return 0, ""
        return partial.rejected_log_records, self._secrets.shown(partial.error_message)

    def close(self) -> None:
        """Close the channel; a call under way fails."""
        self._exporter.shutdown()

    def _problem(self, error: grpc.RpcError) -> Refused | Unreachable:
        details = self._secrets.shown(str(error.details() or ""))
        reason = f"{self._url}: {error.code().name}: {details}".rstrip(": ")
        if error.code() is grpc.StatusCode.INVALID_ARGUMENT or TOO_LARGE in details:
            return Refused(reason)
        return Unreachable(reason, _retry_after(error))


class _Exporter(OTLPLogExporter):
    """The exporter, with the last answer or error of its stub.

    Headers are kept from the exporter itself: where it has none, it takes those of the environment.
    """

    def __init__(self, headers: Mapping[str, str], **options: Any) -> None:
        self.error: grpc.RpcError | None = None
        self.response: Any = None
        self._sent = tuple(headers.items())
        super().__init__(**options)

    def _initialize_channel_and_stub(self) -> None:
        super()._initialize_channel_and_stub()  # type: ignore[no-untyped-call]
        self._client: Any = _Witness(self._client, self)

    def call(self, stub: Any, request: Any, timeout: float) -> Any:
        """Make one call, and remember how it ended."""
        try:
            self.response = stub.Export(request=request, metadata=self._sent, timeout=max(timeout, 0.0))
        except grpc.RpcError as error:
            self.error = error
            raise
        return self.response


class _Witness:
    """Stands where the exporter expects its stub."""

    def __init__(self, stub: Any, exporter: _Exporter) -> None:
        self._stub = stub
        self._exporter = exporter

    def Export(self, *, request: Any, timeout: float, **_: Any) -> Any:  # noqa: N802 - the stub's name
        """Send, as the stub does."""
        return self._exporter.call(self._stub, request, timeout)


def _authorities(ca_file: Path | None, where: str) -> bytes | None:
    if ca_file is None:
        return None
    try:
        return ca_file.read_bytes()
    except OSError as error:
        raise ConfigError(f"{where}.ca_file: {ca_file}: {error.strerror or error}") from error


def _retry_after(error: grpc.RpcError) -> float | None:
    for name, value in error.trailing_metadata() or ():
        if name == RETRY_INFO:
            try:
                delay = RetryInfo.FromString(value).retry_delay
            except DecodeError:
                return None
            return float(min(max(0.0, delay.seconds + delay.nanos / 1e9), MAX_RETRY_AFTER_SECONDS))
    return None
