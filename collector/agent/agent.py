"""The composition root: builds the agent from its configuration, and stops it in order.

Order of an orderly stop: readiness goes down, receivers end what is under way and close, steps end after their batch,
the writer, the workers and the store close. What is pending stays in the store for the next start.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Self

import structlog

from collector.agent.listeners import Listeners
from collector.agent.running import running
from collector.agent.steps import Steps, report_folders
from collector.api.app import Api
from collector.api.labels import Labelling
from collector.api.readiness import Readiness
from collector.api.serving import Described, Parts
from collector.canaries.endpoint import CanaryEndpoint
from collector.canaries.step import CanaryStep
from collector.canaries.task import canary_writer
from collector.catalog.listings.task import listing_worker
from collector.catalog.snapshot import Mapped
from collector.catalog.step import CatalogStep
from collector.catalog.watching import READ_SECONDS
from collector.changes.panel import announce
from collector.clock import Clock
from collector.configuration import models
from collector.configuration.file import dump
from collector.configuration.schema import Config
from collector.external.reception import Reception
from collector.notify.standing import notify_step
from collector.outbound.link import Runtime
from collector.outbound.links import Links
from collector.pipeline.adapt_task import AdaptRequest
from collector.pipeline.admission import Admission
from collector.pipeline.tasks import set_up
from collector.pipeline.unread import UnreadSpans
from collector.receivers.guard import ApiTokens
from collector.receivers.intake import Intake
from collector.receivers.reports import ReceiverReports
from collector.receivers.server import HttpReceiver
from collector.receivers.writer import Writer
from collector.reports.shelf import ReportShelf
from collector.scheduling.loop import PRESSURE_SECONDS, Planned, scheduled
from collector.scheduling.schedule import Schedule
from collector.sources import with_scores
from collector.sources.base import SourceOptions
from collector.sources.pull import PullStep
from collector.store.sqlite import OwnedStore, open_store
from collector.store.store import Store
from collector.upkeep.upkeep import UpkeepStep
from collector.workers.forking import ForkServer
from collector.workers.passing import PassingWorker
from collector.workers.pool import SETUP_SECONDS, WorkerPool, WorkerUnready
from collector.writeback.step import WriteStep
from telemetry.registry import Telemetry

log = structlog.get_logger(__name__)

ROOM_SECONDS = 1.0
"""Between two looks for room on a full disk while the agent starts."""
LAST_SECONDS = 2.0
"""What steps get once their workers are gone; then the process ends without them."""
CANARY_PUMP = timedelta(seconds=1)
CANARY_SECONDS = 900.0
"""Of the processor's time for writing the canaries of one change of the catalog."""
FETCH_SECONDS = 2.0
"""What a fetch under way gets at the end. Whatever it brings then is not stored: the next start repeats it."""


class Ended(Exception):  # noqa: N818 - not an error
    """The agent was told to stop before it had started."""


class Agent:
    """Everything that runs. An asynchronous context: entered when it serves, left when it has drained.

    Entering raises `ConfigError` if a part cannot be started and `Ended` if ``stop`` is set while it waits for room on
    the disk, and leaves nothing running behind.
    """

    def __init__(
        self, config: Config, *, version: str, source: str, server: ForkServer, clock: Clock, stop: asyncio.Event
    ) -> None:
        self._stop = stop
        self._server = server
        self._source = source
        self._config = config
        self._version = version
        self._clock = clock
        self._workers = models.agent_workers(config)
        self._gates = [gate.name for gate in config.gates]
        self._decided = config.decided
        self._telemetry = Telemetry(
            metrics=config.metrics, dimensions=config.dimensions, version=version, exposure=config.exposure
        )
        self._readiness = Readiness()
        self._stopping = threading.Event()
        self._reception = Reception(declared=config.external, telemetry=self._telemetry, clock=clock)
        self._steps = Steps(
            config=config, telemetry=self._telemetry, clock=clock, stop=self._stopping, reception=self._reception
        )
        self._deadline = 0.0

    @property
    def damage(self) -> str | None:
        """What is damaged of the store, as far as that was found."""
        return self._readiness.health.corrupt

    async def __aenter__(self) -> Self:
        """Start probes first, then from the store up; the listeners open last."""
        config, steps, telemetry, clock = self._config, self._steps, self._telemetry, self._clock
        async with AsyncExitStack() as stack:
            listeners = Listeners(config)
            sources = stack.enter_context(closing(Links("sources", with_scores(config.sources))))
            write_back = stack.enter_context(closing(Links("write_back", config.write_back)))
            notify = stack.enter_context(closing(Links("notify", config.notify)))
            api, server = await self._serve_probes(stack)

            store = await asyncio.to_thread(open_store, config.data)
            stack.callback(store.close)
            upkeep = await self._care_for(store, stack)
            catalog = steps.catalog(store)
            first: Mapped | None = None
            if catalog is not None:
                stack.callback(catalog.close)
                first = await asyncio.to_thread(catalog.start)

            reports = ReceiverReports(telemetry, queue_limit=config.receive.queue_bytes, clock=clock)
            writer = Writer(store.append, limit_bytes=config.receive.queue_bytes, telemetry=reports)
            stack.push_async_callback(lambda: asyncio.to_thread(writer.drain, self._left()))
            pool = self._pool(first, busy=lambda: writer.oldest_wait() > PRESSURE_SECONDS)
            stack.callback(pool.close)
            if config.scoring.entailment is not None:
                await asyncio.to_thread(_await_model, pool)

            panel = await asyncio.to_thread(announce, store, config.scorers, clock, models=models.identity(config))
            judge = steps.judge(store)
            linked = partial(self._linked, store)
            writers = write_back.steps(linked(WriteStep, judge=judge, metrics=config.panel, gates=self._gates))
            notifiers = await asyncio.to_thread(
                notify.steps, linked(notify_step, names=config.names, gates=self._decided)
            )
            admission = await asyncio.to_thread(steps.admission, store)
            fetching = self._fetching(sources, store, admission, pressure=writer.oldest_wait)
            canaries = await self._canaries(stack, store, catalog)
            unread = UnreadSpans(telemetry=telemetry, clock=clock)
            parts = Parts(
                store, judge, sources.reports, write_back.reports, notify.reports, catalog, pool.call_reserved
            )
            api.open(
                replace(
                    parts,
                    examine=pool.call,
                    passages=config.traces.passages,
                    unread=unread.report,
                    canaries=canaries,
                )
            )
            stack.callback(api.close)

            planned = [
                *steps.pipeline(store=store, pool=pool, judge=judge, admission=admission, panel=panel, unread=unread),
                *steps.housekeeping(upkeep),
                *steps.calendar(),
                *self._catalog_steps(pool, catalog),
                *_canary_steps(canaries),
                *writers,
                *notifiers,
            ]
            schedule = scheduled(
                planned, telemetry=telemetry, stop=self._stopping, pressure=writer.oldest_wait, clock=clock
            )
            schedule.start()
            stack.push_async_callback(self._end_steps, schedule, pool, (write_back, notify), catalog)
            fetching.start()
            stack.push_async_callback(self._end_sources, fetching, sources)

            intake = Intake(writer=writer, telemetry=reports, limits=config.receive, clock=clock)
            stack.push_async_callback(lambda: asyncio.to_thread(intake.close))
            ports = await listeners.open(stack, intake, left=self._left)
            api.running = running(config, started_at=clock(), ports={"http": server.port, **ports})
            self._readiness.waiting = []
            stack.callback(self._begin_to_drain)
            self._stack = stack.pop_all()
        addresses = {
            where.removeprefix("receive."): f"{each.host}:{each.port}" for where, each in api.running.listeners.items()
        }
        log.info("ready", version=self._version, configuration=self._source, data=str(config.data), **addresses)
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

    async def _serve_probes(self, stack: AsyncExitStack) -> tuple[Api, HttpReceiver]:
        """Serve the API, which says that the rest is not ready yet."""
        config = self._config
        api = Api(
            telemetry=self._telemetry,
            readiness=self._readiness,
            gates=self._gates,
            metrics=[metric.name for metric in config.metrics],
            labelling=Labelling(metrics=config.metrics, gates=config.gates),
            reception=self._reception,
            described=Described(
                metrics=config.metrics,
                gates=config.gates,
                configuration=dump(config),
                reports=config.reports,
                shelf=ReportShelf(report_folders(config)),
            ),
            references=[gate.name for gate in config.gates if gate.learns_reference],
            dimensions=config.dimensions,
            version=self._version,
            tokens=ApiTokens(config.http.bearer("http"), config.http.verdict_token("http")),
            public_url=config.http.public_url,
            trace_url=config.http.trace_url,
            clock=self._clock,
        )
        server = HttpReceiver(api.app(), config.http, where="http")
        await server.start()
        stack.push_async_callback(server.stop, 1.0)
        return api, server

    async def _care_for(self, store: OwnedStore, stack: AsyncExitStack) -> UpkeepStep:
        """Begin to look after the files of the store, and wait until it can be written: what follows writes."""
        self._readiness.health = store.health
        for problem in store.exposed:
            log.warning("store file is not private", problem=problem)
        await asyncio.to_thread(store.upkeep.begin, self._clock())
        stack.callback(lambda: store.upkeep.write_mark(self._clock()))
        upkeep = self._steps.upkeep(store)
        await asyncio.to_thread(upkeep.run_once)
        while store.health.unwritable is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), ROOM_SECONDS)
                raise Ended
            await asyncio.to_thread(upkeep.run_once)
        return upkeep

    async def _canaries(self, stack: AsyncExitStack, store: Store, catalog: CatalogStep | None) -> CanaryStep | None:
        """Return the step of canaries. Raises `ConfigError` for a secret of their endpoint that is not there."""
        options = self._config.canaries
        if options is None or catalog is None:
            return None
        endpoint = stack.enter_context(closing(CanaryEndpoint(options, keys=self._config.traces.passages)))
        writing = stack.enter_context(closing(PassingWorker(canary_writer)))
        write = partial(writing.call, timeout=CANARY_SECONDS)
        return await asyncio.to_thread(self._steps.canaries, options, endpoint, store, catalog, write)

    def _pool(self, catalog: Mapped | None, *, busy: Callable[[], bool]) -> WorkerPool:
        return WorkerPool(
            size=self._workers,
            setup=set_up,
            setup_args=self._worker_setup(catalog),
            threads=models.threads_of(self._workers),
            busy=busy,
            server=self._server,
        )

    def _worker_setup(self, catalog: Mapped | None) -> tuple[object, ...]:
        config = self._config
        traces, scoring = config.traces, config.scoring
        threads = models.threads_of(self._workers)
        return (traces.options(), config.scorers, catalog, scoring.timeout.total_seconds(), scoring.entailment, threads)

    def _catalog_steps(self, pool: WorkerPool, catalog: CatalogStep | None) -> Sequence[Planned]:
        if catalog is None or self._config.catalog is None:
            return ()
        catalog.serve(lambda changed: pool.renew(*self._worker_setup(changed)))
        listings = catalog.listings.steps(partial(pool.call_apart, listing_worker, timeout=READ_SECONDS))
        return (Planned("catalog", catalog, self._config.catalog.interval), *listings)

    def _linked(self, store: Store, step: Callable[..., Any], **options: Any) -> Callable[..., Any]:
        """Return what makes the step of a link, with all that such a step has."""
        return partial(step, **options, store=store, runtime=self._runtime(self._stopping))

    def _runtime(self, stop: threading.Event) -> Runtime:
        return Runtime(telemetry=self._telemetry, clock=self._clock, stop=stop)

    def _fetching(
        self, sources: Links[SourceOptions], store: Store, admission: Admission, *, pressure: Callable[[], float]
    ) -> Schedule:
        """Return the schedule of the sources, which ends by itself: its steps are the first to stop."""
        stop = threading.Event()
        keys = self._config.traces.passages
        pull = partial(PullStep, keys=keys, store=store, admission=admission, reception=self._reception)
        steps = sources.steps(partial(pull, runtime=self._runtime(stop)))
        return scheduled(steps, telemetry=self._telemetry, stop=stop, pressure=pressure, clock=self._clock)

    async def _end_sources(self, fetching: Schedule, sources: Links[SourceOptions]) -> None:
        late = await asyncio.to_thread(fetching.end, FETCH_SECONDS)
        if late:
            event = "sources did not stop in time; their fetch will run again at the next start"
            log.warning(event, seconds=FETCH_SECONDS, steps=late)
        await asyncio.to_thread(sources.close)


def _canary_steps(canaries: CanaryStep | None) -> Sequence[Planned]:
    return () if canaries is None else (Planned("canaries", canaries, CANARY_PUMP),)


def _await_model(pool: WorkerPool) -> None:
    """Wait until a worker has loaded its model: one that cannot be loaded is no start."""
    try:
        pool.call(AdaptRequest(()), timeout=SETUP_SECONDS)
    except WorkerUnready as error:
        raise models.unready(error) from error
