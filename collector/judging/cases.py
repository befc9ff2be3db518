"""The worst answers of a decision, each case once: a question that ten people asked is one thing to look at."""

from __future__ import annotations

from collections.abc import Iterable

from collector.store.store import Store
from gates.decisions.record import AnswerEvidence

LOOKED = 10
"""How many times as many answers are looked at as are named."""


def distinct(answers: Iterable[AnswerEvidence], store: Store, limit: int) -> tuple[AnswerEvidence, ...]:
    """Return the first answers with other words than those before them, or to another question, ``limit`` at most.

    An answer whose words the store does not have is a case of its own.
    """
    given = list(answers)
    said = store.said([each.answer_id for each in given])
    first: dict[tuple[str, ...], AnswerEvidence] = {}
    for each in given:
        first.setdefault((each.metric, *said.get(each.answer_id, (each.answer_id,))), each)
    return tuple(first.values())[:limit]
