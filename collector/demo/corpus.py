"""The policies of a made-up company, the questions its people ask, and the catalog file that says what is in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import yaml

STALE_DOMAIN = "travel"
"""The domain whose policy changes under the application."""

STALE_DOC = "TRV-001"
"""The policy that changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One version of one policy. ``supersedes`` names the version it replaces, as ``doc_id@version``."""

    doc_id: str
    version: str
    domain: str
    title: str
    text: str
    effective_from: datetime
    effective_to: datetime | None = None
    authority: float = 0.9
    supersedes: str | None = None

    @property
    def key(self) -> str:
        """Name of this version: ``doc_id@version``."""
        return f"{self.doc_id}@{self.version}"

    def metadata(self) -> dict[str, Any]:
        """Return what the application stores beside the text in its index."""
        return {
            "doc_id": self.doc_id,
            "version": self.version,
            "title": self.title,
            "domain": self.domain,
            "effective_from": self.effective_from.isoformat(),
            "effective_to": None if self.effective_to is None else self.effective_to.isoformat(),
            "authority": self.authority,
            "supersedes": self.supersedes,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyQuestion:
    """A question, the policy that answers it, and words that its answer from the first index holds."""

    text: str
    domain: str
    doc_id: str
    expect: str


def _since(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


EXPENSES_V1 = Policy(
    doc_id=STALE_DOC,
    version="1",
    domain="travel",
    title="Travel expenses",
    text=(
        "Hotel costs are reimbursed up to 120 EUR per night. Meals are reimbursed up to 35 EUR per day. "
        "Expense claims must be filed within 90 days of the trip."
    ),
    effective_from=_since(2021, 1),
    effective_to=_since(2023, 4),
)
EXPENSES_V2 = Policy(
    doc_id=STALE_DOC,
    version="2",
    domain="travel",
    title="Travel expenses",
    text=(
        "Hotel costs are reimbursed up to 150 EUR per night. Meals are reimbursed up to 40 EUR per day. "
        "Expense claims must be filed within 60 days of the trip. "
        "Driving a private car is reimbursed at 0.30 EUR per kilometre."
    ),
    effective_from=_since(2023, 4),
    supersedes=EXPENSES_V1.key,
)
_EXPENSES_V3_TEXT = (
    "Hotel costs are reimbursed up to 180 EUR per night. Meals are reimbursed up to 55 EUR per day. "
    "Expense claims must be filed within 30 days of the trip. "
    "Driving a private car is reimbursed at 0.38 EUR per kilometre."
)

OTHERS: tuple[Policy, ...] = (
    Policy(
        doc_id="TRV-002",
        version="1",
        domain="travel",
        title="Air travel",
        text=(
            "Economy class is booked for flights shorter than six hours. "
            "Premium economy may be booked for longer flights after approval by the head of department. "
            "Lost luggage is reported to the airline before leaving the airport."
        ),
        effective_from=_since(2022, 3),
    ),
    Policy(
        doc_id="LVE-001",
        version="4",
        domain="leave",
        title="Annual leave",
        text=(
            "Every employee has 28 days of annual leave in a calendar year. "
            "Up to 5 unused days of annual leave carry over until the end of March. "
            "Annual leave is requested two weeks ahead in the staff portal."
        ),
        effective_from=_since(2024, 1),
    ),
    Policy(
        doc_id="LVE-002",
        version="2",
        domain="leave",
        title="Parental and sick leave",
        text=(
            "Parental leave lasts 16 weeks at full pay. "
            "A doctor's note is needed from the third day of sickness. "
            "Sickness is reported to the team lead before nine in the morning."
        ),
        effective_from=_since(2023, 9),
    ),
    Policy(
        doc_id="SEC-001",
        version="3",
        domain="security",
        title="Passwords and devices",
        text=(
            "Passwords are at least 14 characters long and kept in the company password manager. "
            "Laptops lock themselves after 5 minutes without use. "
            "A stolen laptop is reported to the security desk within one hour."
        ),
        effective_from=_since(2024, 6),
    ),
    Policy(
        doc_id="SEC-002",
        version="1",
        domain="security",
        title="Visitors and suspicious mail",
        text=(
            "Visitors wear a yellow badge and are accompanied at all times. "
            "Suspicious mail is forwarded to the phishing mailbox and then deleted. "
            "Server rooms are entered with a second colleague only."
        ),
        effective_from=_since(2022, 11),
    ),
    Policy(
        doc_id="RET-001",
        version="2",
        domain="retention",
        title="Retention of records",
        text=(
            "Invoices are kept for 10 years. "
            "Applications of candidates who were not hired are erased after 6 months. "
            "Recordings of customer calls are erased after 90 days."
        ),
        effective_from=_since(2023, 1),
    ),
    Policy(
        doc_id="RET-002",
        version="1",
        domain="retention",
        title="Archives and disposal",
        text=(
            "Paper archives are stored in the fireproof vault in the basement. "
            "Old hard disks are shredded by a certified contractor. "
            "Backups are tested by restoring one of them every quarter."
        ),
        effective_from=_since(2021, 7),
    ),
)

INDEXED: tuple[Policy, ...] = (EXPENSES_V2, *OTHERS)
"""What the application has indexed when the story begins: the versions in force, nothing else."""

QUESTIONS: tuple[PolicyQuestion, ...] = tuple(
    PolicyQuestion(domain=domain, doc_id=doc_id, text=text, expect=expect)
    for domain, doc_id, text, expect in (
        ("travel", "TRV-001", "How much is reimbursed for a hotel night?", "150 EUR"),
        ("leave", "LVE-001", "How many days of annual leave do I have?", "28 days"),
        ("security", "SEC-001", "How long must a password be?", "14 characters"),
        ("retention", "RET-001", "For how many years are invoices kept?", "10 years"),
        ("travel", "TRV-001", "What is reimbursed for meals per day?", "40 EUR"),
        ("leave", "LVE-001", "How many unused days of annual leave carry over?", "5 unused days"),
        ("security", "SEC-001", "When do laptops lock themselves?", "5 minutes"),
        ("retention", "RET-001", "When are recordings of customer calls erased?", "90 days"),
        ("travel", "TRV-002", "Which class is booked for short flights?", "Economy class"),
        ("leave", "LVE-002", "How many weeks does parental leave last?", "16 weeks"),
        ("security", "SEC-001", "To whom is a stolen laptop reported?", "security desk"),
        ("retention", "RET-001", "When are applications of candidates erased?", "6 months"),
        ("travel", "TRV-001", "Within how many days must expense claims be filed?", "60 days"),
        ("leave", "LVE-002", "From which day of sickness is a doctor's note needed?", "third day"),
        ("security", "SEC-002", "What do visitors wear?", "yellow badge"),
        ("retention", "RET-002", "Where are paper archives stored?", "fireproof vault"),
        ("travel", "TRV-001", "What is reimbursed per kilometre for driving a private car?", "0.30 EUR"),
        ("leave", "LVE-002", "To whom is sickness reported in the morning?", "team lead"),
        ("security", "SEC-002", "What happens to suspicious mail?", "phishing mailbox"),
        ("retention", "RET-002", "Who shreds old hard disks?", "certified contractor"),
    )
)
"""One round of traffic: the domains take turns, so every slice grows at the same rate."""

DOMAINS: tuple[str, ...] = tuple(sorted({question.domain for question in QUESTIONS}))


def expenses_v3(effective_from: datetime) -> Policy:
    """Return version 3 of the travel expenses policy, in force from ``effective_from``."""
    return replace(
        EXPENSES_V2,
        version="3",
        text=_EXPENSES_V3_TEXT,
        effective_from=effective_from,
        supersedes=EXPENSES_V2.key,
    )


def source_before() -> tuple[Policy, ...]:
    """Return the source of truth as the story begins: every version ever published."""
    return (EXPENSES_V1, *INDEXED)


def source_after(version_3: Policy) -> tuple[Policy, ...]:
    """Return the source once ``version_3`` is published: version 2 ends when it begins."""
    return (EXPENSES_V1, replace(EXPENSES_V2, effective_to=version_3.effective_from), version_3, *OTHERS)


def index_after(version_3: Policy) -> tuple[Policy, ...]:
    """Return what a rebuilt index holds once ``version_3`` is published."""
    return (version_3, *OTHERS)


def catalog_yaml(policies: Iterable[Policy]) -> str:
    """Return the catalog file that describes ``policies``, as the agent reads it."""
    documents: list[Mapping[str, Any]] = [
        {
            "id": policy.doc_id,
            **{k: v for k, v in policy.metadata().items() if k not in ("doc_id", "domain") and v is not None},
            "text": policy.text,
        }
        for policy in policies
    ]
    return yaml.safe_dump({"documents": documents}, sort_keys=False, allow_unicode=True, width=120)
