"""The cases of a suite, put together from what its files tell of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adapters.schema import Passage
from collector.commands.progress import Progress
from collector.commands.reading import MAX_BYTES
from collector.commands.suites.files import values_of
from collector.commands.suites.judging import SuiteJudging
from collector.commands.suites.taken import SuiteReading, journal_row, row_in
from collector.errors import ConfigError
from collector.runs.journal import Journal, rows_of
from collector.security.text import one_line
from evaluation.suites.case import SuiteError, SuiteRow
from evaluation.suites.rankings import text_of_beir


@dataclass(slots=True)
class Suite:
    """A suite that was read: cases as journals, one for each configuration that answered, and how many each has.

    ``asked`` says that no case was answered: an application has to be asked. ``expected`` says where the first row
    stands that expects something of a metric.
    """

    configurations: dict[str | None, Path]
    counts: Counter[str | None]
    asked: bool
    expected: dict[str, str]


def joined(reading: SuiteReading, files: Sequence[Path], progress: Progress, *, asks: bool) -> Suite:
    """Return the suite that was read, its cases in journals. Raises `ConfigError` for what does not go together."""
    answered = {} if asks else reading.answered
    journals: dict[str | None, Path] = {}
    counts: Counter[str | None] = Counter()
    expected: dict[str, str] = {}
    if not answered:
        if not asks and reading.cases:
            raise ConfigError(
                f"{files[0]}: has questions and no answers; name answers to them, or an application to ask "
                "(--application)"
            )
        raw: dict[str | None, Any] = {None: _asked_rows(reading)}
    else:
        raw = {name: rows_of(reading.folder / f"raw-{place}.jsonl") for place, name in enumerate(answered)}
    texts = _texts(reading, progress)
    judging = SuiteJudging(reading, alone=len(raw) == 1, asks=asks)
    for place, (name, rows) in enumerate(raw.items()):
        journals[name] = reading.folder / f"cases-{place}.jsonl"
        seen: set[str] = set()
        with Journal(journals[name]) as journal:
            for row in rows:
                case = reading.cases.get(row["answer_id"])
                seen.add(row["answer_id"])
                try:
                    whole = judging.judged(_whole(row, case), name, row["place"])
                except SuiteError as error:
                    other = f" in {reading.places[row['answer_id']]}" if case is not None else ""
                    reading.problem(row["place"], f"{one_line(str(error))}{other}")
                    continue
                counts[name] += 1
                at = row["place"] if case is None or case.expect is None else reading.places[row["answer_id"]]
                expected = dict.fromkeys(_needed(whole), at) | expected
                journal.append([{"answer_id": whole.answer.id, **journal_row(_with_texts(whole, texts))}])
        if answered:
            for case_id in (name for name in reading.cases if name not in seen):
                label = "" if name is None else f" of {one_line(name, 60)}"
                reading.problem(reading.places[case_id], f"id: {one_line(case_id, 60)!r} has no answer{label}")
    judging.end()
    if not counts.total() and not reading.bad:
        reading.problem(str(files[0]), "has no answers")
    if reading.bad:
        raise reading.refused()
    return Suite(journals, counts, asked=asks, expected=expected)


def _asked_rows(reading: SuiteReading) -> Iterator[dict[str, Any]]:
    """Yield cases that are to be asked, in the order in which they were read: those with a question."""
    for case_id, case in list(reading.cases.items()):
        if case.answer.question is None:
            reading.problem(reading.places[case_id], "question: required, to ask it")
            continue
        del reading.cases[case_id]
        yield {"answer_id": case_id, "place": reading.places[case_id], **journal_row(case)}


def _needed(case: SuiteRow) -> frozenset[str]:
    """Return the metrics that tell whether a case is as expected."""
    return frozenset() if case.expect is None else case.expect.metrics()


def _whole(row: dict[str, Any], case: SuiteRow | None) -> SuiteRow:
    mine = row_in(row)
    return mine if case is None else mine.merged(case)


def _with_texts(row: SuiteRow, texts: dict[str, str]) -> SuiteRow:
    if not texts or row.answer.passages is None:
        return row
    filled = tuple(_filled(each, texts) for each in row.answer.passages)
    return replace(row, answer=row.answer.model_copy(update={"passages": filled}))


def _filled(passage: Passage, texts: dict[str, str]) -> Passage:
    if passage.text is not None or passage.id not in texts:
        return passage
    return passage.model_copy(update={"text": texts[passage.id]})


def _texts(reading: SuiteReading, progress: Progress) -> dict[str, str]:
    """Return the texts of corpora that answers name by their ids. Raises `ConfigError` where they are too many."""
    if not reading.corpora:
        return {}
    wanted = {
        passage["id"]
        for place, _ in enumerate(reading.answered)
        for row in rows_of(reading.folder / f"raw-{place}.jsonl")
        for passage in row["answer"].get("passages") or ()
        if passage.get("text") is None
    }
    found: dict[str, str] = {}
    size = 0
    for path in reading.corpora:
        for where, value in progress.over(values_of(path), f"{path} (texts)"):
            if not isinstance(value, dict) or value.get("_id") not in wanted:
                continue
            part = text_of_beir(value)
            size += len(part.text)
            if size > MAX_BYTES:
                raise ConfigError(f"{path}: {where}: answers name more than {MAX_BYTES} bytes of passages")
            found[part.id] = part.text
    return found
