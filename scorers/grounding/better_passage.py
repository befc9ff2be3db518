"""The passage that should have been cited: another one of the same version of a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from adapters.schema import Answer, Passage
from scorers.base import Env, Evidence
from scorers.catalog.document import Document
from scorers.catalog.edition import key_of
from scorers.grounding.citing import Citing
from scorers.lineage import Lineage, lineage_of
from scorers.support.attribution import SUPPORTED
from scorers.text.excerpt import excerpt

MAX_COMPARED = 50
"""Passages and sections of one document that are compared."""


@dataclass(frozen=True, slots=True)
class BetterPassage:
    """A passage, or a section of the catalog, that supports a claim, and how surely."""

    reference: str
    support: float
    evidence: Evidence


def better_passage(answer: Answer, env: Env, found: Citing, claim: int, cited: int) -> BetterPassage | None:
    """Return what supports a claim in place of the passage cited, in the same version of its document.

    A passage that was retrieved, else a section that the catalog lists with its text; ``None`` where neither does.
    """
    passages = answer.passages or ()
    lineage = lineage_of(answer, env)
    status = lineage.status(passages[cited])
    if status is None:
        return None
    same = list(islice(_retrieved(passages, lineage, cited), MAX_COMPARED))
    nearest = found.attribution.quoted(claim, [passages[place].text or "" for place in same]) if same else None
    if nearest is not None:
        place = same[nearest.text]
        support = found.alone(claim, [place]).support
        if support >= SUPPORTED:
            return _passage(passages[place], status.document, support, nearest.sentence)
    known = {passages[place].text for place in (*same, cited)}
    sections = [section for section in _listed(env, status.document) if section.text not in known]
    quoted = found.attribution.quoted(claim, [section.text or "" for section in sections]) if sections else None
    if quoted is None:
        return None
    section = sections[quoted.text]
    support = found.against(claim, section.text or "")
    return _section(section, support, quoted.sentence) if support >= SUPPORTED else None


def _retrieved(passages: tuple[Passage, ...], lineage: Lineage, cited: int) -> Iterator[int]:
    """Yield the places of other passages of the same version of a document."""
    own = lineage.status(passages[cited])
    for place, passage in enumerate(passages):
        other = lineage.status(passage)
        if place == cited or not passage.text or own is None or other is None:
            continue
        if key_of(own.document) == key_of(other.document):
            yield place


def _listed(env: Env, document: Document) -> list[Document]:
    edition = None if env.catalog is None else env.catalog.edition(document.id, document.version)
    return [] if edition is None else [section for section in islice(edition.sections, MAX_COMPARED) if section.text]


def _passage(passage: Passage, document: Document, support: float, sentence: str) -> BetterPassage:
    name = excerpt(passage.id)
    detail = f"{name} should have been cited: {excerpt(sentence)!r}"
    return BetterPassage(name, support, Evidence.of_document(document, detail, passage.id))


def _section(section: Document, support: float, sentence: str) -> BetterPassage:
    name = excerpt(section.reference if section.section is None else f"{section.reference} section {section.section}")
    detail = f"{name}, which was not retrieved, should have been cited: {excerpt(sentence)!r}"
    return BetterPassage(name, support, Evidence.of_document(section, detail))
