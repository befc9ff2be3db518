"""The answers of one trace, assembled from the views of its spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import truediv

import orjson

from adapters.assembly.calls import (
    Call,
    answering,
    basis_of,
    calls_of,
    past_calls,
    price,
    response_ids_of,
    since_the_user,
    tokens_are_partial,
    total,
)
from adapters.assembly.citations import find_citations
from adapters.assembly.dialogue import answer_of, asks_and_answers, history_of, question_of
from adapters.assembly.errors import error_of
from adapters.assembly.facts import (
    FactSources,
    arm_of,
    environment_of,
    release_of,
    service_of,
    session_of,
    share_of,
    user_of,
    values_of,
    versions_of,
)
from adapters.assembly.retrieval import Retrieval, retrieval_of
from adapters.assembly.view import View
from adapters.base import AdaptOptions
from adapters.documents.passages import Identities
from adapters.quirks import langchain
from adapters.schema import Answer, Flag, Passage, ToolCall, Usage
from adapters.trace import Trace

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NS_PER_MS = 1_000_000


def answers_of(trace: Trace, views: Sequence[View], options: AdaptOptions) -> Iterator[Answer]:
    """Yield the answers of ``trace``, in order of start; ``views`` are those of its spans, linked to each other.

    A trace is one answer, unless several of its chains each retrieve and generate: then each is one. A trace in which
    no model was asked and nothing was answered (a bare retriever, an agent being built, a health check) is none.
    """
    number = 0
    runs = _runs(views)
    for tops in runs:
        chosen = views
        if len(runs) > 1 or (len(tops) == 1 and len(tops[0].place) < len(views)):
            chosen = [view for view in views if any(view.place.start in top.place for top in tops)]
        answer = _Run(trace, tops, chosen, options).answer(number)
        if answer is not None:
            number += 1
            yield answer


def _runs(views: Sequence[View]) -> list[list[View]]:
    """Divide the trace into runs, by their tops: all local roots as one run, unless several are runs by themselves.

    So are those of a concurrent batch under one span of the application, and those below a root that only maps one
    chain over many questions, and has neither question nor answer itself. What is said in two conversations is said in
    two runs.
    """
    tops = [view for view in views if view.parent is None]
    parts = tops
    if len(tops) == 1 and asks_and_answers(tops[0]) == (False, False):
        parts = [child for child in tops[0].children if asks_and_answers(child) == (True, True)]
    if len(parts) > 1:
        whole = [
            part for part in parts if part.batched or {"RETRIEVER", "LLM"} <= {view.kind for view in part.subtree()}
        ]
        if len(whole) > 1:
            return [[part] for part in whole]
        if len(apart := _conversations(parts)) > 1:
            return apart
    return [tops] if tops else []


def _conversations(parts: Sequence[View]) -> list[list[View]]:
    """Divide agents and chains by the conversation that each says to be of; none where one of them does not say."""
    apart: dict[str, list[View]] = {}
    for part in parts:
        session = part.session if part.kind in ("CHAIN", "AGENT") else None
        if session is None:
            return []
        apart.setdefault(session, []).append(part)
    return list(apart.values())


def _judges(view: View) -> bool:
    """Tell whether a model call judges or guards an answer instead of giving one."""
    return "EVALUATOR" in view.above or "GUARDRAIL" in view.above


@dataclass(slots=True)
class _Run:
    """One run of the application: its local roots, and all spans below them."""

    trace: Trace
    tops: Sequence[View]
    views: Sequence[View]
    options: AdaptOptions

    def answer(self, number: int) -> Answer | None:
        """Assemble the answer; ``None`` where the run is none."""
        calls = calls_of(self.views)
        if calls and all(_judges(call.view) for call in calls):
            return None
        failed = self._failed(calls)
        speaking = [call for call in calls if not _judges(call.view)]
        question = question_of(self.tops, self.views, speaking)
        text = answer_of(self.tops, speaking, question, failed=failed)
        call = self._answering(speaking, text)
        identities = Identities(scope=self.trace.trace_id, keys=self.options.passages)
        basis = [] if call is None else basis_of(call, speaking, text)
        retrieval = retrieval_of(self.views, self.tops, basis, question, identities, self.options)
        if not calls and not self._answers_without_a_model(question, text, retrieval, failed=failed):
            return None
        if text is None and self._is_part_of_another(speaking, failed=failed):
            return None
        sources = FactSources.of(self.tops, self.views)
        first = self.tops[0].span
        start, end = first.start_ns, max(top.span.end_ns for top in self.tops)
        made = self._made(calls)
        bounded, cut = self._bounded(retrieval.passages)
        limit = self.options.max_text_chars
        answer = None if text is None else text[:limit]
        return Answer(
            id=self.trace.trace_id if number == 0 else f"{self.trace.trace_id}-{first.span_id}",
            source=self.tops[0].dialect,
            framework=next((view.framework for view in self.views if view.framework is not None), None),
            service=service_of(self.tops),
            release=release_of(self.tops),
            environment=environment_of(self.tops),
            arm=arm_of(self.options.arm, sources),
            share=share_of(self.options.share, sources),
            trace_id=self.trace.trace_id,
            span_id=first.span_id,
            session_id=session_of(sources),
            user_id=user_of(sources),
            started_at=_instant(start),
            ended_at=_instant(end),
            question=None if question is None else question[:limit],
            history=history_of(self.tops, call),
            queries=retrieval.queries,
            answer=answer,
            status="error" if failed else "ok",
            error=self._error() if failed else None,
            stages=retrieval.stages,
            passages=bounded,
            context=retrieval.context,
            citations=None if answer is None else find_citations(answer, _numbered(retrieval), bounded or ()),
            model=None if call is None else call.model,
            provider=None if call is None else call.provider,
            response_ids=response_ids_of(speaking),
            usage=_usage(made, call, start, end),
            llm_calls=sum(each.number for each in made),
            tool_calls=self._tool_calls(calls, call),
            versions=versions_of(self.tops, self.views, call, sources, self.options),
            attributes=values_of(self.options.attributes, sources),
            flags=self._flags(
                made,
                missing=answer is None and not failed,
                unread=retrieval.unread and not failed,
                cut=cut or retrieval.cut or any(text is not None and len(text) > limit for text in (question, text)),
            ),
        )

    def _failed(self, calls: Sequence[Call]) -> bool:
        """A run failed if its root did; without one root, if the local root that ended last did."""
        if len(self.tops) == 1:
            return self.tops[0].failed
        last = max(self.tops, key=lambda view: (view.span.end_ns, view.span.span_id))
        answered = any(call.answer is not None or (call.view.redacted and not call.view.failed) for call in calls)
        return last.failed or (not answered and any(top.failed for top in self.tops))

    def _error(self) -> str | None:
        by_end = sorted(self.tops, key=lambda view: (view.span.end_ns, view.span.span_id), reverse=True)
        return next((error for top in by_end if (error := error_of(top)) is not None), None)

    def _answers_without_a_model(
        self, question: str | None, text: str | None, retrieval: Retrieval, *, failed: bool
    ) -> bool:
        """Tell whether a run without model calls is an answer: its model is not instrumented, or was never reached.

        A chain that only retrieves and prints what it found is none, nor is a retriever by itself.
        """
        if all(top.kind not in ("CHAIN", "AGENT") for top in self.tops):
            return False
        if retrieval.stages is None:
            return failed and question is not None and any(view.kind == "EMBEDDING" for view in self.views)
        if failed:
            return True
        return text is not None and not any(p.text is not None and p.text in text for p in retrieval.passages or ())

    def _is_part_of_another(self, calls: Sequence[Call], *, failed: bool) -> bool:
        """Tell whether all that is there of a run are calls without a step around them that are no answer.

        Haystack's agents run each component in a trace of its own: the call that answers comes in another than those
        that ask for tools. A client's own span of a request may stand beside the trace that tells of the call.
        """
        if any(view.kind != "LLM" for view in self.views) or not calls:
            return False
        if all(call.view.is_bare_request for call in calls):
            return True
        return not failed and all(call.tool_calls and call.answer is None for call in calls)

    def _made(self, calls: Sequence[Call]) -> list[Call]:
        """Return the calls, and before them those that left no span here.

        Haystack's agents run each component in a trace of its own: the calls that only asked for tools are no answers
        there, and are told of by the prompt of the one that answers.
        """
        if len(calls) != 1 or any(view.kind != "LLM" for view in self.views):
            return list(calls)
        return [*past_calls(calls[0]), *calls]

    def _answering(self, calls: list[Call], answer: str | None) -> Call | None:
        """Return the call that gave the answer, and tell it the model that the message of the answer names."""
        call = answering(calls, answer)
        if call is not None and answer is not None:
            named = (langchain.model_of_answer(top.output) for top in self.tops)
            call.named = next((model for model in named if model is not None), None)
        return call

    def _tool_calls(self, calls: Sequence[Call], last: Call | None) -> tuple[ToolCall, ...] | None:
        """Return the tools models asked for; where models do not tell, the tools that ran.

        Calls before the answer's that left no span stand in its prompt.
        """
        asked = [tool for call in calls for tool in call.tool_calls]
        if last is not None and len(calls) == 1:
            earlier = [tool for message in since_the_user(last.inputs) for tool in message.tool_calls]
            told = {tool.id for tool in earlier if tool.id}
            asked = [*earlier, *(tool for tool in asked if tool.id not in told)]
        if asked:
            return tuple(asked)
        ran = tuple(
            ToolCall(name=name, arguments=_arguments(view))
            for view in self.views
            if view.kind == "TOOL" and "TOOL" not in view.above and (name := view.tool or view.name)
        )
        return ran or (() if any(call.outputs for call in calls) else None)

    def _bounded(self, passages: tuple[Passage, ...] | None) -> tuple[tuple[Passage, ...] | None, bool]:
        limit = self.options.max_text_chars
        if passages is None or all(p.text is None or len(p.text) <= limit for p in passages):
            return passages, False
        return tuple(
            p if p.text is None or len(p.text) <= limit else p.model_copy(update={"text": p.text[:limit]})
            for p in passages
        ), True

    def _flags(self, calls: Sequence[Call], *, missing: bool, unread: bool, cut: bool) -> frozenset[Flag]:
        flags: set[Flag] = set()
        if missing:
            flags.add("answer_missing")
        if unread:
            flags.add("evidence_missing")
        if tokens_are_partial(calls):
            flags.add("tokens_partial")
        whole = all(top.is_root for top in self.tops)
        if not whole and (not self.trace.complete or any(self.trace.is_uprooted(top.span) for top in self.tops)):
            flags.add("incomplete_trace")
        told = {id(call.view) for call in calls if call.is_reported_elsewhere}
        for view in self.views:
            if view.span.dropped_attributes:
                flags.add("attributes_dropped")
            if view.redacted and id(view) not in told:
                flags.add("content_redacted")
            if view.reading.cap is not None:
                cut = True
        if cut:
            flags.add("content_truncated")
        return frozenset(flags)


def _arguments(view: View) -> str | None:
    """Return the input of a tool span as JSON; LlamaIndex wraps it in ``kwargs``, LangChain unwraps a single string."""
    given = view.input
    if isinstance(given, dict) and isinstance(given.get("kwargs"), dict):
        given = given["kwargs"]
    try:
        return None if given is None else orjson.dumps(given).decode()
    except TypeError:  # bytes, or half a surrogate pair
        return None


def _numbered(retrieval: Retrieval) -> tuple[str, ...] | None:
    """Return what citations count through: the context, or where that is unknown all that was retrieved."""
    if retrieval.context is not None or retrieval.passages is None:
        return retrieval.context
    return tuple(passage.id for passage in retrieval.passages)


def _usage(calls: Sequence[Call], call: Call | None, start: int, end: int) -> Usage:
    # By `truediv`: what `/` is compiled to takes whole numbers for floats first, and rounds large ones twice.
    first_token = None if call is None else call.first_token_ns
    return Usage(
        prompt_tokens=total(calls, "prompt"),
        completion_tokens=total(calls, "completion"),
        total_tokens=total(calls, "total"),
        cost_usd=price(calls),
        first_token_ms=truediv(first_token - start, _NS_PER_MS)
        if first_token is not None and 0 < start <= first_token
        else None,
        latency_ms=truediv(end - start, _NS_PER_MS) if 0 < start <= end else None,
    )


def _instant(ns: int) -> datetime | None:
    return _EPOCH + timedelta(microseconds=ns // 1000) if ns > 0 else None
