"""The steps of the agent, made from the configuration: what runs by schedule, under which name, and how often."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from collector.canaries.endpoint import CanaryEndpoint
from collector.canaries.options import CanaryOptions
from collector.canaries.step import CanaryStep, WriteCanaries, followed
from collector.catalog.step import FOLDER, CatalogStep
from collector.catalog.watching import WatchedListings
from collector.changes.observe import Observer
from collector.clock import Clock, duration
from collector.configuration.schema import Config
from collector.evaluating.options import ScheduledReport
from collector.evaluating.step import CalendarStep, Job
from collector.external.reception import Reception
from collector.external.step import ExternalStep
from collector.judging.judge import JudgeStep
from collector.outbound.link import Runtime
from collector.pipeline.adapt import AdaptStep
from collector.pipeline.admission import Admission
from collector.pipeline.boost import Boost
from collector.pipeline.late import ChangeStep
from collector.pipeline.score import ScoreStep
from collector.pipeline.slicing import SliceBook
from collector.pipeline.unread import UnreadSpans
from collector.reports.shelf import OWN_REPORTS
from collector.scheduling.loop import Planned
from collector.store.integrity import IntegrityCheck
from collector.store.pace import Pace
from collector.store.sqlite import DATABASE, OwnedStore
from collector.store.store import Store
from collector.upkeep.retention import KeepStep, TrimStep, WatchStep
from collector.upkeep.upkeep import CheckStep, UpkeepStep
from collector.workers.pool import WorkerPool
from telemetry.registry import Telemetry

PUMP = timedelta(milliseconds=250)
"""How soon a step looks again after it found nothing."""
WATCH = timedelta(seconds=2)
CHANGE = timedelta(seconds=1)
"""How soon a change that was recorded begins to boost the sample."""
EXTERNAL = timedelta(seconds=1)
"""How soon a score is given to an answer that came after it."""
CALENDAR = timedelta(seconds=20)
KEEP = timedelta(minutes=1)
UPKEEP = timedelta(milliseconds=250)
CHECK = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Makes steps of an agent; ``stop`` is set when they are to end."""

    config: Config
    telemetry: Telemetry
    clock: Clock
    stop: threading.Event
    reception: Reception

    def upkeep(self, store: OwnedStore) -> UpkeepStep:
        """Return the step that cares for the files of the store, with the one that removes what has expired."""
        retention = self.config.retention
        keep = KeepStep(
            store=store,
            telemetry=self.telemetry,
            clock=self.clock,
            chunks=duration(retention.chunks),
            answers=duration(retention.answers),
            pace=Pace(rest=self.stop.wait),
        )
        return UpkeepStep(
            upkeep=store.upkeep,
            keep=keep,
            telemetry=self.telemetry,
            clock=self.clock,
            monotonic=time.monotonic,
            stop=self.stop,
        )

    def catalog(self, store: Store) -> CatalogStep | None:
        """Return the step that keeps the catalog in force, if one is configured."""
        options, data = self.config.catalog, self.config.data
        if options is None:
            return None
        runtime = Runtime(telemetry=self.telemetry, clock=self.clock, stop=self.stop)
        keys = self.config.traces.passages
        listings = WatchedListings(options.sources, options.indexes, data=data, keys=keys, runtime=runtime)
        step = CatalogStep(options, data=data, store=store, runtime=runtime, listings=listings)
        if self.config.canaries is not None:
            step.held = followed(store, data / FOLDER)
        return step

    def canaries(
        self, options: CanaryOptions, endpoint: CanaryEndpoint, store: Store, catalog: CatalogStep, write: WriteCanaries
    ) -> CanaryStep:
        """Return the step that asks what the catalog knows."""

        def hold(path: Path) -> None:
            catalog.held = path

        return CanaryStep(
            options,
            endpoint,
            store=store,
            runtime=Runtime(telemetry=self.telemetry, clock=self.clock, stop=self.stop),
            in_force=lambda: catalog.in_force,
            write=write,
            hold=hold,
            expiry=duration(self.config.judge.expiry),
        )

    def calendar(self) -> Iterator[Planned]:
        """Yield the steps that run suites and write reports by the calendar, if any are configured."""
        named: dict[str, Sequence[Job]] = {"evaluations": self.config.evaluations, "reports": reports_of(self.config)}
        for name, jobs in named.items():
            if jobs:
                yield Planned(name, CalendarStep(jobs=jobs, clock=self.clock, stop=self.stop), CALENDAR)

    def judge(self, store: Store) -> JudgeStep:
        """Return the step that folds and judges the gates."""
        config = self.config
        return JudgeStep(
            store=store,
            gates=config.gates,
            telemetry=self.telemetry,
            clock=self.clock,
            tick=config.judge.tick.total_seconds(),
            metrics={metric.name: metric for metric in config.metrics},
            expiry=duration(config.judge.expiry),
            idle=duration(config.traces.idle),
            timeout=duration(config.traces.timeout),
            backlog=config.judge.backlog,
        )

    def admission(self, store: Store) -> Admission:
        """Return what admits answers to the sample."""
        config = self.config
        return Admission(
            store=store,
            slices=SliceBook(config.slices, store),
            sampling=config.sampling,
            observer=Observer(config.changes, config.slices, store=store, telemetry=self.telemetry, clock=self.clock),
            boost=Boost(config.sampling.boost, self.clock),
        )

    def housekeeping(self, upkeep: UpkeepStep) -> Iterator[Planned]:
        """Yield the steps of ``upkeep``, and the one that looks for corruption."""
        yield Planned("keep", upkeep.keep, KEEP)
        yield Planned("upkeep", upkeep, UPKEEP)
        files = upkeep.upkeep
        check = IntegrityCheck(files.directory / DATABASE, log=files.log, stop=self.stop)
        step = CheckStep(check=check, health=files.health, telemetry=self.telemetry, clock=self.clock)
        yield Planned("check", step, CHECK)

    def pipeline(
        self,
        *,
        store: OwnedStore,
        pool: WorkerPool,
        judge: JudgeStep,
        admission: Admission,
        panel: str,
        unread: UnreadSpans,
    ) -> Iterator[Planned]:
        """Yield the steps from traces to verdicts, and the one that watches them."""
        config, telemetry, clock = self.config, self.telemetry, self.clock
        adapt = AdaptStep(
            store=store,
            pool=pool,
            admission=admission,
            reception=self.reception,
            telemetry=telemetry,
            clock=clock,
            idle=duration(config.traces.idle),
            timeout=duration(config.traces.timeout),
            unread=unread,
        )
        yield Planned("adapt", adapt, PUMP)
        score = ScoreStep(
            store=store,
            pool=pool,
            metrics={metric.name: metric for metric in config.panel},
            telemetry=telemetry,
            clock=clock,
            scorer_timeout=config.scoring.timeout.total_seconds(),
            retries=config.scoring.retries,
            panel=panel,
        )
        yield Planned("score", score, PUMP)
        yield Planned("external", ExternalStep(store=store, reception=self.reception, clock=clock), EXTERNAL)
        yield Planned("judge", judge, config.judge.tick)
        change = ChangeStep(store=store, boost=admission.boost, telemetry=telemetry, clock=clock)
        yield Planned("change", change, CHANGE)
        yield Planned("watch", WatchStep(store=store, telemetry=telemetry, clock=clock, judge=judge), WATCH)
        yield Planned("trim", TrimStep(), WATCH)


def reports_of(config: Config) -> list[ScheduledReport]:
    """Return the reports that are scheduled, each with where the agent reaches itself."""
    own = {"url": f"http://127.0.0.1:{config.http.port}", "token_file": config.http.token_file}
    return [
        report.model_copy(update={name: value for name, value in own.items() if getattr(report, name) is None})
        for report in config.reports
    ]


def report_folders(config: Config) -> dict[str, Path]:
    """Return the folders whose reports the agent lists: of each schedule, and its own."""
    return {report.name: report.to for report in config.reports} | {OWN_REPORTS: config.data / "reports"}
