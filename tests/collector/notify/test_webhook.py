"""A real receiver on loopback gets signed webhooks, and verifies them as the page on notifications says."""

import json
import re
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from collector.errors import ConfigError
from collector.notify.signing import read_keys
from tests.collector.notify.bench import AT, HOLD, HOUR, ROLL_BACK, SECOND, SECRET, deployed, options, verified
from tests.collector.sources.server import free_port, serving

PAGE = Path(__file__).resolve().parents[3] / "docs" / "notifications.md"
OTHER = "whsec_" + "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh"


@pytest.fixture(scope="module")
def verify():
    block = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    scope = {}
    exec(block.group(1), scope)
    return scope["verify"]


class Receiver:
    """Keeps what comes. ``answers`` are given first, one a request: a status, and perhaps body and headers."""

    def __init__(self):
        self.requests = []
        self.answers = []
        self.path = None

    def __call__(self, handler):
        body = handler.rfile.read(int(handler.headers["content-length"]))
        self.path = handler.path
        self.requests.append(({name.lower(): value for name, value in handler.headers.items()}, body))
        status, *rest = self.answers.pop(0) if self.answers else (200,)
        handler.give(status, *rest[:1], **(rest[1] if len(rest) > 1 else {}))

    @property
    def messages(self):
        return [json.loads(body) for _, body in self.requests]

    @property
    def ids(self):
        return [headers["webhook-id"] for headers, _ in self.requests]


@contextmanager
def receiving(path=""):
    receiver = Receiver()
    with serving(receiver) as url:
        yield receiver, url + path


def seconds(bench):
    return bench.now // SECOND


def test_a_decision_arrives_whole_at_the_address_as_it_stands(make, verify):
    with receiving("/hooks/groundwire") as (receiver, url):
        bench = make(type="webhook", url=url)
        bench.decide(recommended=ROLL_BACK)
        bench.run()
    assert receiver.path == "/hooks/groundwire"
    [(headers, body)] = receiver.requests
    [row] = bench.store.last_decisions()
    message = json.loads(body)
    assert (message["type"], message["timestamp"]) == ("decision", "2026-05-28T20:26:40.000000Z")
    data = message["data"]
    assert (data["seq"], data["hash"], data["gate"], data["state"]) == (1, row.hash, "fresh", "fail")
    assert data["record"] == json.loads(row.record)
    assert "rollback" not in data
    assert headers["content-type"] == "application/json"
    assert verify(headers, body, [SECRET], {}, now=seconds(bench)) == f"decision_{row.hash[:32]}"


def test_what_is_retried_has_the_same_id_and_the_time_of_the_attempt(make, verify):
    with receiving() as (receiver, url):
        receiver.answers = [(500,)]
        bench = make(type="webhook", url=url)
        bench.decide()
        bench.run()
        bench.run(600)
    (first, _), (second, body) = receiver.requests
    assert first["webhook-id"] == second["webhook-id"]
    assert int(second["webhook-timestamp"]) - int(first["webhook-timestamp"]) == 600
    verify(second, body, [SECRET], {}, now=seconds(bench))


def test_the_documented_verification_refuses_what_is_not_genuine_or_not_new(make, verify):
    with receiving() as (receiver, url):
        bench = make(type="webhook", url=url)
        bench.decide()
        bench.run()
    [(headers, body)] = receiver.requests
    now, seen = seconds(bench), {}
    refused = [
        ("wrong signature", headers, body, [OTHER], now),
        ("wrong signature", headers, body + b" ", [SECRET], now),
        ("wrong signature", headers | {"webhook-id": "decision_other"}, body, [SECRET], now),
        ("wrong signature", headers | {"webhook-timestamp": str(now + 10)}, body, [SECRET], now),
        ("wrong signature", headers | {"webhook-signature": "v1,"}, body, [SECRET], now),
        ("wrong signature", headers | {"webhook-signature": "ü"}, body, [SECRET], now),
        ("clocks differ", headers, body, [SECRET], now + 301),
        ("clocks differ", headers, body, [SECRET], now - 301),
        ("no id", {}, body, [SECRET], now),
        ("no timestamp", headers | {"webhook-timestamp": "soon"}, body, [SECRET], now),
    ]
    for reason, given, content, secrets, at in refused:
        with pytest.raises(ValueError, match=reason):
            verify(given, content, secrets, seen, now=at)
    assert seen == {}
    verify(headers, body, [SECRET], seen, now=now + 299)
    with pytest.raises(verify.__globals__["Repeated"], match=headers["webhook-id"]):
        verify(headers, body, [SECRET], seen, now=now)


def test_while_a_key_is_replaced_both_sign(make, verify):
    with receiving() as (receiver, url):
        bench = make(type="webhook", url=url)
        (bench.directory / "secret").write_text(f"{OTHER}\n{SECRET}\n")
        bench.start()
        bench.decide()
        bench.run()
    [(headers, body)] = receiver.requests
    for secret in (SECRET, OTHER):
        verify(headers, body, [secret], {}, now=seconds(bench))


@pytest.mark.parametrize(
    "content",
    ["", "secret", "whsec_", "whsec_c2hvcnQ=", "whsec_?", SECRET + "x", f"{SECRET}\n" * 5, "whsec_" + "A" * 200],
)
def test_a_file_without_a_proper_key_is_refused_and_not_repeated(tmp_path, content):
    file = tmp_path / "key"
    file.write_text(content)
    with pytest.raises(ConfigError) as caught:
        read_keys(file, "notify[0].secret_file")
    assert str(caught.value).startswith(f"notify[0].secret_file: {file}: ")
    assert "MDEy" not in str(caught.value)


def test_recoveries_are_told_and_changes_between_pass_and_inconclusive_only_on_request(make):
    with receiving() as (receiver, url):
        bench = make(type="webhook", url=url)
        bench.decide(state="pass")
        bench.decide(state="fail", previous="pass")
        bench.decide(state="inconclusive", previous="fail")
        bench.run()
        assert [message["data"]["state"] for message in receiver.messages] == ["fail", "inconclusive"]
        assert bench.counted() == {"sent": 2, "skipped": 1}
    with receiving() as (receiver, url):
        bench.options = options(bench.directory, type="webhook", name="every", every=True, url=url)
        bench.start()
        bench.decide(state="pass")
        bench.run()
        assert [message["data"]["state"] for message in receiver.messages] == ["pass"]


@pytest.mark.parametrize("state", ["pass", "fail"])
def test_what_came_of_a_roll_back_is_told_and_is_no_new_failure(make, state):
    with receiving() as (receiver, url):
        bench = make(type="webhook", url=url, rollback={"dry_run": False})
        bench.append(verified(state=state))
        bench.run()
    [message] = receiver.messages
    assert (message["type"], message["data"]["kind"]) == ("decision", "verification")
    assert message["data"]["record"]["kind"] == "verification"
    assert "rollback" not in message["data"]


@pytest.mark.parametrize(
    "answer",
    [
        (500,),
        (503, b"\xff" * 5000),
        (302, b"", {"Location": "http://127.0.0.1:1/other"}),
        (401, b"<html>login</html>"),
        (404,),
        (410,),
        (200, b"x" * 1_100_000),
        (500, b"x", {"Content-Encoding": "gzip"}),
    ],
    ids=lambda answer: str(answer[0]),
)
def test_whatever_else_a_receiver_answers_the_decision_waits_and_arrives_later(make, answer):
    with receiving() as (receiver, url):
        receiver.answers = [answer]
        bench = make(type="webhook", url=url)
        bench.decide()
        bench.run()
        report = bench.step.status.report()
        assert (report["state"], report["sent"]) == ("failing", 0)
        assert "\n" not in report["last_error"]
        assert len(receiver.requests) == 1
        bench.run(10)
        assert bench.counted() == {"sent": 1}


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_message_the_receiver_cannot_take_is_rejected_once(make, status):
    with receiving() as (receiver, url):
        receiver.answers = [(status, b"too long")]
        bench = make(type="webhook", url=url)
        bench.decide()
        bench.run(10)
        bench.run(10)
        assert len(receiver.requests) == 1
        assert bench.counted() == {"rejected": 1}


def test_a_receiver_that_is_not_there_is_named_without_a_secret(make):
    port = free_port()
    bench = make(type="webhook", url=f"http://127.0.0.1:{port}/hook")
    bench.decide()
    bench.run()
    error = bench.step.status.report()["last_error"]
    assert f"http://127.0.0.1:{port}/hook" in error
    assert "MDEy" not in error


def test_a_receiver_that_answers_a_byte_now_and_then_does_not_hold_the_step(make):
    over = threading.Event()

    def drip(handler):
        handler.rfile.read(int(handler.headers["content-length"]))
        handler.send_response(200)
        handler.end_headers()
        while not over.wait(0.02):
            try:
                handler.wfile.write(b"x")
                handler.wfile.flush()
            except OSError:
                return

    with serving(drip) as url:
        bench = make(type="webhook", url=url, timeout="200ms")
        bench.decide()
        bench.run()
        over.set()
    assert "no complete answer within 0.2 s" in bench.step.status.report()["last_error"]


class TestRollBack:
    def test_in_a_dry_run_nothing_is_requested_and_it_is_told_what_would_be(self, make):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={})
            bench.decide(recommended=ROLL_BACK)
            bench.run()
        [message] = receiver.messages
        assert message["type"] == "decision"
        assert message["data"]["rollback"] == {
            "action": "dry_run",
            "detail": "helpdesk: release 2.1 to 2.0",
            "service": "helpdesk",
            "component": "release",
            "version": "2.1",
            "to_version": "2.0",
        }
        assert bench.metric("groundwire_rollback_requests_total", outcome="dry_run") == 1
        assert bench.metric("groundwire_rollback_requests_total", outcome="requested") == 0

    def test_one_is_requested_for_all_decisions_about_one_release(self, make, verify):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            bench.decide(recommended=ROLL_BACK)
            bench.decide(recommended=ROLL_BACK, slice_={"domain": "travel"})
            bench.decide(recommended=ROLL_BACK, gate="grounded")
            bench.run()
        assert [message["type"] for message in receiver.messages] == [
            "decision",
            "rollback.requested",
            "decision",
            "decision",
        ]
        data = receiver.messages[1]["data"]
        assert (data["service"], data["component"], data["version"], data["to_version"]) == (
            "helpdesk",
            "release",
            "2.1",
            "2.0",
        )
        assert (data["gate"], data["decision"]["seq"], data["reason"]) == ("fresh", 1, "release from 2.0 to 2.1")
        # Who is asked to roll back reads why: the metric and its figures, as the decision says them.
        assert data["words"] == receiver.messages[0]["data"]["words"]
        assert {"metric", "summary", "description", "first_step"} <= data["words"].keys()
        verify(*receiver.requests[1], [SECRET], {}, now=seconds(bench))
        assert bench.metric("groundwire_rollback_requests_total", outcome="requested") == 1
        assert bench.metric("groundwire_rollback_requests_total", outcome="repeated") == 2

    def test_a_restart_forgets_no_request(self, make):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            bench.decide(recommended=ROLL_BACK)
            bench.run()
            bench.start()
            bench.decide(recommended=ROLL_BACK, gate="grounded")
            bench.run(30 * 24 * 3600)
            bench.decide(recommended=ROLL_BACK, slice_={"domain": "travel"})
            bench.run()
        assert [message["type"] for message in receiver.messages].count("rollback.requested") == 1

    def test_a_kill_before_the_request_arrived_asks_again_under_the_same_id(self, make):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            bench.decide(recommended=ROLL_BACK)
            receiver.answers = [(200,), (500,)]
            bench.run()
            bench.start()
            bench.run()
        assert [message["type"] for message in receiver.messages] == ["decision", "rollback.requested"] * 2
        assert len(set(receiver.ids)) == 2
        assert bench.metric("groundwire_rollback_requests_total", outcome="requested") == 1

    def test_a_request_that_expired_during_an_outage_is_not_made(self, make):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            bench.decide(recommended=ROLL_BACK)
            receiver.answers = [(200,), (503,)]
            bench.run()
            bench.run(HOUR / SECOND)
        assert [message["type"] for message in receiver.messages] == ["decision", "rollback.requested"]
        assert bench.counted() == {"expired": 1}
        assert bench.metric("groundwire_rollback_requests_total", outcome="requested") == 0

    def test_one_that_the_receiver_refuses_for_good_is_not_asked_for_again(self, make):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            receiver.answers = [(200,), (422, b"no such service")]
            bench.decide(recommended=ROLL_BACK)
            bench.decide(recommended=ROLL_BACK, gate="grounded")
            bench.run()
        assert [message["type"] for message in receiver.messages].count("rollback.requested") == 1
        assert bench.counted() == {"rejected": 1, "sent": 1}

    @pytest.mark.parametrize("version", ["2.0", "2.2"], ids=["back", "forward"])
    def test_what_was_rolled_back_or_forward_while_the_receiver_was_down_is_not_asked_for(self, make, version):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            bench.decide(recommended=ROLL_BACK, changes=[deployed()])
            receiver.answers = [(200,), (503,)]
            bench.run()
            bench.change(version, scope={"service": "helpdesk"})
            bench.run(600)
            bench.decide(recommended=ROLL_BACK, gate="grounded", changes=[deployed()])
            bench.run(600)
        assert [message["type"] for message in receiver.messages] == ["decision", "rollback.requested", "decision"]
        rollback = receiver.messages[-1]["data"]["rollback"]
        assert rollback["action"] == "hold"
        assert f"release 2.1 is no longer served: release changed to {version} at " in rollback["detail"]
        assert bench.metric("groundwire_rollback_requests_total", outcome="requested") == 0

    def test_where_the_record_says_hold_nothing_is_requested(self, make):
        with receiving() as (receiver, url):
            bench = make(type="webhook", url=url, rollback={"dry_run": False})
            bench.decide(recommended=HOLD)
            bench.run()
        [message] = receiver.messages
        assert message["data"]["rollback"] == {"action": "hold", "detail": "hold: the metric itself changed"}
        assert bench.metric("groundwire_rollback_requests_total", outcome="hold") == 1


def test_a_recovery_says_nothing_of_a_roll_back(make):
    with receiving() as (receiver, url):
        bench = make(type="webhook", url=url, rollback={"dry_run": False})
        bench.decide(state="pass", previous="fail", recommended=ROLL_BACK)
        bench.run()
    [message] = receiver.messages
    assert "rollback" not in message["data"]
    assert message["timestamp"].startswith("2026-05-28")
    assert bench.now == AT
