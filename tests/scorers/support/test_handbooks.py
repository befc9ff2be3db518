"""Answers over plain handbook sentences, in the words of assistants: right ones pass, and most wrong ones do not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

PASSAGES = Path(__file__).with_name("handbooks.txt")


class Told(NamedTuple):
    """An answer to a question over a passage."""

    question: str
    source: str
    answer: str
    right: bool


def told() -> Iterator[Told]:
    """Yield the answers of the file: ? begins a question, = its passage, + a right answer, - a wrong one."""
    question = source = ""
    for line in PASSAGES.read_text(encoding="utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark == "?":
            question = text
        elif mark == "=":
            source = text
        elif mark in ("+", "-"):
            yield Told(question, source, text, mark == "+")


@cache
def labels() -> dict[Told, str]:
    found = {}
    for each in told():
        passage = Passage(id="p", text=each.source)
        judged = judge(Answer(id="a", question=each.question, answer=each.answer, passages=(passage,)), Memory())
        found[each] = judged.label if isinstance(judged, Judgement) else "none"
    return found


def test_right_answers_are_supported() -> None:
    wrongly = [each.answer for each, label in labels().items() if each.right and label != "supported"]
    assert len(wrongly) <= 0.03 * sum(each.right for each in labels()), wrongly


def test_most_wrong_answers_are_not() -> None:
    missed = [each.answer for each, label in labels().items() if not each.right and label in ("supported", "none")]
    assert len(missed) <= 0.16 * sum(not each.right for each in labels()), missed
