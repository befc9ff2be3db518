"""What a replay against another retriever says: as text, JSON, Markdown and JUnit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.commands.columns import aligned, p_cell
from collector.commands.objects import object_line
from collector.commands.verdictfiles import WORDS, append_markdown, cell, write_junit
from collector.security.text import one_line
from evaluation.retrieval.lost import LostClaim, LostDocument, StalePassage, document_of
from evaluation.retrieval.verdict import ReplayState, RetrievalRow
from gates.verdicts.summary import counted

DOCUMENTS, CLAIMS = 10, 5
"""Documents and claims that are shown to people; JSON has all of them."""
WIDTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """The verdict over a retriever, and all that it rests on."""

    retriever: str
    state: ReplayState
    reasons: Sequence[str]
    choices: Mapping[str, Any]
    answers: int
    unchanged: int
    changed: int
    failed: int
    left_out: Mapping[str, int]
    failures: Mapping[str, int]
    rows: Sequence[RetrievalRow]
    losing: int
    lost: Sequence[LostClaim]
    documents: Sequence[LostDocument]
    stale: Sequence[StalePassage]

    @property
    def counts(self) -> str:
        """How many answers there are, and what became of them."""
        told = f"{counted(self.answers, 'answer')}: context unchanged {self.unchanged:,}, changed {self.changed:,}"
        return told + (f", not retrieved {self.failed:,}" if self.failed else "")


def reasons_of(rows: Sequence[RetrievalRow], margin: float) -> list[str]:
    """Return why the verdict is what it is, one sentence a row that decides.

    >>> reasons_of([], 0.02)
    []
    """
    told = []
    # A row that fails decides alone.
    failing = [row for row in rows if row.state == "fail"]
    for row in failing or rows:
        where = "" if not row.scope else f" over {_scope(row)}"
        if row.interval is None or row.difference is None:
            told += [] if row.scope else [f"{row.metric}: fewer than two independent answers have a value"]
            continue
        loss, most = _loss(row)
        if row.state == "fail":
            told.append(f"{row.metric}{where} loses {loss:.4f}, which is shown to be more than {margin:g}")
        elif row.state == "inconclusive" and not row.scope:
            told.append(f"{row.metric} may lose up to {most:.4f}; whether that is more than {margin:g} is not shown")
        elif not row.scope:
            told.append(f"{row.metric} loses at most {max(0.0, most):.4f}")
    return told


def text_lines(told: ReplayReport) -> Iterator[str]:
    """Yield the report for a terminal."""
    yield f"{one_line(told.retriever)} against recorded answers\n{told.counts}\n"
    for what, counts in (("left out", told.left_out), ("the retriever failed", told.failures)):
        if counts:
            listed = ", ".join(f"{one_line(name, WIDTH)} {count:,}" for name, count in Counter(counts).most_common(5))
            yield f"{what}: {listed}\n"
    level = f"{100 * (1 - float(told.choices['alpha'])):g} % interval"
    head = ["metric", "slice", "answers", "worse", "difference", level, "p", f"margin {told.choices['margin']:g}"]
    yield from aligned([head, *map(_cells, told.rows)], right={2, 3, 4, 6})
    yield f"answers that lose a supported claim: {told.losing:,}\n"
    if told.documents:
        yield "\nevidence lost, by document\n"
        shown = [_document(each) for each in told.documents[:DOCUMENTS]]
        yield from aligned(
            [["document", "claims", "contradicted", "answers", "in recorded contexts", "in new"], *shown],
            right={1, 2, 3, 4, 5},
        )
        yield _more(told.documents, DOCUMENTS, "document")
        for each in told.documents[:CLAIMS]:
            claim = min((one for one in told.lost if document_of(one.passage) == each.doc_id), key=_earliest)
            yield f"  {one_line(each.doc_id, 60)}, in answer {one_line(claim.answer_id, 40)}: "
            yield f"{one_line(claim.words, WIDTH)}\n"
    if told.stale:
        yield "\nnot in force in new contexts\n"
        rows = [[name, state, f"{count:,}", instead] for name, state, count, instead in _stale(told.stale)]
        yield from aligned([["document", "state", "answers", "in force instead"], *rows[:DOCUMENTS]], right={2})
        yield _more(rows, DOCUMENTS, "document")
    yield f"\nverdict: {told.state}: {'; '.join(told.reasons)}\n"


def json_text(told: ReplayReport) -> str:
    """Return the report as one line of JSON, with every lost claim."""
    body = {
        "retriever": told.retriever,
        "verdict": told.state,
        "reasons": list(told.reasons),
        "choices": dict(told.choices),
        "answers": told.answers,
        "unchanged": told.unchanged,
        "changed": told.changed,
        "failed": told.failed,
        "left_out": dict(told.left_out),
        "failures": dict(told.failures),
        "rows": [
            {
                "metric": row.metric,
                "better": row.better,
                "slice": dict(row.scope),
                "answers": row.answers,
                "groups": row.groups,
                "worse": row.worse,
                "difference": row.difference,
                "interval": None if row.interval is None else list(row.interval),
                "p_value": row.p_value,
                "verdict": row.state,
            }
            for row in told.rows
        ],
        "losing": told.losing,
        "documents": [
            {
                "doc_id": each.doc_id,
                "claims": each.claims,
                "contradicted": each.contradicted,
                "answers": each.answers,
                "recorded": each.recorded,
                "found": each.found,
            }
            for each in told.documents
        ],
        "lost": [
            {
                "answer_id": claim.answer_id,
                "claim": claim.words,
                "passage_id": None if claim.passage is None else claim.passage.id,
                "doc_id": None if claim.passage is None else claim.passage.doc_id,
                "before": claim.before,
                "after": claim.after,
                "contradicted": claim.contradicted,
            }
            for claim in told.lost
        ],
        "stale": [passage._asdict() for passage in told.stale],
    }
    return object_line(body)


def write(told: ReplayReport, *, junit: Path | None, markdown: Path | None) -> None:
    """Write the report as JUnit XML and append it as Markdown, where that is wanted. Raises `ConfigError`."""
    if junit is not None:
        kinds = {"fail": "failure", "inconclusive": "skipped"}
        parts = [("retriever", kinds.get(told.state), "; ".join(told.reasons))]
        parts += [
            (f"{row.metric} {_scope(row)}", kinds.get(row.state), "; ".join(_cells(row)[2:])) for row in told.rows
        ]
        write_junit(junit, "groundwire retrieval compare", parts)
    if markdown is not None:
        append_markdown(markdown, "".join(_markdown(told)))


def _markdown(told: ReplayReport) -> Iterator[str]:
    yield f"### Retriever {cell(told.retriever)}: {WORDS[told.state]}\n\n"
    yield f"{cell('; '.join(told.reasons))}\n\n{cell(told.counts)}\n\n"
    yield "| metric | slice | answers | worse | difference | interval | p | verdict |\n"
    yield "| --- | --- | ---: | ---: | ---: | --- | ---: | --- |\n"
    for row in told.rows:
        yield f"| {' | '.join(cell(each) for each in _cells(row)[:-1])} | {WORDS[row.state]} |\n"
    if told.documents:
        yield "\n| evidence lost: document | claims | contradicted | answers | recorded | new |\n"
        yield "| --- | ---: | ---: | ---: | ---: | ---: |\n"
        for each in told.documents[:DOCUMENTS]:
            yield f"| {' | '.join(map(cell, _document(each)))} |\n"
        yield _more(told.documents, DOCUMENTS, "document")
    yield "\n"


def _cells(row: RetrievalRow) -> list[str]:
    interval = "-"
    if row.interval is not None:
        interval = f"[{row.interval.low + 0.0:+.4f}, {row.interval.high + 0.0:+.4f}]"
    difference = "-" if row.difference is None else f"{row.difference + 0.0:+.4f}"
    return [
        row.metric,
        _scope(row),
        f"{row.answers:,}",
        f"{row.worse:,}",
        difference,
        interval,
        p_cell(row.p_value),
        row.state,
    ]


def _scope(row: RetrievalRow) -> str:
    return ", ".join(one_line(f"{name}={value}", 60) for name, value in row.scope.items()) or "all"


def _loss(row: RetrievalRow) -> tuple[float, float]:
    assert row.difference is not None
    assert row.interval is not None
    return (-row.difference, -row.interval.low) if row.better == "higher" else (row.difference, row.interval.high)


def _earliest(claim: LostClaim) -> tuple[int, str]:
    """Order claims by the answer's id, as people count."""
    return len(claim.answer_id), claim.answer_id


def _document(each: LostDocument) -> list[str]:
    counts = (each.claims, each.contradicted, each.answers, each.recorded, each.found)
    return [one_line(each.doc_id, 60), *(f"{count:,}" for count in counts)]


def _stale(stale: Sequence[StalePassage]) -> list[tuple[str, str, int, str]]:
    answers: dict[tuple[str, str, str], set[str]] = {}
    for each in stale:
        answers.setdefault((each.doc_id, each.state, each.instead or "-"), set()).add(each.answer_id)
    rows = [
        (one_line(doc, 60), state, len(ids), one_line(instead, 60)) for (doc, state, instead), ids in answers.items()
    ]
    return sorted(rows, key=lambda row: (-row[2], row[0]))


def _more(rows: Sequence[object], shown: int, what: str) -> str:
    return f"and {counted(len(rows) - shown, f'more {what}')}\n" if len(rows) > shown else ""
