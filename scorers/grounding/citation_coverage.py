"""Citation coverage: whether the answer's claims carry a citation."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.grounding.citing import LISTED
from scorers.grounding.ledger import cited_at_all
from scorers.support.claims import cited_by, claims_of, marks_of
from scorers.text.excerpt import excerpt


class CitationCoverage(Scorer):
    """Share of the answer's claims that carry a citation: 0 none does, 1 each does.

    A citation belongs to the sentence it stands in or right after; one that is given beside the answer, to each of its
    claims. Presence is all that is asked here; whether the passage supports the claim is told by the other metrics of
    citations. An answer without any citation is ``not_applicable`` unless ``require`` is set, because many applications
    never cite; set it where the prompt asks for citations, and such an answer scores 0.

    The claim ledger of a labelled row is judged exactly (``basis: gold``): the share of its claims that cite something.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Citation
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> text = "Leave is 20 weeks [1]. Requests go to the line manager."
    >>> answer = Answer(id="a", answer=text, citations=(Citation(start=18, end=21, marker="[1]", passage_id="p"),))
    >>> CitationCoverage().score(answer, env).value
    0.5
    >>> CitationCoverage().score(answer.model_copy(update={"citations": ()}), env).reason
    'not_applicable'
    """

    metric: ClassVar[Metric] = Metric(
        name="citation_coverage",
        family="grounding",
        languages="any",
        unit="ratio",
        better="higher",
        help="Share of an answer's claims that carry a citation: 0 none, 1 all.",
        formula="claims with at least one citation / claims",
        source="RAG evaluation lesson, 'Citation presence isn't citation support' (citation_coverage); "
        "PROBE Table 8 rank 9 (citation coverage gap).",
        bases=("gold",),
        cost="wording",
        limits="Checks presence only: a citation of the wrong passage counts. Depends on how the answer is split "
        "into sentences; a sentence that claims nothing needs no citation, and one that is not recognized "
        "as such counts as uncited.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer"})
    type: Literal["citation_coverage"] = "citation_coverage"
    require: bool = Field(
        default=False, description="Score an answer without any citation as 0 instead of leaving it unscored."
    )

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of claims with a citation, or why there is none."""
        if (exact := cited_at_all(answer, env, require=self.require)) is not None:
            return exact
        if answer.citations is None:
            return missing_input("citations")
        claims = claims_of(answer, env.memory)
        if not claims:
            return not_applicable("the answer makes no claim")
        if not answer.citations and not self.require:
            return not_applicable("the answer cites nothing")
        cited = cited_by(claims, answer.answer or "", marks_of(answer))
        bare = [claim for claim, ids in zip(claims, cited, strict=True) if not ids]
        return Measured(
            value=1 - len(bare) / len(claims),
            explanation=f"{len(claims) - len(bare)} of {len(claims)} claims carry a citation",
            evidence=tuple(
                Evidence.of_claim(claim, f"no citation: {excerpt(claim.words)!r}") for claim in bare[:LISTED]
            ),
        )
