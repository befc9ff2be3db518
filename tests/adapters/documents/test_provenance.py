"""Which document a passage of plain text says that it is of."""

from __future__ import annotations

import re

import pytest

from adapters.documents import provenance
from adapters.documents.passages import passage_of
from adapters.documents.results import documents_found
from adapters.schema import Passage
from adapters.values import instant_of
from tests.scorers import regexes

BOOKS, FILMS = "Books: four weeks.", "Films: one week."


def passages(text: str) -> list[Passage]:
    return [passage_of(each, id="x", stage=None, rank=0) for each in documents_found(text, most=9) or ()]


@pytest.mark.parametrize(
    "text",
    [
        f"Source: a.md\n{BOOKS}\n\nSource: b.md\n{FILMS}",
        f"Source: a.md\n{BOOKS}\n\nThey can be kept longer.\n\nSource: b.md\n{FILMS}",
        f"TITLE: Books\nSOURCE: a.md\n\n{BOOKS}\n\n-----\n\nTITLE: Films\nSOURCE: b.md\n\n{FILMS}",
        f"{BOOKS} (source: a.md)\n\n{FILMS} (source: b.md)",
        f"{BOOKS}\nSource: a.md\n\n{FILMS}\nSource: b.md",
        f"## a.md\n{BOOKS}\n\nThey can be kept longer.\n\n## b.md\n{FILMS}",
        f"--- a.md ---\n{BOOKS}\n--- b.md ---\n{FILMS}",
        f"[a.md] {BOOKS}\n[b.md] {FILMS}",
        f"[1] (a.md) {BOOKS}\n[2] (b.md) {FILMS}",
        f"Document 1 (Source: a.md):\n{BOOKS}\n\nDocument 2 (Source: b.md):\n{FILMS}",
        f'<file name="a.md">{BOOKS}</file>\n<file name="b.md">{FILMS}</file>',
    ],
)
def test_each_passage_is_of_the_document_that_it_names(text: str) -> None:
    found = passages(text)
    assert [each.doc_id for each in found] == ["a.md", "b.md"]
    assert BOOKS in (found[0].text or "")
    assert FILMS in (found[1].text or "")


def test_two_passages_of_one_file_stay_two() -> None:
    found = passages(f"[a.md] {BOOKS}\n[a.md] {FILMS}")
    assert [(each.doc_id, each.text) for each in found] == [("a.md", BOOKS), ("a.md", FILMS)]


def test_what_the_lines_before_a_passage_tell_is_known() -> None:
    (passage,) = passages(f"Title: Lending\nURL: https://h/1?utm=x\nLast updated: 2025-03-04\nVersion: 3\n\n{BOOKS}")
    assert (passage.doc_id, passage.version) == ("https://h/1", "3")
    assert passage.modified_at == instant_of("2025-03-04")
    assert (passage.text or "").startswith("Title: Lending")


@pytest.mark.parametrize(
    "text",
    [
        f"Note: see a.md\n{BOOKS}",
        f"Version: 3\n{BOOKS}",
        f"Source: Eurostat\n{BOOKS}",
        "Our sources are a.md and b.md.",
        f"{BOOKS} See https://h/1.",
        f"1. a.md: {BOOKS}\n2. b.md: {FILMS}",
        f"Source: a.md\n{BOOKS}\nSource: b.md",
    ],
)
def test_a_text_that_only_mentions_a_document_is_not_said_to_be_of_it(text: str) -> None:
    assert [each.doc_id for each in passages(text)] == [None]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "name", sorted(name for name, held in vars(provenance).items() if isinstance(held, re.Pattern))
)
def test_no_expression_that_reads_it_can_blow_up(name: str) -> None:
    regexes.check(vars(provenance)[name])


@pytest.mark.parametrize("piece", ["Source: a.md\n", "# a/", "(a.md) ", "a.md (source: ", "## a.md\n", "Source:"])
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    assert documents_found(piece * 20_000, most=50)
