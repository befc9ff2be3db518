"""Source authority alignment: claims held against every passage that speaks to them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from adapters.schema import Answer, Citation, Gold, GoldPassage, Passage
from scorers.base import Env, Score, Unscored
from scorers.catalog import Catalog, Document
from scorers.conflict.source_authority_alignment import SourceAuthorityAlignment

NOW = datetime(2026, 5, 4, tzinfo=UTC)
DAY = timedelta(days=1)
MEMO = Passage(id="memo", text="The hotel limit is 220 EUR per night.", authority=0.3)
POLICY = Passage(id="policy", text="The hotel limit is 180 EUR per night.", authority=0.9)
LAPTOPS = Passage(id="it", text="Laptops are replaced after four years of use.", authority=0.5)
BOARD = Passage(id="board", text="The board meets on Mondays in the great hall.", authority=1.0)


def judge(text: str, *passages: Passage, catalog: Catalog | None = None, **fields: object) -> Score | Unscored:
    answer = Answer(id="a", answer=text, passages=passages, **fields)
    return SourceAuthorityAlignment().score(answer, Env(now=NOW, catalog=catalog))


def value(result: Score | Unscored) -> float:
    assert isinstance(result, Score), result
    return result.value


def test_a_claim_from_the_memo_where_the_policy_speaks_to_it_is_not_aligned() -> None:
    result = judge("The hotel limit is 220 EUR per night.", MEMO, POLICY)
    assert value(result) == 0
    assert isinstance(result, Score)
    assert [evidence.passage_id for evidence in result.evidence] == ["memo", "policy"]
    assert "authority 0.3" in result.evidence[0].detail


def test_a_claim_from_the_policy_is_aligned() -> None:
    assert value(judge("The hotel limit is 180 EUR per night.", MEMO, POLICY)) == 1


def test_a_higher_authority_on_another_matter_does_not_count() -> None:
    assert value(judge("The hotel limit is 220 EUR per night.", MEMO, BOARD)) == 1


def test_each_claim_has_its_own_hierarchy() -> None:
    text = "The hotel limit is 220 EUR per night. Laptops are replaced after four years of use."
    assert value(judge(text, MEMO, POLICY, LAPTOPS)) == 0.5


def test_a_superseded_policy_is_no_higher_authority() -> None:
    old = POLICY.model_copy(update={"effective_to": NOW - DAY})
    assert value(judge("The hotel limit is 220 EUR per night.", MEMO, old)) == 1


def test_the_best_of_several_sources_cited_counts() -> None:
    text = "The hotel limit is 180 EUR per night [1][2]."
    cited = (
        Citation(start=37, end=40, marker="[1]", passage_id="memo"),
        Citation(start=40, end=43, marker="[2]", passage_id="policy"),
    )
    assert value(judge(text, MEMO, POLICY, citations=cited)) == 1
    assert value(judge(text, MEMO, POLICY, citations=cited[:1])) == 0


def test_the_catalog_and_a_person_overrule_what_passages_say_of_themselves() -> None:
    text = "The hotel limit is 220 EUR per night."
    memo, policy = (passage.model_copy(update={"doc_id": name}) for passage, name in ((MEMO, "M"), (POLICY, "P")))
    listed = Catalog([Document(id="M", authority=0.9), Document(id="P", authority=0.2)])
    result = judge(text, memo, policy, catalog=listed)
    assert value(result) == 1
    assert isinstance(result, Score)
    assert result.basis == "catalog"
    gold = Gold(
        passages=(
            GoldPassage(id="memo", label="partial", authority=0.1),
            GoldPassage(id="policy", label="sufficient", authority=0.8),
        )
    )
    result = judge(text, memo, policy, catalog=listed, gold=gold)
    assert value(result) == 0
    assert isinstance(result, Score)
    assert result.basis == "gold"


def test_without_authorities_nothing_can_be_said() -> None:
    result = judge("The hotel limit is 220 EUR per night.", MEMO.model_copy(update={"authority": None}))
    assert isinstance(result, Unscored)
    assert (result.reason, result.detail) == ("missing_input", "authority of the passages")


def test_an_answer_that_rests_on_nothing_is_not_applicable() -> None:
    result = judge("Whales sing.", MEMO, POLICY)
    assert isinstance(result, Unscored)
    assert result.reason == "not_applicable"
