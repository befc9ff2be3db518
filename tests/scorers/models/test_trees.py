"""Trees as arrays."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scorers.models.terms import rarity
from scorers.models.trees import EDGE, trees
from scorers.support.features import NAMES
from scorers.support.model import CONTRADICTION_OF, KINDS, ContextKind, support_model

DEEP = {
    "features": ["x", "y"],
    "roots": [0, 5],
    "feature": [0, -1, 1, -1, -1, -1],
    "threshold": [1.0, 0.25, 2.0, 0.5, 0.75, 0.5],
    "left": [1, 0, 1, 0, 0, 0],
    "right": [2, 0, 2, 0, 0, 0],
}


def probabilities(rows: list[list[float]]) -> list[float]:
    return [round(float(p), 6) for p in 1 / (1 + np.exp(-trees(DEEP).logits(rows)[0]))]


def test_each_row_falls_to_its_leaf_and_the_mean_over_trees_counts() -> None:
    assert probabilities([[1.0, 9.0], [1.1, 2.0], [1.1, 2.1]]) == [0.375, 0.5, 0.625]


def test_a_row_gets_the_same_value_alone_and_among_others() -> None:
    rng = np.random.default_rng(1)
    table = rng.uniform(0, 5, (9, len(NAMES)))
    together = support_model("text").trees.logits(table)
    alone = [support_model("text").trees.logits(table[i : i + 1])[:, 0].tolist() for i in range(9)]
    assert alone == together.T.tolist()


def test_no_rows_have_no_values() -> None:
    assert trees(DEEP).logits([]).tolist() == [[]]


def test_no_row_is_certain() -> None:
    sure = {**DEEP, "threshold": [1.0, 1.0, 2.0, 0.0, 1.0, 1.0]}
    assert abs(trees(sure).logits([[0.0, 0.0]])[0, 0]) <= np.log((1 - EDGE) / EDGE) + 1e-9


def test_several_models_walk_as_one_and_keep_their_values_apart() -> None:
    other = {**DEEP, "roots": [5]}
    both = trees(DEEP, other).logits([[1.0, 9.0], [1.1, 2.1]])
    assert both.tolist() == [trees(each).logits([[1.0, 9.0], [1.1, 2.1]])[0].tolist() for each in (DEEP, other)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_shipped_trees_read_the_features_that_there_are(kind: ContextKind) -> None:
    assert support_model(kind).trees.features == NAMES


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_context_has_its_operating_points(kind: ContextKind) -> None:
    model = support_model(kind)
    for point in (model.support, model.conflict):
        assert point.claim.slope > 0
        assert point.answer.slope > 0
        assert 0 < point.threshold < 1
    assert model.slip.slope > 0


def test_the_shipped_files_are_small_and_say_where_they_are_from() -> None:
    from importlib.resources import files

    forests = [f"support_{kind}" for kind in KINDS] + [f"contradiction_{of}" for of in set(CONTRADICTION_OF.values())]
    for name in (*forests, "slip", "rarity", "absence"):
        text = files("scorers.models").joinpath(f"{name}.json").read_text(encoding="utf-8")
        assert len(text) < 1_000_000
        content = json.loads(text)
        assert content["data"]
        assert content["command"] == "python -m training.support --data PATH"


def test_a_common_word_is_less_rare_than_one_that_no_text_had() -> None:
    assert rarity().of("year") < rarity().of("zyzzyva") == rarity().unknown
