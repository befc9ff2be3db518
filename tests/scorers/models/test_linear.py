"""Linear models: the sum, its calibration, and the files that ship."""

from __future__ import annotations

import math
from importlib.resources import files

import pytest

from scorers.models.linear import LinearModel, linear_model, parsed
from scorers.models.loading import read_model

SHIPPED = ("abstention", "injection", "question_volatility", "refusal")


def model(**changes: object) -> LinearModel:
    content: dict[str, object] = {
        "name": "toy",
        "version": "1",
        "intercept": -1.0,
        "features": {"a": 2.0},
        "ngrams": {"x": 1.0, "y z": 3.0},
        "calibration": {"slope": 1.0, "intercept": 0.0},
        "threshold": 0.5,
    }
    return parsed(content | changes)


def test_known_features_add_up_and_unknown_ones_count_nothing() -> None:
    assert model().logit({}) == -1
    assert model().logit({"a": 1.5, "b": 99.0}) == 2
    assert model().probability({"a": 0.5}) == 0.5


def test_ngrams_count_by_presence_over_the_root_of_how_many_are_known() -> None:
    assert model().logit({}, {"x", "unknown"}) == 0
    assert model().logit({}, {"x", "y z"}) == pytest.approx(-1 + 4 / math.sqrt(2))


def test_calibration_turns_the_log_odds_and_keeps_their_order() -> None:
    steep = model(calibration={"slope": 2.0, "intercept": 1.0})
    assert steep.probability({"a": 0.25}) == 0.5
    assert steep.probability({"a": 1.0}) > model().probability({"a": 1.0})


def test_extreme_values_stay_probabilities() -> None:
    assert 0 <= model().probability({"a": -1e9}) < model().probability({"a": 1e9}) <= 1


@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_model_says_what_it_was_trained_on_and_how_to_do_it_again(name: str) -> None:
    content = read_model(name)
    assert content["kind"] == "linear"
    assert content["name"] == name
    assert content["data"]
    assert content["command"] == f"python -m training.{name} --data PATH"
    assert linear_model(name) is linear_model(name)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_is_small_enough_to_be_read(name: str) -> None:
    assert len(files("scorers.models").joinpath(f"{name}.json").read_bytes()) < 100_000
