"""Admissible: whether the evidence of an answer may be used at all."""

from __future__ import annotations

from itertools import chain
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer
from scorers.diagnosis.path import FAULTS, Judged, faults, incomplete
from scorers.text.counts import several

LISTED = 5


class Admissible(Scorer):
    """Whether all evidence on the path from retrieval to the context may be used: 1 it may, 0 the answer is void.

    A gate before any quality: a relevant passage that the asker may not see, or that no longer governs, is not made
    acceptable by a good answer, nor by a later step that drops it. The label is the worst fault of any passage or step:

    - ``restricted``: the passage is for groups of which the asker's are none (attribute ``asker_groups``), or is
      labelled prohibited.
    - ``stale``: superseded, expired or not yet in force when the question was asked, by the catalog, the passage itself
      or a label.
    - ``version_mismatch``: the catalog lists the document, but not this version, or with another checksum.
    - ``unknown``: a step names an id that is no passage, or the catalog does not list the document (``listed``).
    - ``duplicated``: an id stands twice in one step.
    - ``not_nested``: something was selected that reranking did not let through, or reranked that was not retrieved.
    - ``not_reordered``, ``empty``, ``unversioned``: the trace is not whole (``complete``): a reranker dropped what was
      put in although a smaller context was selected after it, nothing was selected from what was retrieved, or a
      step's version is not told beside those of others.

    A candidate that was dropped voids the answer too, unless only the selected context is ``judged``.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> secret = Passage(id="p", text="The reserve is 4 M EUR.", permitted=("board",))
    >>> answer = Answer(id="a", passages=(secret,), attributes={"groups": "sales"})
    >>> score = Admissible().score(answer, Env(now=datetime(2026, 1, 1, tzinfo=UTC)))
    >>> score.value, score.label
    (0.0, 'restricted')
    """

    metric: ClassVar[Metric] = Metric(
        name="admissible",
        family="diagnosis",
        languages="any",
        unit="ratio",
        better="higher",
        help="Whether all evidence on the path may be used: 1 yes, 0 some is restricted, stale or unknown.",
        formula="0 if any passage or step has a fault, else 1",
        source="RAG evaluation lesson, 'Gate admissibility before scoring quality' (admissible_evidence_path).",
        bases=("catalog", "passages"),
        labels=("admissible", *FAULTS),
        cost="fields",
        limits="Knows only what the catalog, passage metadata and labels state about permissions, dates and versions; "
        "what none of them states counts as admissible.",
        buckets=(0.5, 1.0),
        version="2",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["admissible"] = "admissible"
    asker_groups: str = Field(
        default="groups", description="Answer attribute that lists the asker's groups, separated by commas or spaces."
    )
    listed: bool = Field(
        default=True,
        description="With a catalog: treat passages of documents that it does not list as unknown evidence.",
    )

    judged: Judged = Field(
        default="path",
        description="Whether every step from retrieval on is judged (path), or the selected context alone (context): "
        "candidates that were retrieved and not selected are then no fault.",
    )
    complete: Literal["ledger", "always", "never"] = Field(
        default="ledger",
        description="Which traces must be whole: those of labelled rows with a claim ledger (ledger), all (always), or "
        "none (never).",
    )
    versions: Annotated[tuple[str, ...], Field(max_length=50)] = Field(
        default=(), description="Components whose version a whole trace must give, besides those of the steps that ran."
    )

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return 0 with the faults, the worst first, else 1; or why the path is not known."""
        whole = self.complete == "always" or (self.complete == "ledger" and answer.claims is not None)
        found = sorted(
            chain(
                faults(answer, env, groups=self.asker_groups, listed=self.listed, judged=self.judged),
                incomplete(answer, self.versions) if whole else (),
            ),
            key=lambda fault: FAULTS.index(fault.kind),
        )
        kinds = list(dict.fromkeys(fault.kind for fault in found))
        return Measured(
            value=0.0 if found else 1.0,
            basis="catalog" if env.catalog is not None else "passages",
            label=kinds[0] if kinds else "admissible",
            explanation=", ".join(kinds) or f"{several(len(answer.passages or ()), 'passage')}, no fault found",
            evidence=tuple(
                Evidence(kind="passage", detail=detail) if passage is None else Evidence.of_passage(passage, detail)
                for passage, detail in ((each.passage, f"{each.kind}: {each.detail}") for each in found[:LISTED])
            ),
        )
