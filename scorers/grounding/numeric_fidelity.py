"""Numeric fidelity: whether the numbers, times and dates of the answer are those of the context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer, not_applicable
from scorers.support.alignment import Alignment
from scorers.support.evidence import WEAKEST, context_ids, partly, shown
from scorers.support.figures import figure_at_odds, figures_of
from scorers.support.judgement import judge
from scorers.text.normalize import written


class NumericFidelity(Scorer):
    """Share of the answer's figures that the context states so: 0 none of them, 1 every one.

    A figure is a number in digits, a time of day, or a date, whatever its format ("1,000" is 1000, "5 pm" is 17:00). It
    is faithful where the context, or the question, has it; not where the context never has it, or has it only of
    another unit than the answer's ("180 days" where only "180 EUR" and "30 days" are told). Numerals of lists and of
    passages are no figures. An answer without a figure is ``not_applicable``.

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
        unit="ratio",
        better="higher",
        help="Share of the answer's numbers, times and dates that its context states: 0 none, 1 all.",
        formula="faithful figures / figures, over the claims of the answer",
        source="PROBE 3.3 and Table 8 (numeric transposition); case-aware judge M6 (values copied without change).",
        bases=("passages",),
        cost="judgement",
        limits="A figure that the context states about something else counts as faithful; sums and conversions that "
        "the answer computes do not.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["numeric_fidelity"] = "numeric_fidelity"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of faithful figures, or why there is none."""
        found = judge(answer, env.memory)
        if isinstance(found, Absent):
            return found
        figures = [figures_of(aligned) for aligned in found.aligned]
        wrong = [_wrong(aligned, places) for aligned, places in zip(found.aligned, figures, strict=True)]
        count = sum(map(len, figures))
        if not count:
            return not_applicable("the answer states no figure")
        ids = context_ids(answer)
        order = [index for index, odd in enumerate(wrong) if odd][:WEAKEST]
        said = [f"figures {', '.join(odd[:WEAKEST])} not in the context as stated" for odd in wrong]
        kept = count - sum(map(len, wrong))
        return Measured(
            value=kept / count,
            basis="passages",
            explanation=f"{kept} of {count} figures appear in the context as stated{partly(found)}",
            evidence=shown(found, order, ids, said),
        )


def _wrong(aligned: Alignment, figures: Sequence[int]) -> Sequence[str]:
    """Return those of the figures at these places that are not so in the context, as the claim writes them."""
    items = aligned.claim.terms.items
    wrong = [items[at] for at in figures if figure_at_odds(aligned, at)]
    forms = written(aligned.claim.sentence.words) if wrong else {}
    return [forms.get(term, term[1:]) for term in wrong]
