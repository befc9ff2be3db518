"""`groundwire score`: files of answers in; a table, JSON lines, or an explanation of each answer out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TextIO

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.schema import Answer
from collector.commands.problems import RecordProblems, placed
from collector.commands.progress import Progress, watched
from collector.commands.reading import answers
from collector.commands.reasons import explain
from collector.commands.scoring import AnswerScores, catalog_at, plan_of, scored
from collector.commands.screen import WIDEST
from collector.commands.summary import Tally, print_summary
from collector.commands.versions import run_versions
from collector.configuration.models import identity, workers_for
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.external.options import ExternalMetric, UntakenScoreError
from collector.external.recorded import RecordedScore, recorded_scores
from collector.security.text import one_line
from gates.inputs.slices import attributes_of
from gates.units.names import suggestion
from gates.verdicts.summary import counted
from scorers import LABELS, default_panel
from scorers.base import Scorer

Form = Literal["table", "json", "explain"]
FINE, UNUSABLE = 0, 2


def score_files(
    files: Sequence[Path],
    config: Config,
    *,
    metrics: Sequence[str],
    form: Form,
    now: datetime,
    workers: int | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Score every answer of ``files`` and print the result; return 0, or 2 if nothing in them could be read.

    ``workers`` processes share the work; if left out one for each core, or a single one that loads a model where one is
    configured, and computes on all cores. A reader that goes away ends the command. Unless the configuration names the
    scorers or ``metrics`` do, those that need labels run as well, and are shown of the rows that have them.
    """
    panel, wanted, labelled = selected(config, metrics)
    run = ScoreOutput(versions_of(config, wanted, panel), labelled, form, out, err, declared=config.external)
    options = config.traces.options()
    with catalog_at(config.catalog, err) as catalog, watched(out, err, at_end=form == "table") as progress:
        shared = workers or workers_for(config)
        plan = plan_of(
            config,
            with_what_they_read(wanted, panel),
            catalog=catalog,
            now=now,
            workers=shared,
            compares=form == "explain",
        )
        results = scored(run.readable(files, options), plan, workers=shared)
        for answer, result in progress.over(results, "scoring", "answers"):
            run.show(answer, result)
    run.end()
    return FINE if run.n_answers or not run.malformed else UNUSABLE


def selected(
    config: Config, metrics: Sequence[str]
) -> tuple[Sequence[Scorer], Sequence[Scorer], Mapping[str, frozenset[str]]]:
    """Return the panel, those of it that are wanted, and the labels without which a metric is not shown.

    Raises `ConfigError` for a metric that is not in the panel.
    """
    chosen_panel = "scorers" in config.model_fields_set
    panel = config.scorers if chosen_panel else default_panel()
    wanted = chosen(panel, metrics)
    optional = () if chosen_panel or metrics else wanted
    return panel, wanted, {scorer.metric.name: labels for scorer in optional if (labels := scorer.needs & LABELS)}


def chosen(panel: Sequence[Scorer], metrics: Sequence[str]) -> tuple[Scorer, ...]:
    """Return the scorers of ``metrics``, all if none is named, in the order of the panel; raises `ConfigError`."""
    wanted = [name.strip() for part in metrics for name in part.split(",")]
    known = [scorer.metric.name for scorer in panel]
    problems = [
        f"--metrics {one_line(name)}: no such metric in the panel"
        f"{suggestion(name, known) or '; there are ' + ', '.join(known)}"
        for name in wanted
        if name not in known
    ]
    if problems:
        raise ConfigError(*problems)
    return tuple(scorer for scorer in panel if not wanted or scorer.metric.name in wanted)


def versions_of(config: Config, wanted: Sequence[Scorer], panel: Sequence[Scorer]) -> dict[str, str]:
    """Return the version of each metric that is wanted, as it is configured; raises `ConfigError` for a lost model."""
    return run_versions(wanted, with_what_they_read(wanted, panel), models=identity(config))


def with_what_they_read(wanted: Sequence[Scorer], panel: Sequence[Scorer]) -> tuple[Scorer, ...]:
    """Return ``wanted`` and those of the panel whose scores they are made of, in the order of the panel."""
    by_name = {scorer.metric.name: scorer for scorer in panel}
    names: dict[str, None] = {}
    left = [scorer.metric.name for scorer in wanted]
    while left:
        name = left.pop()
        if name in by_name and name not in names:
            names[name] = None
            left.extend(by_name[name].reads)
    return tuple(scorer for scorer in panel if scorer.metric.name in names)


@dataclass(slots=True)
class ScoreOutput:
    """What is printed of scored answers, one after the other, and at the end."""

    metrics: Mapping[str, str]
    """Metrics that are shown, with the version of each."""
    labelled: Mapping[str, frozenset[str]]
    """Metrics that are shown only of rows with these labels, and in the table only if a row has them."""
    form: Form
    out: TextIO
    err: TextIO
    declared: Sequence[ExternalMetric] = ()
    """What the configuration declares of scores by other evaluators."""
    n_answers: int = 0
    malformed: dict[Path, RecordProblems] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tallies = {name: Tally() for name in self.metrics if name not in self.labelled}

    def readable(self, files: Sequence[Path], options: AdaptOptions) -> Iterator[Answer]:
        """Yield the answers; report what cannot be read on standard error."""
        for path, item in answers(files, options, Progress(None)):
            if isinstance(item, MalformedRecord):
                place, reason = placed(path, "", item)
                if self.malformed.setdefault(path, RecordProblems()).add(place, reason):
                    self.err.write(f"groundwire: {place}: {reason}\n")
            else:
                yield item

    def show(self, answer: Answer, result: AnswerScores) -> None:
        """Print what one answer scored, or count it for the table."""
        self.n_answers += 1
        evaluation = orjson.loads(result.evaluation)
        shown = {name: version for name, version in self.metrics.items() if self._has_labels(answer, name)}
        for kind in ("scores", "unscored"):
            evaluation[kind] = [each for each in evaluation[kind] if each["metric"] in shown]
        if self.form == "json":
            self.out.writelines(lines(evaluation, shown, answer, self.declared))
            return
        if self.form == "explain":
            explain(answer, evaluation, result.compared, self.out, width=WIDEST)
        for score in evaluation["scores"]:
            self._tally(score["metric"]).add(score)
        for absent in evaluation["unscored"]:
            self._tally(absent["metric"]).miss(absent)
        for said in external_scores(answer, self.declared):
            self._tally(said.metric).add({"value": said.value, "label": said.label})

    def _has_labels(self, answer: Answer, name: str) -> bool:
        return all(getattr(answer, label) is not None for label in self.labelled.get(name, ()))

    def _tally(self, name: str) -> Tally:
        return self.tallies.setdefault(name, Tally())

    def end(self) -> None:
        """Print the table, where one is wanted, and how many records could not be read.

        Where that is why nothing was scored, it says enough.
        """
        if self.form != "json" and (self.n_answers or not self.malformed):
            others = sorted(self.tallies.keys() - self.metrics.keys())
            ordered = {name: self.tallies[name] for name in (*self.metrics, *others) if name in self.tallies}
            print_summary(ordered, self.n_answers, self.out)
        for path, problems in self.malformed.items():
            self.err.writelines(f"groundwire: {line}\n" for line in problems.repeated())
            self.err.write(f"groundwire: {path}: {counted(problems.bad, 'record')} could not be read\n")


def lines(
    evaluation: Mapping[str, Any],
    metrics: Mapping[str, str],
    answer: Answer,
    declared: Sequence[ExternalMetric] = (),
) -> Iterator[str]:
    """Yield one JSON line for each of ``metrics``, which are given with their versions; ``value`` is null for none.

    What an absence has to say beside its reason stands under ``explanation``; ``attributes`` are what slices of the
    ``answer`` can be cut from. Scores by other evaluators that stand with the answer come last, as values of
    ``external.NAME``; their version is the evaluator's.
    """
    attributes = attributes_of(answer)
    present = {score["metric"]: score for score in evaluation["scores"]}
    absent = {each["metric"]: each for each in evaluation["unscored"]}
    for name, version in metrics.items():
        score, missing = present.get(name, {}), absent.get(name, {})
        row = {
            "answer_id": evaluation["answer_id"],
            "metric": name,
            "value": score.get("value"),
            "outcome": "scored" if score else "unscored",
            "reason": missing.get("reason"),
            "basis": score.get("basis"),
            "label": score.get("label"),
            "explanation": score.get("explanation", missing.get("detail")),
            "evidence": [
                {key: value for key, value in each.items() if value is not None} for each in score.get("evidence", ())
            ],
            "scorer_version": version,
            "session_id": answer.session_id,
            "attributes": attributes,
        }
        yield orjson.dumps(row).decode() + "\n"
    for said in external_scores(answer, declared):
        row = {
            "answer_id": answer.id,
            "metric": said.metric,
            "value": said.value,
            "outcome": "scored",
            "reason": None,
            "basis": None,
            "label": said.label,
            "explanation": said.explanation,
            "evidence": [],
            "scorer_version": said.measured_by or None,
            "session_id": answer.session_id,
            "attributes": attributes,
        }
        yield orjson.dumps(row).decode() + "\n"


def external_scores(answer: Answer, declared: Sequence[ExternalMetric]) -> list[RecordedScore]:
    """Return the scores by other evaluators. Raises `ConfigError` naming the answer of one that cannot be used."""
    try:
        return list(recorded_scores(answer, declared))
    except UntakenScoreError as error:
        raise ConfigError(f"answer {one_line(answer.id, 60)}: {one_line(str(error))}") from error
