"""The reference panel: every metric of an answer that has a reference answer, by its name in PaSSER's Table 3.2."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from adapters.schema import Answer
from evaluation.reference.embedded import MOST, TokenEncoder, embedded_scores
from evaluation.reference.overlap import Synonyms, bleu, meteor, rouge, token_f1
from evaluation.reference.perplexity import laplace_perplexity, lidstone_perplexity
from scorers.base import Absent, Measured, missing_input, not_applicable

REFERENCE_VERSION = "2"
"""Rises where a figure of the same two texts changes."""
LONGEST = 20_000
"""Characters of an answer and of its reference together: what finds common words takes time by their product."""
OVER = f"answer and reference have more than {LONGEST:,} characters"


class RunMetric(NamedTuple):
    """A metric that runs have and no scorer gives: what it says, its better end, and the ends of its range."""

    name: str
    help: str
    better: Literal["higher", "lower"] = "higher"
    low: float = 0.0
    high: float | None = 1.0
    family: str = "reference"


_PARTS = {
    "r": "share of the reference's {} that the answer has",
    "p": "share of the answer's {} that the reference has",
    "f": "harmonic mean of both shares of {}",
}
_GRAMS = {"1": "words", "2": "pairs of words", "l": "words in their order"}
OVERLAP = (
    RunMetric("METEOR", "Words shared with the reference: exact, by stem and by synonym."),
    *(
        RunMetric(f"Rouge-{n}.{part}", f"ROUGE-{n.upper()}: {says.format(grams)}.")
        for n, grams in _GRAMS.items()
        for part, says in _PARTS.items()
    ),
    RunMetric("BLEU", "Runs of up to four words that the reference has too, smoothed."),
    RunMetric("F1 score", "Harmonic mean of both shares of words that the other text has too."),
)
PERPLEXITY = (
    RunMetric("Laplace Perplexity", "How surprising the answer is to bigrams of the reference.", "lower", 0, None),
    RunMetric("Lidstone Perplexity", "How surprising the answer is to trigrams of the reference.", "lower", 0, None),
)
EMBEDDED = (
    RunMetric("Cosine similarity", "Nearness of both texts' vectors.", low=-1.0),
    RunMetric("Pearson correlation", "Correlation of both texts' mean vectors.", low=-1.0),
    RunMetric("Bert-Score.precision", "Nearness of the answer's tokens to the nearest of the reference.", low=-1.0),
    RunMetric("Bert-Score.recall", "Nearness of the reference's tokens to the nearest of the answer.", low=-1.0),
    RunMetric("Bert-Score.f1", "Harmonic mean of both.", low=-1.0),
    *(
        RunMetric(f"B-RT.{part}", f"PaSSER's proxy of {part} from vectors.", low=-MOST, high=MOST)
        for part in ("coherence", "consistency", "fluency", "relevance", "average")
    ),
)
REFERENCE_PANEL: Mapping[str, RunMetric] = {each.name: each for each in (*OVERLAP, *PERPLEXITY, *EMBEDDED)}
REFERENCE_METRICS = tuple(REFERENCE_PANEL)
"""The names of the 24 metrics."""


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


def without_markers(answer: Answer) -> str | None:
    """Return what an answer says without the markers of its citations, which no reference has; ``None`` without one.

    >>> from adapters.schema import Citation
    >>> said = "Leave is 20 weeks [1]. It is paid [2]"
    >>> marks = (Citation(start=18, end=21, marker="[1]"), Citation(start=34, end=37, marker="[2]"))
    >>> without_markers(Answer(id="a", answer=said, citations=marks))
    'Leave is 20 weeks. It is paid'
    """
    if answer.answer is None or not answer.citations:
        return answer.answer
    said, at = [], 0
    for cited in sorted(answer.citations, key=lambda each: (each.start, each.end)):
        if cited.end > max(at, cited.start):
            said.append(answer.answer[at : cited.start].rstrip(" "))
            at = cited.end
    return "".join((*said, answer.answer[at:]))


def against_reference(
    reference: str | None, answer: str | None, tools: ReferenceTools, names: Sequence[str] = REFERENCE_METRICS
) -> Mapping[str, Measured | Absent]:
    """Return the metrics ``names`` of an answer, each as a value or as the reason why there is none.

    >>> found = against_reference(None, "Leave is 16 weeks.", ReferenceTools(), ["F1 score"])
    >>> found["F1 score"].reason, found["F1 score"].detail
    ('missing_input', 'reference')
    >>> against_reference("20 weeks", "20 weeks", ReferenceTools(), ["F1 score"])["F1 score"].value
    1.0
    """
    if reference is None or not reference.strip():
        return dict.fromkeys(names, missing_input("reference"))
    if answer is None:
        return dict.fromkeys(names, missing_input("answer"))
    if len(reference) + len(answer) > LONGEST:
        return dict.fromkeys(names, Absent("over_budget", OVER))
    return dict(_against(reference_scores(reference, answer, tools), answer, tools, names))


def _against(
    values: Mapping[str, float | None], answer: str, tools: ReferenceTools, names: Sequence[str]
) -> Iterator[tuple[str, Measured | Absent]]:
    embedded = {each.name for each in EMBEDDED}
    for name in names:
        value = values[name]
        if value is not None and math.isfinite(value):
            yield name, Measured(value)
        elif name == "METEOR" and tools.synonyms is None:
            yield name, missing_input("WordNet; name the folder of nltk's data with --wordnet")
        elif name in embedded and tools.encoder is None:
            yield name, missing_input("a language encoder; name its folder with --model")
        elif not answer.strip():
            yield name, not_applicable("the answer has no words")
        else:
            yield name, not_applicable("answer or reference has no words that the metric reads")
