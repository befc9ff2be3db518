"""The chart, rendered as a cluster would get it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

from tests.peers import require, require_directory

ROOT = Path(__file__).parents[2]
CHART = ROOT / "helm" / "groundwire"
DEBIAN_GO = Path("/usr/share/gocode/src")


class RenderError(Exception):
    """The chart refused these values; the message is Helm's."""


def renderer(folder: Path) -> tuple[str, ...]:
    """Return the command that renders: Helm, or the small renderer beside this file, built in ``folder``."""
    helm = shutil.which("helm")
    if helm is not None:
        return (helm, "template")
    go = require("go")
    require_directory("the Go library sprig", DEBIAN_GO / "github.com" / "Masterminds" / "sprig")
    program = folder / "render"
    cache = folder / "cache"
    places = {"GO111MODULE": "off", "GOPATH": str(DEBIAN_GO.parent), "GOCACHE": str(cache)}
    built = subprocess.run(
        [go, "build", "-o", program, str(Path(__file__).with_name("render.go"))],
        env={**os.environ, **places},
        capture_output=True,
        text=True,
        check=False,
    )
    shutil.rmtree(cache)
    assert built.returncode == 0, built.stderr
    return (str(program),)


def rendered(command: tuple[str, ...], values: Path, release: str) -> list[dict[str, Any]]:
    """Return the manifests for a file of values over the chart's own. Raises `RenderError` where it is refused."""
    helm = command[-1] == "template"
    arguments = [release, str(CHART), "--values", str(values)] if helm else [str(CHART), release, str(values)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RenderError(done.stderr)
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def kinds(manifests: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return manifests by kind; the chart has one of each."""
    found = {manifest["kind"]: manifest for manifest in manifests}
    assert len(found) == len(manifests)
    return found
