"""Workflow order: whether an answer keeps the order in which its sources want steps done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from adapters.caching import cached
from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.policy.actions import AnswerClause, clauses_of
from scorers.policy.sequence import Ordered, orders_of
from scorers.support.points import Point, Words, point_of
from scorers.text.excerpt import excerpt
from scorers.text.normalize import terms
from scorers.text.phrases import Phrases, words
from scorers.text.source import within

MAX_ORDERS = 50
LISTED = 3
NAMED = 0.6
"""A clause names a step if it has this share of the words that the other step has not."""
MENTIONED = 0.3
"""A step with less than this share of its words in the whole answer is left out of it."""

_FIRST = Phrases(
    {"first": ("first|before|beforehand|prior|already|prerequisite|ensure|verify|check|sure|after|once|until",)}
)

OrderFault = Literal["reversed", "skipped"]


class WorkflowOrder(Scorer):
    """Whether the steps of an answer keep the order that its context, or its case, wants: 1 they do, 0 one does not.

    Orders are read off sentences with "before", "after", "once", "until" or "then" ("2.14 must be installed before the
    patch"), and judged where the answer tells someone to do the later step. ``reversed``: it tells to do the earlier
    step after it. ``skipped``: the sentence obliges ("must", "only once", or a command, "install 2.14 before you apply
    the patch"), and the answer says nothing of the earlier step. Where no order is stated, or the answer asks for none
    of the later steps, it is ``not_applicable``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> rule = Passage(id="p", text="Version 2.14 must be installed before applying the firmware patch.")
    >>> for text in ("Install version 2.14, then apply the firmware patch.", "Apply the firmware patch now."):
    ...     score = WorkflowOrder().score(Answer(id="a", answer=text, passages=(rule,)), env)
    ...     print(score.value, score.label)
    1.0 kept
    0.0 skipped
    """

    metric: ClassVar[Metric] = Metric(
        name="workflow_order",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Whether an answer keeps the order of steps that its sources state: 1 yes, 0 it reverses or skips one.",
        formula="0 if the answer asks for a step and, later or not at all, for one that is stated to come before it, "
        "else 1",
        source="Case-aware judge, metric M8 (resolution alignment: required sequencing) and J.3 (workflow violation "
        "despite correct retrieval). The rules are ours.",
        bases=("gold", "passages"),
        cost="passages",
        limits="Reads orders within one English sentence, by words such as before, after and then; the order of a "
        "numbered list, and an order stated over several sentences, are not seen. Of 1,249 right answers of "
        "public sets it flags one.",
        buckets=(0.5, 1.0),
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    type: Literal["workflow_order"] = "workflow_order"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return whether every order is kept that the answer touches, or why there is nothing to judge."""
        wanted = list(_wanted(answer))
        if not wanted:
            if any(passage.text is None for passage in answer.context_passages() or ()):
                return missing_input("text of a context passage")
            return not_applicable("no source states an order of steps")
        clauses = clauses_of(answer, env.memory)
        own = [(_words(told.first), _words(told.then)) for told in orders_of((answer.answer or "")[:_READ])]
        judged = [(order, where, fault) for order, where in wanted if (fault := _judged(order, clauses, own))]
        if not judged:
            return not_applicable("the answer asks for no step that another must precede")
        broken = [(order, where, fault) for order, where, fault in judged if fault != "kept"]
        return Measured(
            value=0.0 if broken else 1.0,
            basis="gold" if any(where is None for _, where, _ in broken or judged) else "passages",
            label=broken[0][2] if broken else "kept",
            explanation=f"{len(judged) - len(broken)} of {len(judged)} orders of steps kept",
            evidence=tuple(
                Evidence(
                    kind="passage" if where is not None else "claim",
                    detail=f"{fault}: {excerpt(order.sentence)!r}",
                    passage_id=where,
                )
                for order, where, fault in broken[:LISTED]
            ),
        )


_READ = 20_000


class _Steps(NamedTuple):
    """The two steps of an order, each by the words that the other has not."""

    first: Point
    then: Point


def _wanted(answer: Answer) -> Iterator[tuple[Ordered, str | None]]:
    """Yield each order with the passage that states it; ``None`` for one that a constraint of the case states."""
    found = 0
    case = answer.case.constraints if answer.case is not None else ()
    context = answer.context_passages() or ()
    texts = within(passage.text or "" for passage in context)
    for text, where in (
        *((text, None) for text in case[:MAX_ORDERS]),
        *zip(texts, (p.id for p in context), strict=True),
    ):
        for order in orders_of(text):
            yield order, where
            found += 1
            if found == MAX_ORDERS:
                return


def _judged(
    order: Ordered, clauses: Sequence[AnswerClause], own: Sequence[tuple[Words, Words]]
) -> Literal["kept", OrderFault] | None:
    """Return whether the answer keeps an order; ``None`` where it does not ask for the later step."""
    steps = _steps(order)
    if steps is None:
        return None
    for told_first, told_then in own:
        forward = _has(steps.first, told_first) and _has(steps.then, told_then)
        backward = _has(steps.first, told_then) and _has(steps.then, told_first)
        if forward != backward:
            return "kept" if forward else "reversed"
    later = next((place for place, clause in enumerate(clauses) if _asks(steps.then, clause)), None)
    if later is None:
        return None
    sooner = next((place for place, clause in enumerate(clauses) if _names(steps.first, clause)), None)
    if sooner is None:
        said = Words(term for clause in clauses for term in clause.read.items)
        return "skipped" if order.obliges and steps.first.covered_by(said) < MENTIONED else None
    if sooner <= later or _FIRST.find(words(clauses[sooner].sentence.words)):
        return "kept"
    return "reversed" if _asks(steps.first, clauses[sooner]) else None


# The same passages are retrieved again and again.
@cached(maxsize=1_024)
def _steps(order: Ordered) -> _Steps | None:
    first, then = terms(order.first).items, terms(order.then).items
    both = set(first) & set(then)
    one, other = (point_of(" ".join(_own(text, both))) for text in (order.first, order.then))
    return None if one is None or other is None else _Steps(one, other)


def _own(text: str, shared: set[str]) -> Iterator[str]:
    return (word for word in text.split() if not shared or shared.isdisjoint(terms(word).items))


def _asks(step: Point, clause: AnswerClause) -> bool:
    """Return whether a clause tells someone to do a step, as a command or as what one should or may do."""
    if not _names(step, clause):
        return False
    begins = clause.opens is not None and Words(step.terms).covers(clause.opens)
    return (begins or clause.directs) and not clause.avoids


def _names(step: Point, clause: AnswerClause) -> bool:
    return _has(step, clause.held)


def _has(step: Point, told: Words) -> bool:
    return step.covered_by(told) >= NAMED


def _words(text: str) -> Words:
    return Words(terms(text).items)
