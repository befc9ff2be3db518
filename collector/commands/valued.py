"""How many answers of a run have a value of each metric, and why the others have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from collector.security.text import one_line
from gates.verdicts.summary import counted

LONGEST = 160
"""Characters of a reason that are shown."""


class MetricCounts:
    """Counts the scores of a run by metric while they pass.

    >>> counts = MetricCounts()
    >>> row = {"metric": "recall", "value": None, "reason": "missing_input", "explanation": "passages"}
    >>> _ = list(counts.over([row, row]))
    >>> counts.told()
    {'recall': {'scored': 0, 'unscored': 2, 'reasons': {'missing_input: passages': 2}}}
    >>> list(counts.without_value(["recall"], 2))
    ['recall: no value in any of 2 answers (missing_input: passages)']
    """

    def __init__(self) -> None:
        self._scored: Counter[str] = Counter()
        self._reasons: dict[str, Counter[str]] = {}

    def over(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the scores as they are."""
        for row in rows:
            reasons = self._reasons.setdefault(row["metric"], Counter())
            if row["value"] is None:
                why = ": ".join(part for part in (row.get("reason"), row.get("explanation")) if part)
                reasons[one_line(why or "no reason is known", LONGEST)] += 1
            else:
                self._scored[row["metric"]] += 1
            yield row

    def told(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the counts by metric, for programs; the most frequent reason first."""
        return {
            metric: {
                "scored": self._scored[metric],
                "unscored": reasons.total(),
                "reasons": dict(reasons.most_common()),
            }
            for metric, reasons in self._reasons.items()
        }

    def without_value(self, wanted: Sequence[str], answers: int) -> Iterator[str]:
        """Yield a sentence for each of the ``wanted`` metrics of which no answer has a value, with the first reason."""
        for metric in wanted:
            if not self._scored[metric]:
                reasons = self._reasons.get(metric, Counter()).most_common(1)
                where = "the only answer" if answers == 1 else f"any of {counted(answers)}"
                why = reasons[0][0] if reasons else "no row has its labels"
                yield f"{one_line(metric)}: no value in {where} ({why})"
