"""A suite, read: all its files, each problem with its file, line and field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from adapters.base import AdaptOptions, MalformedRecord
from adapters.documents.given import described
from collector.commands.problems import placed
from collector.commands.progress import Progress
from collector.commands.suites.files import parts_of
from collector.commands.suites.joining import Suite, joined
from collector.commands.suites.taken import SuiteReading
from collector.security.text import one_line
from evaluation.suites.case import SuiteError, SuiteRow
from evaluation.suites.rankings import judged_case, ranked_answer
from gates.verdicts.summary import counted


def read_suite(
    files: Sequence[Path],
    options: AdaptOptions,
    folder: Path,
    progress: Progress,
    *,
    asks: bool,
    err: TextIO,
    answered_in: Sequence[Path] = (),
) -> Suite:
    """Read the files of a suite into journals in ``folder``.

    ``asks`` says that an application is asked: cases then need no answer, and a recorded one is dropped; so it is where
    files of other answers are given. Raises `ConfigError` with file, line and field for every record that cannot be
    used or contradicts another.
    """
    reading = SuiteReading(folder)
    skipped = 0
    for place, path in enumerate([*files, *answered_in]):
        reading.questions = asks or (bool(answered_in) and place < len(files))
        for where, item in progress.over(parts_of(path, options, progress), str(path)):
            try:
                match item:
                    case Exception():
                        raise item
                    case SuiteRow():
                        row = replace(item, answer=described(item.answer, options.passages))
                        reading.take(path, where, row)
                    case _:
                        skipped += item is None
                        reading.take(path, where, item)
            except (SuiteError, MalformedRecord, ValueError) as error:
                reading.problem(*placed(path, where, error))
    for journal in reading.answered.values():
        journal.close()
    if skipped:
        err.write(f"groundwire: {counted(skipped, 'archived item')} of the suite left out\n")
    _untitled(reading)
    if left := _unjudged(reading):
        err.write(f"groundwire: {counted(left, 'question')} without judgements left out\n")
    _rankings(reading)
    if reading.bad:
        raise reading.refused()
    return joined(reading, files, progress, asks=asks)


def _untitled(reading: SuiteReading) -> None:
    """Take for documents what has no title, as queries have none, where judgements and runs name it as passages.

    A file of such records is one of documents if its ids are passages there, and none of them is a query.
    """
    queries = {*reading.judged, *(query for _, query in reading.ranked)}
    passages = {name for judged in reading.judged.values() for name in judged}
    passages.update(name for ranked in reading.ranked.values() for name in ranked)
    if passages.isdisjoint(reading.cases):
        return
    by_file: dict[Path, list[str]] = {}
    for name, place in reading.places.items():
        if reading.cases[name].unlabelled:
            by_file.setdefault(Path(place.rpartition(": ")[0]), []).append(name)
    for path, names in by_file.items():
        if queries.isdisjoint(names) and not passages.isdisjoint(names):
            reading.corpora.append(path)
            for name in names:
                del reading.cases[name], reading.places[name]


def _unjudged(reading: SuiteReading) -> int:
    """Leave out questions that nobody judged, where others are; return how many.

    Collections have the queries of all their parts in one file, and judgements by part.
    """
    if not reading.judged:
        return 0
    found = {query for _, query in reading.ranked}
    left = [
        name
        for name, case in reading.cases.items()
        if name not in reading.judged and name not in found and case.unlabelled
    ]
    for name in left:
        del reading.cases[name], reading.places[name]
    return len(left)


def _rankings(reading: SuiteReading) -> None:
    """Make cases of judgements and answers of runs."""
    graded = any(part.grade > 1 for judged in reading.judged.values() for part, _ in judged.values())
    asked = frozenset(reading.cases)
    given = bool(reading.ranked or reading.answered)
    for query, judged in reading.judged.items():
        place = next(iter(judged.values()))[1]
        if not asked and not given:
            reading.problem(place.rpartition(": ")[0], "has judgements, but no file has their queries; name it too")
            return
        if query not in asked and not given:
            reading.problem(place, f"query-id: {one_line(query, 60)!r} is no question of the suite")
            continue
        try:
            reading.merge(Path(place), "", judged_case(query, [part for part, _ in judged.values()], graded=graded))
        except SuiteError as error:
            reading.problem(place, one_line(str(error)))
    for (system, query), ranked in reading.ranked.items():
        row = ranked_answer(query, list(ranked.values()))
        try:
            reading.put(Path(f"run {system}"), query, row)
        except SuiteError as error:
            reading.problem(f"run {one_line(system, 60)}", str(error))
    for journal in reading.answered.values():
        journal.close()
