"""Every example: its README says what its application does, and a running agent shows what the README says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
import yaml

from collector.configuration.file import load
from tests.agent import Agent, merge
from tests.examples.readme import EXAMPLES, Example, blocks, cut
from tests.peers import missing

ROOT = EXAMPLES.parent
ALL = [Example(path.parent.name) for path in sorted(EXAMPLES.glob("*/README.md"))]
LANGCHAIN = Example("langchain")
LANGFUSE = Example("langfuse")
OFFLINE = """
import socket

def only_loopback(connect):
    def checked(self, address):
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1"):
            open({reached!r}, "a").write(f"{{address}}\\n")
            raise OSError("this test has no network")
        return connect(self, address)
    return checked

def only_local_names(getaddrinfo):
    def checked(host, *args, **options):
        if host not in (None, "127.0.0.1", "::1", "localhost"):
            open({reached!r}, "a").write(f"{{host}}\\n")
            raise OSError("this test has no network")
        return getaddrinfo(host, *args, **options)
    return checked

socket.socket.connect = only_loopback(socket.socket.connect)
socket.getaddrinfo = only_local_names(socket.getaddrinfo)
"""

each = pytest.mark.parametrize("example", ALL, ids=lambda example: example.name)


def test_there_is_an_example_for_every_way_in() -> None:
    assert {example.name for example in ALL} == {
        "haystack",
        "langchain",
        "langfuse",
        "llama-index",
        "openllmetry",
        "opentelemetry",
    }


@each
def test_the_lines_to_add_are_those_that_the_application_runs(example: Example) -> None:
    assert example.snippets
    assert [text.strip() for text in example.added] == [text.strip() for text in example.snippets]


@pytest.mark.parametrize("name", ["langchain", "llama-index", "haystack", "openllmetry"])
def test_ten_lines_suffice_where_an_instrumentation_does_the_rest(name: str) -> None:
    assert len(Example(name).snippets[0].splitlines()) == 10


def test_the_readme_of_the_project_shows_the_ten_lines() -> None:
    assert [LANGCHAIN.snippets[0]] == re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )


@each
def test_what_a_readme_installs_is_what_the_tests_run_with(example: Example) -> None:
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
    assert set(example.installs) <= pinned


@each
def test_configurations_in_a_readme_are_accepted_by_the_agent(example: Example) -> None:
    for text in example.configurations:
        load(text, where="README.md")


def test_the_table_of_examples_lists_every_folder() -> None:
    table = (EXAMPLES / "README.md").read_text()
    assert sorted(re.findall(r"(?m)^\| \[[^]]+\]\(([a-z-]+)/README.md\)", table)) == [example.name for example in ALL]


def test_the_versions_in_the_table_are_those_the_tests_run_with() -> None:
    versions = dict(re.findall(r"(?m)^([a-z0-9-]+)==(\S+)", (ROOT / "constraints.txt").read_text()))
    told = re.findall(r"([a-z][a-z-]+) (\d[\d.]+)", (EXAMPLES / "README.md").read_text())
    assert len(told) >= len(ALL)
    assert dict(told) == {name: versions.get(name) for name, _ in told}


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """One agent for all examples, configured as their READMEs say."""
    config: dict[str, Any] = {}
    for example in ALL:
        for text in example.configurations:
            config = merge(config, yaml.safe_load(text))
    with Agent(tmp_path_factory.mktemp("agent"), **config) as running:
        yield running


def require(example: Example) -> None:
    for package in example.installs:
        try:
            version(package)
        except PackageNotFoundError:
            missing(package, f"pip install {package}")


def run(text: str, agent: Agent, directory: Path, **variables: str) -> str:
    """Run an application against the agent, out of reach of any network; return what it printed."""
    reached = directory / "reached"
    (directory / "sitecustomize.py").write_text(OFFLINE.format(reached=str(reached)))
    app = directory / "app.py"
    app.write_text(text.replace("127.0.0.1:4318", agent.otlp_http))
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("LANG", "OTEL_", "TRACELOOP"))
    }
    done = subprocess.run(
        [sys.executable, str(app)],
        env=environment | variables | {"PYTHONPATH": str(directory)},
        cwd=directory,
        timeout=120,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not reached.exists(), f"the example went out to {reached.read_text()}"
    return done.stdout


def scored(agent: Agent, service: str) -> list[dict[str, Any]]:
    """Return the three answers of an application, once they are scored."""

    def all_three() -> list[dict[str, Any]] | None:
        _, body = agent.get("/v1/answers?limit=100")
        rows = [row for row in body["answers"] if row["answer"]["service"] == service and row["evaluation"]]
        return rows if len(rows) == 3 else None

    found: list[dict[str, Any]] = agent.until(all_three)
    return found


@pytest.mark.slow
@each
def test_a_running_agent_shows_what_the_readme_says(example: Example, agent: Agent, tmp_path: Path) -> None:
    require(example)
    printed = run(example.app, agent, tmp_path)
    rows = {row["answer"]["question"]: row for row in scored(agent, example.service)}
    assert printed == "".join(f"{q}\n  {rows[q]['answer']['answer']}\n" for q in printed.splitlines()[::2])
    assert len({row["slice"]["domain"] for row in rows.values()}) == 3
    for row in rows.values():
        values = {score["metric"]: score["value"] for score in row["evaluation"]["scores"]}
        assert values["citation_coverage"] == 1.0
        assert values["claim_support"] > 0.5
        assert len(row["answer"]["passages"]) == 2
    assert example.seen
    for shown in example.seen:
        told = cut(rows[shown["answer"]["question"]], shown)
        assert json.dumps(told, indent=1) == json.dumps(shown, indent=1)


def instead(example: Example, lines: str) -> str:
    """Return the application of an example with other lines in place of those it added."""
    return example.app.replace(example.added[0], lines)


@pytest.mark.slow
def test_the_langfuse_callback_of_langchain_reports_to_the_agent(agent: Agent, tmp_path: Path) -> None:
    require(LANGFUSE)
    require(LANGCHAIN)
    client = LANGFUSE.added[0].replace(LANGFUSE.service, "garden-callback")
    (callback,) = blocks(LANGFUSE.readme, "callback", "python")
    main = "if __name__"
    run(instead(LANGCHAIN, client).replace(main, f"{callback}\n{main}"), agent, tmp_path)
    rows = {row["answer"]["question"]: row["answer"] for row in scored(agent, "garden-callback")}
    answer = rows["Who keeps the greenhouse keys?"]
    assert (answer["source"], answer["framework"]) == ("langfuse", "langchain")
    assert answer["answer"] == "Greenhouse keys are kept by the caretaker [1]."
    assert [passage["id"] for passage in answer["passages"]] == ["GDN-002@1", "GDN-001@2"]
    assert answer["usage"]["total_tokens"] == 45


@pytest.mark.slow
def test_an_application_may_report_to_langfuse_and_to_the_agent_at_once(agent: Agent, tmp_path: Path) -> None:
    require(LANGFUSE)
    keys = 'public_key="pk", secret_key="sk", timeout=1'
    client = f'langfuse = Langfuse(base_url="http://127.0.0.1:9", {keys})\n'  # a Langfuse server that is down
    (second,) = blocks(LANGFUSE.readme, "beside", "python")
    imports = LANGFUSE.added[0].splitlines()[0]
    text = instead(LANGFUSE, f"{imports}\n{client}{second}")
    run(text, agent, tmp_path, OTEL_SERVICE_NAME="hotel-beside")
    answers = {row["answer"]["question"]: row["answer"]["answer"] for row in scored(agent, "hotel-beside")}
    assert answers["When does the sauna open?"] == "The sauna opens at 16:00 [1]."
