"""The question within a prompt, where all that is left of the user's words is a template that was filled in.

An application that keeps no span of its own around the model, or is not allowed to write down what it was asked, shows
one message: context and question together. Prompts of that kind label their parts, each at the beginning of a line
("Question: ..."), or put them in tags. What a user wrote is never taken apart for a label alone: there has to be
context in the message too.
"""

from __future__ import annotations

import re

_OF_THE_USER = r"(?:the |my |(?:the )?user(?:'s)? )?"
_QUESTIONS = r"(?:question|query|request|frage|pregunta|domanda|pergunta)"
_ANSWERS = r"(?:(?:the |your |my |helpful |final )?(?:answer|response|antwort|respuesta|réponse|risposta|resposta))"
_CONTEXTS = (
    r"(?:(?:retrieved |relevant |reference |background |provided )?"
    r"(?:contexts?|documents?|passages?|sources?|excerpts?|snippets?|search results|knowledge|kontext|dokumente|quellen"
    r"|contexto|contexte|contesto))"
)


def _label(names: str) -> str:
    """A name that begins a line: followed by a colon, perhaps in bold type, or a heading by itself."""
    return rf"(?:\*\*)?{names}(?:\*\*)?[ \t]?:(?:\*\*)?|\#{{1,6}} {names}[ \t]?:?(?=\n|\Z)"


LABEL = re.compile(
    rf"^(?=[*#\w])(?:(?P<question>{_label(_OF_THE_USER + _QUESTIONS)})"
    rf"|(?P<answer>{_label(_ANSWERS)})"
    rf"|(?P<context>{_label(_CONTEXTS)}))[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(r"<(/?)((?:user[_-])?(?:question|query))>", re.IGNORECASE)
_CONTEXT = re.compile(
    rf"^<{_CONTEXTS}\b|^\[\d{{1,3}}\] "
    rf"|\b(?:following|given|provided|retrieved|numbered|below|pieces of|based on the|only the)\b[^\n.:]{{0,40}}?"
    rf"\b(?:{_CONTEXTS}|information)\b",
    re.IGNORECASE | re.MULTILINE,
)
_MAX_CHARS = 400_000
"""Longest prompt that is looked into, some tenths of a second at worst: a hundred thousand tokens."""


def question_in(prompt: str) -> str:
    r"""Return the question of a prompt that holds its context too; any other text as it is.

    >>> question_in("Context:\n[1] Up to 180 EUR.\nQuestion: What is the limit?\nAnswer:")
    'What is the limit?'
    >>> question_in("My order is late.\nQuestion: where is it?")
    'My order is late.\nQuestion: where is it?'
    """
    if len(prompt) > _MAX_CHARS:
        return prompt
    found = _labelled(prompt) or _tagged(prompt)
    return prompt if found is None else found


def _labelled(prompt: str) -> str | None:
    """Return the last part labelled as the question, if it is open; else one that comes before all context.

    Context may hold labels of its own (a list of frequent questions) and so may examples before it: those are answered.
    """
    marks = list(LABEL.finditer(prompt))
    asked = [number for number, mark in enumerate(marks) if mark["question"] is not None]
    if not asked:
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(prompt)]
    parts = [prompt[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
    contexts = [number for number, mark in enumerate(marks) if mark["context"] is not None]
    last = asked[-1]
    rest = marks[last + 1 :]
    if all(mark["answer"] is not None for mark in rest) and not any(parts[last + 1 :]):
        holder = prompt[: marks[last].start()]
        given = any(number < last for number in contexts) or _CONTEXT.search(holder) is not None
        return (parts[last] or None) if given else None
    if contexts and asked[0] < contexts[0]:
        return parts[asked[0]] or None
    return None


def _tagged(prompt: str) -> str | None:
    """Return what stands between the last tags for the question, beside context."""
    begin = found = None
    for tag in _TAG.finditer(prompt):
        if not tag[1]:
            begin = tag
        elif begin is not None and begin[2].lower() == tag[2].lower():
            found, begin = (begin, tag), None
    if found is None:
        return None
    begin, end = found
    beside = _CONTEXT.search(prompt[: begin.start()]) or _CONTEXT.search(prompt, end.end())
    return prompt[begin.end() : end.start()].strip() or None if beside else None
