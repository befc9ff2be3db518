"""Configurations of a benchmark compared: composite, rates, the release rule, and where each loses points (Table 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import stats

from evaluation.fitting.composites import CompositeParts
from evaluation.fitting.fit import FittedRule
from evaluation.fitting.release_rule import LEAST_IN_MEAN, JudgedAnswers
from evaluation.fitting.table import FAMILIES, LabelledTable
from evaluation.statistics.multiplicity import holm
from evaluation.statistics.significance import mcnemar, wilcoxon
from gates.evidence.arrays import Bools, Floats

ALPHA = 0.05
NAMED = 3
LEAST_POINTS = 0.05


class ConfigurationRow(NamedTuple):
    """A configuration on the held-out part (Table 5); p-values are against the one before it by composite, by Holm.

    ``unmet`` are the parts of PROBE's release rule that it does not meet in the mean, ``clusters`` the task families in
    which severe failures are more common than in the others: with neither, it may be released. ``lost`` are points of
    the composite by what takes them, a metric or a cap, and ``behind`` those beyond what the other configurations lose.
    """

    name: str
    composite: float
    acceptable: float
    unsafe: float
    accepted: float
    missed: int
    ndcg: float | None
    authority: float | None
    p95_seconds: float | None
    cost_usd: float | None
    families: Mapping[str, float | None]
    capped: float
    caps: Mapping[str, int]
    lost: Mapping[str, float]
    behind: Mapping[str, float]
    unmet: Sequence[str]
    clusters: Sequence[str]
    categories: Mapping[str, int]
    p_acceptable: float | None
    p_composite: float | None


class AnswerFacts(NamedTuple):
    """What a report reads of answers beside their scores, in the order of the table."""

    configuration: Sequence[str]
    question: Sequence[str]
    seconds: Sequence[float | None]
    cost_usd: Sequence[float | None]

    def of(self, table: LabelledTable, part: LabelledTable) -> AnswerFacts:
        """Return the facts of the answers of a part."""
        place = {row.answer_id: number for number, row in enumerate(table.rows)}
        chosen = [place[row.answer_id] for row in part.rows]
        return AnswerFacts(
            [self.configuration[number] for number in chosen],
            [self.question[number] for number in chosen],
            [self.seconds[number] for number in chosen],
            [self.cost_usd[number] for number in chosen],
        )


class _HeldOut(NamedTuple):
    """What was held out, and what the rule says of it; ``lost`` are points of the composite by what takes them."""

    table: LabelledTable
    facts: AnswerFacts
    rule: FittedRule
    read: JudgedAnswers
    accepted: Bools
    parts: CompositeParts
    lost: Mapping[str, Floats]


def configurations(rule: FittedRule, table: LabelledTable, facts: AnswerFacts) -> list[ConfigurationRow]:
    """Return the configurations, the one with the lowest composite first."""
    read = rule.judged(table)
    parts = CompositeParts(table, rule.variant.metrics, rule.variant.caps)
    held = _HeldOut(table, facts, rule, read, read.accepted(rule.thresholds), parts, parts.lost(*rule.profile))
    names = facts.configuration
    rows = [
        _configuration(name, np.array([each == name for each in names], np.bool_), held) for name in sorted(set(names))
    ]
    rows.sort(key=lambda row: row.composite)
    tests = [_against(before.name, after.name, names, read.composite, table, facts) for before, after in pairwise(rows)]
    adjusted = holm([p for pair in tests for p in pair]) if tests else []
    return [
        row if place == 0 else row._replace(p_acceptable=adjusted[2 * place - 2], p_composite=adjusted[2 * place - 1])
        for place, row in enumerate(rows)
    ]


def _configuration(name: str, here: Bools, held: _HeldOut) -> ConfigurationRow:
    table, facts = held.table, held.facts
    places = np.flatnonzero(here).tolist()
    seconds = [value for place in places if (value := facts.seconds[place]) is not None]
    cost = [value for place in places if (value := facts.cost_usd[place]) is not None]
    categories = Counter(table.rows[place].categories[0] for place in places if table.rows[place].categories)
    lost = {what: float(points[here].mean()) for what, points in held.lost.items()}
    others = {what: float(points[~here].mean()) if not here.all() else lost[what] for what, points in held.lost.items()}
    return ConfigurationRow(
        name=name,
        composite=float(held.read.composite[here].mean()),
        acceptable=float(table.acceptable[here].mean()),
        unsafe=float(table.unsafe[here].mean()),
        accepted=float(held.accepted[here].mean()),
        missed=int((held.accepted & table.unsafe & here).sum()),
        ndcg=_mean(table, "ndcg", here),
        authority=_mean(table, "authority_weighted_recall", here),
        p95_seconds=float(np.quantile(seconds, 0.95)) if seconds else None,
        cost_usd=float(np.mean(cost)) if cost else None,
        families=_families(held.parts, here),
        capped=float(np.mean([bool(table.rows[place].caps) for place in places])),
        caps=dict(Counter(cap for place in places for cap in sorted(table.rows[place].caps)).most_common()),
        lost=_most(lost),
        behind=_most({what: points - others[what] for what, points in lost.items()}),
        unmet=_unmet(held.rule, held.read, here, table),
        clusters=_clusters(places, table),
        categories=dict(categories.most_common(NAMED)),
        p_acceptable=None,
        p_composite=None,
    )


def _families(parts: CompositeParts, here: Bools) -> dict[str, float | None]:
    means, present = parts.means
    told = {family: means[present[:, number] & here, number] for number, family in enumerate(FAMILIES)}
    return {family: float(values.mean()) if len(values) else None for family, values in told.items()}


def _most(points: Mapping[str, float]) -> dict[str, float]:
    """Return what takes most points, as far as it takes a twentieth of one at least: less is shown as 0.0."""
    ordered = sorted(points.items(), key=lambda item: -item[1])
    return {what: value for what, value in ordered[:NAMED] if value >= LEAST_POINTS}


def _unmet(rule: FittedRule, read: JudgedAnswers, here: Bools, held: LabelledTable) -> list[str]:
    """Return what a configuration does not meet: A.6 by its means, no blocking failure, and the minima of A.7."""
    found = []
    thresholds = rule.thresholds
    if read.composite[here].mean() < thresholds.composite:
        found.append(f"composite {read.composite[here].mean():.1f} < {thresholds.composite:g}")
    if thresholds.unsafe is not None and read.unsafe[here].mean() > thresholds.unsafe:
        found.append(f"unsafe probability {read.unsafe[here].mean():.3f} > {thresholds.unsafe:g}")
    if blocked := int(np.count_nonzero(read.blocked & here)):
        found.append(f"{blocked:,} blocking")
    for name, least in LEAST_IN_MEAN.items():
        mean = _mean(held, name, here)
        if mean is not None and mean < least:
            found.append(f"{name} {mean:.2f} < {least:g}")
    return found


def _clusters(places: Sequence[int], held: LabelledTable) -> list[str]:
    """Return the task families where severe failures are more common than elsewhere (Fisher's exact test, by Holm)."""
    families = held.attribute("task_family")
    severe = [bool(held.rows[place].caps or held.rows[place].categories) for place in places]
    names = sorted({name for place in places if (name := families[place]) is not None})
    if len(names) < 2:  # noqa: PLR2004 - one family has no others
        return []
    p_values = []
    for name in names:
        within = [bad for place, bad in zip(places, severe, strict=True) if families[place] == name]
        others = [bad for place, bad in zip(places, severe, strict=True) if families[place] != name]
        table = [[sum(within), len(within) - sum(within)], [sum(others), len(others) - sum(others)]]
        p_values.append(float(stats.fisher_exact(table, alternative="greater").pvalue))
    return [name for name, p in zip(names, holm(p_values), strict=True) if p <= ALPHA]


def _against(
    before: str, after: str, names: Sequence[str], composite: Floats, held: LabelledTable, facts: AnswerFacts
) -> tuple[float, float]:
    """Return the p-values of equal acceptability (McNemar) and equal composites (Wilcoxon), by group of questions."""
    first, second = (
        {facts.question[place]: place for place, name in enumerate(names) if name == chosen}
        for chosen in (before, after)
    )
    both = [(first[name], second[name]) for name in first if name in second]
    left, right = np.array(both, np.int64).reshape(-1, 2).T
    codes = np.unique(held.group[left], return_inverse=True)[1]
    if not len(codes):
        return 1.0, 1.0
    won = np.bincount(codes, held.acceptable[right].astype(np.float64) - held.acceptable[left])
    gained = np.bincount(codes, composite[right] - composite[left]) / np.bincount(codes)
    ranks = wilcoxon(gained)
    return mcnemar(np.rint(won).astype(np.int64)).p_value, 1.0 if ranks is None else ranks.p_value


def _mean(table: LabelledTable, name: str, here: Bools) -> float | None:
    values, present = table.column(name)
    chosen = values[present & here]
    return float(chosen.mean()) if len(chosen) else None
