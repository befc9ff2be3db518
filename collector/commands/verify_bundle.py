"""`groundwire report --verify`: whether a bundle is what it was. It takes none of the packages that reports take."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from collector.commands.objects import object_line
from collector.reports.bundle import verify_bundle
from gates.verdicts.summary import counted


def verify_file(path: Path, *, as_json: bool, out: TextIO) -> int:
    """Print whether a bundle is what it was; return 0. Raises `ConfigError` that names what was changed."""
    digest, files = verify_bundle(path)
    if as_json:
        out.write(object_line({"bundle": str(path), "intact": True, "files": files, "sha256": digest}))
        return 0
    out.write(f"{path}: intact, {counted(files, 'file')}, {digest}\n")
    return 0
