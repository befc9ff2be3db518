"""How work is shared: processes, threads of a model, and the error of a worker that cannot start."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.models.calibration import calibration_of
from collector.models.entailment import WHERE, looked_at
from collector.models.folder import fingerprint, onnx_of
from collector.models.library import check_installed
from collector.models.onnx import check_onnx_installed
from collector.models.options import EntailmentOptions
from collector.models.second import joining_of
from collector.models.universal import UNIVERSAL
from collector.workers.cores import usable_cores
from collector.workers.pool import WorkerUnready

MAX_WORKERS = 4
"""Workers that an agent starts by itself, however many cores there are: each takes some 100 MB, and four score what few
services ask."""


def workers_for(config: Config) -> int:
    """Return how many processes share a file: one a core, or one alone where each would load a model of its own."""
    return 1 if config.scoring.entailment is not None else usable_cores()


def agent_workers(config: Config) -> int:
    """Return how many workers an agent has: as configured, else one a core, within bounds."""
    return config.scoring.workers or min(workers_for(config), MAX_WORKERS)


def threads_of(workers: int) -> int:
    """Return how many threads a model may compute with in each of ``workers`` processes."""
    return max(1, usable_cores() // workers)


def identity(config: Config) -> str:
    """Return a short name of the models that stand behind scorers, as configured; empty where there are none.

    With another model, another calibration, or other limits of what it reads, values do not compare. Raises
    `ConfigError` for a folder that holds no model.
    """
    parts: list[str] = []
    entailment = config.scoring.entailment
    if entailment is not None:
        looked_at(entailment)
        parts.append(fingerprint(entailment.model, f"{WHERE}.model"))
        # What an option adds at its default changes no identity that was there before it.
        parts.append(entailment.model_dump_json(include={"labels", "tokens", "pairs"}))
        parts += [entailment.asked] if entailment.asked != "always" else []
        calibration = calibration_of(entailment.calibration, entailment.model)
        if calibration is not None:
            parts.append(sha256(calibration.read_bytes()).hexdigest())
    embeddings = None if config.catalog is None else config.catalog.embeddings
    if embeddings is not None:
        if str(embeddings.model) == UNIVERSAL:
            parts.append(UNIVERSAL)
        # It may consist of parts in folders of their own, each with another name for its weights.
        files = sorted(path for path in embeddings.model.rglob("*") if path.is_file())
        parts += (f"{path.relative_to(embeddings.model)}:{path.stat().st_size}" for path in files)
    return sha256("\n".join(parts).encode()).hexdigest()[:16] if parts else ""


def unready(error: WorkerUnready) -> ConfigError:
    """Return the error of a worker that cannot be set up: that of the configuration, if it is the cause."""
    return error.__cause__ if isinstance(error.__cause__, ConfigError) else ConfigError(str(error))


def check(options: EntailmentOptions) -> Iterator[str]:
    """Yield what is in order of a model, without loading it. Raises `ConfigError` for what is not."""
    outputs, fitted = looked_at(options)
    (check_installed if onnx_of(options.model, f"{WHERE}.model") is None else check_onnx_installed)(WHERE)
    if options.asked == "doubtful":
        joining_of(options)
    knows = "support and contradiction" if outputs.contradiction is not None else "support alone"
    told = "calibrated" if fitted else "uncalibrated"
    told += ", a second opinion" if options.asked == "doubtful" else ""
    yield f"{WHERE}: ok, {options.model}, {knows}, {told}, not loaded"
