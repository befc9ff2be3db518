"""Chunks to answers to evaluations, through the real store and the real components, in this process."""

import re
from dataclasses import replace

import pytest

from adapters.base import AdaptOptions
from collector.external.options import ExternalMetric
from collector.external.step import ExternalStep
from collector.pipeline.adapt import AdaptStep
from collector.pipeline.admission import count_answer
from collector.pipeline.sampling import Sampling
from collector.pipeline.score import ScoreStep
from collector.pipeline.score_task import ScoredAnswer
from collector.pipeline.tasks import set_up
from collector.pipeline.unread import UnreadSpans
from collector.store.rows import Chunk
from collector.store.sqlite import open_store
from collector.workers.pool import WorkerDied, WorkerTimeout
from gates.inputs.observations import cluster_code
from gates.inputs.slices import Dimension
from scorers import default_panel
from telemetry.exposure import Exposure
from telemetry.registry import Telemetry
from tests.admission import admission
from tests.external import reception
from tests.stored import newest
from tests.traffic import merged, policy_trace, spans_of, trace_id_of, without

SECOND = 1_000_000_000
NOON = 1_780_000_000 * SECOND


class InlinePool:
    """Stands in for the worker processes, so that a test can make them fail; what runs is the workers' own handler."""

    size = 1

    def __init__(self, panel):
        self.handler = set_up(AdaptOptions(attributes={"domain": "domain"}), panel, None, 5.0)
        self.broken = lambda _request: None

    def map(self, requests, *, timeout):
        return list(self.begin(requests, timeout=timeout))

    def begin(self, requests, *, timeout):  # noqa: ARG002 - the real pool's signature
        return iter([self.broken(request) or self.handler(request) for request in requests])


class Flow:
    def __init__(self, directory, *, sampling=None, panel=None, changes=None, external=(), exposure=None):
        self.panel = panel or default_panel()
        self.now = NOON
        self.store = open_store(directory)
        self.pool = InlinePool(self.panel)
        dimensions = (Dimension(name="service"), Dimension(name="domain", cap=2))
        metrics = [scorer.metric for scorer in self.panel]
        judged = [ExternalMetric(**each).metric for each in external]
        self.telemetry = Telemetry(
            metrics=[*metrics, *judged], dimensions=("service", "domain"), version="test", exposure=exposure
        )
        self.admission = admission(
            self.store,
            dimensions=dimensions,
            telemetry=self.telemetry,
            clock=lambda: self.now,
            sampling=sampling,
            changes=changes,
        )
        self.reception = reception(self.telemetry, clock=lambda: self.now, declared=external)
        self.match = ExternalStep(store=self.store, reception=self.reception, clock=lambda: self.now)
        self.unread = UnreadSpans(telemetry=self.telemetry, clock=lambda: self.now)
        self.adapt = AdaptStep(
            store=self.store,
            pool=self.pool,
            admission=self.admission,
            reception=self.reception,
            telemetry=self.telemetry,
            clock=lambda: self.now,
            idle=5 * SECOND,
            timeout=60 * SECOND,
            unread=self.unread,
        )
        self.score = ScoreStep(
            store=self.store,
            pool=self.pool,
            metrics={metric.name: metric for metric in metrics},
            telemetry=self.telemetry,
            clock=lambda: self.now,
            scorer_timeout=5.0,
            retries=1,
        )

    def receive(self, data):
        spans = spans_of(data)
        for trace_id in dict.fromkeys(span.trace_id for span in spans):
            mine = without(data)
            for group in mine.resource_spans:
                for scope in group.scope_spans:
                    kept = [span for span in scope.spans if span.trace_id == trace_id]
                    del scope.spans[:]
                    scope.spans.extend(kept)
            own = spans_of(mine)
            has_root = any(not span.parent_span_id for span in own)
            self.store.append([Chunk(trace_id, self.now, len(own), has_root, mine.SerializeToString())])

    def settle(self, seconds=6):
        self.now += seconds * SECOND
        while self.adapt.run_once() or self.score.run_once() or self.match.run_once():
            pass

    def answers(self):
        return newest(self.store)

    def series(self, prefix):
        text = self.telemetry.exposition("")[0].decode()
        lines = (line.rpartition(" ") for line in text.splitlines() if line.startswith(prefix))
        return {name: float(value) for name, _, value in lines}


@pytest.fixture
def flow(tmp_path):
    flow = Flow(tmp_path / "data")
    yield flow
    flow.store.close()


def values(row):
    return {score.metric: score.value for score in row.evaluation.scores}


def test_a_trace_becomes_a_scored_answer_with_its_slice(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    (row,) = flow.answers()
    assert row.stored.answer.question == "What is the hotel limit per night?"
    assert row.stored.answer.answer == "The hotel limit is 180 EUR per night [1]."
    assert row.stored.slice == {"service": "assistant", "domain": "travel"}
    assert values(row)["stale_source_use"] == 0
    assert values(row)["claim_support"] > 0.5


def test_an_answer_without_a_conversation_is_clustered_by_the_document_that_it_cites(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    (row,) = flow.store.evaluations_after(0, limit=9)
    (passage, *_) = flow.answers()[0].stored.answer.passages
    assert (row.cluster, row.document) == (None, passage.doc_id)
    ((scored,), _) = flow.store.timeline_after(0, limit=9)
    assert scored.cluster.tolist() == [cluster_code(None, passage.doc_id)]


def test_an_answer_on_a_superseded_passage_is_found_and_the_right_one_named(flow):
    flow.receive(policy_trace(1, stale=True, at=NOON))
    flow.settle()
    (row,) = flow.answers()
    (score,) = [score for score in row.evaluation.scores if score.metric == "stale_source_use"]
    assert score.value == 1
    assert ("TRV-1", "3") in {(item.doc_id, item.version) for item in score.evidence}


def test_an_open_trace_is_left_alone_until_it_is_idle(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle(4)
    assert flow.answers() == []
    flow.settle(2)
    assert len(flow.answers()) == 1


def test_a_trace_without_a_root_closes_on_time_out_marked_incomplete(flow):
    flow.receive(without(policy_trace(1, at=NOON), "RunnableSequence"))
    flow.settle(59)
    assert flow.answers() == []
    flow.settle(2)
    (row,) = flow.answers()
    assert "incomplete_trace" in row.stored.answer.flags


def test_a_late_root_raises_the_revision_and_is_scored_again_but_counted_once(flow):
    whole = policy_trace(1, at=NOON)
    flow.receive(without(whole, "RunnableSequence"))
    flow.settle(61)
    flow.receive(whole)
    flow.settle()
    (row,) = flow.answers()
    assert row.stored.answer.revision == 1
    assert "incomplete_trace" not in row.stored.answer.flags
    assert row.evaluation.revision == 1
    labels = '{domain="travel",service="assistant"}'
    assert flow.series("rag_answers_total") == {f"rag_answers_total{labels}": 1}
    assert flow.series("rag_answers_scored_total") == {f"rag_answers_scored_total{labels}": 1}
    assert flow.series("groundwire_traces_reopened_total") == {"groundwire_traces_reopened_total": 1}
    assert flow.series("groundwire_late_revisions_total") == {"groundwire_late_revisions_total": 1}


def test_a_resent_batch_changes_nothing(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    before = flow.answers()
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    assert flow.answers() == before
    totals = flow.store.totals()
    assert (totals.accepted, totals.adapted, totals.duplicate, totals.pending) == (6, 3, 3, 0)


def test_plain_application_traces_give_no_answer_and_no_error(flow):
    data = without(policy_trace(1, at=NOON, extra=3), "Retriever", "ChatModel", "RunnableSequence")
    flow.receive(data)
    flow.settle(61)
    assert flow.answers() == []
    assert flow.store.totals().not_an_answer == 3
    assert flow.series("groundwire_traces_total") == {
        'groundwire_traces_total{outcome="answer"}': 0,
        'groundwire_traces_total{outcome="malformed"}': 0,
        'groundwire_traces_total{outcome="not_an_answer"}': 1,
    }


def test_an_unreadable_chunk_is_counted_and_kept_and_hides_nothing(flow):
    flow.store.append([Chunk(trace_id_of("broken"), NOON, 2, True, b"\xff\xfe garbage")])
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    assert len(flow.answers()) == 1
    ((trace_id, _, reason),) = flow.store.malformed()
    assert trace_id == trace_id_of("broken")
    assert reason
    assert flow.store.totals().malformed == 2


def test_any_order_and_batching_gives_the_same_answers(tmp_path):
    traces = [policy_trace(i, stale=i % 2 == 0, at=NOON + i) for i in range(4)]
    together, apart = Flow(tmp_path / "a"), Flow(tmp_path / "b")
    together.receive(merged(traces))
    together.settle()
    for data in reversed(traces):
        for name in ("ChatModel", "Retriever", "RunnableSequence"):
            others = {"ChatModel", "Retriever", "RunnableSequence"} - {name}
            apart.receive(without(data, *others))
    apart.settle()
    one, two = (sorted(flow.answers(), key=lambda row: row.stored.answer.id) for flow in (together, apart))
    assert [row.stored for row in one] == [row.stored for row in two]
    assert [row.evaluation for row in one] == [row.evaluation for row in two]
    together.store.close()
    apart.store.close()


def test_unsampled_answers_are_counted_and_stored_but_not_scored(tmp_path):
    flow = Flow(tmp_path / "data", sampling=Sampling(probability=0.5))
    flow.receive(merged(policy_trace(i, at=NOON + i) for i in range(40)))
    flow.settle()
    rows = flow.answers()
    scored = [row for row in rows if row.evaluation is not None]
    assert len(rows) == 40
    assert 5 < len(scored) < 35
    assert all(row.stored.sampled and row.stored.probability == 0.5 for row in scored)
    labels = '{domain="travel",service="assistant"}'
    assert flow.series("rag_answers_sampled_total")[f"rag_answers_sampled_total{labels}"] == len(scored)
    weights = flow.series("rag_weighted_answers_total")
    assert weights['rag_weighted_answers_total{domain="travel",metric="claim_support",service="assistant"}'] == 2 * len(
        scored
    )
    flow.store.close()


def test_values_beyond_the_cap_go_to_other_and_stay_there_after_a_restart(tmp_path):
    flow = Flow(tmp_path / "data")
    for i, domain in enumerate(["a", "b", "c", "a"]):
        flow.receive(policy_trace(i, domain=domain, at=NOON))
    flow.settle()
    cut = sorted(row.stored.slice["domain"] for row in flow.answers())
    assert cut.count("__other__") == 1
    assert flow.series("groundwire_slice_overflow_total")['groundwire_slice_overflow_total{dimension="domain"}'] == 1
    flow.store.close()
    again = Flow(tmp_path / "data")
    again.receive(policy_trace(9, domain="d", at=NOON))
    again.settle()
    assert again.answers()[0].stored.slice["domain"] == "__other__"
    again.store.close()


def test_one_answer_that_kills_workers_costs_only_itself(flow):
    flow.receive(merged(policy_trace(i, at=NOON + i) for i in range(3)))
    poison = trace_id_of("policy-travel-1").hex()

    def broken(request):
        hit = any(poison in answer for answer in getattr(request, "answers", ()))
        return WorkerTimeout("no reply within 1 s") if hit else None

    flow.pool.broken = broken
    flow.settle()
    rows = {row.stored.answer.trace_id: row for row in flow.answers()}
    assert {absent.reason for absent in rows[poison].evaluation.unscored} == {"timeout"}
    assert rows[poison].evaluation.scores == ()
    assert all(row.evaluation.scores for trace_id, row in rows.items() if trace_id != poison)


def test_one_trace_that_kills_workers_is_malformed_and_the_others_are_adapted(flow):
    flow.receive(merged(policy_trace(i, at=NOON + i) for i in range(3)))
    poison = trace_id_of("policy-travel-1")

    def broken(request):
        hit = any(task.trace_id == poison for task in getattr(request, "traces", ()))
        return WorkerDied("worker 7 ended") if hit else None

    flow.pool.broken = broken
    flow.settle()
    assert len(flow.answers()) == 2
    assert [trace_id for trace_id, _, _ in flow.store.malformed()] == [poison]
    totals = flow.store.totals()
    assert (totals.accepted, totals.adapted, totals.malformed, totals.pending) == (9, 6, 3, 0)


@pytest.mark.parametrize("error", [WorkerDied("worker 7 ended"), RuntimeError("a bug")], ids=["died", "bug"])
def test_whatever_a_request_ends_with_the_flow_goes_on(flow, error):
    flow.receive(merged(policy_trace(i, at=NOON + i) for i in range(3)))
    poison = trace_id_of("policy-travel-1").hex()

    def broken(request):
        return error if any(poison in answer for answer in getattr(request, "answers", ())) else None

    flow.pool.broken = broken
    flow.settle()
    rows = {row.stored.answer.trace_id: row for row in flow.answers()}
    assert {absent.reason for absent in rows[poison].evaluation.unscored} == {"error"}
    assert sum(bool(row.evaluation.scores) for row in rows.values()) == 2
    errors = flow.series('groundwire_step_errors_total{kind="bug"' if error.args == ("a bug",) else "groundwire_step")
    assert sum(errors.values()) >= 1


def test_a_scorer_with_a_bug_leaves_its_reason_and_the_others_go_on(tmp_path):
    panel = default_panel()

    class Buggy(type(panel[0])):
        def measure(self, answer, env):  # noqa: ARG002
            raise ZeroDivisionError("division by zero")

    broken = Buggy.model_construct(**dict(panel[0]))
    flow = Flow(tmp_path / "data", panel=(broken, *panel[1:]))
    flow.receive(policy_trace(1, at=NOON))
    flow.settle()
    (row,) = flow.answers()
    reasons = {absent.metric: (absent.reason, absent.detail) for absent in row.evaluation.unscored}
    assert reasons[panel[0].metric.name] == ("error", "ZeroDivisionError: division by zero")
    assert row.evaluation.scores
    flow.store.close()


def test_a_failed_request_is_an_answer_with_status_error(flow):
    flow.receive(policy_trace(1, at=NOON, failed=True))
    flow.settle()
    (row,) = flow.answers()
    assert (row.stored.answer.status, row.stored.answer.answer) == ("error", None)
    assert flow.series("rag_answers_failed_total") == {
        'rag_answers_failed_total{domain="travel",service="assistant"}': 1
    }


def test_an_answer_from_a_clock_that_runs_ahead_counts_as_of_now(flow):
    flow.receive(policy_trace(1, at=NOON + 3600 * SECOND))
    flow.settle()
    (row,) = flow.store.evaluations_after(0, limit=10)
    assert row.at == flow.now


def test_every_sampled_answer_has_a_value_or_a_reason_for_every_metric(flow):
    flow.receive(policy_trace(1, at=NOON))
    flow.receive(policy_trace(2, at=NOON, failed=True))
    flow.settle()
    metrics = {scorer.metric.name for scorer in flow.panel}
    for row in flow.answers():
        given = [item.metric for item in (*row.evaluation.scores, *row.evaluation.unscored)]
        assert sorted(given) == sorted(metrics)


def test_spans_are_counted_by_the_dialect_that_read_them_and_unknown_ones_are_no_error(tmp_path):
    flow = Flow(tmp_path)
    data = policy_trace(1, at=NOON)
    span = data.resource_spans[0].scope_spans.add().spans.add()
    span.CopyFrom(spans_of(data)[0])
    span.span_id, span.parent_span_id, span.name = b"unknown!", spans_of(data)[0].span_id, "GET /policies"
    del span.attributes[:]
    flow.receive(data)
    flow.settle()
    exposed = flow.telemetry.exposition("")[0].decode()
    assert 'groundwire_spans_total{dialect="openinference"} 3.0' in exposed
    assert 'groundwire_spans_total{dialect="none"} 1.0' in exposed
    assert 'groundwire_malformed_total{reason="span"} 0.0' in exposed
    assert flow.store.totals().outcomes["answer"] == 1


def test_spans_of_a_model_that_nobody_reads_are_told_by_their_scope(flow):
    data = policy_trace(1, at=NOON)
    group = data.resource_spans[0].scope_spans.add()
    group.scope.name = "acme.tracer"
    span = group.spans.add()
    span.CopyFrom(spans_of(data)[0])
    span.span_id, span.parent_span_id, span.name = b"unknown!", spans_of(data)[0].span_id, "acme.llm.call"
    del span.attributes[:]
    model = span.attributes.add()
    model.key, model.value.string_value = "acme.llm.model", "m-1"
    flow.receive(data)
    flow.settle()
    assert dict(flow.unread.report()) == {"acme.tracer": (1, flow.now)}
    assert 'groundwire_unread_spans_total{scope="acme.tracer"} 1.0' in flow.telemetry.exposition("")[0].decode()


def test_a_missing_value_has_a_series_once_it_occurred_and_a_fault_from_the_start(flow):
    fault = 'rag_unscored_total{metric="latency",reason="timeout"}'
    before = flow.series("rag_unscored_total")
    assert before[fault] == 0
    assert not any(before.values())
    assert {"not_applicable", "missing_input"}.isdisjoint(re.findall('reason="([a-z_]+)"', " ".join(before)))
    flow.receive(policy_trace(1, at=NOON))
    flow.pool.broken = lambda request: WorkerTimeout("late") if hasattr(request, "answers") else None
    flow.settle()
    assert flow.series("rag_unscored_total") == before | {name: 1 for name in before if 'reason="timeout"' in name}


def test_means_are_exposed_by_slice_for_the_metrics_in_use_and_nothing_for_the_others(tmp_path):
    flow = Flow(tmp_path / "data", exposure=Exposure.of(()))
    for i, domain in enumerate(("travel", "leave")):
        flow.receive(policy_trace(i, domain=domain, at=NOON))
    flow.settle()
    weights = flow.series("rag_weighted_answers_total")
    assert weights['rag_weighted_answers_total{domain="travel",metric="claim_support",service="assistant"}'] == 1
    assert flow.series("rag_claim_support_ratio_count") == {"rag_claim_support_ratio_count": 2}
    text = flow.telemetry.exposition("")[0].decode()
    assert not re.search('(weighted_[a-z]+_total.*"|rag_)numeric_fidelity', text)
    # A scorer that fails is told of, whether its metric is exposed or not.
    assert 'rag_unscored_total{metric="numeric_fidelity",reason="error"} 0.0' in text
    flow.store.close()


def test_five_hundred_slices_are_less_than_twenty_thousand_series_and_two_megabytes(tmp_path):
    flow = Flow(tmp_path / "data", exposure=Exposure.of(()))
    flow.receive(merged(policy_trace(i, stale=bool(i % 2), at=NOON) for i in range(4)))
    flow.settle()
    rows = flow.answers()
    step = flow.score
    for number in range(500):
        cut = {"service": f"service-{number % 20}", "domain": f"domain-{number}"}
        for row in rows:
            count_answer(replace(row.stored, slice=cut), flow.telemetry)
            scored = ScoredAnswer(row.evaluation.model_dump_json(), ())
            item = replace(row.stored, slice=cut)
            step.count([item], [step.evaluated(item, scored)], [])
    body, _ = flow.telemetry.exposition("")
    assert sum(not line.startswith(b"#") for line in body.splitlines()) < 20_000
    assert len(body) < 2_000_000
    flow.store.close()
