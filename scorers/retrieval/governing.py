"""What governs the question by the catalog, and which of it was retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from adapters.caching import cached
from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.catalog import Catalog, Document
from scorers.catalog.origin import origin
from scorers.catalog.search.hybrid import Hit, search
from scorers.lineage import asked_at
from scorers.ports.embedding import Embedder
from scorers.retrieval.ranking import ranked

LOOKED_AT = 10
"""How far down the catalog's ranking is looked."""
BEARS = 0.5
"""An entry bears on the question if it holds this share of the question's words, weighted by rarity."""
NEAR = 0.5
"""And if it scores at least this much of the best entry's score."""
QUESTION = 4_000
ASKED = 8
"""Questions whose entries are remembered: several systems are asked the same one. Few, since each keeps its catalog."""


@dataclass(frozen=True, slots=True)
class Governing:
    """An entry that governed when the question was asked and bears on it, and whether the first k passages hold it."""

    document: Document
    found: bool


def governing(answer: Answer, env: Env, k: int) -> tuple[Governing, ...]:
    """Return the entries of the catalog that govern the question, the best first; empty without one or a question.

    A passage that does not say its section may be any of its edition.
    """
    if not answer.question or env.catalog is None or answer.passages is None:
        return ()
    hits = _bearing(env.catalog, answer.question[:QUESTION], asked_at(answer, env), env.embedder)
    if not hits:
        return ()
    names = {_name(document, passage) for passage, document in _first(answer, env.catalog, k, asked_at(answer, env))}
    return tuple(
        Governing(hit.document, not names.isdisjoint((_named(hit.document), (*_named(hit.document)[:2], None))))
        for hit in hits
    )


_Name = tuple[str, str, str | None]


def _first(answer: Answer, catalog: Catalog, k: int, at: datetime) -> Sequence[tuple[Passage, Document]]:
    """Return the first ``k`` passages that the catalog lists, each with its entry."""
    by_id = {passage.id: passage for passage in reversed(answer.passages or ())}
    first = [by_id[name] for name in ranked(answer)[:k] if name in by_id]
    found = [(passage, origin(passage, catalog).document) for passage in first]
    return [(passage, catalog.moved(document, at)) for passage, document in found if document is not None]


def _name(document: Document, passage: Passage) -> _Name:
    return (document.id, document.version or "", document.section if passage.section is not None else None)


def _named(document: Document) -> _Name:
    return (document.id, document.version or "", document.section)


@cached(maxsize=ASKED)
def _bearing(catalog: Catalog, question: str, at: datetime, embedder: Embedder | None) -> tuple[Hit, ...]:
    hits = search(catalog, question, k=LOOKED_AT, at=at, embedder=embedder)
    best = max((hit.score for hit in hits), default=0.0)
    return tuple(hit for hit in hits if hit.coverage >= BEARS and hit.score >= NEAR * best)
