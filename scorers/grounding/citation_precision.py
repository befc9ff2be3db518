"""Citation precision: whether the very passages cited support the claims they stand at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer
from scorers.grounding.better_passage import BetterPassage, better_passage
from scorers.grounding.citing import LISTED, Cited, Citing, citing, differs, told
from scorers.grounding.ledger import cited_precisely
from scorers.support.attribution import SUPPORTED
from scorers.text.excerpt import excerpt

SEARCHED = 10
"""Failing citations from which on it is not looked for what should have been cited."""

_Failure = tuple[str, tuple[Evidence, ...]]


class CitationPrecision(Scorer):
    """Share of citations whose very passage supports the claim they stand at: 0 none does, 1 each does.

    Each passage a claim cites is one citation. It counts where its passage alone supports the claim, or where all
    passages the claim cites support it together, and without this one they do not. A citation that points at no
    retrieved passage does not count. One that is given beside the answer, at no claim, holds if it does at any of them.
    The label says what went wrong: ``wrong_chunk`` where another passage of the same version of the document supports
    the claim, retrieved or listed in the catalog with its text; the evidence names it. Else ``unsupported``, else
    ``unresolved`` where the marker points nowhere; ``precise`` where nothing did.

    The claim ledger of a labelled row is judged exactly (``basis: gold``).

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Citation, Passage
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> right = Passage(id="p1", doc_id="HR-010", text="Employees receive 20 weeks of paid parental leave.")
    >>> wrong = Passage(id="p2", doc_id="HR-010", text="Requests go to the line manager.")
    >>> answer = Answer(id="a", answer="Parental leave is 20 weeks [2].", passages=(right, wrong),
    ...                 citations=(Citation(start=27, end=30, marker="[2]", passage_id="p2"),))
    >>> score = CitationPrecision().score(answer, env)
    >>> score.value, score.label, score.evidence[1].passage_id
    (0.0, 'wrong_chunk', 'p1')
    """

    metric: ClassVar[Metric] = Metric(
        name="citation_precision",
        family="grounding",
        languages=("en",),
        words=("answer", "passages"),
        unit="ratio",
        better="higher",
        help="Share of citations whose cited passage supports the claim: 0 none, 1 all.",
        formula="citations whose passage supports the claim with p >= .5 on its own, or is needed for the passages "
        "cited together to support it / citations",
        source="PROBE 3.3, Table 3 and Table 8 rank 3 (wrong-chunk citation); RAG evaluation lesson, citation_support; "
        "joint support after Gao et al. 2023 (ALCE), citation precision.",
        bases=("gold", "passages"),
        labels=("precise", "unresolved", "unsupported", "wrong_chunk"),
        cost="judgement",
        limits="Misses what the support model misses (another entity, exchanged roles, added restrictions: "
        "docs/models/support.md), which is calibrated for whole contexts, not for a passage alone. Citation "
        "markers that the adapter could not resolve count against it; only the first ten passages that a "
        "claim cites are judged.",
        version="4",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"answer", "passages"})
    by_entailment: ClassVar[bool] = True
    type: Literal["citation_precision"] = "citation_precision"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of citations that hold, or why there is none."""
        if (exact := cited_precisely(answer, env)) is not None:
            return exact
        found = citing(answer, env)
        if isinstance(found, Absent):
            return found
        failures: list[_Failure] = []
        judged = 0
        for each in _judged(answer, found):
            judged += len(each.ids)
            failures += _failures(answer, env, found, each, search=len(failures) < SEARCHED)
        labels = {label for label, _ in failures}
        return Measured(
            value=1 - len(failures) / judged,
            basis="passages",
            label=next((name for name in ("wrong_chunk", "unsupported", "unresolved") if name in labels), "precise"),
            explanation=f"{judged - len(failures)} of {judged} citations point to a passage that supports the claim"
            f"{found.by}",
            evidence=tuple(item for _, evidence in failures[:LISTED] for item in evidence),
        )


def _judged(answer: Answer, found: Citing) -> Iterator[Cited]:
    """Yield what each claim cites; a citation of the whole answer at one claim, the first that it holds at if any."""
    whole = {each.passage_id for each in answer.citations or () if each.start == each.end}
    if not whole:
        yield from found.claims
        return
    at = {passage.id: place for place, passage in reversed(list(enumerate(answer.passages or ())))}
    chosen: dict[str | None, int] = {}
    for name in whole:
        citing_it = [each for each in found.claims if name in each.ids]
        holding = (each for each in citing_it if name is not None and name in at and _holds(found, each, at[name]))
        if (one := next(holding, next(iter(citing_it), None))) is not None:
            chosen[name] = one.claim
    for each in found.claims:
        ids = tuple(name for name in each.ids if name not in whole or chosen[name] == each.claim)
        yield replace(each, ids=ids)


def _failures(answer: Answer, env: Env, found: Citing, cited: Cited, *, search: bool) -> Iterator[_Failure]:
    """Yield what is wrong with the citations of a claim that do not hold."""
    claim = found.attribution.claims[cited.claim]
    known = {(answer.passages or ())[place].id: place for place in cited.places}
    for name in cited.ids:
        if name is None or name not in known:
            detail = f"claim {excerpt(claim.words)!r} cites a passage that was not retrieved"
            yield "unresolved", (Evidence.of_claim(claim, detail, name),)
        elif not _holds(found, cited, known[name]):
            better = better_passage(answer, env, found, cited.claim, known[name]) if search else None
            yield _failure(answer, found, cited.claim, known[name], better)


def _holds(found: Citing, cited: Cited, place: int) -> bool:
    if found.alone(cited.claim, [place]).support >= SUPPORTED:
        return True
    others = [other for other in cited.places if other != place]
    if not others or found.alone(cited.claim, cited.places).support < SUPPORTED:
        return False
    return found.alone(cited.claim, others).support < SUPPORTED


def _failure(answer: Answer, found: Citing, claim: int, place: int, better: BetterPassage | None) -> _Failure:
    """Name what is wrong with a citation, and the passage that should have been cited if there is one."""
    said, passage = found.attribution.claims[claim], (answer.passages or ())[place]
    alone = found.alone(claim, [place])
    instead = "" if better is None else f"; {better.support:.2f} from {better.reference} of the same document"
    detail = f"claim {excerpt(said.words)!r} {told(alone)} from the passage cited{instead}{differs(alone)}"
    shown = Evidence.of_passage(passage, detail, kind="claim", at=said)
    return ("unsupported", (shown,)) if better is None else ("wrong_chunk", (shown, better.evidence))
