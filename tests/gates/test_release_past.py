"""A release without arms, held against what was served before it: by slice, with all answers that came since."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from gates.inputs.changes import Change
from gates.inputs.observations import Batch, Observation
from gates.release import ReleaseGate

NOON = datetime(2026, 11, 1, 12, 7, 31, tzinfo=UTC)


def gate(**options):
    defaults = {"type": "release", "name": "g", "metric": "m", "worse": "lower", "margin": 0.35, "tick": "5s"}
    return ReleaseGate.model_validate({**defaults, "grace": "5s", **options})


def answers(begin, values, *, service="HR", every=0.5):
    """Answers of a service, ``every`` so many seconds from ``begin`` on."""
    return [
        Observation(
            at=NOON + timedelta(seconds=begin + every * i),
            answer_id=f"{service}-{begin}-{i}",
            metric="m",
            value=value,
            probability=1,
            slice={"service": service},
        )
        for i, value in enumerate(values)
    ]


def deployed(version, second, service=None, kind="deploy"):
    scope = {} if service is None else {"service": service}
    return Change(at=NOON + timedelta(seconds=second), kind=kind, version=version, scope=scope)


def played(subject, *steps, state=None):
    state = subject.initial() if state is None else state
    for step in steps:
        state = subject.change(state, step) if isinstance(step, Change) else subject.fold(state, Batch.of(step))
    return state


def judged(subject, state, second):
    return subject.verdict(state, NOON + timedelta(seconds=second))


def test_answers_count_from_the_moment_of_the_release_and_pass_it_within_the_hour():
    subject = gate()
    state = played(subject, answers(0, [1.0] * 400), deployed("2.0", 202), answers(203, [1.0] * 150))
    verdict = judged(subject, state, 300)
    assert (verdict.state, verdict.candidate, verdict.slices[0].n) == ("pass", "2.0", 150)
    assert "over 150 answers since" in verdict.reason


@pytest.mark.parametrize("tick", ["5s", "5m", "1h"])
def test_a_release_parts_the_tick_in_which_it_came(tick):
    subject = gate(tick=tick)
    state = played(subject, answers(0, [1.0] * 400), deployed("2.0", 202), answers(203, [1.0] * 150))
    verdict = judged(subject, state, 2 * 3600)
    assert (verdict.state, verdict.slices[0].n, verdict.slices[0].evidence["n_baseline"]) == ("pass", 150, 400)


def test_a_worse_release_shows_the_evidence_and_the_answers_that_it_failed_by():
    subject = gate()
    state = played(subject, answers(0, [1.0, 0.8] * 200), deployed("2.0", 202), answers(203, [0.4] * 150))
    verdict = judged(subject, state, 300)
    part = verdict.slices[0]
    assert (verdict.state, verdict.no_data, part.n) == ("fail", False, 150)
    assert part.evidence["e_rollback"] >= 20
    assert (part.cause, part.candidate) == ("release 2.0", "2.0")
    # It stands, and goes on to show what it was decided by where later answers are as good as those of before.
    state = played(subject, answers(300, [1.0] * 1500), state=state)
    later = judged(subject, state, 1200)
    assert (later.state, later.slices[0].evidence["e_rollback"]) == ("fail", part.evidence["e_rollback"])
    assert later.slices[0].estimate == pytest.approx(0.4)


def test_right_after_a_release_it_is_said_when_its_answers_count():
    subject = gate()
    state = played(subject, answers(0, [1.0] * 400), deployed("2.0", 202))
    assert "answers since the release are counted yet (they count up to 10s after they came)" in (
        judged(subject, state, 203).reason
    )


def test_a_team_that_releases_leaves_the_release_of_another_as_it_is():
    subject = gate(by=["service"])
    before = [answers(0, [1.0] * 400, service=name) for name in ("HR", "IT")]
    state = played(subject, *before, deployed("2.0", 202, "IT"), answers(203, [1.0] * 60, service="IT"))
    alone = judged(subject, state, 300).slices[0]
    assert (alone.slice, alone.candidate, alone.state) == ({"service": "IT"}, "2.0", "pass")
    state = played(subject, deployed("2.1", 301, "HR"), answers(302, [0.2] * 60, service="HR"), state=state)
    verdict = judged(subject, state, 400)
    assert {part.slice["service"]: (part.candidate, part.state) for part in verdict.slices} == {
        "HR": ("2.1", "fail"),
        "IT": ("2.0", "pass"),
    }
    assert verdict.candidate is None
    assert verdict.slices[1] == alone


def test_a_slice_that_had_no_release_is_not_judged_and_blocks_none():
    subject = gate(by=["service"])
    before = [answers(0, [1.0] * 400, service=name) for name in ("HR", "IT")]
    state = played(subject, *before, deployed("2.1", 202, "HR"))
    state = played(subject, *(answers(203, [1.0] * 60, service=name) for name in ("HR", "IT")), state=state)
    verdict = judged(subject, state, 300)
    assert (verdict.state, [part.slice["service"] for part in verdict.slices]) == ("pass", ["HR"])
    assert verdict.candidate == "2.1"


def test_a_prompt_that_came_with_a_release_is_part_of_it_in_its_slices_alone():
    subject = gate(by=["service"])
    before = [answers(0, [1.0] * 400, service=name) for name in ("HR", "IT")]
    state = played(subject, *before, deployed("2.1", 202, "HR"), deployed("p-2", 210, kind="prompt"))
    state = played(subject, *(answers(211, [1.0] * 60, service=name) for name in ("HR", "IT")), state=state)
    assert [part.candidate for part in judged(subject, state, 300).slices] == ["2.1", None]


def test_a_service_that_is_new_has_the_release_that_was_announced_for_all():
    subject = gate(by=["service"])
    state = played(subject, answers(0, [1.0] * 400), deployed("2.1", 202), answers(203, [1.0] * 50, service="new"))
    part = judged(subject, state, 300).slices[-1]
    assert (part.slice, part.candidate, part.state) == ({"service": "new"}, "2.1", "inconclusive")
    assert "nothing to compare with: 50 answers from before the release" in part.reason


def test_late_answers_of_before_a_release_are_no_evidence_about_it_and_those_of_others_are():
    subject = gate(by=["service"])
    before = [answers(0, [1.0] * 400, service=name) for name in ("HR", "IT")]
    state = played(subject, *before, deployed("2.0", 202, "IT"), answers(203, [1.0] * 60, service="IT"))
    state = played(subject, deployed("2.1", 300, "HR"), answers(301, [1.0] * 100, service="HR"), state=state)
    late = [answers(250, [0.0] * 5, service=name) for name in ("HR", "IT")]
    told = judged(subject, played(subject, *late, state=state), 400)
    assert {part.slice["service"]: part.n for part in told.slices} == {"HR": 100, "IT": 65}


def test_what_is_known_of_releases_does_not_depend_on_batches_or_a_restart():
    subject = gate(by=["service"])
    seen = [
        *(row for name in ("HR", "IT") for row in answers(0, [1.0, 0.7] * 200, service=name)),
        *(row for name in ("HR", "IT", "new") for row in answers(203, [0.5] * 120, service=name)),
    ]
    seen.sort(key=lambda row: row.at)
    changes = [deployed("2.0", 100, "IT"), deployed("2.1", 202.2, "HR"), deployed("p", 203, kind="prompt")]
    whole = played(subject, *changes, seen)
    state = subject.initial()
    for change in changes:
        state = subject.change(state, change)
    for start in range(0, len(seen), 7):
        state = subject.load(subject.dump(subject.fold(state, Batch.of(seen[start : start + 7]))))
    assert subject.dump(state) == subject.dump(whole)
    assert judged(subject, state, 400) == judged(subject, whole, 400)


@pytest.mark.slow
def test_false_alarms_and_false_passes_are_as_rare_as_promised_release_by_release():
    subject = gate(by=["service"], margin=0.1)
    rng, wrong = np.random.default_rng(3), {"fail": 0, "pass": 0}
    for kind, after in (("fail", 0.9), ("pass", 0.8)):
        names = [f"s{i:02d}" for i in range(60)]
        state = played(subject, *(answers(0, (rng.random(600) < 0.9) * 1.0, service=name, every=0.3) for name in names))
        for name in names:
            state = subject.change(state, deployed("2", 200, name))
        for begin in range(201, 801, 100):
            rows = [answers(begin, (rng.random(200) < after) * 1.0, service=name, every=0.5) for name in names]
            state = played(subject, *rows, state=state)
        wrong[kind] = sum(part.state == kind for part in judged(subject, state, 900).slices)
    # 5 % of 60, and two standard errors.
    assert wrong["fail"] <= 6
    assert wrong["pass"] <= 6
