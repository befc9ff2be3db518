"""What a report says of itself in its head, so that a list of reports need not read the rest of it."""

from __future__ import annotations

from html.parser import HTMLParser

from pydantic import ValidationError

from collector.security.text import one_line
from evaluation.reports.content import ReportSummary

NAME = "groundwire-report"
"""The `meta` element that holds the summary."""
HEAD_BYTES = 64 * 1024
"""The summary stands within so many bytes from the beginning."""
MAX_RUNS, MAX_NAME, MAX_TITLE, MAX_DECISION = 20, 80, 200, 600


def summary_text(summary: ReportSummary) -> str:
    """Return a summary as a report holds it: JSON, each of its texts on one line and within bounds."""
    short = summary.model_copy(
        update={
            "title": one_line(summary.title, MAX_TITLE),
            "decision": one_line(summary.decision, MAX_DECISION),
            "runs": tuple(one_line(name, MAX_NAME) for name in summary.runs[:MAX_RUNS]),
        }
    )
    return short.model_dump_json()


def summary_of(head: bytes) -> ReportSummary | None:
    """Return the summary in the beginning of a file; ``None`` where it is no report of Groundwire.

    >>> summary_of(b"<html><head><title>Mine</title></head></html>") is None
    True
    """
    reader = _Head()
    reader.feed(head.decode("utf-8", errors="replace"))
    if reader.summary is None:
        return None
    try:
        return ReportSummary.model_validate_json(reader.summary)
    except ValidationError:
        return None


class _Head(HTMLParser):
    """Finds the summary before the style begins: what comes after that is the text of strangers."""

    summary: str | None = None
    _over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the first `meta` element of that name."""
        self._over = self._over or tag in {"style", "body"}
        given = dict(attrs)
        if tag == "meta" and not self._over and self.summary is None and given.get("name") == NAME:
            self.summary = given.get("content")
