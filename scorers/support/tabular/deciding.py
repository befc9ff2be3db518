"""Whether the tables of a context agree with a claim, contradict it, or leave it open; and what they say otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorers.statements.base import Difference, DifferenceKind, StatementComparison
from scorers.support.tabular.finding import FindingKind, TableFinding
from scorers.support.tabular.judging import Told, told
from scorers.support.tabular.linking import read_claim
from scorers.text.tables import Table

KINDS: Mapping[FindingKind, DifferenceKind] = {
    "value": "entity",
    "stated": "entity",
    "number": "quantity",
    "figure": "quantity",
    "bound": "bound",
    "extreme": "order",
    "range": "quantity",
    "comparison": "order",
    "difference": "quantity",
    "count": "quantity",
    "only": "scope",
    "all": "scope",
    "total": "quantity",
    "trend": "opposite",
    "span": "date",
}
"""Which kind of difference between statements each kind of finding is."""

STRENGTHS: Mapping[FindingKind, float] = {
    "value": 0.9,
    "stated": 0.6,
    "number": 0.82,
    "figure": 0.6,
    "bound": 0.88,
    "extreme": 0.72,
    "range": 0.62,
    "comparison": 0.75,
    "difference": 0.75,
    "count": 0.63,
    "only": 0.75,
    "all": 0.55,
    "total": 0.6,
    "trend": 0.6,
    "span": 0.75,
}
"""How often a claim with such a difference is wrong, where the table has most of its words and the row is certain.

Counted on 8,000 claims of crowds over tables of Wikipedia (TabFact, InfoTabS), half of them wrong.
"""

SURE = 0.85
KNOWN = 0.6
"""Share of the words of a claim that a table knows from which on it may settle it."""

CONTRADICTS = 0.7
"""The strength from which on a difference contradicts."""


def compare_with_tables(claim: str, tables: Sequence[Table]) -> StatementComparison:
    r"""Return what tables say of a claim; ``source`` is the index of the table that decided.

    >>> from scorers.text.tabletext import read_tables
    >>> tables = read_tables("| Country | Days |\n|---|---|\n| Germany | 180 |\n| Switzerland | 220 |")
    >>> compare_with_tables("Germany allows 180 days.", tables).outcome
    'agrees'
    >>> compare_with_tables("Germany allows 220 days.", tables).difference
    Difference(kind='quantity', claimed='220', told='180 for Germany, Days', strength=0.82)
    """
    return decided(told(read_claim(claim), tables), tables)


def decided(found: Sequence[Told], tables: Sequence[Table]) -> StatementComparison:
    """Return the same of what was found already."""
    if not found:
        return StatementComparison("undecided", undecided="no row or column of a table is named")
    best = found[0]
    source = next(at for at, table in enumerate(tables) if table is best.link.table)
    known = share_known(best)
    differing = [
        (strength(finding, known), finding)
        for finding in best.findings
        if not finding.agrees and not _in_full(finding.claimed, finding.told)
    ]
    if differing:
        most, finding = max(differing, key=lambda each: each[0])
        if most >= CONTRADICTS:
            instead = " for ".join(filter(None, (finding.told or "no such value", finding.of)))
            difference = Difference(KINDS[finding.kind], finding.claimed, instead, round(most, 2))
            return StatementComparison("contradicts", difference, source)
        return StatementComparison("undecided", source=source, undecided=f"the table may contradict {finding.claimed}")
    if any(finding.sure >= SURE for finding in best.findings) and known >= KNOWN:
        return StatementComparison("agrees", source=source)
    return StatementComparison("undecided", source=source, undecided="the table does not cover all of the claim")


def _in_full(claimed: str, told: str) -> bool:
    """Tell whether a cell says what is claimed and goes on: "exchange only, no refund"."""
    return bool(claimed) and not claimed.isdigit() and told.lower().startswith(f"{claimed.lower()},")


def share_known(one: Told) -> float:
    """Return the share of the words of a claim that a table knows."""
    content = {at for at, token in enumerate(one.link.read) if token.content}
    compared = {finding.at for finding in one.findings if finding.at >= 0}
    units = {at + 1 for at in compared | one.link.placed if one.link.read[at].dimension}
    return len((one.link.known | compared | units) & content) / len(content) if content else 0.0


def strength(finding: TableFinding, known: float) -> float:
    """Return how likely a finding that differs makes its claim wrong."""
    sure = finding.sure >= SURE or finding.kind == "only" or (finding.kind == "span" and finding.sure >= _ABSENT)
    return STRENGTHS[finding.kind] * (1.0 if sure and known >= KNOWN else _DOUBT)


_DOUBT = 0.7
_ABSENT = 0.6
"""How sure it is that a date which the table does not have is another; a span of some of its dates may be meant."""
