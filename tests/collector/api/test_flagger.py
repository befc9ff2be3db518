"""Flagger's webhooks as its source calls them: it reads a status, and for `rollback` yes means roll back.

What it does was read in fluxcd/flagger, pkg/controller/webhook.go and scheduler.go.
"""

import json

import pytest

from collector.api.flagger import HOOKS
from collector.api.serving import Parts
from collector.receivers.guard import ApiTokens
from tests.collector.served import Served, called, part, verdict

CALL = {
    "name": "desk",
    "namespace": "prod",
    "phase": "Progressing",
    "checksum": "85d557f47b",
    "metadata": {"candidate": "2.1"},
}


@pytest.fixture(scope="module")
def running():
    with Served() as served:
        yield served


@pytest.fixture
def served(running):
    running.judge.verdicts, running.judge.fresh, running.judge.trouble = {}, True, ""
    return running


def answers(served, payload=CALL):
    """Which hooks say yes, and the reasons of those that do not."""
    found = {hook: called(f"{served.url}/v1/flagger/canary/{hook}", payload) for hook in HOOKS}
    return {hook for hook, said in found.items() if said is None}, {said for said in found.values() if said}


@pytest.mark.parametrize(
    ("state", "yes"),
    [
        ("pass", {"confirm-promotion", "confirm-traffic-increase"}),
        ("inconclusive", {"confirm-traffic-increase"}),
        ("fail", {"rollback"}),
    ],
)
def test_a_pass_promotes_a_fail_rolls_back_and_anything_else_waits(served, state, yes):
    served.judge.verdicts = {"canary": verdict(state)}
    said, reasons = answers(served)
    assert said == yes
    assert reasons == {f"canary: {state} (it is {state})\n"}


def test_before_the_first_answer_of_a_candidate_traffic_may_begin_and_nothing_more(served):
    nothing = verdict("inconclusive", candidate=None, reason="no answers of a candidate", parts=[])
    served.judge.verdicts = {"canary": nothing}
    assert answers(served)[0] == {"confirm-traffic-increase"}
    served.judge.verdicts = {"canary": verdict("fail", candidate="2.0")}
    said, reasons = answers(served)
    assert said == {"confirm-traffic-increase"}
    assert "asked for candidate '2.1', but the verdict is over candidate '2.0'" in reasons.pop()


def test_while_nobody_judges_nothing_goes_on_and_nothing_back(served):
    assert answers(served) == (set(), {"canary: inconclusive (not judged yet)\n"})
    for state in ("pass", "fail"):
        served.judge.verdicts, served.judge.fresh = {"canary": verdict(state)}, False
        said, reasons = answers(served)
        assert said == set()
        assert reasons == {"canary: inconclusive (not judged since 2026-01-01T12:00:00Z)\n"}


def test_a_call_may_name_the_baseline_and_the_service_too(served):
    parts = [part("pass"), part("fail", service="shop")]
    served.judge.verdicts = {"canary": verdict("fail", baseline="2.0", parts=parts)}
    yes = lambda **metadata: answers(served, CALL | {"metadata": CALL["metadata"] | metadata})[0]  # noqa: E731
    assert yes(service="desk", baseline="2.0") == {"confirm-promotion", "confirm-traffic-increase"}
    assert yes(service="shop") == {"rollback"}
    assert yes(service="shop", baseline="1.9") == {"confirm-traffic-increase"}


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "body: "),
        (b"null", "body: "),
        ({**CALL, "phase": "Succeeded"}, "phase 'Succeeded': only in Progressing, Waiting, WaitingPromotion"),
        ({**CALL, "phase": "Promoting"}, "phase 'Promoting'"),
        ({**CALL, "phase": None}, "phase: "),
        ({key: CALL[key] for key in CALL if key != "phase"}, "phase: "),
        ({key: CALL[key] for key in CALL if key != "metadata"}, "metadata: candidate is missing"),
        ({**CALL, "metadata": {}}, "metadata: candidate is missing"),
        ({**CALL, "metadata": {"candidate": ""}}, "metadata: candidate must be 1 to 256"),
        ({**CALL, "metadata": {"candidate": 2.1}}, "metadata.candidate: "),
        (
            {**CALL, "metadata": {"candidate": "2.1", "servce": "x"}},
            "metadata: unknown parameter 'servce'; use one of: candidate, baseline, service, domain",
        ),
        ({**CALL, "name": ""}, "name: "),
        (b'{"metadata": ' + b"[" * 50_000, "not JSON"),
        (json.dumps({**CALL, "checksum": "x" * 70_000}).encode(), "larger than 65536 bytes"),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("state", ["pass", "fail"])
def test_a_call_that_cannot_be_read_is_refused_by_every_hook_with_the_reason(served, payload, said, state):
    served.judge.verdicts = {"canary": verdict(state)}
    yes, reasons = answers(served, payload)
    assert yes == set()
    assert said in reasons.pop()


def test_waiting_canaries_are_answered_like_progressing_ones(served):
    served.judge.verdicts = {"canary": verdict("fail")}
    for phase in ("Progressing", "Waiting", "WaitingPromotion"):
        assert answers(served, CALL | {"phase": phase})[0] == {"rollback"}


def test_a_call_that_comes_again_gets_the_answer_of_now(served):
    url = f"{served.url}/v1/flagger/canary/rollback"
    served.judge.verdicts = {"canary": verdict("fail")}
    assert [called(url, CALL), called(url, CALL)] == [None, None]
    served.judge.verdicts = {"canary": verdict("fail", candidate="2.2")}
    assert "over candidate '2.2'" in called(url, CALL)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/v1/flagger/canray/rollback", "unknown gate 'canray'; did you mean 'canary'?; known: canary, fresh"),
        (
            "/v1/flagger/canary/rolback",
            "unknown hook 'rolback'; known: confirm-promotion, confirm-traffic-increase, rollback",
        ),
        ("/v1/flagger/canary/rollback/x", "Not Found"),
    ],
)
def test_a_wrong_address_is_a_refusal_too(served, path, said):
    assert said in called(served.url + path, CALL)
    assert served.ask(path)[0] == 409


def test_a_store_that_is_not_open_and_a_defect_are_refusals_with_their_reason(monkeypatch):
    with Served(opened=False) as served:
        for hook in HOOKS:
            assert "the store is not open" in called(f"{served.url}/v1/flagger/canary/{hook}", CALL)
        served.api.open(Parts(None, served.judge))
        monkeypatch.setattr("collector.api.gates.verdict_body", lambda *_, **__: 1 / 0)
        for hook in HOOKS:
            assert called(f"{served.url}/v1/flagger/canary/{hook}", CALL) == "internal error\n"


def test_the_token_goes_as_the_password_of_the_url():
    with Served(tokens=ApiTokens("s3cret", "gates")) as served:
        served.judge.verdicts = {"canary": verdict("pass")}
        url = f"127.0.0.1:{served.port}/v1/flagger/canary/confirm-promotion"
        for word in ("gates", "s3cret"):
            assert called(f"http://groundwire:{word}@{url}", CALL) is None
        for wrong in ("groundwire:wrong@", "other:gates@", ""):
            assert "token is required" in called(f"http://{wrong}{url}", CALL)
