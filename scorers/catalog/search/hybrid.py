"""Search by words and, where there is a model, by meaning; the best that is not the same thing twice comes first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from scorers.catalog.document import Document
from scorers.catalog.edition import key_of
from scorers.catalog.graph import Catalog
from scorers.catalog.search.index import best, said
from scorers.catalog.search.terms import terms
from scorers.models.arrays import Integers, Singles
from scorers.ports.embedding import Embedder, Vectors

POOL = 50
"""Candidates by words, and as many by meaning, that are weighed against each other."""
SCANNED = 20
"""How many times the pool is looked through for entries that may be shown."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found. ``score`` is s, in [0, 1]; ``sparse`` and ``dense`` are its two parts.

    ``dense`` is ``None`` without a model. ``coverage`` is the share of the query's words, weighted by rarity, that
    stand in the entry.
    """

    document: Document
    score: float
    sparse: float
    dense: float | None
    coverage: float


def search(
    catalog: Catalog,
    query: str,
    *,
    k: int = 10,
    at: datetime | None = None,
    groups: Collection[str] | None = None,
    embedder: Embedder | None = None,
) -> tuple[Hit, ...]:
    """Return up to ``k`` entries that bear on ``query``, the best first; none where no word of it occurs anywhere.

    With ``at`` only entries that govern at that instant: in force, and superseded by none that is. With ``groups`` only
    what they may see. BM25 is normalized by the highest score the query has in the catalog. Without a model s is the
    normalized BM25, and two entries are alike as their sets of words are (cosine). The catalog's ``weights`` are those
    of s, and of MMR over ``lambda * s - (1 - lambda) * max similarity to what was chosen``.

    Source: hybrid verified review, equations 1 and 2.

    >>> catalog = Catalog([Document(id="TRV", text="Hotels up to 180 EUR."), Document(id="IT", text="Laptops.")])
    >>> [(hit.document.id, hit.score) for hit in search(catalog, "What is the hotel limit?")]
    [('TRV', 1.0)]
    """

    def may_be_shown(document: Document) -> bool:
        if groups is not None and document.permitted is not None and not set(groups) & set(document.permitted):
            return False
        edition = catalog.edition(*key_of(document)) if at is not None else None
        return edition is None or at is None or catalog.governs(edition, at)

    weights = catalog.weights
    sparse = catalog.index.scores(query)
    asked = None if embedder is None else embedder.encode([query])[0]
    stored = catalog.vectors if asked is not None else None
    dense = None if stored is None or asked is None else np.asarray(stored @ asked, np.float32)
    rows = dict.fromkeys(_pool(catalog, best(sparse, POOL * SCANNED), may_be_shown))
    if dense is not None:
        rows.update(dict.fromkeys(_pool(catalog, best(np.maximum(dense, 0), POOL * SCANNED), may_be_shown)))
    if not rows:
        return ()
    chosen = list(rows)
    documents = [catalog.documents[row] for row in chosen]
    texts = [said(document) for document in documents]
    top = float(sparse.max())
    words = sparse[chosen] / top if top > 0 else sparse[chosen]
    vectors: Vectors | None = None
    if embedder is not None:
        vectors = embedder.encode(texts) if stored is None else np.asarray(stored[chosen], np.float32)
    meanings = None if vectors is None or asked is None else np.clip(np.einsum("ij,j->i", vectors, asked), 0, 1)
    scores = words if meanings is None else weights.sparse * words + (1 - weights.sparse) * meanings
    places = _word_vectors(texts) if vectors is None else vectors
    order = list(_relevant(scores, places, k, weights.relevance))
    shares = catalog.index.coverage(query, [texts[place] for place in order])
    return tuple(
        Hit(
            documents[place],
            float(scores[place]),
            float(words[place]),
            None if meanings is None else float(meanings[place]),
            share,
        )
        for place, share in zip(order, shares, strict=True)
    )


def _pool(catalog: Catalog, rows: Integers, may_be_shown: Callable[[Document], bool]) -> Iterator[int]:
    left = POOL
    for row in rows.tolist():
        if may_be_shown(catalog.documents[row]):
            yield row
            left -= 1
            if not left:
                return


def _relevant(scores: Singles, vectors: Singles, k: int, relevance: float) -> Iterable[int]:
    """Yield places in the order of maximal marginal relevance; ``vectors`` say how much two are alike."""
    open_ = np.ones(len(scores), bool)
    nearest = np.zeros(len(scores), np.float32)
    for _ in range(min(k, len(scores))):
        worth = np.where(open_, relevance * scores - (1 - relevance) * nearest, -np.inf)
        place = int(worth.argmax())
        open_[place] = False
        # Not a matrix product: that is handed to threads, which wait for each other on a busy machine.
        nearest = np.maximum(nearest, np.einsum("ij,j->i", vectors, vectors[place]))
        yield place


def _word_vectors(texts: Sequence[str]) -> Singles:
    """Return unit vectors that say which words stand in each text."""
    found = terms(texts)
    words, columns = np.unique(found.numbers, return_inverse=True)
    table = np.zeros((len(texts), len(words)), np.float32)
    table[found.texts, columns] = 1
    table /= np.sqrt(np.maximum(table.sum(axis=1, keepdims=True), 1))
    return table
