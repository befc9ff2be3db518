"""Columns of tables: those that flatten an example of a data set, and those that are nothing of a case.

Sources: LangSmith's CSV of a data set (``input_question``), langsmith ``ExperimentResults.to_pandas``
(``inputs.question``, ``outputs.answer``, ``reference.answer``, ``feedback.tone``), and Phoenix's CSV of a data set
(``input.question``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from adapters.schema import Answer
from adapters.vocabulary import ANSWER, QUESTION
from evaluation.suites.case import SuiteError
from evaluation.suites.cells import unprinted

ATTRIBUTES = "attributes"
NO_EXAMPLES = frozenset({"question", "user_input", "input", "inputs"})
"""Columns that say what is asked: where one of them is, others that begin like those of an example are none."""
TELLING = ("question", "answer", "passages", "contexts", "reference", "citations", "history", "gold", "expect")
"""Columns that a table must not lose because somebody spelt them otherwise."""
CLOSE = 0.8
"""How close a name is to one of those to be taken for it: `Frage` is closer to nothing than .6."""
BESIDE = frozenset({"text", "string", "final", "model", "generated", "system", "bot", "llm", "rag"})
"""Words that names of columns have beside what they are: `answer_text`, `generated answer`."""
SHOWN = 8
_WORD = re.compile(r"[^\W_]+")
_EXAMPLE = re.compile(r"(?:(in|out)puts?|(reference|metadata|feedback))[._](.+)", re.DOTALL)


def unflattened(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose columns are ``input_NAME``, ``outputs.NAME`` and the like with each kind in one object.

    Points part the names of nested objects. Any other row is returned as it is.

    >>> row = unflattened({"id": "e-1", "input_question": "How long?", "output_answer": "14 days."})
    >>> row["inputs"], row["outputs"], row["id"]
    ({'question': 'How long?'}, {'answer': '14 days.'}, 'e-1')
    >>> unflattened({"question": "How long?", "input_tokens": "7"})
    {'question': 'How long?', 'input_tokens': '7'}
    """
    parts = {name: match for name in row if (match := _EXAMPLE.fullmatch(name)) is not None}
    if not NO_EXAMPLES.isdisjoint(row) or not any(match[1] == "in" for match in parts.values()):
        return dict(row)
    found: dict[str, Any] = {name: value for name, value in row.items() if name not in parts} | {"outputs": {}}
    for name, match in parts.items():
        holder = found.setdefault(f"{match[1]}puts" if match[1] else match[2], {})
        nested = name[match.start(3) - 1] == "." and match[2] != "feedback"
        *path, last = match[3].split(".") if nested else [match[3]]
        for step in path:
            holder = holder.setdefault(step, {}) if isinstance(holder, dict) else None
        if not isinstance(holder, dict) or last in holder:
            raise SuiteError(f"{name}: contradicts another column")
        holder[last] = unprinted(row[name])
    return found


def with_attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of answers with what is no field of an answer among its attributes: notes, owners, numbers.

    Raises `SuiteError` where such a column may be the question, the answer or the like, or where no other is there.

    >>> with_attributes({"question": "How long?", "Owner": "Ann"})
    {'question': 'How long?', 'attributes': {'Owner': 'Ann'}}
    >>> with_attributes({"Frage": "Wie lange?", "Antwort": "14 Tage."})
    Traceback (most recent call last):
    evaluation.suites.case.SuiteError: has no column `question`; rename the one that is it: Frage, Antwort
    """
    others = {name: value for name, value in row.items() if name not in Answer.model_fields}
    known = row.keys() - others.keys() - {"id", ATTRIBUTES}
    if others and not known:
        names = ", ".join(list(others)[:SHOWN])
        raise SuiteError(f"has no column `question`; rename the one that is it: {names}")
    for name in others:
        refuse_renamed(name, row)
    if not others:
        return dict(row)
    given = row.get(ATTRIBUTES)
    return {name: value for name, value in row.items() if name not in others} | {
        ATTRIBUTES: {name: value for name, value in others.items() if isinstance(value, str | int | float)}
        | (given if isinstance(given, dict) else {})
    }


def refuse_renamed(name: str, row: Mapping[str, Any]) -> None:
    """Raise `SuiteError` for an unread column that may be the question, the answer or the like of a row without it."""
    meant = _meant(name, row)
    if meant is not None:
        raise SuiteError(f"{name}: unknown column; if it is `{meant}`, rename it, else call it attributes.{name}")


def _meant(name: str, row: Mapping[str, Any]) -> str | None:
    """Return what of a case a column may be, that the row does not have."""
    for field, names in (("question", QUESTION), ("answer", ANSWER)):
        plain = "_".join(word for word in _WORD.findall(name.casefold()) if word not in BESIDE)
        if field not in row and not {name.casefold(), plain}.isdisjoint(names):
            return field
    close = get_close_matches(name.casefold(), TELLING, n=1, cutoff=CLOSE)
    return close[0] if close and close[0] not in row else None
