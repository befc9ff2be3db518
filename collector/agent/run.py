"""The process of the agent: it runs until a signal ends it."""

from __future__ import annotations

import asyncio
import signal

import structlog
import uvloop

from collector.agent.agent import Agent, Ended
from collector.agent.check import unwise
from collector.clock import Clock, system_clock
from collector.configuration import logs
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.workers.forking import ForkServer

log = structlog.get_logger(__name__)


def run(config: Config, *, version: str, source: str, server: ForkServer, clock: Clock = system_clock) -> int:
    """Run the agent until SIGTERM or SIGINT; return the exit code. Raises `ConfigError` if it cannot start.

    ``source`` says where the configuration is from, and ``server`` starts workers, see `collector.agent.forks`.
    """
    logs.set_up(config.logs)
    for warning in unwise(config):
        log.warning("configuration may not be what was meant", warning=warning)
    return uvloop.run(_serve(config, version, source, server, clock))


async def _serve(config: Config, version: str, source: str, server: ForkServer, clock: Clock) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    agent = Agent(config, version=version, source=source, server=server, clock=clock, stop=stop)
    try:
        async with agent:
            await stop.wait()
    except Ended:
        pass
    except Exception as error:
        # During the start alone: later a corrupt store is reported, and the agent goes on.
        if agent.damage is None:
            raise
        raise ConfigError(f"data: {config.data}: the store cannot be read: {agent.damage}") from error
    log.info("stopped")
    return 0
