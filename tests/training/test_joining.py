"""How a second opinion is fitted: what it adds, and what it must not cost."""

import random
import re

import pytest

from training.joining import SecondedAnswer, SecondedClaim, doubt_of, joint_of, told


def answers(*, informed, claims=1, count=400):
    """Return answers of which the trees know a little and the model, where ``informed``, much more."""
    rng = random.Random(7)
    found = []
    for at in range(count):
        bad = at % 2 == 0
        sign = 1 if bad else -1
        said = [
            SecondedClaim(sign * 0.4 + rng.gauss(0, 1), (sign * 1.5 if informed else 0) + rng.gauss(0, 1))
            for _ in range(claims)
        ]
        found.append(SecondedAnswer(bad, max(each.trees for each in said) > 0, tuple(said)))
    return found


def flagged(given, joint, *, bad):
    found = [doubt_of(each, joint) > 0 for each in given if each.bad is bad]
    return sum(found) / len(found)


def test_a_model_that_knows_more_finds_more_and_flags_no_more_good_answers_than_the_trees_alone():
    given = answers(informed=True)
    joint = joint_of(given, "made")
    assert joint is not None
    assert joint.model > joint.trees > 0
    alone = {bad: sum(each.flagged for each in given if each.bad is bad) / 200 for bad in (True, False)}
    assert flagged(given, joint, bad=False) <= alone[False]
    assert flagged(given, joint, bad=True) > alone[True] + 0.1
    assert "400 answers; AUROC 0.69 by trees and rules, 0.98 with the model" in re.sub(
        r"(0\.\d\d)\d", r"\1", told(given, joint)
    )


def test_a_model_that_knows_nothing_is_hardly_listened_to():
    joint = joint_of(answers(informed=False), "made")
    assert joint is None or joint.model < joint.trees / 2


def test_of_a_bad_answer_with_several_claims_nobody_knows_which_is_bad():
    assert joint_of(answers(informed=True, claims=3), "made") is None, "no claim is known to be bad"


def test_too_few_labels_fit_nothing():
    assert joint_of(answers(informed=True, count=60), "made") is None


def test_a_claim_that_the_model_was_not_asked_of_keeps_the_word_of_the_trees():
    joint = joint_of(answers(informed=True), "made")
    assert joint is not None
    alone = SecondedAnswer(bad=True, flagged=True, claims=(SecondedClaim(2.5, None),))
    assert doubt_of(alone, joint) == pytest.approx(2.5)
