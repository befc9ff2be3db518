"""Cycles, gaps and references that lead nowhere, in catalogs of any shape and size."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorers.catalog import CatalogError, parse_catalog
from scorers.catalog.check import cycles


def chain(n: int, *extra: dict[str, object]) -> str:
    entries = [{"id": f"D{i}", "supersedes": [f"D{(i + 1) % n}"]} for i in range(n)]
    return "\n".join(json.dumps(entry) for entry in (*entries, *extra))


def test_a_cycle_of_twenty_thousand_is_told_in_a_line() -> None:
    with pytest.raises(CatalogError) as caught:
        parse_catalog(chain(20_000), "jsonl", "c")
    (problem,) = caught.value.problems
    assert problem == (
        "c: line 1.supersedes: cycle: D0 supersedes D1 supersedes D2 supersedes ... (19996 more) ..."
        " supersedes D19999 supersedes D0"
    )


def test_a_graph_full_of_cycles_is_refused_after_a_hundred_of_them() -> None:
    n = 2000
    lines = [json.dumps({"id": f"D{i}", "supersedes": [f"D{(i + 1) % n}", "D0"]}) for i in range(1, n)]
    with pytest.raises(CatalogError) as caught:
        parse_catalog("\n".join([json.dumps({"id": "D0", "supersedes": ["D1"]}), *lines]), "jsonl", "c")
    assert 100 <= len(caught.value.problems) <= 101


graphs = st.integers(1, 7).flatmap(
    lambda n: st.tuples(st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=14))
)


def acyclic(n: int, edges: set[tuple[int, int]]) -> bool:
    """Take away what nothing points at, until nothing is left or nothing can be taken."""
    left = set(range(n))
    while True:
        free = {node for node in left if not any(b == node and a in left for a, b in edges)}
        if not free:
            return not left
        left -= free


@settings(deadline=None)
@given(graphs)
def test_a_cycle_is_found_where_and_only_where_there_is_one(graph: tuple[int, set[tuple[int, int]]]) -> None:
    n, edges = graph
    links: dict[int, dict[int, None]] = {}
    for new, old in edges:
        links.setdefault(old, {})[new] = None
    found = list(cycles(links))
    assert bool(found) == (not acyclic(n, edges))
    for cycle in found:
        assert len(set(cycle)) == len(cycle)
        assert all(step in edges for step in zip(cycle, [*cycle[1:], cycle[0]], strict=True)), "each step is an edge"


@settings(deadline=None)
@given(graphs)
def test_a_catalog_is_refused_where_and_only_where_references_go_round(graph: tuple[int, set[tuple[int, int]]]) -> None:
    n, edges = graph
    edges = {(a, b) for a, b in edges if a != b}
    text = "\n".join(
        json.dumps({"id": f"D{node}", "supersedes": [f"D{b}" for a, b in sorted(edges) if a == node]})
        for node in range(n)
    )
    if acyclic(n, edges):
        assert len(parse_catalog(text, "jsonl", "c")) == n
        return
    with pytest.raises(CatalogError) as caught:
        parse_catalog(text, "jsonl", "c")
    assert all("cycle" in problem for problem in caught.value.problems)


def warnings(*entries: dict[str, str]) -> tuple[str, ...]:
    return parse_catalog("\n".join(map(json.dumps, entries)), "jsonl", "c").warnings


def version(name: str, start: str | None = None, end: str | None = None, **more: str) -> dict[str, str]:
    window = {"effective_from": start, "effective_to": end}
    return {"id": "T", "version": name, **{key: day for key, day in window.items() if day}, **more}


def test_a_time_in_which_nothing_governs_is_a_gap() -> None:
    assert warnings(version("1", "2024-01-01", "2024-12-31"), version("2", "2025-03-01")) == (
        "c: line 2.effective_from: gap: no version of T is in force from 2025-01-01 to 2025-03-01, between T@1 and T@2",
    )
    assert warnings(version("1", None, "2024-12-31"), version("2", "2025-03-01"))[0].startswith("c: line 2")


def test_a_version_without_an_end_leaves_no_gap() -> None:
    assert (
        warnings(version("1", "2023-01-01"), version("2", "2024-01-01", "2024-06-30"), version("3", "2025-01-01")) == ()
    )
    assert warnings(version("0"), version("1", "2024-01-01", "2024-06-30"), version("3", "2025-01-01")) == (
        "c: line 1: T@0 without effective dates or supersedes: cannot tell which version of T is current",
    )


def test_a_cycle_that_dates_close_is_a_warning() -> None:
    found = warnings(version("1", "2023-01-01", supersedes="3"), version("2", "2024-01-01"), version("3", "2025-01-01"))
    assert len(found) == 1
    assert "cycle: T@1 supersedes T@3 supersedes T@2 supersedes T@1, once dates and references are combined" in found[0]


def test_sections_in_two_places_are_named_with_both() -> None:
    with pytest.raises(CatalogError) as caught:
        parse_catalog('{"id": "T", "section": "s"}\n' * 3, "jsonl", "c")
    assert caught.value.problems == (
        "c: line 2.id: duplicate entry T section s, first listed at line 1",
        "c: line 3.id: duplicate entry T section s, first listed at line 1",
    )


def shared(*entries: dict[str, object]) -> list[str]:
    warnings = parse_catalog("\n".join(map(json.dumps, entries)), "jsonl", "c").warnings
    return [warning for warning in warnings if "URI" in warning]


def test_versions_at_one_uri_are_told_with_what_tells_them_apart() -> None:
    old = {"id": "REF", "version": "3", "uri": "https://docs.test/refunds", "effective_from": "2025-01-01"}
    new = {"id": "REF", "version": "4", "uri": "https://docs.test/refunds/", "effective_from": "2026-01-01"}
    told = (
        "c: line 2.uri: REF@3, REF@4 share the URI https://docs.test/refunds; a passage with it and no document id is"
        " matched by {}; otherwise its document is unknown"
    )
    assert shared(old, new) == [told.format("version or effective dates")]
    texts = ({**old, "text": "30 days"}, {**new, "text": "14 days"})
    assert shared(*texts) == [told.format("text, version or effective dates")]
    marked = [{**one, "checksum": f"c{place}"} for place, one in enumerate(texts)]
    assert shared(*marked) == [told.format("checksum, text, version or effective dates")]


@pytest.mark.parametrize("uri", ["policies/refunds.md", "https://docs.test/refunds#when", "a/policies.pdf#page=3"])
def test_versions_at_one_file_or_mark_of_a_page_are_told_once(uri: str) -> None:
    versions = [{"id": "REF", "version": name, "uri": uri, "text": name} for name in "34"]
    (told,) = shared(*versions)
    assert told.startswith(f"c: line 2.uri: REF@3, REF@4 share the URI {uri}; ")


def test_sections_of_one_version_and_places_of_one_page_share_nothing() -> None:
    sections = [{"id": "MAN", "section": name, "uri": "man.pdf"} for name in "ab"]
    anchors = [{"id": name, "uri": f"handbook.html#{name}"} for name in "cd"]
    asked = [{"id": name, "uri": f"page?id={name}"} for name in "ef"]
    assert shared(*sections, *anchors, *asked) == []


def test_a_site_of_shared_pages_is_told_in_eleven_lines_after_all_else() -> None:
    pages = [{"id": f"D{n}", "version": v, "uri": f"p/{n}", "text": v} for n in range(50) for v in "12"]
    found = parse_catalog("\n".join(map(json.dumps, pages)), "jsonl", "c").warnings
    assert len(found) == 50 + 11
    assert "which version" in found[49]
    assert found[-1] == "more than 10 URIs are shared by several versions or documents; the others are not listed"
