"""How surprising an answer is to a model of its reference's words: perplexity, lower is closer.

The model counts the n-grams of the reference's sentences; what it has not seen is smoothed, by one for each word of the
vocabulary (Laplace, bigrams) or by a tenth (Lidstone, trigrams). Perplexity is ``2**H``, with ``H`` the cross-entropy
over all n-grams of the answer, from single words up, as NLTK has it. Short references know few words, so figures of
different references do not compare; the mean over a set of questions does, between answers to the same ones.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from scorers.text.sentences import split_sentences

LAPLACE_ORDER = 2
LIDSTONE_ORDER, LIDSTONE_GAMMA = 3, 0.1


def laplace_perplexity(reference: str, answer: str) -> float | None:
    """Return the perplexity under bigrams with add-one smoothing; ``None`` where either text has no words.

    >>> near, far = "Leave is paid for 20 weeks.", "Hotels cost more in summer."
    >>> laplace_perplexity("Leave is paid.", near) < laplace_perplexity("Leave is paid.", far)
    True
    """
    from nltk.lm import Laplace

    return _perplexity(Laplace(LAPLACE_ORDER), LAPLACE_ORDER, reference, answer)


def lidstone_perplexity(reference: str, answer: str) -> float | None:
    """Return the perplexity under trigrams, each taken as seen a tenth of a time more often.

    >>> lidstone_perplexity("Leave is paid.", "") is None
    True
    """
    from nltk.lm import Lidstone

    return _perplexity(Lidstone(LIDSTONE_GAMMA, LIDSTONE_ORDER), LIDSTONE_ORDER, reference, answer)


def _perplexity(model: Any, order: int, reference: str, answer: str) -> float | None:
    from nltk.lm.preprocessing import padded_everygram_pipeline

    known, said = _words(reference), _words(answer)
    if not known or not said:
        return None
    ngrams, vocabulary = padded_everygram_pipeline(order, known)
    model.fit(ngrams, vocabulary)
    asked, _ = padded_everygram_pipeline(order, said)
    return float(model.perplexity(list(chain.from_iterable(asked))))


def _words(text: str) -> list[list[str]]:
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    made = [tokenizer.tokenize(text[each.start : each.end].lower()) for each in split_sentences(text)]
    return [words for words in made if words]
