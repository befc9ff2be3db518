"""An index held against a listing of its source: what it serves that the source has changed, moved or removed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.schema import Passage
from scorers.catalog import Catalog, Document
from scorers.catalog.history import SourceHistory
from scorers.catalog.lag import IndexLag, index_lag
from scorers.catalog.origin import origin

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
NAMES = ("a/guide.md", "b/guide.md", "c/travel.md", "d/refunds.md", "e/leave.md", "f/hours.md")


def text(name: str, days: int = 30) -> str:
    return f"This is {name} of the handbook.\n\nWhat it grants ends after {days} days, as {name} says itself.\n"


def entry(name: str, days: int = 30, **more: object) -> Document:
    told = {"uri": f"/srv/docs/{name}", "text": text(name, days), "modified_at": NOW - 9 * DAY, **more}
    return Document(id=name, **told)


def chunks(name: str, days: int = 30, *, uri: str | None = None, **more: object) -> list[Document]:
    """Return a copy as loaders leave it: two chunks that know the path and nothing of the catalog's id."""
    path = uri or f"/srv/docs/{name}"
    parts = text(name, days).split("\n\n")
    return [Document(id=path, uri=path, section=str(at), text=part, **more) for at, part in enumerate(parts)]


def passage(chunk: Document) -> Passage:
    return Passage(id=f"{chunk.id}#{chunk.section}", doc_id=chunk.id, uri=chunk.uri, text=chunk.text)


def compare(source: list[Document], *copies: list[Document]) -> IndexLag:
    return index_lag(Catalog(source), [chunk for copy in copies for chunk in copy], NOW)


def kinds(found: IndexLag) -> dict[str, str]:
    return {(one.uri or one.id).removeprefix("/srv/docs/"): one.kind for one in found.lagging}


def test_an_index_that_is_up_to_date_lags_in_nothing() -> None:
    found = compare([entry(name) for name in NAMES], *(chunks(name) for name in NAMES))
    assert (found.documents, found.same, found.lagging) == (6, 6, ())


def test_changed_removed_moved_and_new_documents_are_told_and_nothing_else() -> None:
    source = [entry("a/guide.md"), entry("b/guide.md", 14), entry("x/travel.md", text=text("c/travel.md"))]
    source += [entry("d/refunds.md"), entry("f/hours.md"), entry("n/new.md")]
    found = compare(source, *(chunks(name) for name in NAMES))
    assert kinds(found) == {
        "b/guide.md": "outdated",
        "c/travel.md": "moved",
        "e/leave.md": "removed",
        "n/new.md": "missing",
    }
    assert found.same == 3


@pytest.mark.parametrize("change", ["{}And more since then.", "{}\n", "Before. {}"])
def test_what_the_source_has_beside_all_chunks_makes_the_copy_outdated(change: str) -> None:
    source = [entry(name) for name in NAMES[1:]]
    source.append(entry(NAMES[0], text=change.format(text(NAMES[0]))))
    found = compare(source, *(chunks(name) for name in NAMES))
    assert kinds(found) == ({} if change == "{}\n" else {NAMES[0]: "outdated"})


def test_names_without_folders_are_told_apart_by_texts() -> None:
    source = [entry("a/guide.md"), entry("b/guide.md", 14), entry("c/travel.md")]
    copies = [chunks(name, uri=name.rpartition("/")[2], version=f"v{at}") for at, name in enumerate(NAMES[:3])]
    found = compare(source, *copies)
    assert [(one.id, one.kind, one.source) for one in found.lagging] == [("guide.md", "outdated", "b/guide.md")]


def test_texts_that_a_loader_changed_prove_nothing_but_dates_do() -> None:
    source = [entry(name) for name in NAMES]
    copies = [chunks(name) for name in NAMES]
    changed = [[one.model_copy(update={"text": f"# {one.text} (converted)"}) for one in copy] for copy in copies]
    found = compare(source, *changed)
    assert (found.uncompared, found.lagging) == (6, ())
    dated = [[one.model_copy(update={"modified_at": NOW - 20 * DAY}) for one in copy] for copy in changed]
    assert set(kinds(compare(source, *dated)).values()) == {"outdated"}


def test_a_date_that_a_checkout_gave_to_all_files_makes_no_copy_outdated() -> None:
    names = [f"p/{number}.pdf" for number in range(12)]
    checkout = [
        entry(name, text=None, modified_at=NOW - DAY + timedelta(seconds=place)) for place, name in enumerate(names)
    ]
    copies = [chunks(name, modified_at=NOW - 20 * DAY) for name in names]
    found = compare(checkout, *copies)
    assert (found.uncompared, found.lagging) == (12, ())
    edited = [entry(names[0], text=None, modified_at=NOW - DAY / 2), *checkout[1:]]
    assert kinds(compare(edited, *copies)) == {names[0]: "outdated"}


def test_what_was_written_again_unchanged_is_up_to_date_whatever_its_date() -> None:
    found = compare([entry(name) for name in NAMES], *(chunks(name, modified_at=NOW - 50 * DAY) for name in NAMES))
    assert (found.same, found.lagging) == (6, ())


def test_documents_of_other_sources_are_from_elsewhere() -> None:
    other = chunks("faq.html", uri="https://shop.test/faq.html")
    found = compare([entry(name) for name in NAMES], *(chunks(name) for name in NAMES), other)
    assert (found.elsewhere, found.lagging) == (1, ())


def test_a_history_tells_old_versions_and_removals_of_the_source() -> None:
    history = SourceHistory()
    for name in NAMES[:3]:
        history.listed(entry(name, checksum="1", version="1"), NOW - 9 * DAY)
    history.listed(entry(NAMES[0], 14, checksum="2", version="2"), NOW - 5 * DAY)
    history.gone(NAMES[1], NOW - 3 * DAY)
    found = compare(list(history.documents()), *(chunks(name) for name in NAMES[:3]))
    assert kinds(found) == {NAMES[0]: "outdated", NAMES[1]: "removed"}


@settings(max_examples=25, deadline=None)
@given(
    st.permutations([entry(NAMES[0], 14), entry("x/travel.md", text=text("c/travel.md")), *map(entry, NAMES[3:5])]),
    st.permutations([chunk for name in NAMES for chunk in chunks(name)]),
)
def test_no_order_of_entries_or_chunks_changes_what_is_told(source: list[Document], index: list[Document]) -> None:
    found = index_lag(Catalog(source), index, NOW)
    assert kinds(found) == {
        "a/guide.md": "outdated",
        "b/guide.md": "removed",
        "c/travel.md": "moved",
        "f/hours.md": "removed",
    }


@pytest.mark.parametrize("metadata", ["dates", "nothing"])
def test_two_versions_at_one_path_are_right_in_every_order_of_rows(metadata: str) -> None:
    def copy(days: int, age: int) -> list[Document]:
        return chunks("a/guide.md", days, modified_at=NOW - age * DAY if metadata == "dates" else None)

    old, new = copy(30, 90), copy(14, 9)
    history = SourceHistory([entry("a/guide.md", 30, version="1", checksum="1", modified_at=NOW - 90 * DAY)])
    history.listed(entry("a/guide.md", 14, version="2", checksum="2"), NOW - 9 * DAY)
    others = [entry(name) for name in NAMES[1:]]
    rest = [chunk for name in NAMES[1:] for chunk in chunks(name)]
    for source in ([*history.documents(), *others], [*others, *reversed(history.documents())]):
        for rows in permutations([*old, *new]):
            catalog = Catalog(source)
            found = index_lag(catalog, [*rest, *rows], NOW)
            assert kinds(found) == {"a/guide.md": "outdated"}, "the old copy is still served beside the new one"
            versions = {row.text: origin(passage(row), catalog).document for row in rows}
            told = [versions[chunk.text] for chunk in (old[0], old[1], new[1])]
            assert [one and one.version for one in told] == [None, "1", "2"], "what both say is of either"
        assert kinds(index_lag(catalog, [*rest, *new], NOW)) == {}


def test_chunks_of_lines_that_repeat_are_what_the_source_has() -> None:
    line = "go list -json -compiled -deps=true .\n"
    whole = "First the cache is made.\n" + 20 * line + "Then all of them are awaited.\n"
    parts = ["First the cache is made.\n" + 9 * line, 9 * line, "Then all of them are awaited.\n"]
    copies = [Document(id="a.txt", uri="/srv/a.txt", section=str(at), text=part) for at, part in enumerate(parts)]
    found = index_lag(Catalog([Document(id="a.txt", uri="/srv/a.txt", text=whole)]), copies, NOW)
    assert (found.same, found.lagging) == (1, ())


def test_a_file_without_its_folder_is_a_copy_of_that_which_is_spelled_like_it() -> None:
    places = ("audio/DEBUG.md", "web/Debug.md")
    source = [Document(id=place, uri=f"/srv/{place}", text=text(place, 14 + at)) for at, place in enumerate(places)]
    kept = [Document(id=name, uri=f"/srv/{name}", text=text(name)) for name in NAMES]
    copies = [
        Document(id="DEBUG.md", uri="DEBUG.md", text=text("audio/DEBUG.md", 30)),
        Document(id="Debug.md", uri="Debug.md", text=text("web/Debug.md", 15)),
        *(Document(id=name, uri=f"/srv/{name}", text=text(name)) for name in NAMES),
    ]
    found = index_lag(Catalog([*source, *kept]), copies, NOW)
    assert [(one.id, one.kind, one.source) for one in found.lagging] == [("DEBUG.md", "outdated", "audio/DEBUG.md")]


def test_a_removed_file_is_not_taken_for_one_that_is_spelled_otherwise_and_has_its_copy() -> None:
    source = [Document(id=name, uri=f"/srv/{name}", text=text(name)) for name in (*NAMES, "web/Debug.md")]
    copies = [Document(id=name, uri=f"/srv/{name}", text=text(name)) for name in NAMES]
    copies += [
        Document(id=name, uri=name, text=text(place))
        for name, place in (("DEBUG.md", "audio"), ("Debug.md", "web/Debug.md"))
    ]
    found = index_lag(Catalog(source), copies, NOW)
    assert [(one.id, one.kind) for one in found.lagging] == [("DEBUG.md", "removed")]
    alone = index_lag(
        Catalog(source), [*copies[:-2], Document(id="DEBUG.MD", uri="DEBUG.MD", text=text("web/Debug.md"))], NOW
    )
    assert alone.lagging == ()


def test_pages_whose_words_a_loader_ran_together_are_compared_word_for_word() -> None:
    pages = {
        f"{city}.html": f"{city} grants 30 days Rome grants {days} days" for days, city in enumerate(("Bonn", "Ulm"))
    }
    source = [entry(name, text=said) for name, said in pages.items()]
    copies = [
        [Document(id=f"/srv/docs/{name}", uri=f"/srv/docs/{name}", text=said.replace("days Rome", "daysRome"))]
        for name, said in pages.items()
    ]
    assert compare(source, *copies).same == 2
    changed = [entry(name, text=said.replace("30", "14") if "Ulm" in said else said) for name, said in pages.items()]
    assert kinds(compare(changed, *copies)) == {"Ulm.html": "outdated"}


def test_a_copy_without_the_front_matter_is_a_copy_of_the_whole() -> None:
    source = [entry(name, text=f"---\ntitle: {name}\nowner: hr\n---\n{text(name)}") for name in NAMES[:2]]
    copied = index_lag(Catalog(source), [*chunks(NAMES[0]), *chunks(NAMES[1], days=14)], NOW)
    assert (copied.same, kinds(copied)) == (1, {NAMES[1]: "outdated"})


def test_pages_whose_markup_a_loader_kept_are_compared_by_what_is_seen_of_them() -> None:
    seen = {
        f"{city}.html": f"{city} grants 30 days Rome grants {days} days" for days, city in enumerate(("Bonn", "Ulm"))
    }
    source = [entry(name, text=said, modified_at=None) for name, said in seen.items()]
    raw = {name: f"<p class=a>{said.replace('days Rome', 'days</p><p>Rome')}</p>" for name, said in seen.items()}

    def cut(name: str, said: str) -> list[Document]:
        half = said.index("class") + 3
        return [
            Document(id=f"/srv/docs/{name}", section=str(at), text=part)
            for at, part in enumerate((said[:half], said[half:]))
        ]

    assert compare(source, *(cut(name, said) for name, said in raw.items())).same == 2
    scripted = {name: f"<script>let class = '{name}'</script>{said}" for name, said in raw.items()}
    found = compare(source, *(cut(name, said) for name, said in {**raw, "Ulm.html": scripted["Ulm.html"]}.items()))
    assert (found.same, found.uncompared, kinds(found)) == (1, 1, {})
