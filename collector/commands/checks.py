"""What rows of a suite expect, held against their answers: a table for people, JUnit for pipelines, rows of the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from xml.etree import ElementTree as ET

from adapters.schema import Answer
from collector.commands.columns import aligned
from collector.runs.folder import ASKED, SCORED
from collector.runs.journal import rows_of
from collector.security.text import one_line
from collector.writing import write_whole
from evaluation.consistency.spread import REPEAT_OF
from evaluation.suites.expectations import CheckedExpectation, Expectations
from gates.inputs.slices import attributes_of
from gates.units.names import suggestion
from gates.verdicts.summary import counted

SHOWN = 50
"""Missed expectations that the table shows; JUnit and the run folder have all."""
WIDTH = 240
FLIPS = 10
"""Questions that are named, of those whose repetitions differ."""
NO_VALUE = "(none)"


class CheckedRow(NamedTuple):
    """A row with its expectations, all of them."""

    run: str
    answer_id: str
    slice: str | None
    checks: tuple[CheckedExpectation, ...]
    question: str | None = None
    """The row of the suite that it repeats."""


class CheckReport:
    """What was expected in all runs of a suite, and what was missed, counted by the values of attribute ``by``."""

    def __init__(self, by: str | None = None) -> None:
        self._by = by
        self._rows: list[CheckedRow] = []
        self._slices: Counter[tuple[str, str, bool]] = Counter()
        self._attributes: set[str] = set()

    @property
    def missed(self) -> int:
        """Rows of which an expectation was missed."""
        return sum(not _kept(row) for row in self._rows)

    @property
    def empty(self) -> bool:
        """Whether no row of any run expects anything."""
        return not self._rows

    def add(self, run: str, answer: Answer, checks: list[CheckedExpectation]) -> None:
        """Take the expectations of one answer."""
        value = None
        if self._by is not None:
            attributes = attributes_of(answer)
            self._attributes.update(attributes)
            value = attributes.get(self._by, NO_VALUE)
            self._slices[run, value, all(check.kept for check in checks)] += 1
        question = answer.attributes.get(REPEAT_OF)
        self._rows.append(CheckedRow(run, answer.id, value, tuple(checks), question))

    def write_junit(self, path: Path, *, broken: tuple[str, str] | None = None) -> None:
        """Write all rows as JUnit, with a run that ended with an error, and the error."""
        write_whole(path, self.junit(broken).encode(), option="--junit")

    def told(self) -> dict[str, Any]:
        """Return what was expected and what was missed, for programs."""
        expectations = [
            {
                "run": run,
                "rows": len(rows),
                "kept": sum(map(_kept, rows)),
                "kept_in_some_repetitions": _flipping(rows)[1],
            }
            for run, rows in self._by_run()
        ]
        missed = [
            {"run": row.run, "answer_id": row.answer_id, "expected": check.expectation, "why": check.why}
            for row, check in self._missed()
        ]
        slices = [
            {"run": run, "value": value, "rows": kept + not_kept, "kept": kept}
            for run, value, kept, not_kept in self._by_value()
        ]
        return {"expectations": expectations, "missed": missed, "by": self._by, "slices": slices}

    def _missed(self) -> Iterator[tuple[CheckedRow, CheckedExpectation]]:
        yield from ((row, check) for row in self._rows for check in row.checks if not check.kept)

    def _by_run(self) -> Iterator[tuple[str, list[CheckedRow]]]:
        yield from ((run, list(rows)) for run, rows in groupby(self._rows, key=lambda row: row.run))

    def _by_value(self) -> Iterator[tuple[str, str, int, int]]:
        for run, value in sorted({(run, value) for run, value, _ in self._slices}):
            yield run, value, self._slices[run, value, True], self._slices[run, value, False]

    def write(self, out: TextIO) -> None:
        """Print what was missed and why, with the counts."""
        if not self._rows:
            return
        rows = [
            [
                one_line(row.run, 40),
                one_line(row.answer_id, 60),
                one_line(check.expectation, 60),
                one_line(check.why or "", WIDTH),
            ]
            for row, check in self._missed()
        ]
        if rows:
            out.write("\n")
            out.writelines(aligned([["run", "row", "expected", "why it was missed"], *rows[:SHOWN]], right=set()))
            if len(rows) > SHOWN:
                out.write(
                    f"and {counted(len(rows) - SHOWN, 'more missed expectation')}; see --junit, or checks.parquet\n"
                )
            out.write("\n")
        for run, checked in self._by_run():
            kept = [_kept(row) for row in checked]
            out.write(f"{one_line(run, 40)}: {sum(kept):,} of {counted(len(kept), 'row')} with expectations kept\n")
            out.writelines(_flips(run, checked))
        self._write_slices(out)

    def _write_slices(self, out: TextIO) -> None:
        if self._by is None:
            return
        if self._by not in self._attributes:
            hint = suggestion(self._by, sorted(self._attributes))
            out.write(f"--by {one_line(self._by, 40)}: no row with expectations has this attribute{hint}\n")
            return
        rows = [["run", one_line(self._by, 40), "rows", "kept"]]
        for run, value, kept, missed in self._by_value():
            rows.append([one_line(run, 40), one_line(value, 60), f"{kept + missed:,}", f"{kept / (kept + missed):.0%}"])
        out.writelines(aligned(rows, right={2, 3}))

    def junit(self, broken: tuple[str, str] | None = None) -> str:
        """Return JUnit XML: a suite for each run, a test for each row, with a failure for what was missed.

        >>> report = CheckReport()
        >>> report.add("r", Answer(id="a"), [CheckedExpectation("must refuse", False, "", "the answer complies")])
        >>> '<failure message="must refuse">the answer complies</failure>' in report.junit()
        True
        """
        root = ET.Element("testsuites")
        for run, rows in self._by_run():
            name = f"groundwire evaluate {one_line(run)}"
            failures = str(sum(not _kept(row) for row in rows))
            suite = ET.SubElement(root, "testsuite", name=name, tests=str(len(rows)), failures=failures, errors="0")
            for row in rows:
                case = ET.SubElement(suite, "testcase", classname=name, name=one_line(row.answer_id), time="0")
                missed = [check for check in row.checks if not check.kept]
                if missed:
                    message = "; ".join(one_line(check.expectation) for check in missed)
                    failure = ET.SubElement(case, "failure", message=message)
                    failure.text = "; ".join(one_line(check.why or "") for check in missed)
                else:
                    kept = ET.SubElement(case, "system-out")
                    kept.text = "; ".join(one_line(check.expectation) for check in row.checks)
        if broken is not None:
            name = f"groundwire evaluate {one_line(broken[0])}"
            suite = ET.SubElement(root, "testsuite", name=name, tests="1", failures="0", errors="1")
            case = ET.SubElement(suite, "testcase", classname=name, name="run", time="0")
            ET.SubElement(case, "error", message=one_line(broken[1], 600))
        ET.indent(root)
        return ET.tostring(root, encoding="unicode") + "\n"


def checks_of(folder: Path, run: str, report: CheckReport) -> Iterator[dict[str, Any]]:
    """Yield the expectations of a run's answers as rows of its table, from its journals; add them to ``report``."""
    scores = groupby(rows_of(folder / SCORED), key=lambda row: row["answer_id"])
    for answer_row, (_, of) in zip(rows_of(folder / ASKED), scores, strict=True):
        by_metric = {row["metric"]: row for row in of}
        if "expect" not in answer_row:
            continue
        answer = Answer.model_validate(answer_row["answer"])
        checks = Expectations.model_validate(answer_row["expect"]).checked(answer, by_metric)
        report.add(run, answer, checks)
        attributes = sorted(attributes_of(answer).items())
        for check in checks:
            yield {"run": run, "answer_id": answer.id, **check._asdict(), "attributes": attributes}


def _flips(run: str, rows: Sequence[CheckedRow]) -> Iterator[str]:
    """Yield how many questions keep what is expected in some repetitions and miss it in others."""
    asked, changing = _flipping(rows)
    if asked:
        named = ", ".join(one_line(name, 60) for name in changing[:FLIPS])
        more = f" and {len(changing) - FLIPS:,} more" if len(changing) > FLIPS else ""
        of = counted(asked, "question")
        yield f"{one_line(run, 40)}: {len(changing):,} of {of} kept in some repetitions only"
        yield f": {named}{more}\n" if changing else "\n"


def _flipping(rows: Sequence[CheckedRow]) -> tuple[int, list[str]]:
    """Return how many questions were asked again, and those that keep what is expected in some repetitions only."""
    asked: dict[str, list[bool]] = {}
    for row in rows:
        if row.question is not None:
            asked.setdefault(row.question, []).append(_kept(row))
    return len(asked), [name for name, kept in asked.items() if len(set(kept)) > 1]


def _kept(row: CheckedRow) -> bool:
    return all(check.kept for check in row.checks)
