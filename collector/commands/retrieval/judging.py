"""Recorded answers under two contexts, judged in worker processes: what each metric says, and which claims lose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import orjson
from pydantic import TypeAdapter

from adapters.schema import Answer, Passage
from collector.commands.scoring import GRACE_SECONDS, ScoringPlan
from collector.configuration.models import unready
from collector.errors import Transient
from collector.models.second import judging
from collector.pipeline.score_task import ANSWER_TIMEOUTS, evaluate, prepare
from collector.pipeline.warming import warm_up
from collector.workers.pool import WorkerPool, WorkerUnready
from evaluation.retrieval.contexts import with_context
from evaluation.retrieval.lost import LostClaim, StalePassage, document_of
from scorers.base import Absent, Env
from scorers.catalog import looked_up
from scorers.lineage import Lineage
from scorers.support.entailed import judge_with

GROUP = 8
STALE = "stale_context"
"""Whether a context has a passage that is not in force: 1 or 0, of both contexts as of one instant."""
_PASSAGES = TypeAdapter(tuple[Passage, ...])


@dataclass(frozen=True, slots=True)
class ReplayedAnswer:
    """What both contexts do for one answer: values by metric, ``None`` where there is none, and what is lost or stale.

    ``unscored`` says why a metric has no value in one of them, and ``problem`` why there is nothing: a worker that died
    or was late over it.
    """

    recorded: Mapping[str, float | None]
    found: Mapping[str, float | None]
    lost: Sequence[LostClaim] = ()
    stale: Sequence[StalePassage] = ()
    unscored: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


class ReplayTask(NamedTuple):
    """An answer as it was recorded, and the context that the other retriever found, both as JSON.

    ``found`` is ``None`` where that is the same, and only what is not in force is looked for.
    """

    answer: str
    found: str | None


@dataclass(slots=True)
class _Judge:
    plan: ScoringPlan
    env: Env
    wanted: frozenset[str] = field(default_factory=frozenset)

    def __call__(self, task: ReplayTask) -> ReplayedAnswer:
        recorded, found = self.both(task)
        if task.found is None:
            return ReplayedAnswer({}, {}, stale=self._stale(found))
        unscored: dict[str, str] = {}
        before, after = self._values(recorded, unscored), self._values(found, unscored)
        stale_before, stale_after = self._stale(recorded), self._stale(found)
        if self.env.catalog is not None:
            before[STALE], after[STALE] = float(bool(stale_before)), float(bool(stale_after))
        return ReplayedAnswer(before, after, self._lost(recorded, found), stale_after, unscored)

    def both(self, task: ReplayTask) -> tuple[Answer, Answer]:
        """Return the answer with either context, with what the catalog says of their passages."""
        answer = Answer.model_validate_json(task.answer)
        other = answer if task.found is None else with_context(answer, _PASSAGES.validate_json(task.found))
        catalog = self.env.catalog
        if catalog is None:
            return answer, other
        most = self.plan.max_text_chars
        return looked_up(answer, catalog, max_text_chars=most), looked_up(other, catalog, max_text_chars=most)

    def _values(self, answer: Answer, unscored: dict[str, str]) -> dict[str, float | None]:
        evaluation = orjson.loads(evaluate(answer, self.plan.panel, self.env, self.plan.timeout).evaluation)
        for each in evaluation["unscored"]:
            if each["metric"] in self.wanted:
                unscored[each["metric"]] = (each["detail"] or each["reason"]).partition(";")[0]
        known = {score["metric"]: score["value"] for score in evaluation["scores"]}
        return {name: known.get(name) for name in sorted(self.wanted)}

    def _lost(self, recorded: Answer, found: Answer) -> tuple[LostClaim, ...]:
        before, after = judge_with(recorded, self.env), judge_with(found, self.env)
        if isinstance(before, Absent) or isinstance(after, Absent):
            return ()
        context = recorded.context_passages() or ()
        made = []
        for index in before.claims:
            one, other = before.verdicts[index], after.verdicts[index]
            if one.label != "supported" or other.label == "supported":
                continue
            source = before.quote(index).source
            made.append(
                LostClaim(
                    answer_id=recorded.id,
                    words=before.quote(index).claim,
                    passage=None if source is None else context[source],
                    before=one.supported,
                    after=other.supported,
                    contradicted=other.label == "contradicted",
                )
            )
        return tuple(made)

    def _stale(self, answer: Answer) -> tuple[StalePassage, ...]:
        """Return the passages that are not in force now, whenever the question was asked."""
        lineage = Lineage(answer, self.env.catalog, self.env.now)
        made = []
        for passage in answer.context_passages() or ():
            status = lineage.status(passage)
            if status is not None and status.stale:
                instead = status.replacement
                reference = None if instead is None else instead.section(status.document.section).reference
                made.append(StalePassage(answer.id, document_of(passage), status.validity, reference))
        return tuple(made)


def set_up_replay(plan: ScoringPlan, wanted: frozenset[str]) -> Callable[[Sequence[ReplayTask]], list[ReplayedAnswer]]:
    """Return the handler of one worker."""
    known = None if plan.catalog is None else plan.catalog.open()
    embedder = None if plan.catalog is None else plan.catalog.embedder(plan.threads)
    judges = judging(plan.entailment, plan.threads)
    env = Env(now=plan.now, catalog=known, embedder=embedder, entailment=judges.entailment, second=judges.second)
    judge = _Judge(plan, env, wanted)

    def handle(tasks: Sequence[ReplayTask]) -> list[ReplayedAnswer]:
        prepare(
            judges,
            [each for task in tasks if task.found is not None for each in judge.both(task)],
            env.memory,
            plan.timeout,
        )
        return [judge(task) for task in tasks]

    return handle


def replayed(
    tasks: Sequence[ReplayTask], plan: ScoringPlan, wanted: frozenset[str], *, workers: int
) -> Iterator[ReplayedAnswer]:
    """Yield what became of each task, in order. Raises `ConfigError` where no worker can be set up."""
    if not tasks:
        return
    size = min(workers, -(-len(tasks) // GROUP))
    pool = WorkerPool(
        size=size,
        setup=set_up_replay,
        setup_args=(plan, wanted),
        threads=plan.threads or 1,
        warm_up=warm_up,
        foreground=True,
    )
    rest = iter(tasks)
    groups = list(iter(lambda: tuple(islice(rest, GROUP)), ()))
    calls = ThreadPoolExecutor(max_workers=size, thread_name_prefix="replay-call")
    try:
        for results in calls.map(lambda group: _called(pool, group, plan), groups):
            yield from results
    finally:
        pool.close()
        calls.shutdown(cancel_futures=True)


def _called(pool: WorkerPool, group: Sequence[ReplayTask], plan: ScoringPlan) -> list[ReplayedAnswer]:
    """Return the results of a group; one that fails is tried task by task, so that only the cause has none."""
    seconds = 2 * plan.timeout * ANSWER_TIMEOUTS * len(group) + GRACE_SECONDS
    try:
        reply: list[ReplayedAnswer] = pool.call(group, timeout=seconds)
    except WorkerUnready as error:
        raise unready(error) from error
    except Transient as error:
        if len(group) == 1:
            return [replace(ReplayedAnswer({}, {}), problem=str(error))]
        return [result for task in group for result in _called(pool, (task,), plan)]
    return reply
