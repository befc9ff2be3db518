"""Stale source use: the answer rests on a superseded or expired passage while a current one existed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

from adapters.schema import Answer, Passage
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input
from scorers.catalog.document import Document
from scorers.catalog.edition import Edition
from scorers.freshness.timeline import Timeline, timeline
from scorers.lineage import Lineage, PassageStatus, lineage_of
from scorers.support.attribution import ClaimAttribution, attribution
from scorers.support.quoting import Quoted
from scorers.support.resting import rests_on, rests_on_nothing
from scorers.text.excerpt import excerpt
from scorers.text.sentences import Sentence

LISTED = 5

TIE = 0.15
"""Log-odds of support by two adjacent sentences no further apart than this are a tie.

Of sentences of question answering that stand between other sentences 98 % stay within it; another word in them moves
90 % of them further, another figure more than most words."""

MAX_SECTIONS = 50
"""Sections of a current document that a claim is compared with; those named like the stale passage's come first."""


class StaleSourceUse(Scorer):
    """Whether the answer rests on a stale passage while a current one existed: 1 it does (bad), 0 it does not.

    Stale is what was superseded or expired when the question was asked; current is the end of its chain that was in
    force then, retrieved beside it or listed in the catalog. A later version that is not in force yet makes nothing
    stale, and an expired passage that nothing replaced does not count here (it lowers `temporal_validity`).

    A claim rests on the passages it cites, else on the context passage that it has most of its words from. If the
    current text is known and supports the claim better than the stale one, the claim agrees with the current version
    and is not stale, whatever else was in the context; a tie goes to what the claim cites, and without a citation to
    the current passage if the context held it.

    Without catalog and links, dates tell: of passages that answer the question differently the later one is current, by
    its window, its date of publication, or the date in its text. Where a passage states just what the answer states,
    the answer rests on that one.

    Unscored where neither the passages nor the catalog say anything of windows or supersession (``missing_input``).
    That a document is listed says nothing of the state that the index has of it: an entry without either tells only of
    a passage of its very version (by version, checksum or whole text), in a catalog that has windows or links of
    others. Whether a passage is an older copy of a file is what `index_copy_outdated` tells.

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
        languages="any",
        words=("answer", "passages"),
        unit="ratio",
        better="lower",
        help="Whether an answer rests on a superseded or expired passage while a current one existed: 1 yes, 0 no.",
        formula="1 if any claim rests on a stale passage whose current replacement does not support it better, else 0",
        source="PROBE Algorithm 1 line 9 (stale_source_used), 3.4 (cap 60), Table 8 rank 1 (stale-source acceptance).",
        bases=("catalog", "passages"),
        labels=("current", "stale"),
        cost="judgement",
        limits="Not detected where neither catalog, links nor dates show which edition is current: of a directory of "
        "files use index_copy_outdated; dates alone may mistake two different things for two editions of one.",
        buckets=(0.5, 1.0),
        version="5",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["stale_source_use"] = "stale_source_use"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return 1 where a claim rests on a stale passage, 0 where none does, or why neither can be said."""
        passages = answer.passages or ()
        found = attribution(answer, env.memory)
        lineage = lineage_of(answer, env)
        dates = timeline(answer, env.memory, lineage.at, lineage.listed)
        resting = dates.narrowed(rests_on(found))
        used = sorted({index for indices in resting for index in indices})
        if found is None or not used:
            return rests_on_nothing(answer)
        statuses = {index: status for index in used if (status := lineage.status(passages[index])) is not None}
        told = [s for index, s in statuses.items() if s.validity != "unknown" or index in dates.compared]
        if not told:
            return missing_input(lineage.untimed(passages[index] for index in used))
        findings = list(_findings(answer, found, lineage, resting, statuses))
        findings += _replaced(answer, found, dates, lineage, resting, {finding.passage for finding in findings})
        evidence = [
            item for finding in findings[:LISTED] for item in _evidence(finding, found.claims[finding.claim], passages)
        ]
        shown = {excerpt(one.document.reference): excerpt(one.current.reference) for one in findings}
        return Measured(
            value=1.0 if findings else 0.0,
            basis="catalog" if any(status.basis == "catalog" for status in told) else "passages",
            label="stale" if findings else "current",
            explanation="; ".join(f"rests on {old}, while {new} governed" for old, new in list(shown.items())[:LISTED])
            or _none_stale(statuses.values(), lineage),
            evidence=tuple(evidence),
        )


def _none_stale(used: Iterable[PassageStatus], lineage: Lineage) -> str:
    """Say that no claim rests on what was replaced, and which passages are out of force without a replacement."""
    ended = sorted({excerpt(one.document.reference) for one in used if one.stale and one.replacement is None})
    if not ended:
        return f"no claim rests on a stale passage at {lineage.at:%Y-%m-%d}"
    return (
        f"no claim rests on a passage that was replaced at {lineage.at:%Y-%m-%d}; {', '.join(ended[:LISTED])} was not"
        " in force, and nothing is known to govern in its place"
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
    found: ClaimAttribution,
    lineage: Lineage,
    resting: Sequence[tuple[int, ...]],
    statuses: dict[int, PassageStatus],
) -> Iterator[_Finding]:
    passages = answer.passages or ()
    context = {passage.id for passage in answer.context_passages() or ()}
    for claim, indices in enumerate(resting):
        for index in indices:
            status = statuses.get(index)
            if status is None or not status.stale or status.replacement is None:
                continue
            retrieved = lineage.retrieved(status.replacement)
            current = _current(found, claim, status.replacement, retrieved, status)
            # A text that was withheld from the trace may be in the catalog; without either there is nothing to compare.
            stale_text = status.document.text if passages[index].text is None else passages[index].text
            if current.known and stale_text is not None:
                ahead = found.ahead(claim, current.quoted, found.quoted(claim, [stale_text]))
                if ahead > TIE:
                    continue
                named = found.cited[claim] if passages[index].id in found.cited[claim] else context
                if ahead >= -TIE and current.passage_id in named:
                    continue
            yield _Finding(
                claim, index, status.document, status.validity, current.document, current.passage_id, current.text
            )
            break


def _replaced(
    answer: Answer,
    found: ClaimAttribution,
    dates: Timeline,
    lineage: Lineage,
    resting: Sequence[tuple[int, ...]],
    known: set[int],
) -> Iterator[_Finding]:
    """Yield the passages rested on that a later one replaced, unless the catalog says that they hold.

    A claim that cites the earlier one and says what the later one says is not stale.
    """
    passages = answer.passages or ()
    for claim, indices in enumerate(resting):
        for index in indices:
            if index not in dates.replaced or index in known:
                continue
            known.add(index)
            status, newer = lineage.status(passages[index]), passages[dates.replaced[index]]
            current = lineage.status(newer)
            texts = passages[index].text, newer.text
            earlier, later = (found.quoted(claim, [text]) if text else None for text in texts)
            if earlier is not None and later is not None and found.ahead(claim, later, earlier) > TIE:
                continue
            if status is not None and not status.settled and current is not None:
                yield _Finding(
                    claim, index, status.document, "contradicted later", current.document, newer.id, newer.text
                )


@dataclass(frozen=True, slots=True)
class _Current:
    """The part of the current edition nearest to a claim; ``known`` says whether any text of it is."""

    document: Document
    passage_id: str | None
    text: str | None
    quoted: Quoted | None
    known: bool


def _current(
    found: ClaimAttribution, claim: int, edition: Edition, retrieved: Sequence[Passage], status: PassageStatus
) -> _Current:
    """Return the part of the current edition nearest to a claim, retrieved passages before texts of the catalog."""
    same = edition.sections.named(status.document.section)
    sections = [] if same is None else [same]
    sections += (document for document in islice(edition.sections, MAX_SECTIONS) if document is not same)
    every: list[tuple[Document, str | None, str | None]] = [
        (edition.section(passage.section), passage.id, passage.text) for passage in retrieved
    ]
    every += [(document, None, document.text) for document in sections]
    texts = [(document, name, text) for document, name, text in every[:MAX_SECTIONS] if text is not None]
    quoted = found.quoted(claim, [text for _, _, text in texts]) if texts else None
    if quoted is not None:
        document, name, _ = texts[quoted.text]
        return _Current(document, name, quoted.sentence, quoted, known=True)
    if texts:
        return _Current(*texts[0], None, known=True)
    fallback = edition.section(status.document.section)
    return _Current(fallback, retrieved[0].id if retrieved else None, None, None, known=False)


def _evidence(finding: _Finding, claim: Sentence, passages: Sequence[Passage]) -> Iterator[Evidence]:
    """Yield the stale passage with the claim, then what should have been used, with its text if that is known."""
    passage = passages[finding.passage]
    detail = f"claim {excerpt(claim.words)!r} rests on {excerpt(finding.document.reference)}, {finding.status}"
    yield Evidence.of_document(finding.document, detail, passage.id, at=claim)
    says = "" if finding.text is None else f": {excerpt(finding.text)!r}"
    detail = f"{excerpt(finding.current.reference)} should have been used{says}"
    yield Evidence.of_document(finding.current, detail, finding.current_passage)
