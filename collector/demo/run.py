"""Sets the stage of the demo, tells its story, and clears the stage whatever happens."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from collector.demo import corpus
from collector.demo.agent import AT_MOST, GATE, METRIC, DemoAgent, Ports
from collector.demo.client import AgentError, Client, GateView, Offender
from collector.demo.screen import Paper, Screen
from collector.demo.stop import Stopped, StopSignals
from collector.demo.story import Story, StoryFailed, StoryPace, write_source
from collector.errors import ConfigError

_T = TypeVar("_T")

_READY_SECONDS = 45.0
_READY_POLL = 0.1
_NEWEST = 30
"""How many offending answers are asked for; the screen names a few with different questions."""


class _Verdicts:
    """What the story reads of the agent: one gate, one metric, one domain."""

    def __init__(self, client: Client, agent: DemoAgent) -> None:
        self._client = client
        self._agent = agent

    def gate(self) -> GateView:
        return self._telling_why(partial(self._client.gate, GATE))

    def offenders(self) -> tuple[Offender, ...]:
        return self._telling_why(partial(self._client.offenders, METRIC, domain=corpus.STALE_DOMAIN, limit=_NEWEST))

    def _telling_why(self, read: Callable[[], _T]) -> _T:
        try:
            return read()
        except AgentError as error:
            raise AgentError(f"{error}\n{self._agent.log_tail()}") from error


def run_demo(*, exit_when_done: bool = False, pace: StoryPace | None = None, console: Console | None = None) -> int:
    """Run the demo and return its exit code.

    0: the story went as expected, and Ctrl-C or ``exit_when_done`` ended it. 1: it did not, and the terminal says what
    went wrong. 128 + signal: ended by a signal before the story was over. Raises `ConfigError` if LangChain is not
    installed. Call it from the main thread: it takes the signals.
    """
    try:
        import collector.demo.assistant
        import collector.demo.telemetry  # noqa: F401 - both are looked at before anything is started
    except ModuleNotFoundError as missing:
        raise ConfigError(
            f"the demo needs LangChain, but {missing.name} is not installed: pip install 'groundwire[langchain]'"
        ) from missing

    done = False
    with StopSignals() as signals, Screen(console or Paper(), gate=GATE, at_most=AT_MOST) as screen:
        try:
            with ExitStack() as stage:
                story, url = _set_stage(stage, screen, pause=signals.pause, pace=pace or StoryPace())
                story.tell()
                done = True
                if not exit_when_done:
                    screen.say(f"serving until Ctrl-C; try `groundwire gate {GATE} --url {url}`")
                    story.keep_serving()
        except (AgentError, StoryFailed) as error:
            screen.say(f"the demo failed: {error}", style="bold red")
            return 1
        except Stopped:
            return 0 if done else 128 + (signals.received or 0)
    return 0


def _set_stage(
    stage: ExitStack, screen: Screen, *, pause: Callable[[float], None], pace: StoryPace
) -> tuple[Story, str]:
    """Start the agent and the application; return the story and the agent's URL. Their ends are left on ``stage``."""
    from collector.demo.assistant import PolicyAssistant
    from collector.demo.telemetry import instrumented, otlp_exporter

    directory = Path(stage.enter_context(tempfile.TemporaryDirectory(prefix="groundwire-demo-")))
    source = directory / "policies.yaml"
    write_source(source, corpus.source_before())
    ports = Ports.choose()
    agent = DemoAgent(directory, ports=ports, catalog=source)
    client = Client(f"http://127.0.0.1:{ports.http}")
    stage.callback(agent.stop)
    screen.say("starting the agent as a separate process")
    agent.start()
    _await_ready(agent, client, pause)
    screen.say(f"agent ready at {client.base_url}: open it in a browser, or try /metrics and /v1/gates/{GATE}")
    endpoint = f"http://127.0.0.1:{ports.otlp_http}/v1/traces"
    stage.enter_context(instrumented(otlp_exporter(endpoint)))
    screen.say(f"a LangChain assistant answers questions about company policy and exports its spans to {endpoint}")
    story = Story(
        assistant=PolicyAssistant(corpus.INDEXED),
        verdicts=_Verdicts(client, agent),
        screen=screen,
        source=source,
        pause=pause,
        pace=pace,
    )
    return story, client.base_url


def _await_ready(agent: DemoAgent, client: Client, pause: Callable[[float], None]) -> None:
    end = time.monotonic() + _READY_SECONDS
    while not client.ready():
        if agent.exit_code is not None:
            raise AgentError(f"the agent exited with code {agent.exit_code} before it was ready:\n{agent.log_tail()}")
        if time.monotonic() > end:
            raise AgentError(f"the agent was not ready within {_READY_SECONDS:.0f} s:\n{agent.log_tail()}")
        pause(_READY_POLL)
