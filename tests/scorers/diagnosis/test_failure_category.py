"""Failure category: one primary failure, up to two secondary, each with what it rests on."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Gold, Passage
from scorers.base import Env, Evidence, Score, Unscored
from scorers.diagnosis.failure_category import FailureCategory

NOW = datetime(2026, 5, 4, tzinfo=UTC)
SIGNS: dict[str, tuple[tuple[str, float, str | None], ...]] = {
    "protected_data_exposure": (("protected_data_control", 0.0, "leak"),),
    "policy_boundary_over_answer": (("policy_boundary_handling", 0.1, "overstepped"),),
    "stale_source_acceptance": (("stale_source_use", 1.0, "stale"),),
    "unresolved_source_conflict": (("conflict_handling", 0.0, "silent"),),
    "retrieval_silence_with_invented_answer": (("retrieval_silence", 0.9, None), ("faithfulness", 0.0, "unsupported")),
    "missing_governing_exception": (("governing_exception_coverage", 0.0, None),),
    "numeric_transposition": (("numeric_fidelity", 0.5, None),),
    "wrong_chunk_citation": (("citation_precision", 0.5, "wrong_chunk"),),
    "citation_coverage_gap": (("citation_coverage", 0.5, None),),
    "identifier_corruption": (("identifier_integrity", 0.5, "corrupted"),),
}


LIMIT = Passage(id="p", text="A hotel in Sofia costs up to 180 EUR a night. Breakfast is paid for 5 days.")
SWAPPED = Answer(id="a", question="What may it cost?", answer="A hotel costs up to 810 EUR a night.", passages=(LIMIT,))


def judged(*signs: tuple[str, float, str | None], answer: Answer = SWAPPED) -> Score:
    scored = {name: Score(metric=name, value=value, label=label) for name, value, label in signs}
    found = FailureCategory().score(answer, Env(now=NOW, scored=scored))
    assert isinstance(found, Score)
    return found


@pytest.mark.parametrize("category", SIGNS)
def test_each_category_has_its_sign(category: str) -> None:
    found = judged(*SIGNS[category])
    assert (found.value, found.label, found.explanation) == (1.0, category, None)
    assert found.evidence[0].detail.startswith(f"primary {category}: ")


def test_good_scores_are_no_failure() -> None:
    good = judged(
        ("protected_data_control", 1.0, "clean"),
        ("stale_source_use", 0.0, "current"),
        ("citation_precision", 1.0, "precise"),
        ("citation_coverage", 0.9, None),
        ("numeric_fidelity", 1.0, None),
        ("retrieval_silence", 0.9, None),
        ("faithfulness", 0.9, "supported"),
    )
    assert (good.value, good.label, good.evidence) == (0.0, "none", ())


def test_one_is_primary_two_are_secondary_and_the_rest_is_left_out() -> None:
    found = judged(*(sign for signs in reversed(SIGNS.values()) for sign in signs))
    assert found.label == "protected_data_exposure"
    assert found.explanation == "secondary: retrieval_silence_with_invented_answer, policy_boundary_over_answer"


def test_an_expired_policy_without_its_exception_is_primarily_stale() -> None:
    """PROBE 3.5, the example."""
    found = judged(*SIGNS["citation_coverage_gap"], *SIGNS["stale_source_acceptance"])
    assert (found.label, found.explanation) == ("stale_source_acceptance", "secondary: citation_coverage_gap")


def test_an_uncited_step_with_another_version_is_primarily_a_corrupted_identifier() -> None:
    """Case-aware judge, J.4: it is severe, and an identifier that the context does not know at all is not that."""
    found = judged(*SIGNS["citation_coverage_gap"], *SIGNS["identifier_corruption"])
    assert (found.label, found.explanation) == ("identifier_corruption", "secondary: citation_coverage_gap")
    assert judged(("identifier_integrity", 0.0, "unknown")).label == "none"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("A hotel in Sofia costs up to 810 EUR a night.", "numeric_transposition"),
        ("A hotel in Sofia costs up to 160 EUR a night.", "none"),
        ("The five nights with breakfast come to 925 EUR in all.", "none"),
        ("Our 12 offices book hotels through one agency.", "none"),
    ],
)
def test_a_figure_is_transposed_where_its_digits_have_changed_places(text: str, category: str) -> None:
    found = judged(("numeric_fidelity", 0.5, None), answer=SWAPPED.model_copy(update={"answer": text}))
    assert found.label == category


@pytest.mark.parametrize("sign", [("refusal", 0.9, "refuses"), ("abstention", 0.9, "abstains")])
def test_who_declines_or_abstains_over_an_empty_hand_has_invented_nothing(sign: tuple[str, float, str]) -> None:
    assert judged(*SIGNS["retrieval_silence_with_invented_answer"], sign).label == "unknown"


def test_silence_is_not_read_off_the_words_of_an_order_to_write() -> None:
    signs = SIGNS["retrieval_silence_with_invented_answer"]
    ordered = SWAPPED.model_copy(update={"question": "Summarize the following page in 50 words"})
    assert judged(*signs, answer=ordered).label == "unknown"
    assert (
        judged(*signs, answer=ordered.model_copy(update={"passages": ()})).label
        == "retrieval_silence_with_invented_answer"
    )


def test_a_contradicted_answer_is_as_invented_as_an_unsupported_one() -> None:
    silence, _ = SIGNS["retrieval_silence_with_invented_answer"]
    assert judged(silence, ("faithfulness", 0.1, "contradicted")).label == "retrieval_silence_with_invented_answer"


def test_an_answer_that_is_wrong_in_no_known_way_is_unknown() -> None:
    cited = ("citation_coverage", 1.0, None)
    wrong = judged(("faithfulness", 0.1, "contradicted"), cited)
    assert (wrong.value, wrong.label, judged(cited).label) == (0.0, "unknown", "none")
    refused = SWAPPED.model_copy(update={"gold": Gold(acceptable=False)})
    assert judged(cited, answer=refused).label == "unknown"


def test_with_nothing_retrieved_a_figure_is_invented_and_not_transposed() -> None:
    bare = SWAPPED.model_copy(update={"passages": ()})
    found = judged(*SIGNS["retrieval_silence_with_invented_answer"], *SIGNS["numeric_transposition"], answer=bare)
    assert (found.label, found.explanation) == ("retrieval_silence_with_invented_answer", None)


def test_evidence_is_that_of_the_metric() -> None:
    shown = Evidence(kind="passage", detail="T@2 was superseded", passage_id="p")
    stale = Score(metric="stale_source_use", value=1.0, evidence=(shown,) * 5)
    answer = Answer(id="a", answer="It is so.")
    found = FailureCategory().score(answer, Env(now=NOW, scored={"stale_source_use": stale}))
    assert isinstance(found, Score)
    assert len(found.evidence) == 2
    assert found.evidence[0].passage_id == "p"
    assert found.evidence[0].detail == "primary stale_source_acceptance: T@2 was superseded"


def test_without_any_metric_to_read_nothing_is_said() -> None:
    found = FailureCategory().score(Answer(id="a", answer="It is so."), Env(now=NOW))
    assert isinstance(found, Unscored)
    assert found.reason == "missing_input"


def test_who_abstains_owes_no_exception() -> None:
    found = judged(*SIGNS["missing_governing_exception"], ("abstention", 1.0, "abstains"))
    assert (found.value, found.label) == (0.0, "none")


def test_an_answer_without_passages_that_nobody_could_check_is_not_said_to_have_no_failure() -> None:
    answer = Answer(id="a", answer="Wer Heiligabend arbeitet, hat Silvester frei.")
    scored = {"protected_data_control": Score(metric="protected_data_control", value=1.0)}
    found = FailureCategory().score(answer, Env(now=NOW, scored=scored))
    assert isinstance(found, Unscored)
    assert found.detail == "passages: nothing tells what the answer rests on"
    declined = answer.model_copy(update={"answer": "Sorry, I can't help with that."})
    assert isinstance(FailureCategory().score(declined, Env(now=NOW, scored=scored)), Score)
