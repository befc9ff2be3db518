from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest

from collector.demo.agent import Ports
from collector.demo.client import Client
from tests.peers import require_module

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "langchain"


def block(text: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)
    assert found is not None, f"no {language} block"
    return found.group(1)


def between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]


def snippet() -> str:
    return block(between((EXAMPLE / "README.md").read_text(), "<!-- snippet -->", "<!-- end snippet -->"), "python")


def scored(url: str) -> list[dict[str, Any]]:
    with build_opener(ProxyHandler({})).open(f"{url}/v1/answers?limit=10", timeout=10) as response:
        rows: list[dict[str, Any]] = json.load(response)["answers"]
    return [row for row in rows if row["evaluation"] is not None]


def until(read: Callable[[], Any], enough: Callable[[Any], bool], *, seconds: float = 60.0) -> Any:
    end = time.monotonic() + seconds
    while True:
        found = read()
        if enough(found):
            return found
        assert time.monotonic() < end, f"not within {seconds} s: {found}"
        time.sleep(0.2)


@contextmanager
def running_agent(directory: Path, ports: Ports) -> Iterator[str]:
    """Run ``groundwire run`` as the README says, on free ports."""
    overrides = {
        "http.port": ports.http,
        "receive.otlp_http.port": ports.otlp_http,
        "receive.otlp_grpc.port": ports.otlp_grpc,
    }
    command = [sys.executable, "-P", "-m", "collector.cli", "run", "--data", str(directory / "data")]
    command += [part for key, value in overrides.items() for part in ("--set", f"{key}={value}")]
    with (directory / "agent.log").open("wb") as log, subprocess.Popen(command, stderr=log) as agent:
        try:
            client = Client(f"http://127.0.0.1:{ports.http}")
            until(client.ready, bool)
            yield client.base_url
        finally:
            agent.terminate()


def test_the_snippet_of_the_example_is_what_its_application_runs() -> None:
    app = (EXAMPLE / "app.py").read_text()
    assert between(app, "# --- groundwire: the ten lines\n", "# --- groundwire: end") == snippet()


def test_the_snippet_has_ten_lines() -> None:
    assert len(snippet().splitlines()) == 10


def test_the_readme_of_the_project_shows_the_same_snippet() -> None:
    assert block((ROOT / "README.md").read_text(), "python") == snippet()


def test_the_configuration_in_the_readme_is_one_the_agent_accepts() -> None:
    from collector.configfile import load

    text = between((EXAMPLE / "README.md").read_text(), "<!-- configuration -->", "<!-- end configuration -->")
    config = load(block(text, "yaml"), where="README.md")
    assert [gate.name for gate in config.gates] == ["grounded"]


@pytest.mark.slow
def test_answers_of_the_example_are_scored_by_a_running_agent(tmp_path: Path) -> None:
    require_module("openinference.instrumentation.langchain", "pip install 'groundwire[langchain]'")
    ports = Ports.choose()
    app = tmp_path / "app.py"
    app.write_text((EXAMPLE / "app.py").read_text().replace("127.0.0.1:4318", f"127.0.0.1:{ports.otlp_http}"))
    with running_agent(tmp_path, ports) as url:
        subprocess.run([sys.executable, str(app)], check=True, timeout=60, capture_output=True)
        rows = until(lambda: scored(url), lambda rows: len(rows) == 3)
    by_question = {row["answer"]["question"]: row for row in rows}
    row = by_question["For how long are garden tools lent?"]
    assert row["answer"]["answer"] == "Garden tools are lent for 7 days [1]."
    assert row["answer"]["service"] == "my-assistant"
    assert row["answer"]["passages"][0]["doc_id"] == "GDN-001"
    values = {score["metric"]: score["value"] for score in row["evaluation"]["scores"]}
    assert values["citation_coverage"] == 1.0
    assert values["claim_support"] > 0.5
