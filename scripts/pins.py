"""Print the part of constraints.txt that given extras need, hashes included, for `pip install --no-deps -r`.

constraints.txt is the one list of pinned and hashed packages. Each entry says in its comment which packages asked for
it (`# via`), so the closure of any extras can be read off the file itself, with nothing but the standard library.

    python scripts/pins.py langchain > pins.txt
    python scripts/pins.py --all > pins.txt
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ("hatchling", "editables")
"""What an editable install of the project itself needs at hand."""


def canonical(name: str) -> str:
    """Return a package name as PEP 503 writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def entries(text: str) -> dict[str, tuple[list[str], set[str]]]:
    """Return, by package, its blocks of lines and the packages that asked for it."""
    found: dict[str, tuple[list[str], set[str]]] = {}
    current = ""
    for line in text.splitlines():
        head = re.match(r"([A-Za-z0-9][A-Za-z0-9._-]*)(\[.*?\])?==", line)
        if head:
            current = canonical(head.group(1))
            found.setdefault(current, ([], set()))[0].append(line)
        elif line.lstrip().startswith("--hash"):
            found[current][0].append(line)
        elif line.startswith("    #"):
            parent = line.strip("# ").removeprefix("via").strip()
            if parent:
                found[current][1].add(canonical(parent.split("[")[0].split(" ")[0]))
    return found


def wanted(extras: list[str]) -> set[str]:
    """Return the packages that the project and the extras ask for directly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = list(project["dependencies"])
    for extra in extras:
        requirements += project["optional-dependencies"][extra]
    names = [re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in requirements]
    return {canonical(name.group()) for name in names if name} | set(BUILD)


def main(arguments: list[str]) -> None:
    """Print the closure of the extras named, or everything for `--all`."""
    found = entries((ROOT / "constraints.txt").read_text())
    if arguments == ["--all"]:
        chosen = set(found)
    else:
        chosen = wanted(arguments)
        unknown = chosen - set(found)
        if unknown:
            sys.exit(f"constraints.txt does not pin: {', '.join(sorted(unknown))}; run `make lock`")
        grown = True
        while grown:
            more = {name for name, (_, parents) in found.items() if name not in chosen and parents & chosen}
            chosen |= more
            grown = bool(more)
    for name in sorted(chosen):
        print("\n".join(found[name][0]))


if __name__ == "__main__":
    main(sys.argv[1:])
