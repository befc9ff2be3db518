"""Source age: how old what the answer rests on was when the question was asked."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, missing_input
from scorers.freshness.dating import dated
from scorers.lineage import lineage_of
from scorers.support.attribution import attribution
from scorers.support.resting import rests_on, rests_on_nothing
from scorers.text.excerpt import excerpt

LISTED = 5

CENTURY = 36_525.0
"""The most days that are told: a hundred years. What is older is as old."""

BUCKETS = (0.5, 1.0, 7.0, 30.0, 90.0, 180.0, 365.0, 730.0, 1_826.0, 3_652.0, CENTURY)
DAY = timedelta(days=1)


class SourceAgeDays(Scorer):
    """Mean age, in days, of the passages the answer rests on when it was asked: 0 of today, 365 a year old.

    A claim rests on the passages it cites, else on the context passage that it has most of its words from; each passage
    counts once. Its date is the start of its window by the catalog (``basis: catalog``), else by the passage itself,
    else when it was published, else what its text says of itself ("last updated 3 May 2024"). What is dated after the
    question has age 0, passages without a date are left out, and more than a hundred years count as a hundred. Old is
    not wrong: read it beside `question_volatility` and `stale_source_use`.

    >>> from datetime import UTC
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="Leave is 20 weeks.", published_at=datetime(2025, 12, 2, tzinfo=UTC))
    >>> answer = Answer(id="a", answer="Leave is 20 weeks.", passages=(passage,))
    >>> SourceAgeDays().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC))).value
    30.0
    """

    metric: ClassVar[Metric] = Metric(
        name="source_age_days",
        family="freshness",
        languages="any",
        words=("answer", "passages"),
        unit="days",
        upper=CENTURY,
        better="lower",
        help="Mean age in days of the passages an answer rests on, when it was asked: 0 today, 36525 a century or "
        "more.",
        formula="mean over dated passages p that the answer rests on of min(36525, max(0, asked - date(p))) in days",
        source="PROBE 3.3 (source freshness checks); the form is ours.",
        bases=("catalog", "passages"),
        cost="judgement",
        limits="Old does not mean wrong; a date in a text may belong to something it describes, not to the text "
        "itself.",
        buckets=BUCKETS,
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["source_age_days"] = "source_age_days"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the mean age of what the answer rests on, or why there is none."""
        passages = answer.passages or ()
        lineage = lineage_of(answer, env)
        used = sorted({index for indices in rests_on(attribution(answer, env.memory)) for index in indices})
        if not used:
            return rests_on_nothing(answer)
        ages: list[float] = []
        basis: Basis = "passages"
        evidence = []
        for index in used:
            passage = passages[index]
            status = lineage.status(passage)
            date = dated(passage, None if status is None else status.document)
            if date is None:
                continue
            if status is not None and status.basis == "catalog" and status.document.effective_from is not None:
                basis = "catalog"
            ages.append(age(date, lineage.at))
            name = excerpt(passage.doc_id or passage.id)
            evidence.append(Evidence.of_passage(passage, f"{name} is dated {date.date()}"))
        if not ages:
            unclear = lineage.unclear(passages[index] for index in used)
            return missing_input(f"dates of the passages{unclear}")
        return Measured(
            value=min(CENTURY, sum(ages) / len(ages)),
            basis=basis,
            explanation=f"{len(ages)} of {len(used)} passages that the answer rests on have a date",
            evidence=tuple(evidence[:LISTED]),
        )


def age(date: datetime, at: datetime) -> float:
    """Return the days from ``date`` to ``at``, from 0 to a century.

    >>> from datetime import UTC
    >>> age(datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
    0.0
    """
    return min(CENTURY, max(0.0, (at - date) / DAY))
