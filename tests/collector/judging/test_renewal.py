"""What a failure comes from is looked at again while it lasts: rows of the log say what more answers show."""

import pytest

from collector.judging.attribution import told
from collector.store.log import verify
from gates.attribution.report import Attribution
from tests.collector.pipeline.world import World, broken, fine


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path / "data")
    yield world
    world.store.close()


def worse(**_):
    return 0.35


def begun(world):
    """Two things change, of which the one that came first is the cause; few answers tell at first."""
    world.serve(90, fine, model="a", prompt="1")
    world.change("model", version="b", previous="a")
    world.serve(4, worse, model="b", prompt="1")
    world.change("prompt", version="2", previous="1")
    while world.records()[-1].state != "fail":
        world.serve(4, worse, model="b", prompt="2")


def test_what_few_answers_leave_open_more_answers_name_in_a_row_of_its_own(world):
    begun(world)
    (*_, first) = world.records()
    assert (first.state, first.kind) == ("fail", "verdict")
    assert not first.causes_carrying
    before = world.store.decisions(limit=100)
    while not world.records()[-1].causes_carrying:
        world.serve(4, worse, model="b", prompt="2")
    (*_, newest) = world.records()
    assert (newest.state, newest.previous_state, newest.kind) == ("fail", "fail", "attribution")
    assert [each.cause for each in newest.causes_carrying] == ["model"]
    assert (newest.recommended.action, newest.recommended.version) == ("roll_back", "b")
    rows = world.store.decisions(limit=100)
    assert rows[: len(before)] == before
    assert verify(rows).problem is None
    assert {row.seq for row in world.store.last_decisions()} < {row.seq for row in rows}


def test_what_was_rolled_back_while_it_fails_is_not_recommended_any_more(world):
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(30, broken, release="2")
    (*_, first) = world.records()
    assert first.recommended.action == "roll_back"
    world.change("deploy", component="release", version="1", previous="2")
    world.serve(1, broken, release="1")
    newest = [each for each in world.records() if each.kind == "attribution"][-1]
    assert newest.recommended.action == "hold"
    assert newest.recommended.reason.startswith("release 2 is no longer served: release changed from 2 to 1")


def test_what_changes_after_the_alarm_does_not_overturn_the_advice(world):
    """A catalog that is listed anew, and a prompt: neither can have made fail what failed already."""
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    while not (failed := [each for each in world.records(domain="travel") if each.state == "fail"]):
        world.serve(2, broken, release="2")
    first = failed[0]
    asked = (first.recommended.action, first.recommended.version, first.recommended.to_version)
    assert asked == ("roll_back", "2", "1")
    world.change("documents", component="catalog", documents=("HR-1", "HR-2"), source="catalog")
    world.change("prompt", version="2", previous="1")
    for _ in range(5):
        world.serve(6, broken, release="2", prompt="2")
    for each in [*world.records(domain="travel"), *world.records()]:
        if each.state == "fail":
            told = each.recommended
            assert (told.action, told.version, told.to_version) == asked
    assert [row.kind for row in world.records(domain="travel")[-1].changes] == ["deploy"]


def test_what_changes_before_another_slice_begins_to_fail_may_be_what_it_comes_from(world):
    world.serve(90, fine, release="1", model="a")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(20, lambda domain, **_: 0.6 if domain == "travel" else 0.03, release="2", model="a")
    world.change("model", version="b", previous="a")
    world.serve(20, broken, release="2", model="b")
    assert "model" in {row.kind for row in world.records(domain="leave")[-1].changes}
    assert "model" not in {row.kind for row in world.records(domain="travel")[-1].changes}


def test_nothing_is_written_while_the_same_is_found(world):
    world.serve(90, fine, model="a")
    world.change("model", version="b", previous="a")
    world.serve(30, broken, model="b")
    before = len(world.store.decisions(limit=100))
    for _ in range(5):
        world.serve(6, broken, model="b")
    assert len(world.store.decisions(limit=100)) == before


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 3])
def test_a_restart_neither_repeats_nor_forgets_what_was_said(tmp_path, after):
    logs = []
    for restarts in (False, True):
        world = World(tmp_path / f"data-{restarts}")
        begun(world)
        for each in range(5):
            if restarts and each == after:
                world.start()
            world.serve(4, worse, model="b", prompt="2")
        logs.append([(row.slice, row.state, row.record) for row in world.store.decisions(limit=100)])
        world.store.close()
    assert logs[0] == logs[1]
    assert any('"kind":"attribution"' in record for _, _, record in logs[0])


def test_a_slice_that_knows_more_tells_its_gate(world):
    """Both domains fail: one since ever, the other, which few ask about, by a model that served all."""
    always = {"leave": 0.5, "travel": 0.03}
    world.serve(90, lambda domain, **_: always[domain], model="a", travel=0.15, per_minute=20)
    world.change("model", version="b", previous="a")
    while not (part := world.records(domain="travel")[-1]).causes_carrying:
        world.serve(
            5,
            lambda domain, **_: max(always[domain], 0.6 * (domain == "travel")),
            model="b",
            travel=0.15,
            per_minute=20,
        )
    whole = world.records()[-1]
    assert [each.cause for each in whole.causes_carrying] == ["model"]
    assert whole.attribution.summary == f"in domain=travel: {part.attribution.summary}"
    assert whole.recommended == part.recommended


def test_an_attribution_that_names_a_cause_tells_more_than_one_that_does_not():
    plain = Attribution(metric="m", kind="quality within strata", summary="", alpha=0.05, answers=9)
    nothing, mix = (plain.model_copy(update={"kind": kind}) for kind in ("not told", "mix"))
    assert told(nothing) < told(plain) < told(mix)
