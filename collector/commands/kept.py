"""Recorded answers for commands that replay them: from files, or from what a running agent keeps; sampled, bounded."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TextIO

from pydantic import ValidationError

from adapters.base import AdaptOptions, MalformedRecord
from adapters.schema import Answer
from collector.commands.asking import AskedAgent, part_of, rows_of
from collector.commands.problems import RecordProblems, placed
from collector.commands.progress import Progress
from collector.commands.reading import located_answers
from collector.errors import ConfigError
from collector.security.text import one_line

PAGE = 100
"""Answers that an agent is asked for at once."""
NEWEST = 10_000
EMPTY_PAGES = 50
"""Pages without an answer, one after the other, after which an agent is not asked for more."""


class KeptAnswers(NamedTuple):
    """Where recorded answers are taken from: ``files``, or the ``newest`` ones that ``agent`` keeps of a ``scope``.

    Of them ``sample`` are taken, by a hash of ``seed`` and the id: in any order and on any machine the same ones.
    ``None``: all of them.
    """

    files: Sequence[Path] = ()
    agent: AskedAgent | None = None
    scope: Mapping[str, str] = MappingProxyType({})
    newest: int = NEWEST
    sample: int | None = None
    seed: int = 0


class GatheredAnswer(NamedTuple):
    """An answer, where it stands (its file and line, or the agent that keeps it), and how many were read before it."""

    where: str
    answer: Answer
    number: int


def gathered(
    kept: KeptAnswers, options: AdaptOptions, progress: Progress, err: TextIO, left_out: Counter[str]
) -> list[GatheredAnswer]:
    """Return the answers that are taken, in the order of their draw; what cannot be read is told and counted.

    Raises `ConfigError` where neither files nor an agent are given, or both, and for an id that comes twice.
    """
    if bool(kept.files) == (kept.agent is not None):
        raise ConfigError("give files of recorded answers, or --agent with the address of one that keeps them")
    found: list[tuple[int, str, GatheredAnswer]] = []
    places: dict[str, str] = {}
    for number, (where, answer) in enumerate(_all(kept, options, progress, err, left_out)):
        if answer.id in places:
            other = places[answer.id]
            raise ConfigError(
                f"{where}: id: two answers have the id {one_line(answer.id, 60)!r}; the other is in {other}"
            )
        places[answer.id] = where
        drawn = (-_place(kept.seed, answer.id), answer.id, GatheredAnswer(where, answer, number))
        if kept.sample is None or len(found) < kept.sample:
            heapq.heappush(found, drawn)
        else:
            heapq.heappushpop(found, drawn)
    return [each for _, _, each in sorted(found, key=lambda drawn: (-drawn[0], drawn[1]))]


def _place(seed: int, answer_id: str) -> int:
    return int.from_bytes(sha256(f"{seed}:{answer_id}".encode("utf-8", "replace")).digest()[:8], "big")


def _all(
    kept: KeptAnswers, options: AdaptOptions, progress: Progress, err: TextIO, left_out: Counter[str]
) -> Iterator[tuple[str, Answer]]:
    if kept.agent is not None:
        for answer in progress.over(_of_agent(kept.agent, kept.scope, kept.newest), "reading", "answers"):
            yield kept.agent.url, answer
        return
    problems = RecordProblems()
    for path, where, item in located_answers(kept.files, options, progress):
        if isinstance(item, MalformedRecord):
            place, reason = placed(path, "", item)
            if problems.add(place, reason):
                err.write(f"groundwire: {place}: {reason}\n")
            left_out["unreadable"] += 1
        else:
            yield f"{path}: {where}" if where else str(path), item
    err.writelines(f"groundwire: {line}\n" for line in problems.repeated())


def _of_agent(agent: AskedAgent, scope: Mapping[str, str], newest: int) -> Iterator[Answer]:
    before, left, empty, ids = 0, newest, 0, set[str]()
    while left > 0 and empty < EMPTY_PAGES:
        body = agent.get("/v1/answers", {**scope, "limit": min(PAGE, left), "before": before or None})
        rows = rows_of(body, "answers")
        for row in rows:
            try:
                answer = Answer.model_validate(part_of(row, "answer"))
            except ValidationError as error:
                raise agent.unlike(f"or one of another version: {one_line(str(error.errors()[0]['msg']))}") from error
            # One that was stored anew while it was listed comes twice.
            if answer.id not in ids:
                ids.add(answer.id)
                yield answer
        left -= len(rows)
        empty = 0 if rows else empty + 1
        following = body.get("next")
        if not isinstance(following, int):
            return
        before = following
