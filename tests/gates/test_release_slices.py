"""A release gate over slices that are not all released together."""

from __future__ import annotations

import pytest

from collector.judging.verdicts import Question, verdict_body
from gates.inputs.changes import Change
from tests.gates.test_release import at, canary, gate

KYC, LOANS = (("service", "kyc-rag"),), (("service", "loans-agent"),)


def deployed(version, tick, service=None):
    return Change(at=at(tick), kind="deploy", version=version, scope={} if service is None else {"service": service})


def served(seed, slice_, version, ticks, worse=0.0):
    return canary(seed, 0.02, 0.02 + worse, share=0.5, ticks=ticks, slices=(slice_,), versions=(("app", version),))


def played(subject, *events):
    state = subject.initial()
    for event in events:
        state = subject.change(state, event) if isinstance(event, Change) else subject.fold(state, event)
    assert subject.load(subject.dump(state)) == state
    return state


def by_service(verdict):
    return {part.slice["service"]: part for part in verdict.slices}


def asked(verdict, candidate, service, baseline=None):
    question = Question(candidate=candidate, baseline=baseline, slice={"service": service})
    return verdict_body("g", verdict, fresh=True, question=question, slices=False)


@pytest.mark.parametrize(("margin", "outcome"), [(0.01, "inconclusive"), (0.05, "pass")])
def test_a_canary_of_one_service_leaves_that_of_another_as_it_is(margin, outcome):
    subject = gate(by=("service",), margin=margin)
    kyc = [served(1, KYC, "1.3", range(30)), *(served(seed, KYC, "1.3", [seed]) for seed in range(30, 60))]
    loans = [served(100 + seed, LOANS, "2.1-bad", [seed], worse=0.4) for seed in range(30, 60)]
    first, second = deployed("1.3", 0, "kyc-rag"), deployed("2.1-bad", 30, "loans-agent")
    side_by_side = [each for pair in zip(kyc[1:], loans, strict=True) for each in pair]
    alone = subject.verdict(played(subject, first, *kyc), at(60))
    verdict = subject.verdict(played(subject, first, kyc[0], second, *side_by_side), at(60))
    mine, other = by_service(verdict)["kyc-rag"], by_service(verdict)["loans-agent"]
    assert mine == by_service(alone)["kyc-rag"]
    assert (mine.candidate, other.candidate, other.state, verdict.candidate) == ("1.3", "2.1-bad", "fail", None)
    assert asked(verdict, "1.3", "kyc-rag")["state"] == outcome
    assert asked(verdict, "2.1-bad", "loans-agent")["state"] == "fail"
    # Both arms of this traffic tell the version of the candidate.
    assert verdict.baseline is None
    assert asked(verdict, "1.3", "kyc-rag", baseline="1.3")["state"] == outcome
    assert "over baseline '1.3'" in asked(verdict, "1.3", "kyc-rag", baseline="1.2")["reason"]


def test_a_verdict_over_a_service_stands_until_a_candidate_of_that_service():
    subject = gate(by=("service",), margin=0.05)
    state = played(
        subject,
        deployed("1.3", 0, "kyc-rag"),
        deployed("2.0", 0, "loans-agent"),
        served(1, KYC, "1.3", range(60)),
        served(2, LOANS, "2.0", range(60), worse=0.3),
        deployed("2.2", 60, "loans-agent"),
        served(3, LOANS, "2.2", range(60, 62)),
    )
    states = {name: (part.candidate, part.state) for name, part in by_service(subject.verdict(state, at(62))).items()}
    assert states == {"kyc-rag": ("1.3", "pass"), "loans-agent": ("2.2", "inconclusive")}


@pytest.mark.parametrize("announced", [True, False])
def test_a_version_announced_for_all_services_or_by_nobody_ends_every_comparison(announced):
    # Answers of the baseline alone, at the share of a release still to be seen, say nothing about the one before.
    subject = gate(by=("service",))
    state = played(
        subject,
        served(1, KYC, "1", range(20)),
        served(2, LOANS, "1", range(20)),
        *([deployed("2", 20)] if announced else []),
        served(3, LOANS, "2", range(20, 24)),
    )
    verdict = subject.verdict(state, at(24))
    assert verdict.candidate == "2"
    assert list(by_service(verdict)) == ["loans-agent"]


def test_a_candidate_that_comes_back_to_a_service_is_judged_anew():
    subject = gate(by=("service",))
    state = played(
        subject,
        deployed("1", 0),
        served(1, KYC, "1", range(60), worse=0.3),
        served(2, LOANS, "1", range(60)),
        deployed("2", 60, "kyc-rag"),
        served(3, KYC, "2", range(60, 64)),
        deployed("1", 64, "kyc-rag"),
        served(4, KYC, "1", range(64, 66)),
    )
    parts = by_service(subject.verdict(state, at(66)))
    assert {name: (part.candidate, part.n > 200) for name, part in parts.items()} == {
        "kyc-rag": ("1", False),
        "loans-agent": ("1", True),
    }
    assert parts["kyc-rag"].state == "inconclusive"
    assert parts["loans-agent"].reason.endswith("; other slices show that the candidate is worse")
