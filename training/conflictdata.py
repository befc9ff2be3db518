"""The documents of RAMDocs as conflict reads them, those of other questions beside them, and their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from scorers.disagreement.asking import EXPECTED, AskedQuestion, asked
from scorers.disagreement.placing import ValueTable, features
from scorers.disagreement.ranking import weighed_as
from scorers.disagreement.tokens import tokens
from scorers.disagreement.values import reading_of, same

STRANGERS = 3
"""Documents of other questions that each question's are held against, which its nearest questions are answered by."""

NO_ANSWER = "unknown"

ALIKE = 0.9


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document of a question: its values as features, and which of them are the answer it was labelled with."""

    row: int
    question: AskedQuestion
    text: str
    answer: str
    expected: int
    table: ValueTable
    right: np.ndarray
    stranger: bool


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs of documents of one question: their places, labels, and whether both documents answer."""

    places: list[tuple[int, int]]
    differ: np.ndarray
    answer: np.ndarray
    row: np.ndarray
    stranger: np.ndarray


def _given(raw: dict[str, Any]) -> list[tuple[str, str]]:
    texts = [passage["text"] for passage in raw["passages"]]
    return list(zip(texts, raw["extra"]["doc_answers"], strict=True))


def strangers_of(raw: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return for each question texts that answer others: those whose questions share most words with it."""
    words = [frozenset(token.lower for token in tokens(row["question"])) for row in raw]
    told = [next((text for text, answer in _given(row) if answer != NO_ANSWER), "") for row in raw]
    result = []
    for own in words:
        others = [place for place, found in enumerate(words) if found != own and told[place]]
        others.sort(key=lambda place: (-len(words[place] & own) / len(words[place] | own), place))
        result.append([told[place] for place in others[:STRANGERS]])
    return result


def documents_of(number: int, raw: dict[str, Any], strangers: Sequence[Sequence[str]]) -> list[Document]:
    """Return the documents of a question, with the strangers that it is given."""
    question = asked(raw["question"])
    result = []
    own = len(raw["passages"])
    for text, answer in (*_given(raw), *((text, NO_ANSWER) for text in strangers[number])):
        stated = reading_of(text).values(words=question.of_words)
        table = features(question, [text])
        gold = reading_of(answer).values(words=question.of_words) if answer != NO_ANSWER else ()
        result.append(
            Document(
                row=number,
                question=question,
                text=text,
                stranger=len(result) >= own,
                answer=answer.strip().lower(),
                expected=EXPECTED.index(weighed_as(question.expected)),
                table=table,
                right=np.array([any(same(stated[i], g) > ALIKE for g in gold) for i in table.rows[0]], dtype=bool),
            )
        )
    return result


def pairs_of(documents: Sequence[Document]) -> Pairs:
    """Return every pair of documents of one question, and of those that answer with the strangers."""
    by_row: dict[int, list[int]] = {}
    for place, document in enumerate(documents):
        by_row.setdefault(document.row, []).append(place)
    places = [
        (one, other)
        for of_row in by_row.values()
        for one, other in combinations(of_row, 2)
        if not documents[other].stranger or (not documents[one].stranger and documents[one].answer != NO_ANSWER)
    ]
    answer = np.array([NO_ANSWER not in (documents[a].answer, documents[b].answer) for a, b in places])
    differ = np.array([documents[a].answer != documents[b].answer for a, b in places]) & answer
    return Pairs(
        places=places,
        differ=differ,
        answer=answer,
        row=np.array([documents[a].row for a, _ in places]),
        stranger=np.array([documents[b].stranger for _, b in places]),
    )
