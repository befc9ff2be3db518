"""How the work is shared where a model is loaded: processes, threads, and what is told where a worker cannot start."""

from __future__ import annotations

import os
from collections.abc import Iterator

from collector.config import Config
from collector.errors import ConfigError
from collector.models.entailment import WHERE, looked_at
from collector.models.library import check_installed
from collector.models.options import EntailmentOptions
from collector.pipeline.workers import WorkerUnready


def workers_for(config: Config) -> int:
    """Return how many processes share a file: one a core, or one alone where each would load a model of its own."""
    return 1 if config.scoring.entailment is not None else _cores()


def threads_of(workers: int) -> int:
    """Return how many threads a model may compute with in each of ``workers`` processes."""
    return max(1, _cores() // workers)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def unready(error: WorkerUnready) -> ConfigError:
    """Return what to tell of a worker that cannot be set up: the configuration's fault where it is that."""
    return error.__cause__ if isinstance(error.__cause__, ConfigError) else ConfigError(str(error))


def check(options: EntailmentOptions) -> Iterator[str]:
    """Yield what was found in order of a model, which is not loaded. Raises `ConfigError` for what is not."""
    outputs, temperatures = looked_at(options)
    check_installed(WHERE)
    knows = "support and contradiction" if outputs.contradiction is not None else "support alone"
    yield f"{WHERE}: ok, {options.model}, {knows}, {'calibrated' if temperatures else 'uncalibrated'}, not loaded"
