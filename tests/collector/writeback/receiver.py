"""OTLP logs receivers, over HTTP and gRPC, that take what comes or answer as a test tells them."""

from __future__ import annotations

import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2_grpc import (
    LogsServiceServicer,
    add_LogsServiceServicer_to_server,
)

from tests.collector.sources.server import serving


class Received:
    """What a receiver got: requests, and the headers of each. ``answers`` are given first, one a request."""

    def __init__(self):
        self.requests = []
        self.headers = []
        self.answers = []
        self.asked, self.hold = threading.Event(), threading.Event()
        self.hold.set()

    def wait(self):
        """Tell that a request came, and hold it until ``hold`` is set."""
        self.asked.set()
        self.hold.wait(60)

    @property
    def records(self):
        return [
            record
            for request in self.requests
            for resource in request.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]


@contextmanager
def http_receiver(*, pair=None):
    """Yield what is received, and the URL; over TLS with a ``pair`` of key file and certificate file."""
    received = Received()

    def answer(handler):
        body = handler.rfile.read(int(handler.headers["content-length"]))
        received.wait()
        received.headers.append(handler.headers)
        if received.answers:
            status, *rest = received.answers.pop(0)
            handler.give(status, *rest[:1], **(rest[1] if len(rest) > 1 else {}))
            return
        assert handler.headers["content-type"] == "application/x-protobuf"
        assert handler.path == "/v1/logs"
        received.requests.append(ExportLogsServiceRequest.FromString(body))
        handler.give(200, ExportLogsServiceResponse().SerializeToString(), Content_Type="application/x-protobuf")

    tls = None
    if pair is not None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(pair[1], pair[0])
    with serving(answer, tls=tls) as url:
        yield received, url


@contextmanager
def grpc_receiver(*, pair=None, max_bytes=4 * 1024 * 1024):
    """Yield what is received, and the URL; over TLS with a ``pair`` of key file and certificate file."""
    received = Received()

    class Service(LogsServiceServicer):
        def Export(self, request, context):  # noqa: N802 - the servicer's name
            received.wait()
            received.headers.append(dict(context.invocation_metadata()))
            if received.answers:
                answer = received.answers.pop(0)
                if isinstance(answer, ExportLogsServiceResponse):
                    return answer
                code, details, *trailers = answer
                context.set_trailing_metadata(tuple(trailers))
                context.abort(code, details)
            received.requests.append(request)
            return ExportLogsServiceResponse()

    options = [("grpc.max_receive_message_length", max_bytes)]
    server = grpc.server(ThreadPoolExecutor(2), options=options)
    add_LogsServiceServicer_to_server(Service(), server)
    if pair is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        credentials = grpc.ssl_server_credentials([tuple(file.read_bytes() for file in pair)])
        port = server.add_secure_port("127.0.0.1:0", credentials)
    server.start()
    try:
        yield received, f"{'http' if pair is None else 'https'}://127.0.0.1:{port}"
    finally:
        server.stop(None).wait()
