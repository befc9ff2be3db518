"""A run by conversations: the mean of the turns of each, which is what is independent of other conversations.

Source: "Case-Aware LLM-as-a-Judge Evaluation for Enterprise-Scale RAG Systems", 8.3 (unit of analysis).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.comparison.pairing import SHOWN, PairingError
from evaluation.comparison.runs import Provenance, ScoredRun


def by_conversation(run: ScoredRun) -> ScoredRun:
    """Return a run whose answers are conversations, by their session ids: each has the mean of its turns' values.

    A conversation has the attributes in which all its turns agree; it has no value where no turn has one. Raises
    `PairingError` for an answer that is of no conversation.

    >>> turns = {name: Provenance("c-1", {"turn": name}) for name in ("a", "b")}
    >>> run = by_conversation(ScoredRun("r", {"recall": {"a": 0.5, "b": 1.0}}, {"recall": "1"}, turns))
    >>> run.values, run.answers["c-1"].attributes
    ({'recall': {'c-1': 0.75}}, {})
    """
    turns: dict[str, list[str]] = {}
    for answer, told in run.answers.items():
        if told.session_id is None:
            raise PairingError(
                f"{run.name}: answer {answer[:SHOWN]!r} has no session_id; its conversation is not known"
            )
        turns.setdefault(told.session_id, []).append(answer)
    return ScoredRun(
        run.name,
        {
            metric: {
                session: _mean([values[turn] for turn in members if turn in values])
                for session, members in turns.items()
                if any(turn in values for turn in members)
            }
            for metric, values in run.values.items()
        },
        run.versions,
        {
            session: Provenance(session, _shared([run.answers[turn].attributes for turn in members]))
            for session, members in turns.items()
        },
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _shared(attributes: Sequence[Mapping[str, str]]) -> Mapping[str, str]:
    first, *others = attributes
    return {name: value for name, value in first.items() if all(each.get(name) == value for each in others)}
