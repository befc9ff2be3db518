import re
import subprocess
from pathlib import Path

import pytest
import yaml

from dashboards.alerts import all_alerts
from dashboards.rules import rules
from telemetry.alerts import RUNBOOK
from tests.dashboards.cases import CASES, PUBLIC_URL, UNTOLD, Case
from tests.dashboards.sample import DIMENSIONS, GATES, METRICS, PARTS
from tests.peers import require

ROOT = Path(__file__).parents[2]
RUNBOOK_PAGE = ROOT / "docs" / "runbook.md"
TEXT = rules(DIMENSIONS, METRICS, GATES, parts=PARTS, public_url=PUBLIC_URL)
OF_VERDICTS = {
    "GroundwireGateFailing",
    "GroundwireSliceFailing",
    "GroundwireObjectivePage",
    "GroundwireObjectiveTicket",
}
ALERTS = {alert.name: alert for alert in all_alerts(DIMENSIONS, GATES)}


@pytest.fixture
def promtool() -> str:
    return require("promtool")


@pytest.mark.parametrize(
    ("dimensions", "metrics", "gates"), [(DIMENSIONS, METRICS, GATES), ((), METRICS, ()), ((), (), ())]
)
def test_prometheus_accepts_the_rules(
    promtool: str, tmp_path: Path, dimensions: tuple[str, ...], metrics: tuple, gates: tuple
) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(rules(dimensions, metrics, gates))
    checked = subprocess.run([promtool, "check", "rules", path], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "SUCCESS" in checked.stdout


def told(case: Case, labels: dict[str, str]) -> dict[str, str]:
    """What an alert on a verdict says beside summary and description; without words it links to the gate."""
    gate = f"{PUBLIC_URL}/gates/{labels['gate']}"
    cut = "".join(f"&{name}={labels[name]}" for name in DIMENSIONS if name in labels)
    link = f"{PUBLIC_URL}/slices/{labels['gate']}?{cut}" if cut else gate
    return {"link": link, "decision": gate, **UNTOLD} if case.told is UNTOLD else case.told


def alert_test(name: str, case: Case) -> dict[str, object]:
    expected = [
        {
            "exp_labels": {"severity": ALERTS[name].severity, **labels},
            "exp_annotations": {
                "summary": summary,
                "description": description,
                "runbook_url": f"{RUNBOOK}#{name.lower()}",
                **(told(case, labels) if name in OF_VERDICTS else {}),
            },
        }
        for labels, summary, description in case.fires
    ]
    return {
        "interval": "1m",
        "input_series": [{"series": series, "values": values} for series, values in case.series.items()],
        "alert_rule_test": [{"eval_time": case.at, "alertname": name, "exp_alerts": expected}],
    }


@pytest.mark.parametrize("name", sorted(ALERTS))
def test_each_alert_fires_when_it_should_and_only_then(promtool: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "rules.yaml").write_text(TEXT)
    suite = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": "1m",
        "tests": [alert_test(name, case) for case in CASES[name]],
    }
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(suite))
    tested = subprocess.run(
        [promtool, "test", "rules", "test.yaml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_every_alert_is_tested_both_ways() -> None:
    assert CASES.keys() == ALERTS.keys()
    for name, cases in CASES.items():
        assert any(case.fires for case in cases), f"{name} is never seen to fire"
        assert any(not case.fires for case in cases), f"{name} is never seen to keep quiet"


def test_the_recorded_mean_is_that_of_all_traffic(promtool: str, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(TEXT)
    slice_ = 'metric="claim_support",domain="travel",service="helpdesk"'
    suite = {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                # Two replicas: 10 answers a minute that score 0.9, and 30 that score 0.5.
                "input_series": [
                    {"series": f'rag_weighted_scores_total{{{slice_},instance="a"}}', "values": "0+9x90"},
                    {"series": f'rag_weighted_answers_total{{{slice_},instance="a"}}', "values": "0+10x90"},
                    {"series": f'rag_weighted_scores_total{{{slice_},instance="b"}}', "values": "0+15x90"},
                    {"series": f'rag_weighted_answers_total{{{slice_},instance="b"}}', "values": "0+30x90"},
                    {"series": 'rag_weighted_scores_total{metric="idle",domain="travel"}', "values": "7x90"},
                    {"series": 'rag_weighted_answers_total{metric="idle",domain="travel"}', "values": "9x90"},
                ],
                "promql_expr_test": [
                    {
                        "expr": f"round(slice:rag_score:mean{window}, 0.0001)",
                        "eval_time": "80m",
                        "exp_samples": [{"labels": f"{{{slice_}}}", "value": 0.6}],
                    }
                    for window in ("5m", "1h")
                ],
            }
        ],
    }
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(suite))
    tested = subprocess.run(
        [promtool, "test", "rules", "test.yaml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_every_alert_has_its_section_in_the_runbook_and_no_section_is_left_over() -> None:
    sections = re.findall(r"^## (Groundwire\w+)$", RUNBOOK_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == list(ALERTS)


def test_every_alert_says_what_to_do_and_for_whom() -> None:
    for group in yaml.safe_load(TEXT)["groups"]:
        for rule in group["rules"]:
            if "alert" in rule:
                assert rule["labels"]["severity"] in {"page", "ticket", "info"}
                assert rule["annotations"]["runbook_url"] == f"{RUNBOOK}#{rule['alert'].lower()}"
                assert rule["annotations"]["summary"]
                assert rule["annotations"]["description"].endswith((".", "}}"))


def test_what_is_not_configured_has_no_alert() -> None:
    names = set(re.findall(r"alert: (\w+)", rules(DIMENSIONS, METRICS, GATES, parts=("notify",))))
    assert {"GroundwireNotifierDown", "GroundwireNotificationsLost", "GroundwireCatalogRefused"} <= names
    assert not {name for name in names if name.startswith(("GroundwireSource", "GroundwireWriteBack"))}


def test_without_gates_nothing_is_said_about_their_metrics() -> None:
    assert "GroundwireUnscoredHigh" in TEXT
    assert "GroundwireUnscoredHigh" not in rules(DIMENSIONS, METRICS, ())
