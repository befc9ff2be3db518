"""The table of `scorers.models.terms`: how often each absent term of a claim lies in a span that people marked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from scorers.models.terms import TermWeights, absence_of
from scorers.support.absence import worth
from training.fitting import MODELS

PRIOR = 10
"""Claims that a term's rate is drawn to the mean by."""

KNOWN = 3
"""Claims that lack a term from which on it is in the table."""

DIGITS = 2


class Counts:
    """In how many claims each term is absent, and in how many of these it is marked, by source."""

    def __init__(self, absent: Sequence[Sequence[str]], marked: Sequence[frozenset[str]], groups: np.ndarray) -> None:
        self.absent, self.marked, self.groups = absent, marked, groups

    def column(self, train: np.ndarray, absent: Sequence[Sequence[str]], groups: np.ndarray) -> np.ndarray:
        """Return the feature of claims by what the ``train`` claims of other sources say."""
        seen, hit = self._count(train)
        mean = sum(hit.values()) / sum(seen.values())
        whole = self._table(seen, hit, mean)
        tables: dict[str, TermWeights] = {}
        for group in set(self.groups[train]):
            own, own_hit = self._count(train[self.groups[train] == group])
            changed = {term: self._rate(seen[term] - own[term], hit[term] - own_hit[term], mean) for term in own}
            tables[group] = absence_of({**self._rates(seen, hit, mean), **changed}, mean)
        return np.array([worth(terms, tables.get(group, whole)) for terms, group in zip(absent, groups, strict=True)])

    def rates(self) -> tuple[dict[str, float], float]:
        """Return the rate of each known term over all claims, and the mean."""
        seen, hit = self._count(np.arange(len(self.absent)))
        mean = sum(hit.values()) / sum(seen.values())
        return self._rates(seen, hit, mean), mean

    def _count(self, claims: Iterable[int]) -> tuple[Counter[str], Counter[str]]:
        seen: Counter[str] = Counter()
        hit: Counter[str] = Counter()
        for claim in claims:
            seen.update(self.absent[claim])
            hit.update(term for term in self.absent[claim] if term in self.marked[claim])
        return seen, hit

    def _table(self, seen: Counter[str], hit: Counter[str], mean: float) -> TermWeights:
        return absence_of(self._rates(seen, hit, mean), mean)

    def _rates(self, seen: Counter[str], hit: Counter[str], mean: float) -> dict[str, float]:
        return {term: self._rate(count, hit[term], mean) for term, count in seen.items() if count >= KNOWN}

    def _rate(self, seen: int, hit: int, mean: float) -> float:
        return round((hit + PRIOR * mean) / (seen + PRIOR), DIGITS) if seen >= KNOWN else mean


def write_absence(counts: Counts) -> None:
    """Write the table, terms by rate."""
    rates, mean = counts.rates()
    by_rate: dict[str, list[str]] = {}
    for term, rate in sorted(rates.items()):
        by_rate.setdefault(str(rate), []).append(term)
    content = {
        "kind": "absence",
        "name": "absence",
        "version": "1",
        "data": "RAGTruth (MIT annotations): words of claims that the context lacks, spans marked by people",
        "command": "python -m training.support --data PATH",
        "unknown": round(mean, DIGITS),
        "terms": {rate: " ".join(by_rate[rate]) for rate in sorted(by_rate, key=float)},
    }
    target = MODELS / "absence.json"
    target.write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    print(f"{target.name}: {len(rates)} terms, {target.stat().st_size} bytes")
