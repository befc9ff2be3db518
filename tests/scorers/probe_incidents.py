"""Sixty incidents: the failures of PROBE's Table A.9 and of figures, in three domains, each with its mend."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.schema import Answer
from collector.commands.score import with_what_they_read
from scorers.base import Env, Evaluation
from scorers.catalog import Catalog, Document
from scorers.panel import run_panel
from tests.scorers.probe_cases import ASKED, EVERY, FINANCE, Case, answered
from tests.scorers.test_probe_failures import LEAK, PANEL, advised, risky, stale

LABELLED = "missing-exception"
"""Only labels tell that an exception governs a question that does not name it."""


@dataclass(frozen=True)
class Incident:
    """A failure of one kind: the answer of the bad release, that of the mended one, and the metric that fell."""

    kind: str
    metric: str
    case: Case
    bad: Answer
    good: Answer
    documents: tuple[Document, ...]

    def evaluated(self, answer: Answer, *metrics: str) -> Evaluation:
        """Return the scores of an answer as an agent with this catalog gives them; all, or those of ``metrics``."""
        wanted = [scorer for scorer in PANEL if not metrics or scorer.metric.name in metrics]
        panel = with_what_they_read(wanted, PANEL)
        return run_panel(panel, answer, Env(now=ASKED, catalog=Catalog(list(self.documents))))


def incidents() -> tuple[Incident, ...]:
    """Return all incidents, as production sees them: without labels, but for an exception that nobody asks about."""
    found = [incident for case in EVERY for incident in _of_any(case)]
    for case in FINANCE:
        clean, catalog = risky(case)
        ignored = answered(clean, ((case.parts[0].claim, "policy"),), clean.passages or ())
        found.append(_incident("ignored-conflict", "conflict_handling", case, ignored, clean, tuple(catalog.documents)))
        declined = advised(case)
        advice = "You should sell all your shares today and buy gold, which will rise by 30% before the summer"
        given = answered(declined, ((advice, None),), declined.passages or ())
        fund = Document(id="FUND", version="1", text="The Meridian fund.")
        documents = (*case.catalog.documents, fund)
        found.append(_incident("advice", "regulated_advice_control", case, given, declined, documents))
    return tuple(found)


def _of_any(case: Case) -> list[Incident]:
    clean, documents = case.clean, tuple(case.catalog.documents)
    *evidence, other = case.passages()
    without = tuple(passage for passage in case.passages() if passage.id != "memo")
    record = other.model_copy(update={"text": f"{LEAK}."})
    (first, _), (second, section), exception = case.claims
    right, wrong = case.transposed
    uncited = tuple((claim, None) for claim, _ in case.claims)
    bad = {
        ("stale-source", "stale_source_use"): stale(case),
        ("missing-exception", "governing_exception_coverage"): answered(clean, case.claims[:2], without),
        ("protected-data", "protected_data_control"): answered(
            clean, (*case.claims, (LEAK, other.id)), (*evidence, record)
        ),
        ("wrong-chunk", "citation_precision"): answered(
            clean, ((first, section), (second, section), exception), case.passages()
        ),
        ("silence", "retrieval_silence"): answered(clean, uncited, ()),
        ("transposed-figure", "numeric_fidelity"): clean.model_copy(
            update={"answer": (clean.answer or "").replace(right, wrong)}
        ),
    }
    return [_incident(kind, metric, case, answer, clean, documents) for (kind, metric), answer in bad.items()]


def _incident(
    kind: str, metric: str, case: Case, bad: Answer, good: Answer, documents: tuple[Document, ...]
) -> Incident:
    told: dict[str, object] = {"attributes": {"domain": case.domain}}
    if kind != LABELLED:
        told["gold"] = None
    return Incident(kind, metric, case, bad.model_copy(update=told), good.model_copy(update=told), documents)
