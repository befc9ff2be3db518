"""Everything the product says to people, read from its own source: one line a message, by file.

Strings that are data (words that scorers look for, SQL, the demo's documents) are no messages and are left out by file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("adapters", "scorers", "gates", "evaluation", "telemetry", "dashboards", "collector")
DATA = (
    "scorers/wording/",
    "scorers/text/",
    "scorers/sensitive/",
    "scorers/statements/lexicon/",
    "scorers/statements/quantities/",
    "scorers/support/acts.py",
    "scorers/policy/topics.py",
    "scorers/policy/behaviours.py",
    "collector/demo/assistant.py",
    "collector/demo/corpus.py",
    "collector/store/migrations/",
)
"""Files whose strings are what is looked for, or what a demo serves."""
LOG = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
PLACES = frozenset({"description", "help", "summary", "detail", "reason", "explanation", "formula", "limits", "title"})
"""Keyword arguments whose value is read by people, however short it is."""
PATTERN = re.compile(r"\(\?|\\[bdwsZ]|\[\^|\]\{")
"""What only regular expressions have."""
WORDS = 3
"""Words from which a string that stands anywhere else counts as a message."""


@cache
def messages() -> tuple[tuple[str, str, str], ...]:
    """Return (file, kind, message) in the order of the source; ``{expression}`` stands for what is filled in."""
    return tuple(_messages())


def _messages() -> Iterator[tuple[str, str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if not name.startswith(DATA):
                yield from ((name, kind, text) for kind, text in _in(ast.parse(path.read_text(encoding="utf-8"))))


def golden() -> str:
    """Return all messages as the text of the golden file: a file's name, then its messages, each once."""
    lines: list[str] = []
    for name, rows in groupby(dict.fromkeys(messages()), key=itemgetter(0)):
        lines += ["", name, *(f"  {kind:<11} {text}" for _, kind, text in rows)]
    return "\n".join(lines[1:]) + "\n"


def _in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    kinds: dict[int, str] = {}
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            kinds |= {id(each): "error" for each in node.exc.args}
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in LOG and node.args:
                kinds[id(node.args[0])] = "log"
            kinds |= {id(each.value): each.arg for each in node.keywords if each.arg in PLACES}
        elif isinstance(node, ast.Expr):
            silent.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            silent |= {id(each) for each in node.values}
    for node in _in_order(tree):
        if id(node) in silent:
            continue
        text = _text(node)
        if text and not PATTERN.search(text) and (id(node) in kinds or len(text.split()) >= WORDS):
            yield kinds.get(id(node), "text"), text


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        yield node
        yield from _in_order(node)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return " ".join(node.value.split())
    if isinstance(node, ast.JoinedStr):
        parts = (
            part.value if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"  # type: ignore[attr-defined]
            for part in node.values
        )
        return " ".join("".join(map(str, parts)).split())
    return ""
