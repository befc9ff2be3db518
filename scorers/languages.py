"""The languages of an answer, and whether what a metric reads by words is in one that it is measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from adapters.schema import Answer
from scorers.memory import Memory, once
from scorers.text.language import LanguageCode, language_of, name_of

Languages = Literal["any"] | tuple[LanguageCode, ...]
"""Languages by their two letters, or ``any``."""

AnswerPart = Literal["question", "answer", "passages"]
"""A part of an answer that has words."""

PASSAGES = 3
"""Passages whose language is looked at, the longest of the context: they tell it best, in any order."""

ENGLISH: tuple[LanguageCode, ...] = ("en",)


@once
def languages_of(answer: Answer, _memory: Memory) -> Mapping[AnswerPart, LanguageCode | None]:
    """Return the language of each part of ``answer``, ``None`` where it is not to be told.

    That of the passages is the one that most of them are in; where as many are in the language of the answer, that.

    >>> answer = Answer(id="a", question="Wie lange dauert der Urlaub?", answer="Leave is 20 weeks for parents.")
    >>> dict(languages_of(answer, Memory()))
    {'question': 'de', 'answer': 'en', 'passages': None}
    """
    said = language_of(answer.answer or "")
    texts = [passage.text for passage in answer.context_passages() or () if passage.text]
    longest = sorted(texts, key=lambda text: (-len(text), text))[:PASSAGES]
    told = [language for text in longest if (language := language_of(text)) is not None]
    among = max(sorted(set(told)), key=lambda each: (told.count(each), each == said), default=None)
    return {"question": language_of(answer.question or ""), "answer": said, "passages": among}


def language_between(answer: Answer, memory: Memory) -> LanguageCode | None:
    """Return the language in which claims of ``answer`` are compared with its passages, ``None`` where there are two.

    A part whose language cannot be told is taken to be in that of the other, and both to be in English.

    >>> from adapters.schema import Passage
    >>> passages = (Passage(id="p", text="Der Urlaub muss schriftlich beantragt werden."),)
    >>> [
    ...     language_between(Answer(id="a", answer=text, passages=passages), Memory())
    ...     for text in ("Nein.", "Der Urlaub kann mündlich beantragt werden.", "Leave may be asked for orally.")
    ... ]
    ['de', 'de', None]
    """
    spoken = languages_of(answer, memory)
    said, told = spoken["answer"], spoken["passages"]
    if said is not None and told is not None and said != told:
        return None
    return said or told or "en"


@once
def unmeasured(answer: Answer, memory: Memory, parts: Sequence[AnswerPart], languages: Languages) -> str | None:
    """Say why the words of ``parts`` cannot be judged by what was measured on ``languages``; ``None`` where they can.

    A part whose language cannot be told is taken to be in the right one.

    >>> answer = Answer(id="a", question="How long?", answer="Praca zdalna jest możliwa do trzech dni w tygodniu.")
    >>> unmeasured(answer, Memory(), ("question", "answer"), ENGLISH)
    'not measured on Polish, the language of the answer (measured on English)'
    >>> unmeasured(answer, Memory(), ("question",), ENGLISH)
    """
    spoken = languages_of(answer, memory)
    told = [(part, language) for part in parts if (language := spoken[part]) is not None]
    for part, language in told:
        if languages != "any" and language not in languages:
            return f"not measured on {name_of(language)}, the language of the {part} (measured on {named(languages)})"
    for part, language in told[1:]:
        if language != told[0][1]:
            return (
                f"words of different languages are not compared: the {told[0][0]} is in {name_of(told[0][1])}"
                f", the {part} in {name_of(language)}"
            )
    return None


def named(languages: Languages) -> str:
    """Return languages as they are read out.

    >>> named(("en", "de", "pl")), named("any")
    ('English, German and Polish', 'every language')
    """
    if languages == "any":
        return "every language"
    *most, last = map(name_of, languages)
    return f"{', '.join(most)} and {last}" if most else last
