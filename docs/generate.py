"""Regenerate every page that is made from code: `make docs`. With `--check`, fail if a page on disk differs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.schema import SCHEMA_VERSION, Answer
from collector.api.app import APIS
from collector.api.openapi import document
from collector.configuration.schema import Config
from dashboards.chart import values_schema
from docs.makers.commands import command_reference
from docs.makers.concepts import change_picture, deciding_picture, flow_picture
from docs.makers.configuration import configuration_reference
from docs.makers.detector import picture
from docs.makers.metrics import metric_catalogue
from docs.makers.sourcepage import source_page
from docs.makers.troubleshooting import troubleshooting_page
from gates.decisions.record import RECORD_VERSION, DecisionRecord
from scorers import SCORERS

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


PAGES: dict[Path, Callable[[], str]] = {
    ROOT / "docs" / "sources.md": source_page,
    ROOT / "docs" / "detector.svg": picture,
    ROOT / "docs" / "concepts" / "flow.svg": flow_picture,
    ROOT / "docs" / "concepts" / "deciding.svg": deciding_picture,
    ROOT / "docs" / "concepts" / "change.svg": change_picture,
    ROOT / "docs" / "troubleshooting.md": troubleshooting_page,
    REFERENCE / "configuration.md": configuration_reference,
    REFERENCE / "commands.md": command_reference,
    REFERENCE / "metrics.md": lambda: metric_catalogue([scorer.metric for scorer in SCORERS], Config().dimensions),
    REFERENCE / "answer.schema.json": lambda: _schema(SCHEMA_VERSION, Answer.model_json_schema()),
    REFERENCE / "decision.schema.json": lambda: _schema(
        RECORD_VERSION, DecisionRecord.model_json_schema(mode="serialization")
    ),
    REFERENCE / "openapi.json": lambda: _json(document("1", Config().dimensions, APIS)),
    ROOT / "helm" / "groundwire" / "values.schema.json": lambda: _json(values_schema(Config.model_json_schema())),
}
"""What makes the text of every generated file."""


def _schema(version: int, schema: dict[str, Any]) -> str:
    return _json({**DIALECT, "version": version, **schema})


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> None:
    """Write the pages, or compare them."""
    stale = []
    for path, made in PAGES.items():
        text = made()
        if arguments == ["--check"]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(str(path.relative_to(ROOT)))
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"out of date, run `make docs`: {', '.join(stale)}")


if __name__ == "__main__":
    main(sys.argv[1:])
