"""OTLP over HTTP: the SDK's exporter encodes, and our client carries what it gives.

The exporter takes a session of `requests`; the adapter in it is our `HttpClient`, whose bounds hold then: on time and
size, without redirects, proxies or settings from the environment, and with the answer where it can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import requests
from google.protobuf.message import DecodeError
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.sdk._logs import ReadableLogRecord
from opentelemetry.sdk._logs.export import LogRecordExportResult
from requests.adapters import BaseAdapter

from collector.outbound.client import HttpClient
from collector.outbound.errors import Refused, Unreachable
from collector.outbound.reply import Reply

PATH = "/v1/logs"
PROTOBUF = "application/x-protobuf"


class HttpSender:
    """Sends log records to one OTLP/HTTP endpoint."""

    def __init__(self, client: HttpClient, url: str, *, timeout: float) -> None:
        self._carrier = _Carrier(client)
        session = requests.Session()
        session.trust_env = False
        for scheme in ("http://", "https://"):
            session.mount(scheme, self._carrier)
        self._exporter: Any = OTLPLogExporter(
            endpoint=url.rstrip("/") + PATH, timeout=timeout, compression=Compression.NoCompression, session=session
        )

    def send(self, records: Sequence[ReadableLogRecord]) -> tuple[int, str]:
        """Return how many records were rejected, and why. Raises `Refused` and `Unreachable`."""
        result = self._exporter.export(records)
        outcome = self._carrier.take()
        if isinstance(outcome, Exception):
            raise outcome
        if result is not LogRecordExportResult.SUCCESS or outcome is None:
            raise Refused("the records cannot be encoded")
        try:
            partial = ExportLogsServiceResponse.FromString(outcome.body).partial_success
        except DecodeError:
            raise Unreachable(f"{outcome.url}: {outcome.status} with a body that is not OTLP") from None
        return partial.rejected_log_records, outcome.shown(partial.error_message)

    def close(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()


class _Carrier(BaseAdapter):
    """Sends what a session of `requests` gives it with our client, and keeps what came of it.

    A failure is raised, not answered: the exporter would try again by itself, and waiting is the frame's.
    """

    def __init__(self, client: HttpClient) -> None:
        super().__init__()
        self._client = client
        self._outcome: Reply | Refused | Unreachable | None = None

    def take(self) -> Reply | Refused | Unreachable | None:
        """Return what came of the last request, once."""
        outcome, self._outcome = self._outcome, None
        return outcome

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Send the body; headers, proxies and certificates that the exporter took from the environment are left."""
        body = request.body if isinstance(request.body, bytes) else b""
        try:
            reply = self._client.post(PATH, content=body, headers={"content-type": PROTOBUF})
            if not reply.ok:
                raise reply.refusal()
        except (Refused, Unreachable) as problem:
            self._outcome = problem
            raise
        self._outcome = reply
        response = requests.Response()
        response.status_code = reply.status
        return response

    def close(self) -> None:
        """Close our client."""
        self._client.close()
