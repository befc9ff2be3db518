from __future__ import annotations

import io
import os
import signal
import sys

import pytest
from rich.console import Console

from collector.demo import agent, run_demo
from collector.demo import run as module
from collector.demo.agent import DemoAgent
from collector.errors import ConfigError
from tests.peers import require_module

require_module("openinference.instrumentation.langchain", "pip install 'groundwire[langchain]'")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[DemoAgent]:
    """Return the agents that were started, so that a test can see that they are gone."""
    agents: list[DemoAgent] = []
    start = DemoAgent.start

    def noting(self: DemoAgent) -> None:
        agents.append(self)
        start(self)

    monkeypatch.setattr(DemoAgent, "start", noting)
    return agents


def pretend(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(agent, "_COMMAND", (sys.executable, "-c", code))


def played() -> tuple[int, str]:
    out = io.StringIO()
    return run_demo(exit_when_done=True, console=Console(file=out)), out.getvalue()


def test_without_langchain_the_demo_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "collector.demo.telemetry", raising=False)
    monkeypatch.delattr("collector.demo.telemetry", raising=False)
    monkeypatch.setitem(sys.modules, "openinference.instrumentation.langchain", None)
    with pytest.raises(ConfigError, match=r"pip install 'groundwire\[langchain\]'"):
        run_demo()


def test_an_agent_that_does_not_start_fails_the_demo_with_its_last_words(
    monkeypatch: pytest.MonkeyPatch, started: list[DemoAgent]
) -> None:
    pretend(monkeypatch, "import sys; sys.exit('the disk is full')")
    code, text = played()
    assert code == 1
    assert "exited with code 1 before it was ready" in text
    assert "the disk is full" in text
    assert len(started) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_waiting_ends_the_agent_too(
    monkeypatch: pytest.MonkeyPatch, started: list[DemoAgent], number: signal.Signals
) -> None:
    pretend(monkeypatch, "import signal; signal.pause()")

    def ready(_: object) -> bool:
        os.kill(os.getpid(), number)
        return False

    monkeypatch.setattr(module.Client, "ready", ready)
    code, _ = played()
    assert code == 128 + number
    assert [each.exit_code for each in started] == [-signal.SIGTERM]


def test_a_bug_in_the_story_ends_the_agent_too(monkeypatch: pytest.MonkeyPatch, started: list[DemoAgent]) -> None:
    pretend(monkeypatch, "import signal; signal.pause()")

    def ready(_: object) -> bool:
        raise RuntimeError("a bug")

    monkeypatch.setattr(module.Client, "ready", ready)
    with pytest.raises(RuntimeError, match="a bug"):
        played()
    assert [each.exit_code for each in started] == [-signal.SIGTERM]
