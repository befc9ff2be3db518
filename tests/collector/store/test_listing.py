"""Answers are found by slice and value a bounded part at a time, and nothing is left out on the way."""

from collections.abc import Iterator
from contextlib import closing

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.schema import Answer
from collector.store import listing
from collector.store.rows import AnswerFilter, AnswerPage, Pulled, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from collector.store.store import Store
from scorers.base import Evaluation, Score

SERVICES = ("desk", "shop", "o\"d'd")
TEXTS = ("What is 50%_off?", "Where is the HOTEL?", "o\"d'd")
LABELS = {0.0: "bad", 0.5: "good", 1.0: "good"}


def fill(store: Store, rows: list[tuple[int, float | None]]) -> None:
    """Store an answer of a service for each row, and its value of a metric where it has one."""
    for number, (service, value) in enumerate(rows, 1):
        slice_ = {"service": SERVICES[service], "region": "eu"}
        stored = StoredAnswer(Answer(id=f"a-{number}", question=TEXTS[number % 3]), slice_, 1.0, True)
        store.append_pulled(Pulled("files", b"", number, answers=[stored]))
        if value is not None:
            other = Score(metric="other", value=1.0, label="good", explanation="not good, bad")
            scores = (Score(metric="m", value=value, label=LABELS[value]), other)
            evaluation = Evaluation(answer_id=f"a-{number}", revision=0, scores=scores)
            versions = {"model": f"m-{number % 2}"}
            store.record_evaluations([StoredEvaluation(evaluation, number, number, slice_, 1.0, None, versions)])


def pages(store: Store, wanted: AnswerFilter, *, limit: int) -> Iterator[tuple[int, ...]]:
    before = None
    while True:
        found = store.find_answers(wanted, limit=limit, before=before)
        yield found.seqs
        if found.before is None:
            return
        assert before is None or found.before < before, "a page leads on"
        before = found.before


def test_the_answers_with_the_worst_values_are_found_however_old_they_are(tmp_path):
    with closing(open_store(tmp_path / "s.db")) as store:
        fill(store, [(0, 0.5), (0, 0.0), (0, 1.0), (0, None), (0, 0.5)])
        for order, seqs in (("lowest", (2, 5, 1)), ("highest", (3, 5, 1))):
            assert store.find_answers(AnswerFilter(metric="m", order=order), limit=3) == AnswerPage(seqs, None)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.none() | st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30),
    gone=st.sets(st.integers(1, 30)),
    wanted=st.builds(
        AnswerFilter,
        slice=st.sampled_from([{}, {"service": "desk"}, {"service": SERVICES[2], "region": "eu"}, {"service": "none"}]),
        metric=st.sampled_from([None, "m", "other"]),
        low=st.none() | st.just(0.5),
        high=st.none() | st.just(0.5),
        label=st.sampled_from([None, "good", "bad", "oo"]),
        versions=st.sampled_from([{}, {"model": "m-1"}, {"index": "m-1"}]),
        text=st.sampled_from([None, "hotel", "%_", "'D", "nowhere"]),
    ),
    limit=st.integers(1, 40),
    bounds=st.tuples(*[st.integers(1, 12)] * 4),
)
def test_following_pages_gives_what_looking_at_every_answer_would(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[int, float | None]],
    gone: set[int],
    wanted: AnswerFilter,
    limit: int,
    bounds: tuple[int, ...],
) -> None:
    names = ("SPAN", "EVALUATED", "MAX_ROWS", "MAX_EVALUATED")
    with pytest.MonkeyPatch.context() as patch, closing(open_store(tmp_path_factory.mktemp("data"))) as store:
        for name, bound in zip(names, bounds, strict=True):
            patch.setattr(listing, name, bound)
        fill(store, rows)
        assert isinstance(store, Store)
        with store._write() as connection:
            for number in gone:
                connection.execute(sa.text("DELETE FROM answers WHERE seq = :seq"), {"seq": number})
        expected = [
            number
            for number, (service, value) in reversed(list(enumerate(rows, 1)))
            if number not in gone
            and wanted.slice.items() <= {"service": SERVICES[service], "region": "eu"}.items()
            and (wanted.text is None or wanted.text.lower() in TEXTS[number % 3].lower())
            and (not wanted.versions or (value is not None and wanted.versions == {"model": f"m-{number % 2}"}))
            and (wanted.metric is None or _scored(wanted, value))
        ]
        found = list(pages(store, wanted, limit=limit))
    assert [number for page in found for number in page] == expected
    assert all(len(page) <= limit for page in found)


def _scored(wanted: AnswerFilter, value: float | None) -> bool:
    if value is None:
        return False
    value, label = (value, LABELS[value]) if wanted.metric == "m" else (1.0, "good")
    return (wanted.low or 0) <= value <= (wanted.high or 1) and wanted.label in {None, label}


def test_a_page_ends_when_it_is_told_to_but_never_before_it_has_looked_at_something(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SPAN", 4)
    with closing(open_store(tmp_path_factory.mktemp("data"))) as store:
        fill(store, [(0, None)] * 10)
        found = store.find_answers(AnswerFilter(slice={"service": "shop"}), limit=9, enough=lambda: True)
        assert (found.seqs, found.before) == ((), 7)
        assert store.find_answers(AnswerFilter(), limit=0).seqs == ()


def test_an_empty_store_has_no_page_after_the_first(tmp_path_factory: pytest.TempPathFactory) -> None:
    with closing(open_store(tmp_path_factory.mktemp("data"))) as store:
        assert store.find_answers(AnswerFilter(metric="m"), limit=5) == AnswerPage((), None)
        assert store.answers([]) == []
