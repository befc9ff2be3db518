"""Numeric fidelity: whether the amounts, times, dates and versions of the answer are those of the context."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer, not_applicable
from scorers.grounding.quantities import UNCHECKED, checked
from scorers.languages import languages_of
from scorers.support.evidence import WEAKEST, context_ids, partly, shown
from scorers.support.judgement import judge


class NumericFidelity(Scorer):
    """Share of the answer's quantities that the context states so: 0 none of them, 1 every one.

    A quantity is an amount with its unit, a number in digits, a time of day, a date or a version. It is faithful where
    the context, or the question, has it in whatever format, language or unit ("1,000" is 1000, "5 pm" is 17:00, "an
    hour" is 60 minutes), or where it follows from a few of the nearest sentences by arithmetic (a total, a remainder, a
    share). It is not where the context never has it, or has that number only of another unit ("180 days" where only
    "180 EUR" is told, "30 days" for "30 business days"). Numerals of lists, sections and passages are none. An answer
    without a quantity is ``not_applicable``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> passage = Passage(id="p", text="The limit is 1,800 EUR until 5 pm.")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> NumericFidelity().score(Answer(id="a", answer="It is 1800 EUR until 18:00.", passages=(passage,)), env).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="numeric_fidelity",
        family="grounding",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of the answer's amounts, times and dates that its context states: 0 none, 1 all.",
        formula="faithful quantities / quantities, over the claims of the answer",
        source="PROBE 3.3 and Table 8 (numeric transposition); case-aware judge M6 (values copied without change).",
        bases=("passages",),
        cost="judgement",
        limits="Checks that the context states the quantity, not what it states it about: a value of another row "
        "or person counts as faithful. What bounds it (at least, at most) is judged by faithfulness "
        "instead. Reads units of eleven languages; another unit is a bare number.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["numeric_fidelity"] = "numeric_fidelity"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of faithful quantities, or why there is none."""
        found = judge(answer, env.memory)
        if isinstance(found, Absent):
            return found
        asked = answer.question or ""
        spoken = languages_of(answer, env.memory)
        language = spoken["answer"] or spoken["question"] or spoken["passages"] or "en"
        checks = [
            checked(aligned, asked, language) if index in found.claims else UNCHECKED
            for index, aligned in enumerate(found.aligned)
        ]
        count = sum(check.total for check in checks)
        if not count:
            return not_applicable("the answer states no quantity")
        order = [index for index, check in enumerate(checks) if check.differing][:WEAKEST]
        said = [f"states {'; '.join(check.differing[:WEAKEST])}" for check in checks]
        kept = count - sum(len(check.differing) for check in checks)
        return Measured(
            value=kept / count,
            basis="passages",
            explanation=f"{kept} of {count} quantities appear in the context as stated{partly(found)}",
            evidence=shown(found, order, context_ids(answer), said),
        )
