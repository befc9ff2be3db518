"""Tables as text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def aligned(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> Iterator[str]:
    """Yield rows as lines with their columns below each other, those in ``right`` set to the right.

    >>> print("".join(aligned([["metric", "n"], ["latency", "12"]], right={1})), end="")
    metric    n
    latency  12
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip() + "\n"


LEAST_P = 0.0001
"""P-values below this are shown as such: four digits would print them as 0."""


def p_cell(value: float | None) -> str:
    """Return a p-value as tables show it.

    >>> p_cell(0.0212), p_cell(4e-7), p_cell(None)
    ('0.0212', '<0.0001', '-')
    """
    if value is None:
        return "-"
    return f"<{LEAST_P:.4f}" if value < LEAST_P else f"{value:.4f}"
