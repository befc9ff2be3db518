"""What was retrieved, through which stages, and what of it the generator saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from adapters.assembly.calls import Call, since_the_user
from adapters.assembly.handed_back import handed_back
from adapters.assembly.prompt_context import STAGE, context_in, filled_in
from adapters.assembly.prompt_labels import labelled
from adapters.assembly.selection import shown
from adapters.assembly.tools import ToolFinding, searches, searching_tools, told_in_prompt
from adapters.assembly.view import View
from adapters.base import AdaptOptions
from adapters.documents.passages import Documents, Identities, RetrievedDocument, numbered, passage_of
from adapters.documents.shapes import documents_among
from adapters.frozen import frozen
from adapters.quirks import haystack, llamaindex
from adapters.schema import Passage, Stage, StageKind
from adapters.values import is_repr, text_of
from adapters.vocabulary import QUERY

PROVIDER_SEARCH = "file_search"
"""What the stage of a search is called that a provider made within the call of its model."""


@frozen(frozen=True, slots=True)
class Retrieval:
    """The evidence of one answer. ``passages`` is ``None`` where no retrieval was reported."""

    passages: tuple[Passage, ...] | None = None
    context: tuple[str, ...] | None = None
    stages: tuple[Stage, ...] | None = None
    queries: tuple[str, ...] | None = None
    cut: bool = False
    """Whether passages were left out for being too many."""
    unread: bool = False
    """Whether something was searched, and what was found is not to be read."""


@frozen(frozen=True, slots=True)
class _Step:
    """One retriever, joiner or reranker span and its documents; ``None`` where it did not say."""

    view: View
    kind: StageKind
    documents: Documents | None
    inputs: Documents | None = None
    tool: ToolFinding | None = None
    """What a prompt tells of a tool, whose span is not there or does not tell."""

    @property
    def name(self) -> str:
        """What the step is called."""
        return self.view.name if self.tool is None else self.tool.name

    @property
    def query(self) -> str | None:
        """What was searched for."""
        return query_of(self.view) if self.tool is None else self.tool.query


def retrieval_of(
    views: Sequence[View],
    tops: Sequence[View],
    basis: Sequence[Call],
    question: str | None,
    identities: Identities,
    options: AdaptOptions,
) -> Retrieval:
    """Read the retrieval below ``views``; ``basis`` are the model calls the answer was made by, the last one first.

    Where no step tells what was found, what the run (``tops``) handed back beside its answer may, or else the prompt.
    """
    steps = _with_texts(_steps(views, basis, options), basis)
    retrievers = [step.view for step in steps if step.tool is None]
    joining, reranking = _joining(views, retrievers), [view for view in views if view.kind == "RERANKER"]
    library = _library(steps) if joining is not None or reranking else {}
    joiner = None if joining is None else _joiner(joining, library, options)
    rerankers = [_reranker(view, library, options) for view in reranking]
    found, announced, elsewhere = _retrieved(steps, joiner, rerankers), False, False
    if found is None and basis and not rerankers:
        found, announced = _told_elsewhere(steps, tops, basis, question, options)
        elsewhere = found is not None
    if found is None and not steps and not rerankers:
        return Retrieval(unread=announced or _asked_to_search(basis, options))

    everything = None if found is None else list(_passages(found, identities))
    passages = None if everything is None else everything[: options.max_passages]
    reranked = _reranked(rerankers, identities)
    context = None
    if passages is not None:
        if reranked is not None:
            context = _distinct(identity for identity, _, _ in reranked)
            known = {passage.id for passage in passages}
            for identity, document, stage in reranked:
                if identity not in known:
                    known.add(identity)
                    passages.append(passage_of(document, id=identity, stage=stage, rank=None, keys=identities.keys))
        elif not _reported_by_id_alone(passages, steps):
            context = shown(passages, () if _compresses(steps, identities) else basis)
    ordered = sorted(
        [*steps, *([joiner] if joiner else []), *rerankers],
        key=lambda step: (step.view.span.end_ns, step.view.span.start_ns, step.view.span.span_id),
    )
    return Retrieval(
        passages=None if passages is None else tuple(passages),
        context=context,
        stages=tuple(_stage(step, identities) for step in ordered) or None,
        queries=_distinct(query for step in steps if (query := step.query) is not None) or None,
        cut=everything is not None and len(everything) > options.max_passages,
        unread=(passages is None or (not elsewhere and any(_is_unread(step, steps) for step in steps)))
        and not any(view.redacted for view in views),
    )


def _told_elsewhere(
    steps: Sequence[_Step], tops: Sequence[View], basis: Sequence[Call], question: str | None, options: AdaptOptions
) -> tuple[list[tuple[_Step, Documents]] | None, bool]:
    """Return what the run handed back or its prompts announce, as a step, and whether they announce what is unread.

    A step that may tell what it found and does not is not made up for by a prompt: it may have found more.
    """
    most = options.max_passages + 1
    name = steps[0].name if len(steps) == 1 else STAGE
    documents = handed_back(tops, basis, most=most)
    announced = False
    if documents is None and not any(step.view.records_results for step in steps):
        name, told = STAGE, [context_in(call, question, most=most) for call in basis]
        announced = any(unread for _, unread in told)
        found = [each for each, _ in told if each is not None] or filled_in(tops, basis, most=most)
        if found and not announced:
            distinct = {document.text: document for each in found for document in each}
            documents = numbered(distinct.values())
    if documents is None:
        return None, announced
    return [(_Step(basis[0].view, "retrieve", documents, tool=ToolFinding(name, None, documents)), documents)], False


def _steps(views: Sequence[View], basis: Sequence[Call], options: AdaptOptions) -> list[_Step]:
    """Return the retrievers and the tools that searched; the prompt tells what tools found whose spans do not."""
    most = options.max_passages + 1
    found: dict[int, Documents | None] = {
        id(view): view.documents("retrieved", most=most)
        for view in views
        if view.kind == "RETRIEVER" and not _repeats_its_parent(view)
    }
    found |= searching_tools(views, options, most=most)
    steps = [_Step(view, "retrieve", found[id(view)]) for view in views if id(view) in found]
    steps += [
        _Step(view, "retrieve", documents, tool=ToolFinding(PROVIDER_SEARCH, query, documents))
        for view in views
        if view.kind == "LLM"
        for query, rows in view.searches
        for documents in (None if rows is None else documents_among(rows, most=most),)
    ]
    if any(step.documents is not None for step in steps) or not basis:
        return steps
    known = {step.view.tool or step.view.name for step in steps if step.view.kind == "TOOL"}
    asked = {
        call.id: call
        for view in views
        if view.kind == "LLM"
        for message in view.outputs
        for call in message.tool_calls
        if call.id
    }
    told = [
        _Step(basis[0].view, "retrieve", each.documents, tool=each)
        for each in told_in_prompt(basis[0], known, asked, options, most=most)
    ]
    return told if any(step.documents is not None for step in told) else steps or told


def _is_unread(step: _Step, steps: Sequence[_Step]) -> bool:
    """Tell whether a tool searched, and nobody says what it found: a span around or within its own neither."""
    if step.documents is not None or step.view.failed or (step.tool is None and step.view.kind != "TOOL"):
        return False
    return step.tool is not None or not any(
        other.documents is not None and (other.view.is_within(step.view) or step.view.is_within(other.view))
        for other in steps
    )


def _asked_to_search(basis: Sequence[Call], options: AdaptOptions) -> bool:
    """Tell whether a model asked for a tool that searches, of which nothing more was written down."""
    asked = (tool for call in basis for message in since_the_user(call.inputs) for tool in message.tool_calls)
    return any(searches(tool.name, None, options) for tool in asked)


def _reported_by_id_alone(passages: Sequence[Passage], steps: Sequence[_Step]) -> bool:
    """Tell whether nobody says what the passages read like: then nothing tells which of them the generator saw."""
    return (
        bool(passages)
        and all(passage.text is None for passage in passages)
        and not any(step.view.redacted for step in steps)
    )


def query_of(view: View) -> str | None:
    """Return what a retriever was asked: perhaps a rewrite of the user's question."""
    if "query" not in view.read:
        view.read["query"] = view.query or _query(view.input, 0)
    return view.read["query"]


def _query(value: Any, depth: int) -> str | None:
    if isinstance(value, str):
        return None if is_repr(value) else text_of(value)
    if isinstance(value, dict) and depth < 3:  # noqa: PLR2004 - kwargs > query_bundle > query_str
        return QUERY.first(value, lambda held: _query(held, depth + 1))
    return None


def _with_texts(steps: list[_Step], basis: Sequence[Call]) -> list[_Step]:
    """Give documents without a text the one that the prompt labels with their id; what was redacted stays so."""
    wanted: set[str] = set()
    ambiguous: set[str] = set()
    for step in steps:
        documents = () if step.view.redacted else step.documents or ()
        lacking = [document.id for document in documents if document.text is None and document.id]
        for identity, count in Counter(lacking).items() if lacking else ():
            (wanted if count == 1 else ambiguous).add(identity)
    wanted -= ambiguous
    if not wanted or any(call.prompt_is_cut for call in basis):
        return steps
    given = (message.content for call in basis for message in call.inputs if message.content is not None)
    found = labelled(wanted, given)
    return [step if step.view.redacted else replace(step, documents=_labelled(step.documents, found)) for step in steps]


def _labelled(documents: Documents | None, texts: Mapping[str, str]) -> Documents | None:
    if documents is None:
        return None
    return tuple(
        replace(document, text=text)
        if document.text is None and (text := texts.get(document.id or "")) is not None
        else document
        for document in documents
    )


def _repeats_its_parent(view: View) -> bool:
    parent = view.parent
    return parent is not None and parent.kind == "RETRIEVER" and llamaindex.repeats(view.name, parent.name)


def _library(steps: Iterable[_Step]) -> Mapping[str, RetrievedDocument]:
    """Documents by the framework's id, of each the first with a text, to complete what later steps report in part."""
    found: dict[str, RetrievedDocument] = {}
    for step in steps:
        for document in step.documents or ():
            if not document.id:
                continue
            known = found.setdefault(document.id, document)
            if known.text is None and document.text is not None:
                found[document.id] = document
    return found


def _completed(documents: Documents | None, library: Mapping[str, RetrievedDocument]) -> Documents | None:
    """Give documents the text and metadata that a retriever reported under the same id."""
    if documents is None:
        return None
    completed = []
    for document in documents:
        known = library.get(document.id or "")
        if known is not None:
            document = replace(  # noqa: PLW2901 - the same document, completed
                document,
                text=document.text if document.text is not None else known.text,
                metadata=document.metadata if document.metadata is not None else known.metadata,
                known=document.known if document.known is not None else known.known,
            )
        completed.append(document)
    return tuple(completed)


def _joining(views: Sequence[View], retrievers: Sequence[View]) -> View | None:
    """Find the span that fuses parallel retrievers: Haystack's DocumentJoiner, a CHAIN after all of them."""
    if not retrievers:
        return None
    last = max([view.span.end_ns for view in retrievers])
    for view in reversed(views):
        if view.span.start_ns >= last and view.kind == "CHAIN" and haystack.joins(view.name):
            return view
    return None


def _joiner(view: View, library: Mapping[str, RetrievedDocument], options: AdaptOptions) -> _Step | None:
    documents = _completed(view.documents("retrieved", most=options.max_passages + 1), library)
    return _Step(view, "retrieve", documents) if documents else None


def _reranker(view: View, library: Mapping[str, RetrievedDocument], options: AdaptOptions) -> _Step:
    outputs = view.documents("reranked", most=options.max_passages + 1)
    inputs = view.documents("rerank_input", most=options.max_passages + 1)
    return _Step(view, "rerank", _completed(outputs, library), _completed(inputs, library))


def _outermost(steps: Sequence[_Step]) -> list[_Step]:
    """Return the outermost retrievers that say what they found; one that does not is represented by those inside it."""
    telling = [step for step in steps if step.documents is not None]
    if len(telling) < 2:  # noqa: PLR2004 - one is within no other
        return telling
    inner: set[int] = set()
    outer = range(0)
    for step in sorted(telling, key=lambda step: step.view.place.start):
        if step.view.place.start in outer and step.view.place != outer:  # what one prompt tells of is side by side
            inner.add(id(step))
        else:
            outer = step.view.place
    return [step for step in telling if id(step) not in inner]


def _retrieved(
    steps: Sequence[_Step], joiner: _Step | None, rerankers: Sequence[_Step]
) -> list[tuple[_Step, Documents]] | None:
    """Return what was retrieved, by step: the fused list, else that of each outermost retriever, side by side."""
    if joiner is not None and joiner.documents is not None:
        return [(joiner, joiner.documents)]
    outermost = _outermost(steps)
    if outermost:
        return [(step, step.documents or ()) for step in outermost]
    if not steps:
        # The retriever itself is not instrumented: what the first reranker was given is what was retrieved.
        for step in rerankers:
            documents = step.inputs if step.inputs is not None else step.documents
            if documents is not None:
                return [(step, documents)]
    return None


def _passages(found: list[tuple[_Step, Documents]], identities: Identities) -> Iterable[Passage]:
    if len(found) == 1:
        ((step, documents),) = found
        for document in documents:
            identity = identities.of(document)
            yield passage_of(document, id=identity, stage=step.name, rank=document.index, keys=identities.keys)
        return
    seen: set[str] = set()
    for step, documents in found:
        for document in documents:
            identity = identities.of(document)
            if identity not in seen:
                yield passage_of(document, id=identity, stage=step.name, rank=len(seen), keys=identities.keys)
                seen.add(identity)


def _reranked(rerankers: Sequence[_Step], identities: Identities) -> list[tuple[str, RetrievedDocument, str]] | None:
    """Return what rerankers let through: the last of a cascade, or of several separate ones all."""
    telling = sorted(
        (step for step in rerankers if step.documents is not None),
        key=lambda step: (step.view.span.end_ns, step.view.span.span_id),
    )
    if not telling:
        return None
    kept: list[list[tuple[str, RetrievedDocument, str]]] = []
    later_inputs: set[str] = set()
    for step in reversed(telling):
        outputs = [(identities.of(document), document, step.name) for document in step.documents or ()]
        if not kept or (later_inputs and later_inputs.isdisjoint(identity for identity, _, _ in outputs)):
            kept.append(outputs)
            later_inputs |= {identities.of(document) for document in step.inputs or ()}
    return [entry for outputs in reversed(kept) for entry in outputs]


def _compresses(steps: Sequence[_Step], identities: Identities) -> bool:
    """Tell whether the one outermost retriever narrows or reorders what the retrievers inside it found."""
    outermost = _outermost(steps)
    if len(steps) == 1 or len(outermost) != 1:
        return False
    final = [identities.of(document) for document in outermost[0].documents or ()]
    return any(
        [identities.of(document) for document in step.documents] != final
        for step in steps
        if step.documents is not None and step is not outermost[0]
    )


def _stage(step: _Step, identities: Identities) -> Stage:
    documents = step.documents
    return Stage(
        kind=step.kind,
        name=step.name or None,
        query=step.query,
        input_ids=None if step.inputs is None else tuple(identities.of(document) for document in step.inputs),
        output_ids=None if documents is None else tuple(identities.of(document) for document in documents),
        scores=None if documents is None else tuple(document.best_score for document in documents),
    )


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
