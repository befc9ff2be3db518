import hashlib
import json
import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from pydantic import TypeAdapter

from adapters.schema import Answer
from collector.clock import nanoseconds
from collector.judging.folding import Folding
from collector.judging.judge import JudgeStep
from collector.store.columns import ScoredColumns
from collector.store.entries import Entry
from collector.store.log import verify
from collector.store.rows import Adaptation, Chunk, StoredAnswer, StoredEvaluation
from collector.store.sqlite import open_store
from dashboards.rules import expressions, rules
from gates import GATES, AnyGate
from gates.base.verdict import LateAnswers, Verdict
from gates.decisions.record import DecisionRecord
from gates.inputs.observations import Batch, Observation
from gates.objective import ObjectiveGate
from gates.threshold import ThresholdGate
from scorers.base import Evaluation, Score, Unscored
from scorers.freshness.stale_source_use import StaleSourceUse
from telemetry.registry import Telemetry
from tests.collector.sources.server import serving
from tests.prometheus import Prometheus

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GATE = ThresholdGate(
    type="threshold", name="stale", metric="stale_source_use", at_most=0.2, by=("domain",), window="10m", min_answers=20
)


class Clock:
    def __init__(self, at):
        self.at = at

    def __call__(self):
        return nanoseconds(self.at)


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "data")
    yield store
    store.close()


METRICS = {"stale_source_use": StaleSourceUse.metric}


def judge(store, clock, gates=(GATE,)):
    telemetry = Telemetry(metrics=(), dimensions=("domain",), version="test")
    step = JudgeStep(store=store, gates=gates, telemetry=telemetry, clock=clock, tick=1.0, metrics=METRICS)
    step.telemetry_ = telemetry
    return step


def score(store, values, *, domain, at=NOON, start=0, revision=0):
    for i, value in enumerate(values, start):
        answer_id = f"{domain}-{i}"
        trace_id = answer_id.encode().ljust(16, b".")[:16]
        arrived = nanoseconds(at)
        store.append([Chunk(trace_id=trace_id, arrived=arrived, n_spans=1, has_root=True, data=b"")])
        due = store.due(now=arrived + 1, idle=1, timeout=1, limit=10, limit_bytes=1000)
        stored = StoredAnswer(Answer(id=answer_id, revision=revision), {"domain": domain}, 1.0, True)
        store.record_adapted(
            [Adaptation(d.trace_id, d.upto_seq, revision, 1 + revision, 0, "answer", arrived, (stored,)) for d in due]
        )
        there = (
            {"unscored": (Unscored(metric="stale_source_use", reason="not_applicable"),)}
            if value is None
            else {"scores": (Score(metric="stale_source_use", value=value),)}
        )
        evaluation = Evaluation(answer_id=answer_id, revision=revision, **there)
        store.record_evaluations(
            [StoredEvaluation(evaluation, arrived, arrived + revision, {"domain": domain}, 1.0, None, {})]
        )


def exposed(step, name):
    text = step.telemetry_.exposition("")[0].decode()
    return [line for line in text.splitlines() if line.startswith(name)]


def test_a_gate_without_answers_is_inconclusive_and_logs_nothing(store):
    step = judge(store, Clock(NOON))
    step.run_once()
    verdict = step.verdicts["stale"]
    assert (verdict.state, verdict.no_data) == ("inconclusive", True)
    assert store.decisions() == []
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 0.0']


def test_only_the_slice_that_went_bad_fails_and_the_log_says_so(store):
    score(store, [1.0] * 40, domain="travel")
    score(store, [0.0] * 40, domain="leave")
    step = judge(store, Clock(NOON))
    assert step.run_once() == 80
    states = {part.slice["domain"]: part.state for part in step.verdicts["stale"].slices}
    assert states == {"travel": "fail", "leave": "pass"}
    logged = {(json.dumps(dict(row.slice)), row.previous_state, row.state) for row in store.decisions()}
    assert logged == {
        ("{}", None, "fail"),
        ('{"domain": "travel"}', None, "fail"),
        ('{"domain": "leave"}', None, "pass"),
    }
    assert 'groundwire_gate_slice_state{domain="travel",gate="stale"} -1.0' in exposed(step, "groundwire_gate_slice")


def test_a_slice_that_nothing_scores_is_judged_inconclusive_and_a_restart_says_the_same(store):
    score(store, [0.0] * 40, domain="leave")
    score(store, [None] * 15, domain="travel")
    step = judge(store, Clock(NOON))
    step.run_once()
    verdict = step.verdicts["stale"]
    states = {part.slice["domain"]: part.state for part in verdict.slices}
    assert (verdict.state, states) == ("inconclusive", {"leave": "pass", "travel": "inconclusive"})
    assert 'groundwire_gate_slice_state{domain="travel",gate="stale"} 0.0' in exposed(step, "groundwire_gate_slice")
    score(store, [None] * 5, domain="travel", start=15)
    restarted = judge(store, Clock(NOON))
    restarted.run_once()
    store.save_checkpoint("gate:stale", 0, b"another policy\n")
    rebuilt = judge(store, Clock(NOON))
    rebuilt.run_once()
    assert (
        "travel has no scored answers in the last 10m: 20 answers came without a value"
        in rebuilt.verdicts["stale"].reason
    )
    assert rebuilt.verdicts == restarted.verdicts


OBJECTIVE = ObjectiveGate(
    type="objective", name="slo", metric="stale_source_use", worse="higher", objective=0.95, by=("domain",)
)


def serve(store, clock, failing, *, minutes, start):
    """Score a hundred answers so many minutes after noon, of which so many fail, and let the tick pass."""
    at = NOON + timedelta(minutes=minutes)
    score(store, [1.0] * failing + [0.0] * (100 - failing), domain="travel", at=at, start=start)
    clock.at = at + timedelta(minutes=5)


def test_a_ticket_that_becomes_a_page_is_logged_though_it_fails_as_before(store):
    clock = Clock(NOON)
    serve(store, clock, 8, minutes=0, start=0)
    judge(store, clock, (OBJECTIVE,)).run_once()
    ticket = judge(store, clock, (OBJECTIVE,))
    ticket.run_once()
    assert len(store.decisions()) == 2, "a restart says nothing again"
    assert 'groundwire_objective_severity{domain="travel",gate="slo"} 1.0' in exposed(ticket, "groundwire_obj")
    serve(store, clock, 100, minutes=90, start=100)
    ticket.run_once()
    ticket.run_once()
    rows = [DecisionRecord.model_validate_json(row.record) for row in store.decisions()]
    assert [(row.kind, row.previous_state, row.state, row.severity) for row in rows] == [
        *[("verdict", None, "fail", "ticket")] * 2,
        *[("severity", "fail", "fail", "page")] * 2,
    ]
    assert {row.seq for row in store.last_decisions()} == {3, 4}
    assert store.last_pass("slo", {}) is None


def test_budget_burn_rates_and_silence_of_an_objective_are_exposed_by_slice_and_window(store):
    clock = Clock(NOON)
    serve(store, clock, 10, minutes=0, start=0)
    clock.at = NOON + timedelta(minutes=45)
    step = judge(store, clock, (OBJECTIVE, GATE))
    step.run_once()
    slice_ = 'domain="travel",gate="slo"'
    lines = exposed(step, "groundwire_objective")
    assert f"groundwire_objective_silent_seconds{{{slice_}}} 2400.0" in lines
    burns = {line.split('window="')[1].split('"')[0]: float(line.split()[1]) for line in lines if "window=" in line}
    rounded = {window: round(rate, 9) for window, rate in burns.items()}
    assert rounded == {"5m": 0, "30m": 0, "1h": 2, "2h": 2, "6h": 2, "1d": 2, "3d": 2}
    [left] = [float(line.split()[1]) for line in lines if "budget_left" in line]
    assert left == pytest.approx(-1.0)
    assert not any('gate="stale"' in line for line in lines)


@pytest.mark.slow
def test_prometheus_pages_for_a_budget_that_burns_fast_and_not_for_the_gate(store, tmp_path):
    clock = Clock(NOON)
    serve(store, clock, 8, minutes=0, start=0)
    step = judge(store, clock, (OBJECTIVE,))
    step.run_once()
    found = rules(("domain",), (), (OBJECTIVE,))

    def scraped(handler):
        body, headers = step.telemetry_.scrape(handler.headers.get("Accept", ""), "")
        handler.give(200, body, **{name: value for name, value in headers.items() if name != "Content-Length"})

    with serving(scraped) as url, Prometheus(tmp_path, url.removeprefix("http://"), found) as prometheus:
        prometheus.until(lambda: "GroundwireObjectiveTicket" in prometheus.alerts(), "a ticket")
        assert not prometheus.alerts() & {"GroundwireObjectivePage", "GroundwireGateFailing"}
        serve(store, clock, 100, minutes=90, start=100)
        step.run_once()
        prometheus.until(lambda: "GroundwireObjectivePage" in prometheus.alerts(), "a page")
        assert "GroundwireGateFailing" not in prometheus.alerts()
        for expression in expressions(("domain",), (), (OBJECTIVE,)):
            assert "objective" not in expression.expr or prometheus.query(expression.expr) is not None
        [left] = prometheus.query('groundwire_objective_budget_left_ratio{gate="slo",domain="travel"}')
        assert float(left["value"][1]) < 0


def test_a_verdict_that_does_not_change_is_not_logged_again(store):
    score(store, [1.0] * 40, domain="travel")
    step = judge(store, Clock(NOON))
    step.run_once()
    before = store.decisions()
    step.run_once()
    assert store.decisions() == before


def test_a_restart_folds_only_what_is_new_and_comes_to_the_same_verdict(store):
    clock = Clock(NOON)
    score(store, [1.0] * 15, domain="travel")
    judge(store, clock).run_once()
    score(store, [1.0] * 25, domain="travel", start=15)
    restarted = judge(store, clock)
    assert restarted.run_once() == 25
    fresh = GATE.fold(
        GATE.initial(),
        Batch.of(
            Observation(
                at=NOON,
                answer_id=row.evaluation.answer_id,
                metric="stale_source_use",
                value=1,
                probability=1,
                slice=row.slice,
            )
            for row in store.evaluations_after(0, limit=100)
        ),
    )
    assert restarted.verdicts["stale"].slices == GATE.verdict(fresh, NOON).slices


def test_another_policy_is_rebuilt_from_the_stored_evaluations(store):
    score(store, [1.0] * 40, domain="travel")
    judge(store, Clock(NOON)).run_once()
    lenient = GATE.model_copy(update={"at_most": 0.99, "min_answers": 1})
    assert lenient.policy_version != GATE.policy_version
    step = judge(store, Clock(NOON), (lenient,))
    assert step.run_once() == 40
    assert step.verdicts["stale"].policy_version == lenient.policy_version


@pytest.mark.parametrize("component", GATES)
@pytest.mark.parametrize("state", [b"", b"{", b"older"])
def test_a_state_that_this_version_cannot_read_is_rebuilt_from_the_stored_evaluations(store, component, state):
    kind = component.model_fields["type"].annotation.__args__[0]
    gate = TypeAdapter(AnyGate).validate_python(
        {"type": kind, "name": "g", "metric": "stale_source_use", **component.example}
    )
    score(store, [1.0] * 40, domain="travel")
    seq = store.newest_evaluation()
    if state == b"older":
        # Another version did not have its last field, or called it otherwise.
        state = json.dumps(dict(list(json.loads(gate.dump(gate.initial())).items())[:-1])).encode()
    store.save_checkpoint("gate:g", seq, gate.policy_version.encode() + b"\n" + state)
    rebuilt = judge(store, Clock(NOON + timedelta(minutes=5)), (gate,))
    assert rebuilt.run_once() == 40
    store.save_checkpoint("gate:g", 0, b"another policy\n")
    fresh = judge(store, Clock(NOON + timedelta(minutes=5)), (gate,))
    fresh.run_once()
    assert rebuilt.verdicts == fresh.verdicts


def test_a_slice_whose_traffic_ends_becomes_inconclusive_in_the_log_and_leaves_the_metrics(store):
    clock = Clock(NOON)
    score(store, [1.0] * 40, domain="travel")
    step = judge(store, clock)
    step.run_once()
    clock.at = NOON + timedelta(hours=1)
    step.run_once()
    newest = {json.dumps(dict(row.slice)): (row.previous_state, row.state) for row in store.decisions()}
    assert newest == {"{}": ("fail", "inconclusive"), '{"domain": "travel"}': ("fail", "inconclusive")}
    assert exposed(step, "groundwire_gate_slice_state") == []


def test_a_later_revision_is_not_folded(store):
    score(store, [1.0] * 30, domain="travel")
    score(store, [0.0] * 30, domain="travel", revision=1)
    step = judge(store, Clock(NOON))
    step.run_once()
    assert step.verdicts["stale"].slices[0].estimate == 1.0
    assert store.pending()["judge"].count == 0


def wait(store, n, *, domain, at):
    """Answers that arrive and are adapted, and that nobody scores."""
    arrived = nanoseconds(at)
    names = [f"waits-{arrived}-{i}" for i in range(n)]
    ids = {hashlib.sha256(name.encode()).digest()[:16]: name for name in names}
    store.append([Chunk(trace_id, arrived, 1, True, b"") for trace_id in ids])
    due = store.due(now=arrived + 1, idle=1, timeout=1, limit=n, limit_bytes=1000)
    stored = {each: StoredAnswer(Answer(id=name), {"domain": domain}, 1.0, True) for each, name in ids.items()}
    store.record_adapted(
        [Adaptation(d.trace_id, d.upto_seq, 0, 1, 0, "answer", arrived, (stored[d.trace_id],)) for d in due]
    )
    return names


def test_nothing_passes_while_answers_wait_to_be_scored_and_what_fails_goes_on_to_fail(store):
    clock = Clock(NOON)
    score(store, [0.0] * 40, domain="leave")
    score(store, [1.0] * 40, domain="travel")
    passing = GATE.model_copy(update={"name": "kept", "at_most": 0.99, "by": (), "window": timedelta(hours=1)})
    failing = GATE.model_copy(update={"name": "broken", "window": timedelta(hours=1)})
    step = judge(store, clock, (passing, failing))
    step.backlog = 60
    step.run_once()
    assert [step.verdicts[name].state for name in ("kept", "broken")] == ["pass", "fail"]
    names = wait(store, 300, domain="leave", at=NOON + timedelta(seconds=10))
    clock.at = NOON + timedelta(seconds=74)
    step.run_once()
    kept = step.verdicts["kept"]
    assert (kept.state, kept.pending, kept.evidence_until) == ("pass", 300, NOON + timedelta(seconds=10))
    clock.at = NOON + timedelta(minutes=12)
    step.run_once()
    kept, broken = step.verdicts["kept"], step.verdicts["broken"]
    assert (kept.state, kept.code, kept.pending) == ("inconclusive", 0, 300)
    assert kept.reason.startswith(
        "300 answers are waiting to be scored, the longest for 11m45s; so far: stale_source_use is 0.5, at most "
    )
    assert [part.state for part in kept.slices] == ["inconclusive"]
    assert kept.slices[0].estimate == 0.5
    assert (broken.state, broken.pending) == ("fail", 300)
    assert {part.slice["domain"]: part.state for part in broken.slices} == {"leave": "inconclusive", "travel": "fail"}
    assert 'groundwire_gate_state{gate="kept"} 0.0' in exposed(step, "groundwire_gate_state")
    (until,) = exposed(step, 'groundwire_gate_evidence_timestamp_seconds{gate="kept"}')
    assert float(until.split()[-1]) == (NOON + timedelta(seconds=10)).timestamp()
    row = store.decisions(gate="kept")[-1]
    record = DecisionRecord.model_validate_json(row.record)
    assert (row.previous_state, row.state) == ("pass", "inconclusive")
    assert (record.pending, record.evidence_until) == (300, NOON + timedelta(seconds=10))
    at = nanoseconds(clock.at)
    store.record_evaluations(
        [
            StoredEvaluation(
                Evaluation(answer_id=name, revision=0, scores=(Score(metric="stale_source_use", value=0.0),)),
                *(at, at, {"domain": "leave"}, 1.0, None, {}),
            )
            for name in names
        ]
    )
    step.run_once()
    kept = step.verdicts["kept"]
    assert (kept.state, kept.pending, kept.evidence_until) == ("pass", 0, clock.at)


def test_a_gate_that_cannot_tell_while_answers_wait_says_that_they_do(store):
    clock = Clock(NOON)
    wait(store, 40, domain="leave", at=NOON)
    step = judge(store, clock)
    clock.at = NOON + timedelta(minutes=12)
    step.run_once()
    told = step.verdicts["stale"]
    assert (told.state, told.pending) == ("inconclusive", 40)
    assert told.reason.startswith("40 answers are waiting to be scored, the longest for 11m")
    assert "; so far: " in told.reason


def test_a_closed_trace_that_nobody_adapts_keeps_a_gate_from_passing_and_an_open_one_does_not(store):
    clock = Clock(NOON)
    score(store, [0.0] * 40, domain="leave")
    step = judge(store, clock)
    store.append([Chunk(b"open".ljust(16), nanoseconds(NOON), 1, False, b"")])
    clock.at = NOON + timedelta(seconds=59)
    step.run_once()
    assert (step.verdicts["stale"].state, step.verdicts["stale"].pending) == ("pass", 0)
    clock.at = NOON + timedelta(seconds=71)
    step.run_once()
    assert step.verdicts["stale"].reason.startswith("1 answer is waiting to be scored, for 11s; so far: ")


def test_a_verdict_that_is_not_renewed_is_no_verdict(store):
    score(store, [0.0] * 40, domain="travel")
    step = judge(store, Clock(NOON))
    seconds = 100.0
    step.monotonic = lambda: seconds
    step.run_once()
    step.expire()
    assert step.fresh
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 1.0']
    seconds += 61
    step.expire()
    assert not step.fresh
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 0.0']


def test_no_gate_passes_while_the_store_cannot_be_written(store):
    score(store, [0.0] * 40, domain="travel")
    step = judge(store, Clock(NOON))
    step.run_once()
    assert step.trouble == ""
    store.health.unwritable = "database or disk is full"
    step.expire()
    assert step.trouble == "the store cannot be written to: database or disk is full"
    assert exposed(step, "groundwire_gate_state") == ['groundwire_gate_state{gate="stale"} 0.0']


class Named(ThresholdGate):
    """A gate whose verdict is over a release."""

    def verdict(self, state, at):
        return super().verdict(state, at).model_copy(update={"candidate": Named.candidate})


def test_the_state_over_a_candidate_is_exposed_by_its_version_while_it_is_one(store):
    score(store, [0.0] * 40, domain="travel")
    step = judge(store, Clock(NOON), (Named.model_validate(GATE.model_dump()),))
    seconds = 100.0
    step.monotonic = lambda: seconds
    shown = {"2.1": ['{candidate="2.1",gate="stale"} 1.0'], "2.2": ['{candidate="2.2",gate="stale"} 1.0'], None: []}
    shown["x" * 257] = []
    for Named.candidate, lines in shown.items():
        step.run_once()
        assert exposed(step, "groundwire_gate_candidate_state") == [
            f"groundwire_gate_candidate_state{line}" for line in lines
        ]
    Named.candidate = "2.3"
    step.run_once()
    seconds += 61
    step.expire()
    (line,) = exposed(step, "groundwire_gate_candidate_state")
    assert line == 'groundwire_gate_candidate_state{candidate="2.3",gate="stale"} 0.0'


def test_evaluations_do_not_wait_for_gates_that_were_removed(store):
    score(store, [1.0] * 5, domain="travel")
    judge(store, Clock(NOON)).run_once()
    score(store, [1.0] * 5, domain="travel", start=5)
    assert store.pending()["judge"].count == 5
    ungated = judge(store, Clock(NOON), ())
    while ungated.run_once():
        pass
    assert store.pending()["judge"].count == 0


def test_the_decision_log_is_a_chain(store):
    clock = Clock(NOON)
    step = judge(store, clock)
    score(store, [1.0] * 40, domain="travel")
    step.run_once()
    clock.at = NOON + timedelta(hours=1)
    step.run_once()
    assert verify(store.decisions()).problem is None


class Diary(ThresholdGate):
    """A gate whose state is what it was given, in order."""

    def initial(self):
        return ()

    def fold(self, state, batch):
        domains = [dict(batch.groups[group].slice).get("domain", "") for group in batch.group]
        return (*state, *(f"{domain} {value:g}" for domain, value in zip(domains, batch.value, strict=True)))

    def change(self, state, change):
        return (*state, f"{change.kind} {change.version}")

    def newest(self, state):
        del state

    def lateness(self, state):
        del state
        return LateAnswers()

    def verdict(self, state, at):
        return Verdict(
            gate=self.name, state="inconclusive", at=at, reason=" | ".join(state), no_data=True, policy_version="1"
        )

    def dump(self, state):
        return json.dumps(state).encode()

    def load(self, data):
        return tuple(json.loads(data))


DIARY = Diary(type="threshold", name="diary", metric="stale_source_use", at_most=0.2)


def announce(store, name, *, at=NOON, kind="deploy", component="release", version="2", **more):
    moment = nanoseconds(at)
    store.record_changes([Entry(name, moment, moment, kind, "explicit", component, version=version, **more)])


def story(store, part):
    """Let something happen: answers and changes, in turn."""
    match part % 3:
        case 0:
            score(store, [0.0, 1.0], domain=f"d{part}")
        case 1:
            announce(store, f"c{part}", version=str(part))
        case 2:
            score(store, [0.0], domain=f"d{part}")
            announce(store, f"c{part}", kind="index", version=str(part))


def test_changes_are_folded_in_their_place_among_the_answers_wherever_a_restart_falls(tmp_path):
    told = set()
    for stop in range(10):
        store = open_store(tmp_path / f"data{stop}")
        step = judge(store, Clock(NOON), (DIARY,))
        for part in range(9):
            story(store, part)
            if part == stop:
                step.run_once()
                step = judge(store, Clock(NOON), (DIARY,))
            elif part % 2 == stop % 2:
                step.run_once()
        step.run_once()
        told.add(step.verdicts["diary"].reason)
        store.close()
    (only,) = told
    assert only.startswith("d0 0 | d0 1 | deploy 1 | d2 0 | index 2 | d3 0")


def test_a_change_of_a_scorer_is_news_only_to_a_gate_that_listens_to_it(store):
    announce(store, "mine", kind="scorer", component="stale_source_use", version="8")
    announce(store, "other", kind="scorer", component="latency", version="9")
    announce(store, "any", kind="scorer", component="judge", version="7")
    step = judge(store, Clock(NOON), (DIARY,))
    step.run_once()
    assert step.verdicts["diary"].reason == "scorer 8 | scorer 7"


def test_an_answer_drawn_late_is_no_evidence(store):
    late = Evaluation(answer_id="late", revision=0, scores=(Score(metric="stale_source_use", value=1.0),))
    at = nanoseconds(NOON)
    store.record_evaluations([StoredEvaluation(late, at, at, {"domain": "travel"}, 0.5, None, {}, late=True)])
    step = judge(store, Clock(NOON), (DIARY,))
    step.run_once()
    assert step.verdicts["diary"].reason == ""


def test_gates_that_have_come_as_far_and_one_that_begins_anew_come_to_the_same(store):
    story(store, 0)
    one, two, late = (DIARY.model_copy(update={"name": name}) for name in ("one", "two", "late"))
    step = judge(store, Clock(NOON), (one, two))
    step.run_once()
    for part in range(1, 6):
        story(store, part)
    restarted = judge(store, Clock(NOON), (late, one, two))
    restarted.run_once()
    told = {name: verdict.reason for name, verdict in restarted.verdicts.items()}
    assert told["late"] == told["one"] == told["two"] != ""


def test_what_gates_see_of_stored_evaluations_is_what_was_stored(store):
    rng, expected, read = random.Random(1), [], []
    for i in range(20):
        seen = Observation(
            at=NOON + timedelta(seconds=i),
            answer_id=f"a{i}",
            metric="stale_source_use",
            value=rng.choice([0.0, 1 / 3, 1.0]),
            probability=rng.choice([1.0, 0.3]),
            slice={"domain": rng.choice("ab")},
            cluster=rng.choice([None, "s1"]),
            document=rng.choice([None, "HR-010"]),
            versions={"release": rng.choice("12")},
            **rng.choice([{}, {"arm": "candidate", "share": 0.1}]),
        )
        scores = (Score(metric="latency", value=3.0), Score(metric=seen.metric, value=seen.value))
        late, again = i % 7 == 6, i % 7 == 5
        stored = StoredEvaluation(
            Evaluation(answer_id="a0" if again else f"a{i}", revision=i if again else 0, scores=scores[i % 5 == 0 :]),
            nanoseconds(seen.at),
            nanoseconds(seen.at),
            seen.slice,
            seen.probability,
            seen.cluster,
            seen.versions,
            late=late,
            arm=seen.arm,
            share=seen.share,
            document=seen.document,
        )
        assert store.record_evaluations([stored]) == again
        if not late and not again:
            expected.append(seen)
        if i == 11:
            announce(store, "c")
    seq, pages = 0, Folding(store=store, gates=())
    while (page := store.timeline_after(seq, limit=3))[1] > seq:
        pieces, seq = page
        read += [pages.batch(piece, GATE.metrics) for piece in pieces if isinstance(piece, ScoredColumns)]
    wanted = Batch.of(expected)
    for name in ("at", "value", "probability", "cluster", "arm", "share"):
        assert np.concatenate([getattr(batch, name) for batch in read]).tolist() == getattr(wanted, name).tolist()
    found = [batch.groups[group] for batch in read for group in batch.group]
    assert found == [wanted.groups[group] for group in wanted.group]


@pytest.mark.parametrize(
    ("panel", "versions"),
    [
        ({"stale_source_use": "4"}, {"release": "2", "scorer": "4"}),
        ({}, {"release": "2"}),
        ({"stale_source_use": "4", "judge": "abc"}, {"release": "2", "scorer": "4", "judge": "abc"}),
        ({"judge": "none"}, {"release": "2"}),
    ],
)
def test_what_served_and_scored_an_answer_reaches_the_gate(store, panel, versions):
    store.save_checkpoint("panel:digest", 0, json.dumps(panel).encode())
    evaluation = Evaluation(answer_id="a", revision=0, scores=(Score(metric="stale_source_use", value=1.0),))
    served = {"release": "2", "scorers": "digest"}
    store.record_evaluations([StoredEvaluation(evaluation, 1, 1, {}, 1.0, None, served)])
    ((piece,), _) = store.timeline_after(0, limit=9)
    (group,) = Folding(store=store, gates=()).batch(piece, GATE.metrics).groups
    assert dict(group.versions) == versions


def records(store):
    return {json.dumps(dict(row.slice)): DecisionRecord.model_validate_json(row.record) for row in store.decisions()}


def test_a_verdict_that_turns_says_why_what_it_rules_out_and_what_to_do(store):
    clock = Clock(NOON)
    step = judge(store, clock)
    score(store, [0.0] * 40, domain="travel")
    step.run_once()
    clock.at = NOON + timedelta(minutes=70)
    announce(store, "r", at=clock.at, previous="1")
    announce(store, "elsewhere", at=clock.at, kind="prompt", component="prompt", scope={"domain": "leave"})
    score(store, [1.0] * 40, domain="travel", start=40, at=clock.at)
    step.run_once()
    told = records(store)['{"domain": "travel"}']
    assert (told.state, told.previous_state, told.since) == ("fail", "pass", NOON)
    assert [row.version for row in told.changes] == ["2"]
    (part,) = told.slices
    assert (part.n, part.estimate, part.upper) == (40, 1.0, 1.0)
    assert len(told.answers) == 10
    assert {(item.metric, item.value) for item in told.answers} == {("stale_source_use", 1.0)}
    assert {item.cause for item in told.causes_carrying} == {"release"}
    assert all("no version of it" in item.detail for item in told.causes_open), "nobody told of these"
    assert {"scorer_version", "traffic_mix", "prompt"} <= {item.cause for item in told.causes_excluded}
    assert (told.recommended.action, told.recommended.component) == ("roll_back", "release")
    assert (told.recommended.version, told.recommended.to_version) == ("2", "1")
    assert told.expires_at == clock.at + timedelta(hours=1)


def test_a_gate_that_never_passed_tells_the_changes_of_the_last_day(store):
    announce(store, "old", at=NOON - timedelta(days=2), version="1")
    announce(store, "new", at=NOON - timedelta(hours=2), version="2")
    score(store, [1.0] * 40, domain="travel")
    judge(store, Clock(NOON)).run_once()
    told = records(store)["{}"]
    assert told.since is None
    assert [row.version for row in told.changes] == ["2"]
    assert [part.slice for part in told.slices] == [{"domain": "travel"}]


def test_traffic_that_moved_between_slices_is_told_from_quality(store):
    clock = Clock(NOON)
    for hour, counts in ((0, (50, 50)), (1, (95, 5))):
        for domain, n in zip(("travel", "leave"), counts, strict=True):
            score(store, [1.0] * n, domain=domain, start=1000 * hour, at=NOON + timedelta(minutes=70 * hour))
    clock.at = NOON + timedelta(minutes=75)
    gate = GATE.model_copy(update={"by": ()})
    judge(store, clock, (gate,)).run_once()
    told = records(store)["{}"]
    assert (told.mix.before, told.mix.after, round(told.mix.shift, 3)) == (100, 100, 0.45)
    assert "traffic_mix" in {item.cause for item in told.causes_open}


def test_a_gate_that_fails_everywhere_at_once_explains_a_bounded_part(store):
    gate = GATE.model_copy(update={"min_answers": 1, "confidence": 0.5})
    for i in range(30):
        score(store, [1.0] * 8, domain=f"d{i}")
    judge(store, Clock(NOON), (gate,)).run_once()
    told = records(store)
    assert len(told) == 31
    assert sum(bool(record.answers) for record in told.values()) == 20
    assert verify(store.decisions(limit=100)).problem is None
