"""What a cache says that it costs to keep what it made of texts is what it takes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from types import BuiltinFunctionType, FunctionType, ModuleType

import pytest

from adapters.caching import TextCache, forget, text_caches
from adapters.schema import Answer, Passage
from scorers import default_panel
from scorers.base import Env
from scorers.panel import run_panel
from training.pairs.policies import policies

LEAST = 20
"""Entries of a cache that tell what one takes."""
ASKED = ("May I?", "What is it?", "How many are there?")
"""Questions of kinds that passages are read for in different ways."""


def taken(results: Iterable[object], known: Iterable[object]) -> int:
    """Return the bytes that ``results`` take beside what is ``known``, each object counted once."""
    seen = {id(each) for each in known}
    left, size = list(results), 0
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType | BuiltinFunctionType):
            continue
        seen.add(id(each))
        size += sys.getsizeof(each)
        left += gc.get_referents(each)
    return size


@pytest.fixture(scope="module")
def filled() -> Iterator[list[TextCache]]:
    forget()
    panel, env = default_panel(), Env(now=datetime(2026, 11, 22, tzinfo=UTC))
    for number, policy in enumerate(policies(120, seed=11)):
        passages = tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(policy.passages))
        answer = policy.statements[0].text
        question = ASKED[number % len(ASKED)]
        run_panel(panel, Answer(id=f"a{number}", question=question, answer=answer, passages=passages), env)
    yield text_caches()
    forget()


def test_what_is_kept_of_texts_takes_about_what_its_cache_says(filled: list[TextCache]) -> None:
    measured = 0
    for cache in filled:
        entries = list(cache.entries())
        if len(entries) < LEAST:
            continue
        measured += 1
        reckoned = sum(cache.size(inputs) for inputs, _ in entries)
        size = taken((result for _, result in entries), (each for inputs, _ in entries for each in inputs))
        assert size <= 1.25 * reckoned, f"{cache.function}: {size} bytes of {len(entries)}, reckoned {reckoned}"
    assert measured >= 10
