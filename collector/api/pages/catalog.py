"""What the page about the catalog shows of its listings and of what is retrieved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

JOIN_NAMES = {
    "id": "document id",
    "checksum": "checksum",
    "uri": "URI",
    "file_name": "name of the file, and text",
    "text": "text alone",
}


def catalog_tables(report: Mapping[str, Any], coverage: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return what the template takes beside the lag of indexes; ``coverage`` is ``None`` where none was made.

    >>> catalog_tables({"entries": 3}, None)["report"]
    {'entries': 3, 'documents': None, 'loaded_at': None, 'refused': ()}
    """
    shown = {name: report.get(name) for name in ("entries", "documents", "loaded_at")}
    return {
        "report": shown | {"refused": tuple(report.get("refused") or ())},
        "listings": [
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
        ],
        "coverage": coverage,
        "joins": [
            *((JOIN_NAMES[join], count) for join, count in (coverage or {}).get("joins", {}).items()),
            *(() if coverage is None else (("one of several versions", coverage["unclear"]),)),
            *(() if coverage is None else (("nothing", coverage["unmatched"]),)),
        ],
    }
