"""Stale source use: the answer rests on a superseded or expired passage while a current one existed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

from adapters.schema import Answer, Passage
from scorers.base import Env, Evidence, Metric, Score, Scorer, Unscored
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition
from scorers.catalog.lineage import Lineage, Standing
from scorers.freshness.timeline import Timeline, timeline
from scorers.resting import rests_on, rests_on_nothing
from scorers.text.align import TIE
from scorers.text.excerpt import excerpt
from scorers.text.grounding import Grounding, cited_passages, ground

LISTED = 5

MAX_SECTIONS = 50
"""Sections of a current document that a claim is compared with; those named like the stale passage's come first."""


class StaleSourceUse(Scorer):
    """Whether the answer rests on a stale passage while a current one existed: 1 it does (bad), 0 it does not.

    Stale is what was superseded or expired when the question was asked; current is the end of its chain that was in
    force then, retrieved beside it or listed in the catalog. A later version that is not in force yet makes nothing
    stale, and an expired passage that nothing replaced does not count here (it lowers `temporal_validity`).

    A claim rests on the passages it cites, else on the context passage that supports it best. If the current text is
    known and supports the claim better than the stale one, the claim agrees with the current version and is not stale,
    whatever else was in the context; a tie goes to what the claim cites, and without a citation to the current passage
    if the context held it.

    Without catalog and links, dates tell: of passages that answer the question differently the later one is current, by
    its window, its date of publication, or the date in its text. Where a passage states just what the answer states,
    the answer rests on that one.

    Unscored where neither the passages nor the catalog say anything of windows or supersession (``missing_input``).

    >>> from datetime import UTC, datetime
    >>> from scorers.catalog import Catalog
    >>> catalog = Catalog([
    ...     Document(id="TRV-1", version="2", text="Hotels up to 150 EUR a night."),
    ...     Document(id="TRV-1", version="3", text="Hotels up to 180 EUR a night.", supersedes=("TRV-1@2",)),
    ... ])
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC), catalog=catalog)
    >>> old = Passage(id="p", doc_id="TRV-1", version="2", text="Hotels up to 150 EUR a night.")
    >>> score = StaleSourceUse().score(Answer(id="a", answer="Hotels up to 150 EUR a night.", passages=(old,)), env)
    >>> score.value, score.basis, score.evidence[1].doc_id, score.evidence[1].version
    (1.0, 'catalog', 'TRV-1', '3')
    """

    metric: ClassVar[Metric] = Metric(
        name="stale_source_use",
        family="freshness",
        unit="ratio",
        better="lower",
        help="Whether an answer rests on a superseded or expired passage while a current one existed: 1 yes, 0 no.",
        formula="1 if any claim rests on a stale passage whose current replacement does not support it better, else 0",
        source="PROBE Algorithm 1 line 9 (stale_source_used), 3.4 (cap 60), Table 8 rank 1 (stale-source acceptance).",
        bases=("catalog", "passages"),
        cost="judgement",
        limits="Not seen where neither catalog, links nor dates tell which edition is current; dates alone can take "
        "two things for two editions of one.",
        buckets=(0.5, 1.0),
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["stale_source_use"] = "stale_source_use"

    def score(self, answer: Answer, env: Env) -> Score | Unscored:
        """Return 1 where a claim rests on a stale passage, 0 where none does, or why neither can be said."""
        absent = self.missing(answer)
        if absent is not None:
            return absent
        passages = answer.passages or ()
        grounding = ground(answer, passages)
        lineage = Lineage(answer, env)
        dates = timeline(answer, lineage.at, lineage.listed)
        resting = rests_on(answer, grounding, passages)
        if dates.exact:
            resting = tuple(dates.exact for _ in resting)
        used = sorted({index for indices in resting for index in indices})
        if not used:
            return rests_on_nothing(self.metric.name, answer)
        standings = {index: standing for index in used if (standing := lineage.standing(passages[index])) is not None}
        told = [s for index, s in standings.items() if s.status != "unknown" or index in dates.compared]
        if not told:
            return Unscored(metric=self.metric.name, reason="missing_input", detail="effective windows or supersession")
        findings = list(_findings(answer, grounding, lineage, resting, standings))
        findings += _replaced(answer, dates, lineage, resting, {finding.passage for finding in findings})
        evidence = [item for finding in findings[:LISTED] for item in _evidence(finding, grounding, passages)]
        shown = {excerpt(found.document.reference): excerpt(found.current.reference) for found in findings}
        return Score(
            metric=self.metric.name,
            value=1.0 if findings else 0.0,
            basis="catalog" if any(standing.basis == "catalog" for standing in told) else "passages",
            label="stale" if findings else "current",
            explanation="; ".join(f"rests on {old}, {new} governed" for old, new in list(shown.items())[:LISTED])
            or f"no claim rests on a stale passage at {lineage.at:%Y-%m-%d}",
            evidence=tuple(evidence),
        )


@dataclass(frozen=True, slots=True)
class _Finding:
    """A claim that rests on a stale passage, and the document that should have been used."""

    claim: int
    passage: int
    document: Document
    status: str
    current: Document
    current_passage: str | None
    text: str | None


def _findings(
    answer: Answer,
    grounding: Grounding,
    lineage: Lineage,
    resting: Sequence[tuple[int, ...]],
    standings: dict[int, Standing],
) -> Iterator[_Finding]:
    passages = answer.passages or ()
    cited = cited_passages(answer, grounding.claims)
    context = {passage.id for passage in answer.context_passages() or ()}
    for claim, indices in enumerate(resting):
        for index in indices:
            standing = standings.get(index)
            if standing is None or not standing.stale or standing.replacement is None:
                continue
            current = _current(
                grounding, claim, standing.replacement, lineage.retrieved(standing.replacement), standing
            )
            # A text that was withheld from the trace may be in the catalog; without either there is nothing to compare.
            stale_text = standing.document.text if passages[index].text is None else passages[index].text
            if current.strength is not None and stale_text is not None:
                old = grounding.against(claim, stale_text)[0].strength
                if current.strength > old + TIE:
                    continue
                named = cited[claim] if passages[index].id in cited[claim] else context
                if current.strength >= old - TIE and current.passage_id in named:
                    continue
            yield _Finding(
                claim, index, standing.document, standing.status, current.document, current.passage_id, current.text
            )
            break


def _replaced(
    answer: Answer, dates: Timeline, lineage: Lineage, resting: Sequence[tuple[int, ...]], known: set[int]
) -> Iterator[_Finding]:
    """Yield the passages rested on that a later one replaced, unless the catalog says that they hold."""
    passages = answer.passages or ()
    for claim, indices in enumerate(resting):
        for index in indices:
            if index not in dates.replaced or index in known:
                continue
            known.add(index)
            standing, newer = lineage.standing(passages[index]), passages[dates.replaced[index]]
            current = lineage.standing(newer)
            if standing is not None and standing.basis != "catalog" and current is not None:
                yield _Finding(
                    claim, index, standing.document, "contradicted later", current.document, newer.id, newer.text
                )


@dataclass(frozen=True, slots=True)
class _Current:
    """The part of the current edition nearest to a claim. ``strength`` is ``None`` where no text of it is known."""

    document: Document
    passage_id: str | None
    text: str | None
    strength: float | None


def _current(
    grounding: Grounding, claim: int, edition: Edition, retrieved: Sequence[Passage], standing: Standing
) -> _Current:
    """Return the part of the current edition that supports the claim best, retrieved passages before catalog texts."""
    fallback = edition.section(standing.document.section)
    best = _Current(fallback, retrieved[0].id if retrieved else None, None, None)
    same = edition.sections.named(standing.document.section)
    sections = [] if same is None else [same]
    sections += (document for document in islice(edition.sections, MAX_SECTIONS) if document is not same)
    texts: list[tuple[Document, str | None, str | None]] = [
        (edition.section(passage.section), passage.id, passage.text) for passage in retrieved
    ]
    texts += [(document, None, document.text) for document in sections]
    for document, passage_id, text in texts[:MAX_SECTIONS]:
        if text is not None:
            support, nearest = grounding.against(claim, text)
            if best.strength is None or support.strength > best.strength:
                best = _Current(document, passage_id, nearest, support.strength)
    return best


def _evidence(finding: _Finding, grounding: Grounding, passages: Sequence[Passage]) -> Iterator[Evidence]:
    """Yield the stale passage with the claim, then what should have been used, with its text if that is known."""
    claim = grounding.claims[finding.claim]
    passage = passages[finding.passage]
    yield Evidence(
        kind="passage",
        detail=f"claim {excerpt(claim.words)!r} rests on {excerpt(finding.document.reference)}, {finding.status}",
        passage_id=passage.id,
        doc_id=finding.document.id,
        version=finding.document.version,
        start=claim.start,
        end=claim.end,
    )
    says = "" if finding.text is None else f": {excerpt(finding.text)!r}"
    yield Evidence(
        kind="document" if finding.current_passage is None else "passage",
        detail=f"{excerpt(finding.current.reference)} should have been used{says}",
        passage_id=finding.current_passage,
        doc_id=finding.current.id,
        version=finding.current.version,
    )
