"""The page about the catalog: listings, what of indexes lags, and what the catalog lists of what is retrieved.

Names of documents, keys and errors are anybody's text: all of it is escaped, and the page runs no script and asks
nobody for anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from collector.api.page import page
from collector.security.text import one_line

MAX_CELL = 200
"""Characters of a cell."""
JOIN_NAMES = {
    "id": "document id",
    "checksum": "checksum",
    "uri": "URI",
    "file_name": "name of the file, and text",
    "text": "text alone",
}


def catalog_page(report: Mapping[str, Any], lag: Mapping[str, Any], coverage: Mapping[str, Any] | None) -> str:
    """Return the page over what the routes under ``/v1/catalog`` give; ``coverage`` is ``None`` where none was made.

    >>> page = catalog_page({"refused": ["<script>"]}, {"answers": 0, "indexes": []}, None)
    >>> "<script>" in page, "&lt;script&gt;" in page
    (False, True)
    """
    refused = report.get("refused") or ()
    parts = [
        _paragraph(
            f"{_number(report.get('entries'))} entries of {_number(report.get('documents'))} documents in force, "
            f"{'loaded at ' + report['loaded_at'] if report.get('loaded_at') else 'not loaded yet'}."
        ),
        _list("The newest files were refused", refused),
        *_listings(report),
        *_lagging(lag),
        *_coverage(coverage),
    ]
    return page("Catalog", "".join(parts))


def _listings(report: Mapping[str, Any]) -> Iterable[str]:
    rows = [
        (
            kind,
            one["name"],
            one["state"],
            one["position"].get("entries"),
            one["last_success"] or "never",
            one["last_error"] if one["state"] != "ok" else "; ".join(one["position"].get("notes", ())),
        )
        for kind, section in (("source", "sources"), ("index", "indexes"))
        for one in report.get(section) or ()
    ]
    if rows:
        yield "<h2>Listings</h2>"
        yield _table(("", "listing", "state", "entries", "last read", "what is wrong"), rows)


def _lagging(lag: Mapping[str, Any]) -> Iterable[str]:
    kinds = ("outdated", "removed", "moved", "missing", "uncompared", "elsewhere")
    for one in lag["indexes"]:
        yield f"<h2>Index {_text(one['index'])}</h2>"
        counts = [(one["documents"], one["same"], *(one[kind] for kind in kinds))]
        yield _table(("documents", "up to date", *kinds), counts)
        rows = [
            (
                served["document"]["kind"],
                served["document"].get("uri") or served["document"]["id"],
                served["document"]["detail"],
                served["passages"],
            )
            for served in one["worst"]
        ]
        if rows:
            yield _paragraph(f"Retrieved most in the newest {_number(lag['answers'])} answers:")
            yield _table(("", "document", "what is with it", "passages"), rows)


def _coverage(coverage: Mapping[str, Any] | None) -> Iterable[str]:
    yield "<h2>What is retrieved</h2>"
    if coverage is None:
        yield _paragraph("Workers are busy; load the page again.")
        return
    if coverage["share"] is None:
        yield _paragraph("No passages were retrieved yet.")
        return
    yield _paragraph(
        f"{coverage['share']:.1%} of {_number(coverage['passages'])} passages in the newest "
        f"{_number(coverage['answers'])} answers are in the catalog."
    )
    rows = [(JOIN_NAMES[join], count) for join, count in coverage["joins"].items()]
    rows += [("one of several versions", coverage["unclear"]), ("nothing", coverage["unmatched"])]
    yield _table(("matched by", "passages"), rows)
    yield _list("What to do", coverage["advice"])
    documents = [(one["uri"] or one["id"], one["passages"]) for one in coverage["documents"]]
    if documents:
        yield "<h3>Retrieved, and not in the catalog</h3>"
        yield _table(("document", "passages"), documents)
    keys = [
        (one["key"], one["example"], one["passages"], one["field"] or "", one["would_match"])
        for one in coverage["keys"]
    ]
    if keys:
        yield "<h3>Keys of their metadata</h3>"
        yield _table(("key", "such as", "passages", "is in the catalog as", "would match"), keys)


def _paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def _list(title: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return f"<h3>{_text(title)}</h3><ul>{''.join(f'<li>{_text(line)}</li>' for line in lines)}</ul>"


def _table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _cell(value: Any) -> str:
    return f'<td class="n">{value:,}</td>' if isinstance(value, int) else f"<td>{_text(value)}</td>"


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else "no"


def _text(value: Any) -> str:
    """Return a text of anybody's as a part of the page, on one line."""
    return "" if value is None else escape(one_line(str(value), MAX_CELL))
