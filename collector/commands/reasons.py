"""Why an answer scored as it did: its claims beside its passages, then what the other scorers found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from adapters.schema import Answer
from collector.commands.screen import paragraph
from collector.security.text import one_line
from scorers.base import Absent
from scorers.support.comparison import ClaimComparison

SHOWN = 400
"""Characters of one text that are shown: a claim is a sentence, what is longer is a table or worse."""
MAX_CLAIMS = 100
BY_CLAIM = frozenset({"claim_support", "faithfulness", "contradiction_absence"})
"""Metrics whose evidence is the claims, which is left out where these are printed."""
FAULTS = frozenset({"error", "timeout", "over_budget"})
"""Reasons that are errors, so that their detail is shown."""
Paragraph = tuple[str, str]
"""What stands before a text, and the text."""


def explain(
    answer: Answer,
    evaluation: Mapping[str, Any],
    compared: Sequence[ClaimComparison] | Absent | None,
    out: TextIO,
    *,
    width: int,
    facts: Sequence[Paragraph] = (),
) -> None:
    """Print what an answer scored and why, a blank line at the end; ``facts`` stand before it."""
    said = [("", _cut(answer.id)), *([block("question", answer.question)] if answer.question else ()), *facts]
    write([*said, *_reasons(evaluation, compared)], out, width)
    out.write("\n")


def write(paragraphs: Iterable[Paragraph], out: TextIO, width: int) -> None:
    """Print paragraphs in lines of at most ``width`` columns."""
    for head, text in paragraphs:
        out.writelines(paragraph(head, text, width))


def block(name: str, text: str) -> Paragraph:
    """Return a text under its name."""
    return f"  {name:<9} ", _cut(text)


def _reasons(evaluation: Mapping[str, Any], compared: Sequence[ClaimComparison] | Absent | None) -> Iterator[Paragraph]:
    if isinstance(compared, Absent):
        yield block("claims", f"not compared: {compared.detail or compared.reason}")
    elif compared is not None:
        yield from _claims(compared)
    beside = compared is not None and not isinstance(compared, Absent)
    for score in evaluation["scores"]:
        yield from _score(score, evidence=not (beside and score["metric"] in BY_CLAIM))
    missing: dict[str, list[str]] = {}
    for each in evaluation["unscored"]:
        detail = f" ({_cut(each['detail'] or '')})" if each["reason"] in FAULTS else ""
        missing.setdefault(each["reason"], []).append(each["metric"] + detail)
    for reason, names in missing.items():
        yield block("unscored", f"{reason}: {', '.join(names)}")


def _claims(compared: Sequence[ClaimComparison]) -> Iterator[Paragraph]:
    yield block("claims", f"{len(compared)} against the context")
    for number, claim in enumerate(compared[:MAX_CLAIMS], start=1):
        yield f"  [{number}] ", f"{claim.verdict}, support {claim.supported:.2f}: {_cut(claim.words)}"
        if claim.nearest is None:
            yield "      nearest  ", "no sentence in the context shares a word with it"
        else:
            yield "      nearest  ", f"{_cut(claim.nearest)}  ({_cut(claim.passage_id or '')})"
        yield "      differs  ", _cut(claim.differs)
    if len(compared) > MAX_CLAIMS:
        yield "  ", f"... and {len(compared) - MAX_CLAIMS} more"


def _score(score: Mapping[str, Any], *, evidence: bool) -> Iterator[Paragraph]:
    label = "" if score["label"] is None else f" {score['label']}"
    basis = "" if score["basis"] is None else f" (by {score['basis']})"
    why = "" if score["explanation"] is None else f": {_cut(score['explanation'])}"
    yield "  ", f"{score['metric']} {score['value']:.3f}{label}{basis}{why}"
    for found in score["evidence"] if evidence else ():
        where = found["passage_id"] or found["doc_id"]
        yield "    - ", _cut(found["detail"]) + ("" if where is None else f"  ({_cut(where)})")


def _cut(text: str) -> str:
    return one_line(text, SHOWN)
