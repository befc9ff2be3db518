# ruff: noqa: E501, ISC004 - the texts as tools write them
"""How the passages in a tool's text are told apart, and when they are not."""

from __future__ import annotations

import re

import pytest

from adapters.documents import written
from adapters.documents.results import documents_found
from adapters.documents.written import says_nothing_was_found, told_apart
from tests.scorers import regexes

BOTH = ["Books: four weeks.", "Films: one week."]


@pytest.mark.parametrize(
    "text",
    [
        "[1] Books: four weeks.\n[2] Films: one week.",
        "Found 2 documents:\n\n[b-1] Books: four weeks.\n\n[b-2] Films: one week.",
        "LOAN-1@2: Books: four weeks.\nLOAN-2@1: Films: one week.",
        "Document 1: Books: four weeks.\nDocument 2: Films: one week.",
        "Retrieved documents:\n\n===== Document 0 =====\nBooks: four weeks.\n\n===== Document 1 =====\nFilms: one week.",
        "Source: {'source': 'a.md'}\nContent: Books: four weeks.\n\nSource: {'source': 'b.md'}\nContent: Films: one week.",
        "Books: four weeks.\n---\nFilms: one week.",
        "Books: four weeks.\n\nFilms: one week.",
        "<documents>\n<document id='b-1'>Books: four weeks.</document>\n<document>Films: one week.</document>\n</documents>",
        "[Document(metadata={'source': 'a.md'}, page_content='Books: four weeks.'), "
        "Document(metadata={}, page_content='Films: one week.')]",
        '[{"id": "b-1", "content": "Books: four weeks."}, {"content": "Films: one week."}]',
        "[{'id': 'b-1', 'content': 'Books: four weeks.'}, {'content': 'Films: one week.'}]",
        '["Books: four weeks.", "Films: one week."]',
        {"content": [{"type": "text", "text": "Books: four weeks."}, {"type": "text", "text": "Films: one week."}]},
        {"content": [{"type": "text", "text": "2"}], "structuredContent": {"result": BOTH}},
        {"type": "json", "value": [{"text": each} for each in BOTH]},
        {"result": [{"text": each} for each in BOTH]},
    ],
)
def test_two_passages_are_told_apart(text: object) -> None:
    assert [document.text for document in documents_found(text, most=9) or ()] == BOTH


def test_a_part_of_a_message_is_read_as_the_row_that_it_holds_whatever_number_langchain_gives_it() -> None:
    rows = ['{"id": "b-1", "content": "Books: four weeks."}', '{"id": "b-2", "content": "Films: one week."}']
    parts = [
        {"type": "text", "text": row, "id": f"lc_8da52119-50a1-42c7-a92f-ebe57298362{n}"} for n, row in enumerate(rows)
    ]
    found = documents_found({"type": "tool", "data": {"content": parts, "type": "tool"}}, most=9) or ()
    assert [(document.id, document.text) for document in found] == [("b-1", BOTH[0]), ("b-2", BOTH[1])]


def test_a_passage_with_an_id_of_its_own_keeps_it_whatever_that_begins_with() -> None:
    rows = [{"type": "text", "text": each, "id": f"lc_{n}"} for n, each in enumerate(BOTH)]
    assert [document.id for document in documents_found(rows, most=9) or ()] == ["lc_0", "lc_1"]


@pytest.mark.parametrize(
    "text",
    [
        "Books: four weeks.\nFilms: one week.",
        "Lending\n\nBooks: four weeks.",
        "1. Take a book.\n2. Bring it back.",
        "Books [1] and films [2] are lent.",
    ],
)
def test_a_text_whose_form_does_not_tell_is_one_passage(text: str) -> None:
    assert [each.text for each in told_apart(text)] == [text]


@pytest.mark.parametrize("result", ["", "[]", "No results found.", {"results": []}, {"error": "time-out"}, []])
def test_a_search_that_found_nothing_has_no_passages(result: object) -> None:
    assert documents_found(result, most=9) == ()


@pytest.mark.parametrize(
    "result",
    [
        "An error occurred while running the tool. Please try again. Error: Connection timed out",
        "An error occurred while running the tool. Please try again.",
        "An error occurred while running the tool. Please try again. Error: 1 validation error\nk\n  Input should be 1",
        "An error occurred while parsing tool arguments. Please try again with valid JSON. Error: Expecting value",
        "Error: TimeoutError('search')\n Please fix your mistakes.",
        "Error invoking tool 'search' with kwargs {'query': 'a'} with error:\n k: required\n Please fix the error and try again.",
        {"content": [{"type": "text", "text": "Error executing tool search_library: Connection timed out"}]},
    ],
)
def test_what_a_framework_says_of_a_tool_that_failed_is_no_evidence(result: object) -> None:
    assert documents_found(result, most=9) == ()


@pytest.mark.parametrize(
    "text",
    [
        "An error occurred while running the tool means that the drill has stopped.",
        "Error: the printer has no paper. Please try again.",
        "Error 504: the connection timed out. Ask the service desk.",
        "Error executing tool search: this is told where the index is down.\nStart it again with `index up`.",
        "An error occurred while running the tool. Please try again. Error: Connection timed out\n\nSee the runbook.",
        "An error occurred while running the tool. Please try again. Otherwise call the service desk.",
    ],
)
def test_a_passage_about_error_messages_stays_a_passage(text: str) -> None:
    assert documents_found(text, most=9)


def test_a_result_of_another_form_is_one_passage_of_what_it_says() -> None:
    assert [d.text for d in documents_found({"weeks": 4}, most=9) or ()] == ['{"weeks":4}']


def test_a_sentence_that_begins_with_no_is_a_passage() -> None:
    assert not says_nothing_was_found("No book may be lent twice.")


@pytest.mark.parametrize(
    "piece",
    ["[", "[a] ", "<document>", "Source: a\n", "Document 1\n", "\n\n", "---\n", "a: ", "'", "id: 1\ntext: x\n"],
)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    assert told_apart(piece * 20_000)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", sorted(name for name, held in vars(written).items() if isinstance(held, re.Pattern)))
def test_no_expression_that_tells_passages_apart_can_blow_up(name: str) -> None:
    regexes.check(vars(written)[name])
