"""Reports of runs: what a director reads first, and that nothing in them can do anything."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests import forking
from tests.command import one_object

pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")

HOSTILE = "<script>alert(1)</script><img src=http://evil.test/x> | [a](http://evil.test)"


def line(number: int, *, wrong: bool, run: str = "") -> str:
    amount = 250 if wrong else 180
    answer = {
        "id": f"{run}q{number}",
        "question": f"What may a hotel cost? {HOSTILE}",
        "answer": f"A hotel may cost up to {amount} EUR a night.",
        "passages": [{"id": "p", "text": f"A hotel may cost up to 180 EUR a night. {HOSTILE}", "doc_id": "TRV"}],
        "attributes": {"domain": "travel" if number % 2 else "leave", "case": str(number)},
        "usage": {"latency_ms": 900 + number, "cost_usd": 0.002},
    }
    return json.dumps(answer) + "\n"


def cli(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    command = [*forking.words(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    made = []
    for name, wrong in (("before", 0), ("after", 12)):
        suite = folder / f"{name}.jsonl"
        suite.write_text("".join(line(number, wrong=number < wrong) for number in range(24)))
        metrics = "composite,faithfulness,failure_category,latency,cost"
        cli("evaluate", str(suite), "--to", str(folder / name), "--workers", "1", "--metrics", metrics)
        made.append(folder / name)
    return made[0], made[1]


@pytest.mark.slow
def test_a_comparison_says_first_what_to_do_and_holds_nothing_that_runs(runs, tmp_path) -> None:
    before, after = runs
    page, bundle = tmp_path / "report.html", tmp_path / "report.tar.gz"
    told = cli("report", str(before), str(after), "--to", str(page), "--bundle", str(bundle)).stdout
    assert "Hold after: it is worse than before in" in told
    text = page.read_text(encoding="utf-8")
    assert text.index("Hold after") < text.index("Differences") < text.index("The worst answers")
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", text[text.index("<h2>Differences") :])
    assert heads[:4] == ["Metric", "Verdict", "p (Holm)", "Baseline"], "what decides is seen on any screen"
    assert "<script" not in text.replace("&lt;script", "")
    assert not re.findall(r'<(?:a|script|link|iframe|form)\b|<img (?!src="data:image/svg)', text)
    assert "default-src 'none'" in text
    assert "up to 250 EUR a night" in text
    again = tmp_path / "again"
    again.mkdir()
    cli("report", str(before), str(after), "--to", str(again / "report.html"), "--bundle", str(again / "report.tar.gz"))
    assert (again / "report.html").read_bytes() == page.read_bytes(), "the same runs give the same report"
    assert (again / "report.tar.gz").read_bytes() == bundle.read_bytes()
    assert "intact" in cli("report", "--verify", str(bundle)).stdout
    verified = one_object(cli("report", "--verify", str(bundle), "--json"))
    assert (verified["bundle"], verified["intact"]) == (str(bundle), True)
    assert verified["sha256"] in told
    places = ("--to", str(again / "as.html"), "--bundle", str(again / "as.tar.gz"))
    written = one_object(cli("report", str(before), str(after), *places, "--json"), "report")
    assert f"{page}: {written['decision']}\n" in told
    assert (written["verdict"], written["recorded_as"]) == ("hold", None)
    assert written["bundle"]["file"] == str(again / "as.tar.gz")


@pytest.mark.slow
def test_runs_whose_answers_have_ids_of_their_own_are_paired_by_an_attribute(runs, tmp_path) -> None:
    suite = tmp_path / "other.jsonl"
    suite.write_text("".join(line(number, wrong=number < 12, run="other-") for number in range(24)))
    cli("evaluate", str(suite), "--to", str(tmp_path / "other"), "--workers", "1", "--metrics", "faithfulness")
    given = ("report", str(runs[0]), str(tmp_path / "other"), "--to", str(tmp_path / "r.json"))
    assert "pair them by --pair question, or by an attribute that tells questions apart" in cli(*given, code=2).stderr
    told = cli(*given, "--pair", "case").stdout
    assert "Hold other: it is worse than before in faithfulness" in told
    assert "give two or more" in cli("report", str(runs[0]), "--to", "r.json", "--pair", "case", code=2).stderr


@pytest.mark.slow
def test_a_bundle_that_was_changed_is_refused_with_the_file(runs, tmp_path) -> None:
    bundle = tmp_path / "report.tar.gz"
    cli("report", str(runs[0]), "--to", str(tmp_path / "r.json"), "--bundle", str(bundle))
    with tarfile.open(bundle) as archive:
        archive.extractall(tmp_path / "out", filter="data")
    report = tmp_path / "out" / "report" / "r.json"
    report.chmod(0o644)
    report.write_text(report.read_text().replace("fault", "virtue"))
    with tarfile.open(tmp_path / "changed.tar.gz", "w:gz") as archive:
        names = ["bundle.json", *json.loads((tmp_path / "out" / "bundle.json").read_text())["files"]]
        for name in names:
            archive.add(tmp_path / "out" / name, name)
    refused = cli("report", "--verify", str(tmp_path / "changed.tar.gz"), code=2)
    assert "report/r.json: was changed" in refused.stderr


@pytest.mark.slow
def test_a_run_as_markdown_and_json_has_the_decision_and_text_stays_text(runs, tmp_path) -> None:
    cli("report", str(runs[1]), "--to", str(tmp_path / "r.md"))
    text = (tmp_path / "r.md").read_text()
    assert re.search(r"\*\*\d+ of 24 answers have a fault", text)
    assert "<script" not in text
    assert "[a](http" not in text
    cli("report", str(runs[1]), "--to", str(tmp_path / "r.json"))
    content = json.loads((tmp_path / "r.json").read_text())
    assert content["verdict"] == "repair"
    assert {one["attribute"] for one in content["runs"][0]["slices"]} == {"domain"}
    latency = content["runs"][0]["usage"][0]
    assert latency["name"] == "latency"
    assert latency["median"] < latency["p95"] < latency["p99"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["run", "--to", "r.txt"], "the ending says the form"),
        (["run"], "give the file to write with --to"),
        (["--to", "r.html"], "give run folders, or --since"),
        (["nowhere", "--to", "r.json"], "is no run folder"),
    ],
)
def test_what_cannot_be_reported_is_named(arguments, problem) -> None:
    assert problem in cli("report", *arguments, code=2).stderr


@pytest.mark.slow
def test_a_gate_of_the_configuration_decides_with_its_exit_code(runs, tmp_path) -> None:
    config = tmp_path / "groundwire.yaml"
    rule = "{type: acceptance, name: release, metric: composite, at_least: 99, by: [domain], min_answers: 5}"
    config.write_text(f"gates:\n  - {rule}\n  - {{type: drift, name: live, metric: composite, worse: lower}}\n")
    page = tmp_path / "gated.md"
    chosen = ("--gate", "release", "--config", str(config))
    told = cli("report", str(runs[1]), "--to", str(page), *chosen, code=1).stdout
    assert "Hold after: gate release fails" in told
    assert "### Gate release over after: fail" in page.read_text(encoding="utf-8")
    assert "needs traffic over time" in cli("report", str(runs[1]), "--to", str(page), "--gate", "live", "--config",
                                            str(config), code=2).stderr  # fmt: skip
    assert "give the configuration" in cli("report", str(runs[1]), "--to", str(page), "--gate", "x", code=2).stderr
