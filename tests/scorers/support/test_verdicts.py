"""What is said of claims and answers: numbers and labels that never disagree."""

import itertools

import pytest

from scorers.support.model import EVEN, KINDS, ContextKind, answer_verdict, beside_worst, claim_verdict, support_model

LOGITS = (-7.0, -5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 3.0, 7.0)
STRENGTHS = (0.0, 0.3, 0.5, 0.8, 0.99, 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_of_a_claim_say_what_its_label_says(kind: ContextKind) -> None:
    for doubt, against, slip, strength in itertools.product(LOGITS, LOGITS, LOGITS[::3], STRENGTHS):
        found = claim_verdict(doubt, against, slip, kind, strength)
        assert (found.label == "contradicted") == (found.contradicted >= EVEN)
        assert (found.label == "supported") == (found.supported > EVEN)
        assert 0 <= found.supported <= 1
        assert 0 <= found.contradicted <= 1
        assert found.supported + found.contradicted <= 1 + 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_at_even_odds_contradicts_and_leaves_a_support_of_one_minus_it(
    kind: ContextKind,
) -> None:
    for doubt, strength in itertools.product(LOGITS, (0.5, 0.8, 1.0)):
        found = claim_verdict(doubt, -7.0, -7.0, kind, strength)
        assert found.label == "contradicted"
        assert found.supported <= 1 - strength + 1e-9


@pytest.mark.parametrize("unseen", [None, 0.0, 0.2, 1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_labelled_as_its_worst_claim_and_its_number_agrees(
    kind: ContextKind, unseen: float | None
) -> None:
    points = support_model(kind).support, support_model(kind).conflict
    claims = [claim_verdict(p, q, p / 2, kind, s) for p, q, s in itertools.product(LOGITS, (-7.0, 0.0), (0.0, 0.9))]
    for pair in itertools.combinations(claims, 2):
        found = answer_verdict(pair, kind, unseen)
        labels = {claim.label for claim in pair}
        assert found.label in labels
        assert ("contradicted" in labels) == (found.label == "contradicted")
        assert found.flagged == bool(labels - {"supported"})
        assert found.flagged == (found.unsupported >= points[0].threshold)
        assert (found.label == "contradicted") == (found.conflict >= points[1].threshold)


@pytest.mark.parametrize("kind", KINDS)
def test_more_doubt_never_raises_support(kind: ContextKind) -> None:
    for raised in range(3):
        logits = [[p if at == raised else -7.0 for at in range(3)] for p in LOGITS]
        supported = [claim_verdict(*each, kind).supported for each in logits]
        assert supported == sorted(supported, reverse=True)


def test_more_unseen_terms_and_a_worse_second_claim_never_make_an_answer_better() -> None:
    for worst in LOGITS:
        others = [each for each in LOGITS if each <= worst]
        by_second = [beside_worst([worst, each, -7.0], 0.1) for each in others]
        by_unseen = [beside_worst([worst, -7.0], each / 10) for each in range(11)]
        assert by_second == sorted(by_second)
        assert by_unseen == sorted(by_unseen)
        assert all((each >= 0) == (worst >= 0) for each in (*by_second, *by_unseen))


def test_an_answer_without_a_claim_has_nothing_unsupported() -> None:
    assert answer_verdict([], "text").flagged is False
