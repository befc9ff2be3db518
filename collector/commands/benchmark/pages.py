"""The page of a benchmark's report, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from collector.commands.benchmark.pictures import CORRELATIONS, EVALUATORS
from collector.commands.columns import p_cell
from evaluation.fitting.behaviour import ObservedChange
from evaluation.fitting.configurations import ConfigurationRow
from evaluation.fitting.measures import Estimate
from evaluation.fitting.report import ACCEPTABILITY, BenchmarkReport, EvaluatorRow
from evaluation.remedies import remedy_of
from evaluation.statistics.agreement import ReviewerAgreement
from gates.verdicts.summary import counted


def markdown(told: BenchmarkReport, kappas: Mapping[str, ReviewerAgreement], *, unscored: int) -> str:
    """Return the page."""
    return "\n".join(_lines(told, kappas, unscored)) + "\n"


def _lines(told: BenchmarkReport, kappas: Mapping[str, ReviewerAgreement], unscored: int) -> Iterator[str]:
    rule = told.rule
    held = told.answers["held_out"]
    yield "# Evaluators and configurations on the benchmark"
    yield ""
    yield f"**{_decision(told.configurations)}**"
    yield ""
    fitted, tuned = told.answers["training"], told.answers["calibration"]
    yield f"{held:,} answers held out; fitted on {fitted:,}, tuned on {tuned:,}."
    if unscored:
        yield f"{unscored:,} answers have no composite and are left out."
    yield from _unchecked(told.behaviour)
    shares = ", ".join(f"{name} {share:.2f}" for name, share in rule.profile.weights.shares().items())
    limits = ", ".join(f"{name} {value:g}" for name, value in rule.thresholds._asdict().items() if value is not None)
    yield ""
    yield f"Weights: {shares}. Thresholds: {limits}."
    yield ""
    yield from _evaluators(told)
    yield "## Without one of its parts"
    yield ""
    yield "All rows leave out the limit on the unsafe probability, which sees the same failures."
    yield ""
    yield from _table(
        ("rule", "Spearman with acceptability", "F1 of unsafe answers", "right decisions", "missed of 1,000"),
        [(row[0], *row[2:]) for row in map(_evaluator, told.ablation)],
    )
    yield ""
    yield "## Configurations"
    yield ""
    yield from _table(
        ("configuration", "composite", "acceptable", "unsafe", "passes the rule", "unsafe that pass", "NDCG@10",
         "authority recall", "p95", "cost", "p acceptable", "p composite"),
        [
            (
                each.name, f"{each.composite:.1f}", f"{each.acceptable:.1%}", f"{each.unsafe:.1%}",
                f"{each.accepted:.1%}", str(each.missed), _number(each.ndcg), _number(each.authority),
                _number(each.p95_seconds, " s"), _number(each.cost_usd, " USD", 4), p_cell(each.p_acceptable),
                p_cell(each.p_composite),
            )
            for each in told.configurations
        ],
    )  # fmt: skip
    yield ""
    yield "p-values are against the line above (McNemar, Wilcoxon, by group of questions), by Holm."
    yield ""
    for each in told.configurations:
        wanting = _wanting(each)
        yield f"- {each.name}: {'not released: ' + ', '.join(wanting) if wanting else 'may be released'}."
    yield ""
    yield from _losses(told.configurations)
    yield "## What goes with acceptability"
    yield ""
    with_label = [each for each in told.correlations if each.second == ACCEPTABILITY and each.rho is not None]
    yield from _table(
        ("metric", "Spearman", "answers"),
        [(each.first, f"{each.rho:.3f}", f"{each.n:,}") for each in sorted(with_label, key=lambda e: -(e.rho or 0.0))],
    )
    yield ""
    yield f"![Correlations of metrics and acceptability]({CORRELATIONS})"
    yield ""
    yield "## Known failures"
    yield ""
    yield from _table(
        ("failure", "domain", "metric", "answers", "sound", "failing", "expected"),
        [
            (
                each.category, each.domain or "all", each.metric, str(each.pairs), _number(each.sound),
                _number(each.failing), each.expected,
            )
            for each in told.behaviour
        ],
    )  # fmt: skip
    yield ""
    yield from _table(
        ("labelled", "answers", "found as"),
        [
            (name, str(sum(found.values())), ", ".join(f"{label} {n}" for label, n in list(found.items())[:3]))
            for name, found in told.confusion.items()
        ],
    )
    yield ""
    yield from _agreed(told, kappas)


def _wanting(row: ConfigurationRow) -> list[str]:
    return [*row.unmet, *(f"severe failures cluster in {name}" for name in row.clusters)]


def _decision(rows: Sequence[ConfigurationRow]) -> str:
    """Return which configurations the rule lets pass, the best first; where none, which lacks least."""
    ranked = sorted(rows, key=lambda row: (len(_wanting(row)), -row.composite))
    released = [row.name for row in ranked if not _wanting(row)]
    if released or not ranked:
        return f"May be released: {', '.join(released) or 'nothing; there are no configurations'}."
    best, lacking = ranked[0], ", ".join(_wanting(ranked[0]))
    return f"None of {counted(len(rows), 'configuration')} may be released; {best.name} lacks least: {lacking}."


def _losses(rows: Sequence[ConfigurationRow]) -> Iterator[str]:
    """Yield where configurations lose points: the remedy is that of the component (PROBE 3.4)."""
    yield "### Where points are lost"
    yield ""
    families = list(rows[0].families) if rows else []
    yield from _table(
        ("configuration", *families, "capped", "caps", "failures"),
        [
            (
                each.name, *(_number(each.families[name]) for name in families), f"{each.capped:.1%}",
                _counts(each.caps), _counts(each.categories),
            )
            for each in rows
        ],
    )  # fmt: skip
    yield ""
    yield from _table(
        ("configuration", "loses most points by", "repair first", "loses more than the others by", "repair for that"),
        [(each.name, *_lost(each.lost), *_lost(each.behind)) for each in rows],
    )
    yield ""
    yield "Points are means over answers; what all metrics and caps take is what the composite lacks to 100."
    yield ""


def _lost(points: Mapping[str, float]) -> tuple[str, str]:
    told = ", ".join(f"{what} {value:.1f}" for what, value in points.items())
    return (told, remedy_of(next(iter(points)))) if points else ("-", "-")


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in found.items()) or "-"


def _agreed(told: BenchmarkReport, kappas: Mapping[str, ReviewerAgreement]) -> Iterator[str]:
    yield "## Probabilities and reviewers"
    yield ""
    yield from (f"- {name}: {value:.3f}" for name, value in told.calibration.items())
    for name, kappa in kappas.items():
        yield (
            f"- {name}: Cohen's kappa {_number(kappa.cohen, '', 3)}, Fleiss' {_number(kappa.fleiss, '', 3)}"
            f" ({kappa.items:,} answers)"
        )


def _evaluators(told: BenchmarkReport) -> Iterator[str]:
    yield "## Evaluators"
    yield ""
    yield from _table(
        (
            "evaluator",
            "kind",
            "Spearman with acceptability",
            "F1 of unsafe answers",
            "right decisions",
            "missed of 1,000",
        ),
        [_evaluator(each) for each in told.evaluators],
    )
    yield ""
    yield from _table(
        ("composite against", "difference of Spearman", "p (Fisher's z, Holm)", "verdict"),
        [
            (
                each.name, _estimate(each.found.difference), p_cell(each.holm),
                "no difference shown" if not each.shown
                else "the composite goes with it better" if each.found.difference.value > 0.0
                else f"{each.name} goes with it better",
            )
            for each in told.differences
        ],
    )  # fmt: skip
    yield ""
    yield "Intervals are by group of questions; Fisher's z takes answers for independent. Both must agree."
    yield ""
    yield f"![Evaluators and what people accept]({EVALUATORS})"
    yield ""


def _unchecked(changes: Sequence[ObservedChange]) -> Iterator[str]:
    missing = [each for each in changes if not each.as_expected]
    if missing:
        yield ""
        yield (
            f"**{len(missing)} of {len(changes)} checks on known failures have too few answers**, so that these metrics"
            " were not seen to find what they should:"
        )
        yield ""
        yield from (f"- {check_of(each)} ({counted(each.pairs)})" for each in missing)


def check_of(change: ObservedChange) -> str:
    """Return what a metric must do on a known failure, in words."""
    return f"{change.category} in {change.domain or 'all domains'}: {change.metric} {change.expected}"


def _evaluator(row: EvaluatorRow) -> tuple[str, ...]:
    found = row.figures
    return (
        row.name, row.kind, _estimate(found.spearman), _estimate(found.unsafe_f1), _estimate(found.right),
        _estimate(found.missed, 1),
    )  # fmt: skip


def _estimate(found: Estimate, digits: int = 3) -> str:
    low, high = found.interval
    return f"{found.value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _number(value: float | None, unit: str = "", digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}{unit}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
