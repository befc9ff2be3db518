"""Why an answer scored as it did: its claims beside its passages, then what the other scorers found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, TextIO

from adapters.schema import Answer
from collector.security.text import one_line
from scorers.base import Absent
from scorers.support.comparison import ClaimComparison

WIDTH = 110
SHOWN = 400
"""Characters of one text that are shown: a claim is a sentence, what is longer is a table or worse."""
MAX_CLAIMS = 100
BY_CLAIM = frozenset({"claim_support", "faithfulness", "contradiction_absence"})
"""Metrics whose evidence is the claims, which is left out where these are printed."""
FAULTS = frozenset({"error", "timeout", "over_budget"})
"""Reasons that are errors, so that their detail is shown."""


def explain(
    answer: Answer,
    evaluation: Mapping[str, Any],
    compared: Sequence[ClaimComparison] | Absent | None,
    out: TextIO,
    facts: Sequence[str] = (),
) -> None:
    """Print what an answer scored and why, a blank line at the end; ``facts`` are lines that stand before it."""
    out.write(f"{_cut(answer.id)}\n")
    if answer.question:
        out.writelines(block("question", answer.question))
    out.writelines(facts)
    if isinstance(compared, Absent):
        out.writelines(block("claims", f"not compared: {compared.detail or compared.reason}"))
    elif compared is not None:
        out.writelines(_claims(compared))
    beside = compared is not None and not isinstance(compared, Absent)
    for score in evaluation["scores"]:
        out.writelines(_score(score, evidence=not (beside and score["metric"] in BY_CLAIM)))
    missing: dict[str, list[str]] = {}
    for each in evaluation["unscored"]:
        detail = f" ({_cut(each['detail'] or '')})" if each["reason"] in FAULTS else ""
        missing.setdefault(each["reason"], []).append(each["metric"] + detail)
    for reason, names in missing.items():
        out.writelines(block("unscored", f"{reason}: {', '.join(names)}"))
    out.write("\n")


def _claims(compared: Sequence[ClaimComparison]) -> Iterator[str]:
    yield f"  {'claims':<9} {len(compared)} against the context\n"
    for number, claim in enumerate(compared[:MAX_CLAIMS], start=1):
        yield from _wrapped(f"  [{number}] ", f"{claim.verdict}, support {claim.supported:.2f}: {_cut(claim.words)}")
        if claim.nearest is None:
            yield from _wrapped("      nearest  ", "no sentence in the context shares a word with it")
        else:
            yield from _wrapped("      nearest  ", f"{_cut(claim.nearest)}  ({_cut(claim.passage_id or '')})")
        yield from _wrapped("      differs  ", _cut(claim.differs))
    if len(compared) > MAX_CLAIMS:
        yield f"  ... and {len(compared) - MAX_CLAIMS} more\n"


def _score(score: Mapping[str, Any], *, evidence: bool) -> Iterator[str]:
    label = "" if score["label"] is None else f" {score['label']}"
    basis = "" if score["basis"] is None else f" (by {score['basis']})"
    why = "" if score["explanation"] is None else f": {_cut(score['explanation'])}"
    yield from _wrapped("  ", f"{score['metric']} {score['value']:.3f}{label}{basis}{why}")
    for found in score["evidence"] if evidence else ():
        where = found["passage_id"] or found["doc_id"]
        yield from _wrapped("    - ", _cut(found["detail"]) + ("" if where is None else f"  ({_cut(where)})"))


def block(name: str, text: str) -> Iterator[str]:
    """Yield the lines of a text under its name."""
    return _wrapped(f"  {name:<9} ", _cut(text))


def _wrapped(head: str, text: str) -> Iterator[str]:
    indent = " " * len(head)
    lines = wrap(text, WIDTH - len(head), break_on_hyphens=False) or [""]
    yield f"{head}{lines[0]}\n"
    yield from (f"{indent}{line}\n" for line in lines[1:])


def _cut(text: str) -> str:
    return one_line(text, SHOWN)
