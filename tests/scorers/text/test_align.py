"""How far a source supports a claim."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorers.text.align import Support, probability, rarities, support
from scorers.text.normalize import terms
from scorers.text.source import MAX_SOURCE, read_source

POLICY = read_source(
    "Travel policy. The hotel limit is 180 EUR per night. Alcohol is not reimbursed."
    " Receipts are kept for 10 years. The limit abroad is 240 EUR."
)


def held(claim: str) -> Support:
    read = terms(claim)
    return support(read, POLICY, rarities([POLICY], read.items))


def test_words_side_by_side_support_more_than_scattered_ones() -> None:
    assert held("The hotel limit is 180 EUR.").strength > held("Receipts limit is 180 EUR.").strength


def test_a_variant_of_a_word_counts_in_part() -> None:
    variant = held("No reimbursement of alcohol.")
    assert held("No reimbursal of yachts.").strength < variant.strength < held("Alcohol is not reimbursed.").strength
    assert variant.missing_words == ()


def test_a_rare_word_counts_more_than_one_that_every_sentence_has() -> None:
    weights = rarities([POLICY], ["limit", "alcohol", "yacht", "#180"])
    assert weights["limit"] < weights["alcohol"] < weights["yacht"]
    assert weights["#180"] > weights["alcohol"]


def test_a_number_that_stands_elsewhere_lowers_less_than_one_that_is_not_there() -> None:
    assert held("The hotel limit is 180 EUR.").strength > held("The hotel limit is 240 EUR.").strength
    assert held("The hotel limit is 240 EUR.").strength > held("The hotel limit is 260 EUR.").strength


def test_what_is_missing_is_named() -> None:
    found = held("The hotel limit is 260 EUR and a sauna.")
    assert found.missing_numbers == ("260",)
    assert found.missing_words == ("sauna",)


def test_negation_on_one_side_only_is_noticed() -> None:
    assert held("Alcohol is reimbursed.").negation
    assert not held("Alcohol is not reimbursed.").negation
    assert held("Alcohol is reimbursed.").strength < held("Alcohol is not reimbursed.").strength / 2


def test_the_nearest_sentence_is_the_one_that_covers_more_of_the_claim() -> None:
    at = held("The limit abroad is 240 EUR.").sentence
    assert at is not None
    assert POLICY.sentences[at].words == "The limit abroad is 240 EUR."


def test_nothing_supports_a_claim_without_words_and_an_empty_source_supports_nothing() -> None:
    assert support(terms("It is."), POLICY, {}).strength == 0
    empty = read_source("")
    assert support(terms("Leave is long."), empty, rarities([empty], terms("Leave is long.").items)).strength == 0


@given(st.text(max_size=200), st.text(max_size=300))
def test_strength_and_probability_stay_between_nothing_and_all(claim: str, source: str) -> None:
    read, held_against = terms(claim), read_source(source)
    found = support(read, held_against, rarities([held_against], read.items))
    assert 0 <= found.strength <= 1
    assert 0 <= found.probability <= 1
    assert found.sentence is None or 0 <= found.sentence < len(held_against.sentences)


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_strength_is_never_less_probable(one: float, other: float) -> None:
    assert (one <= other) == (probability(one) <= probability(other)) or probability(one) == probability(other)


def test_a_text_repeated_word_for_word_is_supported_almost_surely() -> None:
    for sentence in POLICY.sentences:
        assert held(sentence.words).probability > 0.98


def test_what_is_past_the_bound_is_not_read() -> None:
    assert not read_source(" " * MAX_SOURCE + "hotel").covers("hotel")
