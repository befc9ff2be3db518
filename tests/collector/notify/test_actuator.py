"""The rules of roll-backs, one by one."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.notify.actuator import DAY, RollbackOptions, rule
from collector.notify.base import EMPTY
from collector.notify.notice import Notice
from gates.decisions.recommendation import recommend as recommended_of
from gates.decisions.record import Recommendation
from gates.decisions.serving import Ledger
from tests.collector.notify.bench import AT, HOLD, HOUR, NAMES, ROLL_BACK, notice, renewed
from tests.gates.histories import NOON, histories

LIVE = RollbackOptions(dry_run=False)


def recommend(**fields):
    return ROLL_BACK.model_copy(update=fields)


def ruled(recommended=ROLL_BACK, memory=EMPTY, *, options=LIVE, now=AT, **fields):
    return rule(options, notice(recommended=recommended, **fields), memory, now=now)


def test_a_release_is_rolled_back_once_whatever_it_is_rolled_back_to():
    first = ruled()
    assert first.outcome == "requested"
    for other in (ROLL_BACK, recommend(to_version="1.9")):
        again = ruled(other, first.memory, now=AT + 400 * DAY)
        assert (again.outcome, again.memory) == ("repeated", first.memory)


def test_another_service_is_another_release():
    first = ruled()
    assert ruled(recommend(scope={"service": "billing"}), first.memory).outcome == "requested"


def test_a_service_is_left_alone_for_the_cool_down():
    first = ruled()
    newer = recommend(version="2.2", to_version="2.0.1")
    assert ruled(newer, first.memory, now=AT + HOUR - 1).outcome == "cooling_down"
    assert ruled(newer, first.memory, now=AT + HOUR).outcome == "requested"
    # A clock that was set back has no way around it.
    assert ruled(newer, first.memory, now=AT - DAY).outcome == "cooling_down"


def test_no_more_than_the_cap_in_any_24_hours():
    memory = EMPTY
    for number, name in enumerate(("a", "b", "c")):
        made = ruled(recommend(scope={"service": name}), memory, now=AT + number)
        assert made.outcome == "requested"
        memory = made.memory
    more = recommend(scope={"service": "d"})
    assert ruled(more, memory, now=AT + DAY - 1).outcome == "capped"
    assert ruled(more, memory, now=AT + DAY).outcome == "requested"


def test_nothing_is_rolled_back_to_what_was_rolled_back():
    first = ruled()
    back = recommend(version="2.2", to_version="2.1")
    assert ruled(back, first.memory, now=AT + 2 * HOUR).outcome == "returns"


@pytest.mark.parametrize(
    "recommended",
    [
        Recommendation(action="hold", reason="several components changed"),
        Recommendation(action="quarantine_documents", reason="HR-010", documents=("HR-010",)),
    ],
)
def test_whatever_else_is_recommended_is_no_reason(recommended):
    assert ruled(recommended).outcome == "hold"


@pytest.mark.parametrize(
    "fields", [{"version": None}, {"to_version": None}, {"scope": {}}, {"scope": {"domain": "travel"}}]
)
def test_what_is_not_known_is_not_rolled_back(fields):
    assert ruled(recommend(**fields)).outcome == "unknown_target"


def test_the_service_is_that_of_the_recommendation_of_the_slice_or_of_all_that_fails():
    anywhere = recommend(scope={})
    assert ruled(anywhere, slice_={"service": "billing"}).request.service == "billing"
    assert ruled(anywhere, parts=[{"service": "billing", "domain": d} for d in "ab"]).request.service == "billing"
    assert ruled(anywhere, parts=[{"service": "billing"}, {"service": "helpdesk"}]).outcome == "unknown_target"
    assert ruled(anywhere, parts=[{"service": "billing"}, {"domain": "a"}]).outcome == "unknown_target"


def test_what_more_answers_show_of_a_failure_is_rolled_back_as_well_and_once():
    assert ruled(HOLD).outcome == "hold"
    later = Notice.of(renewed(at=AT + HOUR, recommended=ROLL_BACK), NAMES)
    first = rule(LIVE, later, EMPTY, now=AT + HOUR)
    assert first.outcome == "requested"
    assert rule(LIVE, later, first.memory, now=AT + 3 * HOUR).outcome == "repeated"
    assert not later.failing


def test_only_components_that_are_configured_are_rolled_back():
    index = recommend(component="index")
    assert ruled(index).outcome == "not_configured"
    assert ruled(index, options=RollbackOptions(dry_run=False, components=("index",))).outcome == "requested"


def test_a_dry_run_follows_the_same_rules_and_leaves_no_trace_when_it_is_over():
    dry = RollbackOptions()
    first = ruled(options=dry)
    assert first.outcome == "dry_run"
    assert ruled(memory=first.memory, options=dry).outcome == "repeated"
    live = ruled(memory=first.memory)
    assert live.outcome == "requested"
    assert ruled(memory=live.memory).outcome == "repeated"


def test_a_row_without_a_record_asks_for_nothing():
    assert rule(LIVE, notice(explained=False), EMPTY, now=AT) is None


@settings(max_examples=60, deadline=None)
@given(
    asked=st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(1, 4), st.integers(0, 3 * 24 * 3600)), min_size=1, max_size=40
    )
)
def test_whatever_is_asked_the_rules_hold(asked):
    options = RollbackOptions(dry_run=False, cool_down=timedelta(hours=2), daily_cap=2)
    memory, done = EMPTY, []
    for name, version, seconds in sorted(asked, key=lambda row: row[2]):
        now = AT + seconds * 10**9
        made = ruled(
            recommend(scope={"service": name}, version=str(version), to_version=str(version - 1)),
            memory,
            options=options,
            now=now,
        )
        memory = made.memory
        if made.outcome == "requested":
            done.append((name, version, now))
    assert len({(name, version) for name, version, _ in done}) == len(done)
    for index, (name, _, now) in enumerate(done):
        before = done[:index]
        assert sum(now - at < DAY for _, _, at in before) < 2
        assert all(now - at >= 2 * HOUR for other, _, at in before if other == name)


@settings(max_examples=200, deadline=None)
@given(history=histories(), more=st.integers(0, 4))
def test_what_was_rolled_back_since_the_record_was_made_is_not_asked_for(history, more):
    """The receiver was down, or the agent, while somebody rolled back by hand."""
    upto = max(1, len(history.changes) - more)
    before = history.changes[:upto]
    ledger = Ledger(history.known[: len(history.known) - len(history.changes) + upto], NOON)
    recommended = recommended_of("fail", before, ("m",), ledger=ledger)
    options = RollbackOptions(dry_run=False, components=("release", "model", "prompt", "index"))
    late = notice(recommended=recommended, changes=before, slice_={"service": "desk"}).as_of(history.known)
    made = rule(options, late, EMPTY, now=AT)
    if made.outcome == "requested":
        assert made.request.version == history.served[made.request.component].now
    else:
        assert made.memory == EMPTY
