"""After a roll-back the agent looks whether quality recovered, by answers after it alone."""

from datetime import timedelta

import pytest

from collector.store.log import exported, exported_log, verify
from tests.collector.pipeline.world import World, broken, fine


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path / "data")
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(30, broken, release="2")
    yield world
    world.store.close()


def taken_back(world, **more):
    return world.change("deploy", component="release", **{"version": "1", "previous": "2"} | more)


def told(world, **slice_):
    """Return what was said of roll-backs, oldest first."""
    return [each.verification for each in world.records(**slice_) if each.kind == "verification"]


def outcomes(world, domain="travel"):
    return [each.outcome for each in told(world, domain=domain)]


def test_quality_that_came_back_is_said_to_have_recovered(world):
    row = taken_back(world)
    world.step.run_once()
    assert outcomes(world) == ["not_enough_answers"]
    world.serve(60, fine, release="1")
    assert outcomes(world) == ["not_enough_answers", "recovered"]
    found = told(world, domain="travel")[-1]
    assert (found.component, found.version, found.returned) == ("release", "1", row.seq)
    assert found.upper <= found.level
    assert found.reference < found.level < 0.3
    assert 0 < found.n < 600
    assert verify(world.store.decisions(limit=100)).problem is None


def test_quality_that_did_not_come_back_is_said_not_to_have_recovered(world):
    taken_back(world)
    world.serve(30, broken, release="1")
    assert outcomes(world)[-1] == "not_recovered"
    *_, last = [each for each in world.records(domain="travel") if each.kind == "verification"]
    assert last.recommended.action == "hold"
    assert last.verification.lower > last.verification.level


def test_no_answers_are_no_recovery(world):
    taken_back(world)
    for _ in range(5):
        world.clock += timedelta(hours=3)
        world.step.run_once()
    assert outcomes(world) == ["not_enough_answers"]
    world.clock += timedelta(hours=12)
    world.step.run_once()
    assert outcomes(world) == ["not_enough_answers"] * 2
    assert told(world, domain="travel")[-1].n == 0


def test_only_answers_of_the_version_gone_back_to_count(world):
    """A canary that is still up serves well; what the old version serves is as bad as before."""
    taken_back(world)
    world.serve(30, fine, release="2")
    assert outcomes(world) == ["not_enough_answers"]
    world.serve(30, broken, release="1")
    assert outcomes(world)[-1] == "not_recovered"


def test_what_was_scored_before_the_roll_back_does_not_count(world):
    world.serve(20, fine, release="1")
    taken_back(world)
    world.step.run_once()
    assert told(world, domain="travel")[-1].n == 0


@pytest.mark.slow
@pytest.mark.parametrize("after", [fine, broken])
def test_the_same_look_decides_wherever_a_restart_falls(tmp_path, after):
    found = set()
    for every in (3, 7, 30):
        world = World(tmp_path / f"data{every}")
        world.serve(90, fine, release="1")
        world.change("deploy", component="release", version="2", previous="1")
        world.serve(30, broken, release="2")
        taken_back(world)
        for _ in range(30 // every):
            world.serve(every, after, release="1")
            if every == 7:
                world.start()
        last = told(world, domain="travel")[-1]
        found.add((last.outcome, last.n, last.estimate, last.lower, last.upper))
        world.store.close()
    assert len(found) == 1


def test_a_roll_back_announced_and_observed_is_watched_once(world):
    taken_back(world, previous=None)
    world.serve(1, fine, release="1")
    world.change("deploy", component="release", version="1", previous="2", note="observed")
    world.serve(60, fine, release="1")
    assert outcomes(world) == ["not_enough_answers", "recovered"]


@pytest.mark.parametrize(
    "other",
    [
        {"version": "3", "previous": "2"},
        {"component": "guardrails"},
        {"version": "1", "previous": "0"},
        {"version": None},
    ],
    ids=["a new version", "another component", "from elsewhere", "no version"],
)
def test_another_change_is_no_roll_back(world, other):
    world.change("deploy", **{"component": "release", "version": "1", "previous": "2"} | other)
    world.serve(30, fine, release="1")
    assert outcomes(world) == []


def test_a_scorer_that_changed_since_makes_the_level_worthless(world):
    world.change("scorer", component="stale_source_use", version="2", previous="1")
    taken_back(world)
    world.serve(60, fine, release="1", panel="new")
    assert outcomes(world) == []


def test_a_scorer_that_changes_while_it_is_watched_ends_it_undecided(world):
    taken_back(world)
    world.step.run_once()
    world.change("scorer", component="stale_source_use", version="2", previous="1")
    world.serve(60, fine, release="1", panel="new")
    assert outcomes(world) == ["not_enough_answers"] * 2


def test_verdicts_and_what_was_passed_last_do_not_take_a_verification_for_a_turn(world):
    taken_back(world)
    world.step.run_once()
    newest = {row.slice.get("domain"): row for row in world.store.last_decisions()}
    assert {row.state for row in newest.values()} == {"fail"}
    assert all(row.previous_state != row.state for row in newest.values())
    before = world.store.last_pass("stale", {"domain": "travel"})
    world.serve(60, fine, release="1")
    rows = [row for row in world.store.decisions(limit=100) if row.slice == {"domain": "travel"}]
    assert [row.state for row in rows if row.previous_state != row.state] == ["pass", "fail", "pass"]
    assert world.store.last_pass("stale", {"domain": "travel"}) > before


def test_the_chain_of_old_and_new_rows_is_proved_of_an_export_too(world):
    taken_back(world)
    world.serve(60, fine, release="1")
    lines = [exported(row).encode() for row in world.store.decisions(limit=100)]
    assert verify(exported_log(lines)).problem is None
    forged = [line.replace(b"not_recovered", b"recovered").replace(b"recovered", b"not_recovered") for line in lines]
    assert forged != lines
    assert verify(exported_log(forged)).problem is not None


def test_the_counters_tell_what_came_of_roll_backs(world):
    taken_back(world)
    world.serve(60, fine, release="1")
    text = world.telemetry.exposition("")[0].decode()
    assert 'groundwire_rollback_verifications_total{gate="stale",outcome="recovered"} 2.0' in text
    assert 'groundwire_rollback_verifications_total{gate="stale",outcome="not_recovered"} 0.0' in text
