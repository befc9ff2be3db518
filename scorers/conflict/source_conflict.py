"""Source conflict: whether retrieved passages disagree about what the question asks."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer
from scorers.disagreement.between import Between, between
from scorers.disagreement.disagreement import Disagreement, conflicting
from scorers.text.excerpt import excerpt


class SourceConflict(Scorer):
    """Probability that two retrieved passages give different answers to the question: 1 they do, 0 they do not.

    Of each passage the values that could answer are read (dates, numbers, names, words of the kind that is asked for)
    and weighed by how they stand to the question's words; trained models tell from the two lists whether both passages
    answer, and whether they answer differently; values of two cases (full-time and part-time staff, up to an amount and
    over it) stand beside each other. A question that asks for no one value (a way, a reason, a definition,
    a list) has none. Sentences of which one negates the other, opposite words, yes against no, and what one
    permits, demands, charges or opens to all where the other does not, count too. The value
    is that of the surest pair of passages: an `Answer` with two passages has the value of that pair, and of many pairs
    each must be the surer, since the surest of many looks sure by chance. With gold labels it is 1 where a retrieved
    passage is labelled ``conflicting``, else 0 (``basis: gold``).

    It tells different answers apart better than it tells which passages answer: see docs/models/conflict.md.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> texts = ("The notice period is 30 days.", "The notice period is 60 days.")
    >>> passages = tuple(Passage(id=f"p{n}", text=text) for n, text in enumerate(texts))
    >>> answer = Answer(id="a", question="What is the notice period?", passages=passages)
    >>> score = SourceConflict().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> score.label, score.value > 0.9, [evidence.passage_id for evidence in score.evidence]
    ('conflict', True, ['p0', 'p1'])
    """

    metric: ClassVar[Metric] = Metric(
        name="source_conflict",
        family="conflict",
        languages=("en",),
        words=("question", "passages"),
        unit="ratio",
        better="lower",
        circumstance=True,
        help="Probability that the retrieved passages disagree on what is asked: 1 they disagree, 0 they do not.",
        formula="max over n pairs of passages of sigmoid(logit p(pair) - ln(n) / 2); p: calibrated product of d, the "
        "probability that their answers differ, and 1.2 b / (b + .2), b the probability that both passages answer, "
        "from logistic models over the candidate values, or p from the rules for near copies and opposite "
        "statements where that is higher; label conflict at .5 and above; docs/models/conflict.md",
        source="PROBE 3.3, Table 3 and Algorithm 1 (source conflict); labels: Wang et al. 2025, RAMDocs; the model is"
        " ours.",
        bases=("gold", "passages"),
        labels=("no_conflict", "conflict"),
        cost="passages",
        limits="Tells different answers apart (AUROC .92) better than which passages answer: at chance on web "
        "snippets about different subjects. Reports several correct answers as a conflict. What "
        "editions of one page changed is found by rules, in 547 of 660 pairs; of policies in words of their own, "
        "kept aside, 21 of 80 conflicts, and 8 of 80 others are called one (docs/models/conflict.md).",
        version="5",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"question", "passages"})
    type: Literal["source_conflict"] = "source_conflict"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:  # noqa: ARG002 - the contract's signature
        """Return the probability of the surest pair, or why there is none."""
        labelled = _labelled(answer)
        if labelled is not None:
            return labelled
        found = between(answer)
        if isinstance(found, Absent):
            return found
        surest = found.pairs[0]
        conflict = conflicting(surest)
        return Measured(
            value=surest.probability,
            basis="passages",
            label="conflict" if conflict else "no_conflict",
            explanation=_told(sum(map(conflicting, found.pairs)), len(found.pairs)),
            evidence=sides(found, surest) if conflict else (),
        )


def _told(conflicts: int, pairs: int) -> str:
    """Say how many pairs of passages are in conflict.

    >>> [_told(0, 1), _told(1, 1), _told(1, 3)]
    ['the two passages do not conflict', 'the two passages conflict', '1 of 3 pairs of passages conflicts']
    """
    if pairs == 1:
        return "the two passages conflict" if conflicts else "the two passages do not conflict"
    return f"{conflicts or 'none'} of {pairs} pairs of passages conflict{'s' if conflicts == 1 else ''}"


def sides(found: Between, pair: Disagreement) -> tuple[Evidence, Evidence]:
    """Return the two passages of a pair, each with what it says."""
    first, second = (
        Evidence.of_passage(
            found.passages[side.passage],
            f"{'' if side.value is None else f'says {excerpt(side.value.text)!r}: '}{excerpt(side.sentence)!r}",
        )
        for side in (pair.first, pair.second)
    )
    return first, second


def _labelled(answer: Answer) -> Measured | None:
    """Return the value that a person's labels give; ``None`` where the passages were not labelled."""
    if answer.gold is None or not answer.gold.passages:
        return None
    retrieved = {passage.id for passage in answer.passages or ()}
    sides_ = [gold for gold in answer.gold.passages if gold.label == "conflicting" and gold.id in retrieved]
    return Measured(
        value=1.0 if sides_ else 0.0,
        basis="gold",
        label="conflict" if sides_ else "no_conflict",
        evidence=tuple(
            Evidence(kind="passage", detail="labelled as conflicting", passage_id=gold.id) for gold in sides_[:2]
        ),
    )
