"""Tools that search: what they found is what an answer rests on, though no retriever has a span.

An agent searches with a tool. That a tool searches is told by its name, by what its description says that it does, by
`AdaptOptions.retrieval_tools`, or by what it handed on beside what the model is shown of it (LangChain's artifact).
What it found stands in its span, or else in the prompt of the call that gave the answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from adapters.assembly.calls import Call, since_the_user
from adapters.assembly.view import View
from adapters.base import AdaptOptions
from adapters.caching import cached
from adapters.documents.passages import Documents
from adapters.documents.results import documents_found
from adapters.documents.shapes import documents_among
from adapters.frozen import frozen
from adapters.schema import ToolCall
from adapters.values import parse_json, text_of
from adapters.vocabulary import QUERY, folded

_SEARCHES = re.compile(
    r"retriev|(?<!re)search|research(?!er)|lookup|quer(?:y|ies)|knowledge|similar|vector|rag\b|\bkb\b|wiki|(?:fetch|find|get|read|list|load)\w{0,12}"
    r"(?:doc|passage|chunk|context|article|polic|faq|page|note|manual|record)"
)
_HANDS_OVER = re.compile(r"(?:transfer|hand ?(?:off|over)|delegate|escalate|route|assign)\b.*\bto\b")
"""What the name of a tool says that gives the conversation to another agent, whatever that one is called."""
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_PURPOSE = re.compile(
    r"\b(?:search(?:es|ing)?|retriev(?:e|es|ing|al)|look(?:s|ing)?[ -]?up|lookup|knowledge base"
    r"|(?:find|fetch|get|return)(?:s|es)? (?:the |all |any )?(?:most )?(?:relevant |similar |matching )?"
    r"(?:documents?|passages?|chunks?|articles?|policies|information|context|snippets?|excerpts?))\b",
    re.IGNORECASE,
)
_CREWAI = "Tool Description:"
"""What comes before a description, after the name and the arguments of the tool."""
_DESCRIBED = 200
"""Characters of a description that say what the tool is for; what follows says how to call it."""
_NESTED = ("data", "kwargs")
_MAX_JSON = 100_000


@frozen(frozen=True, slots=True)
class ToolFinding:
    """What a tool found, as the prompt tells: ``documents`` are ``None`` where it does not."""

    name: str
    query: str | None
    documents: Documents | None


def searches(name: str, description: str | None, options: AdaptOptions) -> bool:
    """Tell whether a tool searches.

    >>> [searches(name, None, AdaptOptions()) for name in ("searchPolicies", "get_docs", "transfer_to_researcher")]
    [True, True, False]
    >>> searches("policies", "Look up what the policies say.", AdaptOptions())
    True
    """
    if options.retrieval_tools and folded(name) in {folded(each) for each in options.retrieval_tools}:
        return True
    if _hands_over(name):
        return False
    return _named(name) or (description is not None and _described(description))


def _words_of(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


@cached(maxsize=1024, longest=256)
def _hands_over(name: str) -> bool:
    return _HANDS_OVER.match(" ".join(_words_of(name))) is not None


@cached(maxsize=1024, longest=256)
def _named(name: str) -> bool:
    words = _words_of(name)
    return _SEARCHES.search(" ".join(words)) is not None or _SEARCHES.search("".join(words)) is not None


@cached(maxsize=256, longest=2_000)
def _described(description: str) -> bool:
    purpose = description.rpartition(_CREWAI)[2].strip()[:_DESCRIBED]
    return _PURPOSE.search(re.split(r"[.\n]", purpose, maxsplit=1)[0]) is not None


def searching_tools(views: Sequence[View], options: AdaptOptions, *, most: int) -> dict[int, Documents | None]:
    """Return by `id` the tools that searched by themselves, without a retriever below them, with what they found.

    A tool that asks a model gives back that model's words, which are no evidence.
    """
    tools = [view for view in views if view.kind == "TOOL"]
    inner = sorted(view.place.start for view in views if view.kind in ("RETRIEVER", "LLM")) if tools else []
    found: dict[int, Documents | None] = {}
    for view in tools:
        if _any_within(view.place, inner):
            continue
        named = searches(view.tool or view.name, view.tool_description, options)
        documents = _artifact_documents(view.output, most, named=named)
        if documents is None and named and not view.failed:
            documents = None if view.output_is_cut else documents_found(view.output, most=most)
            found[id(view)] = documents
        elif documents is not None:
            found[id(view)] = documents
    return found


def told_in_prompt(
    call: Call, known: Collection[str], asked_for: Mapping[str, ToolCall], options: AdaptOptions, *, most: int
) -> list[ToolFinding]:
    """Return what tools found since the user last spoke, as the prompt of ``call`` tells.

    ``known`` are names of tools that search, as their spans say; ``asked_for`` are the calls that models asked for, by
    their ids, where the prompt leaves out the message that did.
    """
    calls = dict(asked_for)
    waiting: list[ToolCall] = []
    found: list[ToolFinding] = []
    for message in since_the_user(call.inputs):
        if message.tool_calls:
            waiting = list(message.tool_calls)
            calls |= {each.id: each for each in message.tool_calls if each.id}
        if message.role != "tool":
            continue
        asked = calls.get(message.call_id) if message.call_id else None
        if asked is None and waiting:
            asked = next((each for each in waiting if each.name == message.tool), waiting[0])
        if asked in waiting:
            waiting.remove(asked)
        name = message.tool or (None if asked is None else asked.name)
        if name is not None and (name in known or searches(name, None, options)):
            content = None if message.content is None else _observed(message.content)
            documents = None if content is None else documents_found(content, most=most)
            found.append(ToolFinding(name, _query_of(asked), documents))
    return found


def _observed(content: str) -> str:
    return content.removeprefix("Observation:").strip()


def _query_of(asked: ToolCall | None) -> str | None:
    given = parse_json(asked.arguments, limit=_MAX_JSON) if asked is not None and asked.arguments else None
    return QUERY.first(given, text_of) if isinstance(given, Mapping) else None


def _any_within(place: range, places: Sequence[int]) -> bool:
    at = bisect_left(places, place.start)
    return at < len(places) and places[at] in place


def _artifact_documents(output: Any, most: int, *, named: bool) -> Documents | None:
    """Return the documents of a tool's artifact; ``None`` where it is no list of documents, or there is none.

    An empty list tells of a search that found nothing only where the tool is one that searches.
    """
    artifact = _artifact(output)
    if not isinstance(artifact, list):
        return None
    if not artifact:
        return () if named else None
    documents = documents_among([item for item in artifact if isinstance(item, dict)], most=most) or ()
    whole = len(documents) == min(len(artifact), most) and all(document.text is not None for document in documents)
    return documents if whole else None


def _artifact(output: Any) -> Any:
    """Return the artifact of a dumped message of a tool."""
    if not isinstance(output, dict):
        return None
    return next((output[key] for key in _NESTED if isinstance(output.get(key), dict)), output).get("artifact")
