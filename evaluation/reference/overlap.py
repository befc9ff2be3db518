"""Words that an answer shares with its reference: METEOR, ROUGE, BLEU and token F1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

LONGEST = 300
"""Words of a sentence that the longest common subsequence is sought in at once: longer ones are cut."""
TABLE = (("Rouge-1", "rouge-1"), ("Rouge-2", "rouge-2"), ("Rouge-l", "rouge-l"))


class Synonyms(Protocol):
    """WordNet, as far as METEOR reads it."""

    def synsets(self, lemma: str) -> Sequence[Any]:
        """Return the senses of a word."""
        ...


def meteor(reference: str, answer: str, synonyms: Synonyms) -> float:
    """Return METEOR over words between spaces: exact, by stem and by synonym.

    Source: S. Banerjee and A. Lavie, "METEOR" (ACL workshop, 2005), as NLTK has it.
    """
    from nltk.translate.meteor_score import single_meteor_score

    return float(single_meteor_score(reference.split(), answer.split(), wordnet=synonyms))


def rouge(reference: str, answer: str) -> Mapping[str, float]:
    """Return ROUGE-1, ROUGE-2 and ROUGE-L of an answer: recall, precision and F1, 0 where either has no words.

    Recall is the share of the reference that the answer has. Source: C.-Y. Lin, "ROUGE" (2004), as the package
    ``rouge`` has it: words between spaces and full stops, each n-gram counted once.

    >>> found = rouge("leave is paid for 20 weeks", "leave is 20 weeks")
    >>> round(found["Rouge-1.r"], 3), round(found["Rouge-1.p"], 3), round(found["Rouge-l.f"], 3)
    (0.667, 1.0, 0.8)
    """
    names = [f"{name}.{part}" for name, _ in TABLE for part in "rpf"]
    hypothesis, truth = _cut(answer), _cut(reference)
    if not hypothesis or not truth:
        return dict.fromkeys(names, 0.0)
    from rouge import Rouge

    [scores] = Rouge().get_scores(hypothesis, truth)
    return {f"{name}.{part}": float(scores[key][part]) for name, key in TABLE for part in "rpf"}


def bleu(reference: str, answer: str) -> float:
    """Return BLEU with up to four words, smoothed by method 4 of Chen and Cherry (2014).

    Source: K. Papineni et al., "BLEU" (ACL 2002), as NLTK has it, over words between spaces.

    >>> round(bleu("leave is paid for 20 weeks", "leave is paid for 20 weeks"), 6)
    1.0
    """
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    words = answer.split()
    if not words:
        return 0.0
    return float(sentence_bleu([reference.split()], words, smoothing_function=SmoothingFunction().method4))


def token_f1(reference: str, answer: str) -> float:
    """Return the harmonic mean of both shares of words that the other text has too.

    >>> token_f1("Leave is paid", "leave is unpaid")
    0.6666666666666666
    """
    truth, said = Counter(reference.lower().split()), Counter(answer.lower().split())
    same = (truth & said).total()
    if not same:
        return 0.0
    precision, recall = same / said.total(), same / truth.total()
    return 2.0 * precision * recall / (precision + recall)


def _cut(text: str) -> str:
    """Return a text whose sentences are short enough for a search that calls itself once a word."""
    sentences = []
    for sentence in text.split("."):
        words = sentence.split()
        sentences += [" ".join(words[start : start + LONGEST]) for start in range(0, len(words), LONGEST)]
    return " . ".join(sentences)
