"""The pages of answers: those that filters leave, as a page or as CSV, and one answer with all that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from adapters.schema import Answer, Passage
from collector.api.filters import AnswersParameters, FoundAnswers, answers_found
from collector.api.operations import HTML, WRONG, Operation
from collector.api.pages.frame import PageContent, PageFrame
from collector.api.pages.site import link
from collector.api.pages.tables import csv_response
from collector.api.queries import Patience
from collector.api.rows import AnswerParameters
from collector.clock import asked_before, instant
from collector.errors import Transient
from collector.judging.verdicts import rfc3339
from collector.pipeline.compare_task import CompareRequest
from collector.security.address import trace_address
from collector.store.rows import AnswerFilter, AnswerRow
from collector.store.store import Store
from scorers.base import Evidence, Score

ANSWERS = 50
SEARCH_SECONDS = 0.1
"""After this a page shows what was found; where that is nothing, the browser asks for the next part by itself."""
MAX_CSV = 1_000
"""Answers of one CSV file; the next ones are had with `before`."""
COMPARE_SECONDS = 5.0
"""Of a worker's time that the comparison of one answer with its passages may take."""
FIRST = ("composite", "faithfulness", "contradiction_absence", "stale_source_use", "unsafe_probability")
"""Metrics that a list shows beside the one that was asked for."""
STALE = "stale_source_use"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, and the claim it belongs to: its number from 1 and its verdict; none of what is no claim."""

    text: str
    number: int = 0
    verdict: str = ""


class AnswerPages(PageFrame):
    """Handlers of the pages about answers."""

    @Operation("/answers", {200: ("The page.", HTML), 400: WRONG}, access="page")
    async def answers_page(self, request: Request, wanted: AnswersParameters) -> Response:
        """List answers with their newest evaluation, newest first, as a page."""
        return await self.shown(request, "answers.html", lambda store, patience: self._listed(store, patience, wanted))

    @Operation("/answers.csv", {200: ("A row an answer.", str), 400: WRONG}, access="page")
    async def answers_csv(self, request: Request, wanted: AnswersParameters) -> Response:
        """List answers with the values of all their metrics, newest first, as CSV."""
        store = self.serving.parts.store
        most = wanted.model_copy(update={"limit": MAX_CSV if "limit" not in wanted.model_fields_set else wanted.limit})

        def made(patience: Patience) -> Response:
            found = answers_found(self.serving, store.asked(patience.over), most, enough=patience.enough)
            return self._csv(found.rows)

        return await self.serving.lists.run(request, made)

    @Operation("/answers/{answer_id}", {200: ("The page.", HTML), 404: "Unknown or past its retention."}, access="page")
    async def answer_page(self, request: Request, wanted: AnswerParameters) -> Response:
        """Show one answer: its claims beside the passages, its scores, and what served it, as a page."""

        def read(store: Store, _: Patience) -> PageContent:
            row = store.answer(wanted.answer_id)
            if row is None:
                raise HTTPException(
                    404, f"no answer {wanted.answer_id[:200]!r}: unknown, not closed yet, or past its retention"
                )
            return self._shown_answer(row)

        return await self.shown(request, "answer.html", read)

    def _listed(self, store: Store, patience: Patience, wanted: AnswersParameters) -> PageContent:
        limit = wanted.limit if "limit" in wanted.model_fields_set else ANSWERS
        found = answers_found(
            self.serving,
            store,
            wanted.model_copy(update={"limit": limit}),
            enough=partial(patience.spent, SEARCH_SECONDS),
        )
        asked = wanted.model_dump(exclude_defaults=True, exclude={"slice", "before"}) | dict(wanted.slice)
        names = [wanted.metric] if wanted.metric else []
        names += [name for name in FIRST if name in self.metrics and name not in names]
        return {
            "rows": [_listed(row) for row in found.rows],
            "names": names[:4],
            "following": None if found.following is None else link("/answers", **asked, before=found.following),
            "first": link("/answers", **asked) if wanted.before else None,
            "csv": link("/answers.csv", **asked),
            "json": link("/v1/answers", **asked),
            "searched_to": instant(oldest[0].arrived) if (oldest := self._oldest(store, found)) else None,
            "wanted": wanted,
            "dimensions": self.serving.dimensions,
            "metrics": self.metrics,
            "shown": [self.metrics[name] for name in names[:4] if name in self.metrics],
            "filtered": bool(asked),
            "receiving": self.serving.receiving,
        }

    @staticmethod
    def _oldest(store: Store, found: FoundAnswers) -> list[AnswerRow]:
        """Return the answer at which a search that found nothing has arrived."""
        if found.rows or found.following is None:
            return []
        return store.answers(store.find_answers(AnswerFilter(), limit=1, before=found.following).seqs)

    def _csv(self, rows: Sequence[AnswerRow]) -> Response:
        dimensions, metrics = self.serving.dimensions, sorted(self.metrics)
        header = ("id", "arrived_at", *dimensions, "question", "answer", *metrics)

        def cells(row: AnswerRow) -> Sequence[Any]:
            stored, values = row.stored, _values(row)
            return (
                stored.answer.id,
                rfc3339(instant(row.arrived)),
                *(stored.slice.get(name, "") for name in dimensions),
                stored.answer.question or "",
                stored.answer.answer or "",
                *(values.get(name, "") for name in metrics),
            )

        return csv_response("answers", header, map(cells, rows))

    def _shown_answer(self, row: AnswerRow) -> PageContent:
        answer, evaluation = row.stored.answer, row.evaluation
        scores = {score.metric: score for score in evaluation.scores} if evaluation else {}
        claims, why_none = self._claims(answer)
        claims = [claim | {"stale": _stale(claim, scores.get(STALE))} for claim in claims]
        families: dict[str, list[Score]] = {}
        for name, score in scores.items():
            family = self.metrics[name].family if name in self.metrics else "other"
            families.setdefault(family, []).append(score)
        return {
            "row": row,
            "answer": answer,
            "asked": asked_before(answer.started_at, instant(row.arrived)),
            "claims": claims,
            "why_none": why_none,
            "pieces": pieces(answer.answer or "", claims),
            "passages": [_passage(number, each, claims) for number, each in enumerate(answer.passages or (), start=1)],
            "numbers": {each.id: number for number, each in enumerate(answer.passages or (), start=1)},
            "context": set(answer.context or ()),
            "scores": scores,
            "families": families,
            "unscored": evaluation.unscored if evaluation else (),
            "metrics": self.metrics,
            "shown": [self.metrics[name] for name in scores if name in self.metrics],
            "replacing": _replacing(scores.get(STALE)),
            "replaced": _replaced(scores.get(STALE)),
            "trace": self._trace(answer),
        }

    def _trace(self, answer: Answer) -> str | None:
        """Return where the trace of an answer is shown, if the configuration says where."""
        template = self.serving.trace_url
        if template is None or answer.trace_id is None:
            return None
        return trace_address(template, answer.trace_id, answer.span_id)

    def _claims(self, answer: Answer) -> tuple[list[dict[str, Any]], str]:
        """Return every claim beside its context, or why there is none to show."""
        try:
            request = CompareRequest(answer.model_dump_json(), instant(self.serving.clock()))
            found = orjson.loads(self.serving.parts.examine(request, timeout=COMPARE_SECONDS))
        except Transient:
            return [], "workers are busy; load the page again"
        return found["claims"], found["why_none"]


def pieces(text: str, claims: Sequence[Mapping[str, Any]]) -> list[Piece]:
    """Cut a text into its claims and what stands between them.

    >>> claims = [{"start": 4, "end": 8, "verdict": "supported"}]
    >>> [(each.text, each.number) for each in pieces("So: yes. Bye", claims)]
    [('So: ', 0), ('yes.', 1), (' Bye', 0)]
    """
    marks = [(each["start"], each["end"], number, each["verdict"]) for number, each in enumerate(claims, start=1)]
    marks = [mark for mark in sorted(marks) if 0 <= mark[0] < mark[1] <= len(text)]
    marks = [each for before, each in pairwise([(0, 0, 0, ""), *marks]) if each[0] >= before[1]]
    found, at = [], 0
    for start, end, number, verdict in marks:
        found += [Piece(text[at:start]), Piece(text[start:end], number, verdict)]
        at = end
    return [piece for piece in (*found, Piece(text[at:])) if piece.text]


def _passage(number: int, passage: Passage, claims: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a passage with its text cut at the sentences that claims were held against."""
    text = passage.text or ""
    marks: dict[tuple[int, int], Mapping[str, Any]] = {}
    for claim, each in enumerate(claims, start=1):
        start = text.find(each["nearest"]) if each["nearest"] and each["passage_id"] == passage.id else -1
        if start >= 0:
            place = start, start + len(each["nearest"])
            marks.setdefault(place, {"start": start, "end": place[1], "verdict": each["verdict"], "claim": claim})
    ordered = [marks[place] for place in sorted(marks)]
    cut = [
        replace(piece, number=ordered[piece.number - 1]["claim"]) if piece.number else piece
        for piece in pieces(text, ordered)
    ]
    return {"number": number, "passage": passage, "pieces": cut}


def _stale(claim: Mapping[str, Any], score: Score | None) -> str:
    """Return why the passage that a claim rests on should not have been used; nothing where it may be."""
    for each in score.evidence if score and score.value else ():
        if each.start is not None and each.end is not None and claim["start"] < each.end and each.start < claim["end"]:
            return each.detail
    return ""


def _replacing(score: Score | None) -> list[Evidence]:
    """Return what should have been used instead, each edition once: it follows the claim that rests on another."""
    instead = [each for each in (score.evidence if score and score.value else ()) if each.start is None]
    return list({each.detail: each for each in instead}.values())


def _replaced(score: Score | None) -> Mapping[str, str]:
    """Return which edition is in force instead of a passage, by the id of the passage."""
    evidence = score.evidence if score and score.value else ()
    return {
        stale.passage_id: f"{newer.doc_id}{f' version {newer.version}' if newer.version else ''}"
        for stale, newer in pairwise(evidence)
        if stale.start is not None and stale.passage_id and newer.start is None and newer.doc_id
    }


def _listed(row: AnswerRow) -> PageContent:
    scores = row.evaluation.scores if row.evaluation else ()
    labels = {score.metric: score.label for score in scores} | {each.metric: each.label for each in row.external}
    return {
        "answer": row.stored.answer,
        "slice": row.stored.slice,
        "arrived": row.arrived,
        "figures": _values(row),
        "labels": labels,
        "lacking": _lacking(row),
    }


def _lacking(row: AnswerRow) -> str:
    """Return what stands where an answer has no value of a metric."""
    if row.evaluation is not None:
        return "no value"
    return "waits" if row.stored.sampled else "not sampled"


def _values(row: AnswerRow) -> dict[str, float]:
    values = {score.metric: score.value for score in row.evaluation.scores} if row.evaluation else {}
    return values | {each.metric: each.value for each in row.external}
