"""Makes a site of these pages: what `mkdocs` calls while it builds. `make site` builds it in ``dist/site``."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
ROOT = DOCS.parent
REPOSITORY = "https://github.com/groundwire/groundwire/blob/main"
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")
_CODE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def on_config(config: Any) -> Any:
    """Replace ``folder/*`` in the navigation by the pages of that folder."""
    config["nav"] = [_expanded(item) for item in config["nav"]]
    return config


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Let links that leave the folder of the pages lead to the repository."""
    folder = DOCS / Path(page.file.src_uri).parent
    at, parts = 0, []
    for code in _CODE.finditer(markdown):
        parts += [_outward(markdown[at : code.start()], folder), code.group()]
        at = code.end()
    return "".join([*parts, _outward(markdown[at:], folder)])


def _outward(text: str, folder: Path) -> str:
    def target(link: re.Match[str]) -> str:
        path = Path(os.path.normpath(folder / link.group(1)))
        served = path.is_relative_to(DOCS) and not path.is_dir()
        return link.group() if served else f"{REPOSITORY}/{path.relative_to(ROOT)}{link.group(2) or ''}"

    return _LINK.sub(target, text)


def _expanded(item: Any) -> Any:
    if isinstance(item, dict):
        return {
            name: _pages(under) if isinstance(under, str) else [_expanded(each) for each in under]
            for name, under in item.items()
        }
    return item


def _pages(path: str) -> str | list[str]:
    return sorted(page.relative_to(DOCS).as_posix() for page in DOCS.glob(path)) if path.endswith("*") else path
