"""Stale source use: what an answer rests on, against what governed when it was asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from adapters.schema import Answer, Citation, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.freshness.stale_source_use import StaleSourceUse

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
OLD_TEXT = "The hotel limit is 150 EUR per night for domestic travel."
NEW_TEXT = "The hotel limit is 180 EUR per night for domestic travel."
SHARED = "Claims must be filed with the travel desk within 30 days."
NOW_ENV = Env(now=NOW)

old = Passage(id="v2", doc_id="TRV-1", version="2", text=OLD_TEXT, effective_to=NOW - DAY)
new = Passage(id="v3", doc_id="TRV-1", version="3", text=NEW_TEXT, effective_from=NOW - DAY)
catalog = Catalog(
    [
        Document(id="TRV-1", version="2", text=f"{OLD_TEXT} {SHARED}", effective_to=NOW - DAY),
        Document(id="TRV-1", version="3", text=f"{NEW_TEXT} {SHARED}", effective_from=NOW - DAY, supersedes=("2",)),
    ]
)


def judge(
    text: str,
    *passages: Passage,
    cites: str | None = None,
    context: tuple[str, ...] | None = None,
    env: Env = NOW_ENV,
    asked: datetime | None = None,
) -> Score | Unscored:
    marker = "" if cites is None else " [1]"
    citations = (
        None if cites is None else (Citation(start=len(text) + 1, end=len(text) + 4, marker="[1]", passage_id=cites),)
    )
    answer = Answer(
        id="a", answer=text + marker, passages=passages, context=context, citations=citations, started_at=asked
    )
    return StaleSourceUse().score(answer, env)


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_an_answer_from_the_old_version_is_stale_when_the_current_one_was_retrieved_too() -> None:
    result = judge(OLD_TEXT, old, new)
    assert value(result) == 1
    assert isinstance(result, Score)
    assert (result.basis, result.label) == ("passages", "stale")


def test_an_answer_from_the_current_version_is_not_stale_though_the_old_one_was_in_its_context() -> None:
    assert value(judge(NEW_TEXT, old, new)) == 0


def test_an_answer_from_the_old_version_is_stale_when_only_the_catalog_knows_the_current_one() -> None:
    env = Env(now=NOW, catalog=catalog)
    bare = Passage(id="x", doc_id="TRV-1", version="2", text=OLD_TEXT)
    result = judge(OLD_TEXT, bare, env=env)
    assert value(result) == 1
    assert isinstance(result, Score)
    assert result.basis == "catalog"


def test_the_evidence_names_the_stale_passage_and_what_should_have_been_used_with_its_text() -> None:
    result = judge(OLD_TEXT, old, env=Env(now=NOW, catalog=catalog))
    assert isinstance(result, Score)
    stale, should = result.evidence
    assert (stale.passage_id, stale.doc_id, stale.version) == ("v2", "TRV-1", "2")
    assert (stale.start, stale.end) == (0, len(OLD_TEXT))
    assert (should.kind, should.doc_id, should.version) == ("document", "TRV-1", "3")
    assert NEW_TEXT in should.detail
    assert result.explanation == "rests on TRV-1@2, while TRV-1@3 governed"


def test_the_evidence_points_at_the_retrieved_passage_where_there_was_one() -> None:
    result = judge(OLD_TEXT, old, new)
    assert isinstance(result, Score)
    assert result.evidence[1].passage_id == "v3"


def test_a_version_that_is_not_in_force_yet_does_not_make_todays_stale() -> None:
    today = old.model_copy(update={"effective_to": NOW + 9 * DAY})
    future = new.model_copy(update={"effective_from": NOW + 10 * DAY})
    assert value(judge(OLD_TEXT, today, future)) == 0


def test_the_time_asked_decides_not_the_time_scored() -> None:
    assert value(judge(OLD_TEXT, old, new, asked=NOW - 2 * DAY)) == 0
    assert value(judge(OLD_TEXT, old, new, asked=NOW)) == 1


def test_an_expired_passage_that_nothing_replaced_is_not_stale_use() -> None:
    found = judge(OLD_TEXT, old)
    assert value(found) == 0
    assert isinstance(found, Score)
    assert found.explanation is not None
    assert found.explanation.endswith("was not in force, and nothing is known to govern in its place")


def test_a_chain_is_followed_to_its_end_in_force_over_a_version_that_has_expired() -> None:
    chain = Catalog(
        [
            Document(id="T", version="1", text="The fee is 10 EUR."),
            Document(id="T", version="2", text="The fee is 20 EUR.", supersedes=("1",), effective_to=NOW - DAY),
            Document(id="T", version="3", text="The fee is 30 EUR.", supersedes=("T@2",)),
            Document(id="T", version="4", supersedes=("T@3",), effective_from=NOW + DAY),
        ]
    )
    first = Passage(id="p", doc_id="T", version="1", text="The fee is 10 EUR.")
    result = judge("The fee is 10 EUR.", first, env=Env(now=NOW, catalog=chain))
    assert isinstance(result, Score)
    assert (result.value, result.evidence[1].version) == (1, "3")


def test_supersedes_in_passage_metadata_is_enough_without_any_dates() -> None:
    undated = Passage(id="a", doc_id="N", version="7", text=OLD_TEXT)
    memo = Passage(id="b", doc_id="MEMO-9", text=NEW_TEXT, supersedes=("N@7",))
    assert value(judge(OLD_TEXT, undated, memo)) == 1
    assert value(judge(NEW_TEXT, undated, memo)) == 0


def test_ids_of_the_form_doc_at_version_are_understood() -> None:
    undated = Passage(id="N@7", text=OLD_TEXT)
    later = Passage(id="N@8", text=NEW_TEXT, supersedes=("7",))
    assert value(judge(OLD_TEXT, undated, later)) == 1


def test_what_both_versions_say_is_judged_by_the_citation() -> None:
    old_full = old.model_copy(update={"text": SHARED})
    new_full = new.model_copy(update={"text": SHARED})
    assert value(judge(SHARED, old_full, new_full, cites="v2")) == 1
    assert value(judge(SHARED, old_full, new_full, cites="v3")) == 0


def test_what_both_versions_say_without_a_citation_is_stale_only_if_the_current_one_was_not_in_context() -> None:
    old_full = old.model_copy(update={"text": SHARED})
    new_full = new.model_copy(update={"text": SHARED})
    assert value(judge(SHARED, old_full, new_full)) == 0
    assert value(judge(SHARED, old_full, new_full, context=("v2",))) == 1
    assert value(judge(SHARED, old_full, env=Env(now=NOW, catalog=catalog))) == 1


def test_a_claim_that_agrees_with_the_current_version_is_not_stale_though_it_cites_the_old_one() -> None:
    assert value(judge(NEW_TEXT, old, new, cites="v2")) == 0


def test_without_the_current_text_resting_on_a_superseded_passage_is_enough() -> None:
    silent = Catalog([Document(id="TRV-1", version="2"), Document(id="TRV-1", version="3", supersedes=("2",))])
    bare = Passage(id="x", doc_id="TRV-1", version="2", text=OLD_TEXT)
    result = judge(OLD_TEXT, bare, env=Env(now=NOW, catalog=silent))
    assert value(result) == 1
    assert isinstance(result, Score)
    assert result.evidence[1].detail == "TRV-1@3 should have been used"


def test_a_stale_passage_that_the_answer_does_not_rest_on_does_not_count() -> None:
    other = Passage(id="o", doc_id="HR-1", text="Parental leave is 20 weeks.", effective_from=NOW - DAY)
    assert value(judge("Parental leave is 20 weeks.", old, new, other)) == 0


def test_the_section_of_the_current_version_that_bears_on_the_claim_is_named() -> None:
    sections = Catalog(
        [
            Document(id="TRV-1", version="2", section="4", text=OLD_TEXT, effective_to=NOW),
            Document(id="TRV-1", version="3", section="1", text="Travel is booked online.", effective_from=NOW),
            Document(id="TRV-1", version="3", section="4", text=NEW_TEXT, effective_from=NOW),
        ]
    )
    passage = Passage(id="p", doc_id="TRV-1", version="2", section="4", text=OLD_TEXT)
    result = judge(OLD_TEXT, passage, env=Env(now=NOW, catalog=sections))
    assert isinstance(result, Score)
    assert NEW_TEXT in result.evidence[1].detail


def test_a_passage_is_found_in_the_catalog_by_checksum_or_uri() -> None:
    listed = Catalog(
        [
            Document(id="TRV-1", version="2", checksum="c2", uri="kb/trv-1-v2", effective_to=NOW - DAY),
            Document(id="TRV-1", version="3", text=NEW_TEXT),
        ]
    )
    env = Env(now=NOW, catalog=listed)
    assert value(judge(OLD_TEXT, Passage(id="n1", text=OLD_TEXT, checksum="c2"), env=env)) == 1
    assert value(judge(OLD_TEXT, Passage(id="n1", text=OLD_TEXT, uri="kb/trv-1-v2"), env=env)) == 1


def test_without_windows_chains_or_catalog_nothing_is_said() -> None:
    result = judge(OLD_TEXT, Passage(id="x", doc_id="TRV-1", version="2", text=OLD_TEXT))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "effective dates or supersession")


def test_a_list_of_files_without_dates_does_not_make_an_old_copy_current() -> None:
    """The file now says 180 EUR, all files have the date of a checkout, and the index serves what it said before."""
    files = [Document(id=f"{n}.md", text=SHARED, modified_at=NOW - DAY) for n in range(20)]
    env = Env(now=NOW, catalog=Catalog([*files, Document(id="travel.md", text=NEW_TEXT, modified_at=NOW - DAY)]))
    result = judge(OLD_TEXT, Passage(id="p", doc_id="travel.md", text=OLD_TEXT, modified_at=NOW - 700 * DAY), env=env)
    assert isinstance(result, Unscored)
    assert result.reason == "missing_input"
    assert "see index_copy_outdated" in (result.detail or "")


def test_a_version_the_catalog_does_not_list_is_not_guessed_to_be_older() -> None:
    only_three = Catalog([Document(id="TRV-1", version="3", text=NEW_TEXT)])
    bare = Passage(id="x", doc_id="TRV-1", version="2", text=OLD_TEXT)
    assert isinstance(judge(OLD_TEXT, bare, env=Env(now=NOW, catalog=only_three)), Unscored)


def test_an_answer_that_rests_on_no_passage_is_not_applicable() -> None:
    result = judge("The moon is made of cheese.", old, new)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


def test_a_withheld_text_is_missing_input() -> None:
    result = judge(OLD_TEXT, old.model_copy(update={"text": None}))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "text of a context passage")


def test_a_withheld_text_does_not_matter_where_the_passage_is_cited() -> None:
    assert value(judge(OLD_TEXT, old.model_copy(update={"text": None}), new, cites="v2")) == 1


def test_an_abstention_is_not_applicable() -> None:
    result = judge("I do not know.", old, new)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"


def test_versions_that_supersede_each_other_accuse_nobody() -> None:
    one = Passage(id="a", doc_id="X", version="1", text=OLD_TEXT, supersedes=("2",))
    two = Passage(id="b", doc_id="X", version="2", text=NEW_TEXT, supersedes=("1",))
    assert value(judge(OLD_TEXT, one, two)) == 0
