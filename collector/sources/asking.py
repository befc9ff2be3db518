"""Sources of scores that list none by time: they are asked about each answer that is stored here, at growing ages.

Most judges are done within minutes, people within a day. What was read before is known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import orjson
from pydantic import ConfigDict, Field, NonNegativeInt, TypeAdapter, ValidationError

from adapters.base import MalformedRecord
from adapters.external.rows import score_of
from adapters.external.score import ExternalScore
from collector.outbound.client import HttpClient
from collector.sources.base import AnswerPlace, FetchedPage, FindAnswers, decoded

MINUTE = 60 * 10**9
AGES = (2 * MINUTE, 20 * MINUTE, 180 * MINUTE, 17 * 60 * MINUTE)
"""Ages (ns) at which the server is asked about an answer; the last is within the time that drift gates wait."""
GROUP = 100
"""Answers of one request: where their ids stand in its URL, proxies take 8 KiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCursor:
    """Up to which answer, by its number in the store, the server was asked at each of the `AGES`."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    asked: Annotated[tuple[NonNegativeInt, ...], Field(min_length=len(AGES), max_length=len(AGES))] = (0,) * len(AGES)

    def encode(self) -> bytes:
        """Return the cursor as JSON."""
        return orjson.dumps({"version": self.version, "asked": self.asked})


_CURSOR = TypeAdapter(AskedCursor)


class AskingPuller(ABC):
    """Asks one server about the answers that are stored here, whatever way their spans came."""

    def __init__(self, client: HttpClient, *, since: int) -> None:
        self.answers: FindAnswers | None = None
        self._client = client
        self._since = since

    @abstractmethod
    def ask(self, due: Sequence[AnswerPlace]) -> tuple[list[ExternalScore], list[MalformedRecord]]:
        """Return the scores of some answers, and what cannot be read of them. Raises `Unreachable`."""

    def fetch(self, cursor: bytes | None, *, now: int) -> FetchedPage:
        """Return the scores of the answers that are due, the youngest first. Raises `Unreachable`."""
        at = decoded(_CURSOR, cursor) or AskedCursor()
        assert self.answers is not None
        for place, age in enumerate(AGES):
            due = self.answers(
                after=at.asked[place],
                arrived_from=max(0, now - age - self._since),
                arrived_before=max(0, now - age),
                limit=GROUP,
            )
            if due:
                asked = (*at.asked[:place], due[-1].seq, *at.asked[place + 1 :])
                scores, malformed = self.ask(due)
                return FetchedPage(replace(at, asked=asked).encode(), scores=scores, malformed=malformed, more=True)
        return FetchedPage(at.encode())

    def position(self, cursor: bytes) -> Mapping[str, Any]:
        """Say for people where ``cursor`` stands: up to which answer the server was asked, by the age of answers."""
        at = decoded(_CURSOR, cursor)
        if at is None:
            return {}
        return {"answers_asked_by_minutes": {str(age // MINUTE): n for age, n in zip(AGES, at.asked, strict=True)}}

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def scores_of_rows(
    rows: Iterable[tuple[str, Mapping[str, Any]]],
) -> tuple[list[ExternalScore], list[MalformedRecord]]:
    """Return rows, each with its place, as scores in the order of their times, and those that are none.

    In that order the first score of an answer is the first that was given.
    """
    scores: list[ExternalScore] = []
    malformed: list[MalformedRecord] = []
    for where, row in rows:
        try:
            scores.append(score_of(row))
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]
            at, said = ".".join(map(str, problem["loc"])), problem["msg"].removeprefix("Value error, ")
            malformed.append(MalformedRecord(f"{at}: {said}" if at else said, where))
    return sorted(scores, key=lambda score: (str(score.at), score.model_dump_json())), malformed
