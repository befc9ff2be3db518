import re
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from gates.inputs.changes import Change
from gates.inputs.observations import ARMS, Batch, Observation, cluster_code
from gates.release import NO_CANDIDATE, ReleaseGate
from gates.units.instants import instant
from tests.gates.made import START, TICK, batch, poisson


def gate(**options):
    return ReleaseGate.model_validate({"type": "release", "name": "g", "metric": "m", "worse": "higher", **options})


def at(tick):
    return instant((START + tick) * TICK)


def canary(seed, baseline, candidate, *, share=0.25, ticks=range(60), rate=40, versions=(("app", "2"),), slices=((),)):
    """Traffic of which a share is routed to a candidate; rates of failure may be given slice by slice."""
    rng = np.random.default_rng(seed)
    place, tick = poisson(rng, rate, np.array(ticks), len(slices))
    routed = rng.random(len(tick)) < share
    rate_of = np.where(
        routed, np.broadcast_to(candidate, len(slices))[place], np.broadcast_to(baseline, len(slices))[place]
    )
    failed = rng.random(len(tick)) < rate_of
    arm = np.where(routed, ARMS["candidate"], ARMS["baseline"])
    return batch(slices, place, tick, failed, arm=arm, share=np.full(len(tick), share), versions=versions)


def judged(subject, rows, tick=60):
    return subject.verdict(subject.fold(subject.initial(), rows), at(tick))


def test_a_candidate_that_fails_more_often_fails_and_the_verdict_says_by_how_much():
    verdict = judged(gate(), canary(1, 0.02, 0.08))
    assert (verdict.state, verdict.code) == ("fail", -1)
    part = verdict.slices[0]
    assert part.reason.startswith("the candidate is worse: m is 0.0")
    assert part.cause == "release 2"
    assert part.evidence["e_rollback"] >= 1
    assert part.lower <= part.estimate <= part.upper
    assert part.n == part.evidence["n_candidate"] < part.evidence["n_baseline"]


def test_answers_about_one_document_are_routed_each_for_itself_and_not_bet_on_as_one():
    # A document is in both arms; only who stays with an arm, as a conversation does, is one draw of the routing.
    rows = canary(1, 0.02, 0.08)
    by_document = judged(gate(), replace(rows, cluster=np.full(len(rows), cluster_code(None, "HR-010"))))
    assert by_document == judged(gate(), rows)
    conversation = judged(gate(), replace(rows, cluster=np.full(len(rows), cluster_code("s-1"))))
    assert conversation.slices[0].evidence["e_rollback"] < by_document.slices[0].evidence["e_rollback"]


def test_an_equal_candidate_passes_once_it_is_not_worse_by_the_margin():
    verdict = judged(gate(margin=0.03), canary(2, 0.02, 0.02, share=0.5, ticks=range(120)), 120)
    assert verdict.state == "pass"
    assert verdict.reason.startswith("the candidate is not worse by 0.03: ")


def test_until_it_is_sure_it_says_what_is_still_needed_and_what_would_show():
    early = judged(gate(), canary(3, 0.02, 0.02, ticks=range(6)), 6)
    assert early.state == "inconclusive"
    assert "more candidate answers are needed to pass if it is as good" in early.reason
    later = judged(gate(), canary(3, 0.02, 0.02, ticks=range(60)), 60)
    assert later.slices[0].evidence["detectable"] < early.slices[0].evidence["detectable"]
    assert early.slices[0].evidence["needed"] > 0


def test_answers_that_are_all_alike_do_not_tell_which_difference_would_show():
    alike = judged(gate(margin=0.1), canary(3, 0.0, 0.0, share=0.5, ticks=range(2)), 2)
    assert alike.state == "inconclusive"
    assert alike.reason.endswith("more candidate answers are needed to pass if it is as good")
    assert "detectable" not in alike.slices[0].evidence


def test_a_margin_that_would_take_months_is_said_to_be_too_small():
    early = judged(gate(margin=0.0005), canary(3, 0.02, 0.02, ticks=range(6)), 6)
    assert early.state == "inconclusive"
    assert ": it can still fail, but to pass at this traffic it needs a larger `margin`; 48 answers can" in early.reason
    assert early.slices[0].evidence["needed"] > 100_000


def test_without_a_candidate_or_without_a_baseline_nothing_passes():
    alone = canary(4, 0.0, 0.0, share=0.5)
    for arm in ("candidate", "baseline"):
        only = replace(alone, arm=np.full(len(alone), ARMS[arm]))
        verdict = judged(gate(), only)
        assert (verdict.state, verdict.no_data) == ("inconclusive", True)
    unrouted = replace(alone, share=np.zeros(len(alone)))
    assert judged(gate(), unrouted).state == "inconclusive"


def test_false_verdicts_are_rarer_than_promised_while_quality_swings_and_the_share_is_raised():
    wrong = {"rollback": 0, "promote": 0}
    runs = 60
    subject = gate()
    slices = tuple((("run", str(run)),) for run in range(runs))
    each = gate(by=("run",))
    for kind, worse_by in (("rollback", 0.0), ("promote", 0.01)):
        state = each.initial()
        for tick in range(144):
            quality = 0.02 * (1 + 0.3 * np.sin(2 * np.pi * tick / 144))
            share = (0.05, 0.1, 0.25, 0.5)[tick // 36]
            rows = canary(1000 + tick, quality, quality + worse_by, share=share, ticks=[tick], slices=slices, rate=40)
            state = each.fold(state, rows)
        slices_ = each.settled(state, at(144)).comparisons.each[0].slices
        evidence = slices_.rollback if kind == "rollback" else slices_.promote
        wrong[kind] = int((evidence.mean(axis=1) >= 20).sum())
    # 5 % of 60 runs, and two standard errors; each run is a slice, and is read at its end.
    assert wrong["rollback"] <= 6
    assert wrong["promote"] <= 6
    assert subject.alpha_rollback == 0.05


def test_of_several_slices_the_one_that_is_worse_is_named():
    slices = ((("domain", "leave"),), (("domain", "travel"),))
    verdict = judged(gate(by=("domain",)), canary(5, [0.02, 0.02], [0.02, 0.15], slices=slices))
    assert verdict.state == "fail"
    assert {part.slice["domain"]: part.state == "fail" for part in verdict.slices} == {"leave": False, "travel": True}


def test_a_verdict_stands_until_the_next_candidate():
    subject = gate()
    state = subject.fold(subject.initial(), canary(6, 0.02, 0.1))
    state = subject.fold(state, canary(7, 0.1, 0.0, ticks=range(60, 300)))
    assert subject.verdict(state, at(300)).state == "fail"
    state = subject.fold(state, canary(8, 0.02, 0.02, ticks=range(300, 310), versions=(("app", "3"),)))
    again = subject.verdict(state, at(310))
    assert again.state == "inconclusive"
    assert again.slices[0].n < 200


def test_a_change_event_begins_a_new_comparison_where_versions_are_not_known():
    subject = gate()
    state = subject.fold(subject.initial(), canary(9, 0.02, 0.1, versions=()))
    assert subject.verdict(state, at(60)).state == "fail"
    state = subject.change(state, Change(at=at(60), kind="deploy"))
    state = subject.fold(state, canary(10, 0.02, 0.02, ticks=range(60, 70), versions=()))
    assert subject.verdict(state, at(70)).state == "inconclusive"


def test_what_else_changes_during_a_canary_does_not_end_the_comparison():
    subject = gate()
    state = subject.fold(subject.initial(), canary(9, 0.02, 0.1, ticks=range(10)))
    for change in (
        Change(at=at(10), kind="index", version="8"),
        Change(at=at(10), kind="model", version="m-2"),
        Change(at=at(10), kind="deploy", version="2"),
        Change(at=at(10), kind="deploy"),
    ):
        state = subject.change(state, change)
    state = subject.fold(state, canary(10, 0.02, 0.1, ticks=range(10, 60)))
    assert subject.verdict(state, at(60)).state == "fail"


def test_a_release_elsewhere_does_not_end_a_comparison_without_versions_and_one_here_does():
    slices = ((("service", "desk"),),)
    states = []
    for service in ("shop", "desk"):
        subject = gate(by=("service",))
        state = subject.fold(subject.initial(), canary(9, 0.02, 0.1, slices=slices, versions=()))
        state = subject.change(state, Change(at=at(60), kind="deploy", version="3", scope={"service": service}))
        state = subject.fold(state, canary(10, 0.02, 0.1, ticks=range(60, 62), slices=slices, versions=()))
        states.append(subject.verdict(state, at(62)).state)
    assert states == ["fail", "inconclusive"]


def test_a_comparison_of_versions_lasts_until_the_next_version_whatever_is_announced():
    subject = gate()
    state = subject.fold(subject.initial(), canary(9, 0.02, 0.1))
    state = subject.change(state, Change(at=at(60), kind="deploy", version="3"))
    state = subject.fold(state, canary(10, 0.02, 0.1, ticks=range(60, 62)))
    verdict = subject.verdict(state, at(62))
    assert (verdict.state, verdict.candidate) == ("fail", "2")
    state = subject.fold(state, canary(11, 0.02, 0.02, ticks=range(62, 64), versions=(("app", "3"),)))
    verdict = subject.verdict(state, at(64))
    assert (verdict.state, verdict.candidate) == ("inconclusive", "3")


def test_a_version_that_is_announced_again_is_a_candidate_again():
    subject = gate()
    state = subject.fold(subject.initial(), canary(9, 0.02, 0.1))
    state = subject.fold(state, canary(10, 0.02, 0.02, ticks=range(60, 70), versions=(("app", "3"),)))
    state = subject.fold(state, canary(11, 0.02, 0.02, ticks=range(70, 80)))
    assert subject.verdict(state, at(80)).candidate == "3"
    state = subject.change(state, Change(at=at(80), kind="deploy", version="2"))
    state = subject.fold(state, canary(12, 0.02, 0.02, ticks=range(80, 90)))
    verdict = subject.verdict(state, at(90))
    assert (verdict.state, verdict.candidate) == ("inconclusive", "2")


def test_the_verdict_names_its_candidate_and_the_one_baseline_that_it_stood_beside():
    subject = gate()
    rows = canary(9, 0.02, 0.1)
    assert judged(subject, rows).candidate == "2"
    assert judged(subject, canary(9, 0.02, 0.1, versions=())).candidate is None
    arms = {"candidate": "2.1", "baseline": "2.0"}
    state = subject.fold(subject.initial(), named(arms, range(600)))
    verdict = subject.verdict(state, at(60))
    assert (verdict.state, verdict.candidate, verdict.baseline) == ("fail", "2.1", "2.0")
    assert subject.load(subject.dump(state)) == state
    state = subject.fold(state, named(arms | {"baseline": "1.9"}, range(600, 900)))
    assert subject.verdict(state, at(90)).baseline is None


@pytest.mark.parametrize("component", ["release", "app"])
def test_a_release_is_known_by_either_of_its_names_and_the_baseline_told_of_late_is_no_new_one(component):
    subject = gate(component=component)
    for name in ("release", "app"):
        # The candidate's answers are read first, as may be where both arms are seen for the first time.
        first = [i for i in range(100) if i % 2 == 0]
        state = subject.fold(subject.initial(), named({"candidate": "2.1", "baseline": "2.0"}, first, name))
        state = subject.change(state, Change(at=at(10), kind="deploy", version="2.0"))
        state = subject.fold(state, named({"candidate": "2.1", "baseline": "2.0"}, range(100, 600), name))
        verdict = subject.verdict(state, at(60))
        assert (verdict.state, verdict.candidate, verdict.baseline) == ("fail", "2.1", "2.0")
        assert verdict.slices[0].evidence["n_candidate"] > 250


def named(versions, numbers, component="app"):
    """Answers that go to both arms in turn, half of the candidate's failing; each arm has a version of its own."""
    return Batch.of(
        Observation(
            at=at(i // 10),
            answer_id=f"a{i}",
            metric="m",
            value=float(arm == "candidate" and i % 4 < 2),
            probability=1,
            arm=arm,
            share=0.5,
            versions={component: versions[arm]},
        )
        for i, arm in ((i, ("candidate", "baseline")[i % 2]) for i in numbers)
    )


def plain(seed, failing, ticks, rate=10):
    rng = np.random.default_rng(seed)
    place, tick = poisson(rng, rate, np.array(ticks), 1)
    return batch(((),), place, tick, rng.random(len(tick)) < failing)


def released(failing, *, told=True, margin=0.02):
    subject = gate(margin=margin)
    state = subject.fold(subject.initial(), plain(11, 0.02, range(1500)))
    if told:
        state = subject.change(state, Change(at=at(1500), kind="deploy", version="7"))
    state = subject.fold(state, plain(12, failing, range(1500, 1800)))
    return subject.verdict(state, at(1800))


@pytest.mark.slow
def test_without_routing_a_release_is_judged_against_what_was_served_before_it():
    worse, same, unknown = released(0.08), released(0.02), released(0.08, told=False)
    assert (worse.state, worse.slices[0].cause) == ("fail", "release 7")
    assert same.state == "pass"
    assert (unknown.state, unknown.reason) == ("inconclusive", NO_CANDIDATE)


@pytest.mark.parametrize(
    ("margin", "told"),
    [
        (0.02, r": about 1,\d{3} more answers are"),
        (0.001, r"a larger `margin`: the 14,\d{3} answers"),
        (0.0035, r": it can still fail, but to pass at this traffic it needs a larger `margin`$"),
    ],
)
def test_without_routing_an_undecided_release_says_how_many_answers_or_which_margin_would_decide(margin, told):
    subject = gate(margin=margin)
    state = subject.fold(subject.initial(), plain(11, 0.02, range(1500)))
    state = subject.change(state, Change(at=at(1500), kind="deploy", version="7"))
    state = subject.fold(state, plain(12, 0.02, range(1500, 1520)))
    verdict = subject.verdict(state, at(1520))
    assert verdict.state == "inconclusive"
    assert re.search(told, verdict.reason), verdict.reason


def test_without_routing_the_verdict_is_over_the_release_and_what_came_with_it_and_over_no_other():
    subject = gate(margin=0.02)
    state = subject.fold(subject.initial(), plain(11, 0.02, range(1500)))
    for tick, kind, version, candidate in (
        (1500, "deploy", "7", "7"),
        (1501, "prompt", "p-2", "7"),
        (1520, "index", "i-9", None),
        (1540, "deploy", "8", "8"),
    ):
        state = subject.change(state, Change(at=at(tick), kind=kind, version=version))
        state = subject.fold(state, plain(tick, 0.02, range(tick, tick + 5)))
        verdict = subject.verdict(state, at(tick + 5))
        assert (verdict.candidate, verdict.baseline) == (candidate, None)


def test_without_a_past_a_release_is_not_judged():
    subject = gate()
    state = subject.change(subject.initial(), Change(at=at(0), kind="deploy"))
    verdict = subject.verdict(subject.fold(state, plain(13, 0.5, range(100))), at(100))
    assert verdict.state == "inconclusive"
    assert "before the release" in verdict.reason


def test_users_who_stay_with_their_arm_and_fail_again_and_again_are_no_reason_to_roll_back():
    # Two in a hundred users always fail; each stays where it was routed and asks in every tick.
    failed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        users, ticks = 200, 24
        arm = np.where(rng.random(users) < 0.5, ARMS["candidate"], ARMS["baseline"])
        fails = rng.random(users) < 0.02
        place = np.tile(np.arange(users), ticks)
        rows = batch(
            ((),),
            np.zeros(len(place), np.int64),
            np.repeat(np.arange(ticks), users),
            fails[place],
            arm=arm[place],
            share=np.full(len(place), 0.5),
            cluster=place + 1,
            versions=(("app", "2"),),
        )
        failed += judged(gate(), rows, ticks).state == "fail"
    assert failed <= 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0}, "greater than 0"),
        ({"by": ("a", "a")}, "duplicate dimension"),
        ({"tick": "2h"}, "1s to 1h"),
        ({"alpha_rollback": 0.9}, "less than or equal to 0.5"),
        ({"worse": "both"}, "'lower' or 'higher'"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused_with_its_reason(options, message):
    with pytest.raises(ValidationError, match=message):
        gate(**options)


def by_region(seed, regions, *, ticks=72, rate=40):
    """An equal release that is brought out region by region, each for 6 hours."""
    for place in range(regions):
        slices = ((("region", f"{place:02d}"),),)
        yield canary(
            seed + place, 0.02, 0.02, share=0.3, ticks=range(72 * place, 72 * place + ticks), rate=rate, slices=slices
        )


@pytest.mark.slow
def test_an_equal_release_over_many_regions_is_not_given_a_new_chance_to_fail_by_each():
    subject, failed, means = gate(by=("region",)), 0, 0
    for run in range(20):
        state, worst = subject.initial(), False
        for rows in by_region(1000 * run, 8, rate=12):
            state = subject.fold(state, rows)
            slices = state.comparisons.each[0].slices
            worst |= slices.rollback[slices.compared].mean() >= 20
        failed += subject.verdict(state, at(72 * 8)).state == "fail"
        means += worst
    assert failed <= 2
    assert failed <= means


def test_a_region_that_comes_late_and_is_worse_is_still_found_and_named():
    subject = gate(by=("region",))
    state = subject.initial()
    for rows in by_region(7, 5):
        state = subject.fold(state, rows)
    slices = ((("region", "99"),),)
    state = subject.fold(state, canary(99, 0.02, 0.12, share=0.3, ticks=range(360, 500), slices=slices))
    verdict = subject.verdict(state, at(500))
    assert verdict.state == "fail"
    assert [part.slice["region"] for part in verdict.slices if part.state == "fail"] == ["99"]


def test_a_slice_of_more_weight_fails_the_release_with_fewer_answers():
    slices = ((("region", "eu"),), (("region", "us"),))
    rows = canary(5, [0.02, 0.02], [0.06, 0.02], slices=slices, rate=20)
    evidence = []
    for weight in (0.1, 1.0, 10.0):
        subject = gate(by=("region",), weights={"region": {"eu": weight}})
        evidence.append(subject.settled(subject.fold(subject.initial(), rows), at(60)).comparisons.each[0].evidence)
    assert evidence == sorted(evidence)
    assert evidence[-1] > 3 * evidence[0]


def test_weights_and_strata_are_of_dimensions_that_fit():
    with pytest.raises(ValidationError, match="'domain' is not in by"):
        gate(by=("region",), weights={"domain": {"a": 2}})
    with pytest.raises(ValidationError, match="'region' is in by already"):
        gate(by=("region",), strata=("region",))


def sticky(seed, *, users=300, icc=0.3, ticks=range(144), rate=40, share=0.25, worse=0.0):
    """Users who stay with an arm, and each of whom fails in his own way."""
    rng = np.random.default_rng(seed)
    own = rng.beta(0.03 * (1 / icc - 1), 0.97 * (1 / icc - 1), users)
    stays = rng.random(users) < share
    place, tick = poisson(rng, rate, np.array(ticks), 1)
    user = rng.integers(0, users, len(tick))
    routed = stays[user]
    failed = rng.random(len(tick)) < own[user] + np.where(routed, worse, 0.0)
    columns = {"arm": np.where(routed, ARMS["candidate"], ARMS["baseline"]), "share": np.full(len(tick), share)}
    names = np.array([cluster_code(f"user-{seed}-{number}") for number in range(users)])
    return batch(((),), place, tick, failed, versions=(("app", "2"),), **columns), names[user]


@pytest.mark.slow
def test_users_who_stay_with_an_arm_and_fail_in_their_own_way_do_not_roll_back_an_equal_release():
    failed = {"by user": 0, "by answer": 0}
    for seed in range(20):
        rows, users = sticky(seed, users=40, icc=0.4, ticks=range(100))
        failed["by answer"] += judged(gate(), rows, 100).state == "fail"
        verdict = judged(gate(), replace(rows, cluster=users), 100)
        failed["by user"] += verdict.state == "fail"
        assert "in both arms" not in verdict.reason
    assert failed["by user"] <= 2
    assert failed["by answer"] >= 4


def test_a_worse_release_is_found_where_users_stay_with_an_arm():
    rows, users = sticky(3, users=3000, icc=0.05, worse=0.08)
    assert judged(gate(), replace(rows, cluster=users), 144).state == "fail"


def test_clusters_in_both_arms_are_told_and_users_who_join_as_the_share_rises_are_not():
    rows = canary(1, 0.02, 0.02)
    conversations = np.array([cluster_code(f"s-{number}") for number in range(200)])
    split = judged(gate(), replace(rows, cluster=conversations[np.arange(len(rows)) % 200]))
    assert "of 200 clusters with several answers were in both arms at one share of traffic" in split.reason
    rising = np.where(rows.at < rows.at[len(rows) // 2], 0.2, 0.6)
    users = np.arange(len(rows)) % 200
    joined = np.where(users / 200 < rising, ARMS["candidate"], ARMS["baseline"])
    told = judged(gate(), replace(rows, cluster=conversations[users], arm=joined, share=rising))
    assert "in both arms" not in told.reason


def confounded(seed, harm=0.0, ticks=range(100)):
    """A router that sends hard questions, which fail more often, to the candidate, and tells one share for all."""
    rng = np.random.default_rng(seed)
    kinds = ((("kind", "easy"),), (("kind", "hard"),))
    place, tick = poisson(rng, 20, np.array(ticks), 2)
    routed = rng.random(len(tick)) < np.array([0.1, 0.4])[place]
    failed = rng.random(len(tick)) < np.array([0.01, 0.09])[place] + np.where(routed, harm, 0.0)
    arm = np.where(routed, ARMS["candidate"], ARMS["baseline"])
    return batch(kinds, place, tick, failed, versions=(("app", "2"),), arm=arm, share=np.full(len(tick), 0.25))


def test_a_mix_that_differs_between_arms_fails_no_release_that_is_compared_inside_strata():
    wrong = sum(judged(gate(), confounded(seed), 100).state == "fail" for seed in range(10))
    right = [judged(gate(strata=("kind",)), confounded(seed), 100) for seed in range(10)]
    assert wrong >= 5
    assert sum(verdict.state == "fail" for verdict in right) <= 1
    assert all(abs(verdict.slices[0].estimate) < 0.02 for verdict in right)
    assert all("over all strata with the mix of each arm" in verdict.reason for verdict in right)
    assert all(f"{abs(verdict.slices[0].estimate):.3g} " in verdict.reason for verdict in right)
    assert judged(gate(strata=("kind",)), confounded(1, harm=0.05), 100).state == "fail"


def over_metrics(seed, rates, *, ticks=60, share=0.5):
    """Traffic with several metrics: rate of failure of baseline and candidate in each."""
    batches = []
    for place, (metric, (baseline, candidate)) in enumerate(rates.items()):
        rows = canary(seed + place, baseline, candidate, share=share, ticks=range(ticks))
        batches.append(replace(rows, groups=tuple(group._replace(metric=metric) for group in rows.groups)))
    return batches


def several(**options):
    also = [{"metric": "n", "worse": "higher"}, {"metric": "o", "worse": "higher", "margin": 0.05}]
    return gate(margin=0.05, **({"also": also} | options))


def played(subject, batches, tick=60):
    state = subject.initial()
    for rows in batches:
        state = subject.fold(state, rows)
    assert subject.load(subject.dump(state)) == state
    assert subject.newest(state) is not None
    return subject.verdict(state, at(tick))


EQUAL = (0.02, 0.02)


def test_of_several_metrics_the_reason_names_the_one_that_fails():
    verdict = played(several(), over_metrics(1, {"m": EQUAL, "n": (0.02, 0.12), "o": EQUAL}))
    assert (verdict.state, len(verdict.slices), verdict.candidate) == ("fail", 1, "2")
    assert verdict.reason.startswith("the candidate is worse: n is 0.")
    assert "m is" not in verdict.reason
    assert {"e_rollback_m", "e_promote_n", "e_rollback_o"} <= verdict.slices[0].evidence.keys()


def test_a_release_passes_once_it_passes_in_all_metrics_and_until_then_says_which_wait():
    rates = {"m": EQUAL, "n": EQUAL, "o": EQUAL}
    half = played(several(), over_metrics(2, rates, ticks=16), 16)
    assert half.state == "inconclusive"
    assert half.reason.startswith("n is not decided so far, ")
    loose = several(also=[{"metric": name, "worse": "higher", "margin": 0.05} for name in "no"])
    assert played(loose, over_metrics(2, rates, ticks=60)).state == "pass"
    assert played(loose, over_metrics(2, {"m": EQUAL, "n": EQUAL})).reason == f"o: {NO_CANDIDATE}"


def test_metrics_share_the_error_of_a_rollback_and_each_keeps_the_whole_one_of_a_promotion():
    alphas = [(each.metric, each.alpha_rollback, each.alpha_promote) for each in several(alpha_rollback=0.06).each]
    assert alphas == [("m", 0.02, 0.05), ("n", 0.02, 0.05), ("o", 0.02, 0.05)]
    given = several(also=[{"metric": "n", "worse": "higher", "alpha_rollback": 0.01}])
    assert [each.alpha_rollback for each in given.each] == [0.04, 0.01]
    with pytest.raises(ValidationError, match=r"errors of metrics sum to 0\.05, at most alpha_rollback, 0\.05"):
        several(also=[{"metric": "n", "worse": "higher", "alpha_rollback": 0.05}])
    with pytest.raises(ValidationError, match="each metric can be judged once"):
        several(also=[{"metric": "m", "worse": "higher"}])


def test_each_metric_has_its_own_range_and_its_own_good_labels():
    also = [
        {"metric": "composite", "worse": "lower", "margin": 2},
        {"metric": "faithfulness", "worse": "lower", "good": "supported"},
    ]
    subject = gate(also=also)
    assert subject.metrics == {"m", "composite", "faithfulness"}
    assert subject.scales["composite"].upper == 100
    assert subject.counts_labels
    assert [each.judged for each in subject.each] == ["m", "composite", "share of answers with faithfulness supported"]
    seen = [
        Observation(
            at=at(i // 10), answer_id=f"{i}-{metric}", metric=metric, value=value, probability=1, label=label,
            arm=("baseline", "candidate")[i % 2], share=0.5, versions={"app": "2"} if i % 2 else {},
        )
        for i in range(600)
        for metric, value, label in (
            ("m", 0, None),
            ("composite", 90, None),
            ("faithfulness", 0.9, "contradicted" if i % 4 == 1 else "supported"),
        )
    ]  # fmt: skip
    verdict = played(subject, [Batch.of(seen)])
    assert verdict.state == "fail"
    assert "faithfulness" in verdict.reason
