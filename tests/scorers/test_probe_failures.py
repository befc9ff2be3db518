"""Injected failures move the metric they are about, and leave the others where they were.

After PROBE, Table A.9: if a metric does not move as expected on an injected slice, the scorer is suspect. Three
domains, each with clean answers of our own, and the rows that concern the scorers there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from adapters.schema import Answer, Citation, Passage, Usage
from scorers import default_panel, run_panel
from scorers.base import Env, Evaluation
from scorers.catalog import Catalog, Document

ASKED = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
REPLACED = datetime(2026, 3, 1, tzinfo=UTC)
STILL = 0.1
"""A metric that an injected failure is not about moves less than this."""


@dataclass(frozen=True)
class Domain:
    """A clean answer: two claims, each cited to a section of the current version of one document."""

    question: str
    doc_id: str
    sections: dict[str, str]
    claims: tuple[tuple[str, str], ...]
    old: dict[str, str]
    old_claims: tuple[tuple[str, str], ...]
    transposed: tuple[str, str]
    other: str


DOMAINS = {
    "supply chain": Domain(
        question="Can operations approve air expedite for the Northwest lane, and up to what cost?",
        doc_id="ROUTE-7",
        sections={
            "2": "Air expedite on the Northwest lane needs approval of budget control before the shipment is released.",
            "5": "Expedite cost above 2,400 USD per shipment is charged to the supplier that missed its dock date.",
        },
        claims=(
            ("Air expedite on the Northwest lane needs approval of budget control before release", "2"),
            ("Cost above 2,400 USD per shipment is charged to the supplier that missed its dock date", "5"),
        ),
        old={
            "2": "Air expedite on the Northwest lane may be approved by the shift lead without further approval.",
            "5": "Expedite cost above 1,800 USD per shipment is charged to the carrier.",
        },
        old_claims=(
            ("Air expedite on the Northwest lane may be approved by the shift lead", "2"),
            ("Cost above 1,800 USD per shipment is charged to the carrier", "5"),
        ),
        transposed=("2,400", "4,200"),
        other="Pallets are wrapped twice and labelled on two sides before they leave the warehouse.",
    ),
    "healthcare operations": Domain(
        question="How long is the fasting period before sedation, and who documents it?",
        doc_id="CARE-12",
        sections={
            "1": "The fasting period before sedation is 6 hours for solid food and 2 hours for clear fluids.",
            "3": "The admitting nurse documents the fasting period in the pre-procedure checklist.",
        },
        claims=(
            ("The fasting period before sedation is 6 hours for solid food and 2 hours for clear fluids", "1"),
            ("The admitting nurse documents the fasting period in the checklist", "3"),
        ),
        old={
            "1": "The fasting period before sedation is 8 hours for solid food and 4 hours for clear fluids.",
            "3": "The anaesthetist records the fasting period in the chart.",
        },
        old_claims=(
            ("The fasting period before sedation is 8 hours for solid food and 4 hours for clear fluids", "1"),
            ("The anaesthetist records the fasting period in the chart", "3"),
        ),
        transposed=("6 hours", "9 hours"),
        other="Visitors sign in at the front desk and wear a badge at all times.",
    ),
    "financial services": Domain(
        question="What loan-to-value ratio does the credit policy allow, and when is a second review needed?",
        doc_id="CREDIT-3",
        sections={
            "4": "The credit policy allows a loan-to-value ratio of up to 75% for owner-occupied property.",
            "6": "A second review is needed for every exposure above 1.5 million EUR.",
        },
        claims=(
            ("The credit policy allows a loan-to-value ratio of up to 75% for owner-occupied property", "4"),
            ("A second review is needed for every exposure above 1.5 million EUR", "6"),
        ),
        old={
            "4": "The credit policy allows a loan-to-value ratio of up to 85% for any property.",
            "6": "A second review is needed for every exposure above 3 million EUR.",
        },
        old_claims=(
            ("The credit policy allows a loan-to-value ratio of up to 85% for any property", "4"),
            ("A second review is needed for every exposure above 3 million EUR", "6"),
        ),
        transposed=("75%", "57%"),
        other="Branches close at 16:30 on the last working day of the year.",
    ),
}
each_domain = pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS.keys())


def written(claims: tuple[tuple[str, str | None], ...]) -> tuple[str, tuple[Citation, ...]]:
    """Write claims with a marker after each that has a passage to cite."""
    text, citations = "", []
    for claim, target in claims:
        text += claim
        if target is not None:
            marker = f"[{len(citations) + 1}]"
            start = len(text) + 1
            citations.append(Citation(start=start, end=start + len(marker), marker=marker, passage_id=target))
            text += f" {marker}"
        text += ". "
    return text.rstrip(), tuple(citations)


def passages(domain: Domain, version: str) -> tuple[Passage, ...]:
    texts = domain.sections if version == "4" else domain.old
    sections = tuple(
        Passage(id=f"v{version}-s{name}", doc_id=domain.doc_id, version=version, section=name, text=text)
        for name, text in texts.items()
    )
    return (*sections, Passage(id="other", doc_id="GEN-1", version="1", text=domain.other))


def catalog(domain: Domain) -> Catalog:
    return Catalog(
        [
            *(
                Document(id=domain.doc_id, version="3", section=name, text=text, effective_to=REPLACED)
                for name, text in domain.old.items()
            ),
            *(
                Document(id=domain.doc_id, version="4", section=name, text=text, effective_from=REPLACED)
                for name, text in domain.sections.items()
            ),
            Document(id="GEN-1", version="1"),
        ]
    )


def clean(domain: Domain) -> Answer:
    text, citations = written(tuple((claim, f"v4-s{section}") for claim, section in domain.claims))
    retrieved = passages(domain, "4")
    return Answer(
        id="clean",
        question=domain.question,
        answer=text,
        started_at=ASKED,
        passages=retrieved,
        context=tuple(passage.id for passage in retrieved),
        citations=citations,
        usage=Usage(total_tokens=900, latency_ms=1500),
    )


def judged(domain: Domain, answer: Answer) -> Evaluation:
    return run_panel(default_panel(), answer, Env(now=ASKED, catalog=catalog(domain)))


def values(evaluation: Evaluation) -> dict[str, float]:
    return {score.metric: score.value for score in evaluation.scores}


def moved(domain: Domain, answer: Answer) -> set[str]:
    """Return the metrics that differ from the clean answer's, or are no longer scored."""
    before, after = values(judged(domain, clean(domain))), values(judged(domain, answer))
    return {name for name in before if name not in after or abs(before[name] - after[name]) > STILL}


@each_domain
def test_a_clean_answer_is_good_in_every_respect(domain: Domain) -> None:
    found = values(judged(domain, clean(domain)))
    assert found["claim_support"] > 0.9
    assert found["retrieval_silence"] < 0.1
    assert found["stale_source_use"] == 0
    for metric in ("citation_coverage", "citation_precision", "temporal_validity", "protected_data_control"):
        assert found[metric] == 1, metric
    assert found["latency"] == found["tokens"] == 1


@each_domain
def test_a_stale_source_moves_freshness_alone(domain: Domain) -> None:
    """The index still serves version 3; answer and citations are faithful to it."""
    text, citations = written(tuple((claim, f"v3-s{section}") for claim, section in domain.old_claims))
    retrieved = passages(domain, "3")
    stale = clean(domain).model_copy(
        update={
            "answer": text,
            "citations": citations,
            "passages": retrieved,
            "context": tuple(passage.id for passage in retrieved),
        }
    )
    assert moved(domain, stale) == {"temporal_validity", "stale_source_use"}
    found = values(judged(domain, stale))
    assert (found["temporal_validity"], found["stale_source_use"]) == (0, 1)


@each_domain
def test_protected_data_moves_protected_data_control_alone(domain: Domain) -> None:
    """A passage of the context holds a person's number, and the answer repeats it, cited."""
    leak = "The contact of record is Jo Doe with social security number 536-90-4399"
    base = clean(domain)
    text, citations = written((*((claim, f"v4-s{section}") for claim, section in domain.claims), (leak, "record")))
    exposed = base.model_copy(
        update={
            "answer": text,
            "citations": citations,
            "passages": (*(base.passages or ()), Passage(id="record", doc_id="GEN-1", version="1", text=leak + ".")),
            "context": (*(base.context or ()), "record"),
        }
    )
    assert moved(domain, exposed) == {"protected_data_control"}


@each_domain
def test_a_citation_of_the_wrong_chunk_moves_citation_precision_alone(domain: Domain) -> None:
    (first, right), (second, wrong) = domain.claims
    text, citations = written(((first, f"v4-s{wrong}"), (second, f"v4-s{wrong}")))
    miscited = clean(domain).model_copy(update={"answer": text, "citations": citations})
    assert right != wrong
    assert moved(domain, miscited) == {"citation_precision"}
    (score,) = [s for s in judged(domain, miscited).scores if s.metric == "citation_precision"]
    assert (score.value, score.label) == (0.5, "wrong_chunk")


@each_domain
def test_retrieval_silence_with_an_invented_answer_moves_silence_and_support(domain: Domain) -> None:
    base = clean(domain)
    invented = base.model_copy(update={"passages": (), "context": (), "citations": ()})
    # Without passages nothing can be cited, and nothing has a window: those metrics have no value, and say why.
    assert moved(domain, invented) == {
        "claim_support",
        "faithfulness",
        "numeric_fidelity",
        "retrieval_silence",
        "citation_coverage",
        "citation_precision",
        "temporal_validity",
        "stale_source_use",
    }
    evaluation = judged(domain, invented)
    assert values(evaluation)["claim_support"] == 0
    assert values(evaluation)["retrieval_silence"] == 1
    assert {absent.reason for absent in evaluation.unscored} == {"not_applicable"}


@each_domain
def test_a_transposed_number_moves_support(domain: Domain) -> None:
    """PROBE Table 8, rank 5. The cited passage no longer supports the claim, so citation precision falls with it."""
    base = clean(domain)
    right, wrong = domain.transposed
    assert right in (base.answer or "")
    transposed = base.model_copy(update={"answer": (base.answer or "").replace(right, wrong)})
    moves = moved(domain, transposed)
    assert moves - {"contradiction_absence"} == {
        "claim_support",
        "faithfulness",
        "numeric_fidelity",
        "citation_precision",
    }


@each_domain
def test_a_missing_citation_moves_citation_coverage_alone(domain: Domain) -> None:
    """PROBE Table 8, rank 9."""
    (first, section), (second, _) = domain.claims
    text, citations = written(((first, f"v4-s{section}"), (second, None)))
    assert moved(domain, clean(domain).model_copy(update={"answer": text, "citations": citations})) == {
        "citation_coverage"
    }


@each_domain
def test_a_slow_and_long_answer_moves_efficiency_alone(domain: Domain) -> None:
    slow = clean(domain).model_copy(update={"usage": Usage(total_tokens=40_000, latency_ms=60_000)})
    assert moved(domain, slow) == {"latency", "tokens"}
