"""The reference panel: figures worked out by hand, and what it does at the edges."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.reference.embedded import embedded_scores
from evaluation.reference.overlap import bleu, meteor, rouge, token_f1
from evaluation.reference.panel import REFERENCE_METRICS, ReferenceTools, reference_scores
from evaluation.reference.perplexity import laplace_perplexity, lidstone_perplexity


class Senses:
    """A WordNet of one pair of synonyms."""

    def synsets(self, lemma):
        return [_Sense()] if lemma in {"car", "auto"} else []


class _Sense:
    def lemmas(self):
        return [_Lemma("car"), _Lemma("auto")]


class _Lemma:
    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name


class Encoder:
    """Tokens by their letters: like words are alike."""

    def tokens(self, text):
        rows = [np.bincount([ord(letter) % 400 for letter in word], minlength=400) for word in text.split()]
        table = np.array(rows, np.float64)
        return np.concatenate([table.mean(axis=0, keepdims=True), table])


def test_recall_is_over_the_reference_and_precision_over_the_answer():
    found = rouge("a b c d", "a b x")
    assert found["Rouge-1.r"] == pytest.approx(2 / 4)
    assert found["Rouge-1.p"] == pytest.approx(2 / 3)
    assert found["Rouge-2.r"] == pytest.approx(1 / 3)
    assert found["Rouge-2.p"] == pytest.approx(1 / 2)
    assert found["Rouge-l.f"] == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_meteor_finds_stems_and_synonyms():
    assert meteor("the car stops", "the auto stopped", Senses()) == pytest.approx(1 - 0.5 / 27)
    assert meteor("the car stops", "the bus waits", Senses()) < 0.4


def test_bleu_is_one_for_the_same_words_and_little_for_others():
    assert bleu("one two three four five", "one two three four five") == pytest.approx(1.0)
    assert bleu("one two three four five", "six seven eight nine ten") < 0.1
    assert bleu("one", "") == 0.0


def test_laplace_is_the_perplexity_of_counts_plus_one():
    # Reference <s> a b </s>: vocabulary a, b, <s>, </s>, <UNK>. Answer "a": <s>, <s> a, a, a </s>, </s>.
    first = [(1 + 1) / (4 + 5), (1 + 1) / (1 + 5), (1 + 1) / (4 + 5), (0 + 1) / (1 + 5), (1 + 1) / (4 + 5)]
    by_hand = 2 ** (-sum(map(math.log2, first)) / 5)
    assert laplace_perplexity("a b", "a") == pytest.approx(by_hand)


def test_a_closer_answer_surprises_less():
    reference = "Employees receive 20 weeks of paid parental leave. It may be taken in parts."
    for perplexity in (laplace_perplexity, lidstone_perplexity):
        near = perplexity(reference, "Employees receive 20 weeks of paid leave.")
        assert near < perplexity(reference, "Hotels in Lisbon cost 180 euros a night.")
        assert perplexity(reference, " ") is None


def test_meaning_of_the_same_text_is_the_same():
    found = embedded_scores("leave is paid", "leave is paid", Encoder())
    for name in ("Cosine similarity", "Pearson correlation", "Bert-Score.precision", "Bert-Score.recall"):
        assert found[name] == pytest.approx(1.0)
    assert found["B-RT.consistency"] == found["B-RT.relevance"] == pytest.approx(5.0)
    parts = [found[f"B-RT.{part}"] for part in ("coherence", "consistency", "fluency", "relevance")]
    assert found["B-RT.average"] == pytest.approx(sum(parts) / 4)


def test_precision_is_that_of_the_answer():
    found = embedded_scores("leave is paid for twenty weeks", "leave", Encoder())
    assert found["Bert-Score.precision"] > found["Bert-Score.recall"]


def test_without_tools_there_is_no_figure_in_their_place():
    found = reference_scores("leave is paid", "leave is", ReferenceTools())
    assert [name for name in REFERENCE_METRICS if found[name] is None] == ["METEOR", *REFERENCE_METRICS[14:]]
    assert all(reference_scores("a b", "a", ReferenceTools(Senses(), Encoder()))[name] is not None for name in found)
    with pytest.raises(ValueError, match="no words"):
        reference_scores(" ", "a", ReferenceTools())


def test_a_list_without_a_full_stop_is_no_error():
    words = " ".join(f"item{number}" for number in range(1500))
    assert rouge(words, words)["Rouge-l.f"] == pytest.approx(1.0, abs=1e-6)


TEXTS = st.text(st.sampled_from("ab .\n,é"), max_size=30)


@settings(max_examples=60, deadline=None)
@given(TEXTS.filter(lambda text: text.strip()), TEXTS)
def test_every_figure_is_finite_and_in_its_range(reference, answer):
    for name, value in reference_scores(reference, answer, ReferenceTools(Senses())).items():
        if value is not None:
            assert math.isfinite(value)
            assert value >= 0.0
            assert "Perplexity" in name or value <= 1.0 + 1e-9
    assert token_f1(reference, answer) == pytest.approx(token_f1(answer, reference)) if answer.strip() else True
