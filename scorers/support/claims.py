"""The claims of an answer, read for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adapters.caching import cached
from adapters.schema import Answer
from scorers.memory import Memory, once
from scorers.statements.questions import answered
from scorers.support.alignment import Claim
from scorers.support.discourse import yes_or_no_alone
from scorers.support.ellipsis import as_particle, of_price, with_particle
from scorers.support.reply import with_acts
from scorers.support.sourcing import named_sources
from scorers.text.language import language_of
from scorers.text.normalize import is_particle, terms
from scorers.text.replies.clauses import language_of_reply
from scorers.text.sentences import Sentence, claim_at, split_statements

_BULLETS = "-*+\u2022\u2023\u25e6"


CitationMark = tuple[int, int, str | None]
"""Where a citation stands in an answer, and the passage id it points at; ``None`` for one that points nowhere.

One that is given beside the answer has no marker, so it starts where it ends, and stands for the whole answer."""

MAX_CITED = 10
"""Passages that one claim cites that are looked at; a claim that needs more is beyond checking."""


def marks_of(answer: Answer) -> tuple[CitationMark, ...]:
    """Return the citations of ``answer``."""
    return tuple((cited.start, cited.end, cited.passage_id) for cited in answer.citations or ())


@once
def statements_of(answer: Answer, _memory: Memory) -> tuple[Sentence, ...]:
    """Return the sentences of ``answer`` but headings and citations, each with what it does."""
    marked = sorted({(start, end) for start, end, _ in marks_of(answer)} | set(named_sources(answer)))
    read = tuple(passage.text or "" for passage in answer.context_passages() or ())
    return read_statements(answer.answer or "", marked, answer.question, read)


def read_statements(
    text: str,
    markers: Iterable[tuple[int, int]] = (),
    question: str | None = None,
    read: tuple[str, ...] = (),
) -> tuple[Sentence, ...]:
    """Return the sentences of an answer to ``question``: claims, and what leads to them or claims nothing.

    ``read`` are the texts that it was written from.

    >>> [each.kind for each in read_statements("Sorry, I can't help with that. Leave is paid.")]
    ['refusal', 'claim']
    """
    language = language_of_reply(question or "", text)
    found = with_acts(split_statements(text, markers), question, language, read) or _reply(text, question)
    return tuple(_in_full(each, question) for each in found) if question is not None else found


def _in_full(sentence: Sentence, question: str) -> Sentence:
    """Return a short reply to a question of yes or no as that: "No, they are not" says no."""
    sentence = replace(sentence, words=yes_or_no_alone(sentence.words))
    priced = of_price(sentence.words, question)
    if priced != sentence.words:
        return replace(sentence, words=priced, kind="claim")
    particle = as_particle(sentence.words)
    said = with_particle(sentence.words) if particle is None and sentence.asserts else particle or sentence.words
    if said == sentence.words or answered("Yes", question, language_of(question) or "en").reply is None:
        return sentence
    return replace(sentence, words=said, kind="claim")


def _reply(text: str, question: str | None) -> tuple[Sentence, ...]:
    """Return a yes or no that is all of an answer to a question of yes or no: it claims what was asked."""
    words = text[:_LONGEST_REPLY].strip()
    if question is None or len(text) > _LONGEST_REPLY or not is_particle(words):
        return ()
    if answered(words, question, language_of(question) or "en").reply is None:
        return ()
    return (Sentence(0, len(text), words, "claim"),)


_LONGEST_REPLY = 64


def claims_of(answer: Answer, memory: Memory) -> tuple[Sentence, ...]:
    """Return the sentences of ``answer`` that assert something.

    >>> [claim.words for claim in claims_of(Answer(id="a", answer="Is it paid? Leave is paid."), Memory())]
    ['Leave is paid.']
    """
    return tuple(statement for statement in statements_of(answer, memory) if statement.asserts)


def cited_by(
    claims: Sequence[Sentence], text: str, marks: Sequence[CitationMark]
) -> tuple[tuple[str | None, ...], ...]:
    """Return for each claim of ``text`` the passage ids its citations point at, in order.

    A citation without a place is one of every claim.

    >>> text, marks = "Leave is 20 weeks [1]. It is paid.", ((18, 21, "p"),)
    >>> cited_by(split_statements(text, [(18, 21)]), text, marks)
    (('p',), ())
    >>> cited_by(split_statements(text), text, ((34, 34, "q"),))
    (('q',), ('q',))
    """
    every = tuple(claims)
    by_claim: list[list[str | None]] = [[] for _ in every]
    for start, end, target in sorted(marks, key=lambda mark: mark[:2]):
        index = claim_at(every, start, text)
        for ids in by_claim if start == end else () if index is None else (by_claim[index],):
            if target not in ids and len(ids) < MAX_CITED:
                ids.append(target)
    return tuple(tuple(ids) for ids in by_claim)


# The scorers of one panel ask of one question.
@cached(maxsize=8)
def terms_asked(question: str) -> tuple[str, ...]:
    """Return the terms of what is read of a question, each once, in order."""
    return tuple(dict.fromkeys(terms(question[:_QUESTION]).items))


def read_claims(claims: Sequence[Sentence], text: str, question: str | None) -> tuple[Claim, ...]:
    """Read the claims of an answer ``text``; ``question`` is what was asked, where it is known."""
    asked = frozenset(terms_asked(question or ""))
    # A yes or no says what was asked.
    read = [terms(question if question and is_particle(claim.words) else claim.words) for claim in claims]
    length = sum(len(found.items) for found in read)
    return tuple(
        Claim(claim, found, index, len(read), length, asked, _bullet(claim, text), question or "")
        for index, (claim, found) in enumerate(zip(claims, read, strict=True))
    )


_QUESTION = 4_000
"""Characters of a question that are read."""


def _bullet(claim: Sentence, text: str) -> bool:
    line = text.rfind("\n", max(0, claim.start - 12), claim.start) + 1
    head = text[line : claim.start].strip() if claim.start - line <= 12 else ""  # noqa: PLR2004 - an item's mark is short
    return (head[:1] in _BULLETS and bool(head)) or (head[:-1].isdigit() and head[-1:] in ".)")
