"""Governing exception coverage: whether the exceptions that govern the case are cited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from adapters.schema import Answer, Passage
from scorers.base import Absent, Basis, Env, Evidence, Measured, Metric, Scorer, not_applicable
from scorers.catalog.document import Document
from scorers.disagreement.applying import against, falls_outside
from scorers.disagreement.asking import asked
from scorers.disagreement.values import reading_of
from scorers.lineage import Lineage, lineage_of
from scorers.memory import Memory
from scorers.retrieval.governing import governing
from scorers.support.attribution import attribution
from scorers.support.claims import claims_of
from scorers.support.resting import rests_on
from scorers.text.excerpt import excerpt
from scorers.text.normalize import word_set

LISTED = 5

MAX_CLAIMS = 40
"""Claims of the answer that are held against an exception."""

BEARS = 0.5
"""A passage bears on the question if it holds this share of the question's words."""

_EXCEPTIONS = word_set("exception exceptions exemption exemptions waiver override derogation deviation carveout")
_COUNTS = frozenset({"sufficient", "partial"})

_Name = tuple[str, str | None, str | None]


class GoverningExceptionCoverage(Scorer):
    """Share of the exceptions governing the case that the answer cites or rests on: 0 none of them, 1 all.

    An exception is what has the role of one (``exception``, ``regional_exception``, ``waiver``, ``exemption``, ...).
    It governs where gold labels call it sufficient or partial (``basis: gold``); else where it is in force and bears
    on the question: an entry of the catalog that search finds for the question, retrieved or not (``basis:
    catalog``), or a retrieved passage. It does not govern a question that falls outside it: on another member of a set
    that both name (east against west, Germany against Spain, interns against managers), or on an amount outside its
    bounds. An exception is covered where the answer cites it or rests on it, and says nothing that it contradicts. An
    answer that gives the general rule and leaves the exception out has 0. Without an exception that governs it is
    ``not_applicable``.

    >>> from datetime import UTC, datetime
    >>> rule = Passage(id="rule", text="Air expedite is not allowed.", role="governing")
    >>> memo = Passage(id="memo", text="Air expedite is allowed on the west lane.", role="regional_exception")
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> for text in ("Air expedite is not allowed.", "Air expedite is allowed on the west lane."):
    ...     answer = Answer(id="a", question="Is air expedite allowed?", answer=text, passages=(rule, memo))
    ...     print(GoverningExceptionCoverage().score(answer, env).value)
    0.0
    1.0
    """

    metric: ClassVar[Metric] = Metric(
        name="governing_exception_coverage",
        family="conflict",
        languages=("en",),
        words=("question", "answer", "passages"),
        unit="ratio",
        better="higher",
        help="Share of the exceptions governing the case that an answer cites or rests on: 0 none, 1 all.",
        formula="exceptions in force that apply to the question and that the answer cites or rests a claim on, "
        "without contradicting them / exceptions in force that apply to the question",
        source="PROBE Table 8, rank 4 (missing governing exception), and Table A.9 (missing regional exception).",
        bases=("gold", "catalog", "passages"),
        labels=("covered", "missing"),
        cost="search",
        limits="Recognizes exceptions by the document's role alone: a document without one is no exception. "
        "Whether one applies is judged by its words, by sets of which both name a member, and by amounts; "
        "an answer that contradicts it in other words than the exception's counts as covering it.",
        version="3",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"question", "answer", "passages"})
    type: Literal["governing_exception_coverage"] = "governing_exception_coverage"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of governing exceptions that are covered, or why there is none."""
        lineage = lineage_of(answer, env)
        found = _labelled(answer) or [*_listed(answer, env), *_retrieved(answer, lineage)]
        exceptions = list({one.name: one for one in reversed(found)}.values())[::-1]
        if not exceptions:
            return not_applicable("no known exception governs the question")
        used = _used(answer, lineage, env.memory)
        claims = [claim.words for claim in claims_of(answer, env.memory)[:MAX_CLAIMS]]
        missed: list[tuple[_Exception, str]] = []
        for one in exceptions:
            if one.name not in used:
                missed.append((one, "governs but is not cited"))
            elif said := against(claims, one.text):
                missed.append((one, f"governs and says otherwise: {excerpt(said)!r}"))
        bases: list[Basis] = [one.basis for one in exceptions]
        return Measured(
            value=1 - len(missed) / len(exceptions),
            basis=max(bases, key=("passages", "catalog", "gold").index),
            label="missing" if missed else "covered",
            explanation=f"{len(exceptions) - len(missed)} of {len(exceptions)} governing exceptions are covered",
            evidence=tuple(one.evidence(why) for one, why in missed[:LISTED]),
        )


@dataclass(frozen=True, slots=True)
class _Exception:
    name: _Name
    basis: Basis
    reference: str
    passage_id: str | None = None
    document: Document | None = None
    text: str = ""

    def evidence(self, why: str) -> Evidence:
        return Evidence(
            kind="document" if self.passage_id is None else "passage",
            detail=f"exception {excerpt(self.reference)} {why}",
            passage_id=self.passage_id,
            doc_id=None if self.document is None else self.document.id,
            version=None if self.document is None else self.document.version,
        )


def is_exception(role: str | None) -> bool:
    """Tell whether a role is that of an exception.

    >>> is_exception("regional_exception"), is_exception("general-policy"), is_exception(None)
    (True, False, False)
    """
    words = (role or "")[:200].casefold().replace("_", " ").replace("-", " ").split()
    return not _EXCEPTIONS.isdisjoint(words)


def _labelled(answer: Answer) -> list[_Exception]:
    if answer.gold is None:
        return []
    by_id = {passage.id: passage for passage in answer.passages or ()}
    return [
        _Exception(
            ("", gold.id, None),
            "gold",
            gold.id,
            gold.id if gold.id in by_id else None,
            text=(by_id[gold.id].text or "") if gold.id in by_id else "",
        )
        for gold in answer.gold.passages
        if is_exception(gold.role) and gold.label in _COUNTS
    ]


def _listed(answer: Answer, env: Env) -> Iterator[_Exception]:
    for one in governing(answer, env, 0):
        document = one.document
        if is_exception(document.role) and not falls_outside(answer.question or "", document.text or ""):
            yield _Exception(
                _name(document), "catalog", document.reference, document=document, text=document.text or ""
            )


def _retrieved(answer: Answer, lineage: Lineage) -> Iterator[_Exception]:
    weights = asked(answer.question or "").weights
    for passage in answer.passages or ():
        status = lineage.status(passage)
        if status is None or status.validity not in ("in_force", "unknown"):
            continue
        role = status.document.role or passage.role
        if not is_exception(role) or not passage.text or not weights:
            continue
        held = sum(weight for stem, weight in weights.items() if stem in reading_of(passage.text).postings)
        if held >= BEARS * sum(weights.values()) and not falls_outside(answer.question or "", passage.text):
            document = status.document
            yield _Exception(
                _name(document), status.known_by, document.reference, passage.id, document, text=passage.text
            )


def _name(document: Document) -> _Name:
    return (document.id, document.version, document.section)


def _used(answer: Answer, lineage: Lineage, memory: Memory) -> set[_Name]:
    """Return the names of everything that the answer cites or rests on: by entry, by edition, and by passage id."""
    passages = answer.passages or ()
    cited = {citation.passage_id for citation in answer.citations or ()}
    resting = {index for indices in rests_on(attribution(answer, memory)) for index in indices}
    names: set[_Name] = {("", name, None) for name in cited if name is not None}
    for index, passage in enumerate(passages):
        if index in resting or passage.id in cited:
            names |= _names(passage, lineage)
    return names


def _names(passage: Passage, lineage: Lineage) -> set[_Name]:
    status = lineage.status(passage)
    names: set[_Name] = {("", passage.id, None)}
    if status is not None:
        names.add(_name(status.document))
    return names
