"""What governs the question and was not retrieved."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.catalog.document import Document
from scorers.catalog.edition import key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.search.hybrid import Hit, search

LOOKED_AT = 10
"""How far down the ranking retrieval is compared with the catalog."""


def missed(answer: Answer, env: Env, *, k: int = 3) -> tuple[Hit, ...]:
    """Return up to ``k`` entries that governed when ``answer`` was asked, and outrank all that was retrieved of them.

    The question is searched for in the catalog; what stands above the first entry that a passage comes from was missed.
    A passage that does not say its section may be any of its edition, one without a version any of its document. Empty
    without a question, passages or a catalog. How much a hit bears on the question says its ``coverage``; the least
    that counts is for the scorer to say.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> from scorers.catalog import Catalog, Document
    >>> catalog = Catalog([Document(id="TRV", text="Hotels up to 180 EUR."), Document(id="IT", text="Laptops.")])
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC), catalog=catalog)
    >>> answer = Answer(id="a", question="What is the hotel limit?", passages=(Passage(id="IT"),))
    >>> [hit.document.id for hit in missed(answer, env)]
    ['TRV']
    """
    if not answer.question or answer.passages is None or env.catalog is None:
        return ()
    retrieved = {name for passage in answer.passages for name in _retrieved(passage, env.catalog)}
    outranking: list[Hit] = []
    at = answer.started_at or env.now
    for hit in search(env.catalog, answer.question, k=LOOKED_AT, at=at, embedder=env.embedder):
        if not retrieved.isdisjoint(_names(hit.document)):
            break
        outranking.append(hit)
    return tuple(outranking[:k])


_Name = tuple[str, str | None, str | None]


def _retrieved(passage: Passage, catalog: Catalog) -> Iterator[_Name]:
    """Yield the most exact name of the entries that a passage may come from."""
    name = passage.doc_id or passage.id
    found = catalog.find(
        doc_id=name,
        version=passage.version,
        section=passage.section,
        checksum=passage.checksum,
        uri=passage.uri,
    )
    if found is not None:
        yield (found.id, found.version or "", found.section if passage.section is not None else None)
    elif passage.version is None:
        yield (name, None, None)


def _names(document: Document) -> Iterator[_Name]:
    """Yield all names that `_retrieved` may give an entry."""
    key = key_of(document)
    yield (*key, document.section)
    yield (*key, None)
    yield (key.id, None, None)
