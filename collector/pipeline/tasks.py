"""What runs inside a worker process: requests, replies, and the two handlers, adapt and score.

Everything here is plain data in and out, so that a worker can be killed and replaced at any moment.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from types import FrameType
from typing import TYPE_CHECKING

from adapters.base import MalformedRecord
from adapters.detect import AdaptOptions, read_trace
from adapters.schema import Answer
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces
from collector.catalog.snapshot import Mapped
from collector.models.entailment import LocalEntailment, local_entailment
from collector.models.options import EntailmentOptions
from scorers.base import Env, Score, Scorer, Unscored
from scorers.catalog import Catalog, looked_up
from scorers.panel import run_panel
from scorers.support.entailed import asked_of

if TYPE_CHECKING:
    # Not in a worker: with it come the gates, some megabytes in each.
    from collector.store.rows import TraceOutcome

PANEL_TIMEOUTS = 2
"""What the whole panel may take on one answer, in times of one scorer's limit."""
ANSWER_TIMEOUTS = 1 + PANEL_TIMEOUTS
"""The same with what a model may take before, to read what the panel will ask it of one answer."""
DETAIL_CHARACTERS = 500
"""How much of an error's text is kept with the evaluation."""


@dataclass(frozen=True, slots=True)
class TraceTask:
    """One trace to adapt: all of its chunks."""

    trace_id: bytes
    chunks: tuple[bytes, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class AdaptRequest:
    """Traces to adapt."""

    traces: tuple[TraceTask, ...]


@dataclass(frozen=True, slots=True)
class AdaptedTrace:
    """What came of one trace. ``answers`` are JSON; ``malformed`` are the reasons of spans that could not be read.

    ``n_spans`` counts distinct spans and, beside them, distinct log records about spans, known or not; ``dialects``
    the distinct spans by what read them.
    """

    trace_id: bytes
    n_spans: int
    n_duplicates: int
    outcome: TraceOutcome
    answers: tuple[str, ...] = ()
    reason: str | None = None
    malformed: tuple[str, ...] = ()
    dialects: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Answers to score, as JSON, and the instant that scorers take for now."""

    answers: tuple[str, ...]
    now: datetime


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """One run of the panel: the evaluation as JSON, what each scorer took in seconds, and with which catalog."""

    evaluation: str
    seconds: tuple[tuple[str, float], ...]
    catalog: str | None = None


Handler = Callable[[AdaptRequest | ScoreRequest], list[AdaptedTrace] | list[ScoredAnswer]]


def set_up(
    options: AdaptOptions,
    panel: tuple[Scorer, ...],
    catalog: Mapped | None,
    scorer_timeout: float,
    model: EntailmentOptions | None = None,
    threads: int | None = None,
) -> Handler:
    """Return the handler of one worker.

    ``scorer_timeout`` bounds each scorer on each answer, in seconds of the processor's time. ``threads`` is what models
    may compute with: that many times as much may be taken then. Raises `ConfigError` where a model cannot be loaded.
    """
    known = catalog.open() if catalog is not None else None
    embedder = catalog.embedder(threads) if catalog is not None else None
    entailment = None if model is None else local_entailment(model, threads)
    if embedder is not None or entailment is not None:
        scorer_timeout *= threads or 1

    def handle(request: AdaptRequest | ScoreRequest) -> list[AdaptedTrace] | list[ScoredAnswer]:
        if isinstance(request, AdaptRequest):
            return [adapt(task, options, known) for task in request.traces]
        env = Env(now=request.now, catalog=known, embedder=embedder, entailment=entailment)
        answers = [Answer.model_validate_json(text) for text in request.answers]
        prepare(entailment, answers, scorer_timeout)
        scored = [evaluate(answer, panel, env, scorer_timeout) for answer in answers]
        return scored if catalog is None else [replace(item, catalog=catalog.digest) for item in scored]

    return handle


def adapt(task: TraceTask, options: AdaptOptions, catalog: Catalog | None = None) -> AdaptedTrace:
    """Decode, deduplicate and adapt one trace; what cannot be read is reported, never raised.

    What log records told of spans counts by itself, so that a late one is news and a second copy is none.
    """
    spans: list[Span] = []
    malformed: list[str] = []
    for chunk in task.chunks:
        try:
            decoded = decode_traces(chunk)
        except MalformedRecord as error:
            malformed.append(str(error))
            continue
        spans.extend(decoded.spans)
        malformed.extend(str(error) for error in decoded.malformed)
    trace = Trace.of(task.trace_id.hex(), spans, complete=task.complete)
    unread = len(malformed)
    told = {(span.span_id, repr(span.events)) for span in spans if span.is_fragment}
    read = len(trace.spans) + len(told)
    dialects: Mapping[str, int] = {}
    try:
        found = read_trace(trace, options)
        dialects = found.dialects
        answers = tuple(
            _completed(answer, catalog, options).model_dump_json(exclude_defaults=True) for answer in found.answers
        )
    except MalformedRecord as error:
        malformed.append(str(error))
        answers = ()
    except Exception as error:  # noqa: BLE001 - the frame: a bug over one trace must not hold up the others
        malformed.append(f"{type(error).__name__}: {error}"[:DETAIL_CHARACTERS])
        answers = ()
    outcome: TraceOutcome = "answer" if answers else "malformed" if malformed else "not_an_answer"
    return AdaptedTrace(
        trace_id=task.trace_id,
        n_spans=read + unread,
        n_duplicates=len(spans) - read,
        outcome=outcome,
        answers=answers,
        reason=malformed[0] if outcome == "malformed" else None,
        malformed=tuple(malformed),
        dialects=dialects,
    )


def _completed(answer: Answer, catalog: Catalog | None, options: AdaptOptions) -> Answer:
    return answer if catalog is None else looked_up(answer, catalog, max_text_chars=options.max_text_chars)


def prepare(model: LocalEntailment | None, answers: Sequence[Answer], timeout: float) -> None:
    """Have the model read what the panel will ask it of all ``answers`` together: in common batches that takes less.

    Nothing depends on it: what is late here or fails, the scorers ask for again, and say what came of it.
    """
    if model is None:
        return
    with suppress(Exception), _alarm(), _limit(timeout * len(answers)):
        asked = [found for found in map(asked_of, answers) if found is not None]
        model.prepare((each.passages, each.claims) for each in asked)


def evaluate(answer: Answer, panel: tuple[Scorer, ...], env: Env, timeout: float) -> ScoredAnswer:
    """Run the panel over one answer; a scorer that is late or fails leaves its reason, and the others go on.

    ``timeout`` bounds each scorer, in seconds of this process's processor time, and `PANEL_TIMEOUTS` times it the
    panel: what is left then is ``over_budget``.
    """
    seconds: list[tuple[str, float]] = []
    ends = time.process_time() + PANEL_TIMEOUTS * timeout

    def guarded(scorer: Scorer, answer: Answer, env: Env) -> Score | Unscored:
        left = ends - time.process_time()
        if left <= 0:
            return Unscored(metric=scorer.metric.name, reason="over_budget", detail="the panel exceeded its time limit")
        began = time.perf_counter()
        try:
            with _limit(min(timeout, left)):
                return _bounded(scorer, scorer.score(answer, env))
        except _Late:
            return Unscored(metric=scorer.metric.name, reason="timeout", detail=f"exceeded {timeout:g} s of CPU time")
        except Exception as error:  # noqa: BLE001 - the frame: a bug in one scorer must not hide the others' results
            detail = f"{type(error).__name__}: {error}"[:DETAIL_CHARACTERS]
            return Unscored(metric=scorer.metric.name, reason="error", detail=detail)
        finally:
            seconds.append((scorer.metric.name, time.perf_counter() - began))

    with _alarm():
        evaluation = run_panel(panel, answer, env, run=guarded)
    return ScoredAnswer(evaluation.model_dump_json(), tuple(seconds))


def _bounded(scorer: Scorer, result: Score | Unscored) -> Score | Unscored:
    """Refuse a value outside its metric's bounds: gates rely on them for their guarantees."""
    metric = scorer.metric
    if isinstance(result, Score) and not metric.lower <= result.value <= (
        inf if metric.upper is None else metric.upper
    ):
        raise ValueError(f"value {result.value} is outside {metric.lower} to {metric.upper}")
    return result


class _Late(Exception):  # noqa: N818 - never leaves this module
    pass


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise _Late


@contextmanager
def _alarm() -> Iterator[None]:
    """Have what a `_limit` in the body sends raise `_Late`. Workers score in their main thread, which gets signals."""
    before = signal.signal(signal.SIGPROF, _ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGPROF, before)


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise `_Late` in the body after it took ``seconds`` of the processor's time, of all threads of this process."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
