from datetime import UTC, datetime, timedelta

import pytest

from gates.decisions.recommendation import examine, recommend
from gates.decisions.record import DecisionRecord, Mix, RecordedChange
from gates.decisions.serving import Ledger

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STEADY = Mix(before=10_000, after=10_000, shift=0.01, slack=0.02)
METRICS = ("claim_support",)


def change(kind, component, *, minutes=0, **more):
    at = NOON + timedelta(minutes=minutes)
    told = {"seq": 100 + minutes, "recorded_at": at, "source": "observed", "previous": "1", "version": "2"}
    return RecordedChange(at=at, kind=kind, component=component, **told | more)


@pytest.mark.parametrize(
    ("kind", "component", "what"),
    [
        ("deploy", "release", "release"),
        ("index", "embedder", "index"),
        ("prompt", "prompt", "prompt"),
        ("model", "model", "model"),
        ("retriever", "reranker", "retriever"),
    ],
)
def test_the_one_thing_that_changed_is_to_be_rolled_back_to_what_it_was(kind, component, what):
    told = recommend("fail", [change(kind, component, scope={"service": "desk"})], METRICS)
    assert (told.action, told.component, told.version, told.to_version) == ("roll_back", what, "2", "1")
    assert told.scope == {"service": "desk"}


def test_of_two_releases_the_newer_one_is_rolled_back():
    rows = [change("deploy", "release"), change("deploy", "release", minutes=5, previous="2", version="3")]
    told = recommend("fail", rows, METRICS)
    assert (told.version, told.to_version) == ("3", "2")


@pytest.mark.parametrize(
    ("rows", "component"),
    [
        ([change("deploy", "release"), change("prompt", "prompt"), change("model", "model", minutes=2)], "release"),
        ([change("index", "index"), change("documents", "documents", minutes=9, documents=("A",))], "index"),
        ([change("deploy", "release"), change("index", "index"), change("documents", "documents")], "release"),
    ],
)
def test_what_came_with_a_release_or_an_index_is_part_of_it(rows, component):
    assert recommend("fail", rows, METRICS).component == component


@pytest.mark.parametrize(
    "other",
    [
        change("prompt", "prompt", minutes=11),
        change("prompt", "prompt", minutes=-1),
        change("prompt", "prompt", source="explicit"),
    ],
    ids=["long after", "before", "announced by itself"],
)
def test_what_did_not_come_with_it_is_another_thing(other):
    assert recommend("fail", [change("deploy", "release"), other], METRICS).action == "hold"


def test_documents_that_changed_are_put_aside_and_nothing_is_rolled_back():
    rows = [
        change("documents", "documents", documents=("A", "B")),
        change("documents", "catalog", minutes=1, documents=("B", "C")),
    ]
    told = recommend("fail", rows, METRICS)
    assert (told.action, told.documents) == ("quarantine_documents", ("A", "B", "C"))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "no change"),
        ([change("model", "model"), change("prompt", "prompt")], "several components changed: model, prompt"),
        ([change("deploy", "release"), change("scorer", "claim_support")], "the metric itself changed"),
        ([change("documents", "catalog")], "which ones is unknown"),
    ],
)
def test_what_cannot_be_told_is_held(rows, why):
    told = recommend("fail", rows, METRICS)
    assert told.action == "hold"
    assert why in told.reason


def test_a_scorer_that_the_gate_does_not_listen_to_holds_up_nothing():
    assert recommend("fail", [change("scorer", "latency"), change("deploy", "release")], METRICS).action == "roll_back"


@pytest.mark.parametrize(("state", "action"), [("pass", "none"), ("inconclusive", "hold")])
def test_nothing_is_rolled_back_without_a_failure(state, action):
    assert recommend(state, [change("deploy", "release")], METRICS).action == action


def test_every_cause_is_either_excluded_or_open_and_says_why():
    rows = [change("scorer", "claim_support"), change("documents", "documents", documents=("A",))]
    _, excluded, left = examine(rows, METRICS, STEADY)
    assert {item.cause for item in left} == {"scorer_version", "documents"}
    assert {item.cause for item in excluded} == {"traffic_mix", "release", "model", "prompt", "index", "retriever"}
    assert all(item.detail for item in (*excluded, *left))


def test_what_reports_no_version_is_not_ruled_out_for_want_of_a_change():
    unknown = ("prompt", "index")
    _, excluded, left = examine([], METRICS, STEADY, unknown=unknown)
    said = {item.cause: item.detail for item in left}
    assert set(said) == set(unknown)
    assert said["index"] == "not known: answers report no version of it, and no change of it was ever announced"
    assert {item.detail for item in excluded if item.cause == "model"} == {"known, and unchanged in the ledger"}
    told = recommend("fail", [], METRICS, unknown=unknown)
    assert told.reason == (
        "no change is known of the last day, and the gate never passed; of prompt, index no version is reported, so"
        " that a change of it would not show"
    )


def test_a_gate_that_passed_is_told_that_nothing_changed_since():
    told = recommend("fail", [], METRICS, ledger=Ledger([], NOON))
    assert told.reason == "no change is known since the gate last passed"


@pytest.mark.parametrize("mix", [None, Mix(before=10, after=10, shift=0.0, slack=0.5)])
def test_a_mix_that_is_not_known_well_is_not_excluded(mix):
    _, excluded, left = examine([], METRICS, mix)
    assert [item.cause for item in left] == ["traffic_mix"]
    assert "traffic_mix" not in {item.cause for item in excluded}


def test_a_shift_of_traffic_is_told_from_chance():
    few, many = {"a": 5, "b": 5}, {"a": 50_000, "b": 50_000}
    assert not Mix.between(few, few).steady
    assert Mix.between(many, many).steady
    moved = Mix.between(many, {"a": 80_000, "b": 20_000})
    assert (moved.steady, round(moved.shift, 6)) == (False, 0.3)
    assert Mix.between({}, many) is None


def test_one_slice_alone_cannot_shift():
    assert Mix.between({"a": 3}, {"a": 1}) == Mix(before=3, after=1, shift=0.0, slack=0.0)


def test_a_record_cannot_leave_out_the_causes():
    required = DecisionRecord.model_json_schema()["required"]
    assert {"causes_excluded", "causes_open", "recommended", "expires_at"} <= set(required)
