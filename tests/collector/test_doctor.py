"""The doctor names each fault that is planted, with the step that mends it."""

import contextlib
import http.server
import json
import socket
import subprocess
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from collector.clock import parsed_time
from collector.commands.asking import AskedAgent
from collector.commands.doctor import RULES, findings
from collector.commands.doctor.exporter import exporter_of
from collector.commands.doctor.facts import gathered
from collector.commands.doctor.prometheus import scraped
from collector.commands.status import Counted
from tests.agent import Agent
from tests.command import command
from tests.peers import require
from tests.traffic import merged, passage, policy_trace, rag_trace, without

THRESHOLD = {"type": "threshold", "by": ["service"], "min_answers": 10}
GATES = [
    THRESHOLD | {"name": "fresh", "metric": "stale_source_use", "at_most": 0.01, "by": ["domain"]},
    THRESHOLD | {"name": "first", "metric": "first_token", "at_least": 0.5},
    {"type": "drift", "name": "drift", "metric": "claim_support", "worse": "lower"},
    {"type": "release", "name": "canary", "metric": "claim_support", "worse": "lower", "margin": 0.1},
]
CATALOG = "documents:\n  - {id: HR-9, version: '1', effective_from: 2024-01-01}\n"
N = 30


def free():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serving(status=200, body=b"{}", **headers):
    """Serve one answer to everything, as another program on the port does."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the protocol of the server

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def facts_of(url, *, token_file=None, exporter=None, protocol=None, environment=None, prometheus=None):
    return gathered(
        AskedAgent(url=url, token_file=token_file),
        exporter=exporter_of(exporter, protocol, environment or {}),
        scraped=None if prometheus is None else lambda: scraped(prometheus),
    )


def named(facts):
    """Return the first finding of each rule."""
    found = {}
    for each in findings(facts):
        found.setdefault(each.rule.name, each)
    return found


def unread(at):
    """Return a trace of a model call in a form that no dialect reads."""
    trace = rag_trace("unread", question="q", answer="a", at=at)
    for group in trace.resource_spans:
        for scope in group.scope_spans:
            scope.scope.name = "homemade.tracer"
            for span in scope.spans:
                del span.attributes[:]
                span.name = "chat gpt"
                attribute = span.attributes.add()
                attribute.key, attribute.value.string_value = "llm.completion.text", "a"
    return trace


@pytest.fixture(scope="module")
def ill(tmp_path_factory):
    """An agent with as many faults as go together: of its configuration, its traffic, and those around it."""
    directory = tmp_path_factory.mktemp("ill")
    (directory / "catalog.yaml").write_text(CATALOG)
    (directory / "token").write_text("t0k")
    (directory / "lines").mkdir()
    (directory / "lines" / "bad.jsonl").write_text('{"resourceSpans": 1}\n{"resourceSpans": "x"}\n')
    nobody = f"http://127.0.0.1:{free()}"
    agent = Agent(
        directory,
        gates=GATES,
        http={"token_file": str(directory / "token")},
        receive={"otlp_http": {"port": 0, "token": "s3cret"}, "otlp_grpc": {"port": 0}},
        catalog={"path": str(directory / "catalog.yaml"), "poll": "100ms"},
        traces={"idle": "200ms", "attributes": {"domain": "domian", "team": "team"}},
        slices=[{"name": "service", "cap": 1}, {"name": "domain"}],
        sources=[
            {"type": "phoenix", "name": "px", "url": nobody, "projects": ["p"]},
            {"type": "files", "name": "lines", "paths": [str(directory / "lines" / "*.jsonl")]},
        ],
        notify=[{"type": "alertmanager", "name": "am", "url": nobody}],
    )
    with agent:
        agent.url = f"http://{agent.http}"
        agent.token = directory / "token"
        now = time.time_ns()
        hour = 3600 * 10**9
        traces = [policy_trace(i, at=now) for i in range(N)]
        traces += [policy_trace(i, at=now + hour, service="ahead") for i in range(N, N + 3)]
        traces.append(unread(now))
        sent = {"Authorization": "Bearer s3cret"}
        assert agent.post(merged(traces).SerializeToString(), **sent) == 200
        assert agent.post(b"no otlp", **sent) == 400
        assert agent.post(b"") == 401
        broken = policy_trace("broken", at=now)
        broken.resource_spans[0].scope_spans[0].spans[0].trace_id = b"short"
        agent.post(broken.SerializeToString(), **sent)
        (directory / "catalog.yaml").write_text("documents: [{id: 1, effective_from: yesterday}]\n")
        wanted = {"spans-unread", "inputs-absent", "catalog-refused", "source-failing", "source-unread", "span-clock"}
        agent.until(lambda: wanted <= named(facts_of(agent.url, token_file=agent.token)).keys())
        yield agent


@pytest.fixture(scope="module")
def seen(ill):
    return named(facts_of(ill.url, token_file=ill.token))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "where", "what"),
    [
        ("requests-refused", "receiver http/protobuf", "1 request was no OTLP and refused (400)"),
        ("requests-without-token", "receiver http/protobuf", "1 request was refused: the token is missing or wrong"),
        ("spans-rejected", "receiver http/protobuf", "rejected: invalid_trace_id"),
        ("spans-unread", "scope homemade.tracer", "3 spans of a model or a search"),
        ("span-clock", "service ahead", "begin up to 3,"),
        ("source-failing", "source px", ""),
        ("source-unread", "source lines", "the newest of 2 records that could not be read"),
        ("inputs-absent", "metric first_token of gate first", "absent are usage.first_token_ms"),
        ("catalog-refused", "catalog.yaml", ""),
        ("catalog-unmatched", "catalog.yaml", "0% of"),
        ("no-reference", "gate drift", ""),
        ("no-release", "gate canary", ""),
        ("too-few-answers", "gate fresh", "answers"),
        ("slice-absent", "traces.attributes.domain: domian", "answers reports it"),
        ("slice-overflow", "slices: service", "3 answers went to __other__: it has room for 1 values"),
    ],
)
def test_a_fault_of_a_running_agent_is_named_with_where_it_is_and_what_to_do(seen, name, where, what):
    found = seen[name]
    assert where in found.seen.where
    assert what in found.seen.what
    assert found.rule.step


def test_the_log_names_the_sender_of_what_was_refused_as_the_doctor_says(ill):
    told = [json.loads(line) for line in ill.log if "request refused" in line]
    assert {row["code"] for row in told} == {"400", "401"}
    assert all(row["sender"] == "127.0.0.1" and row["reason"] and row["where"] == "/v1/traces" for row in told)


def receiver(agent, path="", host="127.0.0.1"):
    return f"http://{host}:{agent.otlp_http.rpartition(':')[2]}{path}"


@pytest.mark.parametrize(
    ("name", "address", "more", "what"),
    [
        (
            "exporter-nobody",
            lambda _: f"http://127.0.0.1:{free()}",
            {},
            "connection refused; the agent takes OTLP over",
        ),
        ("exporter-nobody", lambda _: "http://no-such-host.invalid:4318", {}, "the agent takes"),
        (
            "exporter-protocol",
            lambda agent: f"http://{agent.otlp_grpc}",
            {},
            "HTTP is sent (as SDKs do unless told otherwise; if yours does not, give --protocol) to the port",
        ),
        ("exporter-protocol", receiver, {"protocol": "grpc"}, "gRPC is sent to the port of OTLP over HTTP"),
        ("exporter-path", lambda agent: receiver(agent, "/traces"), {}, "404"),
        ("exporter-token", receiver, {}, "no Authorization header"),
        (
            "exporter-token",
            receiver,
            {"environment": {"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20wrong"}},
            "an Authorization header that is wrong",
        ),
        ("exporter-tls", lambda agent: receiver(agent).replace("http:", "https:"), {}, "receive.otlp_http has no TLS"),
        ("exporter-elsewhere", lambda agent: f"http://{agent.http}", {}, "this is the port of the API"),
    ],
)
def test_a_fault_of_the_exporter_is_named(ill, name, address, more, what):
    found = named(facts_of(ill.url, token_file=ill.token, exporter=address(ill), **more))
    assert what in found[name].seen.what


def test_an_exporter_that_is_in_order_is_not_blamed(ill):
    environment = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": receiver(ill),
        "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20s3cret",
    }
    found = named(facts_of(ill.url, token_file=ill.token, environment=environment))
    assert not [name for name in found if name.startswith("exporter")]


def test_another_program_at_the_address_of_the_exporter_is_told_from_a_receiver(ill):
    with serving(404) as url:
        found = named(facts_of(ill.url, token_file=ill.token, exporter=url))
    assert "no listener of the agent has port" in found["exporter-elsewhere"].seen.what


def test_a_loopback_receiver_and_an_exporter_elsewhere_are_told(ill):
    facts = facts_of(ill.url, token_file=ill.token, exporter=receiver(ill))
    elsewhere = replace(
        facts, exporter=replace(facts.exporter, endpoint=receiver(ill, host="10.0.0.9")), probed=refused()
    )
    assert "receive.otlp_http.host is 127.0.0.1" in named(elsewhere)["exporter-loopback"].seen.what
    assert "exporter-nobody" not in named(elsewhere)


def refused():
    from collector.commands.doctor.exporter import Probed

    return Probed("refused", detail="connection refused")


def test_a_grpc_exporter_without_the_token_is_told(ill):
    facts = facts_of(ill.url, token_file=ill.token, exporter=f"http://{ill.otlp_grpc}", protocol="grpc")
    assert not [name for name in named(facts) if name.startswith("exporter")]
    listeners = dict(facts.about.listeners)
    listeners["receive.otlp_grpc"] = listeners["receive.otlp_grpc"].model_copy(update={"token": True})
    guarded = replace(facts, about=facts.about.model_copy(update={"listeners": listeners}))
    assert "no authorization header" in named(guarded)["exporter-token"].seen.what


def test_a_token_that_is_not_given_is_asked_for(ill):
    assert set(named(facts_of(ill.url))) == {"wrong-token"}


def test_a_target_that_does_not_answer_is_named(ill):
    facts = facts_of(ill.url, token_file=ill.token)
    away = {**facts.links, "notify": [{"name": "am", "state": "failing", "last_error": "connection refused"}]}
    assert "connection refused" in named(replace(facts, links=away))["link-failing"].seen.what


def test_what_has_not_failed_for_a_while_is_no_fault_and_errors_stand_first(ill):
    facts = facts_of(ill.url, token_file=ill.token)
    order = [each.rule.severity for each in findings(facts)]
    assert order == sorted(order, key=("error", "warning", "note").index)
    now = parsed_time(facts.about.at).timestamp()

    def seen(ago):
        label = {"stage": "judge", "kind": "transient"}
        series = {
            "groundwire_step_errors_total": [(label, 252.0)],
            "groundwire_step_failed_timestamp_seconds": [(label, now - ago)],
        }
        return named(replace(facts, counted=Counted(series)))

    assert "252 failures since the start" in seen(60)["step-failures"].seen.what
    assert "step-failures" not in seen(600)


def test_silence_is_told_once_half_an_hour_is_over(ill):
    facts = facts_of(ill.url, token_file=ill.token)
    later = parsed_time(facts.about.at) + timedelta(minutes=40)
    assert "silence" not in named(facts)
    quiet = replace(facts, about=facts.about.model_copy(update={"at": later.isoformat()}))
    assert named(quiet)["silence"].seen.what.startswith("the last one came 4")


def test_no_agent_and_another_server_are_told_apart():
    assert set(named(facts_of(f"http://127.0.0.1:{free()}"))) == {"no-agent"}
    with serving(200, b"<html>") as url:
        assert set(named(facts_of(url))) == {"another-server"}
    with serving(404, b"{}") as url:
        assert set(named(facts_of(url))) == {"another-server"}


@pytest.mark.slow
def test_an_agent_with_tls_is_found_and_it_is_said_how_to_ask_it(tmp_path, monkeypatch):
    files = {"tls_cert": str(tmp_path / "cert.pem"), "tls_key": str(tmp_path / "key.pem")}
    made = [require("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    made += ["-keyout", files["tls_key"], "-out", files["tls_cert"], "-subj", "/CN=localhost"]
    subprocess.run([*made, "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with Agent(tmp_path, http=files) as agent:
        plain, tls = f"http://{agent.http}", f"https://{agent.http}"
        assert f"it speaks TLS only: give {tls}" in named(facts_of(plain))["agent-tls"].seen.what
        done = command("status", "--url", plain)
        assert (done.returncode, f"it speaks TLS only: give {tls}" in done.stderr) == (2, True)
        told = named(facts_of(tls))["agent-tls"].seen.what
        assert "set SSL_CERT_FILE to the PEM file of the authority that signed it" in told
        monkeypatch.setenv("SSL_CERT_FILE", files["tls_cert"])
        assert "nothing-arrives" in named(facts_of(tls))
        grpc = f"https://{agent.otlp_grpc}"
        found = [each.rule.name for each in findings(facts_of(tls, exporter=grpc))]
        assert found[:2] == ["exporter-tls", "exporter-protocol"]
        grpc_only = [each.rule.name for each in findings(facts_of(tls, exporter=grpc, protocol="grpc"))]
        assert (grpc_only[0], "exporter-protocol" in grpc_only) == ("exporter-tls", False)
    with serving() as url:
        assert "it speaks no TLS: give http://" in named(facts_of(url.replace("http", "https")))["agent-tls"].seen.what


def test_a_store_that_cannot_be_written_is_told_with_its_reason():
    body = {"ready": False, "reasons": ["the store cannot be written to: database or disk is full"], "warnings": []}
    with serving(503, json.dumps(body).encode()) as url:
        assert "disk is full" in named(facts_of(url))["not-ready"].seen.what


@pytest.fixture(scope="module")
def idle(tmp_path_factory):
    """An agent that gets nothing at first, judges nothing, scores almost nothing, and no metric in time."""
    config = {"sampling": {"probability": 0.01}, "gates": []}
    with Agent(tmp_path_factory.mktemp("idle"), **config) as agent:
        agent.url = f"http://{agent.http}"
        # What this command sends to see who answers is no request of an application.
        facts_of(agent.url, exporter=receiver(agent, "/traces"))
        assert agent.post(b"", path="/v1/traces/v1/traces") == 404
        agent.first = named(facts_of(agent.url))
        now = time.time_ns()
        assert agent.post(merged([policy_trace(i, at=now) for i in range(N)]).SerializeToString()) == 200
        agent.until(lambda: len(agent.get("/v1/answers?limit=100")[1]["answers"]) == N)
        yield agent


def test_an_agent_that_gets_nothing_and_judges_nothing_is_told_so(idle):
    assert "no span has come in" in idle.first["nothing-arrives"].seen.what
    assert "groundwire init" in idle.first["no-gates"].rule.step


def test_an_exporter_that_sends_to_a_wrong_path_is_told_and_the_log_names_it(idle):
    told = idle.first["requests-wrong-path"]
    assert told.seen.what == "1 request was sent to a path without a receiver (404)"
    assert "Set `OTEL_EXPORTER_OTLP_ENDPOINT` without a path" in told.rule.step
    refused = [line for line in idle.log if "request refused" in line]
    assert any("no receiver at /v1/traces/v1/traces; send traces to /v1/traces" in line for line in refused)


@pytest.mark.slow
def test_answers_that_a_source_reads_are_traffic_though_they_hold_no_span(tmp_path):
    (tmp_path / "answers.jsonl").write_text('{"id": "a", "question": "How long?", "answer": "For three weeks."}\n')
    with Agent(tmp_path, sources=[{"type": "files", "name": "f", "paths": [str(tmp_path / "answers.jsonl")]}]) as agent:
        agent.until(lambda: agent.get("/v1/answers")[1]["answers"])
        url = f"http://{agent.http}"
        assert "nothing-arrives" not in named(facts_of(url))
        told = command("status", "--url", url).stdout
        assert "1 answer, 1 of them read whole from sources" in told
        assert "nothing has arrived" not in told
        assert "Answers read from sources" in agent.get("/", Accept="text/html")[1]
        assert agent.terminate() == 0
        agent.start()
        url = f"http://{agent.http}"
        assert "nothing-arrives" not in named(facts_of(url)), "what was read before a restart has arrived"
        assert "nothing has arrived" not in command("status", "--url", url).stdout


@pytest.mark.slow
def test_a_gate_that_waits_for_people_is_told_to_label_and_not_to_wait_for_answers(tmp_path):
    rows = [policy_row(i, at=datetime.now(UTC) - timedelta(minutes=60 - i)) for i in range(60)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    gate = {"type": "drift", "name": "people", "metric": "claim_support", "worse": "lower"}
    gate |= {"labels": "prediction-powered", "label_probability": 0.5, "label_wait": "1m", "tick": "1m"}
    gate |= {"reference": "1d", "min_reference": 30}
    source = {"type": "files", "name": "f", "paths": [str(tmp_path / "answers.jsonl")]}
    with Agent(tmp_path, sources=[source], gates=[gate]) as agent:
        found = agent.until(lambda: (seen := named(facts_of(f"http://{agent.http}"))).get("labels-missing") and seen)
        assert "labels are missing" in found["labels-missing"].seen.what
        assert "groundwire label" in found["labels-missing"].rule.step
        assert "too-few-answers" not in found


def policy_row(i, *, at):
    passage = {"id": "p", "text": "Hotels are reimbursed up to 180 EUR per night."}
    answer = {"id": f"r{i}", "question": "How much for hotels?", "answer": "Up to 180 EUR per night."}
    return answer | {"passages": [passage], "started_at": f"{at:%Y-%m-%dT%H:%M:%SZ}"}


def test_answers_that_are_not_drawn_are_told_with_the_probability(idle):
    found = named(facts_of(idle.url))
    assert "nothing-arrives" not in found
    assert "0.01" in found["sampled-out"].seen.what


def test_a_prometheus_that_does_not_scrape_the_agent_is_told(idle):
    empty = json.dumps({"status": "success", "data": {"resultType": "vector", "result": []}}).encode()
    with serving(200, empty) as url:
        assert "groundwire_build_info" in named(facts_of(idle.url, prometheus=url))["not-scraped"].seen.what
    assert "no-prometheus" in named(facts_of(idle.url, prometheus=f"http://127.0.0.1:{free()}"))


def test_a_prometheus_that_scrapes_the_wrong_path_is_told_with_what_it_gets(idle):
    wrong = {"scrapeUrl": f"{idle.url}/prometheus", "health": "down", "lastError": "server returned HTTP status 404"}
    other = {"scrapeUrl": "http://127.0.0.1:1/metrics", "health": "down", "lastError": "connection refused"}
    body = {"status": "success", "data": {"result": [], "activeTargets": [wrong, other]}}
    with serving(200, json.dumps(body).encode()) as url:
        told = named(facts_of(idle.url, prometheus=url))["not-scraped"].seen.what
    assert f"it scrapes {idle.url}/prometheus: server returned HTTP status 404" in told
    assert "connection refused" not in told


def test_times_in_another_unit_and_local_times_are_told_as_such(idle):
    def seen(began):
        row = {"answer": {"service": "desk", "started_at": began}, "arrived_at": "2026-03-04T12:00:00Z"}
        return named(replace(facts_of(idle.url), answers=[row]))

    assert "1 of its newest answers began before 2000" in seen("1970-01-21T12:00:00Z")["span-unit"].seen.what
    assert "close to 2 h: local times" in seen("2026-03-04T13:59:40Z")["span-clock"].seen.what
    assert "local times" not in seen("2026-03-04T12:20:00Z")["span-clock"].seen.what
    assert not {"span-unit", "span-clock"} & seen("2026-03-04T11:59:58Z").keys()


def test_a_clock_that_is_behind_is_told_and_history_that_a_source_reads_is_not(idle):
    def seen(*ended, **more):
        rows = [
            {"answer": {"service": "desk", "started_at": at, "ended_at": at}, "arrived_at": "2026-03-04T12:00:00Z"}
            for at in ended
        ]
        return named(replace(facts_of(idle.url), answers=rows, **more))

    told = seen(*["2026-03-04T10:59:55Z"] * 6)["span-late"]
    assert told.seen.where == "service desk"
    assert told.seen.what.startswith("its answers end at least 3,605 s before they arrive, close to 1 h: local times")
    assert "local times" not in seen(*["2026-03-04T11:40:00Z"] * 6)["span-late"].seen.what
    assert "span-late" not in seen(*["2026-03-04T10:59:55Z"] * 6, "2026-03-04T11:59:50Z")
    assert "span-late" not in seen(*["2026-03-04T10:59:55Z"] * 6, counted=Counted({}))


@pytest.mark.slow
def test_an_application_that_answers_nothing_passes_no_gate_and_is_named(tmp_path):
    gates = [
        {"type": "threshold", "name": "support", "metric": "claim_support", "at_least": 0.5, "window": "30m"},
        {"type": "threshold", "name": "streams", "metric": "first_token", "at_least": 0.5},
    ]
    with Agent(tmp_path, gates=gates) as agent:
        url, now = f"http://{agent.http}", time.time_ns()
        agent.post(merged([policy_trace(i, at=now) for i in range(40)]).SerializeToString())
        agent.until(lambda: agent.get("/v1/gates/support")[1]["state"] == "pass")
        assert "answers-empty" not in named(facts_of(url))
        mute = [rag_trace(f"mute{i}", question=f"How much is {i}?", answer="", at=now) for i in range(60)]
        agent.post(merged(mute).SerializeToString())
        verdict = agent.until(
            lambda: (seen := agent.get("/v1/gates/support")[1])["state"] == "inconclusive" and "60" in seen["reason"]
            and seen
        )  # fmt: skip
        assert verdict["reason"].startswith("60 of 100 answers (60 %) came without text and could not be scored")
        found = named(facts_of(url))
        assert found["answers-empty"].seen.what.startswith("60 of the newest 100 answers have no text; the newest is ")
        (inputs,) = [
            each.seen.what
            for each in findings(facts_of(url))
            if each.rule.name == "inputs-absent" and "support" in each.seen.where
        ]
        assert inputs == "no value on 60 of the newest 100 answers: absent are answer (60)"
        assert "gate streams" not in found.get("too-few-answers", nothing).__str__()
        assert "60 of the newest 100 answers have no text" in agent.get("/", Accept="text/html")[1]
        assert "20 of the newest 20 have no text" in command("status", "--url", url).stdout
        assert " no text " in command("answers", "--url", url).stdout
        worst = command("answers", "--url", url, "--worst").stdout
        assert "60 of the newest 100 answers have no text, and so no value of claim_support" in worst
        assert command("gate", "support", "--url", url).returncode not in (0, 2)


def test_traces_that_could_not_be_read_are_counted_with_the_reason_of_the_newest(idle):
    traces = [({"outcome": "answer"}, 60.0), ({"outcome": "malformed"}, 220.0)]
    newest = {"trace_id": "ab12", "at": "2026-03-04T12:00:00Z", "reason": "NameError: name 'x' is not defined"}
    facts = replace(
        facts_of(idle.url), counted=Counted({"groundwire_traces_total": traces}), malformed={"traces": [newest]}
    )
    told = named(facts)["traces-malformed"].seen.what
    assert told == "220 of 280 traces could not be read; the newest, ab12: NameError: name 'x' is not defined"


def test_an_application_of_which_only_files_are_read_is_not_asked_for_its_exporter(idle):
    bad = {"place": "a.jsonl:1: question", "reason": "missing"}
    facts = replace(facts_of(idle.url), counted=Counted({}), answers=())
    for answers, name in ((0, "source-unread"), (7, "source-records")):
        source = {"name": "files", "malformed": 3, "answers": answers, "last_malformed": [bad]}
        found = named(replace(facts, links={"sources": [source]}))
        assert {"source-unread", "source-records"} & found.keys() == {name}
        assert ("nothing-arrives" in found) == (answers > 0)
    assert "nothing-arrives" in named(facts)


def test_a_clock_that_is_off_is_told(idle):
    facts = facts_of(idle.url)
    assert "agent-clock" not in named(facts)
    assert "120 s behind" in named(replace(facts, skew=-120.0))["agent-clock"].seen.what


@pytest.mark.slow
def test_passages_without_text_scorers_out_of_time_and_traces_without_answers_are_told(tmp_path):
    gate = THRESHOLD | {"name": "g", "metric": "claim_support", "at_least": 0.5}
    with Agent(tmp_path, gates=[gate], scoring={"timeout": "1ms"}) as agent:
        url, now = f"http://{agent.http}", time.time_ns()
        plain = rag_trace("plain", question="q", answer="a", at=now)
        for span in plain.resource_spans[0].scope_spans[0].spans:
            del span.attributes[:]
        agent.post(plain.SerializeToString())
        agent.until(lambda: "no-answers" in named(facts_of(url)))
        whole = [rag_trace(f"chain{i}", question="q", answer="a", at=now) for i in range(12)]
        chains = [without(each, "Retriever", "ChatModel") for each in whole]
        agent.post(merged(chains).SerializeToString())
        bare = [rag_trace(f"t{i}", question="Who?", answer="The board decides it.", at=now) for i in range(6)]
        long = " ".join(f"The limit of case {i} is {i} EUR." for i in range(2000))
        slow = rag_trace("slow", question="Which?", answer=long, passages=[passage("A", "1", long)], at=now)
        agent.post(merged([*bare, slow]).SerializeToString())
        agent.until(lambda: "scorer-failures" in named(facts_of(url)))
        found = facts_of(url)
        textless = replace(found, answers=[row for row in found.answers if not row["answer"].get("passages")])
        assert "hold no answer" in named(found)["traces-without-answer"].seen.what
        assert "none of the newest 6 answers" in named(textless)["passages-absent"].seen.what


def test_what_the_doctor_says_and_its_exit_code_follow_the_severity(ill, idle):
    there = ("doctor", "--url", ill.url, "--token-file", str(ill.token))
    done = command(*there)
    assert done.returncode == 1
    assert "error  Nobody reads some spans  [spans-unread]\n  where  scope homemade.tracer: " in done.stdout
    assert "  do     Describe their keys under `traces.dialects`" in done.stdout
    body = json.loads(command(*there, "--json").stdout)
    assert {each["rule"] for each in body["findings"]} >= {"spans-unread", "slice-overflow"}
    assert all(each["step"] and each["where"] and each["severity"] for each in body["findings"])
    gone = command("doctor", "--url", f"http://127.0.0.1:{free()}")
    assert (gone.returncode, gone.stdout.splitlines()[0]) == (1, "error  No agent answers at this address  [no-agent]")
    assert idle


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--exporter", "ftp://x"), "--exporter ftp://x: expected http:// or https://"),
        (("--exporter", "http://x:99999"), "expected http:// or https://, a host and a port"),
        (("--protocol", "udp"), "--protocol udp: expected grpc or http/protobuf"),
        (("--prometheus", "x"), "--prometheus x: expected http:// or https://"),
        (("--url", "ftp://x"), "--url ftp://x: expected http:// or https://"),
    ],
)
def test_an_option_that_cannot_be_used_is_a_usage_error(arguments, problem):
    done = command("doctor", *arguments)
    assert done.returncode == 2
    assert problem in done.stderr


def test_passages_of_versions_that_the_catalog_does_not_list_are_told_with_their_answers(idle):
    told = "12 of 12 unmatched passages, in 9 of 90 answers, are of documents that the catalog lists"
    known = {"passages": 90, "share": 0.9, "unlisted_versions": 12, "unlisted_version_answers": 9, "advice": [told]}
    assert named(replace(facts_of(idle.url), coverage=known))["catalog-versions"].seen.what == told


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_says_what_is_wrong_how_it_comes_and_what_to_do(rule):
    assert [each.name for each in RULES].count(rule.name) == 1
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert rule.about.endswith(".")
    assert rule.step.endswith(".")
    assert rule.step.split()[0].rstrip(":,") in STEPS, "a step begins with what to do"


STEPS = {
    *("Start", "Find", "Give", "Wait", "Set", "Change", "Write", "Let", "Add", "Run", "Look", "Check", "Describe"),
    *("Instrument", "Ask", "Mend", "Raise", "See", "Map", "Make", "Follow", "Announce", "Lengthen", "Name", "Index"),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_rule_finds_anything_in_an_agent_of_which_nothing_is_known(rule, idle):
    quiet = replace(facts_of(idle.url), answers=(), gates=(), ready={"ready": True}, about=None, counted=nothing())
    assert list(rule.look(quiet)) == []


def nothing():
    from collector.commands.status import Counted

    return Counted({})
