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
    if left := _unjudged(reading):
        err.write(f"groundwire: {counted(left, 'question')} without judgements left out\n")
    _rankings(reading)
    if reading.bad:
        raise reading.refused()
    return joined(reading, files, progress, asks=asks)


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
    for query, judged in reading.judged.items():
        place = next(iter(judged.values()))[1]
        if reading.cases and query not in reading.cases and not reading.ranked:
            reading.problem(place, f"query-id: {one_line(query, 60)!r} is no question of the suite")
            continue
        try:
            reading.merge(Path(place), "", judged_case(query, [part for part, _ in judged.values()], graded=graded))
        except SuiteError as error:
            reading.problem(place, one_line(str(error)))
    for (system, query), ranked in reading.ranked.items():
        row = ranked_answer(query, ranked)
        if len(ranked) > len({each.passage for each in ranked}):
            reading.problem(f"run {one_line(system, 60)}", f"{one_line(query, 60)!r} has a passage twice")
            continue
        try:
            reading.put(Path(f"run {system}"), query, row)
        except SuiteError as error:
            reading.problem(f"run {one_line(system, 60)}", str(error))
    for journal in reading.answered.values():
        journal.close()
