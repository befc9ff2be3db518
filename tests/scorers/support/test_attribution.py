"""Which passage supports a claim, and which one it has its words from."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.schema import Answer, Passage
from scorers.base import Env, Score
from scorers.freshness.source_age_days import SourceAgeDays
from scorers.memory import Memory
from scorers.support.attribution import SUPPORTED, ClaimAttribution, attribution

HOTEL = Passage(id="h", text="The hotel limit is 180 EUR per night. Breakfast is paid on top of it.")
LEAVE = Passage(id="l", text="Employees receive 20 weeks of paid parental leave. Requests are made in writing.")
PARKING = Passage(id="p", text="Parking is free for visitors.")


def read(text: str, *passages: Passage, context: tuple[str, ...] | None = None) -> ClaimAttribution:
    found = attribution(Answer(id="a", answer=text, passages=passages, context=context), Memory())
    assert found is not None
    return found


def test_a_passage_supports_what_it_says_and_the_others_do_not() -> None:
    found = read("Employees receive 20 weeks of paid parental leave.", HOTEL, LEAVE, PARKING)
    assert [found.support(0, [place]) >= SUPPORTED for place in range(3)] == [False, True, False]
    assert found.home(0) == (1,)


def test_a_passage_supports_no_more_than_its_part_of_a_claim_and_both_parts_together_do() -> None:
    found = read("Parental leave is 20 weeks, and the hotel limit is 180 EUR per night.", HOTEL, PARKING, LEAVE)
    assert max(found.support(0, [0]), found.support(0, [2])) < SUPPORTED <= found.support(0, [2, 0])


def test_of_two_passages_that_say_the_opposite_in_the_same_words_the_one_that_supports_the_claim_is_its_home() -> None:
    allowed = Passage(id="y", text="Air expedite is allowed on the west lane.")
    forbidden = Passage(id="n", text="Air expedite is not allowed on the west lane.")
    for passages in ((allowed, forbidden), (forbidden, allowed)):
        found = read("Air expedite is allowed on the west lane.", *passages)
        assert [passages[place].id for place in found.home(0)] == ["y"]
        found = read("Air expedite is not allowed on the west lane.", *passages)
        assert [passages[place].id for place in found.home(0)] == ["n"]


def test_of_passages_that_hold_the_same_sentence_one_is_its_home_however_they_are_ranked() -> None:
    copy = Passage(id="c", text="Employees receive 20 weeks of paid parental leave. Ask your manager.")
    for passages in ((LEAVE, copy, HOTEL), (HOTEL, copy, LEAVE), (copy, LEAVE, HOTEL)):
        found = read("Employees receive 20 weeks of paid parental leave.", *passages)
        assert [passages[place].id for place in found.home(0)] == ["c"]


CLAIM = "Refunds need a receipt and the original card."
DATED = Passage(
    id="a", text="Refunds need a receipt. Bring the original card.", effective_from=datetime(2025, 1, 1, tzinfo=UTC)
)
UNDATED = Passage(id="b", text="Refunds go to the original. A receipt and card are what they need.")


def homes(claim: str, *passages: Passage) -> set[tuple[str, ...]]:
    """Return the ids of a claim's home over every ranking of the passages."""
    found = set()
    for ranked in permutations(passages):
        found.add(tuple(ranked[place].id for place in read(claim, *ranked).home(0)))
    return found


def ages(claim: str, *passages: Passage) -> set[object]:
    """Return what `source_age_days` says over every ranking of the passages."""
    found: set[object] = set()
    for ranked in permutations(passages):
        answer = Answer(id="a", answer=claim, passages=ranked)
        age = SourceAgeDays().score(answer, Env(now=datetime(2026, 5, 4, tzinfo=UTC)))
        found.add(age.value if isinstance(age, Score) else age.reason)
    return found


def test_of_two_pairs_of_sentences_that_hold_as_much_of_a_claim_one_is_its_home_however_they_are_ranked() -> None:
    other = Passage(id="c", text="Parking is free. Visitors park there.")
    for passages in ((DATED, UNDATED), (DATED, UNDATED, other)):
        assert homes(CLAIM, *passages) == {("b",)}
        assert ages(CLAIM, *passages) == {"missing_input"}


def test_a_sentence_that_holds_as_much_as_two_others_together_is_nearer() -> None:
    whole = Passage(id="z", text="Refunds need a receipt and the original card.")
    assert homes(CLAIM, DATED, UNDATED, whole) == {("z",)}


def test_of_the_same_two_sentences_in_two_documents_the_first_by_id_is_the_home() -> None:
    copy = Passage(id="A", text=DATED.text)
    longer = Passage(id="0", text=f"Welcome. {DATED.text} Ask at the desk.")
    assert homes(CLAIM, DATED, copy) == {("A",)}
    assert homes(CLAIM, DATED, copy, longer) == {("0",)}
    assert ages(CLAIM, DATED, copy) == {"missing_input"}


sentences = st.lists(
    st.sampled_from(["refunds", "need", "receipt", "original", "card", "fee"]), min_size=1, max_size=3, unique=True
)
texts = st.lists(sentences.map(lambda words: f"{' '.join(words).capitalize()} here."), min_size=1, max_size=3).map(
    " ".join
)


@given(st.lists(st.tuples(texts, st.booleans()), min_size=2, max_size=3), texts)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_ranking_of_passages_of_the_same_words_changes_what_a_claim_rests_on(
    told: list[tuple[str, bool]], claim: str
) -> None:
    passages = [
        Passage(id=f"p{place}", text=text, effective_from=datetime(2025, 1, 1 + place, tzinfo=UTC) if dated else None)
        for place, (text, dated) in enumerate(told)
    ]
    found = ages(claim, *passages)
    assert len(found) == 1, found


def test_of_two_passages_that_hold_as_much_neither_gains_by_being_ranked_first() -> None:
    plain = Passage(id="p0", text="Refunds here.")
    longer = Passage(id="p1", text="Refunds receipt here.", effective_from=datetime(2025, 1, 2, tzinfo=UTC))
    assert homes("Refunds here. Refunds need here.", plain, longer) == {("p0",)}
    assert len(ages("Refunds here. Refunds need here.", plain, longer)) == 1


def test_a_claim_about_something_else_has_no_home() -> None:
    assert read("Whales sing in the winter.", HOTEL, LEAVE).home(0) == ()
    assert read("Whales sing in the winter.").home(0) == ()


def test_only_passages_of_the_context_are_a_home_and_any_passage_may_support() -> None:
    found = read("The hotel limit is 180 EUR per night.", HOTEL, LEAVE, context=("l",))
    assert found.home(0) == ()
    assert found.support(0, [0]) >= SUPPORTED > found.support(0, [1])


def test_the_same_text_retrieved_twice_is_one_passage_and_the_home_is_the_one_in_the_context() -> None:
    again = HOTEL.model_copy(update={"id": "again"})
    found = read("The hotel limit is 180 EUR per night.", HOTEL, again, context=("again",))
    assert found.support(0, [0]) == found.support(0, [1]) == found.support(0, [0, 1])
    assert found.home(0) == (1,)


def test_what_a_passage_says_does_not_depend_on_what_else_is_asked() -> None:
    text = "Employees receive 20 weeks of paid leave. The hotel limit is 150 EUR. Parking is free."
    pairs = [(claim, [place]) for claim in range(3) for place in (2, 0, 1)]
    together = [one.support for one in read(text, HOTEL, LEAVE, PARKING).alone(pairs)]
    context = ("h", "l", "p")  # the same, and a reading of its own
    one_by_one = read(text, HOTEL, LEAVE, PARKING, context=context)
    assert [one_by_one.support(*pair) for pair in pairs] == together


def test_the_same_sentence_between_others_is_no_better_and_another_figure_is_worse() -> None:
    claim = "The hotel limit is 180 EUR per night."
    found = read(claim, HOTEL)
    own = found.quoted(0, [HOTEL.text or ""])
    moved = found.quoted(0, [f"Trips are booked online. {claim} Taxis need a receipt."])
    other = found.quoted(0, ["Trips are booked online. The hotel limit is 150 EUR per night."])
    assert own is not None
    assert own.sentence == claim
    assert found.ahead(0, own, moved) == 0
    assert found.ahead(0, own, other) > 1
    assert found.ahead(0, other, own) < -1


def test_of_several_texts_the_nearest_one_is_quoted() -> None:
    found = read("The hotel limit is 180 EUR per night.", PARKING)
    quoted = found.quoted(0, [PARKING.text or "", LEAVE.text or "", HOTEL.text or ""])
    assert quoted is not None
    assert (quoted.text, quoted.sentence) == (2, "The hotel limit is 180 EUR per night.")
    assert found.quoted(0, ["Whales sing."]) is None
    assert found.quoted(0, []) is None


def test_an_answer_without_a_claim_has_nothing_to_attribute() -> None:
    assert attribution(Answer(id="a", answer="Is it? I do not know.", passages=(HOTEL,)), Memory()) is None


def test_a_passage_without_text_supports_nothing() -> None:
    found = read("The hotel limit is 180 EUR per night.", Passage(id="x"), HOTEL)
    assert found.support(0, [0]) == 0
    assert found.home(0) == (1,)
