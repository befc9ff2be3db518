"""What is said of an answer before anybody reads it: the worst that is found, with what it was found at."""

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Passage
from scorers.base import Env
from scorers.catalog import Catalog, Document
from scorers.verification import ORDER, Successor, verify

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENV = Env(now=NOW)
LIMIT = Passage(id="p", text="Hotels cost up to 180 EUR a night.")
OLD = Passage(id="old", doc_id="TRV-1", version="2", text="Hotels cost up to 150 EUR a night.")
NEW = Passage(id="new", doc_id="TRV-1", version="3", text="Hotels cost up to 180 EUR a night.", supersedes=("TRV-1@2",))
EXPIRED = OLD.model_copy(update={"effective_to": datetime(2025, 3, 1, tzinfo=UTC)})
NOTICE = (Passage(id="a", text="The notice period is 30 days."), Passage(id="b", text="The notice period is 60 days."))
SECRET = LIMIT.model_copy(update={"permitted": ("board",)})
CATALOG = Catalog(
    [
        Document(id="TRV-1", version="2", text=OLD.text),
        Document(id="TRV-1", version="3", text=NEW.text, supersedes=("TRV-1@2",)),
    ]
)


def said(text, *passages, question="What may a hotel cost?", env=ENV, **more):
    return verify(Answer(id="x", question=question, answer=text, passages=passages, **more), env)


@pytest.mark.parametrize(
    ("text", "passages", "verdict"),
    [
        ("Up to 180 EUR a night.", (LIMIT,), "supported"),
        ("Up to 250 EUR a night.", (LIMIT,), "contradicted"),
        ("Breakfast is free of charge for managers.", (LIMIT,), "unsupported"),
        ("Up to 180 EUR a night.", (), "unsupported"),
        ("Hotels cost up to 150 EUR a night.", (OLD, NEW), "superseded"),
        ("Hotels cost up to 180 EUR a night.", (OLD, NEW), "supported"),
        ("Hotels cost up to 150 EUR a night.", (EXPIRED,), "stale"),
        ("I do not know.", (LIMIT,), "undetermined"),
        (None, (LIMIT,), "usable"),
        (None, (OLD, NEW), "superseded"),
        (None, (EXPIRED,), "stale"),
    ],
)
def test_the_worst_that_is_found_is_the_verdict(text, passages, verdict):
    found = said(text, *passages)
    assert found.verdict == verdict
    assert found.safe == (verdict in ("supported", "usable"))
    assert bool(found.reasons) == (verdict not in ("supported", "usable", "undetermined"))


def test_where_only_contradictions_are_seen_they_are_told():
    limit = Passage(id="p", text="Hotels kosten bis zu 180 EUR pro Nacht.")
    found = said("Hotels kosten bis zu 250 EUR pro Nacht.", limit, question="Was darf ein Hotel kosten?")
    assert found.verdict == "contradicted"
    found = said("Hotels kosten bis zu 180 EUR pro Nacht.", limit, question="Was darf ein Hotel kosten?")
    assert found.verdict == "undetermined"
    assert found.unjudged[0].startswith("support: not measured on German")


def test_what_governs_instead_is_named():
    found = said("Hotels cost up to 150 EUR a night.", OLD, env=Env(now=NOW, catalog=CATALOG))
    assert (found.verdict, found.superseded_by) == ("superseded", (Successor(doc_id="TRV-1", version="3"),))
    assert found.reasons[0].detail == "TRV-1@2 was superseded by TRV-1@3"
    assert (found.reasons[0].passage_id, found.reasons[0].doc_id, found.reasons[0].version) == ("old", "TRV-1", "2")


def test_a_side_taken_silently_in_a_conflict_is_told_with_both_sides():
    found = said("It is 30 days.", *NOTICE, question="What is the notice period?")
    assert found.verdict == "conflict"
    assert {reason.passage_id for reason in found.reasons} == {"a", "b"}
    named = said("It is 30 days by one policy and 60 days by another.", *NOTICE, question="What is the notice period?")
    assert named.verdict != "conflict"
    assert said(None, *NOTICE, question="What is the notice period?").verdict == "conflict"


def test_a_passage_that_the_asker_may_not_see_comes_before_everything_else():
    found = said("Up to 250 EUR a night.", SECRET, attributes={"asker_groups": "staff, leads"})
    assert found.verdict == "not_permitted"
    assert found.reasons[0].detail == "restricted to board; the asker is in none of these"
    assert [reason.verdict for reason in found.reasons] == ["not_permitted", "contradicted"]
    assert said("Up to 180 EUR a night.", SECRET, attributes={"asker_groups": "board"}).verdict == "supported"


def test_whom_the_catalog_restricts_a_document_to_counts_where_its_passage_says_nothing():
    env = Env(now=NOW, catalog=Catalog([Document(id="SEC-1", version="1", permitted=("board",), text=LIMIT.text)]))
    named, unnamed = LIMIT.model_copy(update={"doc_id": "SEC-1"}), LIMIT
    for passage in (named, unnamed, named.model_copy(update={"permitted": ("staff",)})):
        found = said("Up to 180 EUR a night.", passage, env=env, attributes={"asker_groups": "staff"})
        assert found.verdict == "not_permitted"
        assert [reason.detail for reason in found.reasons] == ["restricted to board; the asker is in none of these"]
    assert said("Up to 180 EUR a night.", named, env=env, attributes={"asker_groups": "board"}).verdict == "supported"
    assert "permission: passages are restricted" in said("Up to 180 EUR a night.", named, env=env).unjudged[0]


def test_an_answer_that_copies_one_of_two_limits_takes_its_side():
    limits = (LIMIT, Passage(id="q", text="Hotels cost up to 150 EUR a night."))
    assert said("Hotels cost up to 180 EUR a night.", *limits).verdict == "conflict"
    assert said("Hotels cost up to 180 or 150 EUR a night.", *limits).verdict != "conflict"


def test_what_could_not_be_judged_is_said_and_is_no_all_clear():
    found = said("Up to 180 EUR a night.", SECRET)
    assert "permission: passages are restricted, and asker_groups is not given" in found.unjudged
    assert any(each.startswith("currency: ") for each in found.unjudged)


def test_reasons_stand_the_worst_first():
    found = said("Hotels cost up to 150 EUR a night.", OLD, NEW)
    places = [ORDER.index(reason.verdict) for reason in found.reasons]
    assert places == sorted(places)


CHECKED_OUT = datetime(2025, 12, 1, tzinfo=UTC)
FILES = Catalog([Document(id="travel.md", text="Hotels cost up to 160 EUR a night.", modified_at=CHECKED_OUT)])
COPY = Passage(
    id="c",
    doc_id="travel.md",
    text="Hotels cost up to 120 EUR a night.",
    modified_at=datetime(2024, 6, 12, tzinfo=UTC),
)


@pytest.mark.parametrize("text", ["Hotels cost up to 120 EUR a night.", None])
def test_what_rests_on_an_older_copy_than_the_source_has_is_stale(text):
    found = said(text, COPY, env=Env(now=NOW, catalog=FILES))
    assert found.verdict == "stale"
    assert found.reasons[0].detail == (
        "travel.md says 'cost up to 160 eur a night', the copy of 2024-06-12 'cost up to 120 eur a night'"
    )
    assert not any(each.startswith("currency") for each in found.unjudged)


@pytest.mark.parametrize("text", ["Hotels cost up to 120 EUR a night.", None])
def test_a_copy_that_cannot_be_compared_is_of_unknown_currency(text):
    undated = COPY.model_copy(update={"modified_at": None})
    (currency,) = said(text, undated, env=Env(now=NOW, catalog=FILES)).unjudged
    assert currency == (
        "currency: unknown for 1 of 1 passages: travel.md says 'cost up to 160 eur a night', "
        "the copy 'cost up to 120 eur a night', and no date tells which is older"
    )
    silent = Catalog([Document(id="travel.md")])
    (currency,) = said(text, undated, env=Env(now=NOW, catalog=silent)).unjudged
    assert currency == (
        "currency: unknown for 1 of 1 passages: missing effective dates or supersession: the catalog lists travel.md "
        "without; see index_copy_outdated"
    )


def test_a_copy_that_stands_in_the_source_is_known_to_be_current():
    now = COPY.model_copy(update={"text": "Hotels cost up to 160 EUR a night."})
    found = said("Hotels cost up to 160 EUR a night.", now, env=Env(now=NOW, catalog=FILES))
    assert (found.verdict, found.unjudged) == ("supported", ())
