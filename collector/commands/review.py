"""`groundwire review`: answers of runs as packets for reviewers, and their labels back as gold labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any, TextIO, get_args

import orjson

from collector.commands.columns import aligned
from collector.commands.review_acceptance import acceptance_lines
from collector.errors import ConfigError
from collector.reviews.folder import ADJUDICATOR, ReviewFolder
from collector.reviews.lines import ReviewRow, put
from collector.reviews.making import ReviewPlan, write_review
from collector.runs.folder import finished
from collector.runs.tables import SCORES, read_table
from collector.security.text import one_line
from evaluation.reviewing.adjudication import SettledLabels, agreements, settled
from evaluation.reviewing.criteria import ReviewPhase, exit_criterion
from evaluation.reviewing.labels import CATEGORIES, RUBRICS, ReviewLabel
from evaluation.reviewing.metrics import metric_agreements
from gates.verdicts.summary import counted

FINE, OPEN = 0, 1


def make_review(runs: Sequence[Path], to: Path, plan: ReviewPlan, *, out: TextIO) -> int:
    """Write the packets of finished runs for reviewers; return 0. Raises `ConfigError` for what cannot be reviewed."""
    answers = write_review(runs, to, plan)
    named = counted(len(plan.reviewers), "reviewer")
    out.write(f"{to}: {counted(answers, 'answer')}, {counted(plan.labels, 'label')} each, for {named}\n")
    return FINE


def next_packet(folder: Path, reviewer: str, *, now: datetime, as_json: bool, out: TextIO) -> int:
    """Print the first packet of a reviewer that has no label, and log that it was shown; return 0."""
    review = ReviewFolder.opened(folder)
    waiting = review.waiting(reviewer)
    if not waiting:
        every = f"all {counted(len(review.queue(reviewer)), 'packet')} labelled"
        out.write("nothing to adjudicate\n" if reviewer == ADJUDICATOR else f"{every}\n")
        return FINE
    packet = waiting[0]
    review.note(reviewer, packet["packet"], "shown", now=now)
    if as_json:
        asked = {**packet, "axes": review.axes}
        out.write(orjson.dumps(asked, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())
        return FINE
    out.writelines(_closed_lines(review, packet["packet"]))
    labelled = review.progress(reviewer).labelled
    out.write(f"packet {packet['packet']} ({labelled + 1:,} of {labelled + len(waiting):,})\n")
    out.writelines(_packet_lines(packet, review.axes))
    return FINE


def label_packet(
    folder: Path, reviewer: str, packet: str, given: Mapping[str, Any], *, now: datetime, out: TextIO
) -> int:
    """Take a reviewer's label of a packet; return 0. Raises `ConfigError` naming the field that is wrong."""
    review = ReviewFolder.opened(folder)
    label = review.label(reviewer, packet, given, now=now)
    out.write(f"packet {packet}: labelled {label.acceptability}, {label.grounding}\n")
    out.writelines(_closed_lines(review, packet))
    return FINE


def close_review(folder: Path, to: Path, *, partial: bool, now: datetime, out: TextIO, run: Path | None = None) -> int:
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
        return _closed(review, to, partial=partial, now=now, out=out, run=run)


def _closed(review: ReviewFolder, to: Path, *, partial: bool, now: datetime, out: TextIO, run: Path | None) -> int:
    given, key = review.all_labels(), review.key()
    senior = review.labels(ADJUDICATOR)
    missing = sum(review.told["labels"] - len(given.get(packet, {})) for packet in key)
    if missing and not partial:
        out.write(f"{counted(missing, 'label')} missing; give --partial to close with those there are\n")
        return OPEN
    results = {
        packet: settled(list(labels.values()), senior[packet].label if packet in senior else None)
        for packet, labels in given.items()
        if packet in key
    }
    out.writelines(_agreement_lines(list(given.values())))
    out.writelines(_metric_lines(key, results))
    out.writelines(_pace_lines(review))
    look = [packet for packet, each in results.items() if each.senior]
    out.write(f"{counted(len(results), 'answer')} settled, {len(look):,} by severity: for a senior adjudicator\n")
    out.writelines(f"  packet {packet}\n" for packet in sorted(look))
    acceptable = {packet: each.axes["acceptability"].level == "acceptable" for packet, each in results.items()}
    out.writelines(acceptance_lines(key, acceptable, _times(review)))
    put(to, _gold_rows(key, results, run))
    scope = None if run is None else str(run)
    before = review.closing(scope)
    review.note_closed(scope, now=now)
    if before is not None and before.since:
        late = counted(before.since, "label")
        out.write(f"closed before, on {_when(before.at)}: {to} also has {late} given since\n")
    return _ended(review, given, results, out)


def _ended(
    review: ReviewFolder,
    given: Mapping[str, Mapping[str, ReviewLabel]],
    results: Mapping[str, SettledLabels],
    out: TextIO,
) -> int:
    """Print whether the phase of a review may end, if it is of one; return the exit code."""
    phase: ReviewPhase | None = next((each for each in get_args(ReviewPhase) if each == review.told.get("phase")), None)
    if phase is None:
        return FINE
    queues = {name: (len(review.labels(name)), len(review.queue(name))) for name in review.reviewers}
    unexplained = sum(not one.label.rationale.strip() for one in review.labels(ADJUDICATOR).values())
    found = exit_criterion(phase, list(given.values()), results, queues, unexplained)
    out.write(f"{phase}: exit criterion {'met' if found.met else 'not met'}: {found.said}\n")
    return FINE if found.met else OPEN


def _metric_lines(key: Mapping[str, ReviewRow], results: Mapping[str, SettledLabels]) -> Iterator[str]:
    """Yield how far the metrics of the reviewed runs agree with the reviewers; what is not there any more is named."""
    scores: dict[tuple[str, str], dict[str, tuple[float, str | None]]] = {}
    for run in sorted({row["run"] for row in key.values()}):
        try:
            finished(Path(run), SCORES)
            for row in read_table(Path(run) / SCORES, ("answer_id", "metric", "value", "label")):
                if row["value"] is not None:
                    scores.setdefault((run, row["answer_id"]), {})[row["metric"]] = (row["value"], row["label"])
        except ConfigError as error:
            yield f"metrics are not held against these labels: {one_line(str(error), 200)}\n"
    reviewed = [
        (result, scores[key[packet]["run"], key[packet]["answer_id"]])
        for packet, result in results.items()
        if (key[packet]["run"], key[packet]["answer_id"]) in scores
    ]
    found = list(metric_agreements(reviewed))
    if found:
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


def gold_row(answer_id: str, result: SettledLabels) -> dict[str, Any]:
    """Return settled labels as a row of a suite, which is joined with the answer by its id."""
    axes = {f"review.{axis}": level for axis, (level, _) in result.axes.items()}
    categories = {"review.primary": result.primary, "review.secondary": ", ".join(result.secondary)}
    return {
        "id": answer_id,
        "gold": {"acceptable": result.axes["acceptability"].level == "acceptable"},
        "attributes": axes | {name: value for name, value in categories.items() if value},
    }


def _closed_lines(review: ReviewFolder, packet: str) -> Iterator[str]:
    """Yield what becomes of a label that is given after a review was closed."""
    closing = review.closing(review.key()[packet]["run"])
    if closing is not None:
        yield f"this review was closed on {_when(closing.at)}: labels given since count once it is closed again\n"


def _packet_lines(packet: Mapping[str, Any], axes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if packet["conflict"]:
        yield "conflict: sources are known to disagree; an acceptable answer needs a rationale\n"
    for name, told in packet.get("case", {}).items():
        said = told if isinstance(told, str) else "; ".join(told)
        yield f"case, {name.replace('_', ' ')}: {one_line(said, 4_000)}\n"
    for turn in packet.get("history", ()):
        yield f"earlier, {one_line(turn['role'], 40)}: {one_line(turn['content'], 4_000)}\n"
    yield from (f"{name}: {one_line(packet[name] or '', 20_000)}\n" for name in ("question", "answer"))
    for each in packet["passages"]:
        since = " ".join(filter(None, (each["effective_from"] and f"from {each['effective_from']}",
                                       each["effective_to"] and f"to {each['effective_to']}")))  # fmt: skip
        facts = ", ".join(filter(None, (each["cited"] and "cited", each["role"], since, each["gold_label"])))
        snippet = one_line(each["snippet"], 4_000)
        yield f"passage {each['passage']}{f' ({one_line(facts)})' if facts else ''}: {snippet}\n"
    for number, label in enumerate(packet.get("labels", ()), 1):
        said = ", ".join(str(label[name]) for name in (*axes, "primary") if label[name])
        yield f"label {number}: {said}; {one_line(label['rationale'], 4_000) or 'no rationale'}\n"
    yield "\n"
    for axis, levels in axes.items():
        yield f"{axis}: {' | '.join(levels)}\n"
        yield from (f"  {level}: {means}\n" for level, means in RUBRICS.get(axis, {}).items())
    yield f"primary, secondary: {' | '.join(CATEGORIES)}\n"


def _gold_rows(key: Mapping[str, ReviewRow], results: Mapping[str, SettledLabels], run: Path | None) -> list[ReviewRow]:
    wanted = {packet: row for packet, row in key.items() if run is None or row["run"] == str(run)}
    if run is not None and not wanted:
        raise ConfigError(f"--run {run}: is none of {', '.join(sorted({row['run'] for row in key.values()}))}")
    ids = [row["answer_id"] for row in wanted.values()]
    if len(set(ids)) < len(ids):
        raise ConfigError("several runs answered the same questions; name one of them with --run")
    return [gold_row(wanted[packet]["answer_id"], result) for packet, result in results.items() if packet in wanted]


def _agreement_lines(labels: list[dict[str, ReviewLabel]]) -> Iterator[str]:
    head = ["axis", "answers", "Cohen's kappa", "Fleiss' kappa"]
    found = [[each.axis, f"{each.answers:,}", _figure(each.cohen), _figure(each.fleiss)] for each in agreements(labels)]
    yield from aligned([head, *found], right={1, 2, 3})


def _times(review: ReviewFolder) -> Mapping[str, float]:
    """Return the seconds that labels of each packet took, as far as they were measured."""
    found: dict[str, float] = {}
    for reviewer in review.reviewers:
        for packet, one in review.labels(reviewer).items():
            if one.seconds is not None:
                found[packet] = found.get(packet, 0.0) + one.seconds
    return found


def _pace_lines(review: ReviewFolder) -> Iterator[str]:
    labels = [one for reviewer in review.reviewers for one in review.labels(reviewer).values()]
    measured = [one.seconds for one in labels if one.seconds is not None]
    if measured:
        of = counted(len(labels), "label")
        yield f"median {median(measured):.0f} s for a label, measured for {len(measured):,} of {of}\n"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _when(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%SZ}"
