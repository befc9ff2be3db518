"""What is done around a model: windows, batches, what is remembered. The network itself is a stand-in here."""

import numpy as np
import pytest

from collector.models import entailment
from collector.models.entailment import LocalEntailment, Network
from collector.models.outputs import Outputs

LONGEST = 48


class Words:
    """A network whose tokens are words; it supports a claim as far as the passage has the claim's words."""

    def __init__(self):
        self.batches = []

    def predict(self, pairs):
        self.batches.append(list(pairs))
        share = np.array([len(set(c.split()) & set(p.split())) / len(c.split()) for p, c in pairs])
        against = np.array(["not" in p.split() for p, _ in pairs])
        return np.stack([4 * against, 8 * share - 4, 0 * share], axis=1)

    def tokenize(self, text):
        places, at = [], 0
        for word in text.split(" "):
            if word:
                places.append((at, at + len(word)))
            at += len(word) + 1
        return places

    @property
    def pairs(self):
        return [pair for batch in self.batches for pair in batch]


@pytest.fixture
def words():
    return Words()


def model(words, *, batch=8, pairs=1000, outputs=None):
    network = Network(predict=words.predict, tokenize=words.tokenize, longest=LONGEST)
    return LocalEntailment("words", network, outputs or Outputs(3, 1, 0), batch=batch, pairs=pairs)


def test_each_claim_is_compared_with_each_passage(words):
    found = model(words).compare(["leave is 20 weeks", "hotels not 180"], ["leave is 20 weeks", "hotels are cheap"])
    assert found.supported.shape == (2, 2)
    assert found.supported[0, 0] > 0.9
    assert found.supported[0, 1] < 0.1
    assert found.contradicted[1, 1] > found.contradicted[1, 0]
    assert not found.truncated


def test_a_model_of_support_alone_says_nothing_of_contradiction(words):
    words.predict = lambda pairs: np.full((len(pairs), 1), 2.0)
    found = model(words, outputs=Outputs(1, 0, None)).compare(["a b c"], ["a b"])
    assert found.contradicted is None
    assert found.supported[0, 0] == pytest.approx(0.88, abs=0.01)


def test_what_stands_at_the_end_of_a_long_passage_is_found_and_no_input_is_longer_than_the_model_reads(words):
    long = " ".join(f"f{at}" for at in range(500)) + " leave is 20 weeks"
    found = model(words).compare([long], ["leave is 20 weeks"])
    assert found.supported[0, 0] > 0.9
    assert not found.truncated, "all of it was read"
    assert len(words.pairs) > 10
    assert all(len(p.split()) + len(c.split()) <= LONGEST for p, c in words.pairs)


def test_a_sentence_at_a_border_stands_whole_in_a_window(words):
    for at in range(60):
        passage = " ".join(["filler"] * at + ["leave", "is", "now", "20", "weeks"] + ["filler"] * 60)
        assert model(words).compare([passage], ["leave is now 20 weeks"]).supported[0, 0] > 0.9


def test_a_claim_longer_than_half_the_input_is_cut_and_that_is_told(words):
    claim = " ".join(f"w{at}" for at in range(40))
    found = model(words).compare(["w0 w1"], [claim])
    assert found.truncated
    assert all(len(p.split()) + len(c.split()) <= LONGEST for p, c in words.pairs)


def test_beyond_the_bound_each_claim_is_compared_with_the_windows_nearest_to_it_and_that_is_told(words):
    long = " ".join(f"f{at}" for at in range(5000)) + " leave is 20 weeks"
    found = model(words, pairs=6).compare([long], ["leave is 20 weeks", "hotels are cheap"])
    assert len(words.pairs) == 6
    assert found.supported[0, 0] > 0.9
    assert found.truncated


def test_pairs_of_many_answers_are_read_in_common_batches_and_only_once(words):
    subject = model(words, batch=4)
    many = [([f"passage {at}", "shared"], [f"claim {at}"]) for at in range(6)]
    subject.prepare(many)
    assert [len(batch) for batch in words.batches] == [4, 4, 4]
    before = len(words.batches)
    for passages, claims in many:
        subject.compare(passages, claims)
    assert len(words.batches) == before


def test_the_company_in_a_batch_changes_no_figure(words):
    many = [([f"passage {'x ' * at}leave is 20"], ["leave is 20 weeks"]) for at in range(9)]
    one, all_ = model(words, batch=1), model(words, batch=32)
    all_.prepare(many)
    for passages, claims in many:
        first, second = one.compare(passages, claims), all_.compare(passages, claims)
        assert (first.supported == second.supported).all()


def test_what_was_read_before_an_interruption_is_not_read_again(words):
    plain = words.predict

    def interrupted(pairs):
        if len(words.batches) == 2:
            raise TimeoutError
        return plain(pairs)

    words.predict = interrupted
    subject = model(words, batch=1)
    with pytest.raises(TimeoutError):
        subject.compare(["a", "b b", "c c c"], ["d"])
    words.predict = plain
    object.__setattr__(subject._network, "predict", plain)
    subject.compare(["a", "b b", "c c c"], ["d"])
    assert len(words.pairs) == len(set(words.pairs)) == 3


def test_memory_is_bounded(words, monkeypatch):
    monkeypatch.setattr(entailment, "REMEMBERED", 3)
    subject = model(words)
    for at in range(10):
        subject.compare([f"p{at}", f"q{at}"], ["c"])
    assert len(subject._known) <= 3


def test_what_is_no_number_is_an_error_and_no_score(words):
    words.predict = lambda pairs: np.full((len(pairs), 3), np.nan)
    with pytest.raises(ValueError, match="words returned a value that is not a number"):
        model(words).compare(["a"], ["b"])


@pytest.mark.parametrize("text", ["", "   ", "\x00", "\ud800 lone", "x" * 1_000_000, "\u202e\u05d0"])
def test_any_text_is_compared(words, text):
    found = model(words).compare([text, "plain words"], ["plain words"])
    assert found.supported[0, 1] > 0.9
    assert np.isfinite(found.supported).all()
