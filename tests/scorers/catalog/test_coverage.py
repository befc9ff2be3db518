"""How much of what is retrieved a catalog lists, by what, and which keys would lead there."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.catalog import Catalog, Document
from scorers.catalog.coverage import JOINS, MAX_KEYS, MAX_NAMES, TOP, CatalogCoverage, CoverageCount
from scorers.catalog.lag import LaggingDocument
from scorers.catalog.served import ServedCount

TEXT = "The hotel limit is 180 EUR a night, breakfast included, in every city of the country of {}."
CATALOG = Catalog(
    [
        Document(id=name, version="1", uri=f"/srv/{name}.md", checksum=f"sum-{name}", text=TEXT.format(name))
        for name in ("alpha", "beta")
    ]
)


def covered(*passages: Passage, catalog: Catalog = CATALOG) -> CatalogCoverage:
    count = CoverageCount(catalog)
    count.add(Answer(id="a", passages=passages))
    return count.result()


def unmatched(**metadata: Any) -> Passage:
    return Passage(id="p", uri="elsewhere", metadata=metadata)


def test_an_empty_catalog_is_said_to_learn_from_passages_that_name_their_document() -> None:
    (advice,) = covered(unmatched(document="LAB-3", rev="7"), catalog=Catalog()).advice
    assert "map traces.passages.doc_id to the key that holds its id (there are document, rev)" in advice


def test_each_way_of_joining_is_counted_under_its_name() -> None:
    found = covered(
        Passage(id="1", doc_id="alpha", version="1"),
        Passage(id="alpha@1"),
        Passage(id="2", checksum="sum-beta"),
        Passage(id="3", uri="file:///srv/beta.md"),
        Passage(id="4", uri="/mnt/other/beta.md", text=TEXT.format("beta")),
        Passage(id="5", text=TEXT.format("alpha")),
        Passage(id="6", text="Something else altogether."),
    )
    assert found.joins == {"id": 2, "checksum": 1, "uri": 1, "file_name": 1, "text": 1}
    assert (found.matched, found.unclear, found.unmatched, found.passages) == (6, 0, 1, 7)
    assert found.share == 6 / 7


def test_versions_that_cannot_be_told_apart_are_no_match_and_say_what_helps() -> None:
    two = Catalog([Document(id="T", version=version, uri="/srv/t.md") for version in "12"])
    found = covered(Passage(id="1", uri="/srv/t.md"), catalog=two)
    assert (found.matched, found.unclear, found.unmatched) == (0, 1, 0)
    (line,) = found.advice
    assert line.startswith("1 of 1 passages may come from several versions or documents: map traces.passages.version")


def test_a_key_whose_values_are_ids_places_or_checksums_of_entries_is_to_be_mapped() -> None:
    found = covered(
        unmatched(Nummer="alpha", Ort="/srv/alpha.md", Summe="sum-alpha", Titel="Hotels"),
        unmatched(Nummer="beta", deep={"Ort": {"path": "/srv/beta.md"}}),
    )
    fields = {one.key: (one.field, one.would_match) for one in found.keys}
    assert fields == {
        "Nummer": ("doc_id", 2),
        "Ort": ("uri", 1),
        "Summe": ("checksum", 1),
        "deep.Ort.path": ("uri", 1),
        "Titel": (None, 0),
    }
    assert found.advice[0].startswith("map traces.passages.doc_id to Nummer: ")
    assert len(found.advice) == 3, "one key for each field"


def test_a_version_that_is_not_listed_is_told_as_such_and_maps_no_key_that_is_read_already() -> None:
    old = {"doc_id": "alpha", "source": "/srv/alpha.md"}
    found = covered(
        Passage(id="1", doc_id="alpha", version="0", uri="/srv/alpha.md", metadata=old),
        Passage(id="alpha", version="0"),
    )
    (line,) = found.advice
    assert line == (
        "2 of 2 unmatched passages, in 1 of 1 answers, are of documents that the catalog lists, and of versions that it"
        " does not, such as alpha@0: list these with their effective_to, or remove them from the index"
    )
    assert (found.unlisted_versions, found.unlisted_version_answers) == (2, 1)


def test_where_nothing_leads_to_the_catalog_its_sources_are_to_be_listed() -> None:
    (line,) = covered(unmatched(Titel="Hotels")).advice
    assert "list their source under catalog.sources" in line


def test_whatever_metadata_holds_is_bounded() -> None:
    wide = {f"key{number}": f"value{number}" for number in range(5_000)}
    deep: dict[str, Any] = {}
    for _ in range(40):
        deep = {"k": deep, "v": "alpha"}
    long = {"k" * 10_000: "alpha", "long": "x" * 10_000, "none": None, "list": ["alpha"], "flag": True}
    count = CoverageCount(CATALOG)
    for number, metadata in enumerate((wide, {"deep": deep}, long)):
        count.add(Answer(id=str(number), passages=(Passage(id="p", doc_id="d" * 9_000, metadata=metadata),)))
    for number in range(MAX_NAMES + 5):
        count.add(Answer(id=f"n{number}", passages=(Passage(id="p", doc_id=f"d{number}"),)))
    found = count.result()
    assert found.unmatched == MAX_NAMES + 8
    assert len(found.keys) == len(found.documents) == TOP
    assert len(count._keys) <= MAX_KEYS + 10
    assert len(count._documents) <= MAX_NAMES


PASSAGES = st.builds(
    Passage,
    id=st.sampled_from(["p", "alpha@1"]),
    doc_id=st.sampled_from([None, "alpha", "gamma"]),
    uri=st.sampled_from([None, "/srv/beta.md", "x"]),
    checksum=st.sampled_from([None, "sum-alpha", "other"]),
    metadata=st.dictionaries(st.sampled_from("abc"), st.sampled_from(["alpha", "/srv/beta.md", "z"]), max_size=3),
)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(PASSAGES, max_size=3), max_size=6), st.randoms())
def test_no_order_of_answers_changes_what_is_told(traffic: list[list[Passage]], chance: random.Random) -> None:
    answers = [Answer(id=str(number), passages=tuple(passages)) for number, passages in enumerate(traffic)]
    lagging = [
        LaggingDocument(id=name, uri=f"/srv/{name}.md", kind="outdated", detail="older") for name in ("alpha", "beta")
    ]
    said = []
    for _ in range(2):
        count, served = CoverageCount(CATALOG), ServedCount(lagging)
        for answer in answers:
            count.add(answer)
            served.add(answer)
        found = count.result()
        assert found.matched + found.unclear + found.unmatched == found.passages == sum(map(len, traffic))
        assert set(found.joins) == set(JOINS)
        said.append((found, served.worst(5)))
        chance.shuffle(answers)
    assert said[0] == said[1]


def test_documents_that_are_gone_from_where_the_others_lie_are_said_to_be_removed() -> None:
    listed = Catalog([Document(id=name, uri=f"/srv/kb/hr/{name}.md") for name in ("alpha", "beta")])
    gone, foreign = (Passage(id=uri, uri=uri, doc_id=uri) for uri in ("/srv/kb/hr/gone.md", "/mnt/x.md"))
    (line,) = covered(gone, catalog=listed).advice
    assert line.startswith("1 of 1 unmatched passages are of documents below /srv/kb/hr/, where the catalog has others")
    assert "such as /srv/kb/hr/gone.md: remove them from the index" in line
    first, second = covered(gone, foreign, catalog=listed).advice
    assert first.startswith("1 of 2 unmatched")
    assert second.startswith("no key of the metadata of 1 unmatched")
    for uri in ("/srv/{}.md", "https://docs.test/{}"):
        wide = Catalog([Document(id=name, uri=uri.format(name)) for name in ("alpha", "beta")])
        (line,) = covered(Passage(id="p", uri=uri.format("gone")), catalog=wide).advice
        assert line.startswith("no key")
