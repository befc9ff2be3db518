"""Collections of information retrieval: BEIR's corpus and queries, and the qrels and runs of TREC.

Source: Thakur et al. 2021, BEIR (corpus.jsonl, queries.jsonl, qrels/*.tsv); the format of trec_eval's qrels and runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.schema import Answer, Gold, GoldPassage, Passage
from evaluation.suites.case import Fields, JudgedPassage, RankedPassage, SuiteError, SuiteRow, SuiteText

BEIR_HEADER = ("query-id", "corpus-id", "score")
QRELS, RUN = 4, 6
"""Columns of a line of TREC's qrels, and of a run."""
HIGHEST = 2
"""From this grade on a passage is sufficient where grades differ; below it is partial."""


def is_beir(value: Mapping[str, Any]) -> bool:
    """Whether an object is a document or a query of BEIR.

    >>> is_beir({"_id": "d1", "title": "", "text": "Parcels."}), is_beir({"id": "d1", "text": "Parcels."})
    (True, False)
    """
    return "_id" in value and "text" in value


def row_of_beir(value: Mapping[str, Any]) -> SuiteRow | SuiteText:
    r"""Return a query as a case, or a document as a text. A document has a title, if an empty one.

    >>> row_of_beir({"_id": "d1", "title": "Returns", "text": "14 days."}).text
    'Returns\n14 days.'
    """
    fields = Fields(value)
    name = fields.needed("_id")
    if "title" in value:
        return text_of_beir(value)
    question = fields.needed("text")
    metadata = fields.inner("metadata").rest()
    return SuiteRow(Answer(id=name, question=question, attributes={**fields.rest(), **metadata}))


def text_of_beir(value: Mapping[str, Any]) -> SuiteText:
    """Return a document of BEIR as a text, with a title or without.

    >>> text_of_beir({"_id": "d1", "text": "14 days."}).text
    '14 days.'
    """
    fields = Fields(value)
    title, text = fields.text("title"), fields.text("text")
    return SuiteText(fields.needed("_id"), "\n".join(part for part in (title, text) if part))


def ranking_line(columns: Sequence[str]) -> JudgedPassage | RankedPassage | None:
    """Return what a line says: of qrels (BEIR's three columns, TREC's four) or of a run; nothing for a header.

    Raises `SuiteError` naming the column that is wrong.

    >>> ranking_line(["q1", "0", "d7", "2"])
    JudgedPassage(query='q1', passage='d7', grade=2)
    >>> ranking_line(["q1", "Q0", "d7", "1", "14.2", "bm25"])
    RankedPassage(query='q1', passage='d7', score=14.2, system='bm25')
    >>> ranking_line(["q1", "d7", "high"])
    Traceback (most recent call last):
    evaluation.suites.case.SuiteError: score: must be a whole number, not 'high'
    """
    if tuple(columns[:3]) == BEIR_HEADER:
        return None
    if len(columns) == len(BEIR_HEADER):
        query, passage, grade = columns
        return JudgedPassage(query, passage, _grade("score", grade))
    if len(columns) == QRELS:
        query, _, passage, grade = columns
        return JudgedPassage(query, passage, _grade("relevance", grade))
    if len(columns) == RUN:
        query, _, passage, rank, score, system = columns
        _grade("rank", rank)
        try:
            found = float(score)
        except ValueError:
            raise SuiteError(f"score: must be a number, not {score!r}") from None
        if found != found or found in (float("inf"), float("-inf")):  # noqa: PLR0124 - NaN
            raise SuiteError(f"score: must be finite, not {score}")
        return RankedPassage(query, passage, found, system)
    raise SuiteError(f"{len(columns)} columns: qrels have {len(BEIR_HEADER)} or {QRELS}, a run {RUN}")


def labels_of(judged: Sequence[JudgedPassage], *, graded: bool) -> tuple[GoldPassage, ...]:
    """Return the relevant passages of one query as gold labels, the most relevant first.

    ``graded`` says that the judgements tell more than relevant or not: 2 and above is then sufficient, 1 partial.

    >>> [each.label for each in labels_of([JudgedPassage("q", "a", 1), JudgedPassage("q", "b", 2)], graded=True)]
    ['sufficient', 'partial']
    """
    relevant = sorted((each for each in judged if each.grade > 0), key=lambda each: (-each.grade, each.passage))
    return tuple(
        GoldPassage(id=each.passage, label="partial" if graded and each.grade < HIGHEST else "sufficient")
        for each in relevant
    )


def judged_case(query: str, judged: Sequence[JudgedPassage], *, graded: bool) -> SuiteRow:
    """Return the judgements of a query as a case."""
    return SuiteRow(Answer(id=query, gold=Gold(passages=labels_of(judged, graded=graded))))


def ranked_answer(query: str, ranked: Sequence[RankedPassage]) -> SuiteRow:
    """Return what a system found for a query, the best first, as trec_eval orders it: by score, then id downwards."""
    ordered = sorted(sorted(ranked, key=lambda each: each.passage, reverse=True), key=lambda each: -each.score)
    passages = tuple(
        Passage(id=each.passage, score=each.score, rank=rank, stage="retrieve") for rank, each in enumerate(ordered)
    )
    return SuiteRow(Answer(id=query, passages=passages), answered=True, configuration=ordered[0].system)


def _grade(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SuiteError(f"{name}: must be a whole number, not {text[:40]!r}") from None
