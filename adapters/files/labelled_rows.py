"""Labelled rows: a question, passages, an answer and what people say of it, as data sets for evaluation have them.

A row is ``{"id", "split", "source", "question", "passages": [{"id", "text", "date"?, "source"?}], "answer", "claims"?,
"label", "extra"}``, one JSON object a line. The label itself goes to the attributes, where no scorer looks. ``claims``
that name what supports, or is cited or told by, a claim are a ledger and are judged; marked spans are not. ``gold``,
``case`` and what led to the answer (``stages``, ``context``, ``citations``, ``versions``) stand as in an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from adapters.base import MalformedRecord
from adapters.files.jsonl import answer_of
from adapters.schema import Answer

LABEL, SPLIT = "label", "split"
_DAYS = ("%Y-%m-%d", "%b %d, %Y", "%B %d, %Y", "%Y-%m", "%Y")
_TAKEN = ("id", "source", "question", "answer", "gold", "case", "stages", "context", "citations", "versions")
_LEDGER = frozenset({"support", "citation", "point"})
"""Keys of which a claim of a ledger has one at least, and a marked span none."""
_ATTRIBUTE = 200
"""Longest text of ``extra`` that becomes an attribute: what is longer is no slice."""


def is_row(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a labelled row: an answer's own fields have no ``label`` and no ``split``.

    >>> is_row({"question": "q", "answer": "a"}), is_row({"passages": [], "label": "supported", "split": "dev"})
    (False, True)
    """
    return LABEL in value and SPLIT in value and "passages" in value


def answer_of_row(row: Mapping[str, Any], where: str) -> Answer:
    """Return the `Answer` of a labelled row. Raises `MalformedRecord` naming the field that is wrong.

    A row without passages does not tell of any, so that nothing is judged against an empty context. The date of a
    passage is when it was published; where the row says that a statement holds from that day on (a ``..._start`` in
    ``extra``), passages of one source are editions of one document, each in force from its date. A context that is JSON
    is kept as text. What ``extra`` says in a word or a number becomes an attribute, and ``model`` the model.

    >>> row = {"id": "r", "split": "dev", "question": "Limit?", "answer": "180", "label": "supported",
    ...        "passages": [{"id": "p", "text": {"limit": 180}, "date": "Mar 5, 2023"}], "extra": {"model": "m"}}
    >>> answer = answer_of_row(row, "line 1")
    >>> answer.passages[0].text, answer.passages[0].published_at.year, answer.model, answer.attributes["label"]
    ('{"limit":180}', 2023, 'm', 'supported')
    """
    extra = row.get("extra") or {}
    if not isinstance(extra, dict):
        raise MalformedRecord("not an object", f"{where}: extra")
    given = row["passages"]
    if not isinstance(given, list) or not all(isinstance(passage, dict) for passage in given):
        raise MalformedRecord("not a list of objects", f"{where}: passages")
    starts = {value for name, value in extra.items() if name.endswith("_start") and isinstance(value, str)}
    told = {name: row[name] for name in _TAKEN if name in row}
    if _is_ledger(row.get("claims")):
        told["claims"] = row["claims"]
    return answer_of(
        told
        | {
            "passages": [_passage(passage, starts) for passage in given] or None,
            "attributes": _attributes(row, extra),
            "model": extra["model"] if isinstance(extra.get("model"), str) else None,
        },
        where,
    )


def _is_ledger(claims: Any) -> bool:
    """Whether claims are a ledger: an empty list says that no span was marked, and nothing of what was claimed."""
    return isinstance(claims, list) and any(isinstance(each, dict) and not _LEDGER.isdisjoint(each) for each in claims)


def _passage(given: Mapping[str, Any], starts: set[str]) -> dict[str, Any]:
    text = given.get("text")
    found: dict[str, Any] = {"id": given.get("id"), "text": orjson.dumps(text).decode() if _nested(text) else text}
    source, date = given.get("source"), given.get("date")
    if source is not None:
        found["metadata"] = {"source": source}
    at = _instant(date)
    if at is not None:
        found["published_at"] = at
        if date in starts:
            found |= {"effective_from": at, "version": date} | ({} if source is None else {"doc_id": str(source)})
    return found


def _nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _attributes(row: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, str]:
    told = {name: value for name, value in extra.items() if name != "model"} | {SPLIT: row[SPLIT], LABEL: row[LABEL]}
    words = {name: _word(value) for name, value in told.items()}
    return {name: word for name, word in words.items() if word is not None}


def _word(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    return value if isinstance(value, str) and len(value) <= _ATTRIBUTE else None


def _instant(raw: Any) -> datetime | None:
    """Return the start of a day, month or year in UTC; ``None`` for what is not written as one."""
    for form in _DAYS if isinstance(raw, str) else ():
        try:
            return datetime.strptime(raw.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
