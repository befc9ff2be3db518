"""The standard measures are trec_eval's, and hold what they promise on any ranking."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.retrieval import measures

NAMES = [f"d{n}" for n in range(12)]
rankings = st.permutations(NAMES).flatmap(lambda order: st.integers(0, 12).map(lambda n: order[:n]))
labels = st.dictionaries(st.sampled_from([*NAMES, "missing", "lost"]), st.sampled_from([0.5, 1.0]), min_size=1)
depths = st.sampled_from([1, 3, 5, 10, 20])
MEASURES = {
    "ndcg_cut": measures.ndcg,
    "recip_rank": measures.reciprocal_rank,
    "map_cut": measures.average_precision,
    "recall": measures.recall,
    "P": measures.precision,
    "success": measures.hit,
}


@given(ranking=rankings, grades=labels, k=depths)
def test_they_agree_with_trec_eval(ranking: list[str], grades: dict[str, float], k: int) -> None:
    trec_eval: Any = pytest.importorskip("pytrec_eval")
    cut = {f"{name}.{k}" for name in MEASURES if name != "recip_rank"} | {"recip_rank"}
    # It reads whole grades, and sorts by score. It has no cut for the reciprocal rank, so the ranking is cut for it.
    run = {"q": {name: float(-rank) for rank, name in enumerate(ranking)}}
    whole = {"q": {name: int(2 * grade) for name, grade in grades.items()}}
    found = trec_eval.RelevanceEvaluator(whole, cut).evaluate(run)["q"] if ranking else {}
    for name, measure in MEASURES.items():
        value = measure(ranking, grades, k)
        if name == "recip_rank":
            theirs = found.get("recip_rank", 0.0)
            assert value == pytest.approx(theirs if theirs >= 1 / k - 1e-9 else 0.0), name
        else:
            assert value == pytest.approx(found.get(f"{name}_{k}", 0.0)), name


@given(ranking=rankings, grades=labels, k=depths)
def test_they_stay_between_nothing_and_ideal(ranking: list[str], grades: dict[str, float], k: int) -> None:
    ideal = sorted(grades, key=lambda name: -grades[name])
    for name, measure in MEASURES.items():
        value = measure(ranking, grades, k)
        assert 0 <= value <= measure(ideal, grades, k) + 1e-12, name
        assert (value == 0) == grades.keys().isdisjoint(ranking[:k]), name


def test_an_ideal_ranking_is_one_and_a_partial_passage_first_costs_gain() -> None:
    grades = {"whole": 1.0, "half": 0.5}
    assert measures.ndcg(["whole", "half"], grades, 10) == 1
    assert 0.8 < measures.ndcg(["half", "whole"], grades, 10) < 0.9
    assert measures.average_precision(["half", "whole"], grades, 10) == 1
