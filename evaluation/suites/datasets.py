"""Rows of other tools' data sets: RAGAS, LangSmith, Langfuse and Phoenix, as their clients export them.

Sources: ragas ``SingleTurnSample`` and ``MultiTurnSample``, and its columns before 0.2, langsmith ``Example``, langfuse
``DatasetItem``, phoenix ``DatasetExample``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from adapters.documents.passages import passage_of
from adapters.documents.shapes import documents_in
from adapters.files.jsonl import answer_of
from adapters.schema import Answer, AnswerJudgement, Gold, GoldPassage, Passage, Turn
from adapters.vocabulary import QUESTION, Aliases
from evaluation.suites.case import Fields, SuiteError, SuiteRow
from evaluation.suites.cells import unprinted
from evaluation.suites.columns import refuse_renamed
from evaluation.suites.probe import invalid

CONTEXTS = Aliases("retrieved_contexts", "contexts", "context", "documents", "passages", "retrieved_documents")
SAID = Aliases("answer", "response", "output", "completion", "text", "content", "result")
REFERENCE = Aliases(
    "reference", "ground_truth", "ground_truths", "expected_answer", "expected_output", "expected", *SAID
)
REFERENCES = (
    "ground_truth", "ground_truths", "expected_answer", "expected_output", "expected", "reference_answer",
    "correct_answer", "golden_answer", "gold_answer", "ideal_answer",
)  # fmt: skip
"""What rows before RAGAS 0.2, and spreadsheets, call the reference."""
RETRIEVED = ("retrieved_contexts", "contexts", "context", "retrieved_documents")
"""What rows of RAGAS, and tables made like them, call the texts that were retrieved."""
OWN = frozenset({"passages", "stages", "citations", "claims", "gold", "history", "usage", "versions"})
"""Fields of an answer that rows of RAGAS do not have."""
MOST_PASSAGES = 1_000
ARCHIVED = "ARCHIVED"
UNSPLIT = ("", "[]")
"""How a table says that an example is in no split."""
SPEAKERS = {"human": "user", "ai": "assistant", "tool": "tool", "user": "user", "assistant": "assistant"}


def is_ragas(value: Mapping[str, Any]) -> bool:
    """Whether an object is a row of a RAGAS data set.

    >>> is_ragas({"user_input": "How long?"}), is_ragas({"question": "How long?", "contexts": []})
    (True, True)
    """
    return "user_input" in value or (
        "question" in value and not value.keys().isdisjoint({"contexts", "response", *REFERENCES})
    )


def row_of_ragas(value: Mapping[str, Any]) -> SuiteRow:
    """Return a row of RAGAS as a case, with its answer if it has one.

    Contexts that references name are gold evidence. A conversation is asked by its last message of a person. Lists may
    stand as they are printed.

    >>> row = row_of_ragas({"user_input": "How long?", "retrieved_contexts": ["14 days."], "response": "14 days.",
    ...                     "reference": "14 days.", "reference_contexts": ["14 days."]})
    >>> row.answered, row.answer.gold.passages[0].id == row.answer.passages[0].id
    (True, True)
    """
    if all(isinstance(each, dict) for each in value.values()):
        raise SuiteError("is a table by columns; write it by rows, in pandas with to_json(orient='records')")
    record = {name: unprinted(each) for name, each in value.items()}
    if not OWN.isdisjoint(record):
        return _row_of_answer(record)
    fields = Fields(record)
    history, question, said = _conversation(fields, "user_input" if "user_input" in record else "question")
    response = fields.text("response") or fields.text("answer") or said
    contexts = _first_texts(fields, *RETRIEVED)
    ids = fields.texts("retrieved_context_ids")
    passages = None if contexts is None and ids is None else _passages(contexts, ids)
    gold = _references(fields)
    reference = fields.text("reference") or _one(fields, *REFERENCES)
    fields.read.update({"id", "multi_responses", "rubrics", "reference_tool_calls", "reference_topics"})
    if response is None:
        for name in [name for name, each in record.items() if name not in fields.read and isinstance(each, str)]:
            refuse_renamed(name, {**record, "question": question})
    told = {
        "question": question,
        "history": history,
        "answer": response,
        "passages": passages,
        "gold": gold,
        "reference": reference,
        "attributes": fields.inner("attributes").rest() | fields.rest(),
    }
    return _row(record.get("id"), told, answered=response is not None or passages is not None)


def _row_of_answer(record: Mapping[str, Any]) -> SuiteRow:
    """Return an answer whose reference goes by a name of RAGAS; what is no field of an answer are attributes."""
    reference = _one(Fields(record), "reference", *REFERENCES)
    given = {name: each for name, each in record.items() if name in Answer.model_fields}
    rest = {name: each for name, each in record.items() if name not in {*given, *REFERENCES, "response", "contexts"}}
    attributes = {**Fields(rest).rest(), **(given.get("attributes") or {})}
    named = {"question": None, "answer": record.get("response"), "passages": record.get("contexts"), **given}
    named |= {"reference": reference, "attributes": attributes}
    answered = named["answer"] is not None or named["passages"] is not None
    row = SuiteRow(answer_of(named, ""), answered=answered)
    return row.by_question() if given.get("id") is None and row.answer.question is not None else row


def is_langsmith(value: Mapping[str, Any]) -> bool:
    """Whether an object is an example of LangSmith.

    >>> is_langsmith({"id": "e-1", "inputs": {"question": "How long?"}, "outputs": {"answer": "14 days."}})
    True
    """
    return isinstance(value.get("inputs"), dict) and ("outputs" in value or "dataset_id" in value)


def row_of_langsmith(value: Mapping[str, Any]) -> SuiteRow:
    """Return an example of LangSmith as a case: its outputs are the reference.

    In a row of an experiment, which has a ``reference`` beside them, they are what was answered, and ``feedback`` are
    scores by other evaluators.

    >>> row = row_of_langsmith({"example_id": "e-1", "inputs": {"question": "How long?"}, "error": None,
    ...                         "outputs": {"answer": "30 days."}, "reference": {"answer": "14 days."}})
    >>> row.case_id, row.answered, row.answer.answer, row.answer.reference
    ('e-1', True, '30 days.', '14 days.')
    """
    if not isinstance(value.get("reference"), dict):
        return _of_example(value, "inputs", "outputs")
    asked = _of_example({**value, "id": value.get("example_id") or value.get("id")}, "inputs", "reference")
    outputs = value.get("outputs")
    said, error = _said(outputs, SAID), value.get("error")
    failed = {"status": "error", "error": str(error)} if error else {}
    answered = {"answer": said, "passages": _retrieved(outputs), "judgements": _feedback(value.get("feedback"))}
    update = {name: each for name, each in (answered | failed).items() if each is not None}
    return replace(asked, answer=asked.answer.model_copy(update=update), answered=bool(said or failed))


def _feedback(given: Any) -> tuple[AnswerJudgement, ...] | None:
    """Return what evaluators of an experiment say of an answer: numbers, truths, words."""
    scores, labels = {}, {}
    for name, each in given.items() if isinstance(given, dict) else ():
        value = {"True": 1.0, "False": 0.0}.get(each, each) if isinstance(each, str) else each
        try:
            scores[name] = float(value)
        except (TypeError, ValueError):
            if isinstance(value, str):
                labels[name] = value
    return (AnswerJudgement(scores=scores, labels=labels),) if scores or labels else None


def is_langfuse(value: Mapping[str, Any]) -> bool:
    """Whether an object is an item of a Langfuse data set.

    >>> is_langfuse({"id": "i-1", "input": "How long?", "expectedOutput": "14 days.", "datasetName": "faq"})
    True
    """
    return "input" in value and not value.keys().isdisjoint({"expectedOutput", "expected_output"})


def row_of_langfuse(value: Mapping[str, Any]) -> SuiteRow | None:
    """Return an item of Langfuse as a case; nothing for one that is archived, which experiments leave out."""
    if value.get("status") == ARCHIVED:
        return None
    return _of_example(value, "input", "expectedOutput" if "expectedOutput" in value else "expected_output")


def is_phoenix(value: Mapping[str, Any]) -> bool:
    """Whether an object is an example of a Phoenix data set.

    >>> is_phoenix({"id": "RXg6MQ==", "input": {"q": "How long?"}, "output": {}, "metadata": {}})
    True
    """
    return isinstance(value.get("input"), dict) and "output" in value and "metadata" in value


def row_of_phoenix(value: Mapping[str, Any]) -> SuiteRow:
    """Return an example of Phoenix as a case: its output is the reference."""
    return _of_example(value, "input", "output")


KINDS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], SuiteRow | None]], ...] = (
    (is_ragas, row_of_ragas),
    (is_langfuse, row_of_langfuse),
    (is_langsmith, row_of_langsmith),
    (is_phoenix, row_of_phoenix),
)


def _of_example(value: Mapping[str, Any], asked: str, expected: str) -> SuiteRow:
    question = _said(value.get(asked), QUESTION)
    if question is None:
        names = ", ".join(QUESTION)
        raise SuiteError(f"{asked}: has no question; it is looked for as text, or under {names}")
    outputs, metadata = value.get(expected), value.get("metadata")
    attributes = Fields(metadata if isinstance(metadata, dict) else {}).rest()
    split = unprinted(value.get("split") or value.get("splits"))
    if isinstance(split, list) and len(split) == 1:
        split = split[0]
    if isinstance(split, str) and split not in UNSPLIT:
        attributes["split"] = split
    found = _retrieved(outputs)
    told = {
        "question": question,
        "reference": _said(outputs, REFERENCE),
        "gold": None
        if not found
        else Gold(passages=tuple(GoldPassage(id=each.id, label="sufficient") for each in found)),
        "attributes": attributes,
    }
    return _row(value.get("id") or value.get("example_id"), told, answered=False)


def _row(name: Any, told: Mapping[str, Any], *, answered: bool) -> SuiteRow:
    try:
        row = SuiteRow(Answer(id="-" if name is None else str(name), **told), answered=answered)
    except ValidationError as error:
        raise invalid(error) from error
    return row.by_question() if name is None else row


def _said(value: Any, names: Aliases) -> str | None:
    """Return the text in a value: itself, under one of the names, or what the last message says."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, list):
        return _said(value[-1], SAID) if value else None
    if not isinstance(value, dict):
        return None
    found = names.first(value, lambda each: _said(each, SAID))
    if found is None and "messages" in value:
        return _said(value["messages"], SAID)
    if found is None and len(value) == 1:
        return _said(next(iter(value.values())), SAID)
    return found


def _retrieved(outputs: Any) -> tuple[Passage, ...] | None:
    return CONTEXTS.first(outputs, _documents) if isinstance(outputs, dict) else None


def _documents(value: Any) -> tuple[Passage, ...] | None:
    found = documents_in(value, most=MOST_PASSAGES)
    if not found:
        return None
    return tuple(
        passage_of(each, id=each.id or _digest(each.text or ""), stage=None, rank=rank)
        for rank, each in enumerate(found)
    )


def _conversation(fields: Fields, name: str) -> tuple[tuple[Turn, ...] | None, str, str | None]:
    """Return what was said before, what is asked, and what was answered, if a conversation ends with that."""
    if not isinstance(fields.record.get(name), list):
        return None, fields.needed(name), None
    turns = [
        Turn(
            role=SPEAKERS.get(each.text("type") or each.text("role") or "", "user"), content=each.text("content") or ""
        )
        for each in fields.objects(name)
    ]
    said = turns.pop().content if turns and turns[-1].role == "assistant" else None
    if not turns or turns[-1].role != "user":
        raise SuiteError(f"{name}: must end with a message of a person, or the answer to one")
    return tuple(turns[:-1]) or None, turns[-1].content, said


def _references(fields: Fields) -> Gold | None:
    ids = fields.texts("reference_context_ids")
    texts = fields.texts("reference_contexts")
    named = ids if ids is not None else None if texts is None else tuple(map(_digest, texts))
    if not named:
        return None
    return Gold(passages=tuple(GoldPassage(id=each, label="sufficient") for each in dict.fromkeys(named)))


def _passages(texts: Sequence[str] | None, ids: Sequence[str] | None) -> tuple[Passage, ...]:
    if ids is not None and texts is not None and len(ids) != len(texts):
        raise SuiteError(f"retrieved_context_ids: {len(ids)}, but retrieved_contexts has {len(texts)}")
    named = ids if ids is not None else [_digest(text) for text in texts or ()]
    found = texts if texts is not None else [None] * len(named)
    return tuple(
        Passage(id=name, text=text, rank=rank) for rank, (name, text) in enumerate(zip(named, found, strict=True))
    )


def _first_texts(fields: Fields, *names: str) -> tuple[str, ...] | None:
    for name in names:
        found = fields.texts(name)
        if found is not None:
            return found
    return None


def _one(fields: Fields, *names: str) -> str | None:
    for name in names:
        value = fields.record.get(name)
        found = fields.texts(name) if isinstance(value, list) else fields.text(name)
        if isinstance(found, tuple):
            found = "\n".join(found)
        if found:
            return found
    return None


def _digest(text: str) -> str:
    return f"sha256-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
