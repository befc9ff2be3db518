"""`groundwire retrieval compare`: recorded answers against the passages that another index or retriever returns.

Each question is put to the retriever, and the answer that was given is judged against what comes back. Where that is
what the answer had, word for word, nothing is judged: its support is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from pydantic import TypeAdapter

from adapters.schema import Answer, Passage
from collector.applications.callers import World
from collector.commands.kept import KeptAnswers, gathered
from collector.commands.progress import Progress, watched
from collector.commands.retrieval import report
from collector.commands.retrieval.folder import kept_in
from collector.commands.retrieval.judging import STALE, ReplayedAnswer, ReplayTask, replayed
from collector.commands.retrieval.options import RetrieverFile, retriever_in
from collector.commands.retrieval.report import ReplayReport
from collector.commands.retrieval.retrievers import RetrievalQuery, ask_all, asked_of_retriever
from collector.commands.score import chosen, with_what_they_read
from collector.commands.scoring import ScoringPlan, catalog_at, plan_of
from collector.commands.verdictfiles import writable
from collector.configuration.models import workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from evaluation.comparison.compare import Direction
from evaluation.retrieval.contexts import adopted, replay_key, same_words
from evaluation.retrieval.lost import LostClaim, StalePassage, lost_by_document
from evaluation.retrieval.verdict import PairedMetric, RetrievalRow, judged_metric, overall
from gates.inputs.slices import attributes_of
from gates.verdicts.summary import counted
from scorers import default_panel
from scorers.base import Scorer

EXIT_CODES = {"pass": 0, "fail": 1, "inconclusive": 3}
MAX_SLICES = 50
_PASSAGES = TypeAdapter(tuple[Passage, ...])


class RetrievalChoices(NamedTuple):
    """How a retriever is judged: see the options of the command."""

    retriever: Path
    metrics: Sequence[str]
    by: Sequence[str]
    margin: float
    alpha: float
    max_failed: float
    group: str | None
    seed: int
    resamples: int


class ReplayFiles(NamedTuple):
    """Where the result goes beside standard output: ``folder`` keeps what was retrieved."""

    folder: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None
    as_json: bool = False


@dataclass(slots=True)
class _Replay:
    """One answer, what the retriever found for it, and what became of it."""

    answer: Answer
    found: tuple[Passage, ...] | None = None
    unchanged: bool = False
    result: ReplayedAnswer | None = None

    @property
    def context(self) -> tuple[Passage, ...]:
        return self.answer.context_passages() or ()


@dataclass(slots=True)
class _Replays:
    rows: list[_Replay]
    left_out: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)


def compare_retrieval(
    kept: KeptAnswers,
    config: Config,
    choices: RetrievalChoices,
    files: ReplayFiles,
    *,
    world: World,
    workers: int | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Judge recorded answers by what another retriever finds; print; return 0 for pass, 1 for fail, 3 for inconclusive.

    Raises `ConfigError` for what cannot be used, and where the retriever answers none of its first questions.
    """
    writable(files.junit, files.markdown)
    file = retriever_in(choices.retriever)
    panel = config.scorers if "scorers" in config.model_fields_set else default_panel()
    wanted = chosen(panel, choices.metrics)
    _bounded(wanted)
    options, shared = config.traces.options(), workers or workers_for(config)
    with watched(out, err, at_end=True) as progress:
        replays = _Replays([])
        for _, answer, _ in gathered(kept, options, progress, err, replays.left_out):
            why = _unusable(answer)
            if why is None:
                replays.rows.append(_Replay(answer))
            else:
                replays.left_out[why] += 1
        if not replays.rows:
            raise ConfigError(f"no answer can be replayed: {_listed(replays.left_out) or 'there are no answers'}")
        _retrieve(replays, file, files.folder, options.max_text_chars, world, progress)
        with catalog_at(config.catalog, err) as catalog:
            plan = plan_of(config, with_what_they_read(wanted, panel), catalog=catalog, now=world.now(), workers=shared)
            _judge(replays, plan, frozenset(each.metric.name for each in wanted), shared, progress)
        told = _reported(replays, wanted, choices, stale=catalog is not None)
    report.write(told, junit=files.junit, markdown=files.markdown)
    out.write(report.json_text(told) if files.as_json else "".join(report.text_lines(told)))
    return EXIT_CODES[told.state]


def _unusable(answer: Answer) -> str | None:
    if not (answer.question or "").strip():
        return "no question"
    if not (answer.answer or "").strip():
        return "no answer text"
    context = answer.context_passages()
    if not context:
        return "no context"
    return "text of passages withheld" if any(passage.text is None for passage in context) else None


def _bounded(wanted: Sequence[Scorer]) -> None:
    open_ended = [each.metric.name for each in wanted if each.metric.upper is None or each.metric.lower < 0.0]
    if open_ended:
        raise ConfigError(f"--metrics {open_ended[0]}: has no upper bound, so a margin means nothing on its scale")


def _retrieve(
    replays: _Replays, file: RetrieverFile, folder: Path | None, max_chars: int, world: World, progress: Progress
) -> None:
    by_question: dict[RetrievalQuery, list[_Replay]] = {}
    for row in replays.rows:
        by_question.setdefault(asked_of_retriever(row.answer), []).append(row)
    with kept_in(folder, file) as (known, keep):
        for asked, passages in known.items():
            for row in by_question.get(asked, ()):
                row.found = adopted(passages, row.context)
        left = [asked for asked in by_question if asked not in known]
        if left:
            asking = ask_all(left, file, world, max_chars=max_chars)
            for asked, found in progress.over(asking, "retrieving", "questions", every=10, of=len(left)):
                if isinstance(found, str):
                    replays.failures[found] += len(by_question[asked])
                    continue
                keep(asked, found)
                for row in by_question[asked]:
                    row.found = adopted(found, row.context)
    for row in replays.rows:
        row.unchanged = row.found is not None and same_words(row.context, row.found)


def _judge(replays: _Replays, plan: ScoringPlan, wanted: frozenset[str], workers: int, progress: Progress) -> None:
    """Judge the answers whose context changed, those that are alike in every word once.

    With a catalog, the contexts that did not change are looked through for what is not in force.
    """
    alike: dict[bytes, list[_Replay]] = {}
    for row in replays.rows:
        if row.found is not None and (plan.catalog is not None or not row.unchanged):
            alike.setdefault(replay_key(row.answer, row.found), []).append(row)
    groups = list(alike.values())
    tasks = [_task(rows[0]) for rows in groups]
    results = progress.over(replayed(tasks, plan, wanted, workers=workers), "judging", "answers")
    for rows, result in zip(groups, results, strict=True):
        for row in rows:
            row.result = result
        if result.problem:
            replays.left_out["could not be judged in time"] += len(rows)
        for metric, why in result.unscored.items():
            replays.left_out[f"{metric}: {why}"] += len(rows)


def _task(row: _Replay) -> ReplayTask:
    found = None if row.unchanged else _PASSAGES.dump_json(row.found or ()).decode()
    return ReplayTask(row.answer.model_dump_json(), found)


def _reported(replays: _Replays, wanted: Sequence[Scorer], choices: RetrievalChoices, *, stale: bool) -> ReplayReport:
    rng = np.random.default_rng(choices.seed)
    metrics: dict[str, Direction] = {scorer.metric.name: scorer.metric.better for scorer in wanted}
    if stale:
        metrics[STALE] = "lower"
    judged = [row for row in replays.rows if row.unchanged or (row.result is not None and not row.result.problem)]
    scopes = [{}, *_scopes(judged, choices.by)]
    # Every row is a chance to fail by luck: they share the level.
    level = choices.alpha / (len(scopes) * len(metrics))
    rows: list[RetrievalRow] = []
    for scope in scopes:
        part = [row for row in judged if scope.items() <= attributes_of(row.answer).items()]
        for name, better in metrics.items():
            paired = _paired(name, better, part, choices.group)
            rows.append(
                judged_metric(paired, rng, margin=choices.margin, level=level, scope=scope, resamples=choices.resamples)
            )
    failed = sum(replays.failures.values())
    state, reasons = overall(rows), []
    if failed > choices.max_failed * len(replays.rows):
        state = "inconclusive" if state == "pass" else state
        reasons.append(f"{failed:,} of {len(replays.rows):,} answers have no passages: the retriever failed")
    lost, old = _lost(judged), _stale(judged)
    pairs = [(row.context, row.found or ()) for row in judged]
    return ReplayReport(
        retriever=str(choices.retriever),
        state=state,
        reasons=[*reasons, *report.reasons_of(rows, choices.margin)],
        choices={name: value for name, value in choices._asdict().items() if name != "retriever"},
        answers=len(replays.rows),
        unchanged=sum(row.unchanged for row in judged),
        changed=sum(not row.unchanged for row in judged),
        failed=failed,
        left_out=dict(replays.left_out),
        failures=dict(replays.failures),
        rows=rows,
        losing=len({claim.answer_id for claim in lost}),
        lost=lost,
        documents=lost_by_document(lost, pairs),
        stale=old,
    )


def _paired(name: str, better: Direction, part: Sequence[_Replay], group: str | None) -> PairedMetric:
    differences, groups = [], []
    for row in part:
        difference = 0.0
        if row.result is not None and not row.unchanged:
            before, after = row.result.recorded.get(name), row.result.found.get(name)
            if before is None or after is None:
                continue
            difference = after - before
        differences.append(difference)
        answer = row.answer
        of = answer.session_id if group is None else attributes_of(answer).get(group)
        groups.append(f"group:{of}" if of else f"answer:{answer.id}")
    return PairedMetric(name=name, better=better, differences=differences, groups=groups)


def _scopes(judged: Sequence[_Replay], by: Sequence[str]) -> Iterator[Mapping[str, str]]:
    for name in by:
        values = Counter(value for row in judged if (value := attributes_of(row.answer).get(name)) is not None)
        if not values:
            raise ConfigError(f"--by {name}: no answer has this attribute")
        if len(values) > MAX_SLICES:
            raise ConfigError(f"--by {name}: {len(values):,} values; at most {MAX_SLICES} are compared one by one")
        yield from ({name: value} for value in sorted(values))


def _lost(judged: Sequence[_Replay]) -> list[LostClaim]:
    return [
        claim._replace(answer_id=row.answer.id) for row in judged if row.result is not None for claim in row.result.lost
    ]


def _stale(judged: Sequence[_Replay]) -> list[StalePassage]:
    return [
        passage._replace(answer_id=row.answer.id)
        for row in judged
        if row.result is not None
        for passage in row.result.stale
    ]


def _listed(left_out: Counter[str]) -> str:
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {counted(count, 'answer')}" for reason, count in ordered)
