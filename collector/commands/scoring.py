"""The panel over a stream of answers: on every core, in the order of the answers, and few of them in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import current_thread, main_thread
from typing import TextIO

from adapters.schema import Answer
from collector.catalog import files
from collector.catalog.options import CatalogOptions
from collector.catalog.snapshot import ENDING, BuildOrder, Mapped, RefusedCatalog, build, mapped
from collector.catalog.vectors import VECTORS, embedded
from collector.configuration.models import threads_of, unready
from collector.configuration.schema import Config
from collector.errors import ConfigError, Transient
from collector.models.options import EntailmentOptions
from collector.models.second import judging
from collector.pipeline.score_task import ANSWER_TIMEOUTS, evaluate, prepare
from collector.pipeline.warming import warm_up
from collector.workers.pool import WorkerPool, WorkerTimeout, WorkerUnready
from scorers.base import Absent, Env, Evaluation, Reason, Scorer, Unscored
from scorers.catalog import looked_up
from scorers.support.comparison import ClaimComparison, comparisons

TASK_ANSWERS = 8
"""Answers of one request to a worker: enough that pipes cost little, few enough that all workers end together."""
FEW_ANSWERS = 40
SMALL_CHARACTERS = 50_000
"""So few answers, of no more text than this together, are scored in this process: to start a worker takes longer than
their scores, and texts as short as this keep no scorer busy beyond its limit."""
WAITING = 3
"""Requests under way or done for each worker, while the first of them is waited for."""
GRACE_SECONDS = 5.0
"""What a worker may take beyond the time limits of its panels before it is killed."""
ATTEMPTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringPlan:
    """What is run over each answer. ``now`` is what scorers take for now; ``timeout`` bounds each scorer, in seconds.

    ``compares``: claims are set beside the context as well. ``threads`` is what a model may compute with in a worker.
    """

    panel: tuple[Scorer, ...]
    catalog: Mapped | None
    now: datetime
    timeout: float
    max_text_chars: int
    compares: bool
    entailment: EntailmentOptions | None = None
    threads: int | None = None


def plan_of(
    config: Config,
    panel: tuple[Scorer, ...],
    *,
    catalog: Mapped | None,
    now: datetime,
    workers: int,
    compares: bool = False,
) -> ScoringPlan:
    """Return what ``workers`` processes run over each answer, within the bounds of a configuration."""
    return ScoringPlan(
        panel=panel,
        catalog=catalog,
        now=now,
        timeout=config.scoring.timeout.total_seconds(),
        max_text_chars=config.traces.options().max_text_chars,
        compares=compares,
        entailment=config.scoring.entailment,
        threads=threads_of(workers),
    )


@dataclass(frozen=True, slots=True)
class AnswerScores:
    """The evaluation of one answer, as JSON, and its claims beside the context, where that was asked for."""

    evaluation: str
    compared: tuple[ClaimComparison, ...] | Absent | None = None


def set_up(plan: ScoringPlan) -> Callable[[Sequence[str]], list[AnswerScores]]:
    """Return the handler of one worker: answers as JSON in, what they scored out."""
    known = None if plan.catalog is None else plan.catalog.open()
    embedder = None if plan.catalog is None else plan.catalog.embedder(plan.threads)
    judges = judging(plan.entailment, plan.threads)
    env = Env(now=plan.now, catalog=known, embedder=embedder, entailment=judges.entailment, second=judges.second)

    def handle(texts: Sequence[str]) -> list[AnswerScores]:
        answers = [completed(Answer.model_validate_json(text)) for text in texts]
        prepare(judges, answers, env.memory, plan.timeout)
        return [one(answer) for answer in answers]

    def completed(answer: Answer) -> Answer:
        return answer if known is None else looked_up(answer, known, max_text_chars=plan.max_text_chars)

    def one(answer: Answer) -> AnswerScores:
        scored_answer = evaluate(answer, plan.panel, env, plan.timeout)
        return AnswerScores(scored_answer.evaluation, _compared(answer, env) if plan.compares else None)

    return handle


def _compared(answer: Answer, env: Env) -> tuple[ClaimComparison, ...] | Absent:
    try:
        return comparisons(answer, env)
    except Exception as error:  # noqa: BLE001 - the frame: a bug over one answer must not hide the others
        return Absent("error", f"{type(error).__name__}: {error}")


def scored(answers: Iterable[Answer], plan: ScoringPlan, *, workers: int) -> Iterator[tuple[Answer, AnswerScores]]:
    """Yield each answer with what it scored, in order.

    No more workers are started than the answers need, and none for a few short ones.
    """
    if not plan.panel and not plan.compares:
        yield from ((each, AnswerScores(_nothing(each))) for each in answers)
        return
    stream = iter(answers)
    first = list(islice(stream, max(TASK_ANSWERS * workers, FEW_ANSWERS + 1)))
    if not first:
        return
    if _few(first, plan):
        yield from _scored_here(first, plan)
        return
    size = min(workers, -(-len(first) // TASK_ANSWERS))
    pool = WorkerPool(
        size=size, setup=set_up, setup_args=(plan,), threads=plan.threads or 1, warm_up=warm_up, foreground=True
    )
    calls = ThreadPoolExecutor(max_workers=size, thread_name_prefix="score-call")
    waiting: deque[tuple[Sequence[Answer], Future[list[AnswerScores]]]] = deque()
    try:
        for group in _groups(chain(first, stream)):
            waiting.append((group, calls.submit(_called, pool, group, plan)))
            if len(waiting) >= WAITING * size:
                done, future = waiting.popleft()
                yield from zip(done, future.result(), strict=True)
        while waiting:
            done, future = waiting.popleft()
            yield from zip(done, future.result(), strict=True)
    finally:
        # Workers first: the calls that wait for them end then.
        pool.close()
        calls.shutdown(cancel_futures=True)


def _few(answers: Sequence[Answer], plan: ScoringPlan) -> bool:
    """Return whether a worker is not worth its start. Models are loaded in workers, which end with them."""
    model = plan.entailment is not None or (plan.catalog is not None and plan.catalog.model is not None)
    if model or len(answers) > FEW_ANSWERS or current_thread() is not main_thread():
        return False
    return sum(len(answer.model_dump_json()) for answer in answers) <= SMALL_CHARACTERS


def _scored_here(answers: Sequence[Answer], plan: ScoringPlan) -> Iterator[tuple[Answer, AnswerScores]]:
    handle = set_up(plan)
    for answer in answers:
        try:
            [result] = handle((answer.model_dump_json(),))
        except Exception as error:  # noqa: BLE001 - as in a worker: a bug over one answer must not hide the others
            result = _failed(answer, plan, "error", f"{type(error).__name__}: {error}")
        yield answer, result


def _nothing(answer: Answer) -> str:
    return Evaluation(answer_id=answer.id, revision=answer.revision).model_dump_json()


def _groups(answers: Iterator[Answer]) -> Iterator[tuple[Answer, ...]]:
    while group := tuple(islice(answers, TASK_ANSWERS)):
        yield group


def _called(pool: WorkerPool, group: Sequence[Answer], plan: ScoringPlan) -> list[AnswerScores]:
    """Return the scores of a group. A group that fails is tried answer by answer, so that only the cause has none.

    Raises `ConfigError` where no worker can be set up.
    """
    try:
        if len(group) > 1:
            try:
                return _asked(pool, group, plan)
            except WorkerUnready:
                raise
            except Transient:
                return [_alone(pool, answer, plan) for answer in group]
        return [_alone(pool, answer, plan) for answer in group]
    except WorkerUnready as error:
        raise unready(error) from error


def _alone(pool: WorkerPool, answer: Answer, plan: ScoringPlan) -> AnswerScores:
    reason: Reason = "error"
    detail = ""
    for _ in range(ATTEMPTS):
        try:
            return _asked(pool, (answer,), plan)[0]
        except WorkerUnready:
            raise
        except Transient as error:
            reason = "timeout" if isinstance(error, WorkerTimeout) else "error"
            detail = str(error)
    return _failed(answer, plan, reason, detail)


def _failed(answer: Answer, plan: ScoringPlan, reason: Reason, detail: str) -> AnswerScores:
    absent = tuple(Unscored(metric=scorer.metric.name, reason=reason, detail=detail) for scorer in plan.panel)
    failed = Evaluation(answer_id=answer.id, revision=answer.revision, unscored=absent)
    return AnswerScores(failed.model_dump_json(), Absent(reason, detail) if plan.compares else None)


def _asked(pool: WorkerPool, group: Sequence[Answer], plan: ScoringPlan) -> list[AnswerScores]:
    reply: list[AnswerScores] = pool.call(
        tuple(answer.model_dump_json() for answer in group),
        timeout=plan.timeout * ANSWER_TIMEOUTS * len(group) + GRACE_SECONDS,
    )
    return reply


@contextmanager
def catalog_at(options: CatalogOptions | None, err: TextIO) -> Iterator[Mapped | None]:
    """Yield the catalog that is configured, packed for workers to open; raises `ConfigError` for one with problems.

    Only a catalog on disk is read; a line on ``err`` says if there is another.
    """
    if options is None or options.path is None:
        if options is not None:
            err.write("groundwire: catalog: only a catalog on disk can be used here; name one with --catalog\n")
        yield None
        return
    require_catalog(options.path)
    if options.path.suffix == ENDING:
        try:
            mapped(options.path)
        except (OSError, ValueError) as error:
            raise ConfigError(f"{options.path}: cannot be read: {error}") from error
        if options.embeddings is None:
            yield Mapped(str(options.path), weights=options.search.weights)
            return
    with TemporaryDirectory(prefix="groundwire-") as directory:
        if options.path.suffix == ENDING:
            yield _by_meaning(_lent(options.path, Path(directory)), options)
            return
        made = build(BuildOrder(files.listed(options.path), Path(directory)))
        if isinstance(made, RefusedCatalog):
            raise ConfigError(*made.problems)
        yield _by_meaning(made.path, options)


def require_catalog(path: Path) -> None:
    """Raise `ConfigError` where no catalog is at a path, with where it was looked for."""
    if not path.exists():
        where = "" if path.is_absolute() else "; a relative path begins at the working directory, wherever the file is"
        raise ConfigError(f"catalog.path: {path.absolute()}: no such file or folder{where}")


def _by_meaning(path: Path, options: CatalogOptions) -> Mapped:
    found = Mapped(str(path)) if options.embeddings is None else embedded(path, options.embeddings)
    return replace(found, weights=options.search.weights)


def _lent(path: Path, directory: Path) -> Path:
    """Return a name for a packed catalog, and for its embeddings if it has them, where more may be put beside it."""
    for there in (path, path.with_suffix(VECTORS)):
        if there.is_file():
            (directory / there.name).symlink_to(there.resolve())
    return directory / path.name
