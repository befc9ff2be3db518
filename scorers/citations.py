"""Citations: whether the answer's claims carry one, and whether the passage cited supports the claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer, Passage
from scorers.base import Env, Evidence, Metric, Score, Scorer, Unscored
from scorers.text.align import SUPPORTED, TIE
from scorers.text.excerpt import excerpt
from scorers.text.grounding import Grounding, cited_passages, claims_of, ground, joint_support

LISTED = 5
"""Failing claims or citations that the evidence lists."""


class CitationCoverage(Scorer):
    """Share of the answer's claims that carry a citation: 0 none does, 1 each does.

    A citation belongs to the sentence it stands in or right after. Presence is all that is asked here; whether the
    passage supports the claim is `CitationPrecision`. An answer without any citation is ``not_applicable`` unless
    ``require`` is set, because many applications never cite; set it where the prompt asks for citations, and such an
    answer scores 0.

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
        unit="ratio",
        better="higher",
        help="Share of an answer's claims that carry a citation: 0 none does, 1 each does.",
        formula="claims with at least one citation / claims",
        source="RAG evaluation lesson, 'Citation presence isn't citation support' (citation_coverage); "
        "PROBE Table 8 rank 9 (citation coverage gap).",
        cost="wording",
        limits="Presence alone: a citation of the wrong passage counts; depends on how the answer is cut into "
        "sentences.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "citations"})
    type: Literal["citation_coverage"] = "citation_coverage"
    require: bool = Field(
        default=False, description="Whether an answer without any citation scores 0 instead of being left out."
    )

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002 - the contract's signature
        """Return the share of claims with a citation, or why there is none."""
        absent = self.missing(answer)
        if absent is not None:
            return absent
        claims = claims_of(answer)
        if not claims:
            return Unscored(metric=self.metric.name, reason="not_applicable", detail="the answer makes no claim")
        if not answer.citations and not self.require:
            return Unscored(metric=self.metric.name, reason="not_applicable", detail="the answer cites nothing")
        bare = [claim for claim, ids in zip(claims, cited_passages(answer, claims), strict=True) if not ids]
        return Score(
            metric=self.metric.name,
            value=1 - len(bare) / len(claims),
            explanation=f"{len(claims) - len(bare)} of {len(claims)} claims carry a citation",
            evidence=tuple(
                Evidence(kind="claim", detail=f"no citation: {excerpt(c.words)!r}", start=c.start, end=c.end)
                for c in bare[:LISTED]
            ),
        )


class CitationPrecision(Scorer):
    """Share of citations whose very passage supports the claim they stand at: 0 none does, 1 each does.

    Each passage a claim cites is one citation. It counts where its passage alone supports the claim, or where all
    passages the claim cites support it together, and less without this one. A citation that points at no retrieved
    passage does not count. The label says what went wrong: ``wrong_chunk`` where another passage of the same document
    supports the claim, else ``unsupported``, else ``unresolved`` where the marker points nowhere; ``precise`` where
    nothing did.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Citation
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> right = Passage(id="p1", doc_id="HR-010", text="Employees receive 20 weeks of paid parental leave.")
    >>> wrong = Passage(id="p2", doc_id="HR-010", text="Requests go to the line manager.")
    >>> answer = Answer(id="a", answer="Parental leave is 20 weeks [2].", passages=(right, wrong),
    ...                 citations=(Citation(start=27, end=30, marker="[2]", passage_id="p2"),))
    >>> score = CitationPrecision().score(answer, env)
    >>> score.value, score.label
    (0.0, 'wrong_chunk')
    """

    metric: ClassVar[Metric] = Metric(
        name="citation_precision",
        family="grounding",
        unit="ratio",
        better="higher",
        help="Share of citations whose cited passage supports the claim: 0 none does, 1 each does.",
        formula="citations whose passage supports the claim, alone or by adding to those cited with it, / citations",
        source="PROBE 3.3, Table 3 and Table 8 rank 3 (wrong-chunk citation); RAG evaluation lesson, citation_support; "
        "joint support after Gao et al. 2023 (ALCE), citation precision.",
        bases=("passages",),
        cost="judgement",
        limits="As sharp as the judgement of support (docs/models/support.md); a marker that the adapter could not "
        "resolve counts against it.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "citations", "passages"})
    type: Literal["citation_precision"] = "citation_precision"

    def score(self, answer: Answer, env: Env) -> Score | Unscored:  # noqa: ARG002 - the contract's signature
        """Return the share of citations that hold, or why there is none."""
        absent = self.missing(answer)
        if absent is not None:
            return absent
        passages = answer.passages or ()
        grounding = ground(answer, passages)
        cited = cited_passages(answer, grounding.claims)
        at = {passage.id: index for index, passage in reversed(list(enumerate(passages)))}
        held = judged = 0
        unread = False
        failures: list[tuple[str, Evidence]] = []
        for claim, ids in enumerate(cited):
            known = [at[i] for i in ids if i is not None and i in at]
            if any(passages[index].text is None for index in known):
                unread = True
                continue
            for passage_id in ids:
                judged += 1
                index = at.get(passage_id) if passage_id is not None else None
                if index is not None and _holds(grounding, claim, index, known):
                    held += 1
                else:
                    failures.append(_failure(grounding, claim, index, passage_id, passages))
        if not judged:
            if unread:
                return Unscored(metric=self.metric.name, reason="missing_input", detail="text of a cited passage")
            return Unscored(metric=self.metric.name, reason="not_applicable", detail="no claim of the answer is cited")
        labels = {label for label, _ in failures}
        label = next((name for name in ("wrong_chunk", "unsupported", "unresolved") if name in labels), "precise")
        return Score(
            metric=self.metric.name,
            value=held / judged,
            basis="passages",
            label=label,
            explanation=f"{held} of {judged} citations point at a passage that supports the claim",
            evidence=tuple(evidence for _, evidence in failures[:LISTED]),
        )


def _holds(grounding: Grounding, claim: int, index: int, cited: Sequence[int]) -> bool:
    if grounding.supports[claim][index].probability >= SUPPORTED:
        return True
    if len(cited) == 1:
        return False
    together = joint_support(grounding, claim, cited)
    without = joint_support(grounding, claim, [other for other in cited if other != index])
    return together.probability >= SUPPORTED and together.strength > without.strength + TIE


def _failure(
    grounding: Grounding, claim: int, index: int | None, passage_id: str | None, passages: Sequence[Passage]
) -> tuple[str, Evidence]:
    """Name what is wrong with a citation, and the passage that should have been cited if there is one."""
    sentence = grounding.claims[claim]
    shown = f"claim {excerpt(sentence.words)!r}"
    place = {"start": sentence.start, "end": sentence.end}
    if index is None:
        detail = f"{shown} cites what was not retrieved"
        return "unresolved", Evidence(kind="claim", detail=detail, passage_id=passage_id, **place)
    cited = passages[index]
    support = grounding.supports[claim][index].probability
    row = grounding.supports[claim]
    same_document = [
        other
        for other in range(len(passages))
        if other != index
        and cited.doc_id is not None
        and (passages[other].doc_id, passages[other].version) == (cited.doc_id, cited.version)
        and row[other].probability >= SUPPORTED
    ]
    if same_document:
        better = max(same_document, key=lambda other: (row[other].strength, -other))
        by = f"{row[better].probability:.2f} by {excerpt(passages[better].id)} of the same document"
        detail, label = f"{shown} support {support:.2f} by the passage cited; {by}", "wrong_chunk"
    else:
        detail, label = f"{shown} support {support:.2f} by the passage cited", "unsupported"
    return label, Evidence(
        kind="claim", detail=detail, passage_id=cited.id, doc_id=cited.doc_id, version=cited.version, **place
    )
