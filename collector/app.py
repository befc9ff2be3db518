"""The composition root: builds the agent from its configuration, runs it, and stops it in order.

Order of an orderly stop: readiness goes down, receivers end what is under way and close, steps end after their batch,
the writer, the workers and the store close. What is pending stays in the store for the next start.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing, suppress
from functools import partial
from typing import Any, Self

import structlog
import uvloop

from adapters.base import AdaptOptions
from collector.api.app import Api
from collector.api.parts import Parts
from collector.api.readiness import Readiness
from collector.catalog import checking
from collector.catalog.snapshot import Mapped
from collector.catalog.step import CatalogStep
from collector.clock import Clock, duration, system_clock
from collector.configuration import logs
from collector.configuration import models as running
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.flow import housekeeping, housekeeping_steps, pipeline_steps
from collector.judging.judge import JudgeStep
from collector.notify.base import NotifierOptions
from collector.notify.notice import Names
from collector.notify.standing import notify_step
from collector.outbound import links
from collector.outbound.link import Runtime
from collector.outbound.links import Links
from collector.pipeline.adapt_task import AdaptRequest
from collector.pipeline.admission import Admission
from collector.pipeline.boost import Boost
from collector.pipeline.observe import Observer
from collector.pipeline.panel import announce
from collector.pipeline.slicing import SliceBook
from collector.pipeline.tasks import set_up
from collector.receivers.grpc import GrpcReceiver
from collector.receivers.guard import Tokens
from collector.receivers.http import http_app, misdirected
from collector.receivers.intake import Intake
from collector.receivers.reports import ReceiverReports
from collector.receivers.server import HttpReceiver
from collector.receivers.writer import Writer
from collector.scheduling.loop import PRESSURE_SECONDS, Planned, scheduled
from collector.scheduling.schedule import Schedule
from collector.sources.base import SourceOptions
from collector.sources.pull import PullStep
from collector.store.inspection import inspected
from collector.store.sqlite import OwnedStore, open_store
from collector.store.store import Store
from collector.upkeep.upkeep import UpkeepStep
from collector.workers.pool import SETUP_SECONDS, WorkerPool, WorkerUnready
from collector.writeback.base import TargetOptions
from collector.writeback.step import write_step
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

ROOM_SECONDS = 1.0
"""Between two looks for room on a full disk while the agent starts."""
LAST_SECONDS = 2.0
"""What steps get once their workers are gone; then the process ends without them."""
FETCH_SECONDS = 2.0
"""What a fetch under way gets at the end. Whatever it brings then is not stored: the next start repeats it."""


class Ended(Exception):  # noqa: N818 - not an error
    """The agent was told to stop before it had started."""


def check(config: Config) -> list[str]:
    """Return what was found in order, a line each; raises `ConfigError` for what is not."""
    found = [f"configuration: ok, {len(config.scorers)} scorers, {len(config.gates)} gates"]
    for where, listener in config.listeners.items():
        listener.bearer(where)
        listener.key_pair(where)
    config.http.verdict_token("http")
    _langfuse_keys(config)
    if config.catalog is not None:
        found.extend(checking.check(config.catalog))
    if config.scoring.entailment is not None:
        found.extend(running.check(config.scoring.entailment))
    found.extend(inspected(config.data))
    found.extend(links.check("sources", config.sources))
    found.extend(links.check("write_back", config.write_back))
    found.extend(links.check("notify", config.notify))
    return found


def run(config: Config, *, version: str, clock: Clock = system_clock) -> int:
    """Run the agent until SIGTERM or SIGINT; return the exit code. Raises `ConfigError` if it cannot start."""
    logs.set_up(config.logs)
    # Whatever is written from here on may hold what users asked: it is for the owner alone.
    os.umask(0o077)
    return uvloop.run(_serve(config, version, clock))


async def _serve(config: Config, version: str, clock: Clock) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    agent = Agent(config, version=version, clock=clock, stop=stop)
    try:
        async with agent:
            await stop.wait()
    except Ended:
        pass
    except Exception as error:
        # Of the start alone: what runs later tells of a corrupt store and goes on.
        if agent.damage is None:
            raise
        raise ConfigError(f"data: {config.data}: the store cannot be read: {agent.damage}") from error
    log.info("stopped")
    return 0


class Agent:
    """Everything that runs. An asynchronous context: entered when it serves, left when it has drained.

    Entering raises `ConfigError` if a part cannot be started and `Ended` if ``stop`` is set while it waits for room on
    the disk, and leaves nothing running behind.
    """

    def __init__(self, config: Config, *, version: str, clock: Clock, stop: asyncio.Event) -> None:
        self._stop = stop
        self._config = config
        self._version = version
        self._clock = clock
        self._dimensions = tuple(dimension.name for dimension in config.slices)
        self._workers = running.agent_workers(config)
        self._telemetry = Telemetry(
            metrics=config.metrics, dimensions=self._dimensions, version=version, exposure=config.exposure
        )
        self._readiness = Readiness()
        self._stopping = threading.Event()
        self._deadline = 0.0

    @property
    def damage(self) -> str | None:
        """What is damaged of the store, as far as that was found."""
        return self._readiness.health.corrupt

    async def __aenter__(self) -> Self:
        """Start probes first, then from the store up; the doors open last."""
        config = self._config
        async with AsyncExitStack() as stack:
            tokens = {where: listener.bearer(where) for where, listener in config.listeners.items()}
            keys = _langfuse_keys(config)
            sources = stack.enter_context(closing(Links("sources", config.sources)))
            write_back = stack.enter_context(closing(Links("write_back", config.write_back)))
            notify = stack.enter_context(closing(Links("notify", config.notify)))
            api = self._api(Tokens(tokens["http"], config.http.verdict_token("http")))
            server = HttpReceiver(api.app(), config.http, where="http")
            await server.start()
            stack.push_async_callback(server.stop, 1.0)
            store = await asyncio.to_thread(open_store, config.data)
            stack.callback(store.close)
            upkeep = await self._care_for(store, stack)
            catalog = self._catalog(store)
            first: Mapped | None = None
            if catalog is not None:
                stack.callback(catalog.close)
                first = await asyncio.to_thread(catalog.start)
            reports = ReceiverReports(self._telemetry, queue_limit=config.receive.queue_bytes)
            writer = Writer(store.append, limit_bytes=config.receive.queue_bytes, telemetry=reports)
            stack.push_async_callback(lambda: asyncio.to_thread(writer.drain, self._left()))
            pool = self._pool(first, busy=lambda: writer.oldest_wait() > PRESSURE_SECONDS)
            stack.callback(pool.close)
            if config.scoring.entailment is not None:
                await asyncio.to_thread(_await_model, pool)
            judge = JudgeStep(
                store=store,
                gates=config.gates,
                telemetry=self._telemetry,
                clock=self._clock,
                tick=config.judge.tick.total_seconds(),
                metrics={metric.name: metric for metric in config.metrics},
                expiry=duration(config.judge.expiry),
                idle=duration(config.traces.idle),
                timeout=duration(config.traces.timeout),
                backlog=config.judge.backlog,
            )
            panel = await asyncio.to_thread(self._announced, store)
            writers = self._writers(write_back, store, judge)
            news = await asyncio.to_thread(self._news, notify, store)
            admission = await asyncio.to_thread(self._admission, store)
            fetching = self._fetching(sources, store, admission, pressure=writer.oldest_wait)
            api.open(Parts(store, judge, sources.reports, write_back.reports, notify.reports, catalog))
            stack.callback(api.close)
            steps = pipeline_steps(
                config,
                store=store,
                pool=pool,
                judge=judge,
                admission=admission,
                panel=panel,
                telemetry=self._telemetry,
                clock=self._clock,
            )
            schedule = scheduled(
                [
                    *steps,
                    *housekeeping_steps(upkeep, stop=self._stopping),
                    *self._catalog_steps(pool, catalog),
                    *writers,
                    *news,
                ],
                telemetry=self._telemetry,
                stop=self._stopping,
                pressure=writer.oldest_wait,
            )
            schedule.start()
            stack.push_async_callback(self._end_steps, schedule, pool, (write_back, notify), catalog)
            fetching.start()
            stack.push_async_callback(self._end_sources, fetching, sources)
            intake = Intake(writer=writer, telemetry=reports, limits=config.receive, clock=self._clock)
            stack.push_async_callback(lambda: asyncio.to_thread(intake.close))
            ports = await self._open_doors(stack, intake, tokens, keys)
            self._readiness.waiting = []
            stack.callback(self._begin_to_drain)
            self._stack = stack.pop_all()
        log.info(
            "ready", version=self._version, http=f"{config.http.host}:{server.port}", data=str(config.data), **ports
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop in the reverse order, within the configured bound."""
        await self._stack.aclose()

    def _begin_to_drain(self) -> None:
        log.info("draining")
        self._readiness.waiting = ["draining"]
        self._deadline = time.monotonic() + self._config.drain.total_seconds()

    def _left(self) -> float:
        return max(0.1, self._deadline - time.monotonic())

    async def _end_steps(
        self, schedule: Schedule, pool: WorkerPool, opened: Sequence[Links[Any]], catalog: CatalogStep | None
    ) -> None:
        self._stopping.set()
        if catalog is not None:
            # A catalog that is being made now is for nobody, and may take longer than there is.
            await asyncio.to_thread(catalog.close)
        late = await asyncio.to_thread(schedule.join, self._left())
        if late:
            # A batch that is cut short is repeated by the next start: its result was not recorded.
            log.warning(
                "steps did not stop within the drain time; their batch will run again at the next start", steps=late
            )
            await asyncio.to_thread(pool.close)
            for section in opened:
                await asyncio.to_thread(section.close)
            await asyncio.to_thread(schedule.join, LAST_SECONDS)

    def _api(self, tokens: Tokens) -> Api:
        return Api(
            telemetry=self._telemetry,
            readiness=self._readiness,
            gates=[gate.name for gate in self._config.gates],
            metrics=[metric.name for metric in self._config.metrics],
            dimensions=self._dimensions,
            version=self._version,
            tokens=tokens,
            clock=self._clock,
        )

    async def _care_for(self, store: OwnedStore, stack: AsyncExitStack) -> UpkeepStep:
        """Begin to look after the files of the store, and wait until it can be written: what follows writes."""
        self._readiness.health = store.health
        for problem in store.exposed:
            log.warning("a file of the store is not private", problem=problem)
        await asyncio.to_thread(store.upkeep.begin, self._clock())
        stack.callback(lambda: store.upkeep.write_mark(self._clock()))
        upkeep = housekeeping(
            self._config, store=store, telemetry=self._telemetry, clock=self._clock, stop=self._stopping
        )
        await asyncio.to_thread(upkeep.run_once)
        while store.health.unwritable is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), ROOM_SECONDS)
                raise Ended
            await asyncio.to_thread(upkeep.run_once)
        return upkeep

    def _announced(self, store: Store) -> str:
        config = self._config
        return announce(store, config.scorers, self._clock, models=running.identity(config))

    def _runtime(self, stop: threading.Event) -> Runtime:
        return Runtime(telemetry=self._telemetry, clock=self._clock, stop=stop)

    def _writers(self, write_back: Links[TargetOptions], store: Store, judge: JudgeStep) -> Sequence[Planned]:
        return write_back.steps(
            partial(
                write_step,
                judge=judge,
                metrics=self._config.metrics,
                gates=[gate.name for gate in self._config.gates],
                store=store,
                runtime=self._runtime(self._stopping),
            )
        )

    def _news(self, notify: Links[NotifierOptions], store: Store) -> Sequence[Planned]:
        return notify.steps(
            partial(
                notify_step,
                names=Names.of(self._config.slices),
                gates=[gate.name for gate in self._config.gates],
                store=store,
                runtime=self._runtime(self._stopping),
            )
        )

    def _fetching(
        self, sources: Links[SourceOptions], store: Store, admission: Admission, *, pressure: Callable[[], float]
    ) -> Schedule:
        stop = threading.Event()
        steps = sources.steps(partial(PullStep, store=store, admission=admission, runtime=self._runtime(stop)))
        return scheduled(steps, telemetry=self._telemetry, stop=stop, pressure=pressure)

    async def _end_sources(self, fetching: Schedule, sources: Links[SourceOptions]) -> None:
        late = await asyncio.to_thread(fetching.end, FETCH_SECONDS)
        if late:
            log.warning("sources did not stop in time; their fetch will run again at the next start", steps=late)
        await asyncio.to_thread(sources.close)

    def _admission(self, store: Store) -> Admission:
        config = self._config
        observer = Observer(config.changes, config.slices, store=store, telemetry=self._telemetry, clock=self._clock)
        return Admission(
            store=store,
            slices=SliceBook(config.slices, store),
            sampling=config.sampling,
            observer=observer,
            boost=Boost(config.sampling.boost, self._clock),
        )

    async def _open_doors(
        self, stack: AsyncExitStack, intake: Intake, tokens: dict[str, str | None], keys: tuple[str, str] | None
    ) -> dict[str, str]:
        receive = self._config.receive
        ports: dict[str, str] = {}
        if receive.otlp_http.enabled:
            where = "receive.otlp_http"
            app = http_app(intake, tokens[where], keys=keys)
            http = HttpReceiver(app, receive.otlp_http, where=where, refuse=misdirected)
            await http.start()
            stack.push_async_callback(lambda: http.stop(self._left() / 2))
            ports["otlp_http"] = f"{receive.otlp_http.host}:{http.port}"
        if receive.otlp_grpc.enabled:
            where = "receive.otlp_grpc"
            grpc = GrpcReceiver(intake, receive.otlp_grpc, where=where, token=tokens[where])
            grpc.start()
            stack.push_async_callback(lambda: asyncio.to_thread(grpc.stop, self._left() / 2))
            ports["otlp_grpc"] = f"{receive.otlp_grpc.host}:{grpc.port}"
        return ports

    def _pool(self, catalog: Mapped | None, *, busy: Callable[[], bool]) -> WorkerPool:
        return WorkerPool(
            size=self._workers,
            setup=set_up,
            setup_args=self._worker_setup(catalog),
            threads=running.threads_of(self._workers),
            busy=busy,
        )

    def _worker_setup(self, catalog: Mapped | None) -> tuple[object, ...]:
        config = self._config
        traces, scoring = config.traces, config.scoring
        options = AdaptOptions(
            attributes=traces.attributes, versions=traces.versions, arm=traces.arm, share=traces.share
        )
        threads = running.threads_of(self._workers)
        return (options, config.scorers, catalog, scoring.timeout.total_seconds(), scoring.entailment, threads)

    def _catalog(self, store: Store) -> CatalogStep | None:
        if self._config.catalog is None:
            return None
        return CatalogStep(
            self._config.catalog,
            data=self._config.data,
            store=store,
            runtime=self._runtime(self._stopping),
        )

    def _catalog_steps(self, pool: WorkerPool, catalog: CatalogStep | None) -> Sequence[Planned]:
        if catalog is None or self._config.catalog is None:
            return ()
        catalog.serve(lambda changed: pool.renew(*self._worker_setup(changed)))
        return (Planned("catalog", catalog, self._config.catalog.interval),)


def _await_model(pool: WorkerPool) -> None:
    """Wait until a worker has loaded its model: one that cannot be loaded is no start."""
    try:
        pool.call(AdaptRequest(()), timeout=SETUP_SECONDS)
    except WorkerUnready as error:
        raise running.unready(error) from error


def _langfuse_keys(config: Config) -> tuple[str, str] | None:
    door = config.receive.otlp_http
    return door.keys("receive.otlp_http") if door.enabled else None
