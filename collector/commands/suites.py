"""The files of a suite, read, joined and checked: every case with its question, labels, answer and expectations.

Answers are put to disk as they are read, so that few are in memory; questions, labels and judgements are held until all
files are read, since any of them may complete a case of another.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.files.jsonl import answer_of
from adapters.files.labelled_rows import answer_of_row, is_row
from adapters.schema import Answer, Passage
from collector.commands.progress import Progress
from collector.commands.reading import MAX_BYTES, answers, opened
from collector.errors import ConfigError
from collector.runs.journal import Journal, rows_of
from collector.runs.manifest import read_manifest
from collector.runs.tables import ANSWERS, read_table
from collector.security.text import one_line
from evaluation.suites.case import JudgedPassage, RankedPassage, SuiteError, SuiteRow, SuiteText
from evaluation.suites.datasets import KINDS
from evaluation.suites.expectations import Expectations, expectations_of
from evaluation.suites.probe import is_probe, row_of_probe
from evaluation.suites.rankings import (
    BEIR_HEADER,
    QRELS,
    RUN,
    is_beir,
    judged_case,
    ranked_answer,
    ranking_line,
    row_of_beir,
)
from gates.verdicts.summary import counted

REPORTED = 20
"""Problems of a suite that are reported one by one; the rest are counted."""
ANSWER_KEYS = frozenset({"answer", "passages", "stages", "context", "citations"})
WRAPPERS = ("data", "examples", "items")
"""What an export calls the list of its records, outermost first."""
RECORDS = frozenset({"question", "question_id", "input", "inputs", "user_input", "_id"})
"""Keys of records, which are no wrappers."""
PEEK = 64 * 1024

SuitePart = SuiteRow | SuiteText | JudgedPassage | RankedPassage | None


@dataclass(slots=True)
class Suite:
    """A suite that was read: cases as journals, one for each configuration that answered, and how many each has.

    ``asked`` says that no case was answered: an application has to be asked.
    """

    configurations: dict[str | None, Path]
    counts: Counter[str | None]
    asked: bool


@dataclass(slots=True)
class _Reading:
    """What was read so far. Texts are kept only of passages that somebody names without."""

    folder: Path
    questions: bool = False
    """Whether what is read now is taken for its questions and labels alone, whatever was answered."""
    cases: dict[str, SuiteRow] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    judged: dict[str, dict[str, tuple[JudgedPassage, str]]] = field(default_factory=lambda: defaultdict(dict))
    ranked: dict[tuple[str, str], list[RankedPassage]] = field(default_factory=lambda: defaultdict(list))
    corpora: list[Path] = field(default_factory=list)
    answered: dict[str | None, Journal] = field(default_factory=dict)
    ids: dict[str | None, dict[bytes, str]] = field(default_factory=lambda: defaultdict(dict))
    problems: list[str] = field(default_factory=list)
    bad: int = 0

    def problem(self, text: str) -> None:
        self.bad += 1
        if self.bad <= REPORTED:
            self.problems.append(text)

    def take(self, path: Path, where: str, part: SuitePart) -> None:
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
                self.ranked[part.system, part.query].append(part)
            case SuiteRow() if self.questions:
                self.merge(path, where, SuiteRow(part.asked(), part.expect))
            case SuiteRow() if part.answered:
                self.put(path, where, part)
            case SuiteRow():
                self.merge(path, where, part)

    def merge(self, path: Path, where: str, part: SuiteRow) -> None:
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
        if digest in ids:
            raise SuiteError(
                f"id: two answers have the id {one_line(part.case_id, 60)!r}; the other is in {ids[digest]}"
            )
        ids[digest] = f"{path}: {where}"
        journal = self.answered.get(part.configuration)
        if journal is None:
            journal = Journal(self.folder / f"raw-{len(self.answered)}.jsonl")
            self.answered[part.configuration] = journal
        journal.append([{"answer_id": part.case_id, "place": f"{path}: {where}", **_row_of(part)}])


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
    reading = _Reading(folder)
    skipped = 0
    for place, path in enumerate([*files, *answered_in]):
        reading.questions = asks or (bool(answered_in) and place < len(files))
        for where, item in progress.over(_parts(path, options, progress), str(path)):
            try:
                if isinstance(item, Exception):
                    raise item
                if item is None:
                    skipped += 1
                reading.take(path, where, item)
            except (SuiteError, MalformedRecord, ValueError) as error:
                reading.problem(
                    f"{path}: {where}: {one_line(str(error))}" if where else f"{path}: {one_line(str(error))}"
                )
    for journal in reading.answered.values():
        journal.close()
    if skipped:
        err.write(f"groundwire: {counted(skipped, 'archived item')} of the suite left out\n")
    _rankings(reading)
    if reading.bad:
        raise _refused(reading)
    return _joined(reading, files, progress, asks=asks)


def _refused(reading: _Reading) -> ConfigError:
    more = reading.bad - len(reading.problems)
    return ConfigError(*reading.problems, *([f"{counted(more, 'more problem')} of the suite"] if more else []))


def _rankings(reading: _Reading) -> None:
    """Make cases of judgements and answers of runs."""
    graded = any(part.grade > 1 for judged in reading.judged.values() for part, _ in judged.values())
    for query, judged in reading.judged.items():
        place = next(iter(judged.values()))[1]
        if reading.cases and query not in reading.cases and not reading.ranked:
            reading.problem(f"{place}: query-id: {one_line(query, 60)!r} is no question of the suite")
            continue
        try:
            reading.merge(Path(place), "", judged_case(query, [part for part, _ in judged.values()], graded=graded))
        except SuiteError as error:
            reading.problem(f"{place}: {one_line(str(error))}")
    for (system, query), ranked in reading.ranked.items():
        row = ranked_answer(query, ranked)
        if len(ranked) > len({each.passage for each in ranked}):
            reading.problem(f"run {one_line(system, 60)}: {one_line(query, 60)!r} has a passage twice")
            continue
        try:
            reading.put(Path(f"run {system}"), query, row)
        except SuiteError as error:
            reading.problem(str(error))
    for journal in reading.answered.values():
        journal.close()


def _joined(reading: _Reading, files: Sequence[Path], progress: Progress, *, asks: bool) -> Suite:
    answered = {} if asks else reading.answered
    journals: dict[str | None, Path] = {}
    counts: Counter[str | None] = Counter()
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
    for place, (name, rows) in enumerate(raw.items()):
        journals[name] = reading.folder / f"cases-{place}.jsonl"
        seen: set[str] = set()
        with Journal(journals[name]) as journal:
            for row in rows:
                case = reading.cases.get(row["answer_id"])
                try:
                    whole = _whole(row, case)
                except SuiteError as error:
                    other = f" in {reading.places[row['answer_id']]}" if case is not None else ""
                    reading.problem(f"{row['place']}: {one_line(str(error))}{other}")
                    continue
                seen.add(row["answer_id"])
                counts[name] += 1
                journal.append([{"answer_id": whole.answer.id, **_row_of(_with_texts(whole, texts))}])
        if answered:
            for case_id in reading.cases.keys() - seen:
                label = "" if name is None else f" of {one_line(name, 60)}"
                reading.problem(f"{reading.places[case_id]}: id: {one_line(case_id, 60)!r} has no answer{label}")
    if not counts.total() and not reading.bad:
        reading.problem(f"{files[0]}: has no answers")
    if reading.bad:
        raise _refused(reading)
    return Suite(journals, counts, asked=asks)


def _asked_rows(reading: _Reading) -> Iterator[dict[str, Any]]:
    """Yield cases that are to be asked, in the order in which they were read: those with a question."""
    for case_id, case in list(reading.cases.items()):
        if case.answer.question is None:
            reading.problem(f"{reading.places[case_id]}: question: required, to ask it")
            continue
        del reading.cases[case_id]
        yield {"answer_id": case_id, "place": reading.places[case_id], **_row_of(case)}


def _whole(row: dict[str, Any], case: SuiteRow | None) -> SuiteRow:
    mine = _row_from(row)
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


def _texts(reading: _Reading, progress: Progress) -> dict[str, str]:
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
        for where, value in progress.over(_values(path), f"{path} (texts)"):
            if not isinstance(value, dict) or value.get("_id") not in wanted:
                continue
            part = row_of_beir(value)
            if isinstance(part, SuiteText):
                size += len(part.text)
                if size > MAX_BYTES:
                    raise ConfigError(f"{path}: {where}: answers name more than {MAX_BYTES} bytes of passages")
                found[part.id] = part.text
    return found


def _row_of(row: SuiteRow) -> dict[str, Any]:
    return {
        "answer": row.answer.model_dump(mode="json", exclude_defaults=True),
        **({} if row.expect is None else {"expect": row.expect.told()}),
    }


def _row_from(row: dict[str, Any]) -> SuiteRow:
    expect = row.get("expect")
    return SuiteRow(
        Answer.model_validate(row["answer"]),
        None if expect is None else Expectations.model_validate(expect),
        answered=True,
    )


def _parts(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    """Yield what each record of a file tells, with its place; what cannot be read as the error that says why."""
    if path.is_dir():
        yield from _of_run(path)
        return
    with opened(path) as stream:
        first = _first_line(stream)
    columns = first.split()
    if tuple(columns[:3]) == BEIR_HEADER or (
        len(columns) in (QRELS, RUN) and first[:1] not in "{[" and columns[3].lstrip("-").isdigit()
    ):
        yield from _of_lines(path)
    elif first[:1] in ("{", "["):
        yield from _of_json(path, options, progress)
    elif "," in first and path.suffix == ".csv":
        yield from _of_csv(path)
    else:
        yield from _of_traces(path, options, progress)


def _of_run(folder: Path) -> Iterator[tuple[str, SuitePart | Exception]]:
    """Yield the answers of a finished run, to be scored again."""
    from collector.runs.folder import finished

    if read_manifest(folder) is None:
        raise ConfigError(f"{folder}: is a folder without a run; name files, or a folder of `groundwire evaluate`")
    finished(folder, ANSWERS)
    for number, row in enumerate(read_table(folder / ANSWERS, ("record", "expect")), 1):
        expect = None if row["expect"] is None else Expectations.model_validate_json(row["expect"])
        yield f"row {number}", SuiteRow(Answer.model_validate_json(row["record"]), expect, answered=True)


def _of_lines(path: Path) -> Iterator[tuple[str, SuitePart | Exception]]:
    with opened(path) as stream:
        for number, line in enumerate(stream, 1):
            text = line.decode("utf-8", "replace").strip()
            if text:
                try:
                    part = ranking_line(text.split("\t") if "\t" in text else text.split())
                except SuiteError as error:
                    yield f"line {number}", error
                    continue
                if part is not None:
                    yield f"line {number}", part


def _of_csv(path: Path) -> Iterator[tuple[str, SuitePart | Exception]]:
    with opened(path) as stream:
        csv.field_size_limit(MAX_BYTES)
        rows = csv.DictReader(io.TextIOWrapper(stream, "utf-8-sig", newline=""), strict=True)
        try:
            for row in rows:
                where = f"line {rows.line_num}"
                if None in row or None in row.values():
                    yield (
                        where,
                        SuiteError(f"has {'more' if None in row else 'fewer'} cells than the header has columns"),
                    )
                    continue
                yield where, _part({name: cell for name, cell in row.items() if cell})
        except (csv.Error, UnicodeDecodeError) as error:
            yield f"line {rows.line_num}", SuiteError(f"not CSV: {error}")


def _of_json(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    values = _values(path)
    first = next(values, None)
    if first is not None and _is_foreign(first[1]):
        values.close()
        yield from _of_traces(path, options, progress)
        return
    for where, value in chain([] if first is None else [first], values):
        yield where, value if isinstance(value, Exception) else _part(value)


def _of_traces(path: Path, options: AdaptOptions, progress: Progress) -> Iterator[tuple[str, SuitePart | Exception]]:
    for _, item in answers([path], options, progress):
        yield (
            ("", item)
            if isinstance(item, MalformedRecord)
            else (f"id {one_line(item.id, 60)}", SuiteRow(item, answered=True))
        )


def _is_foreign(value: Any) -> bool:
    """Whether a record is no row of a suite: traces, as other tools export them."""
    if not isinstance(value, dict):
        return False
    if is_probe(value) or is_beir(value) or is_row(value) or any(claims(value) for claims, _ in KINDS):
        return False
    return not (value.keys() & {"question", "expect", "gold", "answer"})


def _part(value: Any) -> SuitePart | Exception:
    if not isinstance(value, dict):
        return SuiteError("not an object")
    try:
        return _told(value)
    except (SuiteError, MalformedRecord, ValueError) as error:
        return error


def _told(value: dict[str, Any]) -> SuitePart:
    expect = None if value.get("expect") is None else expectations_of(value["expect"])
    configuration = value.get("configuration")
    if configuration is not None and not isinstance(configuration, str):
        raise SuiteError("configuration: must be text")
    given = {name: each for name, each in value.items() if name not in ("expect", "configuration")}
    if is_probe(given):
        part: SuitePart = row_of_probe(given)
    elif is_beir(given):
        part = row_of_beir(given)
    elif is_row(given):
        part = SuiteRow(answer_of_row(given, ""), answered=True)
    else:
        read = next((read for claims, read in KINDS if claims(given)), None)
        if read is None:
            asked = {"question": None, "answer": None, **given}
            part = SuiteRow(answer_of(asked, ""), answered=not ANSWER_KEYS.isdisjoint(given))
        else:
            part = read(given)
    if isinstance(part, SuiteRow):
        return replace(part, expect=expect, configuration=configuration or part.configuration)
    return part


def _values(path: Path) -> Generator[tuple[str, Any], None, None]:
    """Yield the objects of a file with their places: lines, or a document that is a list or holds one."""
    with opened(path) as stream:
        first = stream.readline()
        while first and not first.strip():
            first = stream.readline()
        if _parsed(first.removeprefix(b"\xef\xbb\xbf")) is None or first.strip()[:1] == b"[":
            data = first + stream.read(MAX_BYTES + 1 - len(first))
            if len(data) > MAX_BYTES:
                raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes, and not JSON lines")
            yield from _document(data)
            return
        for number, line in enumerate(chain([first], stream), 1):
            if line.strip():
                where = f"line {number}"
                try:
                    value = orjson.loads(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
                except orjson.JSONDecodeError as error:
                    yield where, SuiteError(f"not JSON: {error}")
                else:
                    yield from _unwrapped(value, where)


def _document(data: bytes) -> Iterator[tuple[str, Any]]:
    text = data.removeprefix(b"\xef\xbb\xbf")
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = text.split(b"\n")
        if sum(_parsed(line) is not None for line in lines) * 2 > sum(bool(line.strip()) for line in lines):
            for number, line in enumerate(lines, 1):
                found = _parsed(line)
                if line.strip():
                    yield f"line {number}", SuiteError("not JSON") if found is None else found
            return
        yield f"line {error.lineno}", SuiteError(f"not JSON: {error.msg}, column {error.colno}")
        return
    yield from _unwrapped(value, "")


def _unwrapped(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Yield the records that an export wraps in one object, each with its place; any other value as it is."""
    for name in WRAPPERS:
        if isinstance(value, dict) and isinstance(value.get(name), list | dict) and RECORDS.isdisjoint(value):
            value, where = value[name], f"{where}.{name}" if where else name
    if isinstance(value, list):
        yield from ((f"{where}[{place}]", each) for place, each in enumerate(value))
    else:
        yield where, value


def _parsed(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _first_line(stream: BinaryIO) -> str:
    """Return the beginning of the first line with words."""
    for line in iter(lambda: stream.readline(PEEK), b""):
        text = line.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").strip()
        if text:
            return text
    return ""
