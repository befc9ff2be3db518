"""How near the meaning of an answer is to that of its reference, by the embeddings of a language encoder.

An encoder gives one vector a token, of which the first stands for the whole text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from gates.evidence.arrays import Floats

MOST = 5.0
COHERENCE, FLUENCY = (slice(0, 100), 10.0), (slice(100, 300), 15.0)
"""Parts of the first vector whose length B-RT takes for a quality, and the length of a good one."""


class TokenEncoder(Protocol):
    """A language encoder."""

    def tokens(self, text: str) -> Floats:
        """Return one row a token, that of the whole text first."""
        ...


def embedded_scores(reference: str, answer: str, encoder: TokenEncoder) -> Mapping[str, float]:
    """Return cosine similarity, Pearson's correlation, BERTScore and the B-RT suite.

    - Cosine similarity is that of the vectors of both texts, Pearson's correlation that of the means over tokens.
    - BERTScore matches each token with the nearest of the other text: precision over the answer's, recall over the
      reference's (T. Zhang et al., ICLR 2020, section 3), without weights by rarity.
    - B-RT scales the similarity of the texts, and takes the length of parts of the vector of both texts together for
      coherence and fluency: a proxy of readability that no people were asked about (PaSSER, equations 3.25 and 3.26;
      the parts are those of its program). Consistency and relevance are one figure.
    """
    truth, said = encoder.tokens(reference), encoder.tokens(answer)
    similarity = _cosine(truth[0], said[0])
    near = _normed(said) @ _normed(truth).T
    precision, recall = float(near.max(axis=1).mean()), float(near.max(axis=0).mean())
    both = encoder.tokens(f"Reference: {reference} Candidate: {answer}")[0]
    coherence, fluency = (_part(both, *part, similarity) for part in (COHERENCE, FLUENCY))
    consistency = MOST * similarity
    return {
        "Cosine similarity": similarity,
        "Pearson correlation": _pearson(truth.mean(axis=0), said.mean(axis=0)),
        "Bert-Score.precision": precision,
        "Bert-Score.recall": recall,
        "Bert-Score.f1": 2.0 * precision * recall / (precision + recall) if precision + recall > 0.0 else 0.0,
        "B-RT.coherence": coherence,
        "B-RT.consistency": consistency,
        "B-RT.fluency": fluency,
        "B-RT.relevance": consistency,
        "B-RT.average": (coherence + consistency + fluency + consistency) / 4.0,
    }


def _part(vector: Floats, part: slice, scale: float, similarity: float) -> float:
    return float(min(max(float(np.linalg.norm(vector[part])) / scale * similarity, 0.0), MOST))


def _normed(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def _cosine(one: Floats, other: Floats) -> float:
    return float(_normed(one[None])[0] @ _normed(other[None])[0])


def _pearson(one: Floats, other: Floats) -> float:
    return _cosine(one - one.mean(), other - other.mean())
