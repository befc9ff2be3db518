"""The verdict over another retriever: what passes, what fails, and what neither shows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.schema import Answer, Citation, Passage
from evaluation.retrieval.contexts import adopted, replay_key, same_words, with_context
from evaluation.retrieval.lost import LostClaim, lost_by_document
from evaluation.retrieval.verdict import PairedMetric, judged_metric, overall


def judged(differences, *, better="higher", groups=None, margin=0.02, level=0.05):
    names = list(map(str, range(len(differences)))) if groups is None else groups
    paired = PairedMetric(name="m", better=better, differences=list(differences), groups=names)
    return judged_metric(paired, np.random.default_rng(1), margin=margin, level=level, resamples=1000)


def test_a_loss_beyond_the_margin_fails_in_either_direction():
    lost = np.where(np.arange(1000) % 10 == 0, -0.9, 0.0)
    assert judged(lost).state == "fail"
    assert judged(-lost).state == "pass"
    assert judged(-lost, better="lower").state == "fail"
    assert judged(lost).worse == 100


def test_answers_that_fail_together_count_once():
    lost = np.where(np.arange(1000) % 10 == 0, -0.9, 0.0)
    together = [f"session {number % 10}" for number in range(1000)]
    assert judged(lost, groups=together).state == "inconclusive"
    assert judged(lost, groups=["one"] * 1000).interval is None


def test_what_never_happened_in_few_answers_may_still_happen():
    row = judged([0.0] * 100)
    assert row.state == "inconclusive"
    # Of 100 groups, none differs: a share of 3.6 % would be missed one time in forty.
    assert row.interval.low == pytest.approx(-(1 - 0.025 ** (1 / 100)))


def test_equal_retrievers_fail_in_at_most_one_of_twenty():
    rng = np.random.default_rng(4)
    states = [judged(rng.choice([-0.5, 0.0, 0.5], 400, p=[0.1, 0.8, 0.1]), margin=0.0).state for _ in range(200)]
    assert states.count("fail") <= 10


def test_a_slice_that_fails_fails_the_whole_and_one_that_says_little_does_not():
    whole, part = judged([0.0] * 1000), judged([0.0] * 20)
    inside = type(part)(**{name: getattr(part, name) for name in part.__slots__} | {"scope": {"team": "a"}})
    assert overall([whole, inside]) == "pass"
    failing = judged([-1.0] * 50)
    inside = type(part)(**{name: getattr(failing, name) for name in part.__slots__} | {"scope": {"team": "a"}})
    assert overall([whole, inside]) == "fail"
    assert overall([inside]) == "fail"
    assert overall([]) == "inconclusive"


texts = st.lists(st.text(min_size=1, max_size=5), max_size=6)


@given(texts, texts)
def test_passages_keep_their_words_and_have_ids_of_their_own(found, known):
    made = adopted([Passage(id="x", text=text) for text in found], [Passage(id=text, text=text) for text in known])
    assert [passage.text for passage in made] == found
    assert len({passage.id for passage in made}) == len(found)


def test_a_document_that_is_named_anew_is_believed():
    [one] = adopted([Passage(id="n", text="a", doc_id="new")], [Passage(id="p", text="a", doc_id="old", section="2")])
    assert (one.doc_id, one.section) == ("new", "2")


def test_an_answer_with_another_context_keeps_no_step_and_no_citation_of_the_old_one():
    citation = Citation(start=0, end=1, marker="[", passage_id="p")
    answer = Answer(id="a", answer="[1]", passages=(Passage(id="p", text="a"),), citations=(citation,))
    other = with_context(answer, (Passage(id="q", text="b"),))
    assert other.citations[0].passage_id is None
    assert not same_words(answer.context_passages(), other.context_passages())


def test_two_answers_are_alike_only_in_all_words():
    one = Answer(id="1", question="q", answer="a", passages=(Passage(id="p", text="x"),))
    assert replay_key(one, ()) == replay_key(one.model_copy(update={"id": "2"}), ())
    assert replay_key(one, ()) != replay_key(one.model_copy(update={"question": "qa", "answer": ""}), ())
    assert replay_key(one, ()) != replay_key(one, (Passage(id="p", text="y"),))


def test_evidence_is_lost_by_the_document_that_it_came_from():
    leave, other = Passage(id="p", text="a", doc_id="leave"), Passage(id="q", text="b", uri="https://x/y")
    lost = [
        LostClaim("1", "c", leave, 0.9, 0.1, True),
        LostClaim("1", "d", leave, 0.9, 0.1, False),
        LostClaim("2", "e", None, 0.9, 0.1, False),
    ]
    found = lost_by_document(lost, [((leave, leave), (other,)), ((leave,), (leave,))])
    assert [(each.doc_id, each.claims, each.answers, each.contradicted) for each in found] == [
        ("leave", 2, 1, 1),
        ("(no document named)", 1, 1, 0),
    ]
    assert (found[0].recorded, found[0].found) == (2, 1)
