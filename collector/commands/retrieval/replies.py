"""Passages out of what a retriever returns, and requests out of their template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from pydantic import ValidationError

from adapters.schema import Passage
from collector.commands.retrieval.options import PassagePaths
from collector.security.text import one_line

MAX_PASSAGES = 200
"""Passages of one reply: an application puts ten before its model."""
SHOWN = 8
"""Fields of a reply that are named where one is missing."""
_MISSING = object()
DATES = frozenset({"effective_from", "effective_to"})


class UnusableReply(ValueError):  # noqa: N818 - what a retriever said
    """What is wrong with a reply, beginning with the path of the field."""


class RetrievalQuery(NamedTuple):
    """What a retriever is asked: the question, and the query that the application made of it, else the same."""

    question: str
    query: str


def filled(template: Any, asked: RetrievalQuery) -> Any:
    """Return a template with what is asked in the place of ``{question}`` and ``{query}``.

    >>> filled({"q": "{query}", "k": 5, "also": ["{question}?"]}, RetrievalQuery("a {b}", "c"))
    {'q': 'c', 'k': 5, 'also': ['a {b}?']}
    """
    if isinstance(template, str):
        # In one pass: a question that holds the other name is a question.
        parts = template.split("{question}")
        return asked.question.join(part.replace("{query}", asked.query) for part in parts)
    if isinstance(template, Mapping):
        return {name: filled(value, asked) for name, value in template.items()}
    if isinstance(template, list):
        return [filled(value, asked) for value in template]
    return template


def passages_in(reply: Any, paths: PassagePaths, *, max_chars: int) -> tuple[Passage, ...]:
    """Return the passages of a reply. Raises `UnusableReply`, which names the field.

    >>> paths = PassagePaths(at="hits", text="doc.text", score="score")
    >>> passages_in({"hits": [{"doc": {"text": "Leave is 20 weeks."}, "score": 0.9}]}, paths, max_chars=100)[0].score
    0.9
    """
    found = _at(reply, paths.at)
    if not isinstance(found, Sequence) or isinstance(found, str | bytes):
        raise UnusableReply(f"{paths.at or 'the reply'}: {_said(reply, paths.at, found)}; expected a list of passages")
    if len(found) > MAX_PASSAGES:
        raise UnusableReply(f"{paths.at or 'the reply'}: {len(found)} passages; at most {MAX_PASSAGES} are read")
    return tuple(_passage(each, paths, place, max_chars) for place, each in enumerate(found))


def _passage(item: Any, paths: PassagePaths, place: int, max_chars: int) -> Passage:
    where = f"{paths.at}.{place}" if paths.at else str(place)
    text = item if isinstance(item, str) else _at(item, paths.text)
    if not isinstance(text, str):
        raise UnusableReply(f"{where}.{paths.text}: {_said(item, paths.text, text)}; expected a text")
    text = text[:max_chars]
    told: dict[str, Any] = {"text": text, "id": sha256(text.encode("utf-8", "replace")).hexdigest()[:16]}
    if not isinstance(item, str):
        for name, path in paths.model_dump(exclude={"at", "text"}, exclude_none=True).items():
            value = _at(item, path)
            if value is _MISSING or value is None:
                continue
            plain = name in {"score", *DATES}
            told[name] = value if plain else str(value)
    try:
        return Passage.model_validate(told)
    except ValidationError as error:
        first = error.errors()[0]
        raise UnusableReply(f"{where}.{'.'.join(map(str, first['loc']))}: {one_line(first['msg'])}") from error


def _at(value: Any, path: str) -> Any:
    for name in path.split(".") if path else ():
        if isinstance(value, Mapping):
            value = value.get(name, _MISSING)
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes) and name.isdecimal():
            value = value[int(name)] if int(name) < len(value) else _MISSING
        else:
            return _MISSING
        if value is _MISSING:
            return _MISSING
    return value


def _said(reply: Any, path: str, found: Any) -> str:
    if found is not _MISSING:
        return f"is {type(found).__name__}"
    if isinstance(reply, Mapping) and path:
        names = ", ".join(one_line(str(name), 40) for name in list(reply)[:SHOWN])
        return f"no such field; there are {names or 'none'}"
    return "no such field"
