"""`groundwire compare`: runs of scored answers against a baseline, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from adapters.external.case_record import CASE_INPUTS
from collector.commands.compare_labels import label_object, label_table, write_disputed
from collector.commands.compare_table import overview_table, run_table
from collector.commands.evaluations import lines_of
from collector.commands.objects import object_line
from collector.commands.problems import RecordProblems, placed
from collector.commands.progress import Progress, watched
from collector.errors import ConfigError
from collector.runs.folder import scored_run
from collector.security.text import one_line
from collector.store.externalrows import PREFIX
from evaluation.comparison.compare import ComparisonRow, Direction, compare
from evaluation.comparison.conversations import by_conversation
from evaluation.comparison.labels import disputed, label_agreements
from evaluation.comparison.pairing import PairedAnswers, PairingError, paired
from evaluation.comparison.runs import RunLineError, RunReader, ScoredRun
from evaluation.consistency.metrics import RUN_METRICS
from gates.units.names import suggestion
from scorers import SCORERS

FINE, WORSE, UNTOLD = 0, 1, 3


class Choices(NamedTuple):
    """What is compared, and how: see the options of the command."""

    metrics: Sequence[str]
    by: Sequence[str]
    key: str | None
    group: str | None
    strata: str | None
    alpha: float
    seed: int
    resamples: int
    by_conversation: bool = False
    by_ranks: bool = False
    labels: bool = False
    disputed: Path | None = None


def compare_files(
    files: Sequence[Path], choices: Choices, *, as_json: bool, fail_if_worse: bool, out: TextIO, err: TextIO
) -> int:
    """Compare the runs in ``files`` with the first one and print the result; return 0.

    If asked, return 1 for a worse run, and 3 where none is and it is untold of a part of the baseline: a metric cannot
    be compared, a run has no value more often, or more than a tenth of the baseline has no answer to compare with.
    Raises `ConfigError`, with file, line and field, for files that cannot be used or cannot be compared.
    """
    if len({str(path) for path in files}) < max(2, len(files)):
        raise ConfigError("give two or more different runs: the baseline first")
    with watched(out, err, at_end=True) as progress:
        baseline, *candidates = read_runs(files, choices, progress)
        of_labels = choices.labels or choices.disputed is not None
        chosen = directions(baseline, candidates, choices.metrics, of_labels=of_labels)
        metrics = chosen.compared
        progress.tell("comparing")
        try:
            sides = [
                (run, paired(baseline, run, key=choices.key, by=choices.by, group=choices.group, strata=choices.strata))
                for run in candidates
            ]
        except PairingError as error:
            raise ConfigError(str(error)) from error
        rng = np.random.default_rng(choices.seed)
        rows = compare(
            baseline,
            sides,
            metrics,
            rng,
            alpha=choices.alpha,
            resamples=choices.resamples,
            by_ranks=choices.by_ranks,
        )
        agreements = [row for side in sides for row in label_agreements(baseline, *side, chosen.named)]
        if choices.disputed is not None:
            write_disputed(choices.disputed, [row for side in sides for row in disputed(baseline, *side, chosen.named)])
    if as_json:
        told = [_counts(run, pairs) for run, pairs in sides]
        result = {
            "baseline": baseline.name,
            **choices._asdict(),
            "runs": told,
            "rows": [row_object(row) for row in rows],
            "labels": [label_object(row) for row in agreements],
            "left_out": [each._asdict() for each in chosen.left_out],
        }
        del result["metrics"], result["disputed"]
        out.write(object_line(result))
    else:
        out.writelines(overview_table(baseline.name, rows))
        for run, pairs in sides:
            of_run = [row for row in rows if row.run == run.name]
            out.writelines(
                run_table(
                    baseline.name,
                    run.name,
                    pairs,
                    of_run,
                    alpha=choices.alpha,
                    by_ranks=choices.by_ranks,
                    by_conversation=choices.by_conversation,
                )
            )
            if choices.labels:
                out.writelines(label_table([row for row in agreements if row.run == run.name]))
        out.writelines(left_out_lines(chosen.left_out))
    if not fail_if_worse:
        return FINE
    if any(row.verdict == "worse" for row in rows):
        return WORSE
    lacking = any(row.verdict == "more unscored" for row in rows) or any(pairs.uncovered for _, pairs in sides)
    return UNTOLD if chosen.left_out or lacking else FINE


def read_runs(files: Sequence[Path], choices: Choices, progress: Progress) -> list[ScoredRun]:
    """Return the runs, by conversations where that is asked for. Raises `ConfigError` for what cannot be used."""
    runs = [run_of(path, progress) for path in files]
    if not choices.by_conversation:
        return runs
    if choices.key is not None or choices.group is not None:
        raise ConfigError("--by-conversation: pairs conversations, and has no turns to pair or group")
    try:
        return [by_conversation(run) for run in runs]
    except PairingError as error:
        raise ConfigError(f"--by-conversation: {error}") from error


def run_of(path: Path, progress: Progress) -> ScoredRun:
    """Return the run in a file or a run folder.

    Raises `ConfigError`, with line and field, for lines of no use.
    """
    if path.is_dir():
        progress.tell(str(path))
        return scored_run(path)
    reader, problems = RunReader(one_line(str(path))), RecordProblems()
    for number, line in progress.over(_numbered(path), str(path), "lines", every=10_000):
        try:
            reader.add(line, number=number)
        except RunLineError as error:
            problems.add(*placed(path, f"line {number}", error))
    run = reader.run()
    if not problems.bad and not run.values:
        raise ConfigError(f"{path}: has no scores; write them with: groundwire score --json FILE")
    if problems.bad:
        raise ConfigError(*problems.lines())
    return run


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    for lines in lines_of(path):
        for line in lines:
            number += 1
            if line.strip():
                yield number, line


class LeftOutMetric(NamedTuple):
    """A metric that is not compared, and why."""

    metric: str
    reason: str


class ChosenMetrics(NamedTuple):
    """The metrics that all runs have: those that are compared, with their direction, and those that cannot be."""

    compared: Mapping[str, Direction | None]
    left_out: Sequence[LeftOutMetric] = ()

    @property
    def named(self) -> Sequence[str]:
        """All of them: labels by two versions can be set side by side."""
        return (*self.compared, *(each.metric for each in self.left_out))


def directions(
    baseline: ScoredRun,
    candidates: Sequence[ScoredRun],
    wanted: Sequence[str],
    *,
    evaluators: bool = False,
    of_labels: bool = False,
) -> ChosenMetrics:
    """Return the metrics that all runs have, with their direction; raises `ConfigError` where none can be compared.

    A metric of which runs have two versions, or two configurations, is left out, unless it is ``evaluators`` that are
    compared; so is one that is made of such a metric. All may be left out where ``of_labels`` are compared as well.
    """
    names = [name.strip() for part in wanted for name in part.split(",")]
    runs = (baseline, *candidates)
    problems = [
        f"--metrics {one_line(name)}: not in {run.name}{suggestion(name, sorted(run.values))}"
        for name in names
        for run in runs
        if name not in run.values
    ]
    chosen = names or [name for name in baseline.values if all(name in run.values for run in candidates)]
    if not chosen:
        problems.append(f"{baseline.name} and {candidates[0].name} have no metric in common")
    if problems:
        raise ConfigError(*problems)
    left_out = [] if evaluators else list(_left_out(baseline, candidates, chosen))
    if len(left_out) == len(chosen) and not of_labels:
        raise ConfigError(*(f"{each.metric}: {each.reason}" for each in left_out))
    # Which release finds both sides of a conflict is no worse for it; how it handles the conflict is another metric.
    better: dict[str, Direction] = {
        scorer.metric.name: scorer.metric.better for scorer in SCORERS if not scorer.metric.circumstance
    }
    better |= {f"{PREFIX}{name}": "higher" for name in CASE_INPUTS}
    better |= {name: metric.better for name, metric in RUN_METRICS.items()}
    without = {each.metric for each in left_out}
    return ChosenMetrics({name: better.get(name) for name in chosen if name not in without}, left_out)


def _left_out(baseline: ScoredRun, candidates: Sequence[ScoredRun], chosen: Sequence[str]) -> Iterator[LeftOutMetric]:
    made_of = {scorer.metric.name: scorer.reads for scorer in SCORERS}
    for name in chosen:
        for run in candidates:
            why = _differing(name, baseline, run) or next(
                (
                    f"is made of {read}, which {told}"
                    for read in sorted(made_of.get(name, ()))
                    if (told := _differing(read, baseline, run))
                ),
                None,
            )
            if why is not None:
                yield LeftOutMetric(name, why)
                break


def _differing(metric: str, baseline: ScoredRun, run: ScoredRun) -> str | None:
    """Return how the versions differ by which two runs were scored; ``None`` where both are the same, or unknown."""
    if metric not in baseline.versions or metric not in run.versions:
        return None
    (before, old), (after, new) = ((each, _parts(each)) for each in (baseline.versions[metric], run.versions[metric]))
    if before == after:
        return None
    if old[0] == new[0]:
        return (
            f"was scored with other options in {run.name} ({after}) than in {baseline.name} ({before}); "
            "score both with one configuration"
        )
    return (
        f"was scored by version {after} in {run.name}, and by version {before} in {baseline.name}; "
        "score both with one release"
    )


def _parts(version: str | None) -> tuple[str, str]:
    number, _, options = (version or "").partition("+")
    return number, options


def left_out_lines(left_out: Sequence[LeftOutMetric]) -> Iterator[str]:
    """Yield what is not compared, metrics with one reason in one line."""
    by_reason: dict[str, list[str]] = {}
    for each in left_out:
        by_reason.setdefault(each.reason, []).append(one_line(each.metric))
    for reason, names in by_reason.items():
        yield f"not compared: {', '.join(names)} {reason}\n"


def _counts(run: ScoredRun, pairs: PairedAnswers) -> dict[str, Any]:
    return {
        "run": run.name,
        "pairs": len(pairs.pairs),
        "only_baseline": pairs.only_baseline,
        "only_candidate": pairs.only_candidate,
        "differently_asked": pairs.differently_asked or None,
    }


def row_object(row: ComparisonRow) -> dict[str, Any]:
    """Return a row of a comparison as JSON has it; what could not be computed is null."""
    groups, related = row.compared, row.correlation
    return {
        "run": row.run,
        "metric": row.metric,
        "better": row.better,
        "slice": None if row.attribute is None else {row.attribute: row.value},
        "pairs": row.pairs,
        "unpaired": row.unpaired,
        "unscored": {
            "baseline": row.unscored.baseline,
            "run": row.unscored.candidate,
            "test": None if row.unscored.test is None else row.unscored.test._asdict(),
            "p_holm": row.unscored.holm,
        },
        "groups": row.groups,
        "differing": row.differing,
        "baseline": row.baseline,
        "candidate": row.candidate,
        "difference": row.difference,
        "interval": None if groups is None else list(groups.interval),
        "test": None if groups is None else groups.test._asdict(),
        "wilcoxon": None if groups is None or groups.wilcoxon is None else groups.wilcoxon._asdict(),
        "p_holm": row.holm,
        "p_bh": row.bh,
        "effect_size": row.effect_size,
        "correlation": None if related is None else {"r": related.r, "interval": list(related.interval)},
        "detectable": row.detectable,
        "verdict": row.verdict,
    }
