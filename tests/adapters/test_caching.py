"""What is remembered between calls stands in one list, so that the laws of purity can empty it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from adapters import caching
from adapters.caching import cached, cached_by_text, forget, keep_at_most, text_caches

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


GENERATION = 10 * (caching.ENTRY + 10)
"""What ten short texts take."""


@pytest.fixture
def asked() -> list[str]:
    return []


@pytest.fixture
def shout(asked: list[str]) -> Iterator[Callable[[str], str | None]]:
    """A function over texts that a generation holds ten short ones of."""
    forget()
    keep_at_most(caching.GENERATIONS * GENERATION)

    @cached_by_text(cost=1)
    def shout(text: str) -> str | None:
        asked.append(text)
        return text.upper() or None

    yield shout
    keep_at_most(caching.BUDGET)


def texts(numbers: Iterable[int]) -> list[str]:
    return [f"{number:010}" for number in numbers]


def test_what_was_made_of_a_text_is_kept_also_where_that_is_nothing(
    shout: Callable[[str], str | None], asked: list[str]
) -> None:
    assert [shout(text) for text in ("a", "", "a", "")] == ["A", None, "A", None]
    assert asked == ["a", ""]


def test_caches_over_texts_hold_no_more_than_their_budget(shout: Callable[[str], str | None]) -> None:
    other = cached_by_text(cost=1)(str.lower)
    for text in texts(range(1_000)):
        shout(text)
        other(text)
    held = sum(cache.size(inputs) for cache in text_caches() for inputs, _ in cache.entries())
    assert held <= caching.GENERATIONS * GENERATION
    assert held >= (caching.GENERATIONS - 2) * GENERATION


def test_what_is_asked_for_again_stays_and_the_rest_goes(shout: Callable[[str], str | None], asked: list[str]) -> None:
    for text in texts(range(1, 500)):
        shout("lasting")
        shout(text)
    assert asked.count("lasting") == 1
    first, last = texts((1, 499))
    shout(first)
    shout(last)
    assert (asked.count(first), asked.count(last)) == (2, 1)


def test_texts_that_come_again_stay_however_many_come_once(
    shout: Callable[[str], str | None], asked: list[str]
) -> None:
    passages, claims = texts(range(20)), iter(texts(range(100, 10_000)))
    for _ in range(4):
        for passage in passages:
            shout(passage)
            shout(next(claims))
    before = len(asked)
    for _ in range(2):
        for _ in range(1_000):
            shout(next(claims))
        for passage in passages:
            shout(passage)
    assert not set(passages) & set(asked[before:])


def test_what_came_again_goes_where_other_texts_come_again(
    shout: Callable[[str], str | None], asked: list[str]
) -> None:
    for passages in (texts(range(start, start + 30)) for start in range(0, 120, 30)):
        for text in passages * 60:
            shout(text)
    held = sum(cache.size(inputs) for cache in text_caches() for inputs, _ in cache.entries())
    assert held <= caching.GENERATIONS * GENERATION
    before = len(asked)
    for text in passages:
        shout(text)
    assert asked[before:] == []


def test_a_text_too_long_for_the_budget_turns_nothing_out(shout: Callable[[str], str | None], asked: list[str]) -> None:
    for text in ("short", "long" * GENERATION, "long" * GENERATION, "short"):
        shout(text)
    assert [len(text) for text in asked] == [5, 4 * GENERATION, 4 * GENERATION]


def test_what_was_made_of_texts_is_forgotten(shout: Callable[[str], str | None], asked: list[str]) -> None:
    for text in ("a", *texts(range(12))):
        shout(text)
    forget()
    assert not any(list(cache.entries()) for cache in text_caches())
    shout("a")
    assert asked.count("a") == 2
