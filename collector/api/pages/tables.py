"""Tables that people take along: rows as CSV, in which nothing of traffic is taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from starlette.responses import Response

FORMULAS = "=+-@\t\r"
"""What a spreadsheet takes for a formula at the beginning of a cell."""

TableFormat = Literal["page", "csv"]
"""How a table is asked for."""


def csv_response(name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Response:
    """Return rows as a file to save. Texts that a spreadsheet would take for a formula begin with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([plain(value) if isinstance(value, str) else value for value in row] for row in rows)
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"', "Cache-Control": "no-store"}
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> plain("=1+1"), plain("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text[:1] in FORMULAS and text else text
