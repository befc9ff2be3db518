"""The steps of the pipeline, made from the configuration: what runs by schedule, under which name, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from collector.clock import Clock
from collector.config import Config
from collector.pipeline.adapt import AdaptStep
from collector.pipeline.judge import JudgeStep
from collector.pipeline.keep import KeepStep, WatchStep
from collector.pipeline.loop import Planned
from collector.pipeline.score import ScoreStep
from collector.pipeline.slicing import SliceBook
from collector.pipeline.workers import WorkerPool
from collector.store.base import Store
from collector.telemetry import Telemetry

PUMP = timedelta(milliseconds=250)
"""How soon a step looks again after it found nothing."""
WATCH = timedelta(seconds=2)
KEEP = timedelta(minutes=1)


def pipeline_steps(
    config: Config,
    *,
    store: Store,
    pool: WorkerPool,
    judge: JudgeStep,
    slices: SliceBook,
    telemetry: Telemetry,
    clock: Clock,
) -> Iterator[Planned]:
    """Yield the steps from traces to verdicts, and those that keep house."""
    adapt = AdaptStep(
        store=store,
        pool=pool,
        slices=slices,
        sampling=config.sampling,
        telemetry=telemetry,
        clock=clock,
        idle=_ns(config.traces.idle),
        timeout=_ns(config.traces.timeout),
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
    )
    yield Planned("score", score, PUMP)
    yield Planned("judge", judge, config.judge.tick)
    keep = KeepStep(
        store=store,
        telemetry=telemetry,
        clock=clock,
        chunks=_ns(config.retention.chunks),
        answers=_ns(config.retention.answers),
    )
    yield Planned("keep", keep, KEEP)
    yield Planned("watch", WatchStep(store=store, telemetry=telemetry, clock=clock, judge=judge), WATCH)


def _ns(length: timedelta) -> int:
    return length // timedelta(microseconds=1) * 1000
