"""What a reply of an application says: its answer, the passages it rests on, and what it cites."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from adapters.assembly.citations import find_citations
from adapters.documents.passages import Documents, RetrievedDocument, passage_of
from adapters.documents.shapes import documents_or_text
from adapters.files.problems import kind_of_value
from adapters.schema import Answer, Citation, Passage, Usage
from adapters.vocabulary import DOCUMENTS, Aliases
from collector.applications.options import ReplyFields
from collector.outbound.template import PathError, found_at

MOST_PASSAGES = 1_000
ANSWER = Aliases("answer", "response", "output", "result", "completion", "text", "content", "message")
PASSAGES = Aliases("passages", "retrieved_contexts", *DOCUMENTS)
CITATIONS = Aliases("citations", "cited", "cited_ids")
MODEL = Aliases("model", "model_name")
SHOWN = 200


class UnreadableReply(ValueError):  # noqa: N818 - it says what is wrong with a reply, like MalformedRecord
    """A reply in which what is asked for cannot be found."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When a question was asked, and how long the answer took, in milliseconds."""

    started_at: datetime
    ended_at: datetime
    latency_ms: float


def answered(asked: Answer, reply: Any, fields: ReplyFields, timing: Timing, versions: Mapping[str, str]) -> Answer:
    """Return ``asked`` with what was answered. Raises `UnreadableReply` for a reply without an answer.

    >>> from datetime import UTC, datetime
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> reply = {"answer": "14 days [1].", "documents": [{"id": "p1", "text": "Parcels: 14 days."}]}
    >>> found = answered(Answer(id="q", question="How long?"), reply, ReplyFields(), Timing(now, now, 5.0), {})
    >>> found.answer, found.passages[0].id, found.citations[0].passage_id
    ('14 days [1].', 'p1', 'p1')
    """
    text = _text(reply, fields)
    passages = passages_of(reply, fields)
    context = None if passages is None else [passage.id for passage in passages]
    model = _scalar(reply, fields.model, MODEL)
    try:
        return Answer.model_validate(
            asked.model_dump()
            | {
                "answer": text,
                "passages": passages,
                "citations": _citations(reply, fields, text, context),
                "model": None if model is None else str(model),
                "started_at": timing.started_at,
                "ended_at": timing.ended_at,
                "versions": dict(versions),
                "usage": Usage(
                    latency_ms=timing.latency_ms,
                    prompt_tokens=_number(reply, fields.prompt_tokens, "prompt_tokens"),
                    completion_tokens=_number(reply, fields.completion_tokens, "completion_tokens"),
                    cost_usd=_number(reply, fields.cost_usd, "cost_usd"),
                ),
            }
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UnreadableReply(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def passages_of(reply: Any, fields: ReplyFields) -> tuple[Passage, ...] | None:
    """Return the passages of a reply, best first; ``None`` where it has none. A reply that is a list is of passages.

    Raises `UnreadableReply`, which says where, for an item that is no document.

    >>> fields = ReplyFields(passages="hits[].{text: doc.body, score: score}")
    >>> [found] = passages_of({"hits": [{"doc": {"body": "Leave is 20 weeks."}, "score": 0.9}]}, fields)
    >>> found.text, found.score
    ('Leave is 20 weeks.', 0.9)
    """
    value = reply if isinstance(reply, list) and fields.passages is None else _listed(reply, fields.passages, PASSAGES)
    ids = None if fields.ids is None else _at(reply, fields.ids)
    if value is None and ids is None:
        return None
    if ids is not None and not (isinstance(ids, list) and all(isinstance(each, str | int) for each in ids)):
        raise UnreadableReply(f"{fields.ids}: not a list of ids")
    documents = _documents(value, fields.passages or "passages")
    if ids is None:
        return tuple(_passage(each, each.id or _digest(each.text or ""), rank) for rank, each in enumerate(documents))
    if value is None:
        return tuple(Passage(id=str(each), rank=rank) for rank, each in enumerate(ids))
    if len(ids) != len(documents):
        raise UnreadableReply(f"{fields.ids}: {len(ids)} ids for {len(documents)} passages")
    return tuple(_passage(each, str(ids[rank]), rank) for rank, each in enumerate(documents))


def retrieved(asked: Answer, reply: Any, fields: ReplyFields) -> Answer:
    """Return ``asked`` with the passages of a retriever's reply. Raises `UnreadableReply` for a reply without any."""
    passages = passages_of(reply, fields)
    if passages is None:
        where = fields.passages or f"the usual names ({', '.join(PASSAGES)})"
        raise UnreadableReply(f"no list of passages at {where}; {_outline(reply)}")
    return asked.model_copy(update={"passages": passages})


def failed(asked: Answer, reason: str, timing: Timing, versions: Mapping[str, str]) -> Answer:
    """Return ``asked`` as a question to which no answer came."""
    usage = Usage(latency_ms=timing.latency_ms)
    return asked.model_copy(
        update={
            "status": "error",
            "error": reason,
            "usage": usage,
            "versions": dict(versions),
            "started_at": timing.started_at,
            "ended_at": timing.ended_at,
        }
    )


def _text(reply: Any, fields: ReplyFields) -> str:
    if fields.answer is not None:
        found = _at(reply, fields.answer)
    elif isinstance(reply, str):
        found = reply
    else:
        found = ANSWER.first(reply, lambda each: each if isinstance(each, str) else None) if _keyed(reply) else None
    if isinstance(found, str):
        return found
    where = fields.answer or ", ".join(ANSWER)
    hint = "" if fields.answer else "; name its place as reply.answer in a file of --configurations"
    raise UnreadableReply(f"no answer: looked for text at {where}; {_outline(reply)}{hint}")


def _listed(reply: Any, path: str | None, names: Aliases) -> Any:
    if path is not None:
        return _at(reply, path)
    return names.first(reply, lambda each: each if isinstance(each, list) else None) if _keyed(reply) else None


def _documents(value: Any, where: str) -> Documents:
    if value in (None, []):
        return ()
    if isinstance(value, list) and len(value) > MOST_PASSAGES:
        raise UnreadableReply(f"{where}: {len(value)} passages; at most {MOST_PASSAGES:,} are read")
    documents = documents_or_text(value, most=MOST_PASSAGES)
    if documents is None:
        raise UnreadableReply(f"{where}: holds no documents")
    if isinstance(value, list) and len(documents) < len(value):
        read = {document.index for document in documents}
        place = next(place for place in range(len(value)) if place not in read)
        raise UnreadableReply(f"{where}[{place}]: is no document: it has neither a text nor an id")
    return documents


def _passage(document: RetrievedDocument, identity: str, rank: int) -> Passage:
    try:
        return passage_of(document, id=identity, stage=None, rank=rank)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UnreadableReply(f"passages[{rank}].{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _at(reply: Any, path: str) -> Any:
    try:
        return found_at(path, reply)
    except PathError as error:
        raise UnreadableReply(str(error)) from error


def _citations(reply: Any, fields: ReplyFields, text: str, context: list[str] | None) -> tuple[Citation, ...] | None:
    """Return the ids that a reply cites, at the end of its text, else the markers in the text."""
    value = _listed(reply, fields.citations, CITATIONS)
    if value is None:
        return find_citations(text, context)
    if not isinstance(value, list):
        raise UnreadableReply(f"{fields.citations}: not a list of ids")
    found = []
    for each in value:
        named = each.get("passage_id") or each.get("id") if isinstance(each, Mapping) else each
        if not isinstance(named, str | int):
            raise UnreadableReply(f"{fields.citations or 'citations'}: not a list of ids")
        found.append(Citation(start=len(text), end=len(text), marker="", passage_id=str(named)))
    return tuple(found)


def _scalar(reply: Any, path: str | None, names: Aliases) -> str | int | float | None:
    if path is not None:
        found = _at(reply, path)
    else:
        found = names.first(reply, lambda each: each if isinstance(each, str) else None) if _keyed(reply) else None
    return found if isinstance(found, str | int | float) else None


def _number(reply: Any, path: str | None, name: str) -> Any:
    return _at(reply, path) if path is not None else reply.get(name) if _keyed(reply) else None


def _keyed(reply: Any) -> bool:
    return isinstance(reply, Mapping)


def _outline(reply: Any) -> str:
    """Say what a reply holds by its keys alone: its values may be anything."""
    if isinstance(reply, Mapping):
        return f"the reply has the keys {', '.join(map(str, reply))[:SHOWN] or '(none)'}"
    return f"the reply is {kind_of_value(reply)}"


def _digest(text: str) -> str:
    return f"sha256-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
