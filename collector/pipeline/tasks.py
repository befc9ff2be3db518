"""The handler of a worker process: which requests there are, and with what they are worked on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adapters.caching import keep_at_most
from adapters.detect import AdaptOptions
from adapters.schema import Answer
from collector.catalog.snapshot import Mapped
from collector.models.options import EntailmentOptions
from collector.models.second import NO_MODEL, judging
from collector.pipeline.adapt_task import AdaptedTrace, AdaptRequest, adapt
from collector.pipeline.asked import AskedRequest
from collector.pipeline.compare_task import CompareRequest, compared
from collector.pipeline.coverage_task import CoverageRequest, covered
from collector.pipeline.keys_task import KeysRequest, keys_found
from collector.pipeline.score_task import ScoredAnswer, ScoreRequest, evaluate, prepare
from collector.pipeline.verify_task import VerifyRequest, verified
from scorers.base import Env, Scorer

WorkRequest = AdaptRequest | ScoreRequest | AskedRequest
Handler = Callable[[WorkRequest], list[AdaptedTrace] | list[ScoredAnswer] | str]

KEPT_BYTES = 12 * 2**20
"""What one worker of the agent keeps of texts that it has read, some 125,000 characters of passages.

With half as much again a worker holds 4 MB more, for passages that recur only within that.
"""


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
    keep_at_most(KEPT_BYTES)
    known = catalog.open() if catalog is not None else None
    embedder = catalog.embedder(threads) if catalog is not None else None
    judges = judging(model, threads)
    if embedder is not None or judges != NO_MODEL:
        scorer_timeout *= threads or 1

    def handle(request: WorkRequest) -> list[AdaptedTrace] | list[ScoredAnswer] | str:
        if isinstance(request, AdaptRequest):
            return [adapt(task, options, known) for task in request.traces]
        if isinstance(request, CoverageRequest):
            return covered(request, known)
        if isinstance(request, KeysRequest):
            return keys_found(request, options)
        env = Env(now=request.now, catalog=known, embedder=embedder, entailment=judges.entailment, second=judges.second)
        try:
            return told(request, env)
        finally:
            # A worker seldom looks for garbage: what was worked out for these answers is to go with them.
            env.memory.clear()

    def told(request: ScoreRequest | CompareRequest | VerifyRequest, env: Env) -> list[ScoredAnswer] | str:
        if isinstance(request, CompareRequest):
            return compared(request, env)
        if isinstance(request, VerifyRequest):
            return verified(request, env, known, max_text_chars=options.max_text_chars)
        answers = [Answer.model_validate_json(text) for text in request.answers]
        prepare(judges, answers, env.memory, scorer_timeout)
        scored = [evaluate(answer, panel, env, scorer_timeout) for answer in answers]
        return scored if catalog is None else [replace(item, catalog=catalog.digest) for item in scored]

    return handle
