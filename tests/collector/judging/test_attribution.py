"""Attribution from a real store, by the step that judges: what a decision record blames and recommends."""

from datetime import timedelta

import pytest

from collector.store.log import verify
from gates.release import ReleaseGate
from tests.collector.pipeline.world import GATE, World, broken, fine


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path / "data")
    yield world
    world.store.close()


def test_a_swap_of_the_model_is_blamed_and_to_be_taken_back(world):
    world.serve(90, fine, model="a")
    row = world.change("model", version="b", previous="a")
    world.serve(30, broken, model="b")
    (*_, told) = world.records()
    assert told.attribution.kind == "quality within strata"
    assert [(each.seq, each.standing) for each in told.attribution.suspects] == [(row.seq, "carries")]
    assert [each.cause for each in told.causes_carrying] == ["model"]
    assert "traffic_mix" in {each.cause for each in told.causes_excluded}
    assert (told.recommended.action, told.recommended.component) == ("roll_back", "model")
    assert (told.recommended.version, told.recommended.to_version) == ("b", "a")
    assert verify(world.store.decisions(limit=100)).problem is None


def test_documents_that_were_updated_are_named_and_their_answers_are_the_evidence(world):
    world.serve(90, fine, prompt="1")
    world.change("documents", documents=("HR-2", "HR-9"))
    world.change("prompt", version="2", previous="1")
    world.serve(40, lambda document, **_: 0.9 if document == "HR-2" else 0.03, prompt="2")
    (*_, told) = world.records()
    assert [each.cause for each in told.causes_carrying] == ["documents"]
    assert "prompt" in {each.cause for each in told.causes_excluded}
    assert (told.recommended.action, told.recommended.documents) == ("quarantine_documents", ("HR-2",))
    given = world.store.documents_given([each.answer_id for each in told.answers])
    assert set(given.values()) == {("HR-2",)}
    assert {each.value for each in told.answers} == {1.0}


def test_a_question_that_many_asked_is_one_of_the_worst_answers_of_a_decision(world):
    world.serve(90, fine, model="a")
    world.change("model", version="b", previous="a")
    world.serve(30, broken, model="b", asked=lambda number: ("How long?", "HOW  long?", "Which fee?")[number % 3])
    (*_, told) = world.records()
    said = world.store.said([each.answer_id for each in told.answers])
    assert sorted(said.values()) == [("how long?", "as ever."), ("which fee?", "as ever.")]


def test_a_stale_index_is_to_be_rolled_back_though_only_the_documents_it_brought_got_worse(world):
    world.serve(90, fine, index="7")
    world.change("index", version="8", previous="7")
    world.change("documents", documents=("HR-2",))
    world.serve(40, lambda document, **_: 0.9 if document == "HR-2" else 0.03, index="8")
    (*_, told) = world.records()
    assert [each.cause for each in told.causes_carrying] == ["documents"]
    assert "index" not in {each.cause for each in told.causes_excluded}
    assert (told.recommended.action, told.recommended.component) == ("roll_back", "index")


def test_of_two_that_changed_at_once_neither_is_rolled_back(world):
    world.serve(90, fine, model="a", prompt="1")
    world.change("model", version="b", previous="a")
    world.change("prompt", version="2", previous="1")
    world.serve(30, broken, model="b", prompt="2")
    (*_, told) = world.records()
    assert told.recommended.action == "hold"
    assert told.recommended.reason == "cannot tell apart: model, prompt"
    assert {each.cause for each in told.causes_open} >= {"model", "prompt"}


def test_traffic_that_moved_is_the_mix_and_nothing_is_rolled_back(world):
    world.start(GATE.model_copy(update={"by": ()}))
    hard = {"travel": 0.7, "leave": 0.02}
    world.serve(90, lambda domain, **_: hard[domain], travel=0.1, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(40, lambda domain, **_: hard[domain], travel=0.7, release="2")
    (*_, told) = world.records()
    assert told.state == "fail"
    assert told.attribution.kind == "mix"
    assert [each.cause for each in told.causes_carrying] == ["traffic_mix"]
    assert told.recommended.action == "hold"
    assert "domain=travel" in told.recommended.reason
    assert {each.slice["domain"] for each in told.answers} == {"travel"}


def test_another_version_of_the_scorer_is_the_cause_and_nothing_is_compared_across_it(world):
    world.serve(90, fine, release="1")
    world.change("scorer", component="stale_source_use", version="2", previous="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(30, broken, panel="new", release="2")
    (*_, told) = world.records()
    assert (told.attribution.kind, told.attribution.suspects, told.attribution.total) == ("scorer version", (), None)
    assert told.recommended.action == "hold"


def test_rows_of_another_scorer_are_left_out_even_where_the_ledger_forgot_it(world):
    world.serve(60, fine, release="1")
    world.serve(30, broken, panel="new", release="1")
    (*_, told) = world.records()
    assert told.attribution.answers == 300


def test_a_slice_has_an_attribution_of_its_own_and_shares_it_with_the_gate_that_fails_by_it(world):
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(30, lambda domain, **_: 0.7 if domain == "travel" else 0.03, release="2")
    (*_, whole), (*_, part) = world.records(), world.records(domain="travel")
    assert whole.attribution == part.attribution
    assert 500 < part.attribution.answers < 700
    assert part.recommended.action == "roll_back"
    assert all(each.slice == {"domain": "travel"} for each in part.answers)


CANARY = ReleaseGate(type="release", name="canary", metric="stale_source_use", worse="higher")


def test_a_candidate_that_is_worse_than_what_is_served_beside_it_is_rolled_back_though_documents_changed(world):
    """Both made answers worse: documents in both arms alike, and the candidate beyond that."""
    world.start(CANARY)
    world.serve(90, fine, release="1", per_minute=20)
    world.change("documents", documents=("HR-2",))
    world.serve(40, lambda document, **_: 0.5 if document == "HR-2" else 0.03, release="1", per_minute=20)
    world.change("deploy", component="release", version="2", previous="1")
    world.route(60, lambda arm, document: (0.95 if arm == "candidate" else 0.5) if document == "HR-2" else 0.03)
    (*_, told) = world.records()
    assert (told.gate, told.state) == ("canary", "fail")
    assert [each.cause for each in told.causes_carrying] == ["release"]
    assert "documents" in {each.cause for each in told.causes_open}
    assert (told.recommended.action, told.recommended.version, told.recommended.to_version) == ("roll_back", "2", "1")


@pytest.mark.parametrize("announced", [True, False])
def test_a_canary_on_half_of_the_traffic_that_is_worse_is_rolled_back_to_its_baseline(world, announced):
    """Nothing was served before, so nothing is known of a fall: the arms alone show it."""
    world.start(CANARY)
    if announced:
        world.change("deploy", component="release", version="2", source="explicit")
    world.route(60, lambda arm, **_: 0.3 if arm == "candidate" else 0.03, share=0.5)
    (*_, told) = world.records()
    assert told.state == "fail"
    assert [each.cause for each in told.causes_carrying] == ["release"]
    assert (told.recommended.action, told.recommended.version, told.recommended.to_version) == ("roll_back", "2", "1")


@pytest.mark.parametrize(
    ("rows", "served", "reason"),
    [
        ([{"version": "1", "previous": "2"}], "1", "already rolled back: release changed from 2 to 1 "),
        ([{"version": "1"}], "1", "already rolled back: release changed to 1 "),
        (
            [{"version": "1", "previous": "2", "source": "explicit"}] * 2,
            "1",
            "already rolled back: release changed from 2 to 1 ",
        ),
        ([{"version": "1", "previous": "2"}, {"version": "3", "previous": "1"}], "3", None),
    ],
)
def test_what_fails_after_a_rollback_is_not_to_be_rolled_back_again(world, rows, served, reason):
    """One slice fails, the release is taken back, and then another slice fails."""
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(15, lambda domain, **_: 0.6 if domain == "travel" else 0.03, release="2")
    (*_, first) = world.records(domain="travel")
    assert (first.recommended.action, first.recommended.version) == ("roll_back", "2")
    for row in rows:
        world.change("deploy", component="release", **row)
    world.serve(15, lambda domain, **_: 0.6 if domain == "leave" else 0.03, release=served)
    (*_, told) = world.records(domain="leave")
    assert told.state == "fail"
    if reason is None:
        assert (told.recommended.version, told.recommended.to_version) == ("3", "1")
    else:
        assert told.recommended.action == "hold"
        assert told.recommended.reason.startswith(reason)


def test_a_rollback_a_day_and_more_after_the_release_is_known_for_one(world):
    world.serve(90, fine, release="1")
    world.change("deploy", component="release", version="2", previous="1")
    world.serve(15, broken, release="2")
    world.clock += timedelta(hours=30)
    world.step.run_once()
    world.change("deploy", component="release", version="1", previous="2")
    world.serve(15, broken, release="1")
    (*_, told) = (each for each in world.records() if each.kind == "verdict")
    assert (told.state, [row.version for row in told.changes]) == ("fail", ["1"])
    assert told.recommended.action == "hold"


def test_components_whose_versions_nobody_reports_are_not_ruled_out(world):
    """The index was the culprit, and neither an answer nor an announcement tells of one."""
    world.serve(90, fine, model="a")
    world.change("model", version="a", previous=None)
    world.serve(30, broken, model="a")
    (*_, told) = world.records()
    assert {each.cause for each in told.causes_open} >= {"index", "prompt", "retriever", "release", "documents"}
    assert not {each.cause for each in told.causes_excluded} & {"index", "prompt", "retriever", "release", "documents"}


def test_components_that_answers_name_and_that_did_not_change_are_ruled_out(world):
    served = {"model": "a", "index": "7", "catalog": "c"}
    world.serve(90, fine, **served)
    world.serve(30, broken, **served)
    (*_, told) = world.records()
    assert {each.cause for each in told.causes_excluded} >= {"model", "index", "documents", "scorer_version"}


def test_a_pass_is_attributed_to_nothing(world):
    world.serve(90, fine, release="1")
    (*_, told) = world.records()
    assert (told.state, told.attribution, told.causes_carrying) == ("pass", None, ())
