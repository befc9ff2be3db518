"""The traces that real example applications exported, and the answers they must give.

`python tests/golden/record.py` runs the applications again and writes both; `--answers` writes the answers only. The
diff of the answers is the review.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.detect import AdaptOptions, adapt_trace
from adapters.files.read import read
from adapters.schema import Answer
from adapters.wire.otlp import decode_traces, group

TRACES = Path(__file__).parents[1] / "golden" / "traces"
NAMES = sorted(path.name.removesuffix(".otlp.pb") for path in TRACES.glob("*.otlp.pb"))
OPTIONS = AdaptOptions(attributes={"tenant": "tenant", "region": "deployment.region"})


def adapted(name: str) -> list[Answer]:
    records = list(read((TRACES / f"{name}.otlp.pb").read_bytes(), OPTIONS))
    assert all(isinstance(record, Answer) for record in records)
    return records


def only(name: str) -> Answer:
    (answer,) = adapted(name)
    return answer


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_trace_gives_its_golden_answers(name: str) -> None:
    golden = (TRACES / f"{name}.answers.jsonl").read_text().splitlines()
    assert [answer.model_dump_json(exclude_defaults=True) for answer in adapted(name)] == golden


@pytest.mark.parametrize("name", NAMES)
def test_the_order_and_repetition_of_spans_changes_nothing(name: str) -> None:
    spans = decode_traces((TRACES / f"{name}.otlp.pb").read_bytes()).spans
    forwards = {trace.trace_id: adapt_trace(trace, OPTIONS) for trace in group(spans)}
    backwards = {trace.trace_id: adapt_trace(trace, OPTIONS) for trace in group([*spans[::-1], *spans[:3]])}
    assert backwards == forwards


def test_all_frameworks_are_recorded() -> None:
    assert {name.split("-")[0] for name in NAMES} >= {"langchain", "llamaindex", "haystack", "mixed"}


@pytest.mark.parametrize("framework", ["langchain", "llamaindex", "haystack"])
def test_a_plain_question_is_answered_from_what_was_retrieved(framework: str) -> None:
    answer = only(f"{framework}-basic")
    assert (answer.framework, answer.service, answer.release) == (framework, "library-desk", "2.1.0")
    assert answer.question
    assert answer.answer
    assert [passage.rank for passage in answer.passages or ()] == [0, 1]
    assert all(passage.text and passage.metadata and passage.version for passage in answer.passages or ())
    assert answer.context == tuple(passage.id for passage in answer.passages or ())
    assert answer.citations[0].passage_id == answer.context[0]
    assert answer.flags == frozenset()


@pytest.mark.parametrize("framework", ["langchain", "llamaindex", "haystack"])
def test_an_agent_gives_the_words_of_its_user_not_of_its_tool_call(framework: str) -> None:
    answer = only(f"{framework}-agent")
    assert answer.question.endswith("?")
    assert answer.queries != (answer.question,)
    assert answer.llm_calls == 2
    assert [call.name for call in answer.tool_calls] == ["handbook"]
    assert answer.passages


@pytest.mark.parametrize("framework", ["langchain", "llamaindex", "haystack"])
def test_redacted_content_is_absent_and_flagged(framework: str) -> None:
    answer = only(f"{framework}-redacted")
    assert (answer.question, answer.answer, answer.history, answer.queries) == (None, None, None, None)
    assert answer.flags == {"content_redacted", "answer_missing"}
    assert len(answer.passages) == 2
    assert "__REDACTED__" not in answer.model_dump_json()


@pytest.mark.parametrize("framework", ["langchain", "llamaindex", "haystack"])
def test_cut_content_is_flagged_and_passages_keep_their_identity(framework: str) -> None:
    answer = only(f"{framework}-cut")
    assert "content_truncated" in answer.flags
    assert all("@" in passage.id and passage.doc_id for passage in answer.passages)


@pytest.mark.parametrize("framework", ["langchain", "llamaindex", "haystack"])
@pytest.mark.parametrize("what", ["model", "retriever"])
def test_a_failure_has_an_error_and_no_answer(framework: str, what: str) -> None:
    answer = only(f"{framework}-{what}-fails")
    assert (answer.status, answer.answer, answer.citations) == ("error", None, None)
    assert "\n" not in answer.error
    assert answer.llm_calls == (1 if what == "model" else 0)
    assert (answer.passages is None) == (what == "retriever")


def test_a_retriever_that_fell_back_leaves_a_good_answer() -> None:
    answer = only("langchain-retriever-falls-back")
    assert (answer.status, answer.error) == ("ok", None)
    assert [stage.output_ids for stage in answer.stages] == [None, ("LOAN-1@2",)]


def test_passages_lost_to_the_attribute_limit_are_found_where_they_were_handed_on() -> None:
    answer = only("langchain-many-passages")
    assert "attributes_dropped" in answer.flags
    assert [passage.rank for passage in answer.passages] == list(range(70))
    assert all(passage.text and passage.metadata for passage in answer.passages)


def test_an_answer_refined_call_by_call_was_made_from_all_passages() -> None:
    answer = only("llamaindex-refined")
    assert answer.llm_calls == 3
    assert answer.context == tuple(passage.id for passage in answer.passages)


def test_of_evidence_that_went_to_another_trace_the_prompt_tells_the_words_alone() -> None:
    answer, whole = only("langchain-context-lost"), only("langchain-basic")
    assert (answer.stages, answer.queries) == (None, None)
    assert [(p.text, p.stage, p.doc_id) for p in answer.passages] == [(p.text, "prompt", None) for p in whole.passages]
    assert answer.citations[0].passage_id == answer.passages[0].id


def test_a_retrieval_that_found_nothing_is_empty_not_unknown() -> None:
    answer = only("langchain-nothing-found")
    assert (answer.passages, answer.context) == ((), ())


def test_both_dialects_on_one_span_are_counted_once() -> None:
    single, dual = only("langchain-basic"), only("langchain-dual")
    assert dual.usage.total_tokens == single.usage.total_tokens
    assert dual.llm_calls == 1


def test_each_of_a_concurrent_batch_is_its_own_answer() -> None:
    answers = adapted("langchain-batch")
    assert len({answer.question for answer in answers}) == len({answer.id for answer in answers}) == 3


@pytest.mark.parametrize("name", ["langchain-retriever-only", "langchain-formatter-only"])
def test_retrieval_alone_is_no_answer(name: str) -> None:
    assert adapted(name) == []
