"""An inverted index over the entries of a catalog, ranked by BM25.

It is made of whole arrays: 300,000 passages of 120 words are indexed in seconds, and an index that lies in a mapped
file is searched without being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import numpy as np

from adapters.caching import cached
from scorers.catalog.document import Document
from scorers.catalog.search.terms import terms
from scorers.models.arrays import Array, Hashes, Integers, Singles
from scorers.text.normalize import STOP_WORDS

MAX_ENTRIES = 2**20
"""Entries of one index: their numbers share 64 bits with the number of a word and how often it occurs."""
K1 = 1.2
B = 0.75
"""BM25's saturation of repeated words and weight of length, as in Robertson and Zaragoza (2009), The Probabilistic
Relevance Framework, section 3.5: 1.2 < k1 < 2 and .5 < b < .8 do well in many circumstances."""
MAX_QUERY_WORDS = 64
"""Words of a query that are looked up, the rarest ones."""

RAREST = 12
"""Words by which a text is looked up that stands in an entry."""
MAX_HOLDERS = 5_000
"""Entries that may have one of them: past it a word tells little, and costs much."""
_LONGEST = 20_000

_BATCH_CHARACTERS = 1 << 19  # arrays of a batch fit into a processor's cache
_ENTRY_BITS, _COUNT_BITS = 20, 8
_RANGE_BITS = 6
_RANGES = 1 << _RANGE_BITS
_MAX_COUNT = (1 << _COUNT_BITS) - 1


class SearchIndex:
    """Which words stand in which entries. Entries are known by their place in the catalog.

    >>> index = SearchIndex.of([Document(id="A", text="Hotels up to 180 EUR."), Document(id="B", text="Taxis.")])
    >>> [float(score) > 0 for score in index.scores("What is the hotel limit?")]
    [True, False]
    """

    __slots__ = ("_counts", "_entries", "_lengths", "_starts", "_words")

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._words, self._starts, self._entries, self._counts, self._lengths = (arrays[name] for name in ARRAYS)

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Self:
        """Return the index of these entries."""
        draft = IndexDraft()
        for document in documents:
            draft.add(document)
        return cls(draft.arrays())

    def __len__(self) -> int:
        return len(self._lengths)

    def coverage(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return for each text the share of the words of ``query`` that stand in it, weighted by rarity here.

        A word that stands nowhere in the index is as rare as one can be: what the catalog does not speak of is not
        covered.
        """
        words = _asked(query)
        if not len(words):
            return [0.0] * len(texts)
        sizes = self._sizes(words)
        weights = np.log1p((len(self) - sizes + 0.5) / (sizes + 0.5))
        found = terms(texts)
        places = np.minimum(np.searchsorted(words, found.numbers), len(words) - 1)
        inside = words[places] == found.numbers
        table = np.zeros((len(texts), len(words)))
        table[found.texts[inside], places[inside]] = 1
        return [float(share) for share in (table * weights).sum(axis=1) / weights.sum()]

    def sharing(self, text: str, n: int) -> list[int]:
        """Return the entries that have most of the `RAREST` rarest words of ``text``, at least half, most first.

        The first ``n``, and all that have as many as the last of these. Words that stand nowhere do not count, nor do
        those that stand in more than `MAX_HOLDERS` entries.
        """
        words = _asked(text[:_LONGEST])
        sizes = self._sizes(words)
        rare = np.flatnonzero((sizes > 0) & (sizes <= MAX_HOLDERS))
        chosen = words[rare[np.argsort(sizes[rare], kind="stable")][:RAREST]]
        if not len(chosen):
            return []
        places = np.searchsorted(self._words, chosen)
        held = [self._entries[int(self._starts[at]) : int(self._starts[at + 1])] for at in places]
        entries, counts = np.unique(np.concatenate(held), return_counts=True)
        least = max(len(chosen) / 2, np.sort(counts)[-min(n, len(counts))])
        likely = counts >= least
        entries, counts = entries[likely], counts[likely]
        return [int(entry) for entry in entries[np.argsort(-counts, kind="stable")]]

    def _sizes(self, words: Hashes) -> Integers:
        """Return in how many entries each word stands."""
        if not len(self._words):
            return np.zeros(len(words), np.int64)
        places = np.minimum(np.searchsorted(self._words, words), len(self._words) - 1)
        sizes = self._starts[places + 1] - self._starts[places]
        return np.where(self._words[places] == words, sizes, 0)

    def scores(self, query: str) -> Singles:
        """Return the BM25 score of every entry, not below 0; 0 where no word of content of ``query`` occurs.

        Source: Robertson and Zaragoza (2009), with the inverse document frequency ln(1 + (N - n + .5) / (n + .5)),
        which is never negative.
        """
        total = np.zeros(len(self), np.float32)
        if not len(self._words):
            return total
        words = _asked(query)
        places = np.searchsorted(self._words, words)
        found = places[self._words[np.minimum(places, len(self._words) - 1)] == words]
        sizes = self._starts[found + 1] - self._starts[found]
        mean = float(self._lengths.mean())
        for place in found[np.argsort(sizes, kind="stable")][:MAX_QUERY_WORDS]:
            part = slice(int(self._starts[place]), int(self._starts[place + 1]))
            entries, counts = self._entries[part], self._counts[part].astype(np.float32)
            rarity = np.log1p((len(self) - len(entries) + 0.5) / (len(entries) + 0.5))
            norms = K1 * (1 - B + B * self._lengths[entries] / mean)
            total[entries] += np.float32(rarity) * (K1 + 1) * counts / (counts + norms)
        return total


ARRAYS = ("words", "starts", "entries", "counts", "lengths")
"""The arrays an index is made of, by name."""


def said(document: Document) -> str:
    """Return what an entry says, and what it is called: the text that is indexed and embedded."""
    return "\n".join(part for part in (document.title, document.section, document.text) if part)


class IndexDraft:
    """An index in the making: entries are added in order, texts are let go of batch by batch."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._characters = 0
        self._indexed = 0
        self._packed: list[Hashes] = []
        self._lengths: list[Singles] = []

    def add(self, document: Document) -> None:
        """Add the next entry: what it says, and what it is called."""
        text = said(document)
        self._texts.append(text)
        self._characters += len(text)
        if self._characters >= _BATCH_CHARACTERS:
            self._flush()

    def arrays(self) -> dict[str, Array]:
        """Return the arrays of the finished index."""
        self._flush()
        size = sum(map(len, self._packed))
        words = [np.empty(0, np.uint64)]
        starts = [np.empty(0, np.int64)]
        entries = np.empty(size, np.uint32)
        counts = np.empty(size, np.uint8)
        end = 0
        # Range by range of words, out of batches that are in order each: a copy of the whole would take the most memory
        # of all, and what fits into a processor's cache is sorted sooner.
        bounds = np.arange(1, _RANGES, dtype=np.uint64) << np.uint64(64 - _RANGE_BITS)
        cuts = [[0, *np.searchsorted(batch, bounds).tolist(), len(batch)] for batch in self._packed]
        for number in range(_RANGES):
            parts = [batch[cut[number] : cut[number + 1]] for batch, cut in zip(self._packed, cuts, strict=True)]
            piece = np.concatenate([np.empty(0, np.uint64), *parts])
            piece.sort(kind="stable")  # twice as fast as the other on runs that are in order each
            part = slice(end, end + len(piece))
            counts[part] = piece & np.uint64(_MAX_COUNT)
            entries[part] = (piece >> np.uint64(_COUNT_BITS)) & np.uint64(MAX_ENTRIES - 1)
            found = piece >> np.uint64(_ENTRY_BITS + _COUNT_BITS)
            firsts = np.flatnonzero(np.diff(found, prepend=~found[:1]))
            words.append(found[firsts])
            starts.append(firsts + end)
            end = part.stop
        self._packed.clear()
        return {
            "words": np.concatenate(words),
            "starts": np.append(np.concatenate(starts), size),
            "entries": entries,
            "counts": counts,
            "lengths": np.concatenate([np.empty(0, np.float32), *self._lengths]),
        }

    def _flush(self) -> None:
        if not self._texts:
            return
        found = terms(self._texts)
        self._lengths.append(np.bincount(found.texts, minlength=len(self._texts)).astype(np.float32))
        keys = found.numbers << np.uint64(_ENTRY_BITS)
        keys |= (found.texts + self._indexed).astype(np.uint64)
        keys, counts = np.unique(keys, return_counts=True)
        packed = keys << np.uint64(_COUNT_BITS)
        packed |= np.minimum(counts, _MAX_COUNT).astype(np.uint64)
        self._packed.append(packed)
        self._indexed += len(self._texts)
        self._texts.clear()
        self._characters = 0


# A query is searched for, and what was found is held against it.
@cached(maxsize=16)
def _asked(query: str) -> Hashes:
    """Return the words of a query, each once; those without content only where there are no others."""
    words = np.unique(terms([query]).numbers)
    content = words[~np.isin(words, _contentless())]
    return content if len(content) else words


@cached(maxsize=1)
def _contentless() -> Hashes:
    return np.unique(terms(sorted(STOP_WORDS)).numbers)


def best(scores: Singles, n: int) -> Integers:
    """Return the entries with the ``n`` highest scores above 0, best first; of equals the one listed first.

    >>> best(np.array([0, 2, 1, 2], np.float32), 3).tolist()
    [1, 3, 2]
    """
    rows = np.flatnonzero(scores)
    if len(rows) > n:
        rows = rows[scores[rows] >= np.partition(scores[rows], len(rows) - n)[len(rows) - n]]
    return rows[np.argsort(-scores[rows], kind="stable")][:n]
