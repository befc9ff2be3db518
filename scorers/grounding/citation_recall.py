"""Citation recall: whether what each claim cites supports all of it."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Measured, Metric, Scorer
from scorers.grounding.citing import LISTED, citing, shown
from scorers.grounding.ledger import cited_support
from scorers.support.attribution import SUPPORTED


class CitationRecall(Scorer):
    """Share of the answer's claims that the passages they cite support together: 0 no claim, 1 every claim.

    A claim without a citation counts as not supported. An answer that cites nothing at all is ``not_applicable``:
    many applications never cite; `CitationCoverage` can require it. Where the text of a cited passage is not known,
    the claim is left out.

    The claim ledger of a labelled row is judged exactly (``basis: gold``).

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Citation, Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> passage = Passage(id="p", text="Employees receive 20 weeks of paid parental leave.")
    >>> answer = Answer(id="a", answer="Parental leave is 20 weeks [1]. It is paid in full.", passages=(passage,),
    ...                 citations=(Citation(start=27, end=30, marker="[1]", passage_id="p"),))
    >>> CitationRecall().score(answer, env).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="citation_recall",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Share of an answer's claims that the passages they cite together support: 0 none, 1 all.",
        formula="claims c with p(c, all passages that c cites) >= .5 / claims",
        source="Gao et al. 2023, Enabling large language models to generate text with citations (ALCE), citation "
        "recall: a statement counts if the concatenation of what it cites entails it; PROBE A.6 (citation recall).",
        bases=("gold", "passages"),
        cost="judgement",
        limits="Misses what the support model misses (another entity, exchanged roles, added restrictions: "
        "docs/models/support.md), which is calibrated for whole contexts, not for a passage alone. Only the "
        "first ten passages that a claim cites are judged, and a sentence that needs no citation counts as "
        "one that lacks it.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True
    type: Literal["citation_recall"] = "citation_recall"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of claims that what they cite supports, or why there is none."""
        if (exact := cited_support(answer, env)) is not None:
            return exact
        found = citing(answer, env)
        if isinstance(found, Absent):
            return found
        judged = [(each, found.together(each)) for each in found.claims]
        failed = [(each, one) for each, one in judged if one is None or one.support < SUPPORTED]
        return Measured(
            value=1 - len(failed) / len(judged),
            basis="passages",
            explanation=f"{len(judged) - len(failed)} of {len(judged)} claims supported by what they cite{found.by}",
            evidence=tuple(shown(answer, found.attribution, each, one) for each, one in failed[:LISTED]),
        )
