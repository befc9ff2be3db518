"""The guide to a first scorer is run as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.guide import ROOT, follow, scratch

pytestmark = pytest.mark.slow


def test_a_first_scorer_is_written_registered_tested_and_documented_as_the_guide_says(tmp_path: Path) -> None:
    folder = scratch(tmp_path / "repository")
    files, printed = follow("Your first scorer in ten minutes", folder)
    assert files == [
        "scorers/grounding/context_use.py",
        "scorers/__init__.py",
        "tests/scorers/grounding/test_context_use.py",
    ]
    assert " passed" in printed[0]
    reference = folder / "docs" / "reference"
    assert "### context_use\n" in (reference / "metrics.md").read_text()
    assert "### `type: context_use`" in (reference / "configuration.md").read_text()
    changed = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not _same(path, ROOT / path.relative_to(folder))
    }
    pages = {"docs/reference/metrics.md", "docs/reference/configuration.md", "docs/concepts/flow.svg"}
    pages.add("helm/groundwire/values.schema.json")
    assert {name for name in changed if not name.startswith(".")} == {*files, *pages}


def _same(path: Path, original: Path) -> bool:
    return original.exists() and path.read_bytes() == original.read_bytes()
