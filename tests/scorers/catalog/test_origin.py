"""Which of several entries at one URI a passage comes from, whatever the order in which they are listed."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.documents.passages import RetrievedDocument as Reported
from adapters.documents.passages import passage_of
from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Env, Score
from scorers.catalog import Catalog, Document
from scorers.catalog.learned import Lore
from scorers.catalog.listing import MAX_SHARING
from scorers.catalog.origin import origin
from scorers.catalog.packing import Packer
from scorers.catalog.place import EntryPlace
from scorers.catalog.stored import catalog_of

NOW = datetime(2026, 5, 4, tzinfo=UTC)
CHANGED = datetime(2026, 1, 1, tzinfo=UTC)
PAGE = "https://docs.example.com/policy/refunds"
OLD = "Refunds are paid within 30 days of the purchase. Keep the receipt."
NEW = "Refunds are paid within 14 days of the purchase. Keep the receipt."
V3 = Document(id="REF", version="3", uri=PAGE, effective_to=CHANGED, checksum="c3", text=OLD)
V4 = Document(id="REF", version="4", uri=PAGE, effective_from=CHANGED, checksum="c4", text=NEW)
UNCLEAR = f"REF@3 and REF@4 share the URI {PAGE}; the passage does not say which one it comes from"


def stored(entries: list[Document]) -> Catalog:
    packer = Packer()
    for number, document in enumerate(entries, 1):
        packer.add(document, EntryPlace("c", number))
    return catalog_of(packer.packed())


def loaded(text: str | None, **metadata: object) -> Passage:
    """Return a passage as a loader reports it that knows where a chunk is from, and nothing of versions."""
    return passage_of(Reported(0, text=text, metadata=metadata), id="chunk-17", stage=None, rank=0)


def references(passage: Passage, *entries: Document) -> set[tuple[str | None, str]]:
    """Return reference and reason over every order of the entries, in memory and packed."""
    found = set()
    for order in permutations(entries):
        for catalog in (Catalog(order), stored(list(order))):
            document, unclear, *_ = origin(passage, catalog)
            found.add((document.reference if document else None, unclear))
    return found


HOTEL_LIMIT = "Hotels cost up to 180 EUR a night, and breakfast is paid on top of that."
HOTELS = Document(id="TRV-1", version="3", uri="file:///srv/docs/travel.md", text=HOTEL_LIMIT)


@pytest.mark.parametrize("doc_id", ["/srv/docs/travel.md", "file:///srv/docs/travel.md", "/srv/docs/travel.md#page=2"])
def test_a_document_id_that_is_a_path_is_the_place_of_a_passage_without_a_uri(doc_id: str) -> None:
    assert references(Passage(id="c", doc_id=doc_id, text="Hotels."), HOTELS) == {("TRV-1@3", "")}
    elsewhere = Passage(id="c", doc_id=doc_id, uri="https://docs.test/other", text="Hotels.")
    assert references(elsewhere, HOTELS) == {(None, "")}


@pytest.mark.parametrize("doc_id", ["travel.md", "/mnt/share/travel.md"])
def test_a_document_id_that_is_a_file_elsewhere_is_known_by_its_name_and_its_text(doc_id: str) -> None:
    assert references(Passage(id="c", doc_id=doc_id, text=HOTEL_LIMIT), HOTELS) == {("TRV-1@3", "")}
    assert references(Passage(id="c", doc_id=doc_id, text="Something else."), HOTELS) == {(None, "")}


@pytest.mark.parametrize("field", ["doc_id", "uri"])
def test_a_path_without_its_beginning_means_the_one_document_whose_place_ends_so(field: str) -> None:
    listed = Document(id="passwords.md", uri="/srv/kb/handbook/passwords.md", text="Passwords have 14 characters.")
    stale = Passage.model_validate({"id": "c", field: "handbook/passwords.md", "text": "Passwords have 8 characters."})
    assert references(stale, listed) == {("passwords.md", "")}
    other = Document(id="old/passwords.md", uri="/srv/kb/old/handbook/passwords.md")
    assert references(stale, listed, other) == {(None, "")}, "two files lie so"
    beside = Document(id="it/passwords.md", uri="/srv/kb/it/passwords.md")
    assert references(stale, listed, beside) == {("passwords.md", "")}
    assert references(stale.model_copy(update={field: "passwords.md"}), beside) == {(None, "")}, (
        "a name alone is no path"
    )
    assert references(stale.model_copy(update={field: "/mnt/handbook/passwords.md"}), listed) == {(None, "")}


def test_a_path_leads_to_the_entry_that_was_listed_below_a_base() -> None:
    listed = Document(id="passwords.md", uri="handbook/passwords.md")
    assert references(Passage(id="c", doc_id="/srv/kb/handbook/passwords.md"), listed) == {("passwords.md", "")}


def test_a_document_id_that_is_a_path_and_is_listed_is_an_id() -> None:
    listed = Document(id="/srv/docs/travel.md", version="1", text="Old.")
    assert references(Passage(id="c", doc_id=listed.id, version="1"), HOTELS, listed) == {(listed.reference, "")}


def scores(answer: str, passage: Passage, *entries: Document) -> list[dict[str, object]]:
    """Return what freshness says, for every order of the entries."""
    names = ("stale_source_use", "temporal_validity", "index_lag_days", "source_age_days", "admissible")
    found = []
    for order in permutations(entries):
        asked = Answer(id="a", question="When are refunds paid?", answer=answer, passages=(passage,))
        evaluation = run_panel(default_panel(), asked, Env(now=NOW, catalog=Catalog(order)))
        values = {one.metric: one.value for one in evaluation.scores if one.metric in names}
        values |= {one.metric: one.detail for one in evaluation.unscored if one.metric in names}
        found.append(values)
    return found


@pytest.mark.parametrize(
    ("passage", "reference"),
    [
        (loaded(OLD, source=PAGE), "REF@3"),
        (loaded(NEW, url=PAGE), "REF@4"),
        (loaded("refunds are paid   within 14 DAYS", source=PAGE), "REF@4"),
        (loaded("Anything.", source=PAGE, content_hash="c3"), "REF@3"),
        (loaded(NEW, source=PAGE, content_hash="c3"), "REF@3"),
        (loaded("Anything.", source=PAGE, version=4), "REF@4"),
        (loaded("Keep the receipt.", source=PAGE, effective_from="2026-01-01"), "REF@4"),
        (loaded("Anything.", source=PAGE, valid_until="2025-12-31"), "REF@3"),
        (loaded(None, source=PAGE, version="3"), "REF@3"),
        (loaded(NEW, source=f"{PAGE}/"), "REF@4"),
        (loaded(NEW, source=f"{PAGE}#when"), "REF@4"),
    ],
)
def test_what_a_passage_carries_tells_which_version_of_a_page_it_is_from(passage: Passage, reference: str) -> None:
    assert references(passage, V3, V4) == {(reference, "")}


@pytest.mark.parametrize(
    "passage",
    [
        loaded("Keep the receipt.", source=PAGE),  # in both
        loaded("Refunds go to the card that was used.", source=PAGE),  # in neither
        loaded("Refunds are paid within 4 days", source=PAGE),  # 4 is no part of 14
        loaded(None, source=PAGE),
        loaded("", source=PAGE),
        loaded("Anything.", source=PAGE, version="9", content_hash="c9", effective_from="2020-01-01"),
    ],
)
def test_a_passage_that_carries_nothing_of_the_kind_is_from_neither(passage: Passage) -> None:
    assert references(passage, V3, V4) == {(None, UNCLEAR)}


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("nds are paid within 30 days of the purch", "REF@3"),
        ("paid within 14 days of the purchase. Ke", "REF@4"),
        ("days of the purch", None),
        ("are paid within 3", None),
        ("4 days of the purch", None),
        ("in 14 d", None),
    ],
)
def test_a_passage_that_was_cut_within_a_word_is_from_where_it_was_cut_but_a_piece_of_a_figure_tells_nothing(
    text: str, reference: str | None
) -> None:
    found = origin(Passage(id="c", uri=PAGE, text=text), Catalog([V3, V4])).document
    assert (found and found.reference) == reference


def test_a_text_decides_nothing_while_that_of_another_version_is_not_known() -> None:
    silent = V4.model_copy(update={"text": None})
    assert references(loaded(OLD, source=PAGE), V3, silent) == {(None, UNCLEAR)}


def test_an_old_and_a_new_copy_of_an_overwritten_page_are_judged_as_what_they_are_in_both_orders() -> None:
    stale = scores("Refunds are paid within 30 days.", loaded(OLD, source=PAGE), V3, V4)
    fresh = scores("Refunds are paid within 14 days.", loaded(NEW, source=PAGE), V3, V4)
    assert stale[0] == stale[1]
    assert fresh[0] == fresh[1]
    assert [found["stale_source_use"] for found in (stale[0], fresh[0])] == [1.0, 0.0]
    assert [found["temporal_validity"] for found in (stale[0], fresh[0])] == [0.0, 1.0]
    assert [found["index_lag_days"] for found in (stale[0], fresh[0])] == [123.0, 0.0]
    assert [found["admissible"] for found in (stale[0], fresh[0])] == [0.0, 1.0]


def test_what_cannot_be_told_is_unscored_and_says_which_entries_share_the_uri() -> None:
    first, second = scores("Keep the receipt.", loaded("Keep the receipt.", source=PAGE), V3, V4)
    assert first == second
    assert first["stale_source_use"] == f"effective dates or supersession: {UNCLEAR}"
    assert first["temporal_validity"] == f"effective dates or supersession: {UNCLEAR}"
    assert first["index_lag_days"] == f"passages whose version the catalog tells: {UNCLEAR}"
    assert first["source_age_days"] == f"dates of the passages: {UNCLEAR}"
    assert first["admissible"] == 0.0, "one of the two no longer governs, and nothing says that it is the other"


def test_documents_that_share_a_file_and_all_govern_leave_a_passage_admissible() -> None:
    books = [Document(id=name, uri="handbook.pdf", text=f"About {name}.") for name in ("leave", "travel")]
    said = "Forms are signed by hand."
    (first, second) = scores(said, loaded(said, source="handbook.pdf"), *books)
    assert first == second
    assert first["admissible"] == 1.0
    assert "leave and travel share the URI handbook.pdf" in str(first["stale_source_use"])


def test_a_passage_that_names_a_document_without_its_version_is_told_apart_the_same_way() -> None:
    old = Passage(id="c", doc_id="REF", text=OLD)
    assert references(old, V3, V4) == {("REF@3", "")}
    ((reference, unclear),) = references(Passage(id="c", doc_id="REF", text="Keep the receipt."), V3, V4)
    assert reference is None
    assert unclear.startswith("REF@3 and REF@4 are versions of REF; the passage does not say which")


def test_a_version_that_is_not_listed_is_never_taken_for_the_one_at_its_uri() -> None:
    assert references(Passage(id="c", doc_id="REF", version="7", uri=PAGE, text=OLD), V3, V4) == {(None, "")}


def test_a_checksum_that_two_documents_have_is_settled_by_the_uri_or_not_at_all() -> None:
    one = Document(id="DE", uri="s3://de/notice.txt", checksum="same", text="Closed on Sundays.")
    other = Document(id="FR", uri="s3://fr/notice.txt", checksum="same", text="Closed on Sundays.")
    assert references(loaded("x", source="s3://fr/notice.txt", sha256="same"), one, other) == {("FR", "")}
    ((reference, unclear),) = references(loaded("x", sha256="same"), one, other)
    assert (reference, unclear.split(";")[0]) == (None, "DE and FR share the checksum of the passage")


def test_a_query_and_a_bucket_tell_two_places_apart_and_a_place_on_the_page_does_where_the_catalog_has_it() -> None:
    asked = [Document(id="REF", version=v, uri=f"{PAGE}?v={v}", text="The same.") for v in "34"]
    assert references(loaded("The same.", source=f"{PAGE}?v=4"), *asked) == {("REF@4", "")}
    assert references(loaded("The same.", source=PAGE), *asked) == {(None, "")}
    buckets = [Document(id=name, uri=f"s3://{name}/policy/refunds") for name in "ab"]
    assert references(loaded("x", source="s3://b/policy/refunds"), *buckets) == {("b", "")}
    parts = [Document(id=name, uri=f"https://docs.test/handbook#{name}") for name in ("leave", "travel")]
    assert references(loaded("x", source="https://docs.test/handbook#travel"), *parts) == {("travel", "")}
    assert references(loaded("x", source="https://docs.test/handbook#pay"), *parts) == {(None, "")}
    routes = [Document(id=name, uri=f"https://app.test/#/{name}") for name in ("leave", "travel")]
    assert references(loaded("x", source="https://app.test/#/leave/"), *routes) == {("leave", "")}


def test_another_version_elsewhere_on_the_page_counts_and_another_document_there_does_not() -> None:
    whole, part = V3, V4.model_copy(update={"uri": f"{PAGE}#when"})
    other = Document(id="GIFT", uri=f"{PAGE}#gifts", text="Gift cards expire.")
    assert references(loaded(NEW, source=PAGE), whole, part, other) == {("REF@4", "")}
    assert references(loaded("Keep the receipt.", source=PAGE), whole, part, other) == {(None, UNCLEAR)}


def test_sections_of_one_version_at_one_uri_are_that_version_and_named_ones_are_found() -> None:
    parts = [Document(id="MAN", version="1", section=name, uri="man.pdf", authority=0.1) for name in "abc"]
    assert references(loaded("x", source="man.pdf"), *parts) == {("MAN@1", "")}
    found = {
        origin(loaded("x", source="man.pdf", section="b"), Catalog(order)).document for order in permutations(parts)
    }
    assert found == {parts[1]}
    first = {origin(loaded("x", source="man.pdf"), Catalog(order)).document for order in permutations(parts)}
    assert first == {parts[0]}, "by name, not by the order in which they are listed"


def test_more_versions_than_are_told_apart_leave_it_unknown() -> None:
    many = [Document(id="LOG", version=str(n), uri="log.txt", text=f"Entry {n}.") for n in range(MAX_SHARING + 1)]
    found = [origin(loaded("Entry 7.", source="log.txt"), catalog) for catalog in (Catalog(many), stored(many[::-1]))]
    assert [one.document for one in found] == [None, None]
    assert found[0].unclear.startswith("LOG@0, LOG@1, LOG@10 and 198 more share the URI log.txt")
    assert found[0].unclear == found[1].unclear


def test_versions_learned_from_passages_at_one_uri_are_told_apart_by_what_was_learned_of_them() -> None:
    lore = Lore(limit=10)
    known = [
        Passage(id="p", doc_id="REF", version="3", uri=PAGE, checksum="c3", effective_to=CHANGED, text=OLD),
        Passage(id="q", doc_id="REF", version="4", uri=PAGE, checksum="c4", effective_from=CHANGED, text=NEW),
    ]
    for passage in known:
        lore.learn(Answer(id="a", passages=(passage,)))
    learned = lore.documents()
    assert references(loaded("x", source=PAGE, checksum="c3"), *learned) == {("REF@3", "")}
    assert references(loaded("x", source=PAGE, valid_from="2026-01-01"), *learned) == {("REF@4", "")}
    assert references(loaded(NEW, source=PAGE), *learned) == {(None, UNCLEAR)}, "texts are not learned"


texts = st.none() | st.lists(
    st.sampled_from(["Refunds take 30 days.", "Refunds take 14 days.", "Keep the receipt.", "Gift cards expire."]),
    max_size=3,
).map(" ".join)
instants = st.none() | st.sampled_from([CHANGED, NOW - timedelta(days=9), NOW + timedelta(days=9)])
places = st.none() | st.sampled_from([PAGE, f"{PAGE}/", f"{PAGE}#when", f"{PAGE}?v=3", "s3://a/x"])
checksums = st.none() | st.sampled_from(["c1", "c2"])
catalogs = st.lists(
    st.builds(
        lambda start, end, **values: Document(
            effective_from=start, effective_to=end if end and (not start or start < end) else None, **values
        ),
        instants,
        instants,
        id=st.sampled_from(["REF", "GIFT"]),
        version=st.none() | st.sampled_from(["3", "4"]),
        section=st.none() | st.sampled_from(["when", "how"]),
        text=texts,
        uri=places,
        checksum=checksums,
        authority=st.none() | st.sampled_from([0.2, 0.9]),
        role=st.none() | st.sampled_from(["exception", "governing"]),
        supersedes=st.sampled_from([(), ("3",), ("REF@3",), ("GIFT",)]),
    ),
    max_size=6,
    unique_by=lambda document: (document.id, document.version, document.section),
)
passages = st.builds(
    Passage,
    id=st.sampled_from(["c1", "c2", "REF@3", "c3"]),
    doc_id=st.none() | st.sampled_from(["REF", "GIFT", "REF@4"]),
    version=st.none() | st.sampled_from(["3", "4", "5"]),
    section=st.none() | st.sampled_from(["when", "how"]),
    text=texts,
    uri=places,
    checksum=checksums,
    effective_from=instants,
)


@given(
    st.lists(passages, max_size=4, unique_by=lambda passage: passage.id),
    texts,
    catalogs,
    st.randoms(use_true_random=False),
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_score_depends_on_the_order_in_which_a_catalog_lists_its_entries(
    given_: list[Passage], said: str | None, entries: list[Document], order: random.Random
) -> None:
    answer = Answer(id="a", question="How long do refunds take?", answer=said, passages=tuple(given_))
    shuffled = list(entries)
    order.shuffle(shuffled)
    found = [
        run_panel(default_panel(), answer.model_copy(), Env(now=NOW, catalog=make(listed)))
        for make, listed in ((Catalog, entries), (Catalog, shuffled), (stored, shuffled))
    ]
    for other in found[1:]:
        assert {one.metric: one.value for one in other.scores} == pytest.approx(
            {one.metric: one.value for one in found[0].scores if isinstance(one, Score)}
        )
        assert other.unscored == found[0].unscored


TRAVEL = "Hotels are paid up to 180 EUR a night. Trains are booked in second class. Taxis need a receipt and a reason."
RAISED = TRAVEL.replace("180", "210")
MEALS = "Meals on business trips are paid at 35 EUR a day, and half of it on the day of departure and of return."
FILE = "https://intranet.test/policies/travel.pdf"
T1 = Document(id="TRV", version="1", uri=FILE, effective_to=CHANGED, text=TRAVEL)
T2 = Document(id="TRV", version="2", uri=FILE, effective_from=CHANGED, text=RAISED)
M1 = Document(id="MEAL", version="1", uri="https://intranet.test/policies/meals.pdf", text=MEALS)
CHUNK = "Hotels are paid up to 210 EUR a night. Trains are booked in second class."


@pytest.mark.parametrize(
    ("passage", "reference"),
    [
        (loaded(CHUNK, source="/mnt/share/2026/travel.pdf", page=3), "TRV@2"),
        (loaded(CHUNK, source="C:\\docs\\Travel.PDF"), "TRV@2"),
        (loaded(CHUNK, source="HTTP://Intranet.test:80/policies/travel.pdf#page=2"), "TRV@2"),
        (loaded(f"Travel policy  Page 3 of 9 {CHUNK}", source="/mnt/travel.pdf"), "TRV@2"),
        (loaded(CHUNK.replace("second class", "sec- ond class"), source="/mnt/travel.pdf"), "TRV@2"),
        (loaded(CHUNK), "TRV@2"),
        (loaded(MEALS[:80]), "MEAL@1"),
        (loaded(MEALS, source="https://elsewhere.test/travel.pdf"), "MEAL@1"),
    ],
)
def test_a_chunk_of_a_moved_file_or_of_none_is_told_by_what_it_says(passage: Passage, reference: str) -> None:
    assert references(passage, T1, T2, M1) == {(reference, "")}


@pytest.mark.parametrize(
    "passage",
    [
        loaded("Taxis need a receipt.", source="/mnt/travel.pdf"),  # too short to tell
        loaded("Flights are booked in economy class by the travel desk alone.", source="/mnt/travel.pdf"),
        loaded("Hotels of partners are booked by the assistant of the partner who travels.", source="/mnt/x.pdf"),
        loaded(None, source="/mnt/travel.pdf"),
    ],
)
def test_a_file_of_the_same_name_alone_tells_nothing(passage: Passage) -> None:
    assert references(passage, T1, T2, M1) == {(None, "")}


def test_a_chunk_that_both_versions_hold_is_unclear() -> None:
    passage = loaded("Trains are booked in second class. Taxis need a receipt and a reason.", source="/mnt/travel.pdf")
    unclear = "TRV@1 and TRV@2 are files called travel.pdf; the passage does not say which one it comes from"
    assert references(passage, T1, T2, M1) == {(None, unclear)}
    dated = passage.model_copy(update={"effective_from": CHANGED})
    assert references(dated, T1, T2, M1) == {("TRV@2", "")}


@pytest.mark.parametrize(
    ("listed", "retrieved"),
    [
        ("s3://kb/hr/a.pdf", "https://kb.s3.eu-west-1.amazonaws.com/hr/a.pdf?X-Amz-Date=1&X-Amz-Signature=c"),
        ("https://s3.eu-west-1.amazonaws.com/kb/hr/a.pdf", "s3a://kb/hr/a.pdf"),
        (
            "https://kb.s3.amazonaws.com/a.pdf",
            "https://kb.s3.amazonaws.com/a.pdf?AWSAccessKeyId=k&Expires=1&Signature=c",
        ),
        ("gs://kb/a.pdf", "https://storage.googleapis.com/kb/a.pdf?X-Goog-Signature=c"),
        (
            "https://a.blob.core.windows.net/c/a b.pdf",
            "https://a.blob.core.windows.net/c/a%20b.pdf?sv=2&se=3&sig=c%3D#page=2",
        ),
        ("https://t.sharepoint.com/hr/a.docx", "https://t.sharepoint.com/hr/a.docx?d=w0b&csf=1&web=1"),
        ("https://docs.test/a?id=3", "https://docs.test/a?utm_source=mail&id=3"),
        ("/srv/kb/hr/a.md", "hr\\a.md"),
    ],
)
def test_how_an_object_is_fetched_or_who_led_to_it_is_no_part_of_where_it_lies(listed: str, retrieved: str) -> None:
    catalog = Catalog([Document(id="A", uri=listed), Document(id="B", uri="https://docs.test/b")])
    assert [origin(Passage(id="p", uri=uri), catalog).document for uri in (listed, retrieved)] == [
        catalog.documents[0]
    ] * 2


@pytest.mark.parametrize(
    "retrieved",
    [
        "https://docs.test/a?policy=leave",
        "https://docs.test/a?sig=1",
        "https://kb.s3-website-eu-west-1.amazonaws.com/a",
        "https://storage.test/a",
    ],
)
def test_what_a_query_asks_for_and_a_host_that_is_no_store_tell_documents_apart(retrieved: str) -> None:
    listed = [Document(id=uri, uri=uri) for uri in ("https://docs.test/a", "s3://kb/a", "gs://kb/a")]
    assert origin(Passage(id="p", uri=retrieved), Catalog(listed)).document is None
