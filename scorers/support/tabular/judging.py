"""All that the tables of a context say of a claim, and whether they settle it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorers.support.tabular.bounds import bounds
from scorers.support.tabular.counting import counts, every, only, totals
from scorers.support.tabular.finding import TableFinding
from scorers.support.tabular.linking import TableLink, link
from scorers.support.tabular.lookups import numbers, stated, values
from scorers.support.tabular.ranking import comparisons, extremes
from scorers.support.tabular.series import ranges, spans, trends
from scorers.support.tabular.yielding import figures
from scorers.text.cells import CellToken
from scorers.text.tables import Table


@dataclass(frozen=True, slots=True)
class Told:
    """What one table says about a claim."""

    link: TableLink
    findings: tuple[TableFinding, ...]


def told(read: Sequence[CellToken], tables: Sequence[Table]) -> tuple[Told, ...]:
    """Return what each table says of a claim that has some of its words, the one with most of them first."""
    found = []
    for table in tables:
        beside = link(read, table)
        if beside.mentions or beside.columns:
            found.append(Told(beside, _findings(beside)))
    ranked = sorted(found, key=lambda each: -len(each.link.known))
    return tuple(Told(each.link, _beside(each, ranked)) for each in ranked)


def _beside(one: Told, ranked: Sequence[Told]) -> tuple[TableFinding, ...]:
    """Return the findings of a table, without those that another table of the context covers better."""
    if len(ranked) == 1 or all(finding.agrees or finding.at < 0 for finding in one.findings):
        return one.findings
    others = [each for each in ranked if each is not one]
    agreed = [finding for each in others for finding in each.findings if finding.agrees and finding.at >= 0]
    yielded = {finding.at for finding in agreed}
    told = {finding.at for finding in agreed if finding.kind != "figure"}
    sooner = {
        finding.at for each in ranked[: ranked.index(one)] for finding in each.findings if finding.kind != "figure"
    }
    known = {at for each in others for mention in each.link.mentions if len(mention.at) > 1 for at in mention.at}
    named = {at for each in others for column in each.link.columns for at in column.at}
    kept = []
    for finding in one.findings:
        if not finding.agrees and finding.at >= 0:
            if (
                finding.at in (yielded if finding.kind == "figure" else told)
                or finding.at in sooner
                or (finding.kind in ("number", "figure") and finding.at in known)
            ):
                continue
            if finding.kind == "stated" and finding.at in named:
                continue
        kept.append(finding)
    return tuple(kept)


def _findings(beside: TableLink) -> tuple[TableFinding, ...]:
    found: list[TableFinding] = [*extremes(beside), *comparisons(beside), *only(beside), *every(beside)]
    summed = dict(totals(beside))
    ranged = dict(ranges(beside))
    looked_up = dict(numbers(beside))
    agreed = frozenset(at for at, finding in looked_up.items() if finding.agrees)
    said = list(values(beside))
    found += [*said, *bounds(beside)]
    # What stands behind a key is looked at where nothing of it is known: a value that is known says more.
    if not any(each.agrees and each.kind == "value" for each in said) and not agreed:
        found += stated(beside)
    over_time = [*trends(beside), *ranged.values()]
    found += over_time
    found += figures(beside)
    found += [each for each in spans(beside) if not over_time or each.agrees or not each.of]
    counted = list(counts(beside, agreed | frozenset(summed)))
    found += [*counted, *summed.values()]
    # A number that is explained as a count, a sum, a difference or an extreme is not one that stands in a row.
    explained = {each.claimed for each in found if each.agrees and each.kind not in ("value", "figure")}
    found += [
        each for at, each in looked_up.items() if at not in summed and (each.agrees or each.claimed not in explained)
    ]
    return tuple(found)
