"""Real exports of more frameworks, against what their applications knew: every field that the source carries is exact.

The traces are reference data beside the repository, not part of it; without them this module skips. Run with ``-s`` for
the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.detect import AdaptOptions
from adapters.files.read import read
from adapters.schema import Answer

TRACES = Path(__file__).parents[2].parent / "shared" / "data" / "traces" / "frameworks"
CAPTURES = sorted(path.name.removesuffix(".truth.json") for path in TRACES.glob("*.truth.json"))

UNTOLD: dict[str, frozenset[str]] = {
    # Chroma gives distances, which are no scores.
    "chroma-qdrant-openllmetry": frozenset({"0 scores"}),
    # Its tool gives back text, and no span is of the model's client.
    "crewai-openinference": frozenset({"0 scores", "0 metadata", "0 model"}),
    # Two agents ran each component in a trace of its own, one of them with a tool that gives back text; the other's
    # tool gave back scores.
    "haystack-openinference": frozenset({"4 ids", "4 metadata", "5 scores"}),
    # The client has no instrumentation, and does not say that it asked for a tool.
    "instructor-openinference": frozenset({"0 prompt_tokens", "0 completion_tokens", "0 model", "0 tools"}),
    # Its retriever wrote scores of 0.
    "langgraph-openinference": frozenset({"1 scores"}),
    # The OTLP export leaves out what describes the trace.
    "mlflow": frozenset({"0 session"}),
    # The group of a trace is not exported, nor are calls that the client tried again.
    "openai-agents-responses-openinference": frozenset({
        "0 session",
        *(f"{n} {field}" for n in (2, 3) for field in ("llm_calls", "prompt_tokens", "completion_tokens", "tools")),
    }),
    # What an earlier turn found is still in the prompt; a tool gives back text; calls that the client tried again.
    "pydantic-ai-genai": frozenset({
        "1 context",
        *(f"2 {field}" for field in ("scores", "ids", "metadata")),
        *(f"3 {field}" for field in ("llm_calls", "prompt_tokens", "completion_tokens", "tools")),
    }),
    # Its tool gives back text.
    "smolagents-openinference": frozenset({"0 scores", "0 metadata"}),
}  # fmt: skip
"""Fields that are not as the application knew them, by the number of the answer: most are not in the source at all."""

pytestmark = pytest.mark.skipif(
    not CAPTURES, reason="reference traces are not beside the repository (shared/data/traces/frameworks)"
)


def adapted(capture: str) -> list[Answer]:
    paths = (TRACES / f"{capture}.traces.pb", TRACES / f"{capture}.traces.jsonl")
    data = next(path for path in paths if path.exists()).read_bytes()
    return [record for record in read(data, AdaptOptions()) if isinstance(record, Answer)]


def plain(text: str | None) -> str:
    return " ".join((text or "").split()).lower()


def paired(truths: list[dict[str, Any]], answers: list[Answer]) -> list[Answer | None]:
    """The answer to each truth: the one with its question and answer, else with either."""
    left = [*answers]
    found = []
    for truth in truths:
        asked, said = plain(truth["question"]), plain(truth.get("answer"))
        alike = (
            lambda each, q=asked, a=said: (plain(each.question), plain(each.answer)) == (q, a),
            lambda each, q=asked: plain(each.question) == q,
            lambda each, a=said: plain(each.answer) == a,
        )
        match = next((each for same in alike for each in left if same(each)), None)
        if match is not None:
            left.remove(match)
        found.append(match)
    return found


def rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 6)


def compared(truth: dict[str, Any], answer: Answer) -> Iterator[tuple[str, object, object]]:
    """What the application knew, and what was read, field by field."""
    read_of = {
        "question": answer.question,
        "answer": answer.answer,
        "session": answer.session_id,
        "model": answer.model,
        "llm_calls": answer.llm_calls,
        "prompt_tokens": answer.usage.prompt_tokens,
        "completion_tokens": answer.usage.completion_tokens,
        "tools": [call.name for call in answer.tool_calls or ()],
    }
    for field, got in read_of.items():
        if truth.get(field) is not None:
            yield field, truth[field], got
    if truth.get("context") is not None:
        yield "context", sorted(truth["context"]), sorted(each.text or "" for each in answer.context_passages() or ())
    if (wanted := truth.get("passages")) is None:
        return
    passages = answer.passages or ()
    yield "texts", [each["text"] for each in wanted], [each.text for each in passages]
    yield "scores", [rounded(each.get("score")) for each in wanted], [rounded(each.score) for each in passages]
    derived = [f"{each.doc_id}@{each.version}" if each.doc_id and "@" not in each.id else each.id for each in passages]
    yield "ids", [each["id"] for each in wanted], derived
    if any(each.get("metadata") for each in wanted):
        names = ("doc_id", "version", "effective_from")
        told = [tuple((each["metadata"] or {}).get(name) for name in names) for each in wanted]
        dates = (each.effective_from and each.effective_from.date().isoformat() for each in passages)
        yield "metadata", told, [(each.doc_id, each.version, d) for each, d in zip(passages, dates, strict=True)]


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    rows: list[str] = []
    yield rows
    sys.stdout.write("\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize("capture", CAPTURES)
def test_every_field_that_a_source_carries_is_exact(capture: str, table: list[str]) -> None:
    truths = json.loads((TRACES / f"{capture}.truth.json").read_text())
    answers = adapted(capture)
    assert len(answers) == len(truths)
    inexact, fields = set(), 0
    for number, (truth, answer) in enumerate(zip(truths, paired(truths, answers), strict=True)):
        assert answer is not None
        for field, wanted, got in compared(truth, answer):
            fields += 1
            if wanted != got:
                inexact.add(f"{number} {field}")
    absent = ", ".join(sorted(inexact)) or "none"
    table.append(f"{capture:40} {fields - len(inexact):4} of {fields:4} exact; otherwise: {absent}")
    assert inexact == UNTOLD.get(capture, frozenset())
