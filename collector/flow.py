"""The steps of the pipeline, made from the configuration: what runs by schedule, under which name, and how often."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta

from collector.clock import Clock, duration
from collector.configuration.schema import Config
from collector.judging.judge import JudgeStep
from collector.pipeline.adapt import AdaptStep
from collector.pipeline.admission import Admission
from collector.pipeline.late import ChangeStep
from collector.pipeline.score import ScoreStep
from collector.scheduling.loop import Planned
from collector.store.integrity import IntegrityCheck
from collector.store.pace import Pace
from collector.store.sqlite import DATABASE, OwnedStore
from collector.upkeep.retention import KeepStep, WatchStep
from collector.upkeep.upkeep import CheckStep, UpkeepStep
from collector.workers.pool import WorkerPool
from telemetry.registry import Telemetry

PUMP = timedelta(milliseconds=250)
"""How soon a step looks again after it found nothing."""
WATCH = timedelta(seconds=2)
KEEP = timedelta(minutes=1)
UPKEEP = timedelta(milliseconds=250)
CHECK = timedelta(hours=6)


def housekeeping(
    config: Config, *, store: OwnedStore, telemetry: Telemetry, clock: Clock, stop: threading.Event
) -> UpkeepStep:
    """Return the step that cares for the files of the store, with the one that removes what is past its retention."""
    keep = KeepStep(
        store=store,
        telemetry=telemetry,
        clock=clock,
        chunks=duration(config.retention.chunks),
        answers=duration(config.retention.answers),
        pace=Pace(rest=stop.wait),
    )
    return UpkeepStep(
        upkeep=store.upkeep, keep=keep, telemetry=telemetry, clock=clock, monotonic=time.monotonic, stop=stop
    )


def housekeeping_steps(upkeep: UpkeepStep, *, stop: threading.Event) -> Iterator[Planned]:
    """Yield the steps that `housekeeping` returned, and the one that looks for corruption."""
    yield Planned("keep", upkeep.keep, KEEP)
    yield Planned("upkeep", upkeep, UPKEEP)
    files = upkeep.upkeep
    check = IntegrityCheck(files.directory / DATABASE, log=files.log, stop=stop)
    step = CheckStep(check=check, health=files.health, telemetry=upkeep.telemetry, clock=upkeep.clock)
    yield Planned("check", step, CHECK)


def pipeline_steps(
    config: Config,
    *,
    store: OwnedStore,
    pool: WorkerPool,
    judge: JudgeStep,
    admission: Admission,
    panel: str,
    telemetry: Telemetry,
    clock: Clock,
) -> Iterator[Planned]:
    """Yield the steps from traces to verdicts, and the one that watches them."""
    adapt = AdaptStep(
        store=store,
        pool=pool,
        admission=admission,
        telemetry=telemetry,
        clock=clock,
        idle=duration(config.traces.idle),
        timeout=duration(config.traces.timeout),
    )
    yield Planned("adapt", adapt, PUMP)
    score = ScoreStep(
        store=store,
        pool=pool,
        metrics={metric.name: metric for metric in config.metrics},
        telemetry=telemetry,
        clock=clock,
        scorer_timeout=config.scoring.timeout.total_seconds(),
        retries=config.scoring.retries,
        panel=panel,
    )
    yield Planned("score", score, PUMP)
    yield Planned("judge", judge, config.judge.tick)
    change = ChangeStep(store=store, boost=admission.boost, telemetry=telemetry, clock=clock)
    yield Planned("change", change, PUMP)
    yield Planned("watch", WatchStep(store=store, telemetry=telemetry, clock=clock, judge=judge), WATCH)
