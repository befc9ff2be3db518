"""A gate is asked for one release: what it says of anything else is never taken for that."""

import json
from datetime import UTC, datetime
from math import log

import pytest

from collector.receivers.guard import ApiTokens
from tests.agent import Agent
from tests.collector.served import Served, part, verdict


@pytest.fixture(scope="module")
def running():
    with Served() as served:
        yield served


@pytest.fixture
def served(running):
    running.judge.verdicts, running.judge.fresh, running.judge.trouble = {}, True, ""
    return running


def test_the_body_has_every_field_that_a_deployment_tool_reads(served):
    parts = (part("pass", e_rollback=0.5), part("pass", n=100, service="shop", e_rollback=1.5, e_promote=40.0))
    waiting = {"evidence_until": datetime(2026, 1, 1, 11, 59, 30, tzinfo=UTC), "pending": 12}
    served.judge.verdicts = {"canary": verdict("pass", baseline="2.0", parts=parts).model_copy(update=waiting)}
    status, headers, content = served.ask("/v1/gates/canary?candidate=2.1&baseline=2.0")
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "application/json", "no-store")
    assert headers["Retry-After"] == "8"
    body = json.loads(content)
    slices = body.pop("slices")
    assert body == {
        "gate": "canary",
        "state": "pass",
        "code": 1,
        "no_data": False,
        "reason": "it is pass",
        "candidate": "2.1",
        "baseline": "2.0",
        "log_e_rollback": 0.0,
        "log_e_promote": pytest.approx(log(25)),
        "n_candidate": 500,
        "n_baseline": 1500,
        "evaluated_at": "2026-01-01T12:00:00Z",
        "evidence_until": "2026-01-01T11:59:30Z",
        "pending": 12,
        "policy_version": "abc",
    }
    assert [(each["slice"], each["state"]) for each in slices] == [
        ({"service": "desk"}, "pass"),
        ({"service": "shop"}, "pass"),
    ]


@pytest.mark.parametrize("state", ["pass", "fail", "inconclusive"])
@pytest.mark.parametrize(
    ("query", "judged", "said"),
    [
        ("?candidate=2.2", {}, "asked for candidate '2.2', but the verdict is over candidate '2.1'"),
        ("?candidate=2.1&baseline=1.9", {"baseline": "2.0"}, "asked for baseline '1.9', but the verdict is over"),
        ("?candidate=2.1&baseline=2.0", {}, "asked for baseline '2.0', but the verdict names no baseline (so it is)"),
        ("?candidate=2.1", {"candidate": None}, "asked for candidate '2.1', but the verdict names no candidate"),
        ("?service=shop", {}, "no slice with service=shop has been judged"),
        ("?domain=travel", {}, "no slice with domain=travel has been judged"),
    ],
)
def test_a_verdict_over_something_else_is_inconclusive_and_says_what_it_is_over(served, state, query, judged, said):
    served.judge.verdicts = {"canary": verdict(state, reason="so it is", **judged)}
    body = served.gate(query)
    assert (body["state"], body["code"], body["no_data"], body["slices"]) == ("inconclusive", 0, True, [])
    assert said in body["reason"]
    assert (body["n_candidate"], body["log_e_promote"]) == (None, None)


def test_one_service_is_judged_by_its_own_slices(served):
    parts = (part("pass"), part("fail", service="shop"), part("inconclusive", n=0, service="new"))
    served.judge.verdicts = {"canary": verdict("fail", parts=parts)}
    states = {name: served.gate(f"?candidate=2.1&service={name}")["state"] for name in ("desk", "shop", "new")}
    assert states == {"desk": "pass", "shop": "fail", "new": "inconclusive"}
    assert served.gate("?service=new")["no_data"] is True
    assert served.gate()["state"] == "fail"


def test_of_slices_with_releases_of_their_own_those_are_judged_that_have_the_one_asked_for(served):
    parts = tuple(
        part(state, service=service).model_copy(update={"candidate": version})
        for service, state, version in (("HR", "pass", "2.1"), ("IT", "fail", "2.0"), ("shop", "pass", "2.0"))
    )
    served.judge.verdicts = {"canary": verdict("fail", parts=parts, candidate=None)}
    answered = {
        query: served.gate(query) for query in ("?candidate=2.1", "?candidate=2.0", "?candidate=2.0&service=shop")
    }
    assert [(body["state"], body["candidate"], len(body["slices"])) for body in answered.values()] == [
        ("pass", "2.1", 1),
        ("fail", "2.0", 2),
        ("pass", "2.0", 1),
    ]
    other = served.gate("?candidate=2.1&service=IT")
    assert (other["state"], other["no_data"], other["slices"]) == ("inconclusive", True, [])
    assert other["reason"] == (
        "asked for candidate '2.1', but no slice with service=IT has that release:"
        " service=HR has '2.1', service=IT has '2.0', service=shop has '2.0'"
    )
    assert served.gate("?candidate=3")["reason"].startswith("asked for candidate '3', but no slice has that release: ")
    assert (served.gate()["state"], served.gate()["candidate"]) == ("fail", None)


def test_before_the_first_verdict_and_after_the_last_it_is_inconclusive(served):
    assert served.gate("?candidate=2.1")["reason"] == "not judged yet"
    served.judge.verdicts = {"canary": verdict("pass")}
    assert served.gate("?candidate=2.1")["state"] == "pass"
    served.judge.fresh = False
    body = served.gate("?candidate=2.1")
    assert (body["state"], body["reason"]) == ("inconclusive", "not judged since 2026-01-01T12:00:00Z")


def test_nothing_passes_while_the_store_takes_nothing_in_and_what_fails_goes_on_to_fail(served):
    full = "the store cannot be written to: database or disk is full"
    served.judge.trouble = full
    for state, parts, said in (
        ("pass", [part("pass")], "inconclusive"),
        ("inconclusive", [], "inconclusive"),
        ("fail", [part("fail"), part("pass")], "fail"),
    ):
        served.judge.verdicts = {"canary": verdict(state, parts=parts)}
        body = served.gate()
        assert body["state"] == said
        assert (full in body["reason"]) == (said == "inconclusive")
        assert "pass" not in {each["state"] for each in body["slices"]}


def test_evidence_that_has_no_logarithm_is_left_out(served):
    served.judge.verdicts = {"canary": verdict("inconclusive", parts=[part("inconclusive", e_rollback=0.0)])}
    assert served.gate()["log_e_rollback"] is None
    served.judge.verdicts = {"canary": verdict("pass", parts=[part("pass", e_rollback=1e250, e_promote=1e-300)])}
    body = served.gate()
    assert (body["log_e_rollback"], body["log_e_promote"]) == (pytest.approx(575.6, 0.01), pytest.approx(-690.8, 0.01))


def test_a_figure_that_is_not_finite_does_not_cost_the_verdict(served):
    odd = part("fail", e_rollback=float("inf"), e_promote=float("nan"), burn=float("-inf"))
    served.judge.verdicts = {"canary": verdict("fail", parts=[odd])}
    body = served.gate("?candidate=2.1")
    assert (body["code"], body["log_e_rollback"], body["log_e_promote"]) == (-1, None, None)
    (told,) = body["slices"]
    assert (told["state"], told["evidence"]["burn"]) == ("fail", None)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?canidate=2.1", "unknown parameter 'canidate'; use one of: candidate, baseline, service, domain"),
        ("?release=2.1", "unknown parameter 'release'"),
        ("?candidate=", "candidate must be 1 to 256 printable characters, got ''"),
        ("?candidate=2.1%0a", "candidate must be 1 to 256 printable characters"),
        (f"?candidate={'x' * 257}", "candidate must be 1 to 256 printable characters"),
        ("?candidate=2.1&candidate=2.2", "duplicate parameter candidate"),
        ("?service=", "service must be"),
    ],
)
def test_a_question_that_is_none_is_refused_and_never_answered_with_a_pass(served, query, said):
    served.judge.verdicts = {"canary": verdict("pass")}
    status, _, body = served.ask(f"/v1/gates/canary{query}")
    assert status == 400
    assert said in json.loads(body)["error"]


def test_versions_with_signs_in_them_are_asked_for_percent_encoded(served):
    served.judge.verdicts = {"canary": verdict("pass", candidate="2.1+build/7 é")}
    assert served.gate("?candidate=2.1%2Bbuild%2F7%20%C3%A9")["state"] == "pass"
    assert served.gate("?candidate=2.1+build/7%20%C3%A9")["state"] == "inconclusive"


def test_verdicts_open_with_either_token_and_everything_else_with_the_first_alone():
    with Served(tokens=ApiTokens("s3cret", "gates")) as served:
        basic = "Basic Z3JvdW5kd2lyZTpnYXRlcw=="  # groundwire:gates
        paths = {"/v1/gates": 200, "/v1/gates/canary": 200, "/metrics": 401, "/openapi.json": 401, "/v1/slices": 401}
        for path, narrow in paths.items():
            codes = [
                served.ask(path, **({"Authorization": shown} if shown else {}))[0]
                for shown in ("Bearer s3cret", "Bearer gates", basic, "Bearer wrong", "Basic !", "")
            ]
            assert codes == [200, narrow, narrow, 401, 401, 401], path


@pytest.mark.slow
def test_a_real_agent_opens_verdicts_with_the_token_of_its_file(tmp_path):
    for name in ("token", "verdicts"):
        (tmp_path / name).write_text(f"{name}-s3cret\n")
    http = {"port": 0, "token_file": str(tmp_path / "token"), "verdict_token_file": str(tmp_path / "verdicts")}
    gate = {"type": "threshold", "name": "fresh", "metric": "stale_source_use", "at_most": 0.2}
    with Agent(tmp_path, gates=[gate], http=http) as agent:
        status, body = agent.get("/v1/gates/fresh?candidate=2.1", Authorization="Bearer verdicts-s3cret")
        assert (status, body["state"]) == (200, "inconclusive")
        ask = lambda: agent.get("/v1/gates/fresh?candidate=2.1", Authorization="Bearer token-s3cret")[1]  # noqa: E731
        agent.until(lambda: "the verdict names no candidate" in ask()["reason"])
        assert agent.get("/v1/answers", Authorization="Bearer verdicts-s3cret")[0] == 401
        assert agent.get("/v1/gates/fresh")[0] == 401
