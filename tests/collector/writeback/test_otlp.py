"""Evaluation events over OTLP: what a receiver gets, and what is made of every answer."""

import json
import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes, log_attributes
from pydantic import SecretStr, ValidationError

from collector.errors import ConfigError
from collector.outbound.errors import Refused, Unreachable
from collector.writeback import otlp
from collector.writeback.base import WriteResult
from collector.writeback.otlp import OtlpWriteBack
from tests.collector.sources.server import free_port
from tests.collector.writeback.examples import AT, ITEM, SECOND, SPAN, TRACE, VERDICT, many
from tests.collector.writeback.receiver import grpc_receiver, http_receiver
from tests.peers import require

PROTOCOLS = {"http/protobuf": http_receiver, "grpc": grpc_receiver}
both = pytest.mark.parametrize("protocol", list(PROTOCOLS))


@pytest.fixture(autouse=True)
def _quiet():
    """Opening a target silences the exporter's log; leave it as it was."""
    logger = logging.getLogger("opentelemetry.exporter")
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.fixture(autouse=True)
def _hostile_environment(monkeypatch):
    """Nothing that the environment says to the SDK may change what is sent, or where."""
    for name, value in {
        "OTEL_EXPORTER_OTLP_HEADERS": "x-from-environment=1",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
        "OTEL_EXPORTER_OTLP_CERTIFICATE": "/nowhere",
        "OTEL_RESOURCE_ATTRIBUTES": "from.environment=1",
        "OTEL_SERVICE_NAME": "someone-else",
        "OTEL_ATTRIBUTE_COUNT_LIMIT": "1",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)


def write(url, protocol, items=(ITEM,), **options):
    target = OtlpWriteBack(url=url, protocol=protocol, **options).open("write_back[0]")
    try:
        return target.write(list(items))
    finally:
        target.close()


def plain(attributes):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in attributes}


@both
def test_an_event_is_linked_to_the_span_and_follows_the_conventions(protocol):
    with PROTOCOLS[protocol]() as (received, url):
        assert write(url, protocol, [ITEM, VERDICT], resource={"deployment.environment.name": "prod"}) == WriteResult(2)
    score, verdict = received.records
    for record in (score, verdict):
        assert (record.trace_id.hex(), record.span_id.hex(), record.flags) == (TRACE, SPAN, 1)
        assert record.event_name == "gen_ai.evaluation.result"
        assert record.time_unix_nano == record.observed_time_unix_nano == AT + SECOND
    assert plain(score.attributes) == {
        gen_ai_attributes.GEN_AI_EVALUATION_NAME: "claim_support",
        gen_ai_attributes.GEN_AI_EVALUATION_SCORE_VALUE: 0.5,
        gen_ai_attributes.GEN_AI_EVALUATION_SCORE_LABEL: "partial",
        gen_ai_attributes.GEN_AI_EVALUATION_EXPLANATION: "1 of 2 claims supported",
        log_attributes.LOG_RECORD_UID: plain(score.attributes)["log.record.uid"],
        "groundwire.answer_id": "answer-1",
        "groundwire.revision": 0,
        "groundwire.basis": "passages",
        "groundwire.metric_version": "1",
    }
    told = plain(verdict.attributes)
    assert (told["gen_ai.evaluation.name"], told["gen_ai.evaluation.score.label"]) == ("gate:grounded", "pass")
    assert "gen_ai.evaluation.score.value" not in told
    [resource_logs] = received.requests[0].resource_logs
    resource = plain(resource_logs.resource.attributes)
    assert resource.pop("service.version")
    assert resource == {"service.name": "groundwire", "deployment.environment.name": "prod"}
    assert resource_logs.scope_logs[0].scope.name == "groundwire"


def test_a_record_sent_again_has_the_same_id_and_another_one_has_not():
    uid = otlp.attributes(ITEM)["log.record.uid"]
    assert otlp.attributes(replace(ITEM, label="now another"))["log.record.uid"] == uid
    for other in (
        replace(ITEM, revision=1),
        replace(ITEM, name="x"),
        replace(ITEM, answer_id="x"),
        replace(ITEM, scored_at=1),
    ):
        assert otlp.attributes(other)["log.record.uid"] != uid


@both
def test_headers_come_from_the_configuration_alone_and_may_be_in_files(protocol, tmp_path):
    file = tmp_path / "token"
    file.write_text("Bearer f1le\n")
    with PROTOCOLS[protocol]() as (received, url):
        write(url, protocol)
        write(url, protocol, headers={"X-Tenant": SecretStr("acme")}, header_files={"Authorization": file})
    first, second = received.headers
    assert (second.get("authorization"), second.get("x-tenant")) == ("Bearer f1le", "acme")
    assert first.get("authorization") is None
    for headers in (first, second):
        assert headers.get("x-from-environment") is None
        assert headers.get("content-encoding") is None


@both
def test_a_partial_success_counts_what_was_rejected(protocol):
    partial = ExportLogsServiceResponse()
    partial.partial_success.rejected_log_records = 2
    partial.partial_success.error_message = "too old"
    with PROTOCOLS[protocol]() as (received, url):
        received.answers = [(200, partial.SerializeToString()) if protocol != "grpc" else partial]
        assert write(url, protocol, many(3)) == WriteResult(1, (), 2, ("too old",))
        partial.partial_success.rejected_log_records = -(2**63)
        received.answers = [(200, partial.SerializeToString()) if protocol != "grpc" else partial]
        assert write(url, protocol, many(3)) == WriteResult(3)
        partial.partial_success.rejected_log_records = 1
        partial.partial_success.error_message = "too\n\x1b[31mlong " + "x" * 100_000
        received.answers = [(200, partial.SerializeToString()) if protocol != "grpc" else partial]
        [reason] = write(url, protocol, many(3)).reasons
        assert reason == (r"too \x1b[31mlong " + "x" * 200)[:197] + "..."


@pytest.mark.parametrize("status", [400, 413, 422])
def test_over_http_a_request_that_cannot_be_read_is_refused(status):
    with http_receiver() as (received, url):
        received.answers = [(status, b"bad record")]
        with pytest.raises(Refused, match=f"{status}.*bad record"):
            write(url, "http/protobuf")


@pytest.mark.parametrize("status", [302, 401, 403, 404, 429, 500, 502, 503, 504])
def test_over_http_every_other_status_is_tried_later_and_not_by_the_exporter(status):
    with http_receiver() as (received, url):
        received.answers = [(status, b"", {"Retry_After": "9"})]
        with pytest.raises(Unreachable, match=str(status)) as caught:
            write(url, "http/protobuf")
        assert caught.value.retry_after == 9
        assert len(received.headers) == 1


@pytest.mark.parametrize("body", [b"<html>", b"\xff\xff"])
def test_over_http_a_200_that_is_no_otlp_is_a_wrong_server(body):
    with http_receiver() as (received, url):
        received.answers = [(200, body)]
        with pytest.raises(Unreachable, match="not OTLP"):
            write(url, "http/protobuf")


def test_over_http_a_path_before_the_signal_is_kept():
    with http_receiver() as (received, url):
        received.answers = [(400, b"")]
        with pytest.raises(Refused, match="/otlp/v1/logs"):
            write(url + "/otlp/", "http/protobuf")


@pytest.mark.parametrize(
    ("code", "details", "kind"),
    [
        ("INVALID_ARGUMENT", "bad record", Refused),
        ("RESOURCE_EXHAUSTED", "Received message larger than max (9 vs. 4)", Refused),
        ("RESOURCE_EXHAUSTED", "slow down", Unreachable),
        ("UNAVAILABLE", "going away", Unreachable),
        ("UNAUTHENTICATED", "who are you", Unreachable),
        ("UNIMPLEMENTED", "no logs here", Unreachable),
        ("INTERNAL", "boom", Unreachable),
        ("UNKNOWN", "", Unreachable),
    ],
)
def test_over_grpc_a_code_says_whether_to_try_again(code, details, kind):
    with grpc_receiver() as (received, url):
        received.answers = [(grpc.StatusCode[code], details)]
        with pytest.raises(kind, match=code) as caught:
            write(url, "grpc")
        assert details in str(caught.value)
        assert len(received.headers) == 1
        # The exporter opens a new channel when one is unavailable; the next batch goes through either way.
        assert write(url, "grpc") == WriteResult(1)


def test_over_grpc_a_message_beyond_the_receivers_limit_is_refused():
    with grpc_receiver(max_bytes=200) as (_, url), pytest.raises(Refused, match="larger than max"):
        write(url, "grpc", many(10))


def test_over_grpc_a_server_says_when_to_come_back():
    info = RetryInfo()
    info.retry_delay.seconds = 12
    with grpc_receiver() as (received, url):
        for trailer, expected in ((info.SerializeToString(), 12), (b"\xff\xff", None)):
            received.answers = [(grpc.StatusCode.UNAVAILABLE, "", ("google.rpc.retryinfo-bin", trailer))]
            with pytest.raises(Unreachable) as caught:
                write(url, "grpc")
            assert caught.value.retry_after == expected


@both
def test_a_server_that_is_down_is_unreachable(protocol):
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(Unreachable, match=url):
        write(url, protocol, timeout="2s")


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Files of a key and of a certificate for this machine that nobody else trusts."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "cert.pem"
    openssl = require("openssl")
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return key, certificate


@both
def test_over_tls_the_server_must_be_the_one_that_is_trusted(protocol, pair):
    with PROTOCOLS[protocol](pair=pair) as (received, url):
        assert write(url, protocol, ca_file=pair[1]) == WriteResult(1)
        with pytest.raises(Unreachable):
            write(url, protocol, timeout="2s")
        assert len(received.records) == 1


@both
def test_a_server_that_hangs_is_waited_for_as_long_as_configured(protocol):
    with PROTOCOLS[protocol]() as (received, url):
        received.hold.clear()
        with pytest.raises(Unreachable, match=r"0\.2 s|DEADLINE_EXCEEDED"):
            write(url, protocol, timeout="200ms")
        received.hold.set()


@both
def test_closing_ends_a_write_under_way(protocol):
    with PROTOCOLS[protocol]() as (received, url), ThreadPoolExecutor(1) as pool:
        received.hold.clear()
        target = OtlpWriteBack(url=url, protocol=protocol, timeout="1m").open("write_back[0]")
        writing = pool.submit(target.write, [ITEM])
        assert received.asked.wait(30)
        target.close()
        assert isinstance(writing.exception(timeout=30), Unreachable)
        received.hold.set()


@both
def test_a_header_that_cannot_be_sent_is_a_configuration_error(protocol, tmp_path):
    file = tmp_path / "token"
    file.write_text("a\nb")
    for value in ("a\nb", "é"):
        with pytest.raises(ConfigError, match=r"write_back\[0\]\.headers\.x: "):
            write("http://h", protocol, headers={"x": SecretStr(value)})
    with pytest.raises(ConfigError, match=r"write_back\[0\]\.header_files\.x: .*printable"):
        write("http://h", protocol, header_files={"x": file})
    with pytest.raises(ConfigError, match=r"write_back\[0\]\.header_files\.x: .*gone"):
        write("http://h", protocol, header_files={"x": tmp_path / "gone"})
    with pytest.raises(ValidationError):
        OtlpWriteBack(url="http://h", headers={"a b": "x"})
    options = OtlpWriteBack(url="http://h", headers={"A": "x"}, header_files={"a": file})
    assert list(options.problems("w")) == ["w.header_files.a: give the header or its file, not both"]


@both
def test_authorities_that_cannot_be_read_are_a_configuration_error(protocol, tmp_path):
    with pytest.raises(ConfigError, match="gone"):
        write("https://h", protocol, ca_file=tmp_path / "gone")


@pytest.mark.slow
def test_without_the_exporter_a_configured_target_says_what_to_install():
    script = """
import json, sys
sys.modules["opentelemetry.sdk"] = None
from collector.errors import ConfigError
from collector.writeback.otlp import OtlpWriteBack
try:
    OtlpWriteBack(url="http://h", protocol=sys.argv[1]).open("write_back[0]")
except ConfigError as error:
    print(json.dumps(error.problems))
"""
    for protocol in PROTOCOLS:
        command = [sys.executable, "-c", script, protocol]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        assert json.loads(found.stdout) == [
            "write_back[0].type: otlp needs more packages: pip install 'groundwire[otlp]'"
        ]


@pytest.mark.slow
def test_the_exporter_is_not_imported_unless_it_is_configured():
    script = "import sys, collector.agent.agent; print([m for m in sys.modules if m.startswith('opentelemetry.sdk')])"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
