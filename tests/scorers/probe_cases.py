"""Clean answers of three domains, generated: what PROBE's injected failures are injected into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from adapters.schema import Answer, Citation, Gold, GoldPassage, Passage, Usage
from scorers.catalog import Catalog, Document

ASKED = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
REPLACED = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Part:
    """A section of the governing document now and before, the claim made of each, and the point it settles."""

    section: str
    text: str
    claim: str
    old_text: str
    old_claim: str
    point: str


@dataclass(frozen=True)
class Case:
    """A question, two parts of the document that governs it, an exception to it, and a passage about something else."""

    domain: str
    question: str
    doc_id: str
    parts: tuple[Part, Part]
    exception: str
    exception_claim: str
    exception_point: str
    transposed: tuple[str, str]
    other: str

    @property
    def catalog(self) -> Catalog:
        """The documents, old and current."""
        return Catalog(
            [
                *(
                    Document(id=self.doc_id, version="3", section=p.section, text=p.old_text, effective_to=REPLACED)
                    for p in self.parts
                ),
                *(
                    Document(
                        id=self.doc_id,
                        version="4",
                        section=p.section,
                        text=p.text,
                        effective_from=REPLACED,
                        authority=0.7,
                        role="governing",
                    )
                    for p in self.parts
                ),
                Document(
                    id="MEMO",
                    version="1",
                    text=self.exception,
                    effective_from=REPLACED,
                    authority=0.95,
                    role="regional_exception",
                ),
                Document(id="GEN", version="1", text=self.other, authority=0.2),
            ]
        )

    @property
    def gold(self) -> Gold:
        """What a person would say of the evidence."""
        return Gold(
            passages=(
                *(
                    GoldPassage(id=f"v4-{p.section}", label="sufficient", authority=0.7, effective_from=REPLACED)
                    for p in self.parts
                ),
                GoldPassage(
                    id="memo",
                    label="sufficient",
                    authority=0.95,
                    role="regional_exception",
                    effective_from=REPLACED,
                ),
                *(
                    GoldPassage(id=f"v3-{p.section}", label="superseded", near_miss=True, effective_to=REPLACED)
                    for p in self.parts
                ),
            ),
            required_points=(*(p.point for p in self.parts), self.exception_point),
        )

    def passages(self, version: str = "4") -> tuple[Passage, ...]:
        """What is retrieved while the index serves ``version``."""
        return (
            *(
                Passage(
                    id=f"v{version}-{p.section}",
                    doc_id=self.doc_id,
                    version=version,
                    section=p.section,
                    text=p.text if version == "4" else p.old_text,
                )
                for p in self.parts
            ),
            Passage(id="memo", doc_id="MEMO", version="1", text=self.exception),
            Passage(id="other", doc_id="GEN", version="1", text=self.other),
        )

    @property
    def claims(self) -> tuple[tuple[str, str | None], ...]:
        """The claims of a clean answer, each with the passage it cites."""
        return (*((p.claim, f"v4-{p.section}") for p in self.parts), (self.exception_claim, "memo"))

    @property
    def clean(self) -> Answer:
        """The right answer from the right evidence."""
        return answered(
            Answer(
                id="clean",
                question=self.question,
                started_at=ASKED,
                usage=Usage(total_tokens=900, latency_ms=1500),
                gold=self.gold,
            ),
            self.claims,
            self.passages(),
        )


def answered(base: Answer, claims: tuple[tuple[str, str | None], ...], retrieved: tuple[Passage, ...]) -> Answer:
    """Return ``base`` with an answer of these claims, a marker after each that cites, over what was retrieved."""
    text, citations = "", list[Citation]()
    for claim, target in claims:
        text += claim
        if target is not None:
            marker = f"[{len(citations) + 1}]"
            start = len(text) + 1
            citations.append(Citation(start=start, end=start + len(marker), marker=marker, passage_id=target))
            text += f" {marker}"
        text += ". "
    return base.model_copy(
        update={
            "answer": text.rstrip(),
            "citations": tuple(citations),
            "passages": retrieved,
            "context": tuple(passage.id for passage in retrieved),
        }
    )


def supply_chain() -> Iterator[Case]:
    """Yield routing guides with a memo for one lane."""
    for lane, amount, swapped, before in (
        ("Northwest", "2,400", "4,200", "1,800"),
        ("Gulf Coast", "3,150", "5,130", "2,700"),
        ("Alpine", "1,960", "9,160", "1,200"),
    ):
        yield Case(
            domain="supply chain",
            question=f"Who approves air expedite on the {lane} lane, and who pays its cost?",
            doc_id="ROUTE-7",
            parts=(
                Part(
                    "2",
                    f"Air expedite on the {lane} lane needs approval of the shift lead before it is released.",
                    f"Air expedite on the {lane} lane needs approval of the shift lead before release",
                    f"Air expedite on the {lane} lane may be ordered by any dispatcher without a further signature.",
                    f"Air expedite on the {lane} lane may be ordered by any dispatcher without a further signature",
                    "approval of the shift lead",
                ),
                Part(
                    "5",
                    f"Expedite cost above {amount} USD is charged to the supplier that missed the dock date.",
                    f"Cost above {amount} USD a shipment is charged to the supplier that missed the dock date",
                    f"Expedite cost above {before} USD a shipment is charged to the carrier.",
                    f"Cost above {before} USD a shipment is charged to the carrier",
                    f"above {amount} USD charged to the supplier",
                ),
            ),
            exception=f"This month, air expedite on the {lane} lane also needs a release code of budget control.",
            exception_claim=f"This month, air expedite on the {lane} lane also needs a release code of budget control",
            exception_point="release code of budget control",
            transposed=(amount, swapped),
            other="Pallets are wrapped twice and labelled on two sides before they leave the warehouse.",
        )


def healthcare() -> Iterator[Case]:
    """Yield fasting protocols with a note for some patients."""
    for procedure, hours, wrong, before in (
        ("sedation", "12 hours", "21 hours", "8 hours"),
        ("endoscopy", "14 hours", "41 hours", "10 hours"),
        ("cardiac imaging", "18 hours", "81 hours", "12 hours"),
    ):
        yield Case(
            domain="healthcare operations",
            question=f"How long is the fasting period before {procedure}, and who documents the fasting period?",
            doc_id="CARE-12",
            parts=(
                Part(
                    "1",
                    f"The fasting period before {procedure} is {hours} for solid food.",
                    f"The fasting period before {procedure} is {hours} for solid food",
                    f"The fasting period before {procedure} is {before} for all food.",
                    f"The fasting period before {procedure} is {before} for all food",
                    f"{hours} for solid food",
                ),
                Part(
                    "3",
                    "The admitting nurse documents the fasting period in the pre-procedure checklist.",
                    "The admitting nurse documents the fasting period in the checklist",
                    "The ward secretary writes the fasting period on the paper chart.",
                    "The ward secretary writes the fasting period on the paper chart",
                    "admitting nurse documents it in the checklist",
                ),
            ),
            exception=f"Patients with diabetes need a dietitian to review the fasting period before {procedure}.",
            exception_claim=f"Patients with diabetes need a dietitian to review the fasting period before {procedure}",
            exception_point="patients with diabetes need a dietitian to review it",
            transposed=(hours, wrong),
            other="Visitors sign in at the front desk and wear a badge at all times.",
        )


def finance() -> Iterator[Case]:
    """Yield credit policies with a note for pending reviews."""
    for kind, share, swapped, before in (
        ("owner-occupied", "75%", "57%", "85%"),
        ("commercial", "65%", "56%", "78%"),
        ("agricultural", "58%", "85%", "72%"),
    ):
        yield Case(
            domain="financial services",
            question=f"What loan-to-value ratio is allowed for {kind} property, and who signs the exposure?",
            doc_id="CREDIT-3",
            parts=(
                Part(
                    "4",
                    f"The credit policy allows a loan-to-value ratio of up to {share} for {kind} property.",
                    f"The credit policy allows a loan-to-value ratio of up to {share} for {kind} property",
                    f"The credit policy allows a loan-to-value ratio of up to {before} for {kind} property.",
                    f"The credit policy allows a loan-to-value ratio of up to {before} for {kind} property",
                    f"ratio of up to {share}",
                ),
                Part(
                    "6",
                    "The head of lending signs every exposure together with a second reviewer.",
                    "The head of lending signs every exposure together with a second reviewer",
                    "The branch manager alone signs each exposure.",
                    "The branch manager alone signs each exposure",
                    "head of lending and a second reviewer sign",
                ),
            ),
            exception=f"A pending guarantor check suspends the release of loans on {kind} property.",
            exception_claim=f"A pending guarantor check suspends the release of loans on {kind} property",
            exception_point="pending guarantor check suspends the release",
            transposed=(share, swapped),
            other="Branches close at 16:30 on the last working day of the year.",
        )


SUPPLY_CHAIN, HEALTHCARE, FINANCE = tuple(supply_chain()), tuple(healthcare()), tuple(finance())
EVERY = (*SUPPLY_CHAIN, *HEALTHCARE, *FINANCE)
