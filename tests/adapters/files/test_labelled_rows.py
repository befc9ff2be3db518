"""Labelled rows are answers like any other, in the files where traces and answers stand."""

import json
from datetime import UTC, datetime

import pytest

from adapters.base import MalformedRecord
from adapters.files.read import records


def row(**changes):
    return {
        "id": "r-1",
        "split": "dev",
        "source": "set",
        "question": "What is the limit?",
        "passages": [{"id": "p1", "text": "The limit is 180 EUR.", "source": "handbook"}],
        "answer": "180 EUR",
        "label": "supported",
        "extra": {},
    } | changes


def read(*rows):
    return list(records("".join(json.dumps(each) + "\n" for each in rows).encode()))


def test_a_labelled_row_is_an_answer_with_its_label_as_an_attribute():
    (answer,) = read(
        row(claims=[{"text": "x", "label": "y"}], extra={"model": "m-1", "task": "QA", "n": 3, "deep": {}})
    )
    assert (answer.id, answer.source, answer.question, answer.answer) == (
        "r-1",
        "set",
        "What is the limit?",
        "180 EUR",
    )
    assert [passage.text for passage in answer.passages] == ["The limit is 180 EUR."]
    assert answer.passages[0].metadata == {"source": "handbook"}
    assert answer.model == "m-1"
    assert answer.attributes == {"task": "QA", "n": "3", "split": "dev", "label": "supported"}


def test_rows_of_a_list_in_one_document_are_read_too():
    found = list(records(json.dumps([row(), row(id="r-2")]).encode()))
    assert [answer.id for answer in found] == ["r-1", "r-2"]


def test_a_context_that_is_data_is_kept_as_its_text():
    (answer,) = read(row(passages=[{"id": "p", "text": {"name": "Café", "hours": {"Monday": "9:0-17:0"}}}]))
    assert json.loads(answer.passages[0].text) == {"name": "Café", "hours": {"Monday": "9:0-17:0"}}
    assert "Café" in answer.passages[0].text


def test_a_row_without_passages_tells_of_none_and_is_not_judged_against_nothing():
    (answer,) = read(row(passages=[]))
    assert answer.passages is None


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("2021-03-07", datetime(2021, 3, 7, tzinfo=UTC)),
        ("Mar 7, 2021", datetime(2021, 3, 7, tzinfo=UTC)),
        ("March 7, 2021", datetime(2021, 3, 7, tzinfo=UTC)),
        ("2021", datetime(2021, 1, 1, tzinfo=UTC)),
        ("3 days ago", None),
        (20210307, None),
    ],
)
def test_the_date_of_a_passage_is_when_it_was_published(date, at):
    (answer,) = read(row(passages=[{"id": "p", "text": "t", "date": date}]))
    assert (answer.passages[0].published_at, answer.passages[0].effective_from) == (at, None)


def test_statements_that_hold_from_a_day_are_editions_of_what_their_source_says():
    passages = [{"id": day, "text": day, "date": day, "source": "chronicle"} for day in ("1990-01-01", "2018-01-01")]
    extra = {"cur_start": "2018-01-01", "prev_start": "1990-01-01"}
    (answer,) = read(row(passages=passages, extra=extra))
    assert [(each.doc_id, each.version, each.effective_from.year) for each in answer.passages] == [
        ("chronicle", "1990-01-01", 1990),
        ("chronicle", "2018-01-01", 2018),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"passages": "p"},
        {"passages": [1]},
        {"extra": [1]},
        {"question": 3},
        {"passages": [{"text": "no id"}]},
        {"id": [7]},
    ],
)
def test_a_row_that_is_none_is_refused_with_its_place(changes):
    good, bad = read(row(), row(**changes))
    assert good.id == "r-1"
    assert isinstance(bad, MalformedRecord)
    assert str(bad).startswith("line 2: ")


def test_an_answer_with_a_strange_field_is_still_refused():
    (refused,) = read({"question": "q", "answer": "a", "label": "supported"})
    assert "label" in str(refused)
