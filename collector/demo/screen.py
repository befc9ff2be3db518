"""What the demo shows: the story line by line, and on a terminal the gate's slices live below it."""

from __future__ import annotations

import time
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from collector.demo.client import GateView, Offender, SliceView

_STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}
_BAR = 20


def measured(slice_: SliceView) -> str:
    """Return estimate, number and bounds of a slice as text: ``65 % of 20 answers (41 to 83 %)``."""
    if slice_.estimate is None or slice_.lower is None or slice_.upper is None:
        return "no data"
    return f"{slice_.estimate:.0%} of {slice_.n} answers ({100 * slice_.lower:.0f} to {slice_.upper:.0%})".replace(
        "%", " %"
    )


class Paper(Console):
    """A console that raises when nobody reads any longer; rich would end the process with exit code 1."""

    def on_broken_pipe(self) -> None:
        """Raise the `BrokenPipeError` of the write."""
        raise  # noqa: PLE0704 - rich calls this while it handles the error


class Screen:
    """Prints lines with the time since the start; on a terminal it keeps a live table of the gate at the bottom."""

    def __init__(self, console: Console, *, gate: str, at_most: float) -> None:
        self._console = console
        self._gate = gate
        self._at_most = at_most
        self._started = time.monotonic()
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def say(self, line: str, *, style: str = "") -> None:
        """Print one line of the story."""
        elapsed = time.monotonic() - self._started
        self._print(Text.assemble((f"{elapsed:6.1f}s  ", "dim"), (line, style)))

    def offender(self, offender: Offender) -> None:
        """Print an answer that rests on a superseded passage, and the passage it should have rested on."""
        for label, text, style in (
            ("asked", offender.question, ""),
            ("answered", offender.answer, "red"),
            ("rests on", offender.used, "red"),
            ("should rest on", offender.should_have_used, "green"),
            ("because", offender.because, "green"),
            ("trace", offender.trace_id, "dim"),
        ):
            self._print(Text.assemble((f"{'':9}{label:>15}  ", "dim"), (text, style)))
        self._print(Text())

    def show(self, view: GateView, *, asked: int, doing: str) -> None:
        """Redraw the live table; without a terminal there is none."""
        if self._live is not None:
            self._live.update(self._table(view, asked=asked, doing=doing), refresh=True)

    def _print(self, text: Text) -> None:
        # A pipe gets whole lines: whoever reads them decides where to break.
        self._console.print(text, soft_wrap=not self._console.is_terminal)

    def _table(self, view: GateView, *, asked: int, doing: str) -> Group:
        table = Table(box=None, pad_edge=False, header_style="dim")
        for heading in ("domain", "verdict", "answers on superseded policies", ""):
            table.add_column(heading)
        for each in view.slices:
            style = _STYLES.get(each.state, "")
            table.add_row(each.name, Text(each.state, style), Text(self._bar(each), style), measured(each))
        head = Text.assemble(
            (f"gate {self._gate}  ", "dim"),
            (view.state.upper(), _STYLES.get(view.state, "")),
            (f"  limit {100 * self._at_most:.0f} % in each domain (│); {asked} questions asked", "dim"),
        )
        return Group(Rule(style="dim"), head, table, Text(doing, "dim"))

    def _bar(self, slice_: SliceView) -> str:
        """Draw the estimate, with a mark at what the gate allows."""
        filled = round((slice_.estimate or 0.0) * _BAR)
        cells = ["█" if i < filled else "·" for i in range(_BAR)]
        cells[min(_BAR - 1, round(self._at_most * _BAR))] = "│"
        return "".join(cells)
