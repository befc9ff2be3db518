from __future__ import annotations

import os
import select
import signal
import socket
import sys
from pathlib import Path

import pytest
import yaml

from collector.demo import agent as module
from collector.demo.agent import DemoAgent, Ports, configuration

PORTS = Ports(http=8080, otlp_http=4318, otlp_grpc=4317)


@pytest.fixture
def agent(tmp_path: Path) -> DemoAgent:
    return DemoAgent(tmp_path, ports=PORTS, catalog=tmp_path / "policies.yaml")


def pretend(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the agent be this Python program instead."""
    monkeypatch.setattr(module, "_COMMAND", (sys.executable, "-c", code))


def test_the_configuration_is_one_the_agent_accepts(tmp_path: Path) -> None:
    from collector.configuration.file import load

    text = yaml.safe_dump(dict(configuration(ports=PORTS, catalog=tmp_path / "policies.yaml")))
    config = load(text, where="demo")
    assert [gate.name for gate in config.gates] == [module.GATE]
    assert config.gates[0].metrics == {module.METRIC}


def test_a_port_that_is_taken_is_replaced_by_a_free_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with module.ExitStack() as held:
            assert module._free(port, held) != port


def test_ports_are_three_different_ones() -> None:
    ports = Ports.choose()
    assert len({ports.http, ports.otlp_http, ports.otlp_grpc}) == 3


def test_an_agent_that_never_started_is_stopped_without_complaint(agent: DemoAgent) -> None:
    agent.stop()
    assert agent.exit_code is None
    assert agent.log_tail() == ""


def test_stopping_asks_first(agent: DemoAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "import signal; print('up', flush=True); signal.pause()")
    agent.start()
    agent.stop()
    assert agent.exit_code == -signal.SIGTERM


def test_an_agent_that_does_not_listen_is_killed_with_its_children(
    agent: DemoAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pretend(
        monkeypatch,
        "import os, signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); child = os.fork()\n"
        f"if child: open({str(pipe)!r}, 'w').write(f'{{child}}')\n"
        "while True: signal.pause()",
    )
    monkeypatch.setattr(module, "_DRAIN_SECONDS", 0.1)
    agent.start()
    child = os.pidfd_open(int(pipe.read_text()))
    agent.stop()
    assert agent.exit_code == -signal.SIGKILL
    # Killed is not yet ended: the system tells when it is.
    assert select.select([child], [], [], 30)[0]
    os.close(child)


def test_the_log_of_an_agent_that_failed_is_kept_for_the_reader(
    agent: DemoAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "import sys; print('\\n'.join(map(str, range(40)))); sys.exit('port 4318 is taken')")
    agent.start()
    agent._process.wait()
    assert agent.exit_code == 1
    assert agent.log_tail(lines=2).splitlines()[-1] == "port 4318 is taken"
