"""Run trees: the same runs in every form they are handed out in, and runs that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base import AdaptOptions, MalformedRecord
from adapters.detect import adapt_trace
from adapters.exports.run_tree import LOST_BY_RUN_TREE, is_run, spans_of_runs
from adapters.exports.run_tree.run import ancestry_of
from adapters.files.read import read
from adapters.ids import span_id_of, trace_id_of
from adapters.schema import Answer
from adapters.trace import Span
from adapters.values import nanoseconds_of
from adapters.wire.otlp import decode_traces, group

TRACES = Path(__file__).parents[2] / "golden" / "traces"
REFERENCE = Path(__file__).parents[4] / "shared" / "data" / "traces"
OPTIONS = AdaptOptions(attributes={"tenant": "tenant"})
ROOT, CHAIN, SHELF, MODEL = (f"01a1f868-675e-710e-9b0f-98b65f2ad1{n:02x}" for n in range(4))
START = "2026-11-20T10:02:34.206128+00:00"
DOTTED = "20261120T100234206128Z"
RULE = {"page_content": "Books are lent for four weeks.", "id": "LOAN-1@2", "metadata": {"doc_id": "LOAN-1"}}
USAGE = {"input_tokens": 37, "output_tokens": 7, "total_tokens": 44}


def run(identity: str, kind: str, parent: str | None = None, **told: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "name": told.pop("name", kind),
        "run_type": kind,
        "start_time": START,
        "end_time": "2026-11-20T10:02:34.253220+00:00",
        "inputs": {},
        "outputs": {},
        "extra": {"metadata": {"session_id": "visit-7", "LANGSMITH_TRACING": "true"}},
        "trace_id": ROOT,
        "parent_run_id": parent,
        **told,
    }


def runs() -> list[dict[str, Any]]:
    """The runs of one answer, the root first."""
    message = {"type": "constructor", "id": ["langchain", "AIMessage"], "kwargs": {"content": "Four weeks [1]."}}
    message["kwargs"]["usage_metadata"] = USAGE
    asked = [[{"type": "human", "content": "How long?"}]]
    return [
        run(ROOT, "chain", None, name="desk", inputs={"input": "How long?"}, outputs={"output": "Four weeks [1]."}),
        run(CHAIN, "chain", ROOT, name="RunnableParallel", inputs={"input": "How long?"}),
        run(SHELF, "retriever", CHAIN, name="Shelf", inputs={"query": "How long?"}, outputs={"documents": [RULE]}),
        run(
            MODEL,
            "llm",
            ROOT,
            inputs={"messages": asked},
            outputs={"generations": [[{"text": "Four weeks [1].", "message": message}]]},
            extra={"metadata": {"ls_provider": "acme"}, "invocation_params": {"model_name": "m-1"}},
        ),
    ]


def tree(flat: list[dict[str, Any]]) -> dict[str, Any]:
    by_id = {one["id"]: {**one, "child_runs": []} for one in flat}
    for one in flat[1:]:
        by_id[one["parent_run_id"]]["child_runs"].append(by_id[one["id"]])
    return by_id[flat[0]["id"]]


def without(flat: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in one.items() if key not in keys} for one in flat]


def dotted(flat: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs as one who has only their order knows them."""
    orders: dict[str, str] = {}
    for one in flat:
        above = orders.get(one["parent_run_id"] or "")
        orders[one["id"]] = ".".join(part for part in (above, DOTTED + one["id"]) if part)
    bare = without(flat, "trace_id", "parent_run_id", "start_time")
    return [{**one, "dotted_order": orders[one["id"]]} for one in bare]


def bulk(flat: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs as a bulk export holds them."""
    texts = ("inputs", "outputs", "extra")
    return [{**one, **{key: json.dumps(one[key]) for key in texts}} for one in flat]


def ancestors(flat: list[dict[str, Any]]) -> list[dict[str, Any]]:
    above: dict[str | None, list[str]] = {None: []}
    for one in flat:
        above[one["id"]] = [*above[one["parent_run_id"]], one["id"]]
    return [{**one, "parent_run_id": None, "parent_run_ids": above[one["id"]][:-1]} for one in flat]


def answer_of(value: Any) -> Answer:
    decoded = spans_of_runs(value)
    assert decoded.malformed == ()
    (trace,) = group(decoded.spans)
    (answer,) = adapt_trace(trace, OPTIONS)
    return answer


FORMS = {
    "tree": lambda: tree(runs()),
    "trees": lambda: [tree(runs())],
    "flat": runs,
    "backwards": lambda: runs()[::-1],
    "page": lambda: {"runs": runs(), "cursors": {"next": None}},
    "pages": lambda: [{"runs": runs()[:2]}, {"runs": runs()[2:]}],
    "traceless": lambda: without(runs(), "trace_id")[::-1],
    "traceless tree": lambda: tree(without(runs(), "trace_id")),
    "parentless tree": lambda: json.loads(json.dumps(tree(runs())).replace('"parent_run_id"', '"was"')),
    "dotted": lambda: dotted(runs()),
    "bulk": lambda: bulk(runs()),
    "ancestors": lambda: ancestors(runs()),
    "without dashes": lambda: json.loads(json.dumps(runs()).replace(ROOT, ROOT.replace("-", "").upper())),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_runs_give_the_same_answer_in_every_form(form: str) -> None:
    assert answer_of(FORMS[form]()) == answer_of(runs())


def test_an_answer_has_all_that_its_runs_say() -> None:
    answer = answer_of(runs())
    assert (answer.id, answer.trace_id, answer.span_id) == (trace_id_of(ROOT), trace_id_of(ROOT), span_id_of(ROOT))
    assert (answer.source, answer.framework, answer.session_id) == ("langsmith", "langchain", "visit-7")
    assert (answer.question, answer.answer) == ("How long?", "Four weeks [1].")
    assert [passage.id for passage in answer.passages] == ["LOAN-1@2"]
    assert (answer.stages[0].name, answer.stages[0].query) == ("Shelf", "How long?")
    assert (answer.model, answer.provider, answer.llm_calls) == ("m-1", "acme", 1)
    assert (answer.usage.prompt_tokens, answer.usage.total_tokens, answer.usage.latency_ms) == (37, 44, 47.092)


def as_runs(spans: tuple[Span, ...]) -> Iterator[dict[str, Any]]:
    """What LangSmith would export of the runs it sent as ``spans``."""
    for span in spans:
        told = span.attributes
        metadata = {k.removeprefix("langsmith.metadata."): v for k, v in told.items() if "metadata." in k}
        errors = [event.attributes["exception.message"] for event in span.events if event.name == "exception"]
        yield {
            "id": span.span_id,
            "trace_id": span.trace_id,
            "parent_run_id": span.parent_id,
            "name": span.name,
            "run_type": told["langsmith.span.kind"],
            "start_time": span.start_ns / 1e6,
            "end_time": span.end_ns / 1e6,
            "inputs": json.loads(told["gen_ai.prompt"]) if "gen_ai.prompt" in told else None,
            "outputs": json.loads(told["gen_ai.completion"]) if "gen_ai.completion" in told else None,
            "error": errors[0] if errors else None,
            "extra": {"metadata": metadata},
        }


WHOLE = sorted(path.name for path in TRACES.glob("langsmith-*.otlp.pb") if "-cut." not in path.name)


@pytest.mark.parametrize("name", WHOLE)
def test_runs_give_the_answers_that_their_spans_gave(name: str) -> None:
    spans = decode_traces((TRACES / name).read_bytes()).spans
    again = spans_of_runs(list(as_runs(spans)))
    assert again.malformed == ()
    told = {trace.trace_id: adapt_trace(trace, OPTIONS) for trace in group(spans)}
    found = {trace.trace_id: adapt_trace(trace, OPTIONS) for trace in group(again.spans)}
    lost = {*LOST_BY_RUN_TREE, "release", "versions", "started_at", "ended_at", "usage"}
    for trace_id, answers in told.items():
        for one, other in zip(answers, found[trace_id], strict=True):
            assert one.model_dump(exclude=lost) == other.model_dump(exclude=lost)
            figures = {"latency_ms"}
            assert one.usage.model_dump(exclude=figures) == other.usage.model_dump(exclude=figures)


def test_a_real_run_tree_gives_what_its_application_did() -> None:
    path = REFERENCE / "native" / "langchain-runtree.json"
    if not path.exists():
        pytest.skip("no run tree in the reference data")
    (answer,) = (record for record in read(path.read_bytes(), OPTIONS))
    assert isinstance(answer, Answer)
    assert answer.question == "How quickly must a data breach be reported?"
    assert [passage.id for passage in answer.passages] == ["DAT-005@1.0", "HR-014@2.0"]
    assert (answer.session_id, answer.user_id, answer.usage.total_tokens) == ("s-1", "u-1", 128)
    assert answer.citations[0].passage_id == "DAT-005@1.0"


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["tree", "trees", "flat", "page", "bulk"])
def test_files_of_runs_are_read(form: str) -> None:
    assert list(read(json.dumps(FORMS[form]()).encode(), OPTIONS)) == [answer_of(runs())]


def test_lines_of_runs_are_read() -> None:
    assert list(read("\n".join(map(json.dumps, runs())).encode(), OPTIONS)) == [answer_of(runs())]


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        (runs()[0], True),
        ({"runs": runs()}, True),
        ({"runs": []}, False),
        ({"run_type": "chain"}, False),
        ({"id": "1", "run_type": "chain"}, False),
        ({"question": "", "answer": "", "runs": runs()}, False),
        (runs(), False),
        (None, False),
    ],
)
def test_a_run_is_told_from_other_records(value: Any, is_one: bool) -> None:  # noqa: FBT001 - a table
    assert is_run(value) is is_one


# --- what a run tells ------------------------------------------------------------------------------------------------


def model(**told: Any) -> Span:
    (span,) = spans_of_runs(run(MODEL, "llm", **told)).spans
    return span


def test_counts_of_zero_that_nobody_counted_are_unknown() -> None:
    unknown = model(prompt_tokens=0, completion_tokens=0, total_tokens=0)
    assert not any(key.startswith("gen_ai.usage") for key in unknown.attributes)
    counted = model(prompt_tokens=9, completion_tokens=0, total_tokens=9)
    assert [counted.attributes[f"gen_ai.usage.{which}_tokens"] for which in ("input", "output", "total")] == [9, 0, 9]


def test_tokens_of_older_models_are_found() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    assert model(outputs={"llm_output": {"token_usage": usage}}).attributes["gen_ai.usage.total_tokens"] == 7


def test_the_price_and_the_first_token_come_with_an_export() -> None:
    flat = runs()
    flat[3] |= {"total_cost": "0.002", "first_token_time": "2026-11-20T10:02:34.226128"}
    answer = answer_of(flat)
    assert (answer.usage.cost_usd, answer.usage.first_token_ms) == (0.002, 20.0)


def test_the_first_event_of_a_token_is_the_first_token() -> None:
    events = [{"name": "start", "time": START}, *({"name": "new_token", "time": START} for _ in range(3))]
    assert [event.name for event in model(events=events).events] == ["new_token"]


def test_an_error_of_a_run_is_the_answers() -> None:
    flat = runs()
    for one in (flat[0], flat[3]):
        one |= {"error": "ValueError('no')Traceback (most recent call last):\n ...", "outputs": None}
    answer = answer_of(flat)
    assert (answer.status, answer.error, answer.answer) == ("error", "ValueError: no", None)


def test_a_run_that_never_ended_has_no_end() -> None:
    assert model(end_time=None).end_ns == 0


def test_runs_of_one_millisecond_keep_their_own_ids() -> None:
    assert ROOT[:18] == MODEL[:18]
    assert len({span_id_of(identity) for identity in (ROOT, CHAIN, SHELF, MODEL)}) == 4


@pytest.mark.parametrize(
    ("value", "ns"),
    [
        ("2026-11-20T10:02:34.206128Z", 1795168954206128000),
        ("2026-11-20 10:02:34.206128+00:00", 1795168954206128000),
        ("2026-11-20T12:02:34+02:00", 1795168954000000000),
        (1795168954206.5, 1795168954206500000),
        (1795168954, 1795168954000000000),
        (-5, None),
        (True, None),
        (float("nan"), None),
        (1e300, None),
        ("soon", None),
        (None, None),
    ],
)
def test_times_are_read(value: Any, ns: int | None) -> None:
    assert nanoseconds_of(value) == ns


@pytest.mark.parametrize("value", ["", "x", "20261120T100234Z", f"{DOTTED}a.b", 7, None, f"{DOTTED}a..{DOTTED}b"])
def test_what_is_no_dotted_order_tells_nothing(value: Any) -> None:
    assert ancestry_of(value) == []


# --- what is no run --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ({"id": None}, "id: expected a string"),
        ({"run_type": 7}, "run_type: expected a string"),
        ({"start_time": "soon"}, "start_time: expected a time"),
    ],
)
def test_a_malformed_run_is_told_with_its_place_and_hides_no_other(damage: dict[str, Any], reason: str) -> None:
    broken = tree(runs())
    broken["child_runs"][0] |= damage
    decoded = spans_of_runs([broken])
    (error,) = decoded.malformed
    assert isinstance(error, MalformedRecord)
    assert (error.where, error.reason) == ("[0].child_runs[0]", reason)
    assert {span.span_id for span in decoded.spans} == {span_id_of(identity) for identity in (ROOT, SHELF, MODEL)}


def test_what_is_no_object_is_told_with_its_place() -> None:
    decoded = spans_of_runs({"runs": [7, {**runs()[0], "child_runs": [None]}]})
    assert [error.where for error in decoded.malformed] == ["runs[0]", "runs[1].child_runs[0]"]
    assert spans_of_runs("x").malformed[0].where == ""


def test_runs_that_are_each_others_parents_still_have_a_trace() -> None:
    first, second = without([run(ROOT, "chain", MODEL), run(MODEL, "llm", ROOT)], "trace_id")
    decoded = spans_of_runs([first, second])
    assert all(len(span.trace_id) == 32 for span in decoded.spans)


def test_runs_below_one_that_never_came_are_of_one_trace() -> None:
    chain = [run(f"run-{n}", "chain", f"run-{n + 1}") for n in range(5_000)]
    spans = spans_of_runs(without(chain, "trace_id")).spans
    assert {span.trace_id for span in spans} == {trace_id_of("run-5000")}


def test_a_tree_of_any_depth_is_read_without_recursion() -> None:
    deep = run(ROOT, "chain")
    for number in range(5_000):
        deep = run(f"run-{number}", "chain", child_runs=[deep])
    assert len(spans_of_runs(deep).spans) == 5_001


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([ROOT, START]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*runs()[3], "child_runs"]), inner),
    max_leaves=10,
)


@given(value=st.lists(JSON | st.dictionaries(st.sampled_from([*runs()[3], "child_runs", "events"]), JSON), max_size=4))
def test_any_value_gives_spans_or_reasons(value: Any) -> None:
    decoded = spans_of_runs(value)
    assert all(len(span.trace_id) == 32 and len(span.span_id) == 16 for span in decoded.spans)
    for trace in group(decoded.spans):
        adapt_trace(trace, OPTIONS)


@given(damage=st.dictionaries(st.sampled_from([*runs()[3], "child_runs", "events", "tags", "dotted_order"]), JSON))
def test_damage_to_one_run_is_its_own(damage: dict[str, Any]) -> None:
    decoded = spans_of_runs([*runs(), run("run-x", "llm", **{"trace_id": "another", **damage})])
    assert {span_id_of(one["id"]) for one in runs()} <= {span.span_id for span in decoded.spans}
