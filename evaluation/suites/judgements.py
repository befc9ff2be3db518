"""What several records say of one answer by other evaluators, put together."""

from __future__ import annotations

from adapters.schema import AnswerJudgement


def together(mine: tuple[AnswerJudgement, ...], theirs: tuple[AnswerJudgement, ...]) -> tuple[AnswerJudgement, ...]:
    """Return the judgements of one answer from two records. Raises `ValueError` where both have a score of one name.

    >>> one = AnswerJudgement(evaluator="judge", scores={"tone": 4.0})
    >>> together((one,), (AnswerJudgement(evaluator="judge", scores={"help": 2.0}),))[0].scores
    {'tone': 4.0, 'help': 2.0}
    >>> together((one,), (AnswerJudgement(evaluator="other", scores={"tone": 2.0}),))
    Traceback (most recent call last):
    ValueError: tone: was scored by judge already; put what each evaluator says into a run of its own
    """
    whole = list(mine)
    for judgement in theirs:
        for other in whole:
            both = sorted(judgement.names & other.names)
            if both:
                raise ValueError(
                    f"{both[0]}: was scored by {other.measured_by or 'an evaluator'} already; put what each evaluator "
                    "says into a run of its own"
                )
        same = next((place for place, each in enumerate(whole) if each.measured_by == judgement.measured_by), None)
        if same is None:
            whole.append(judgement)
        else:
            whole[same] = _joined(whole[same], judgement)
    return tuple(whole)


def _joined(one: AnswerJudgement, other: AnswerJudgement) -> AnswerJudgement:
    usage = one.usage.model_copy(
        update={
            name: value if mine is None else mine + value
            for name, value in other.usage.model_dump(exclude_none=True).items()
            for mine in (getattr(one.usage, name),)
        }
    )
    return one.model_copy(
        update={
            "scores": {**one.scores, **other.scores},
            "labels": {**one.labels, **other.labels},
            "justifications": {**one.justifications, **other.justifications},
            "usage": usage,
        }
    )
