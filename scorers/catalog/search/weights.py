"""How search weighs words against meaning, and what bears on a question against what repeats another entry."""

from __future__ import annotations

from typing import NamedTuple

SPARSE_SHARES, RELEVANCE_SHARES = (0.4, 0.6), (0.6, 0.8)
"""The ends of both shares, by the source of `SearchWeights`."""


class SearchWeights(NamedTuple):
    """The ``a`` of ``s = a * normalized BM25 + (1 - a) * cosine``, and the lambda of maximal marginal relevance.

    Source: hybrid verified review, equations 1 (a in `SPARSE_SHARES`) and 2 (lambda in `RELEVANCE_SHARES`).
    """

    sparse: float = 0.5
    relevance: float = 0.7


DEFAULT_WEIGHTS = SearchWeights()
