"""What is taken of a suite while its files are read.

Answers are put to disk as they are read, so that few are in memory; questions, labels and judgements are held until all
files are read, since any of them may complete a case of another.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adapters.schema import Answer, AnswerJudgement
from collector.commands.problems import RecordProblems
from collector.errors import ConfigError
from collector.runs.journal import Journal
from collector.security.text import one_line
from evaluation.suites.case import JudgedPassage, RankedPassage, SuiteError, SuiteRow, SuiteText
from evaluation.suites.expectations import Expectations
from evaluation.suites.judgements import together

SuitePart = SuiteRow | SuiteText | JudgedPassage | RankedPassage | None
"""What a record tells; ``None`` of an archived one."""


@dataclass(slots=True)
class SuiteReading:
    """What was read so far. Texts are kept only of passages that somebody names without."""

    folder: Path
    questions: bool = False
    """Whether what is read now is taken for its questions and labels alone, whatever was answered."""
    cases: dict[str, SuiteRow] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    judged: dict[str, dict[str, tuple[JudgedPassage, str]]] = field(default_factory=lambda: defaultdict(dict))
    ranked: dict[tuple[str, str], dict[str, RankedPassage]] = field(default_factory=lambda: defaultdict(dict))
    corpora: list[Path] = field(default_factory=list)
    answered: dict[str | None, Journal] = field(default_factory=dict)
    ids: dict[str | None, dict[bytes, str]] = field(default_factory=lambda: defaultdict(dict))
    unnamed: Counter[tuple[Path, str | None, str]] = field(default_factory=Counter)
    """How often a file, and a configuration in it, has a question whose records have no id."""
    said: dict[tuple[str | None, str], tuple[tuple[AnswerJudgement, ...], str]] = field(default_factory=dict)
    """What other evaluators say of answers, by configuration and id, and where that stands."""
    problems: RecordProblems = field(default_factory=RecordProblems)

    @property
    def bad(self) -> int:
        """Records that cannot be used."""
        return self.problems.bad

    def problem(self, place: str, reason: str) -> None:
        """Count a problem; the first are told."""
        self.problems.add(place, reason)

    def take(self, path: Path, where: str, part: SuitePart) -> None:
        """Take what a record at a place tells. Raises `SuiteError` where it contradicts another."""
        match part:
            case None:
                return
            case SuiteText():
                if path not in self.corpora:
                    self.corpora.append(path)
            case JudgedPassage():
                there = self.judged[part.query].get(part.passage)
                if there is not None and there[0].grade != part.grade:
                    raise SuiteError(f"score: {part.grade} contradicts {there[0].grade} in {there[1]}")
                self.judged[part.query][part.passage] = (part, f"{path}: {where}")
            case RankedPassage():
                ranked = self.ranked[part.system, part.query]
                if part.passage in ranked:
                    of = f"{one_line(part.query, 60)!r} by {one_line(part.system, 60)}"
                    raise SuiteError(f"docno: {one_line(part.passage, 60)!r} was found for {of} already")
                ranked[part.passage] = part
            case SuiteRow():
                self._take_row(path, where, part)

    def _take_row(self, path: Path, where: str, part: SuiteRow) -> None:
        if part.unnamed:
            part = self._counted(path, part)
        if part.answer.judgements is not None and not part.answered:
            self.judge(f"{path}: {where}", part.configuration, part.case_id, part.answer.judgements)
        elif self.questions:
            self.merge(path, where, SuiteRow(part.asked(), part.expect))
        elif part.answered:
            self.put(path, where, part)
        else:
            self.merge(path, where, part)

    def _counted(self, path: Path, part: SuiteRow) -> SuiteRow:
        """Return a record without an id under one of its own: a question that comes again in a file has a number."""
        times = self.unnamed[path, part.configuration, part.case_id]
        self.unnamed[path, part.configuration, part.case_id] += 1
        if not times:
            return part
        return replace(part, answer=part.answer.model_copy(update={"id": f"{part.case_id}-{times + 1}"}))

    def merge(self, path: Path, where: str, part: SuiteRow) -> None:
        """Complete a case by its id. Raises `SuiteError` where it is told twice, or two ways."""
        there = self.cases.get(part.case_id)
        if there is None:
            self.cases[part.case_id], self.places[part.case_id] = part, f"{path}: {where}"
            return
        if part == there:
            raise SuiteError(f"id: {one_line(part.case_id, 60)!r} is in {self.places[part.case_id]} already")
        try:
            self.cases[part.case_id] = there.merged(part)
        except SuiteError as error:
            raise SuiteError(f"{error} in {self.places[part.case_id]}") from error

    def put(self, path: Path, where: str, part: SuiteRow) -> None:
        """Put an answer to disk."""
        digest = hashlib.blake2b(part.case_id.encode(), digest_size=16).digest()
        ids = self.ids[part.configuration]
        if digest in ids and part.unnamed:
            other = ids[digest].rpartition(": ")[0]
            raise SuiteError(
                f"id: missing, and the question was answered in {other} too; evaluate each file as a run of its own "
                "and compare the runs, or give the rows ids"
            )
        if digest in ids:
            raise SuiteError(
                f"id: two answers have the id {one_line(part.case_id, 60)!r}; the other is in {ids[digest]}"
            )
        ids[digest] = f"{path}: {where}"
        journal = self.answered.get(part.configuration)
        if journal is None:
            journal = Journal(self.folder / f"raw-{len(self.answered)}.jsonl")
            self.answered[part.configuration] = journal
        journal.append([{"answer_id": part.case_id, "place": f"{path}: {where}", **journal_row(part)}])

    def judge(self, place: str, configuration: str | None, case_id: str, given: tuple[AnswerJudgement, ...]) -> None:
        """Keep what other evaluators say of an answer. Raises `SuiteError` where two records score the same."""
        there, first = self.said.get((configuration, case_id), ((), place))
        try:
            self.said[configuration, case_id] = together(there, given), first
        except ValueError as error:
            raise SuiteError(f"{error} ({first})") from error

    def refused(self) -> ConfigError:
        """Return what is wrong with the suite as an error."""
        return ConfigError(*self.problems.lines())


def journal_row(row: SuiteRow) -> dict[str, Any]:
    """Return a case as a journal keeps it."""
    return {
        "answer": row.answer.model_dump(mode="json", exclude_defaults=True),
        **({} if row.expect is None else {"expect": row.expect.told()}),
    }


def row_in(row: dict[str, Any]) -> SuiteRow:
    """Return the case of a row of a journal."""
    expect = row.get("expect")
    return SuiteRow(
        Answer.model_validate(row["answer"]),
        None if expect is None else Expectations.model_validate(expect),
        answered=True,
    )
