"""The verdict of an agent as files that pipelines show: JUnit XML for lists of tests, Markdown for run summaries.

Reasons and slices hold words of traffic, so all of it counts as hostile: nothing in it may end an element, draw a
link or a picture, or leave its cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

from pydantic import BaseModel

from collector.errors import ConfigError
from collector.security.text import one_line
from collector.writing import write_whole

MAX_MARKDOWN = 256 * 1024
"""Bytes of one summary; the summary of a step may have a mebibyte, and others write to it too."""
WORDS = {"pass": "pass", "fail": "**FAIL**", "inconclusive": "inconclusive"}
_MARKS = re.compile(r"[\\`*_{}\[\]<>()#+!|~&@:]|(?<=[wW])\.")


class AgentSliceVerdict(BaseModel):
    """The verdict over one slice, as far as it is read."""

    slice: Mapping[str, str]
    state: str
    reason: str
    n: int
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None
    candidate: str | None = None

    @property
    def title(self) -> str:
        """The slice as text."""
        return ", ".join(f"{key}={value}" for key, value in self.slice.items()) or "all traffic"

    def over(self, verdict: AgentVerdict) -> str:
        """Which release the slice is judged with, where the verdict as a whole names none.

        >>> part = AgentSliceVerdict(slice={}, state="pass", reason="it is as good", n=30, candidate="2.1")
        >>> part.over(AgentVerdict(gate="canary", state="pass", reason="it is as good", slices=(part,)))
        'over 2.1'
        """
        return f"over {self.candidate}" if self.candidate and not verdict.candidate else ""


class AgentVerdict(BaseModel):
    """A verdict as far as it is read; an agent of another version may say more."""

    gate: str
    state: Literal["pass", "fail", "inconclusive"]
    reason: str
    candidate: str | None = None
    baseline: str | None = None
    evidence_until: datetime | None = None
    pending: int | None = None
    slices: tuple[AgentSliceVerdict, ...]

    @property
    def waiting(self) -> str | None:
        """What waits to be scored, as text; ``None`` where nothing does, or an older agent does not say."""
        if not self.pending or self.evidence_until is None:
            return None
        return f"evidence until {self.evidence_until:%Y-%m-%d %H:%M:%S UTC}, {self.pending:,} waiting to be scored"


def writable(*files: Path | None) -> None:
    """Raise `ConfigError` for a file that cannot be written, before anybody waits for its content."""
    for file in files:
        if file is not None:
            _put(file, "", append=True)


def write(verdict: AgentVerdict, *, junit: Path | None, markdown: Path | None) -> None:
    """Write a verdict as JUnit XML, and append it as Markdown. Raises `ConfigError` where that cannot be done."""
    if junit is not None:
        _put(junit, junit_text(verdict))
    if markdown is not None:
        _put(markdown, markdown_text(verdict), append=True)


def write_unasked(name: str, error: ConfigError, *, junit: Path | None, markdown: Path | None) -> None:
    """Write that there is no verdict, and why: a missing report might be read as a pass."""
    why = "; ".join(error.problems)
    if junit is not None:
        _put(junit, _suite(_named(name), [("gate", "error", why)]))
    if markdown is not None:
        _put(markdown, f"### Gate {cell(name)}: no verdict\n\n{cell(why)}\n\n", append=True)


def junit_text(verdict: AgentVerdict) -> str:
    """Return JUnit XML: a test for the gate and one for each slice, a failure where it fails, else skipped or passed.

    The words stand in the element, where GitLab looks for them; names are made unique, as it drops those that are not.

    >>> text = junit_text(AgentVerdict(gate="canary", state="fail", reason="a < b", slices=()))
    >>> "<failure>a &lt; b</failure>" in text, 'failures="1"' in text
    (True, True)
    """
    kinds = {"fail": "failure", "inconclusive": "skipped"}
    parts = [("gate", kinds.get(verdict.state), _about(verdict))] + [
        (one_line(part.title), kinds.get(part.state), f"{one_line(part.reason)}; {part.n} answers")
        for part in verdict.slices
    ]
    return _suite(_named(verdict.gate), parts)


def write_junit(file: Path, name: str, parts: Sequence[tuple[str, str | None, str]]) -> None:
    """Write a suite of tests as JUnit XML: of each its name, failure, error, skipped or none, and the words.

    Raises `ConfigError` where that cannot be done.
    """
    _put(file, _suite(name, parts))


def append_markdown(file: Path, text: str) -> None:
    """Append Markdown, as far as a summary takes it. Raises `ConfigError` where that cannot be done."""
    _put(file, text.encode()[:MAX_MARKDOWN].decode("utf-8", "ignore"), append=True)


def _suite(name: str, parts: Sequence[tuple[str, str | None, str]]) -> str:
    counts = {
        name: str(sum(kind == of for _, kind, _ in parts))
        for name, of in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", {"name": name, "tests": str(len(parts))} | counts)
    used: dict[str, int] = {}
    for title, kind, text in parts:
        used[title] = used.get(title, 0) + 1
        unique = title if used[title] == 1 else f"{title} ({used[title]})"
        case = ET.SubElement(suite, "testcase", classname=name, name=one_line(unique), time="0")
        ET.SubElement(case, kind or "system-out").text = one_line(text)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def markdown_text(verdict: AgentVerdict) -> str:
    """Return Markdown: a heading, the reason, and a table of slices as far as they fit.

    >>> print(markdown_text(AgentVerdict(gate="canary", state="pass", reason="a|b", candidate="2.1", slices=())))
    ### Gate canary: pass over 2.1
    <BLANKLINE>
    a&#124;b
    <BLANKLINE>
    <BLANKLINE>
    """
    over = f" over {cell(verdict.candidate)}" if verdict.candidate else ""
    text = f"### Gate {cell(verdict.gate)}: {WORDS[verdict.state]}{over}\n\n{cell(verdict.reason)}\n\n"
    if verdict.waiting is not None:
        text += f"{cell(verdict.waiting)}\n\n"
    if not verdict.slices:
        return text
    text += "| slice | verdict | answers | estimate | why |\n| --- | --- | ---: | --- | --- |\n"
    rows, size = [], len(text.encode())
    for place, part in enumerate(verdict.slices):
        figures = _figures(part)
        state = f"{WORDS.get(part.state) or cell(part.state)} {cell(part.over(verdict))}".strip()
        row = f"| {cell(part.title)} | {state} | {part.n} | {figures} | {cell(part.reason)} |\n"
        size += len(row.encode())
        if size > MAX_MARKDOWN:
            rows.append(f"\nand {len(verdict.slices) - place} more slices\n")
            break
        rows.append(row)
    return text + "".join(rows) + "\n"


def _named(gate: str) -> str:
    return f"groundwire gate {one_line(gate)}"


def _about(verdict: AgentVerdict) -> str:
    over = f"release {one_line(verdict.candidate)}: " if verdict.candidate else ""
    return over + one_line(verdict.reason) + (f"; {verdict.waiting}" if verdict.waiting else "")


def _figures(part: AgentSliceVerdict) -> str:
    if part.estimate is None or part.lower is None or part.upper is None:
        return ""
    return f"{part.estimate:.3g} ({part.lower:.3g} to {part.upper:.3g})"


def cell(text: str) -> str:
    """Return text as Markdown shows it, and nothing else of it.

    >>> cell("a|b")
    'a&#124;b'
    """
    return _MARKS.sub(lambda mark: f"&#{ord(mark.group())};", one_line(text))


def _put(file: Path, text: str, *, append: bool = False) -> None:
    if not append:
        write_whole(file, text.encode())
        return
    try:
        with file.open("a", encoding="utf-8") as target:
            target.write(text)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}") from error
