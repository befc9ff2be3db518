"""Dialects that are a table of keys."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from adapters.base import AdaptOptions
from adapters.detect import adapt_trace, read_trace
from adapters.mapping import DialectKeys
from adapters.trace import Nanoseconds, Span, Trace

ACME = DialectKeys(
    name="acme",
    kind="acme.step",
    kinds={"ask": "CHAIN", "find*": "RETRIEVER", "complete": "LLM"},  # type: ignore[arg-type]
    input="acme.in",
    output="acme.out",
    model="acme.info > model",
    prompt_tokens="acme.info > usage > in",
    session="acme.session",
)
ROWS = json.dumps([{"id": "b-1", "text": "Books: four weeks."}])
STEPS = [
    ("1", None, "ask", {"acme.in": "For how long?", "acme.out": "Four weeks.", "acme.session": "s-1"}),
    ("2", "1", "find_books", {"acme.in": "For how long?", "acme.out": ROWS}),
    ("3", "1", "complete", {"acme.in": "Books: four weeks.", "acme.out": "Four weeks.",
                            "acme.info": json.dumps({"model": "m-1", "usage": {"in": 12}})}),
]  # fmt: skip
TRACE = Trace.of(
    "4bf92f3577b34da6a3ce929d0e0e4736",
    [
        Span("4bf92f3577b34da6a3ce929d0e0e4736", f"a{number}00000000000000", above and f"a{above}00000000000000", step,
             Nanoseconds(int(number)), Nanoseconds(9 if above is None else int(number) + 1),
             {"acme.step": step, **told}, scope_name="acme.llm")
        for number, above, step, told in STEPS
    ],
)  # fmt: skip


def test_a_table_of_keys_reads_a_whole_trace() -> None:
    (answer,) = adapt_trace(TRACE, AdaptOptions(dialects=(ACME,)))
    assert (answer.source, answer.question, answer.answer) == ("acme", "For how long?", "Four weeks.")
    assert (answer.model, answer.usage.prompt_tokens, answer.session_id) == ("m-1", 12, "s-1")
    assert [(passage.id, passage.stage) for passage in answer.passages or ()] == [("b-1", "find_books")]


def test_a_session_and_a_user_within_the_object_of_an_attribute_are_told() -> None:
    keys = ACME.model_copy(update={"session": ("acme.info > model",), "user": ("acme.info > usage > in",)})
    (answer,) = adapt_trace(TRACE, AdaptOptions(dialects=(keys,)))
    assert (answer.session_id, answer.user_id) == ("m-1", "12")


def test_without_the_table_its_spans_are_counted_as_unread() -> None:
    found = read_trace(TRACE, AdaptOptions())
    assert (found.answers, dict(found.unread)) == ((), {"acme.llm": 3})


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"kinds": {"ask": "QUESTION"}}, "kinds"),
        ({"name": "Acme!"}, "name"),
        ({"outptu": "acme.out"}, "outptu"),
        ({"kind": []}, ""),
    ],
)
def test_what_a_table_gets_wrong_is_named(wrong: dict[str, object], place: str) -> None:
    with pytest.raises(ValidationError) as error:
        DialectKeys.model_validate({"name": "acme", "kind": "acme.step", **wrong})
    assert place in ".".join(str(part) for part in error.value.errors()[0]["loc"])
