"""What a reply of an application says: its answer, the passages it rests on, and what it cites."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from adapters.assembly.citations import find_citations
from adapters.documents.passages import passage_of
from adapters.documents.shapes import documents_or_text
from adapters.schema import Answer, Citation, Passage, Usage
from adapters.vocabulary import DOCUMENTS, Aliases
from collector.applications.options import ReplyFields

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


def at(value: Any, path: str) -> Any:
    """Return what stands at a path of keys and positions; ``None`` where nothing does.

    >>> reply = {"choices": [{"message": {"content": "14 days."}}]}
    >>> at(reply, "choices.0.message.content"), at(reply, "/choices/0/message/content"), at(reply, "answer")
    ('14 days.', '14 days.', None)
    """
    pointer = path.startswith("/")
    for part in path[1:].split("/") if pointer else path.split("."):
        key = part.replace("~1", "/").replace("~0", "~") if pointer else part
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


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
    passages = _passages(reply, fields)
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
        found = at(reply, fields.answer)
    elif isinstance(reply, str):
        found = reply
    else:
        found = ANSWER.first(reply, lambda each: each if isinstance(each, str) else None) if _keyed(reply) else None
    if isinstance(found, str):
        return found
    where = fields.answer or ", ".join(ANSWER)
    raise UnreadableReply(f"no answer: looked for text at {where}; {_outline(reply)}")


def _passages(reply: Any, fields: ReplyFields) -> tuple[Passage, ...] | None:
    if fields.passages is not None:
        value = at(reply, fields.passages)
    else:
        value = PASSAGES.first(reply, lambda each: each if isinstance(each, list) else None) if _keyed(reply) else None
    ids = None if fields.ids is None else at(reply, fields.ids)
    if value is None and ids is None:
        return None
    if ids is not None and not (isinstance(ids, list) and all(isinstance(each, str | int) for each in ids)):
        raise UnreadableReply(f"{fields.ids}: not a list of ids")
    documents = () if value in (None, []) else documents_or_text(value, most=MOST_PASSAGES)
    if documents is None:
        raise UnreadableReply(f"{fields.passages or 'passages'}: holds no documents")
    if ids is None:
        return tuple(
            passage_of(each, id=each.id or _digest(each.text or ""), stage=None, rank=rank)
            for rank, each in enumerate(documents)
        )
    if value is None:
        return tuple(Passage(id=str(each), rank=rank) for rank, each in enumerate(ids))
    if len(ids) != len(documents):
        raise UnreadableReply(f"{fields.ids}: {len(ids)} ids for {len(documents)} passages")
    return tuple(passage_of(each, id=str(ids[rank]), stage=None, rank=rank) for rank, each in enumerate(documents))


def _citations(reply: Any, fields: ReplyFields, text: str, context: list[str] | None) -> tuple[Citation, ...] | None:
    """Return the ids that a reply cites, at the end of its text, else the markers in the text."""
    if fields.citations is not None:
        value = at(reply, fields.citations)
    else:
        value = CITATIONS.first(reply, lambda each: each if isinstance(each, list) else None) if _keyed(reply) else None
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
        found = at(reply, path)
    else:
        found = names.first(reply, lambda each: each if isinstance(each, str) else None) if _keyed(reply) else None
    return found if isinstance(found, str | int | float) else None


def _number(reply: Any, path: str | None, name: str) -> Any:
    return at(reply, path) if path is not None else reply.get(name) if _keyed(reply) else None


def _keyed(reply: Any) -> bool:
    return isinstance(reply, Mapping)


def _outline(reply: Any) -> str:
    """Say what a reply holds by its keys alone: its values may be anything."""
    if isinstance(reply, Mapping):
        return f"the reply has the keys {', '.join(map(str, reply))[:SHOWN] or '(none)'}"
    return f"the reply is of type {type(reply).__name__}"


def _digest(text: str) -> str:
    return f"sha256-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
