"""The manifests for Argo Rollouts and Flagger, used as those tools use them, against the API on a real port."""

import copy
from urllib.parse import urlsplit

import pytest
import yaml

from collector.api.flagger import HOOKS
from collector.receivers.guard import ApiTokens
from tests.collector.served import Served, called, verdict
from tests.examples.argo import ERROR, FAILED, INCONCLUSIVE, RUNNING, SUCCESSFUL, Metric
from tests.examples.readme import EXAMPLES

ROLLOUTS = EXAMPLES / "rollouts"
WEB, PROMETHEUS = ROLLOUTS / "argo-web.yaml", ROLLOUTS / "argo-prometheus.yaml"


@pytest.fixture(scope="module")
def running():
    with Served(tokens=ApiTokens("s3cret", "gates")) as served:
        yield served


@pytest.fixture
def served(running):
    running.judge.verdicts, running.judge.fresh = {}, True
    return running


def web(served, **args):
    return Metric(WEB, **({"gate": "canary", "candidate": "2.1", "agent": served.url, "token": "gates"} | args))


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize(
    ("state", "phase"), [("pass", (SUCCESSFUL, 1)), ("fail", (FAILED, -1)), ("inconclusive", (INCONCLUSIVE, 0))]
)
def test_argo_reads_each_verdict_as_what_it_is(served, state, phase, older):
    served.judge.verdicts = {"canary": verdict(state)}
    assert web(served).measure_web(older=older) == phase


@pytest.mark.parametrize("older", [False, True])
def test_argo_reads_whatever_is_no_verdict_over_the_candidate_as_inconclusive(served, older):
    assert web(served).measure_web(older=older) == (INCONCLUSIVE, 0)
    served.judge.verdicts = {"canary": verdict("pass")}
    assert web(served, candidate="2.2").measure_web(older=older) == (INCONCLUSIVE, 0)
    served.judge.fresh = False
    assert web(served).measure_web(older=older) == (INCONCLUSIVE, 0)


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize(
    "args", [{"token": "wrong"}, {"gate": "none"}, {"candidate": ""}, {"agent": "http://127.0.0.1:9"}]
)
def test_argo_takes_what_cannot_be_asked_for_an_error_and_never_for_a_success(served, args, older):
    served.judge.verdicts = {"canary": verdict("pass")}
    assert web(served, **args).measure_web(older=older)[0] == ERROR


def test_a_number_that_is_none_would_be_a_success_to_some_versions_and_an_error_to_others(served, monkeypatch):
    served.judge.verdicts = {"canary": verdict("fail")}
    monkeypatch.setattr("collector.api.exchange.encoded", lambda _: b'{"code": NaN}')
    assert web(served).measure_web(older=True)[0] == SUCCESSFUL
    assert web(served).measure_web(older=False)[0] == ERROR


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize("file", [WEB, PROMETHEUS], ids=["web", "prometheus"])
def test_a_day_without_a_verdict_ends_as_inconclusive_and_a_fail_ends_it_at_once(file, older):
    args = {"token": "t"} if file == WEB else {}
    metric = Metric(file, gate="canary", candidate="2.1", **args)
    day = metric.spec["count"]
    assert day * 5 == 24 * 60
    assert metric.spec["interval"] == "5m"
    assert metric.assessed([INCONCLUSIVE] * day, older=older) == (INCONCLUSIVE, day)
    assert metric.assessed([INCONCLUSIVE] * 20 + [FAILED], older=older) == (FAILED, 21)
    away = [ERROR] * 30
    assert metric.assessed([INCONCLUSIVE, *away, INCONCLUSIVE, *away], older=older) == (RUNNING, 62)
    assert metric.assessed([INCONCLUSIVE, *away, ERROR], older=older) == (ERROR, 32)
    passed = metric.assessed([INCONCLUSIVE] * 20 + [SUCCESSFUL] * day, older=older)
    assert passed == (SUCCESSFUL, day if older else 21)
    careless = copy.deepcopy(metric)
    careless.spec["inconclusiveLimit"] = day
    assert careless.assessed([INCONCLUSIVE] * day, older=True) == (SUCCESSFUL, day)


def test_the_vector_that_prometheus_gives_is_read_by_its_first_value():
    metric = Metric(PROMETHEUS, gate="canary", candidate="2.1")
    nan = float("nan")
    read = {(1.0,): SUCCESSFUL, (-1.0,): FAILED, (0.0,): INCONCLUSIVE, (nan,): INCONCLUSIVE, (): ERROR}
    assert {values: metric.evaluated(list(values)) for values in read} == read


def test_the_rollout_waits_for_one_analysis_and_is_aborted_by_another():
    rollout = yaml.safe_load((ROLLOUTS / "argo-rollout.yaml").read_text())
    canary = rollout["spec"]["strategy"]["canary"]
    analyses = [canary["analysis"], *(step["analysis"] for step in canary["steps"] if "analysis" in step)]
    assert len(analyses) == 2
    for file in (WEB, PROMETHEUS):
        template = yaml.safe_load(file.read_text())
        needed = {each["name"] for each in template["spec"]["args"] if "value" not in each and "valueFrom" not in each}
        for analysis in analyses:
            assert analysis["templates"] == [{"templateName": template["metadata"]["name"]}]
            assert {each["name"] for each in analysis["args"]} == needed
    env = {each["name"]: each for each in rollout["spec"]["template"]["spec"]["containers"][0]["env"]}
    told = dict(pair.split("=") for pair in env["OTEL_RESOURCE_ATTRIBUTES"]["value"].split(","))
    assert float(told["groundwire.share"]) * 100 == canary["steps"][0]["setWeight"]
    assert told["service.version"] == rollout["metadata"]["labels"]["app.kubernetes.io/version"]
    arms = {canary[side]["labels"]["arm"] for side in ("canaryMetadata", "stableMetadata")}
    assert arms == {"candidate", "baseline"}


def test_the_webhooks_of_the_canary_call_the_hook_of_their_type(served):
    hooks = yaml.safe_load((ROLLOUTS / "flagger-canary.yaml").read_text())["spec"]["analysis"]["webhooks"]
    assert {hook["type"] for hook in hooks} == set(HOOKS)
    for state, yes in (("pass", "confirm-promotion"), ("fail", "rollback"), ("inconclusive", None)):
        served.judge.verdicts = {"canary": verdict(state)}
        said = set()
        for hook in hooks:
            parts = urlsplit(hook["url"].replace("TOKEN", "gates"))
            url = f"http://{parts.username}:{parts.password}@127.0.0.1:{served.port}{parts.path}"
            assert parts.path.endswith(f"/{hook['type']}")
            payload = {"name": "assistant", "namespace": "prod", "phase": "Progressing", "checksum": "85d557f47b"}
            if called(url, payload | {"metadata": hook["metadata"]}) is None:
                said.add(hook["type"])
        assert said - {"confirm-traffic-increase"} == ({yes} if yes else set())
        assert ("confirm-traffic-increase" in said) == (state != "fail")
