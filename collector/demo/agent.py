"""The agent as the demo runs it: ``groundwire run`` in a process of its own, configured for the story."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from collector.demo.client import AgentError

GATE = "policy-freshness"
METRIC = "stale_source_use"
AT_MOST = 0.25
"""Share of answers on superseded passages that the gate allows."""

_COMMAND = (sys.executable, "-P", "-m", "collector.cli", "run")
"""``groundwire run`` of this very installation; ``-P`` keeps the working directory from shadowing it."""

_DRAIN_SECONDS = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Where the agent listens, on 127.0.0.1."""

    http: int
    otlp_http: int
    otlp_grpc: int

    @classmethod
    def choose(cls) -> Ports:
        """Return the default ports, with a free one in place of each that is taken."""
        with ExitStack() as held:  # all three are held until the last is found, so that none is given twice
            http, otlp_http, otlp_grpc = (_free(port, held) for port in (8080, 4318, 4317))
            return cls(http=http, otlp_http=otlp_http, otlp_grpc=otlp_grpc)


def _free(preferred: int, held: ExitStack) -> int:
    for port in (preferred, 0):
        probe = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            continue
        return int(probe.getsockname()[1])
    raise AgentError("no free port on 127.0.0.1")


def configuration(*, ports: Ports, catalog: Path) -> Mapping[str, Any]:
    """Return the agent's configuration: slices by domain, a gate on stale sources, intervals short enough to watch."""
    return {
        "receive": {"otlp_http": {"port": ports.otlp_http}, "otlp_grpc": {"port": ports.otlp_grpc}},
        "http": {"port": ports.http},
        "traces": {"idle": "500ms", "timeout": "20s", "attributes": {"domain": "domain"}},
        "catalog": {"path": str(catalog), "poll": "250ms"},
        "slices": [{"name": "service"}, {"name": "domain"}],
        "gates": [
            {
                "type": "threshold",
                "name": GATE,
                "metric": METRIC,
                "at_most": AT_MOST,
                "by": ["domain"],
                "window": "20s",
                "min_answers": 8,
            }
        ],
        "judge": {"tick": "500ms"},
        "drain": "5s",
    }


class DemoAgent:
    """The child process. ``directory`` receives its configuration, its data and its log."""

    def __init__(self, directory: Path, *, ports: Ports, catalog: Path) -> None:
        self._config = directory / "groundwire.yaml"
        self._data = directory / "data"
        self._log = directory / "agent.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._config.write_text(yaml.safe_dump(dict(configuration(ports=ports, catalog=catalog)), sort_keys=False))

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process; ``None`` while it runs or before it was started."""
        return None if self._process is None else self._process.poll()

    def start(self) -> None:
        """Start the process.

        It gets a session of its own: Ctrl-C on the terminal reaches the demo alone, which then ends the agent. Both its
        streams go to one log, so neither is buffered: lines stand there in the order in which they were written.
        """
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter on our own module
                [*_COMMAND, "--config", str(self._config), "--data", str(self._data)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )

    def stop(self) -> None:
        """Ask the process to drain and end, and end it and all it started if it does not; does nothing if none runs."""
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(timeout=_DRAIN_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def log_tail(self, lines: int = 15) -> str:
        """Return the last lines the agent wrote."""
        if not self._log.exists():
            return ""
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-lines:])
