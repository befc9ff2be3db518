"""Batches whose runs an instrumentation put one below the other: each question is an answer of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.trace import Span, Trace

TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
NS = 1_760_000_000_000_000_000


def span(number: int, parent: int | None, kind: str, start: int, end: int, **given: Any) -> Span:
    told = {f"langfuse.observation.{key}": value for key, value in given.items() if key in ("input", "output")}
    return Span(
        trace_id=TRACE_ID,
        span_id=f"{number:016x}",
        parent_id=None if parent is None else f"{parent:016x}",
        name=given.get("name", kind),
        start_ns=NS + start,
        end_ns=NS + end,
        attributes={"langfuse.observation.type": kind} | told,
        scope_name="langfuse-sdk",
        status_code=given.get("status", 0),
    )


def run(number: int, parent: int | None, *, end: int, retrieves: bool = True, **given: Any) -> list[Span]:
    asked = f"Question {number}?"
    row = {"page_content": f"Passage {number}.", "metadata": {}}
    said = json.dumps({"role": "assistant", "content": f"Answer {number}."})
    found = [
        span(number, parent, "chain", number, end, **{"input": asked, "output": f"Answer {number}.", **given}),
        span(number + 2, number, "generation", 30, 40, input=f"Passage {number}. {asked}", output=said),
    ]
    if retrieves:
        found.append(span(number + 1, number, "retriever", 20, 25, input=asked, output=json.dumps([row])))
    return found


def answers(*spans: Span) -> list[Answer]:
    return sorted(adapt_trace(Trace.of(TRACE_ID, spans), AdaptOptions()), key=lambda answer: answer.question or "")


@pytest.mark.parametrize("retrieves", [True, False])
def test_runs_that_outlive_the_one_above_are_answers_of_their_own(*, retrieves: bool) -> None:
    first = run(1, None, end=90, retrieves=retrieves)
    second, third = run(4, 1, end=91, retrieves=retrieves), run(7, 4, end=92, retrieves=retrieves)
    found = answers(*first, *second, *third)
    assert [answer.question for answer in found] == ["Question 1?", "Question 4?", "Question 7?"]
    assert [answer.answer for answer in found] == ["Answer 1.", "Answer 4.", "Answer 7."]
    assert [answer.llm_calls for answer in found] == [1, 1, 1]
    texts = [[passage.text for passage in answer.passages or ()] for answer in found]
    assert texts == ([["Passage 1."], ["Passage 4."], ["Passage 7."]] if retrieves else [[], [], []])


def test_a_run_of_a_batch_that_failed_is_a_failed_answer_beside_the_others() -> None:
    failed = [replace(each, status_code=2) for each in run(4, 1, end=91, output="")][::2]
    found = answers(*run(1, None, end=90), *failed, *run(7, 4, end=92))
    assert [answer.status for answer in found] == ["ok", "error", "ok"]


def test_a_chain_that_another_of_its_name_called_ends_before_it_and_is_a_part_of_its_answer() -> None:
    (answer,) = answers(*run(1, None, end=90), *run(4, 1, end=80))
    assert (answer.question, answer.answer, answer.llm_calls) == ("Question 1?", "Answer 1.", 2)


def test_what_outlives_a_chain_that_asks_no_model_is_no_batch() -> None:
    outer = span(1, None, "chain", 1, 90, input="Question 1?", output="Answer 4.")
    (answer,) = answers(outer, *run(4, 1, end=91))
    assert (answer.question, answer.llm_calls) == ("Question 1?", 1)
