"""Answers scored for fitting: by the workers that score files, down to what fitting reads of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple, TextIO

from adapters.schema import Answer
from collector.commands.progress import Progress
from collector.commands.score import with_what_they_read
from collector.commands.scoring import catalog_at, plan_of, scored
from collector.configuration.models import workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from evaluation.fitting.baselines import CRITERIA, JUDGED, TRIAD
from evaluation.fitting.rows import FittedRow, scored_row
from evaluation.fitting.unranked import UnrankedConflictHandling
from scorers.base import Evaluation, Score, Scorer

ROOTS = ("composite", "unsafe_probability", "failure_category")
"""What fitting needs, with all that these read."""
BESIDE = frozenset({*CRITERIA, *JUDGED, *TRIAD, "hit"})


class FittedAnswer(NamedTuple):
    """An answer beside what fitting reads of its scores; ``None`` where it has no composite."""

    answer: Answer
    row: FittedRow | None


def rows_of(
    answers: Iterable[Answer],
    config: Config,
    *,
    now: datetime,
    workers: int | None,
    progress: Progress,
    err: TextIO,
) -> Iterator[FittedAnswer]:
    """Yield each answer with what fitting reads of it, in order.

    Raises `ConfigError` where the configuration lacks a scorer that fitting cannot do without.
    """
    shared = workers or workers_for(config)
    with catalog_at(config.catalog, err) as catalog:
        plan = plan_of(config, panel_of(config), catalog=catalog, now=now, workers=shared)
        for answer, result in progress.over(scored(answers, plan, workers=shared), "scoring", "answers"):
            yield FittedAnswer(answer, scored_row(answer, _scores(result.evaluation)))


def panel_of(config: Config) -> tuple[Scorer, ...]:
    """Return the scorers of the configuration that fitting needs. Raises `ConfigError` where one is not there."""
    there = {scorer.metric.name: scorer for scorer in config.scorers}
    missing = [name for name in ROOTS if name not in there]
    if missing:
        raise ConfigError(*(f"scorers: fitting needs the scorer {name}" for name in missing))
    chosen = [scorer for name, scorer in there.items() if name in ROOTS or name in BESIDE]
    return (*with_what_they_read(chosen, config.scorers), UnrankedConflictHandling())


def _scores(evaluation: str) -> dict[str, Score]:
    """Return the scores of an evaluation by their metrics."""
    return {score.metric: score for score in Evaluation.model_validate_json(evaluation).scores}


def as_plain(row: Any) -> Any:
    """Return named tuples, and those within them, as JSON can hold them: by the names of their fields."""
    if isinstance(row, tuple) and hasattr(row, "_asdict"):
        return {name: as_plain(value) for name, value in row._asdict().items()}
    return [as_plain(each) for each in row] if isinstance(row, (list, tuple)) else row
