"""`groundwire review close`: labels settled, what they say of reviewers and of metrics, and gold labels written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TextIO, get_args

from collector.commands.columns import aligned
from collector.commands.objects import object_line
from collector.commands.review_acceptance import acceptance, acceptance_lines, acceptance_object
from collector.errors import ConfigError
from collector.reviews.folder import ADJUDICATOR, ReviewClosing, ReviewFolder
from collector.reviews.lines import ReviewRow, put
from collector.runs.folder import finished
from collector.runs.tables import SCORES, read_table
from collector.security.text import one_line
from evaluation.reviewing.acceptance import VerdictAcceptance
from evaluation.reviewing.adjudication import AxisAgreement, SettledLabels, agreements, settled
from evaluation.reviewing.criteria import ExitCriterion, ReviewPhase, exit_criterion
from evaluation.reviewing.metrics import MetricAgreement, metric_agreements
from gates.verdicts.summary import counted

FINE, OPEN = 0, 1


class ReviewPace(NamedTuple):
    """How many labels there are, how many of them were measured, and the median of their seconds."""

    labels: int
    measured: int
    median_seconds: float | None


class ClosedReview(NamedTuple):
    """What came of closing a review."""

    gold: Path
    reviewers: list[AxisAgreement]
    metrics: list[MetricAgreement]
    unread: list[str]
    """Why runs are not held against the labels: they are not there any more, or were changed."""
    pace: ReviewPace
    settled: int
    for_senior: list[str]
    verdicts: VerdictAcceptance
    before: ReviewClosing | None
    phase: ReviewPhase | None
    criterion: ExitCriterion | None

    @property
    def code(self) -> int:
        """The exit code."""
        return OPEN if self.criterion is not None and not self.criterion.met else FINE


def close_review(
    folder: Path,
    to: Path,
    *,
    partial: bool,
    now: datetime,
    as_json: bool,
    out: TextIO,
    run: Path | None = None,
) -> int:
    """Settle the labels, print how far reviewers agree, and write gold labels as rows of a suite, of one run if named.

    Labels that come meanwhile wait, and count as given after it was closed. Return 0; 1 where labels are missing and
    ``partial`` does not allow that, or the phase of the review may not end yet. Raises `ConfigError` for a log of
    accesses that was changed.
    """
    review = ReviewFolder.opened(folder)
    if to.exists():
        raise ConfigError(f"{to}: exists; name a new file")
    with review.held():
        review.check_log()
        given, key = review.all_labels(), review.key()
        missing = sum(review.told["labels"] - len(given.get(packet, {})) for packet in key)
        if missing and not partial:
            said = f"{counted(missing, 'label')} missing; give --partial to close with those there are\n"
            out.write(object_line({"closed": False, "missing_labels": missing}) if as_json else said)
            return OPEN
        found = _closed(review, to, now=now, run=run)
    if as_json:
        out.write(object_line({"closed": True, "missing_labels": missing, **_object(found)}))
    else:
        out.writelines(_lines(found))
    return found.code


def _closed(review: ReviewFolder, to: Path, *, now: datetime, run: Path | None) -> ClosedReview:
    given, key = review.all_labels(), review.key()
    senior = review.labels(ADJUDICATOR)
    results = {
        packet: settled(list(labels.values()), senior[packet].label if packet in senior else None)
        for packet, labels in given.items()
        if packet in key
    }
    acceptable = {packet: each.axes["acceptability"].level == "acceptable" for packet, each in results.items()}
    scores, unread = _scores(key)
    reviewed = [
        (result, scores[key[packet]["run"], key[packet]["answer_id"]])
        for packet, result in results.items()
        if (key[packet]["run"], key[packet]["answer_id"]) in scores
    ]
    phase: ReviewPhase | None = next((each for each in get_args(ReviewPhase) if each == review.told.get("phase")), None)
    criterion = None
    if phase is not None:
        queues = {name: (len(review.labels(name)), len(review.queue(name))) for name in review.reviewers}
        unexplained = sum(not one.label.rationale.strip() for one in senior.values())
        criterion = exit_criterion(phase, list(given.values()), results, queues, unexplained)
    scope = None if run is None else str(run)
    before = review.closing(scope)
    put(to, _gold_rows(key, results, run))
    review.note_closed(scope, now=now)
    return ClosedReview(
        gold=to,
        reviewers=agreements(list(given.values())),
        metrics=list(metric_agreements(reviewed)),
        unread=unread,
        pace=_pace(review),
        settled=len(results),
        for_senior=sorted(packet for packet, each in results.items() if each.senior),
        verdicts=acceptance(key, acceptable, _times(review)),
        before=before if before is not None and before.since else None,
        phase=phase,
        criterion=criterion,
    )


def _lines(found: ClosedReview) -> Iterator[str]:
    head = ["axis", "answers", "Cohen's kappa", "Fleiss' kappa"]
    body = [[each.axis, f"{each.answers:,}", _figure(each.cohen), _figure(each.fleiss)] for each in found.reviewers]
    yield from aligned([head, *body], right={1, 2, 3})
    yield from (f"metrics are not held against these labels: {one_line(why, 200)}\n" for why in found.unread)
    yield from _metric_lines(found.metrics)
    pace = found.pace
    if pace.median_seconds is not None:
        of = counted(pace.labels, "label")
        yield f"median {pace.median_seconds:.0f} s for a label, measured for {pace.measured:,} of {of}\n"
    senior = len(found.for_senior)
    yield f"{counted(found.settled, 'answer')} settled, {senior:,} by severity: for a senior adjudicator\n"
    yield from (f"  packet {packet}\n" for packet in found.for_senior)
    yield from acceptance_lines(found.verdicts)
    if found.before is not None:
        late = counted(found.before.since, "label")
        yield f"closed before, on {when(found.before.at)}: {found.gold} also has {late} given since\n"
    if found.criterion is not None:
        met = "met" if found.criterion.met else "not met"
        yield f"{found.phase}: exit criterion {met}: {found.criterion.said}\n"


def _object(found: ClosedReview) -> dict[str, Any]:
    before, criterion = found.before, found.criterion
    return {
        "gold": str(found.gold),
        "settled": found.settled,
        "for_senior": found.for_senior,
        "reviewers": [each._asdict() for each in found.reviewers],
        "metrics": [each._asdict() for each in found.metrics],
        "problems": found.unread,
        "pace": found.pace._asdict(),
        "verdicts": acceptance_object(found.verdicts),
        "closed_before": None if before is None else {"at": before.at.isoformat(), "labels_since": before.since},
        "phase": None if criterion is None else {"name": found.phase, "met": criterion.met, "why": criterion.said},
    }


def _metric_lines(found: Sequence[MetricAgreement]) -> Iterator[str]:
    if not found:
        return
    head = ["metric against reviewers", "axis", "answers", "agree", "95 % interval", "kappa"]
    body = [
        [
            each.metric,
            each.axis,
            f"{each.answers:,}",
            f"{each.same / each.answers:.0%}",
            f"[{each.low:.0%}, {each.high:.0%}]",
            _figure(each.kappa),
        ]
        for each in found
    ]
    yield from aligned([head, *body], right={2, 3, 5})


def _scores(
    key: Mapping[str, ReviewRow],
) -> tuple[dict[tuple[str, str], dict[str, tuple[float, str | None]]], list[str]]:
    """Return by run and answer the scores of the reviewed runs, and why some of these are not there any more."""
    scores: dict[tuple[str, str], dict[str, tuple[float, str | None]]] = {}
    unread = []
    for run in sorted({row["run"] for row in key.values()}):
        try:
            finished(Path(run), SCORES)
            for row in read_table(Path(run) / SCORES, ("answer_id", "metric", "value", "label")):
                if row["value"] is not None:
                    scores.setdefault((run, row["answer_id"]), {})[row["metric"]] = (row["value"], row["label"])
        except ConfigError as error:
            unread.append(str(error))
    return scores, unread


def gold_row(answer_id: str, result: SettledLabels) -> dict[str, Any]:
    """Return settled labels as a row of a suite, which is joined with the answer by its id."""
    axes = {f"review.{axis}": level for axis, (level, _) in result.axes.items()}
    categories = {"review.primary": result.primary, "review.secondary": ", ".join(result.secondary)}
    return {
        "id": answer_id,
        "gold": {"acceptable": result.axes["acceptability"].level == "acceptable"},
        "attributes": axes | {name: value for name, value in categories.items() if value},
    }


def _gold_rows(key: Mapping[str, ReviewRow], results: Mapping[str, SettledLabels], run: Path | None) -> list[ReviewRow]:
    wanted = {packet: row for packet, row in key.items() if run is None or row["run"] == str(run)}
    if run is not None and not wanted:
        raise ConfigError(f"--run {run}: is none of {', '.join(sorted({row['run'] for row in key.values()}))}")
    ids = [row["answer_id"] for row in wanted.values()]
    if len(set(ids)) < len(ids):
        raise ConfigError("several runs answered the same questions; name one of them with --run")
    return [gold_row(wanted[packet]["answer_id"], result) for packet, result in results.items() if packet in wanted]


def _times(review: ReviewFolder) -> Mapping[str, float]:
    """Return the seconds that labels of each packet took, as far as they were measured."""
    found: dict[str, float] = {}
    for reviewer in review.reviewers:
        for packet, one in review.labels(reviewer).items():
            if one.seconds is not None:
                found[packet] = found.get(packet, 0.0) + one.seconds
    return found


def _pace(review: ReviewFolder) -> ReviewPace:
    labels = [one for reviewer in review.reviewers for one in review.labels(reviewer).values()]
    measured = [one.seconds for one in labels if one.seconds is not None]
    return ReviewPace(len(labels), len(measured), median(measured) if measured else None)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def when(at: datetime) -> str:
    """Return when a review was closed, as people are told."""
    return f"{at:%Y-%m-%d %H:%M:%S UTC}"
