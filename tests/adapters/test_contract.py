"""Real exports of LangChain, LlamaIndex and Haystack applications, against what a correct normalizer must give.

The traces are reference data beside the repository, not part of it; without them this module skips. Run with ``-s`` for
the table.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.otlp import decode_traces, decode_traces_json, group
from adapters.schema import Answer

TRACES = Path(__file__).parents[2].parent / "shared" / "data" / "traces"
FRAMEWORKS = ("langchain", "llamaindex", "haystack")
SCENARIOS = sorted(
    path.name.removesuffix(".expected.json")
    for framework in FRAMEWORKS
    for path in TRACES.glob(f"{framework}-*.expected.json")
)
OPTIONS = AdaptOptions(attributes={"tenant": "tenant"})

pytestmark = pytest.mark.skipif(
    not SCENARIOS, reason="reference traces are not beside the repository (shared/data/traces)"
)

MODELS_ACCEPTED = {"llama": "request model", "stream": "either"}


def answers_of(scenario: str, form: str) -> dict[str, list[Answer]]:
    data = (TRACES / f"{scenario}.{form}").read_bytes()
    decoded = decode_traces(data) if form == "otlp.pb" else decode_traces_json(data)
    assert not decoded.malformed
    return {trace.trace_id: list(adapt_trace(trace, OPTIONS)) for trace in group(decoded.spans)}


def identity(passage: dict) -> str:
    """The expected id; where the framework reports none, the one derived from metadata."""
    if passage["id"] is not None:
        return passage["id"]
    metadata = passage["metadata"] or {}
    return f"{metadata['doc_id']}@{metadata['version']}"


def differences(record: dict, answer: Answer) -> list[str]:
    found: list[str] = []

    def same(what: str, expected: object, got: object) -> None:
        if expected != got:
            found.append(f"{what}: expected {expected!r}, got {got!r}")

    same("question", record["question"], answer.question)
    same("answer", record["answer"], answer.answer)
    same("status", "error" if record["status"] == "error" else "ok", answer.status)
    if record["error"] is None:
        same("error", None, answer.error)
    else:
        text = answer.error or ""
        same("error type", True, record["error"]["type"] in text)
        same("error message", True, record["error"]["message_contains"] in text)
        same("error is concise", True, "Traceback" not in text and "\n" not in text)
    passages = answer.passages or ()
    expected = record["retrieved"] or []
    same("passage ids", [identity(p) for p in expected], [p.id for p in passages])
    for want, got in zip(expected, passages, strict=False):
        for field in ("text", "score", "metadata", "rank"):
            same(f"passage {got.id} {field}", want[field], getattr(got, field))
    if passages:
        same("context", record["selected_context"], list(answer.context or ()))
    models = {record["model"], record.get("model_request", record["model"])}
    same("model", True, answer.model in models)
    tokens = record["tokens_total"] or {"prompt": None, "completion": None, "total": None}
    same("prompt tokens", tokens["prompt"], answer.usage.prompt_tokens)
    same("completion tokens", tokens["completion"], answer.usage.completion_tokens)
    same("total tokens", tokens["total"], answer.usage.total_tokens)
    same("llm_calls", record["llm_calls"], answer.llm_calls)
    same("session", record["session_id"], answer.session_id)
    same("user", record["user_id"], answer.user_id)
    same("latency", True, abs(record["latency_ms"] - (answer.usage.latency_ms or 0)) < 0.001)
    same("incomplete", bool(record.get("incomplete")), "incomplete_trace" in answer.flags)
    same("attributes dropped", any(p.get("attrs_dropped") for p in expected), "attributes_dropped" in answer.flags)
    if "tool_calls" in record:
        got = [
            {"name": call.name, "arguments": json.loads(call.arguments or "null")} for call in answer.tool_calls or ()
        ]
        same("tool calls", record["tool_calls"], got)
    if "citations" in record:
        numbers = [int(re.sub(r"\D", "", citation.marker)) for citation in answer.citations or ()]
        same("citations", record["citations"], numbers)
        resolved = [citation.passage_id for citation in answer.citations or ()]
        same("cited passages", [record["selected_context"][n - 1] for n in record["citations"]], resolved)
    if "retrieval_stages" in record:
        stages = [list(stage.output_ids or ()) for stage in answer.stages or ()]
        for stage in record["retrieval_stages"]:
            same(f"stage {stage}", True, stage["ids"] in stages)
        for stage in record["retrieval_stages"]:
            if "scores" in stage:
                same("stage scores", True, stage["scores"] in [list(s.scores or ()) for s in answer.stages or ()])
    if record.get("standalone_question"):
        same("rewritten query", True, record["standalone_question"] in (answer.queries or ()))
    if "n_history_messages" in record:
        same("history", record["n_history_messages"], len(answer.history or ()))
    for passage in record.get("selected_passages", ()):
        stage = next((s for s in answer.stages or () if s.kind == "rerank"), None)
        same(
            "reranked score",
            passage["score"],
            dict(zip(stage.output_ids, stage.scores, strict=True)).get(passage["id"]),
        )
    return found


@pytest.mark.parametrize("form", ["otlp.pb", "json"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_real_trace_gives_what_its_application_did(scenario: str, form: str) -> None:
    expected = json.loads((TRACES / f"{scenario}.expected.json").read_text())
    found = answers_of(scenario, form)
    problems = []
    for record in expected["records"]:
        answers = found.pop(record["trace_id"], [])
        if len(answers) != 1:
            problems.append(f"{record['trace_id']}: {len(answers)} answers")
            continue
        problems += differences(record, answers[0])
    problems += [f"{trace_id}: an answer nobody expects" for trace_id, answers in found.items() if answers]
    print(
        f"\n{scenario:32} {form:8} {len(expected['records'])} records  {'; '.join(problems) or 'as expected'}", end=""
    )  # noqa: T201
    assert not problems


def test_parts_of_one_trace_give_the_same_answer_in_any_order() -> None:
    parts = sorted(TRACES.glob("langchain-split-batches.part*.otlp.pb"))
    if not parts:
        pytest.skip("no split trace in the reference data")
    whole = answers_of("langchain-split-batches", "otlp.pb")
    backwards = [span for part in reversed(parts) for span in decode_traces(part.read_bytes()).spans]
    (trace,) = group(backwards * 2)
    assert adapt_trace(trace, OPTIONS) == tuple(whole[trace.trace_id])
