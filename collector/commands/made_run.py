"""What `groundwire evaluate` says of a run that was made: for people, and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from collector.commands.repeating import spread_table
from collector.security.text import one_line
from evaluation.consistency.spread import RepeatSpread
from gates.verdicts.summary import counted


class MadeRun(NamedTuple):
    """A finished run: how many answers it scored, and how far answers to the same thing differ."""

    name: str
    folder: Path
    answers: int
    resumed: int
    """Answers that were there before the run was interrupted."""
    failed: int
    """Questions that got no answer."""
    spreads: Sequence[RepeatSpread]
    unanswered: int = 0
    """Rows without an answer, of which only what was retrieved can be scored."""
    unasked: int = 0
    """Rows without a question."""
    shared: float | None = None
    """The share of the documents they cite that answers to the same question have in common."""
    metrics: Mapping[str, Mapping[str, Any]] = {}
    """How many answers have a value of each metric, and why the others have none."""
    without_value: Sequence[str] = ()
    """A sentence for each metric that was asked for and has no value in any answer."""

    def line(self) -> str:
        r"""Return what was scored, for people.

        >>> MadeRun("r: 2", Path("runs/r__2"), 40, 0, 1, (), unasked=2).line()
        'runs/r__2 (r: 2): 40 answers scored; 1 question got no answer; 2 rows have no question\n'
        """
        before = f", {self.resumed:,} of them before it was interrupted" if self.resumed else ""
        failures = f"; {counted(self.failed, 'question')} got no answer" if self.failed else ""
        for rows, what in ((self.unanswered, "answer"), (self.unasked, "question")):
            failures += f"; {counted(rows, 'row')} {'has' if rows == 1 else 'have'} no {what}" if rows else ""
        named = "" if self.folder.resolve().name == self.name else f" ({one_line(self.name, 60)})"
        lacking = "".join(f"{line}\n" for line in self.without_value)
        return f"{self.folder}{named}: {counted(self.answers, 'answer')} scored{before}{failures}\n{lacking}"

    def spread_lines(self) -> Iterator[str]:
        """Yield how far answers to the same thing differ, for people."""
        yield from spread_table(self.name, self.spreads)
        if self.shared is not None:
            said = f"answers to the same question share {self.shared:.0%} of the documents that they cite"
            yield f"{one_line(self.name, 40)}: {said}\n"

    def told(self) -> dict[str, Any]:
        """Return the same for programs."""
        return {
            "run": self.name,
            "folder": str(self.folder),
            "answers": self.answers,
            "resumed": self.resumed,
            "failed": self.failed,
            "unanswered": self.unanswered,
            "unasked": self.unasked,
            "repeats": [each._asdict() for each in self.spreads],
            "shared_citations": self.shared,
            "metrics": self.metrics,
        }
