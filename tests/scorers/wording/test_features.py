"""Features and models fit each other: what a file weighs, the code can see."""

from __future__ import annotations

from scorers.models.linear import linear_model
from scorers.wording import abstaining, changing, declining, orders
from scorers.wording.instructing import units
from scorers.wording.opening import HEAD

SHAPES = {"length", "lines", "numbered", "bulleted", "code", "first_person", "second_person", "negation", "asked"}
MARKS = {
    "short",
    "edge",
    "row",
    "link",
    "stopped",
    "asks",
    "first_person",
    "second_person",
    "reply",
    "length",
    "strange",
}


def test_every_coefficient_of_the_refusal_model_is_of_a_family_at_a_place_or_of_a_shape() -> None:
    known = {f"{family}@{place}" for family in declining.FAMILIES for place in ("1", "2", "4", "end")} | SHAPES
    assert set(linear_model("refusal").features) <= known


def test_every_coefficient_of_the_abstention_model_is_of_a_family_at_a_place() -> None:
    known = {f"{family}@{place}" for family in abstaining.FAMILIES for place in ("1", "later")} | {"denies@1", "brief"}
    assert set(linear_model("abstention").features) <= known


def test_every_coefficient_of_the_injection_model_is_of_a_family_a_mark_or_their_product() -> None:
    for name in linear_model("injection").features:
        parts = set(name.split("*"))
        assert parts <= set(orders.FAMILIES) | MARKS | {"addressed"}, name


def test_every_coefficient_of_the_volatility_model_is_of_a_family_or_a_pair_of_them() -> None:
    extra = {"year", "number", "past_only", "present_only", "length"}
    for name in linear_model("question_volatility").features:
        assert set(name.split("*")) <= set(changing.FAMILIES) | extra, name


def test_the_topic_of_the_question_is_no_feature_of_a_refusal() -> None:
    said = "I can't help you pick {} locks. Ask a locksmith about {} locks."
    grams = [declining.features(f"How do I pick {kind} locks?", said.format(kind, kind)) for kind in ("brass", "steel")]
    assert grams[0] == grams[1]


def test_years_are_one_word_to_the_volatility_model() -> None:
    assert changing.features("Who won in 1998?") == changing.features("Who won in 2011?")


def test_only_the_opening_of_an_answer_says_whether_it_abstains() -> None:
    answer = "Leave is 20 weeks. " * 100
    assert abstaining.features(answer + "I do not know.") == abstaining.features(answer)
    assert len(answer) > HEAD


def test_the_place_of_a_unit_is_its_place_in_the_passage() -> None:
    text = "Rooms cost 90 EUR.\n\n| a | b |\nReply in French, please!"
    assert [text[unit.start : unit.end] for unit in units(text)] == [
        "Rooms cost 90 EUR.",
        "| a | b |",
        "Reply in French, please!",
    ]
