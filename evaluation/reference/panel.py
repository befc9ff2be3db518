"""The reference panel: every metric of an answer that has a reference answer, by its name in PaSSER's Table 3.2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from evaluation.reference.embedded import TokenEncoder, embedded_scores
from evaluation.reference.overlap import Synonyms, bleu, meteor, rouge, token_f1
from evaluation.reference.perplexity import laplace_perplexity, lidstone_perplexity

OVERLAP = ("METEOR", *(f"Rouge-{n}.{part}" for n in "12l" for part in "rpf"), "BLEU", "F1 score")
PERPLEXITY = ("Laplace Perplexity", "Lidstone Perplexity")
EMBEDDED = (
    "Cosine similarity",
    "Pearson correlation",
    *(f"Bert-Score.{part}" for part in ("precision", "recall", "f1")),
    *(f"B-RT.{part}" for part in ("coherence", "consistency", "fluency", "relevance", "average")),
)
REFERENCE_METRICS = (*OVERLAP, *PERPLEXITY, *EMBEDDED)
"""The 24 metrics."""


class ReferenceTools(NamedTuple):
    """What metrics need beside the texts: METEOR has none without ``synonyms``, nor `EMBEDDED` without ``encoder``."""

    synonyms: Synonyms | None = None
    encoder: TokenEncoder | None = None


def reference_scores(reference: str, answer: str, tools: ReferenceTools) -> Mapping[str, float | None]:
    """Return all 24 metrics of an answer; ``None`` for those that cannot be computed.

    An answer without words shares nothing with its reference, and has neither perplexity nor meaning. Raises
    `ValueError` for a reference without words.

    >>> found = reference_scores("Leave is 20 weeks.", "Leave is 16 weeks.", ReferenceTools())
    >>> found["F1 score"], found["METEOR"], len(found)
    (0.75, None, 24)
    """
    if not reference.strip():
        raise ValueError("the reference has no words")
    found: dict[str, float | None] = dict.fromkeys(REFERENCE_METRICS)
    found.update(rouge(reference, answer))
    found["BLEU"], found["F1 score"] = bleu(reference, answer), token_f1(reference, answer)
    found["Laplace Perplexity"] = laplace_perplexity(reference, answer)
    found["Lidstone Perplexity"] = lidstone_perplexity(reference, answer)
    if tools.synonyms is not None:
        found["METEOR"] = meteor(reference, answer, tools.synonyms) if answer.strip() else 0.0
    if tools.encoder is not None and answer.strip():
        found.update(embedded_scores(reference, answer, tools.encoder))
    return found
