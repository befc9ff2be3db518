"""What is asked of a text before it is searched saves time alone: no score depends on it."""

from __future__ import annotations

import importlib
import json
import pkgutil
import random
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import scorers
from adapters.caching import forget
from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Env, Evaluation
from scorers.statements import roles
from scorers.support import breaks, crossing, dialogue, unfounded
from scorers.support.contraries import forces, only, opposites
from tests.scorers.regexes import attacks

POLICIES = Path(__file__).parents[2] / "benchmarks" / "policies"
ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
PIECES = (
    "but", "however", "so", "and", "and the", "AND we", "android", "while", "n't", "isn't", "isn't_", "speculating",
    "unstated", "leave", "remain", "rooms", "2", ".", ",", ";", ":", "..", ')."', "(", "/", "-", " - ", "\n", "\t",
    "\x1d", "_", "--", "that", "it's", "a", "I",
)  # fmt: skip


class Every(frozenset[str]):
    """Words of which every text has one."""

    def isdisjoint(self, _other: object) -> bool:
        return False


def answers() -> list[Answer]:
    """Return answers about policies, some of each kind, right and wrong."""
    found = []
    for name in ("read", "kept"):
        for line in (POLICIES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[::7]:
            row = json.loads(line)
            context = tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(row["passages"]))
            found += [
                Answer(id=each["id"], question=each["question"], answer=each["answer"], passages=context)
                for each in row["answers"][:4]
            ]
    return found


def scored(every: list[Answer]) -> list[Evaluation]:
    forget()
    panel = default_panel()
    return [run_panel(panel, each, ENV) for each in every]


@pytest.mark.timeout(120)
def test_scores_are_the_same_where_everything_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    given = answers()[:60]
    told = scored(given)
    for module, name in (
        (dialogue, "_CUE_WORDS"), (breaks, "_WORDS"), (roles, "_LED_BY"), (crossing, "_THINGS"),
        (unfounded, "_DAYS"), (forces, "_TURNING"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, Every(getattr(module, name)))
    monkeypatch.setattr(only, "may_keep", bool)
    monkeypatch.setattr(opposites, "_may_be_turned", lambda _text, _out: True)
    assert scored(given) == told
    forget()


def ascii_pairs() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return each expression for texts of ASCII with the one for any text."""
    found = {}
    for module in pkgutil.walk_packages(scorers.__path__, "scorers."):
        held = vars(importlib.import_module(module.name))
        for name in [name for name, value in held.items() if name.endswith("_ASCII") and isinstance(value, re.Pattern)]:
            found[f"{module.name}.{name}"] = (held[name.removesuffix("_ASCII")], held[name])
    return found


def texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return [
        "".join(rng.choice(PIECES) + rng.choice(("", " ", " ")) for _ in range(rng.randint(0, 14)))
        for _ in range(count)
    ]


PAIRS = ascii_pairs()


@pytest.mark.parametrize("name", PAIRS)
def test_an_expression_for_ascii_finds_what_the_one_for_any_text_does(name: str) -> None:
    every, own = PAIRS[name]
    tried = [text for text in (*attacks(every, 120), *texts(7, 300)) if text.isascii()]
    assert len(tried) > 300
    for text in tried:
        assert found_by(own, text) == found_by(every, text)


def found_by(pattern: re.Pattern[str], text: str) -> list[Any]:
    return [(match.span(), match.lastgroup, match.groups()) for match in pattern.finditer(text)]


def test_clauses_of_ascii_are_parted_where_those_of_any_text_are() -> None:
    for text in texts(11, 6_000):
        assert breaks._breaks(text, 0) == [match.span() for match in breaks._BREAK.finditer(text)]
        assert dialogue.may_lack(text) == (dialogue._CUE.search(text) is not None)
