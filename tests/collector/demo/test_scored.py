"""The demo's own traces through the adapter and the scorer, without an agent between."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from tests.peers import require_module

require_module("openinference.instrumentation.langchain", "pip install 'groundwire[langchain]'")

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from adapters.detect import AdaptOptions, adapt_trace
from adapters.schema import Answer
from adapters.wire.otlp import decode_traces, group
from collector.demo import corpus
from collector.demo.assistant import PolicyAssistant
from collector.demo.corpus import Policy
from collector.demo.telemetry import instrumented
from scorers.base import Env, Score, Unscored
from scorers.catalog import parse_catalog
from scorers.freshness.stale_source_use import StaleSourceUse

PUBLISHED = datetime.now(UTC)
VERSION_3 = corpus.expenses_v3(PUBLISHED)


def answers(policies: Iterable[Policy]) -> list[Answer]:
    """Ask every question once and return what the agent would make of the spans, in the order of the questions."""
    exporter = InMemorySpanExporter()
    assistant = PolicyAssistant(policies)
    with instrumented(exporter):
        for question in corpus.QUESTIONS:
            assistant.ask(question.text, domain=question.domain)
    data = encode_spans(exporter.get_finished_spans()).SerializeToString()
    found = [
        answer
        for trace in group(decode_traces(data).spans)
        for answer in adapt_trace(trace, AdaptOptions(attributes={"domain": "domain"}))
    ]
    return sorted(found, key=lambda answer: answer.started_at)


def scores(policies: Iterable[Policy], source: Iterable[Policy]) -> list[Score | Unscored]:
    catalog = parse_catalog(corpus.catalog_yaml(source), "yaml", "policies.yaml")
    env = Env(now=datetime.now(UTC), catalog=catalog)
    return [StaleSourceUse().score(answer, env) for answer in answers(policies)]


def test_each_question_becomes_one_answer_with_its_domain_passages_and_citation() -> None:
    for question, answer in zip(corpus.QUESTIONS, answers(corpus.INDEXED), strict=True):
        assert answer.question == question.text
        assert question.expect in answer.answer
        assert answer.attributes["domain"] == question.domain
        assert answer.service == "policy-assistant"
        assert (answer.model, answer.llm_calls) == ("extractive-1", 1)
        cited = {citation.passage_id for citation in answer.citations}
        assert [p.doc_id for p in answer.passages if p.id in cited] == [question.doc_id]
        assert answer.flags == frozenset()


@pytest.mark.parametrize(
    ("index", "source"),
    [
        pytest.param(corpus.INDEXED, corpus.source_before(), id="before version 3"),
        pytest.param(corpus.index_after(VERSION_3), corpus.source_after(VERSION_3), id="after the rebuild"),
    ],
)
def test_no_answer_is_stale_while_index_and_source_agree(index: Iterable[Policy], source: Iterable[Policy]) -> None:
    assert [score.value for score in scores(index, source)] == [0.0] * len(corpus.QUESTIONS)


def test_exactly_the_answers_about_the_changed_policy_are_stale_while_the_index_lags() -> None:
    for question, score in zip(corpus.QUESTIONS, scores(corpus.INDEXED, corpus.source_after(VERSION_3)), strict=True):
        assert score.value == float(question.doc_id == corpus.STALE_DOC), question.text
        if score.value:
            used, governing = score.evidence[:2]
            assert (used.version, governing.version) == ("2", "3")
