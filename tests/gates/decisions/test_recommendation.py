"""Laws of what a record rules out and recommends, whatever happened before it and whatever the answers show."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gates.attribution.causes import CAUSES
from gates.attribution.report import Attribution, Finding
from gates.decisions.contested import Failed, contest
from gates.decisions.recommendation import examine, recommend
from gates.decisions.serving import Ledger
from tests.gates.decisions.test_record import change
from tests.gates.histories import FELL, NOON, attributions, histories

METRICS = ("m",)


@st.composite
def failures(draw):
    """A history, what the answers show of it, and the release that the gate fails, if it judges one."""
    history = draw(histories())
    attribution = draw(st.none() | attributions(history.changes))
    component = draw(st.sampled_from([None, "release", "release", "model", "prompt", "app"]))
    if component is None:
        return history, attribution, None
    kind = {"app": "release"}.get(component, component)
    version = draw(st.sampled_from([None, *dict.fromkeys(history.served[kind].versions)]))
    return history, attribution, Failed(component, kind, version)


def judged(history, attribution, failed):
    """Return what is ruled out, what is told of suspects, and what is recommended, as a record has it."""
    attribution = contest(attribution, failed, history.changes)
    _, excluded, _ = examine(history.changes, METRICS, None, attribution, failed)
    ledger = Ledger(history.known, NOON)
    return excluded, attribution, recommend("fail", history.changes, METRICS, attribution, failed=failed, ledger=ledger)


@settings(max_examples=400, deadline=None)
@given(failures())
def test_a_release_that_fails_is_not_ruled_out_and_only_what_is_served_and_has_to_do_with_it_is_taken_back(case):
    history, attribution, failed = case
    excluded, told, recommended = judged(history, attribution, failed)
    if failed is not None:
        assert failed.cause not in {each.cause for each in excluded}
        own = {row.seq for row in history.changes if failed.began_with(row)}
        assert not own & {each.seq for each in (told.suspects if told else ()) if each.standing == "excluded"}
    if recommended.action == "roll_back":
        state = history.served[recommended.component]
        assert recommended.version == state.now
        assert recommended.to_version not in state.gone
    else:
        assert recommended.version is None
    if failed is not None and recommended.action != "hold":
        kind, version = recommended.component, recommended.version
        rows = [row for row in history.changes if CAUSES[row.kind] == kind and row.version == version]
        assert failed.related(history.changes) & {row.seq for row in rows}


@settings(max_examples=200, deadline=None)
@given(histories(), st.data())
def test_without_a_release_gate_an_attribution_is_told_as_it_is(history, data):
    attribution = data.draw(attributions(history.changes))
    assert contest(attribution, None, history.changes) is attribution


def found(*standings):
    suspects = [
        Finding(seq=seq, cause=cause, standing=standing, detail="d", rivals=()) for seq, cause, standing in standings
    ]
    return Attribution(
        metric="m",
        kind="quality within strata",
        summary="s",
        alpha=0.05,
        answers=9,
        total=FELL,
        suspects=tuple(suspects),
    )


DOCUMENTS = change("documents", "documents", documents=("A",), source="catalog")
RELEASE = change("deploy", "release", minutes=30)
FAILED = Failed("release", "release", "2")


@pytest.mark.parametrize("standing", ["excluded", "open"])
def test_what_is_blamed_instead_of_the_release_that_fails_is_not_told_apart_from_it(standing):
    rows = [DOCUMENTS, RELEASE]
    seen = found((DOCUMENTS.seq, "documents", "carries"), (RELEASE.seq, "release", standing))
    told = contest(seen, FAILED, rows)
    assert [(each.standing, each.rivals) for each in told.suspects] == [
        ("not told apart", (RELEASE.seq,)),
        ("not told apart", (DOCUMENTS.seq,)),
    ]
    assert "cannot be told apart: documents, release" in told.summary
    carrying, excluded, left = examine(rows, METRICS, None, told, FAILED)
    assert (carrying, {"release", "documents"} <= {each.cause for each in left}) == ((), True)
    assert {each.cause for each in excluded}.isdisjoint({"release", "documents"})
    recommended = recommend("fail", rows, METRICS, told, failed=FAILED)
    assert (recommended.action, recommended.reason) == ("hold", "cannot tell apart: documents, release")


def test_a_release_that_fails_and_carries_the_fall_is_rolled_back_as_ever():
    seen = found((DOCUMENTS.seq, "documents", "excluded"), (RELEASE.seq, "release", "carries"))
    told = contest(seen, FAILED, [DOCUMENTS, RELEASE])
    assert told is seen
    recommended = recommend("fail", [DOCUMENTS, RELEASE], METRICS, told, failed=FAILED)
    assert (recommended.action, recommended.version, recommended.to_version) == ("roll_back", "2", "1")


WORSE = FAILED._replace(concurrent=True, baseline="1")
"""The same release, as it fails against what was served beside it."""


@pytest.mark.parametrize("kind", ["quality within strata", "mix"])
@pytest.mark.parametrize("standing", ["carries", "not told apart", "excluded", "open"])
def test_a_release_that_is_worse_than_what_was_served_beside_it_is_taken_back_whatever_the_past_shows(kind, standing):
    announced = change("deploy", "release", minutes=30, previous=None)
    rows = [DOCUMENTS, announced, change("scorer", "m", minutes=31)]
    seen = found((DOCUMENTS.seq, "documents", "carries"), (announced.seq, "release", standing))
    told = contest(seen.model_copy(update={"kind": kind}), WORSE, rows)
    causes = examine(rows, METRICS, None, told, WORSE)
    [carrying] = causes.carrying
    assert carrying.cause == "release"
    assert "the gate fails release 2 against 1, served at the same time" in carrying.detail
    [documents] = [each.detail for each in causes.open if each.cause == "documents"]
    assert documents.startswith("it reached both arms alike; ")
    recommended = recommend("fail", rows, METRICS, told, failed=WORSE)
    assert (recommended.action, recommended.version, recommended.to_version) == ("roll_back", "2", "1")


@pytest.mark.parametrize("baseline", ["1", None])
def test_a_candidate_that_nobody_announced_is_taken_back_to_the_version_served_beside_it(baseline):
    recommended = recommend("fail", [], METRICS, failed=WORSE._replace(baseline=baseline))
    if baseline is None:
        assert recommended.reason.startswith("the gate fails release 2, but no change to it is recorded")
    else:
        assert (recommended.action, recommended.version, recommended.to_version) == ("roll_back", "2", "1")


def test_a_candidate_that_was_taken_back_already_is_not_taken_back_again():
    assert recommend("fail", [RELEASE, back()], METRICS, failed=WORSE).action == "hold"


def test_what_came_with_the_release_that_fails_is_taken_back_with_it():
    prompt = change("prompt", "prompt", minutes=31)
    seen = found((RELEASE.seq, "release", "excluded"), (prompt.seq, "prompt", "carries"))
    told = contest(seen, FAILED, [RELEASE, prompt])
    assert [each.standing for each in told.suspects] == ["not told apart", "carries"]
    recommended = recommend("fail", [RELEASE, prompt], METRICS, told, failed=FAILED)
    assert (recommended.action, recommended.component) == ("roll_back", "release")


def test_a_release_that_the_ledger_does_not_know_is_open_and_nothing_else_is_taken_back_for_it():
    prompt = change("prompt", "prompt")
    _, excluded, left = examine([prompt], METRICS, None, None, FAILED)
    assert "release" not in {each.cause for each in excluded}
    [detail] = [each.detail for each in left if each.cause == "release"]
    assert detail == "the gate fails release 2; no change of it is in the ledger"
    recommended = recommend("fail", [prompt], METRICS, failed=FAILED)
    assert (recommended.action, recommended.reason) == ("hold", "cannot tell apart: release 2, prompt")


@pytest.mark.parametrize("rows", [[], [change("deploy", "release", version="1", previous="2")]])
def test_a_release_that_fails_and_whose_begin_is_not_recorded_is_said_to_be_that(rows):
    recommended = recommend("fail", rows, METRICS, failed=FAILED)
    assert recommended.action == "hold"
    assert recommended.reason.startswith("the gate fails release 2, but no change to it is recorded")


def back(minutes=60, **more):
    return change("deploy", "release", **{"minutes": minutes, "version": "1", "previous": "2", **more})


@pytest.mark.parametrize(
    ("later", "why"),
    [
        ([back()], "already rolled back: release changed from 2 to 1"),
        ([back(previous=None)], "already rolled back: release changed to 1"),
        ([back(source="explicit"), back(minutes=65)], "already rolled back: release changed from 2 to 1"),
        ([back(scope={"service": "desk"})], "already rolled back"),
        ([back(), change("deploy", "release", minutes=90, previous="2", version="3")], "2 was itself rolled back"),
    ],
)
def test_what_was_rolled_back_is_not_to_be_rolled_back_again_nor_the_rollback_itself(later, why):
    rows = [RELEASE, *later]
    told = recommend("fail", rows, METRICS)
    assert told.action == "hold"
    assert why in told.reason
    for row in (RELEASE, later[-1]):
        seen = found(*((each.seq, "release", "carries" if each is row else "excluded") for each in rows))
        assert recommend("fail", rows, METRICS, seen).action == "hold"


def test_what_was_rolled_forward_is_not_to_be_rolled_back():
    forward = change("deploy", "release", minutes=60, previous="2", version="3")
    seen = found((RELEASE.seq, "release", "carries"), (forward.seq, "release", "excluded"))
    told = recommend("fail", [RELEASE, forward], METRICS, seen)
    assert (told.action, told.reason[:36]) == ("hold", "release 2 is no longer served: relea")


def test_what_was_deployed_again_is_to_be_rolled_back_again():
    again = change("deploy", "release", minutes=90)
    told = recommend("fail", [RELEASE, back(), again], METRICS)
    assert (told.action, told.version, told.to_version) == ("roll_back", "2", "1")


def test_a_version_that_was_deployed_once_more_goes_back_to_what_was_there_before_it():
    once_more = change("deploy", "release", minutes=90, previous="2", version="2")
    told = recommend("fail", [RELEASE, once_more], METRICS)
    assert (told.action, told.version, told.to_version) == ("roll_back", "2", "1")
    told = recommend("fail", [once_more], METRICS, ledger=Ledger([RELEASE, once_more]))
    assert (told.action, told.reason[:38]) == ("hold", "release 2 was already served before: r")


def test_a_version_that_was_announced_after_answers_had_told_of_it_goes_back_all_the_same():
    announced = change("deploy", "release", minutes=32, previous=None, version="2")
    told = recommend("fail", [RELEASE, announced], METRICS)
    assert (told.action, told.version, told.to_version) == ("roll_back", "2", "1")


def test_a_version_that_went_from_one_place_to_everywhere_is_rolled_back_everywhere():
    first = change("deploy", "release", scope={"region": "eu"})
    for previous in (None, "2"):
        everywhere = change("deploy", "release", minutes=90, previous=previous, version="2")
        told = recommend("fail", [first, everywhere], METRICS)
        assert (told.action, told.scope, told.to_version) == ("roll_back", {}, None)


def test_a_model_that_came_with_a_release_goes_with_it():
    model = change("model", "model", minutes=35, version="b", previous="a")
    seen = found((RELEASE.seq, "release", "excluded"), (model.seq, "model", "carries"))
    assert recommend("fail", [RELEASE, model], METRICS, seen).component == "release"
    told = recommend("fail", [RELEASE, model, back()], METRICS, seen)
    assert (told.action, "no longer served" in told.reason) == ("hold", True)


def test_a_release_of_longer_ago_than_the_record_tells_is_known_to_have_been_rolled_back():
    """A gate that fails for days, and turns once more after the rollback, does not bring the release back."""
    told = recommend("fail", [back()], METRICS, ledger=Ledger([RELEASE, back()], NOON - timedelta(days=3)))
    assert told.action == "hold"


def test_what_was_served_for_an_hour_alone_is_not_brought_back():
    """The gate passed with it, but whoever took it back so soon may have seen what this gate does not judge."""
    soon, late = (back(minutes=minutes) for minutes in (90, 3_000))
    for left, action in ((soon, "hold"), (late, "roll_back")):
        ledger = Ledger([RELEASE, left], RELEASE.at + timedelta(minutes=30))
        assert recommend("fail", [left], METRICS, ledger=ledger).action == action


def test_another_service_is_another_matter():
    desk, mail = ({"service": name} for name in ("desk", "mail"))
    mine = change("deploy", "release", scope=desk)
    told = recommend("fail", [mine, back(scope=mail)], METRICS, found((mine.seq, "release", "carries")))
    assert (told.action, told.version, told.scope) == ("roll_back", "2", desk)
