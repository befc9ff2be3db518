"""The composition root: builds the agent from its configuration, runs it, and stops it in order.

Order of an orderly stop: readiness goes down, receivers refuse with a retry hint, what was received is committed, the
steps end after their batch, workers and store close. What is pending stays in the store for the next start.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
import uvloop

from adapters.base import AdaptOptions
from collector import catalogfile, logs
from collector.api import Api
from collector.catalogfile import CatalogWatcher
from collector.clock import Clock, nanoseconds, system_clock
from collector.config import Config
from collector.errors import ConfigError
from collector.pipeline.adapt import AdaptStep
from collector.pipeline.judge import JudgeStep
from collector.pipeline.keep import KeepStep, WatchStep
from collector.pipeline.loop import Loop
from collector.pipeline.score import ScoreStep
from collector.pipeline.slicing import SliceBook
from collector.pipeline.tasks import CatalogSource, set_up
from collector.pipeline.workers import WorkerPool
from collector.schedule import Schedule
from collector.store.base import Store
from collector.store.sqlite import open_store
from collector.telemetry import Telemetry
from scorers.catalog import Catalog

log = structlog.get_logger(__name__)

PUMP = timedelta(milliseconds=250)
"""How soon a step looks again after it found nothing."""
WATCH = timedelta(seconds=2)
KEEP = timedelta(minutes=1)


@dataclass
class Readiness:
    """Whether traffic may be sent here, and if not, why."""

    waiting: list[str] = field(default_factory=lambda: ["starting"])

    def reasons(self) -> Sequence[str]:
        """Return why not; empty when ready."""
        return tuple(self.waiting)


def check(config: Config) -> list[str]:
    """Return what was found in order, a line each; raises `ConfigError` for what is not."""
    found = [f"configuration: ok, {len(config.scorers)} scorers, {len(config.gates)} gates"]
    if config.catalog is not None:
        _, catalog = catalogfile.read(config.catalog.path)
        found.append(f"catalog: ok, {len(catalog)} documents")
    return found


def run(config: Config, *, version: str, clock: Clock = system_clock) -> int:
    """Run the agent until SIGTERM or SIGINT; return the exit code. Raises `ConfigError` if it cannot start."""
    logs.set_up(config.logs)
    return uvloop.run(_serve(config, version, clock))


async def _serve(config: Config, version: str, clock: Clock) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    agent = Agent(config, version=version, clock=clock)
    await agent.start()
    try:
        await stop.wait()
    finally:
        await agent.stop()
    return 0


class Agent:
    """Everything that runs, from the store up. `start` and `stop` are called once, in this order."""

    def __init__(self, config: Config, *, version: str, clock: Clock) -> None:
        self._config = config
        self._version = version
        self._clock = clock
        self._stopping = threading.Event()
        self.readiness = Readiness()

    async def start(self) -> None:
        """Bring everything up; raises `ConfigError` and leaves nothing behind if a part of it cannot be."""
        config = self._config
        source, catalog = catalogfile.read(config.catalog.path) if config.catalog is not None else (None, None)
        self._store = open_store(config.data)
        self._telemetry = Telemetry(
            metrics=config.metrics,
            dimensions=[dimension.name for dimension in config.slices],
            version=self._version,
        )
        self._pool = WorkerPool(size=config.scoring.workers, setup=set_up, setup_args=self._worker_setup(source))
        self._judge = JudgeStep(
            store=self._store, gates=config.gates, telemetry=self._telemetry, clock=self._clock
        )
        self._schedule = self._scheduled(source, catalog)

    def _worker_setup(self, source: CatalogSource | None) -> tuple[object, ...]:
        config = self._config
        options = AdaptOptions(attributes=config.traces.attributes, versions=config.traces.versions)
        return (options, config.scorers, source, config.scoring.timeout.total_seconds())

    def _scheduled(self, source: CatalogSource | None, catalog: Catalog | None) -> Schedule:
        config, store, telemetry, clock = self._config, self._store, self._telemetry, self._clock
        adapt = AdaptStep(
            store=store,
            pool=self._pool,
            slices=SliceBook(config.slices, store),
            sampling=config.sampling,
            telemetry=telemetry,
            clock=clock,
            idle=_ns(config.traces.idle),
            timeout=_ns(config.traces.timeout),
        )
        score = ScoreStep(
            store=store,
            pool=self._pool,
            metrics={metric.name: metric for metric in config.metrics},
            telemetry=telemetry,
            clock=clock,
            scorer_timeout=config.scoring.timeout.total_seconds(),
            retries=config.scoring.retries,
        )
        keep = KeepStep(
            store=store,
            telemetry=telemetry,
            clock=clock,
            chunks=_ns(config.retention.chunks),
            answers=_ns(config.retention.answers),
        )
        watch = WatchStep(store=store, telemetry=telemetry, clock=clock)
        steps = [
            ("adapt", adapt.run_once, PUMP),
            ("score", score.run_once, PUMP),
            ("judge", self._judge.run_once, config.judge.tick),
            ("keep", keep.run_once, KEEP),
            ("watch", watch.run_once, WATCH),
        ]
        if config.catalog is not None and source is not None and catalog is not None:
            watcher = CatalogWatcher(
                config.catalog.path,
                source,
                apply=lambda changed: self._pool.renew(*self._worker_setup(changed)),
                telemetry=telemetry,
                clock=clock,
            )
            watcher.announce(catalog)
            steps.append(("catalog", watcher.poll, config.catalog.poll))
        schedule = Schedule(threads=len(steps))
        for stage, once, interval in steps:
            schedule.every(interval, Loop(stage, once, telemetry=telemetry, stop=self._stopping), name=stage)
        return schedule


def _ns(length: timedelta) -> int:
    return length // timedelta(microseconds=1) * 1000
