"""Real exports of applications under every instrumentation read here, against what a correct normalizer must give.

The traces are reference data beside the repository, not part of it; without them this module skips. Run with ``-s`` for
the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.files.read import records
from adapters.schema import Answer
from adapters.trace import Span
from adapters.wire.otlp import decode_traces, group

TRACES = Path(__file__).parents[2].parent / "shared" / "data" / "traces"
SCENARIOS = sorted(path.name.removesuffix(".expected.json") for path in TRACES.glob("*.expected.json"))
OPTIONS = AdaptOptions(attributes={"tenant": "tenant"})

pytestmark = pytest.mark.skipif(
    not SCENARIOS, reason="reference traces are not beside the repository (shared/data/traces)"
)


def answers_of(scenario: str, form: str) -> dict[str, list[Answer]]:
    # Where content travels as log records, they lie beside the trace.
    paths = [TRACES / f"{scenario}.{form}", TRACES / f"{scenario}.logs.{form}"]
    spans = [record for path in paths if path.exists() for record in records(path.read_bytes())]
    assert all(isinstance(span, Span) for span in spans)
    return {trace.trace_id: list(adapt_trace(trace, OPTIONS)) for trace in group(spans)}


def identity(passage: dict) -> str:
    """The expected id; where the framework reports none, the one derived from metadata."""
    if passage["id"] is not None:
        return passage["id"]
    metadata = passage["metadata"] or {}
    return f"{metadata['doc_id']}@{metadata['version']}"


Finding = tuple[str, object, object]


def words(record: dict, answer: Answer) -> Iterator[Finding]:
    yield "question", record["question"], answer.question
    yield "answer", record["answer"], answer.answer
    yield "status", "error" if record["status"] == "error" else "ok", answer.status
    if record["error"] is None:
        yield "error", None, answer.error
    else:
        text = answer.error or ""
        yield "error type", True, (record["error"]["type"] or "") in text
        yield "error message", True, record["error"]["message_contains"] in text
        yield "error is one line", True, "Traceback" not in text and "\n" not in text
    if record.get("standalone_question"):
        yield "rewritten query", True, record["standalone_question"] in (answer.queries or ())
    if "n_history_messages" in record:
        yield "history", record["n_history_messages"], len(answer.history or ())


def evidence(record: dict, answer: Answer) -> Iterator[Finding]:
    expected, passages = record["retrieved"] or [], answer.passages or ()
    yield "passage ids", [identity(p) for p in expected], [p.id for p in passages]
    for want, got in zip(expected, passages, strict=False):
        for field in ("text", "score", "metadata", "rank"):
            yield f"{field} of {got.id}", want[field], getattr(got, field)
    if passages:
        yield "context", record["selected_context"], None if answer.context is None else list(answer.context)
    lists = [list(stage.output_ids or ()) for stage in answer.stages or ()]
    scores = [list(stage.scores or ()) for stage in answer.stages or ()]
    for stage in record.get("retrieval_stages", ()):
        yield f"stage {stage}", True, stage["ids"] in lists
        yield f"scores of stage {stage}", True, "scores" not in stage or stage["scores"] in scores
    reranked = next(
        (dict(zip(s.output_ids, s.scores, strict=True)) for s in answer.stages or () if s.kind == "rerank"), {}
    )
    for passage in record.get("selected_passages", ()):
        yield f"reranked score of {passage['id']}", passage["score"], reranked.get(passage["id"])
    if "citations" in record and passages:
        found = answer.citations or ()
        yield "citations", record["citations"], [int(citation.marker.strip("[]")) for citation in found]
        if record["selected_context"] is not None:
            cited = [record["selected_context"][n - 1] for n in record["citations"]]
            yield "cited passages", cited, [citation.passage_id for citation in found]


def figures(record: dict, answer: Answer) -> Iterator[Finding]:
    # Streaming instrumentation may know the requested model only.
    yield "model", True, answer.model in (record["model"], record.get("model_request", record["model"]))
    tokens = record["tokens_total"] or {"prompt": None, "completion": None, "total": None}
    for which, want in tokens.items():
        yield f"{which} tokens", want, getattr(answer.usage, f"{which}_tokens")
    yield "llm_calls", record["llm_calls"], answer.llm_calls
    yield "session", record["session_id"], answer.session_id
    yield "user", record["user_id"], answer.user_id
    yield "latency", True, abs(record["latency_ms"] - (answer.usage.latency_ms or 0)) < 0.001
    yield "incomplete", bool(record.get("incomplete")), "incomplete_trace" in answer.flags
    dropped = any(passage.get("attrs_dropped") for passage in record["retrieved"] or ())
    yield "attributes dropped", dropped, "attributes_dropped" in answer.flags
    if "tool_calls" in record:
        calls = [{"name": c.name, "arguments": json.loads(c.arguments or "null")} for c in answer.tool_calls or ()]
        yield "tool calls", record["tool_calls"], calls


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    rows: list[str] = []
    yield rows
    sys.stdout.write("\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize("form", ["otlp.pb", "json"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_real_trace_gives_what_its_application_did(scenario: str, form: str, table: list[str]) -> None:
    expected = json.loads((TRACES / f"{scenario}.expected.json").read_text())["records"]
    found = answers_of(scenario, form)
    problems, compared = [], 0
    for record in expected:
        answers = found.pop(record["trace_id"], [])
        if len(answers) != 1:
            problems.append(f"{len(answers)} answers of trace {record['trace_id']}")
            continue
        for what, want, got in (f for part in (words, evidence, figures) for f in part(record, answers[0])):
            compared += 1
            if want != got:
                problems.append(f"{what}: expected {want!r}, got {got!r}")
    problems += [f"an answer nobody expects of trace {trace_id}" for trace_id, answers in found.items() if answers]
    outcome = "; ".join(problems) or "as expected"
    table.append(f"{scenario:30} {form:8} {len(expected):2} records {compared:4} values  {outcome}")
    assert not problems


def test_parts_of_one_trace_give_the_same_answer_in_any_order() -> None:
    parts = sorted(TRACES.glob("langchain-split-batches.part*.otlp.pb"))
    if not parts:
        pytest.skip("no split trace in the reference data")
    whole = answers_of("langchain-split-batches", "otlp.pb")
    backwards = [span for part in reversed(parts) for span in decode_traces(part.read_bytes()).spans]
    (trace,) = group(backwards * 2)
    assert adapt_trace(trace, OPTIONS) == tuple(whole[trace.trace_id])
