from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests.peers import require_module

require_module("langchain_core", "pip install 'groundwire[langchain]'")
require_module("openinference.instrumentation.langchain", "pip install 'groundwire[langchain]'")

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from collector.demo import corpus
from collector.demo.assistant import NO_ANSWER, BM25Retriever, ExtractiveChatModel, PolicyAssistant
from collector.demo.telemetry import instrumented

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


class Traced:
    def __init__(self, exporter: InMemorySpanExporter, provider: TracerProvider) -> None:
        self._exporter = exporter
        self._provider = provider

    def spans(self, kind: str) -> list[ReadableSpan]:
        self._provider.force_flush()
        return [s for s in self._exporter.get_finished_spans() if s.attributes.get("openinference.span.kind") == kind]

    def root(self) -> ReadableSpan:
        return next(s for s in self.spans("CHAIN") if s.parent is None)


@pytest.fixture
def traced() -> Iterator[Traced]:
    exporter = InMemorySpanExporter()
    with instrumented(exporter) as provider:
        yield Traced(exporter, provider)


def retriever(*texts: str, **options: int) -> BM25Retriever:
    return BM25Retriever(documents=tuple(Document(id=str(i), page_content=t) for i, t in enumerate(texts)), **options)


def ask_model(question: str, *passages: str) -> AIMessage:
    context = "\n".join(f"[{i}] {text}" for i, text in enumerate(passages, start=1))
    return ExtractiveChatModel().invoke([SystemMessage("Answer.\n\n" + context), HumanMessage(question)])


@pytest.mark.parametrize("question", corpus.QUESTIONS, ids=lambda q: q.text)
def test_every_question_is_answered_from_its_policy_with_a_citation(question: corpus.Question) -> None:
    answer = PolicyAssistant(corpus.INDEXED).ask(question.text, domain=question.domain)
    assert question.expect in answer
    assert answer.endswith("[1].")


def test_the_same_question_gets_the_same_answer_twice() -> None:
    assistant = PolicyAssistant(corpus.INDEXED)
    first = [assistant.ask(q.text, domain=q.domain) for q in corpus.QUESTIONS]
    assert [assistant.ask(q.text, domain=q.domain) for q in corpus.QUESTIONS] == first


def test_answers_change_only_when_the_index_is_rebuilt() -> None:
    assistant = PolicyAssistant(corpus.INDEXED)
    assert "150 EUR" in assistant.ask("How much is reimbursed for a hotel night?", domain="travel")
    assistant.rebuild(corpus.index_after(corpus.expenses_v3(NOON)))
    assert "180 EUR" in assistant.ask("How much is reimbursed for a hotel night?", domain="travel")


def test_what_no_policy_speaks_of_is_not_answered() -> None:
    assert PolicyAssistant(corpus.INDEXED).ask("Who won the chess tournament?", domain="leave") == NO_ANSWER


def test_the_retriever_ranks_the_passage_with_the_rarer_terms_first() -> None:
    found = retriever("hotel costs", "hotel night limit", "meals").invoke("limit of a hotel night")
    assert [d.id for d in found] == ["1", "0"]
    assert found[0].metadata["relevance_score"] > found[1].metadata["relevance_score"] > 0


def test_the_retriever_returns_no_more_than_k() -> None:
    assert len(retriever("hotel a", "hotel b", "hotel c", k=2).invoke("hotel")) == 2


@pytest.mark.parametrize("query", ["", "the of and", "zebra"])
def test_the_retriever_finds_nothing_where_no_term_is_shared(query: str) -> None:
    assert retriever("hotel costs", "meals").invoke(query) == []


def test_an_empty_index_finds_nothing() -> None:
    assert retriever().invoke("hotel") == []


def test_bm25_gives_the_score_of_the_formula() -> None:
    (found, _) = retriever("hotel hotel night", "hotel").invoke("hotel")
    assert found.id == "1"
    # idf = ln(1 + 0.5 / 2.5); tf 1 in a document of length 1 where the mean is 2: 2.2 / (1 + 1.2 * (0.25 + 0.75 / 2))
    assert found.metadata["relevance_score"] == pytest.approx(0.182322 * 2.2 / 1.75, abs=1e-4)


def test_the_model_cites_the_passage_it_quotes() -> None:
    message = ask_model(
        "When do laptops lock?", "Visitors wear a badge.", "Laptops lock after 5 minutes. They are grey."
    )
    assert message.text == "Laptops lock after 5 minutes [2]."


def test_the_model_declines_when_it_is_given_nothing() -> None:
    assert ask_model("When do laptops lock?").text == NO_ANSWER


def test_the_model_reports_its_name_and_tokens() -> None:
    message = ask_model("When do laptops lock?", "Laptops lock after 5 minutes.")
    assert message.response_metadata["model_name"] == "extractive-1"
    assert message.usage_metadata == {"input_tokens": 11, "output_tokens": 6, "total_tokens": 17}


def test_the_trace_tells_question_answer_and_domain(traced: Traced) -> None:
    PolicyAssistant(corpus.INDEXED).ask("How long must a password be?", domain="security")
    root = traced.root()
    assert root.attributes["input.value"] == "How long must a password be?"
    assert root.attributes["output.value"].startswith("Passwords are at least 14 characters long")
    assert json.loads(root.attributes["metadata"])["domain"] == "security"


def test_the_trace_tells_passages_with_document_version_and_window(traced: Traced) -> None:
    PolicyAssistant(corpus.INDEXED).ask("How much is reimbursed for a hotel night?", domain="travel")
    (span,) = traced.spans("RETRIEVER")
    metadata = json.loads(span.attributes["retrieval.documents.0.document.metadata"])
    assert (metadata["doc_id"], metadata["version"], metadata["supersedes"]) == ("TRV-001", "2", "TRV-001@1")
    assert metadata["effective_from"] == "2023-04-01T00:00:00+00:00"
    assert span.attributes["retrieval.documents.0.document.content"] == corpus.EXPENSES_V2.text


def test_the_trace_tells_model_and_tokens(traced: Traced) -> None:
    PolicyAssistant(corpus.INDEXED).ask("How much is reimbursed for a hotel night?", domain="travel")
    (span,) = traced.spans("LLM")
    assert span.attributes["llm.model_name"] == "extractive-1"
    assert span.attributes["llm.token_count.total"] == (
        span.attributes["llm.token_count.prompt"] + span.attributes["llm.token_count.completion"]
    )


def test_nothing_is_traced_after_the_block() -> None:
    exporter = InMemorySpanExporter()
    with instrumented(exporter):
        PolicyAssistant(corpus.INDEXED).ask("How long must a password be?", domain="security")
    sent = len(exporter.get_finished_spans())
    PolicyAssistant(corpus.INDEXED).ask("How long must a password be?", domain="security")
    assert sent > 0
    assert len(exporter.get_finished_spans()) == sent
