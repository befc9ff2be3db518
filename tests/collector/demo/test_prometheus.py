"""A real Prometheus scrapes the agent of the demo: every expression of boards and rules returns data there."""

import json
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from urllib.parse import urlsplit

import pytest
import yaml

from collector.configuration.file import load
from collector.demo.agent import Ports, configuration
from dashboards.rules import expressions, rules
from tests.prometheus import Prometheus

OF_FAILURES = {
    "board: on-call: Firing alerts",
    "board: on-call: What fails",
    "board: changes",
    "alert: GroundwireGateFailing",
    "alert: GroundwireSliceFailing",
}
"""What returns nothing while all is well."""


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    ports = Ports(http=1, otlp_http=2, otlp_grpc=3)
    tree = dict(configuration(ports=ports, catalog=tmp_path_factory.mktemp("c") / "policies.yaml"))
    return load(yaml.safe_dump(tree), where="the demo's configuration")


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_every_expression_returns_data_and_the_gate_alert_fires_and_resolves(tmp_path, setting):
    told, recovered = [], threading.Event()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "collector.cli", "demo"], stdout=subprocess.PIPE, text=True
    ) as demo:
        try:
            first = next(line for line in demo.stdout if "agent ready at" in line)
            target = urlsplit(re.search(r"http://\S+?(?=[:;,]?\s)", first).group()).netloc

            def listen():
                for line in demo.stdout:
                    told.append(line)
                    if "recovers" in line:
                        recovered.set()

            reader = threading.Thread(target=listen)
            reader.start()
            with Prometheus(tmp_path, target, rules(setting.dimensions, setting.metrics, setting.gates)) as prometheus:
                prometheus.until(lambda: "GroundwireGateFailing" in prometheus.alerts(), "the gate's alert fires", 120)
                # While it fails, what returns nothing while all is well returns something, too.
                failing = [each for each in asked(setting, setting.metrics) if each.where in OF_FAILURES]
                assert len(failing) == len(OF_FAILURES)
                assert [each.where for each in failing if not answered(prometheus, each.expr)] == []
                assert recovered.wait(120), "".join(told)
                scored = scored_at(target)
                assert {"claim_support", "faithfulness", "stale_source_use", "citation_precision"} <= scored
                assert (
                    unanswered(prometheus, asked(setting, [each for each in setting.metrics if each.name in scored]))
                    == []
                )
                prometheus.until(lambda: states(prometheus) == ["1"], "the gate passes")
        finally:
            demo.send_signal(signal.SIGINT)
        demo.wait(60)
        reader.join(60)


def states(prometheus):
    """The state of the gate, as Prometheus has it."""
    return [row["value"][1] for row in prometheus.query('groundwire_gate_state{gate="policy-freshness"}')]


def scored_at(target):
    """The metrics of which the agent has values: the demo's answers give no occasion for some."""
    with urllib.request.urlopen(f"http://{target}/v1/answers?limit=200", timeout=30) as response:
        rows = json.load(response)["answers"]
    return {score["metric"] for row in rows if row["evaluation"] for score in row["evaluation"]["scores"]}


def answered(prometheus, expression):
    """Whether an expression returns data within some scrapes: after one that was missed there is none."""
    try:
        return prometheus.until(lambda: prometheus.query(expression), expression, 10)
    except AssertionError:
        return None


def asked(config, metrics):
    """The expressions of the boards and the rules of a configuration, with panels of these metrics."""
    return expressions(config.dimensions, metrics, config.gates, config.exposure, config.parts)


def unanswered(prometheus, asked):
    """Run every expression until it returns data; return those that never do, and print them all."""
    empty = []
    for expression in asked:
        rows = prometheus.query(expression.expr)
        if not rows and not expression.quiet and not answered(prometheus, expression.expr):
            empty.append((expression.where, expression.expr))
        print(f"{len(rows):4} series  {expression.where}")
    return empty
