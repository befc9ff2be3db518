"""`groundwire fit`: composite weights, caps and gate thresholds fitted to a team's own labels, as a configuration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import msgspec
import numpy as np
import yaml

from adapters.base import MalformedRecord
from adapters.schema import Answer, Gold
from collector.commands.columns import aligned
from collector.commands.fitting import FittedAnswer, as_plain, rows_of
from collector.commands.objects import object_line
from collector.commands.problems import RecordProblems, placed
from collector.commands.progress import Progress, watched
from collector.commands.reading import located_answers, opened
from collector.configuration.schema import Config
from collector.errors import ConfigError
from collector.security.text import one_line
from collector.writing import write_whole
from evaluation.fitting.measures import EvaluatorFigures
from evaluation.fitting.own import LEAST_OF_EACH, OwnFit, fit_own
from evaluation.fitting.release_rule import BLOCKING
from evaluation.fitting.table import AdjudicatedLabel, LabelledTable
from evaluation.statistics.agreement import ReviewerAgreement, agreement
from gates.units.names import suggestion
from gates.verdicts.summary import counted
from scorers.base import Scorer
from scorers.composite.composite import Composite
from scorers.composite.unsafe_probability import UnsafeProbability

FINE = 0
MAX_LINE = 1_000_000


class AnswerReview(msgspec.Struct, gc=False):
    """What a reviewer says of an answer; ``unsafe`` where they were asked."""

    answer_id: str
    reviewer: str
    acceptable: bool
    unsafe: bool | None = None


class FitChoices(NamedTuple):
    """What belongs together, what parts are balanced by, and how figures are worked out."""

    group: str | None
    strata: Sequence[str]
    reviews: Path | None
    out: Path | None
    seed: int
    resamples: int
    workers: int | None
    now: datetime


class LabelledAnswer(NamedTuple):
    """An answer without its label, and the label that it came with."""

    answer: Answer
    accepted: bool | None


def fit_files(
    files: Sequence[Path], config: Config, choices: FitChoices, *, as_json: bool, out: TextIO, err: TextIO
) -> int:
    """Fit to the labels of the answers in ``files``, print held-out figures and a configuration, and return 0.

    Raises `ConfigError` for records and reviews that cannot be used, with file, line and field, and where labels are
    too few.
    """
    if choices.out is not None and not choices.out.parent.is_dir():
        raise ConfigError(f"--out {choices.out}: cannot be written: {choices.out.parent} is not a folder")
    reviews = {} if choices.reviews is None else _reviews(choices.reviews)
    with watched(out, err, at_end=True) as progress:
        suite, unlabelled = _labelled(files, config, reviews, progress)
        labels = {each.answer.id: _label(each, reviews.get(each.answer.id, ()), choices.reviews) for each in suite}
        unknown = [name for name in reviews if name not in labels]
        if unknown:
            named = f"{choices.reviews}: {counted(len(unknown), 'reviewed answer')}"
            err.write(f"groundwire: {named} not in the files and left out, such as {one_line(unknown[0], 60)!r}\n")
        if unlabelled:
            named = f"{len(unlabelled):,} of {counted(len(suite) + len(unlabelled), 'answer')}"
            err.write(f"groundwire: {named} have no label and are left out; the first: {unlabelled[0]}\n")
        _attributed((each.answer for each in suite), choices)
        _enough(labels, files[0])
        rows = rows_of(
            (each.answer for each in suite),
            config,
            now=choices.now,
            workers=choices.workers,
            progress=progress,
            err=err,
        )
        table = _table(rows, labels, choices)
        progress.tell("fitting")
        try:
            fit = fit_own(
                table,
                np.random.default_rng(choices.seed),
                np.random.default_rng(choices.seed),
                resamples=choices.resamples,
            )
        except ValueError as error:
            some = f"{len(table):,} of {counted(len(suite), 'answer')} have a composite"
            raise ConfigError(f"{files[0]}: {error}; {some}") from error
    snippet = _snippet(config, fit, choices.strata)
    if choices.out is not None:
        write_whole(choices.out, snippet.encode(), option="--out")
    kappa = agreement({name: [each.acceptable for each in given] for name, given in reviews.items()})
    if as_json:
        out.write(object_line(_plain(fit, kappa, snippet)))
        return FINE
    out.writelines(_told(fit, kappa if reviews else None, len(suite) - len(table)))
    out.write(f"\n{snippet}" if choices.out is None else f"configuration written to {choices.out}\n")
    return FINE


def _labelled(
    files: Sequence[Path], config: Config, reviews: Mapping[str, Sequence[AnswerReview]], progress: Progress
) -> tuple[list[LabelledAnswer], list[str]]:
    """Return the answers that have a label, and the places of those that have none."""
    unlabelled: list[str] = []
    found: dict[str, LabelledAnswer] = {}
    places: dict[str, str] = {}
    problems = RecordProblems()
    for path, place, item in located_answers(files, config.traces.options(), progress):
        if isinstance(item, MalformedRecord):
            problems.add(*placed(path, "", item))
        elif item.id in found:
            said = f"id: two answers have the id {one_line(item.id, 60)!r}; the other is in {places[item.id]}"
            problems.add(_place(path, place), said)
        else:
            # What people say of an answer must not reach what is held against it.
            told = item.gold or Gold()
            rest = told.model_copy(update={"acceptable": None})
            bare = item.model_copy(update={"gold": None if rest == Gold() else rest})
            places[item.id] = _place(path, place)
            if told.acceptable is None and item.id not in reviews:
                unlabelled.append(f"{_place(path, place)}: answer {one_line(item.id, 60)!r}")
            found[item.id] = LabelledAnswer(bare, told.acceptable)
    if problems.bad:
        raise ConfigError(*problems.lines())
    if not found:
        raise ConfigError(f"{files[0]}: has no answers")
    if len(unlabelled) == len(found):
        raise ConfigError(f"{unlabelled[0]}: gold.acceptable: has no label, nor has any other answer")
    labelled = [each for name, each in found.items() if each.accepted is not None or name in reviews]
    return labelled, unlabelled


def _place(path: Path, where: str) -> str:
    return f"{path}: {where}" if where else str(path)


def _reviews(path: Path) -> Mapping[str, Sequence[AnswerReview]]:
    decoder = msgspec.json.Decoder(AnswerReview)
    found: dict[str, list[AnswerReview]] = {}
    with opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 1):
            try:
                review = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise ConfigError(f"{path}: line {number}: {one_line(str(error))}") from error
            given = found.setdefault(review.answer_id, [])
            if any(each.reviewer == review.reviewer for each in given):
                who, name = one_line(review.reviewer, 60), one_line(review.answer_id, 60)
                raise ConfigError(f"{path}: line {number}: reviewer: {who!r} has labelled {name!r} already")
            given.append(review)
    return found


def _label(each: LabelledAnswer, reviews: Sequence[AnswerReview], path: Path | None) -> AdjudicatedLabel:
    """Return the label of an answer: its own, which is the adjudicated one, else what most reviewers say."""
    votes = Counter(review.acceptable for review in reviews)
    accepted = each.accepted
    if accepted is None:
        if votes[True] == votes[False]:
            name = one_line(each.answer.id, 60)
            raise ConfigError(
                f"{path}: answer_id: as many reviewers accept {name!r} as do not; add one more, or set gold.acceptable"
            )
        accepted = votes[True] > votes[False]
    told = [review.unsafe for review in reviews if review.unsafe is not None]
    unsafe = 2 * sum(told) > len(told) if told else not accepted
    return AdjudicatedLabel(accepted, unsafe)


def _attributed(labelled: Iterable[Answer], choices: FitChoices) -> None:
    """Refuse attributes to group or balance by that no answer has."""
    named = {name for answer in labelled for name in answer.attributes} | {"session_id"}
    for option, name in (("--group", choices.group), *(("--strata", name) for name in choices.strata)):
        if name is not None and name not in named:
            raise ConfigError(f"{option} {name}: no answer has this attribute{suggestion(name, sorted(named))}")


def _enough(labels: Mapping[str, AdjudicatedLabel], path: Path) -> None:
    """Refuse labels that cannot fill three parts, however they are drawn, before the answers are scored."""
    accepted = sum(label.acceptable for label in labels.values())
    if min(accepted, len(labels) - accepted) < 3 * LEAST_OF_EACH:
        raise ConfigError(
            f"{path}: {accepted:,} accepted and {len(labels) - accepted:,} other answers; {LEAST_OF_EACH} of each are"
            " needed in each of three parts, which takes some 50 of each in all"
        )


def _table(rows: Iterator[FittedAnswer], labels: Mapping[str, AdjudicatedLabel], choices: FitChoices) -> LabelledTable:
    kept = [(each.answer, each.row) for each in rows if each.row is not None]
    return LabelledTable.of(
        [row for _, row in kept],
        [labels[row.answer_id] for _, row in kept],
        [_group(answer, choices.group or "session_id") for answer, _ in kept],
        [(labels[answer.id].acceptable, *(_attribute(answer, name) for name in choices.strata)) for answer, _ in kept],
    )


def _attribute(answer: Answer, name: str) -> str | None:
    return answer.session_id if name == "session_id" else answer.attributes.get(name)


def _group(answer: Answer, name: str) -> Hashable:
    """Return what an answer belongs to; one that says of nothing belongs to itself."""
    told = _attribute(answer, name)
    return ("alone", answer.id) if told is None else told


def _snippet(config: Config, fit: OwnFit, strata: Sequence[str]) -> str:
    """Return the sections of a configuration that change: the scorers that are in force, and a gate."""
    rule = fit.rule
    fitted: list[Scorer] = []
    for scorer in config.scorers:
        if isinstance(scorer, Composite):
            profile = {"weights": rule.profile.weights, "regulated": rule.profile.override, "caps": rule.profile.caps}
            fitted.append(scorer.model_copy(update=profile))
        elif isinstance(scorer, UnsafeProbability):
            slope, intercept = (round(value, 6) for value in rule.scaling)
            fitted.append(scorer.model_copy(update={"slope": slope, "intercept": intercept}))
        else:
            fitted.append(scorer)
    gate: dict[str, Any] = {
        "type": "acceptance",
        "name": "fitted",
        "metric": "composite",
        "at_least": rule.thresholds.composite,
        "unsafe_at_most": rule.thresholds.unsafe,
        "blocking": list(BLOCKING),
    }
    known = set(config.dimensions)
    if by := [name for name in strata if name in known]:
        gate["by"] = by
    whole = {
        "scorers": [
            {"type": each.metric.name, **each.model_dump(mode="json", exclude_defaults=True, exclude={"type"})}
            for each in fitted
        ],
        "gates": [gate],
    }
    head = "# Fitted to your labels; a list of scorers takes the place of the default panel.\n"
    return head + yaml.safe_dump(whole, sort_keys=False, allow_unicode=True)


def _told(fit: OwnFit, kappa: ReviewerAgreement | None, unscored: int) -> Iterator[str]:
    training, calibration, held = fit.answers
    yield f"{training:,} answers to fit on, {calibration:,} to tune on, {held:,} held out"
    yield f"; {counted(unscored, 'answer')} without a composite left out\n" if unscored else "\n"
    if kappa is not None and kappa.pairs:
        yield f"reviewers: Cohen's kappa {_shown(kappa.cohen)}, Fleiss' {_shown(kappa.fleiss)}"
        yield f" ({counted(kappa.items, 'answer')} with two labels or more)\n"
    yield "\n"
    rows: list[tuple[str, ...]] = [("held out", "default", "fitted")]
    for name, digits in (("spearman", 3), ("unsafe_f1", 3), ("right", 3), ("missed", 1)):
        rows.append((_FIGURES[name], *(_estimate(each, name, digits) for each in (fit.before, fit.after))))
    yield from aligned(rows)
    yield "\n"
    rows = [("held out, composite alone", *(_FIGURES[name] for name, _ in _ABLATED))]
    rows += [(told, *(_estimate(each, *figure) for figure in _ABLATED)) for told, each in fit.ablation]
    yield from aligned(rows)
    yield "\n"
    rows = [("unsafe probability", "log loss", "calibration error", "band accuracy")]
    named = (("as it is", fit.raw), (f"temperature {1.0 / fit.temperature.slope:.3g}", fit.by_temperature))
    for told, each in (*named, ("slope and intercept", fit.scaled)):
        rows.append((told, f"{each.log_loss:.4f}", f"{each.error:.4f}", _shown(each.band_accuracy)))
    yield from aligned(rows)
    yield "\n"
    rows = [("band", "answers", "said", "seen")]
    for band in fit.scaled.bands:
        rows.append((f"{band.low:g} to {band.high:g}", f"{band.n:,}", _shown(band.said), _shown(band.seen)))
    yield from aligned(rows)


_FIGURES = {
    "spearman": "Spearman with acceptability",
    "unsafe_f1": "F1 of unsafe answers",
    "right": "right decisions",
    "missed": "unsafe accepted of 1,000",
}


_ABLATED = (("spearman", 3), ("unsafe_f1", 3), ("missed", 1))
"""Figures of the composite without one of its parts, with their digits."""


def _estimate(found: EvaluatorFigures, name: str, digits: int) -> str:
    value, (low, high) = getattr(found, name)
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _plain(fit: OwnFit, kappa: ReviewerAgreement, snippet: str) -> dict[str, Any]:
    rule = fit.rule
    return {
        "answers": dict(zip(("training", "calibration", "held_out"), fit.answers, strict=True)),
        "agreement": kappa._asdict(),
        "weights": rule.profile.weights.shares(),
        "regulated": rule.profile.override.model_dump(),
        "caps": rule.profile.caps.model_dump(),
        "thresholds": {"composite": rule.thresholds.composite, "unsafe": rule.thresholds.unsafe},
        "scaling": rule.scaling._asdict(),
        "temperature": 1.0 / fit.temperature.slope,
        "default": as_plain(fit.before),
        "fitted": as_plain(fit.after),
        "calibration": {
            name: as_plain(each)
            for name, each in (("raw", fit.raw), ("temperature", fit.by_temperature), ("scaled", fit.scaled))
        },
        "ablation": {name: as_plain(each) for name, each in fit.ablation},
        "log": [as_plain(step) for step in rule.log],
        "configuration": snippet,
    }
