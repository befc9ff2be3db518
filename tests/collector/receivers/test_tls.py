"""Listeners with a certificate serve TLS only; what is wrong with files and addresses is named before they start."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest

from collector.errors import ConfigError
from collector.receivers.grpc import GrpcReceiver
from collector.receivers.http import http_app
from collector.receivers.intake import Intake
from collector.receivers.server import HttpReceiver
from collector.receivers.settings import Limits, Listener, OtlpGrpc, OtlpHttp
from collector.receivers.signals import TRACES
from collector.receivers.writer import Writer
from tests.collector.receivers.conftest import Loop, Reports
from tests.collector.receivers.requests import make_request
from tests.peers import require


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tls")
    files = {"tls_cert": folder / "cert.pem", "tls_key": folder / "key.pem"}
    command = [
        require("openssl"),
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
    ]
    subprocess.run(
        [
            *command,
            *("-keyout", files["tls_key"], "-out", files["tls_cert"], "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    return files


@contextmanager
def intake() -> Iterator[Intake]:
    writer = Writer(lambda _: None, limit_bytes=1 << 20, telemetry=Reports())
    yield Intake(writer=writer, telemetry=Reports(), limits=Limits(), clock=time.time_ns)
    assert writer.drain(30)


def test_http_is_served_over_tls(pair: dict[str, Path], loop: Loop) -> None:
    with intake() as taken:
        receiver = HttpReceiver(http_app(taken, None), OtlpHttp(port=0, **pair), where="receive.otlp_http")
        loop.run(receiver.start())
        context = ssl.create_default_context(cafile=pair["tls_cert"])
        headers = {"content-type": "application/x-protobuf"}
        url = f"https://localhost:{receiver.port}/v1/traces"
        with httpx.Client(verify=context) as client:
            answer = client.post(url, content=make_request().SerializeToString(), headers=headers)
        assert answer.status_code == 200
        with pytest.raises(httpx.TransportError):
            httpx.post(url.replace("https", "http"), headers=headers)
        loop.run(receiver.stop(1))


def test_grpc_is_served_over_tls(pair: dict[str, Path]) -> None:
    with intake() as taken:
        receiver = GrpcReceiver(taken, OtlpGrpc(port=0, **pair), where="receive.otlp_grpc", token=None)
        receiver.start()
        credentials = grpc.ssl_channel_credentials(pair["tls_cert"].read_bytes())
        with grpc.secure_channel(f"localhost:{receiver.port}", credentials) as channel:
            assert channel.unary_unary(TRACES.method)(make_request().SerializeToString(), timeout=30) == b""
        receiver.stop(1)


def test_files_that_are_no_key_pair_are_named(pair: dict[str, Path], tmp_path: Path, loop: Loop) -> None:
    (tmp_path / "nonsense").write_text("nonsense")
    for wrong in (pair | {"tls_cert": tmp_path / "missing"}, pair | {"tls_key": tmp_path / "nonsense"}):
        with pytest.raises(ConfigError, match=r"receive\.otlp_http\.tls_cert: .*(missing|nonsense)"):
            loop.run(HttpReceiver(http_app, OtlpHttp(port=0, **wrong), where="receive.otlp_http").start())
        with intake() as taken, pytest.raises(ConfigError, match=r"receive\.otlp_grpc\.tls_cert: "):
            GrpcReceiver(taken, OtlpGrpc(port=0, **wrong), where="receive.otlp_grpc", token=None).start()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({}, None),
        ({"host": "::1"}, None),
        ({"host": "localhost"}, None),
        ({"host": "0.0.0.0"}, "x.host: 0.0.0.0 is reachable from outside"),
        ({"host": "agent.example"}, "x.host: agent.example is reachable from outside"),
        ({"host": ""}, "x.host:  is reachable from outside"),
        ({"host": "0.0.0.0", "token": "t"}, None),
        ({"host": "0.0.0.0", "token_file": "f"}, None),
        ({"host": "0.0.0.0", "allow_unauthenticated": True}, None),
        ({"tls_cert": "c"}, "x.tls_key: required; TLS needs both a certificate and its key"),
        ({"tls_key": "k"}, "x.tls_cert: required; TLS needs both a certificate and its key"),
        ({"token": "t", "token_file": "f"}, "x.token_file: set either token or token_file, not both"),
    ],
)
def test_what_is_wrong_with_a_listener_is_named(options: dict[str, Any], problem: str | None) -> None:
    found = list(Listener(port=1, **options).problems("x"))
    assert found == [] if problem is None else found[0].startswith(problem)


def test_the_token_is_read_from_its_file_and_never_printed(tmp_path: Path) -> None:
    file = tmp_path / "token"
    listener = Listener(port=1, token_file=file)
    with pytest.raises(ConfigError, match=r"x\.token_file: .*token"):
        listener.bearer("x")
    file.write_text(" \n")
    with pytest.raises(ConfigError, match="is empty"):
        listener.bearer("x")
    file.write_text("s3cret\n")
    assert listener.bearer("x") == "s3cret"
    assert Listener(port=1).bearer("x") is None
    given = Listener(port=1, token="s3cret")
    assert given.bearer("x") == "s3cret"
    assert "s3cret" not in repr(given) + given.model_dump_json()


def test_ipv6_is_listened_on(loop: Loop) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with intake() as taken:
        receiver = HttpReceiver(http_app(taken, None), OtlpHttp(host="::1", port=0), where="receive.otlp_http")
        loop.run(receiver.start())
        assert httpx.get(f"http://[::1]:{receiver.port}/v1/traces").status_code == 405
        loop.run(receiver.stop(1))
        grpc_receiver = GrpcReceiver(taken, OtlpGrpc(host="::1", port=0), where="receive.otlp_grpc", token=None)
        grpc_receiver.start()
        assert grpc_receiver.port
        grpc_receiver.stop(1)
