"""Questions asked again and in other words: how far answers to the same thing differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from adapters.schema import Answer
from collector.commands.columns import aligned
from collector.errors import ConfigError
from collector.runs.folder import ASKED, SCORED
from collector.runs.journal import Journal, rows_of
from collector.security.text import one_line
from evaluation.consistency.citations import (
    AGREEMENT_VERSION,
    CITATION_AGREEMENT,
    citation_agreement,
    cited_documents,
)
from evaluation.consistency.spread import (
    PARAPHRASE_OF,
    REPEAT,
    REPEAT_OF,
    RepeatedScore,
    RepeatSpread,
    repeat_spreads,
)
from gates.inputs.slices import attributes_of
from gates.verdicts.summary import counted

MAX_REPEATS = 100
FAILED = "the application gave no answer"


def repeated(cases: Path, times: int) -> Path:
    """Return a journal with each case of ``cases`` as often as it is asked, all of them once before any of them again.

    Raises `ConfigError` where the id of a repetition is that of another row.
    """
    if times == 1:
        return cases
    ids = {row["answer_id"] for row in rows_of(cases)}
    target = cases.with_name(f"repeated-{cases.name}")
    if target.exists():
        return target
    with Journal(target) as journal:
        for number in range(1, times + 1):
            for row in rows_of(cases):
                name = f"{row['answer_id']}#{number}"
                if name in ids:
                    raise ConfigError(f"id: {one_line(name, 60)!r} is the name of a repetition; rename the row")
                told = {REPEAT_OF: row["answer_id"], REPEAT: str(number)}
                attributes = {**row["answer"].get("attributes", {}), **told}
                answer = {**row["answer"], "id": name, "attributes": attributes}
                journal.append([{**row, "answer_id": name, "answer": answer}])
    return target


def has_groups(cases: Path) -> bool:
    """Return whether cases ask anything again, or in other words."""
    names = (PARAPHRASE_OF, REPEAT_OF)
    return any(name in row["answer"].get("attributes", {}) for row in rows_of(cases) for name in names)


def agreement_rows(folder: Path) -> Mapping[str, dict[str, Any]]:
    """Return by answer the line of its agreement in citations, of the answers of a run that belong to a group."""
    answers = [Answer.model_validate(row["answer"]) for row in rows_of(folder / ASKED)]
    bases = {base for each in answers if (base := each.attributes.get(PARAPHRASE_OF)) is not None}
    groups: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    failed: dict[str, float | str] = {}
    kept: dict[str, Answer] = {}
    for answer in answers:
        name = _group_of(answer, bases)
        if name is None:
            continue
        kept[answer.id] = answer
        if answer.status == "error":
            failed[answer.id] = FAILED
        else:
            groups[name][answer.id] = cited_documents(answer)
    found = {**citation_agreement(list(groups.values())), **failed}
    return {name: _line(kept[name], value) for name, value in found.items()}


def with_agreement(scores: Iterator[dict[str, Any]], added: Mapping[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the lines of scores, those of each answer with what is ``added`` to them."""
    for name, lines in groupby(scores, key=lambda row: row["answer_id"]):
        yield from lines
        if name in added:
            yield added[name]


def spreads_of(folder: Path, agreement: Mapping[str, dict[str, Any]]) -> list[RepeatSpread]:
    """Return how far each metric of a run moves over the repetitions of a question."""
    rows = with_agreement(rows_of(folder / SCORED), agreement)
    return repeat_spreads(
        RepeatedScore(row["attributes"][REPEAT_OF], row["metric"], row["value"], row["label"])
        for row in rows
        if REPEAT_OF in row["attributes"]
    )


def spread_table(run: str, spreads: Sequence[RepeatSpread]) -> Iterator[str]:
    """Yield the table of what moves where nothing changes, and what does not."""
    if not spreads:
        return
    most = max(each.questions for each in spreads)
    answers = max(each.answers for each in spreads)
    yield f"\n{one_line(run, 40)}: {counted(most, 'question')} asked again, {answers:,} answers\n"
    head = ["metric", "questions", "mean", "within", "between", "rerun +-", "values change", "labels flip", "partly"]
    moving = [each for each in spreads if each.changing or each.flips or each.partly]
    if moving:
        yield from aligned([head, *map(_cells, moving)], right=set(range(1, 9)))
    still = [one_line(each.metric, 40) for each in spreads if each not in moving]
    if still:
        yield f"the same in every repetition: {', '.join(still)}\n"


def shared_citations(agreement: Mapping[str, dict[str, Any]]) -> float | None:
    """Return the mean agreement in citations of a run's answers; ``None`` where none has any."""
    values = [row["value"] for row in agreement.values() if row["value"] is not None]
    return sum(values) / len(values) if values else None


def _cells(each: RepeatSpread) -> list[str]:
    return [
        one_line(each.metric, 40),
        f"{each.questions:,}",
        _figure(each.mean),
        _figure(each.within),
        _figure(each.between),
        _figure(each.rerun),
        f"{each.changing:,} of {each.questions:,}",
        f"{each.flips:,} of {each.labelled:,}" if each.labelled else "-",
        f"{each.partly:,}",
    ]


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:,.4g}"


def _group_of(answer: Answer, bases: set[str]) -> str | None:
    """Return what an answer belongs to: the row that it asks in other words, or that it repeats."""
    base = answer.attributes.get(PARAPHRASE_OF)
    if base is not None:
        return base
    asked = answer.attributes.get(REPEAT_OF)
    if asked is None:
        return answer.id if answer.id in bases else None
    return asked


def _line(answer: Answer, found: float | str) -> dict[str, Any]:
    scored = isinstance(found, float)
    return {
        "answer_id": answer.id,
        "metric": CITATION_AGREEMENT,
        "value": found if scored else None,
        "outcome": "scored" if scored else "unscored",
        "reason": None if scored else "missing_input" if found == FAILED else "not_applicable",
        "basis": None,
        "label": None,
        "explanation": None if scored else found,
        "evidence": [],
        "scorer_version": AGREEMENT_VERSION,
        "session_id": answer.session_id,
        "attributes": dict(attributes_of(answer)),
    }
