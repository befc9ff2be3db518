"""What is seen of a claim beside its context."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorers.models.terms import rarity
from scorers.support.alignment import Alignment, align
from scorers.support.claims import read_claims
from scorers.support.context import Context
from scorers.support.differences import differences
from scorers.support.features import NAMES, Named, rows
from scorers.text.sentences import split_statements
from scorers.text.source import source_of

NEWS = (
    "The mayor of Halden, Ada Lind, opened the bridge on 4 May 2021. It cost 12.5 million EUR and took three years."
    " Engineer Bo Falk said that the bridge may carry 900 cars an hour. Cyclists are not allowed on it."
)
SHOP = json.dumps(
    {
        "name": "Blue Door",
        "hours": {"Monday": "9:0-17:0", "Tuesday": "9:0-17:0", "Saturday": "10:0-14:0"},
        "attributes": {
            "Parking": {"garage": False, "street": True},
            "OutdoorSeating": True,
            "WiFi": "no",
            "Music": None,
        },
        "stars": 4.5,
        "reviews": [{"stars": 5.0, "text": "Lovely soup and friendly people."}, {"stars": 4.0, "text": "Good bread."}],
    }
)


def aligned(text: str, *sources: str, question: str | None = None) -> list[Alignment]:
    context = Context([source_of(source) for source in sources])
    return [align(claim, context, rarity()) for claim in read_claims(split_statements(text), text, question)]


def seen(text: str, *sources: str, question: str | None = None) -> dict[str, float]:
    return dict(Named(rows(aligned(text, *sources, question=question))[0]))


def test_a_sentence_copied_from_the_context_leaves_nothing_unseen() -> None:
    values = seen("It cost 12.5 million EUR and took three years.", NEWS)
    assert values["unseen"] == 0
    assert values["best_window"] == pytest.approx(1)
    assert values["figures_unseen"] == values["names_unseen"] == values["pairs_far"] == 0


def test_words_of_one_place_hold_together_and_words_of_many_places_do_not() -> None:
    together = seen("The mayor of Halden opened the bridge.", NEWS)
    apart = seen("The mayor carries cyclists three years.", NEWS)
    assert together["unseen"] == apart["unseen"] == 0
    assert together["best_sentence"] > apart["best_sentence"]
    assert together["neighbours_lost"] < apart["neighbours_lost"]


def test_a_word_that_says_nearly_the_same_is_no_invention() -> None:
    assert (
        seen("The bridge permits 900 automobiles.", NEWS)["unseen"]
        < seen("The bridge pleases 900 horses.", NEWS)["unseen"]
    )


def test_another_number_is_unseen_and_a_number_of_something_else_is_out_of_company() -> None:
    assert seen("It cost 21.5 million EUR.", NEWS)["figures_unseen"] == 1
    assert seen("It cost 12,500,000 EUR.", NEWS)["figures_unseen"] == 0
    assert seen("The bridge may carry 2021 cars an hour.", NEWS)["figures_not_near"] == 1
    assert seen("It cost 900 EUR.", NEWS)["unit_elsewhere"] == 1


def test_another_name_is_unseen_and_two_people_made_one_are_torn() -> None:
    assert seen("The mayor Ida Lind opened it.", NEWS)["names_unseen"] == 1
    assert seen("The engineer was Ada Falk.", NEWS)["names_torn"] == 1
    assert seen("The engineer was Bo Falk.", NEWS)["names_torn"] == 0


def test_what_only_one_of_the_two_denies_is_seen() -> None:
    assert seen("Cyclists are allowed on it.", NEWS)["turned_share"] > 0
    assert seen("Cyclists are not allowed on it.", NEWS)["turned_share"] == 0


def test_opposites_directions_and_lost_doubt_are_seen() -> None:
    assert seen("Prices fell.", "Prices rose in May.")["direction_differs"] == 1
    assert seen("The doors are closed.", "The doors are open.")["opposites"] == 1
    assert seen("The bridge carries 900 cars an hour.", NEWS)["certainty_gained"] == 1


def test_words_in_another_order_and_another_gender_are_seen() -> None:
    told = "The clerk sued the bakery."
    assert seen("The bakery sued the clerk.", told)["pairs_inverted"] > 0
    assert seen("The clerk sued the bakery.", told)["pairs_inverted"] == 0
    assert seen("She opened it.", "He opened it.")["gender_differs"] == 1


LIMITS = "Meals are reimbursed up to 40 EUR and hotels up to 150 EUR."


@pytest.mark.parametrize(
    ("claim", "exchanged"),
    [
        ("Meals are reimbursed up to 150 EUR and hotels up to 40 EUR.", True),
        ("Hotels are reimbursed up to 40 EUR and meals up to 150 EUR.", True),
        ("Up to 40 EUR for hotels and 150 EUR for meals.", True),
        ("Meals are reimbursed up to 40 EUR and hotels up to 150 EUR.", False),
        ("Hotels are reimbursed up to 150 EUR and meals up to 40 EUR.", False),
        ("Up to 150 EUR for hotels and 40 EUR for meals.", False),
        ("Up to 40 EUR for meals.", False),
    ],
)
def test_two_figures_that_changed_places_are_seen_and_two_clauses_that_did_are_not(
    claim: str, *, exchanged: bool
) -> None:
    assert seen(claim, LIMITS)["figures_exchanged"] == exchanged


def test_a_number_counts_what_the_context_counts_so_often() -> None:
    assert seen("It took seven years.", NEWS)["counted_new_spelled"] == 1
    assert seen("It took three years.", NEWS)["counted_new_spelled"] == 0
    assert seen("It carries 900 buses.", NEWS)["counted_new"] == 1


def test_a_missing_word_that_is_usually_made_up_weighs_more_than_one_that_frames() -> None:
    assert seen("The soup is vegetarian.", SHOP)["absent"] > seen("The soup overall.", SHOP)["absent"]
    assert seen("The soup.", SHOP)["absent"] == seen("The soup.", NEWS)["absent"] == 0


def test_what_goes_against_the_data_and_what_goes_astray_are_counted() -> None:
    assert seen("It offers free WiFi, open on Sundays.", SHOP)["against"] == 2
    assert seen("It has outdoor seating, open on Mondays.", SHOP)["against"] == 0
    assert seen("Bo Lind opened it in 1931.", NEWS)["astray"] > 0
    assert seen("Ada Lind opened it in 2021.", NEWS)["astray"] == 0


def test_an_invented_end_is_seen_in_a_claim_that_is_else_copied() -> None:
    claim = "The mayor of Halden opened the bridge on 4 May 2021, delighting thousands of grateful commuters."
    values = seen(claim, NEWS)
    assert values["stretch_unseen"] > 2 * values["unseen"]
    assert values["tail_unseen"] > values["unseen"]


def test_a_comparison_turned_round_is_seen() -> None:
    assert seen("More than 900 cars use it.", "Fewer than 900 cars use it.")["comparison_differs"] == 1


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("It has outdoor seating.", "fact_true"),
        ("There is no outdoor seating.", "fact_true_denied"),
        ("It offers free WiFi.", "fact_false_said"),
        ("Wi-Fi is not available.", "fact_false_denied"),
        ("There is street parking but no garage.", "fact_false_denied"),
        ("Guests may use the garage parking.", "fact_false_choice_grouped"),
        ("Live music is played.", "fact_null_said"),
        ("Whether there is music is not specified.", "fact_null_denied"),
    ],
)
def test_what_is_said_of_a_key_is_held_against_its_truth(claim: str, verdict: str) -> None:
    assert seen(claim, SHOP)[verdict] == 1


def test_denying_what_the_data_denies_is_nothing_unseen() -> None:
    assert seen("No WiFi.", SHOP)["unseen"] < seen("Free WiFi.", SHOP)["unseen"]


@pytest.mark.parametrize(
    ("claim", "feature", "count"),
    [
        ("Open Monday and Tuesday from 9 am to 5 pm.", "hours_right", 2),
        ("Open Monday and Tuesday from 9 am to 6 pm.", "hours_wrong", 2),
        ("Open Monday and Tuesday from 9 am to 6 pm.", "hours_nowhere", 1),
        ("Open on Sundays.", "hours_absent_day", 1),
        ("Open Monday and Tuesday from 9am to 6pm.", "hours_wrong", 2),
        ("It is closed on Sundays.", "hours_absent_day", 0),
        ("Open 9 am to 5 pm on weekdays.", "hours_absent_day", 3),
    ],
)
def test_days_and_hours_are_held_against_the_table(claim: str, feature: str, count: int) -> None:
    assert seen(claim, SHOP)[feature] == count


def test_a_day_that_closes_when_it_opens_is_not_open() -> None:
    shop = json.dumps({"hours": {"Monday": "0:0-0:0", "Tuesday": "9:0-17:0"}})
    assert seen("It is open Monday and Tuesday from 9 am to 5 pm.", shop)["hours_absent_day"] == 1
    assert seen("It is open on Tuesdays from 9 am to 5 pm.", shop)["hours_absent_day"] == 0


def test_denying_a_group_of_which_the_data_has_one_goes_against_it() -> None:
    assert seen("There is no parking.", SHOP)["fact_group_denied"] == 1
    assert seen("There is parking.", SHOP)["fact_group_denied"] == 0
    assert seen("There is no garage parking.", SHOP)["fact_group_denied"] == 0


def test_praise_where_every_rating_is_low_and_a_rating_that_nobody_gave_are_seen() -> None:
    low = json.dumps({"stars": 2.0, "text": "Cold soup."})
    assert seen("Customers loved the friendly staff.", low)["praise_all_low"] == 1
    assert seen("Customers loved the friendly staff.", SHOP)["praise_all_low"] == 0
    assert seen("It has a rating of 3.5 stars.", SHOP)["rating_other"] > 0
    assert seen("It has a rating of 4.5 stars.", SHOP)["rating_other"] == 0


def test_words_of_the_question_are_told_apart_from_what_is_added() -> None:
    asked = seen("Sabbaticals last a year.", NEWS, question="How long do sabbaticals last?")
    assert asked["question_overlap"] > 0
    assert asked["unseen_unasked"] < asked["unseen"]


def test_a_claim_is_shown_what_stands_beside_it() -> None:
    first, second = rows(aligned("It cost 99 EUR in cash. The mayor opened the bridge.", NEWS))
    assert Named(second)["unseen_before"] == Named(first)["unseen"] > 0
    assert Named(first)["unseen_before"] == Named(second)["unseen_after"] == 0
    assert Named(first)["figures_unseen_mean"] == Named(second)["figures_unseen_mean"] == 0.5


@pytest.mark.parametrize(
    ("claim", "source", "said"),
    [
        ("It cost 15 million EUR.", NEWS, "number 15000000 not found"),
        ("Ida Lind opened it.", NEWS, "words not found: Ida"),
        ("Cyclists are allowed on it.", NEWS, "only one of the two is negated"),
        ("It offers free WiFi.", SHOP, "the data rules out 'wifi'"),
        ("There is no parking.", SHOP, "the data confirms 'street'"),
        ("Meals up to 150 EUR and hotels up to 40 EUR.", LIMITS, "two numbers are swapped"),
        ("Open Monday from 8 am to 9 am.", SHOP, "opening hours differ from the data"),
        ("Cyclists are not allowed on it.", NEWS, "all of its words are there"),
    ],
)
def test_the_difference_is_told_in_words(claim: str, source: str, said: str) -> None:
    assert said in differences(aligned(claim, source)[0], seen(claim, source))


def test_rows_have_a_value_for_every_name_whatever_the_context() -> None:
    for sources in ((), ("",), (NEWS,), (SHOP, NEWS), ("{}",), ("[1, 2]",), ('{"a": {"b": [null, {"c": "x"}]}}',)):
        for values in rows(aligned("One claim of 5 words. Another one.", *sources)):
            assert len(values) == len(NAMES)
            assert all(map(math.isfinite, values))


@given(st.text(max_size=150), st.lists(st.one_of(st.text(max_size=150), st.sampled_from([NEWS, SHOP, "{", '{"a":1}']))))
def test_any_text_has_finite_rows_the_same_each_time(text: str, sources: list[str]) -> None:
    first = rows(aligned(text, *sources))
    assert all(math.isfinite(value) for values in first for value in values)
    assert rows(aligned(text, *sources)) == first
