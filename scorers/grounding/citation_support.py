"""Citation support: how surely what claims cite supports them."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer
from scorers.grounding.citing import LISTED, citing, shown
from scorers.grounding.ledger import cited_support


class CitationSupport(Scorer):
    """Mean probability that the passages a claim cites support it, over claims that cite: 0 none is, 1 each surely is.

    The passages of a claim are taken together. A claim whose citations all point at nothing that was retrieved has 0;
    one without a citation is left out (`CitationCoverage` counts it). An answer that cites nothing is
    ``not_applicable``.

    The claim ledger of a labelled row is judged exactly (``basis: gold``): the share of all its claims, cited or not,
    that the context passage they cite supports.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Citation, Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> passage = Passage(id="p", text="Employees receive 20 weeks of paid parental leave.")
    >>> cited = (Citation(start=27, end=30, marker="[1]", passage_id="p"),)
    >>> right, wrong = (
    ...     CitationSupport().score(Answer(id="a", answer=text, passages=(passage,), citations=cited), env).value
    ...     for text in ("Parental leave is 20 weeks [1].", "Parental leave is 16 weeks [1].")
    ... )
    >>> right > 0.5 > wrong
    True
    """

    metric: ClassVar[Metric] = Metric(
        name="citation_support",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Mean probability that the passages a claim cites support it: 0 no cited claim is supported, 1 each "
        "certainly is.",
        formula="mean over claims c with a citation of p(c, all passages that c cites); 0 where none of them was "
        "retrieved",
        source="RAG evaluation lesson, 'Citation presence isn't citation support' (citation_support); the use of a "
        "probability instead of yes or no is ours (docs/models/support.md).",
        bases=("gold", "passages"),
        cost="judgement",
        limits="Misses what the support model misses (another entity, exchanged roles, added restrictions: "
        "docs/models/support.md). Its probabilities are calibrated for whole contexts, so they rank "
        "citations and are no rates; only the first ten passages that a claim cites are judged.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True
    type: Literal["citation_support"] = "citation_support"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the mean support of cited claims by what they cite, or why there is none."""
        if (exact := cited_support(answer, env)) is not None:
            return exact
        found = citing(answer, env)
        if isinstance(found, Absent):
            return found
        judged = [(each, found.together(each)) for each in found.claims if each.ids]
        values = [0.0 if one is None else one.support for _, one in judged]
        worst = sorted(range(len(values)), key=lambda at: (values[at], at))[:LISTED]
        return Measured(
            value=min(1.0, sum(values) / len(values)),
            basis="passages",
            explanation=f"{len(values)} claims carry a citation; lowest support {min(values):.2f}{found.by}",
            evidence=tuple(shown(answer, found.attribution, *judged[at]) for at in worst if values[at] < _DOUBTFUL),
        )


_DOUBTFUL = 0.9
"""Claims supported more surely than this are no evidence of a low score."""
