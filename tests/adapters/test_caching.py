"""What is remembered between calls stands in one list, so that the laws of purity can empty it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.caching import cached, forget

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "adapters" / "caching.py"
MODULES = sorted(path for package in ("adapters", "scorers", "gates") for path in (ROOT / package).rglob("*.py"))
UNLISTED = {"cache", "lru_cache"}
"""What `functools` has that keeps results where `forget` does not find them."""


def unlisted(source: str) -> Iterator[int]:
    """Yield the lines of ``source`` that keep results of functions in a cache of their own."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found = node.module == "functools" and UNLISTED & {name.name for name in node.names}
        else:
            found = isinstance(node, ast.Attribute) and ast.unparse(node) in {f"functools.{name}" for name in UNLISTED}
        if found:
            yield node.lineno


def test_every_cache_of_the_pure_packages_stands_in_the_list() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: use adapters.caching.cached, so that the laws of purity can empty it"
        for path in MODULES
        if path != HOME
        for line in unlisted(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "from functools import lru_cache",
        "from functools import cached_property, cache as remember",
        "import functools\n@functools.lru_cache(maxsize=2)\ndef f(): ...",
        "import functools\nf = functools.cache(g)",
    ],
)
def test_a_cache_beside_the_list_is_found(source: str) -> None:
    assert list(unlisted(source))


def test_what_was_remembered_is_forgotten_also_by_an_object_and_goes_with_it() -> None:
    asked: list[str] = []

    class Reader:
        def __init__(self) -> None:
            self.read = cached(maxsize=8)(self._read)

        def _read(self, name: str) -> str:
            asked.append(name)
            return name

    reader = Reader()
    assert (reader.read("a"), reader.read("a"), asked) == ("a", "a", ["a"])
    forget()
    assert (reader.read("a"), asked) == ("a", ["a", "a"])


def test_a_cache_is_bounded() -> None:
    asked: list[int] = []
    square = cached(maxsize=2)(lambda number: asked.append(number) or number * number)
    assert [square(number) for number in (1, 2, 3, 1)] == [1, 4, 9, 1]
    assert asked == [1, 2, 3, 1]
