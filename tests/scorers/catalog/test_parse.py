"""The catalog file: good ones become a catalog, bad ones a list of all that is wrong, each with file, entry and key."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.catalog import Catalog, CatalogError, CatalogFormat, parse_catalog
from scorers.catalog.parse import MAX_PROBLEMS

GOOD = """
documents:
  - id: TRV-001
    version: 2.0
    section: "4"
    title: Travel expenses
    effective_from: 2023-01-01
    effective_to: 2024-12-31
    authority: 0.9
    role: governing
    checksum: c2
    permitted: [staff, contractors]
    uri: https://policies.example.test/trv-001/v2
    text: |
      The hotel limit is 150 EUR.
  - id: TRV-001
    version: 3.10
    effective_from: 2025-01-01T06:30:00+02:00
    effective_to: null
    supersedes: TRV-001@2.0
  - id: MEMO
    supersedes: ["2.0 memo", TRV-001]
  - {id: MEMO, version: 2.0 memo}
"""


def problems(text: str, format: CatalogFormat = "yaml") -> tuple[str, ...]:  # noqa: A002
    with pytest.raises(CatalogError) as caught:
        parse_catalog(text, format, "c")
    assert str(caught.value) == "\n".join(caught.value.problems)
    return caught.value.problems


def read(text: str, format: CatalogFormat) -> Catalog | tuple[str, ...]:  # noqa: A002
    """Return the catalog, or its problems."""
    try:
        return parse_catalog(text, format, "c")
    except CatalogError as error:
        return error.problems


def test_every_field_is_read_as_it_is_meant() -> None:
    first, second, memo, _ = parse_catalog(GOOD, "yaml", "c").documents
    assert (first.id, first.version, first.section, first.title) == ("TRV-001", "2.0", "4", "Travel expenses")
    assert first.effective_from == datetime(2023, 1, 1, tzinfo=UTC)
    assert first.effective_to == datetime(2025, 1, 1, tzinfo=UTC), "until 31 December holds on 31 December"
    assert (first.authority, first.role, first.checksum) == (0.9, "governing", "c2")
    assert first.permitted == ("staff", "contractors")
    assert first.text == "The hotel limit is 150 EUR.\n"
    assert second.version == "3.10", "a version is a name, not a number"
    assert second.effective_from == datetime(2025, 1, 1, 4, 30, tzinfo=UTC)
    assert second.effective_to is None
    assert second.supersedes == ("TRV-001@2.0",)
    assert memo.supersedes == ("2.0 memo", "TRV-001")


def test_the_last_day_of_the_calendar_means_no_end() -> None:
    (document,) = parse_catalog("documents: [{id: T, effective_to: 9999-12-31}]", "yaml", "c").documents
    assert document.effective_to is None


def test_jsonl_says_the_same_one_entry_a_line() -> None:
    text = (
        '{"id": "T", "version": 4.10, "authority": 1, "effective_from": "2025-01-01", "permitted": []}\n'
        "\n"
        '{"id": "T", "version": "4.11", "supersedes": ["4.10"], "text": null}\n'
    )
    first, second = parse_catalog(text, "jsonl", "c").documents
    assert (first.version, first.authority, first.permitted) == ("4.10", 1.0, ())
    assert (second.supersedes, second.text) == (("4.10",), None)


def test_an_empty_list_is_a_catalog_and_an_empty_jsonl_is_too() -> None:
    assert len(parse_catalog("documents: []", "yaml", "c")) == 0
    assert len(parse_catalog("", "jsonl", "c")) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "c: empty; expected a mapping with the key documents"),
        ("- id: T", "c: expected a mapping with the key documents"),
        ("documents: T", "c: documents: expected a list of entries"),
        ("version: 1\ndocuments: []", "c: version: unknown key"),
        ("documents: [T]", "c: documents[0]: expected a mapping"),
        ("documents: [{version: 1}]", "c: line 1: documents[0].id: required"),
        ("documents: [{id: }]", "c: line 1: documents[0].id: required"),
        (
            "documents:\n- {id: T}\n- {id: U, effective_frm: 2025-01-01}",
            "c: line 3: documents[1].effective_frm: unknown key (did you mean effective_from?)",
        ),
        ("documents: [{id: T, zzz: 1}]", "c: line 1: documents[0].zzz: unknown key"),
        ("documents: [{id: T, id: U}]", "c: documents[0].id: duplicate key 'id' at line 1, first given at line 1"),
        ("documents: [{id: [T]}]", "c: line 1: documents[0].id: expected a single value"),
        ("documents: [{id: T, text: {a: b}}]", "c: line 1: documents[0].text: expected a single value"),
        ("documents: [{id: T, permitted: {a: b}}]", "c: line 1: documents[0].permitted: expected a list of strings"),
        ("documents: [{id: T, permitted: ['']}]", "c: line 1: documents[0].permitted: must not be empty"),
        (
            "documents: [{id: T, effective_from: soon}]",
            "c: line 1: documents[0].effective_from: 'soon' is not an ISO 8601 date or time",
        ),
        (
            "documents: [{id: T, effective_to: 2025-02-30}]",
            "c: line 1: documents[0].effective_to: '2025-02-30' is not an ISO 8601 date or time",
        ),
        (
            "documents: [{id: T, effective_from: '0001-01-01T00:00:00+09:00'}]",
            "c: line 1: documents[0].effective_from: '0001-01-01T00:00:00+09:00' is not an ISO 8601 date or time",
        ),
        (
            "documents: [{id: T, authority: high}]",
            "c: line 1: documents[0].authority: expected a number from 0 to 1, not 'high'",
        ),
        (
            "documents: [{id: T, authority: .nan}]",
            "c: line 1: documents[0].authority: expected a number from 0 to 1, not '.nan'",
        ),
        (
            "documents: [{id: T, authority: 1.5}]",
            "c: line 1: documents[0].authority: expected a number from 0 to 1, not '1.5'",
        ),
        (
            "documents: [{id: T, effective_from: 2025-02-01, effective_to: 2025-01-01}]",
            "c: line 1: documents[0].effective_to: must be after effective_from; this entry would never be in force",
        ),
        (
            "documents: [{id: T}, {id: T}]",
            "c: line 1: documents[1].id: duplicate entry T, first listed at line 1: documents[0]",
        ),
        (
            "documents: [{id: T, version: 1, section: a}, {id: T, version: 1, section: a}]",
            "c: line 1: documents[1].id: duplicate entry T@1 section a, first listed at line 1: documents[0]",
        ),
        (
            "documents: [{id: T, supersedes: S@1}]",
            "c: line 1: documents[0].supersedes: T supersedes S@1, which is not in the catalog",
        ),
        ("documents: [{id: T, supersedes: T}]", "c: line 1: documents[0].supersedes: T cannot supersede itself"),
        (
            "documents: [{id: T, version: 1, supersedes: '2'}, {id: T, version: 2, supersedes: '1'}]",
            "c: line 1: documents[0].supersedes: cycle: T@1 supersedes T@2 supersedes T@1",
        ),
        ("documents: []\ndocuments: []", "c: documents: duplicate key 'documents' at line 2, first given at line 1"),
        ("documents: [", "c: line 2: not YAML: did not find expected node content"),
        ("documents: [{id: 'T]", "c: line 1: not YAML: found unexpected end of stream"),
        ("a: 1\n---\nb: 2", "c: line 2: expected one document, found a second"),
        (
            "documents: [{id: T, text: \x00}]",
            "c: not YAML: unacceptable character #x0000: control characters are not allowed",
        ),
        ("documents: [&a {id: T}, *a]", "c: line 1: aliases are not allowed here"),
        ("documents: " + "[" * 100_000, "c: line 1: nested deeper than 8 levels"),
        ("- " * 100_000 + "a", "c: line 1: nested deeper than 8 levels"),
        ("documents: [{id: T, [a]: b}]", "c: line 1: documents[0].?: unknown key"),
    ],
)
def test_a_bad_yaml_catalog_names_file_entry_and_key(text: str, expected: str) -> None:
    assert problems(text) == (expected,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": "T"}\n{"id": "U", "titel": "x"}', "c: line 2.titel: unknown key (did you mean title?)"),
        ('{"id": "T"', "c: line 1: not JSON: Expecting ',' delimiter: line 1 column 11 (char 10)"),
        ('["id"]', "c: line 1: expected an object"),
        ('{"id": true}', "c: line 1.id: expected a single value"),
        ('{"id": "T", "supersedes": [1]}', "c: line 1.supersedes: T supersedes 1, which is not in the catalog"),
        ('{"id": "T", "authority": NaN}', "c: line 1.authority: expected a number from 0 to 1, not 'NaN'"),
        ('\n{"id": "T"}\n{"id": "T"}', "c: line 3.id: duplicate entry T, first listed at line 2"),
    ],
)
def test_a_bad_jsonl_catalog_names_file_line_and_key(text: str, expected: str) -> None:
    assert problems(text, "jsonl") == (expected,)


def test_all_problems_are_told_together() -> None:
    found = problems("documents: [{id: T, zzz: 1, authority: 9}, {version: 2}, {id: U, effective_to: x}]")
    assert found == (
        "c: line 1: documents[0].zzz: unknown key",
        "c: line 1: documents[0].authority: expected a number from 0 to 1, not '9'",
        "c: line 1: documents[1].id: required",
        "c: line 1: documents[2].effective_to: 'x' is not an ISO 8601 date or time",
    )


def test_links_are_judged_only_once_every_entry_can_be_read() -> None:
    assert problems("documents: [{id: T, version: 1, zzz: 1}, {id: T, version: 2, supersedes: '1'}]") == (
        "c: line 1: documents[0].zzz: unknown key",
    )


def test_a_file_of_another_kind_is_told_in_a_bounded_number_of_lines() -> None:
    found = problems("x\n" * 1000, "jsonl")
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1] == "c: and 900 more problems"


def test_a_json_bomb_is_refused() -> None:
    assert problems("[" * 100_000, "jsonl")[0].startswith("c: line 1: not JSON")


def test_two_cycles_are_both_told() -> None:
    text = """
documents:
  - {id: A, supersedes: B}
  - {id: B, supersedes: C}
  - {id: C, supersedes: A}
  - {id: X, supersedes: Y}
  - {id: Y, supersedes: X}
"""
    assert problems(text) == (
        "c: line 3: documents[0].supersedes: cycle: A supersedes B supersedes C supersedes A",
        "c: line 6: documents[3].supersedes: cycle: X supersedes Y supersedes X",
    )


def test_a_diamond_is_no_cycle() -> None:
    text = "documents: [{id: A, supersedes: [B, C]}, {id: B, supersedes: D}, {id: C, supersedes: D}, {id: D}]"
    assert len(parse_catalog(text, "yaml", "c")) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "documents: [{id: T, version: 1, effective_from: 2024-01-01, effective_to: 2025-06-30},"
                " {id: T, version: 2, effective_from: 2025-01-01}]"
            ),
            (
                "c: line 1: documents[1].effective_from: T@2 and T@1 are both in force from 2025-01-01 to 2025-07-01;"
                " the one that starts later governs"
            ),
        ),
        (
            "documents: [{id: T, version: 1}, {id: T, version: 2}]",
            (
                "c: line 1: documents[0]: T@1, T@2 without effective dates or supersedes: cannot tell which version of"
                " T is current"
            ),
        ),
    ],
)
def test_what_is_odd_yet_usable_is_a_warning(text: str, expected: str) -> None:
    assert parse_catalog(text, "yaml", "c").warnings == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        "documents: [{id: T, version: 1, effective_from: 2024-01-01}, {id: T, version: 2, effective_from: 2025-01-01}]",
        "documents: [{id: T, version: 1, effective_to: 2024-12-31}, {id: T, version: 2, effective_from: 2025-01-01}]",
        "documents: [{id: T, version: 1}, {id: T, version: 2, supersedes: '1'}]",
        "documents: [{id: T, version: 1, section: a}, {id: T, version: 1, section: b}]",
    ],
)
def test_the_usual_ways_to_write_versions_warn_of_nothing(text: str) -> None:
    assert parse_catalog(text, "yaml", "c").warnings == ()


def test_a_long_chain_is_checked_without_recursion() -> None:
    lines = [f'{{"id": "T", "version": "{i}", "supersedes": ["{i - 1}"]}}' for i in range(1, 5000)]
    catalog = parse_catalog("\n".join(['{"id": "T", "version": "0"}', *lines]), "jsonl", "c")
    assert len(catalog.supersession("T", "0")) == 4999


@given(st.text(max_size=200), st.sampled_from(["yaml", "jsonl"]))
def test_any_text_is_a_catalog_or_an_error_that_says_why(text: str, format: CatalogFormat) -> None:  # noqa: A002
    outcome = read(text, format)
    if not isinstance(outcome, Catalog):
        assert outcome
        assert all(problem.startswith("c:") for problem in outcome)


entries = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from("AB")},
        optional={
            "version": st.sampled_from("12"),
            "supersedes": st.sampled_from(["A", "B", "1", "A@1", "B@2", "?"]),
            "effective_from": st.sampled_from(["2024-01-01", "2025-01-01", "x"]),
            "effective_to": st.sampled_from(["2024-06-30", "2026-01-01T00:00:00Z"]),
        },
    ),
    max_size=6,
)


@given(entries)
def test_both_formats_find_the_same(documents: list[dict[str, str]]) -> None:
    one = read("documents: " + json.dumps(documents), "yaml")
    other = read("\n".join(map(json.dumps, documents)), "jsonl")
    if isinstance(one, Catalog):
        assert isinstance(other, Catalog)
        assert tuple(one.documents) == tuple(other.documents)
    else:
        assert not isinstance(other, Catalog)
        assert len(one) == len(other)


@pytest.mark.parametrize("format", ["yaml", "jsonl", "csv"])
def test_when_a_source_was_modified_is_kept_apart_from_when_it_governs(format: CatalogFormat) -> None:  # noqa: A002 - the word for it
    text = {
        "yaml": "documents: [{id: T-1, modified_at: 2025-03-04}]",
        "jsonl": '{"id": "T-1", "modified_at": "2025-03-04"}',
        "csv": "id,modified_at\nT-1,2025-03-04\n",
    }[format]
    (document,) = parse_catalog(text, format, "c").documents
    assert document.modified_at == datetime(2025, 3, 4, tzinfo=UTC)
    assert (document.effective_from, document.effective_to) == (None, None)


def test_a_modification_that_is_no_date_is_named() -> None:
    with pytest.raises(CatalogError, match=r"documents\[0\]\.modified_at: 'soon' is not an ISO 8601 date or time"):
        parse_catalog("documents: [{id: T-1, modified_at: soon}]", "yaml", "c")
