"""What the tables and records of a context say of a claim."""

from __future__ import annotations

import math

from scorers.support.alignment import Alignment
from scorers.support.tabular.finding import KINDS
from scorers.support.tabular.judging import Told
from scorers.support.tabular.yielding import unmeasured

NAMES = (
    "table_rows", "table_columns", "table_known", "table_placed", "table_row_share", "table_rows_best",
    "table_columns_named", "table_negated", "table_numbers", "table_numbers_elsewhere", "table_numbers_nowhere",
    "table_unmeasured",
    *(f"table_{kind}_agrees" for kind in KINDS), *(f"table_{kind}_differs" for kind in KINDS),
    "table_agrees", "table_differs",
)  # fmt: skip


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`; all 0 where the context has no table, and but the first where none knows a word."""
    tables = a.context.tables
    if not tables:
        return _NONE
    # How long the longest table is tells series and lists from records, whatever the claim knows of it.
    rows = math.log1p(max(len(table.rows) for table in tables))
    found = a.context.told_by_tables(a.claim.sentence.words)
    return (rows, *(_values(found) if found else _NONE[1:]))


_NONE = (0.0,) * len(NAMES)


def _values(found: tuple[Told, ...]) -> tuple[float, ...]:
    """Return the values of `NAMES` but the first."""
    link = found[0].link
    content = [at for at, token in enumerate(link.read) if token.content] or [0]
    known = set().union(*(each.link.known for each in found))
    placed = link.placed
    best = max(map(len, link.by_row.values()), default=0)
    numeric = [at for at, token in enumerate(link.read) if token.value is not None and not token.spelled]
    everywhere = {at for each in found for at in each.link.placed}
    own = set().union(*(link.by_row[row] for row in link.best[:1])) if link.best else set()
    agrees = dict.fromkeys(KINDS, 0.0)
    differs = dict.fromkeys(KINDS, 0.0)
    for each in found[:2]:
        for finding in each.findings:
            side = agrees if finding.agrees else differs
            side[finding.kind] += finding.sure
    return (
        float(len(link.table.columns)),
        len(known.intersection(content)) / len(content),
        len(placed) / len(content),
        best / len(placed) if placed else 0.0,
        math.log1p(len(link.best)),
        float(len(link.columns)),
        float(link.negated),
        float(len(numeric)),
        float(sum(at in everywhere and at not in own for at in numeric)),
        float(sum(at not in everywhere for at in numeric)),
        float(min(unmeasured(each.link) for each in found)),
        *agrees.values(),
        *differs.values(),
        sum(agrees.values(), 0.0),
        sum(differs.values(), 0.0),
    )
