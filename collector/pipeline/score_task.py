"""Scoring an answer in a worker process: plain data in and out, so that the worker may be killed at any moment."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from types import FrameType

from adapters.schema import Answer
from collector.models.second import NO_MODEL, Judging
from scorers.base import Env, Score, Scorer, Unscored
from scorers.memory import Memory
from scorers.panel import run_panel

PANEL_TIMEOUTS = 2
"""What the whole panel may take on one answer, in times of one scorer's limit."""
ANSWER_TIMEOUTS = 1 + PANEL_TIMEOUTS
"""The same with what a model may take before, to read what the panel will ask it of one answer."""
DETAIL_CHARACTERS = 500
"""How much of an error's text is kept with the evaluation."""


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


def prepare(model: Judging, answers: Sequence[Answer], memory: Memory, timeout: float) -> None:
    """Have the model read what the panel will ask it of all ``answers`` together: in common batches that takes less.

    Nothing depends on it: what is late here or fails, the scorers ask for again, and say what came of it.
    """
    if model == NO_MODEL:
        return
    with suppress(Exception), _alarm(), _limit(timeout * len(answers)):
        model.prepare(answers, memory)


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
                return scorer.score(answer, env)
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
