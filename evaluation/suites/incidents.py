"""An incident of production as rows of a suite: redacted answers of the bad release, and what a mended one keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.schema import Answer, Case, Gold, Passage
from evaluation.suites.expectations import CATEGORY, METRICS, REFUSAL, Expectations
from scorers.base import Metric
from scorers.safety.protected_data import ProtectedDataControl
from scorers.sensitive.finding import SensitiveFinding, SensitiveKind

REDACTED: tuple[SensitiveKind, ...] = (
    "birth_date", "card", "driver_license", "email", "iban", "ip_address", "name", "national_id", "phone", "secret",
    "us_ssn",
)  # fmt: skip
"""What is replaced. Dates, ages and addresses of pages stay: rules are made of them."""
INVENTED: Mapping[SensitiveKind, tuple[str, ...]] = {
    "card": ("4111 1111 1111 1111", "5555 5555 5555 4444", "3782 822463 10005"),
    "email": ("jane.roe@example.com", "john.doe@example.org", "kim.poe@example.net"),
    "iban": ("GB29 NWBK 6016 1331 9268 19", "DE89 3704 0044 0532 0130 00", "FR14 2004 1010 0505 0001 3M02 606"),
    "ip_address": ("8.8.8.8", "1.1.1.1"),
    "name": ("Jane Roe", "John Doe", "Kim Poe"),
    "phone": ("202-555-0143", "202-555-0178", "202-555-0119"),
    "us_ssn": ("899-45-6721", "899-45-6733", "899-45-6742"),
    "birth_date": ("January 1, 1970", "1970-01-01"),
    "secret": ("ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",),
}
"""Published examples and made-up numbers of no known person, which the same detectors find."""
NO_FAILURE = "none"
"""The label of an answer that shows no known failure."""
WORST = 10
"""Answers of one decision that become rows."""
ANSWERING = frozenset(
    {
        "stale_source_acceptance",
        "missing_governing_exception",
        "numeric_transposition",
        "wrong_chunk_citation",
        "citation_coverage_gap",
        "protected_data_exposure",
    }
)
"""Failures after which a question still has an answer: one that refuses it is no mend."""
WITHHELD = frozenset({"policy_boundary_over_answer", "retrieval_silence_with_invented_answer"})
"""Failures of answers where one that refuses, refers or abstains was right: the mend makes no claim to bound."""
KEPT = (
    "id", "text", "score", "rank", "stage", "doc_id", "version", "section", "effective_from", "effective_to",
    "published_at", "modified_at", "authority", "role", "supersedes", "permitted",
)  # fmt: skip
"""What is kept of a passage: what metrics read. Its metadata and address may say anything."""

CASE_LISTS = ("identifiers", "constraints", "attempted_steps")

Find = Callable[[str], Sequence[SensitiveFinding]]


@dataclass(slots=True)
class Redaction:
    """Replaces protected data by invented data of the same kind, the same value by the same, wherever it stands.

    What no invented value of its kind is found in place of is replaced by the name of the kind, with a number where
    there are several: two values never become one.

    >>> redaction = Redaction()
    >>> redaction.text("Mail karl.huber@web.de, and again karl.huber@web.de.")
    'Mail jane.roe@example.com, and again jane.roe@example.com.'
    """

    find: Find = field(default_factory=lambda: ProtectedDataControl(kinds=REDACTED, contacts="any").findings)
    _given: dict[tuple[SensitiveKind, str], str] = field(default_factory=dict)
    replaced: int = 0

    def text(self, text: str) -> str:
        """Return a text without protected data."""
        found = sorted(self.find(text), key=lambda finding: finding.start)
        for finding in reversed(found):
            text = text[: finding.start] + self._in_place(finding, text) + text[finding.end :]
            self.replaced += 1
        return text

    def optional(self, text: str | None) -> str | None:
        """Return `text` of one that may be missing."""
        return None if text is None else self.text(text)

    def answer(self, answer: Answer) -> Answer:
        """Return an answer without protected data, and without what names who asked, and where it was traced."""
        told = self.optional(answer.answer)
        citations = answer.citations
        if told != answer.answer and citations is not None:
            citations = _moved(answer, told or "")
        passages = answer.passages
        return Answer(
            id=answer.id,
            question=self.optional(answer.question),
            history=None
            if answer.history is None
            else tuple(turn.model_copy(update={"content": self.text(turn.content)}) for turn in answer.history),
            answer=told,
            stages=None
            if answer.stages is None
            else tuple(stage.model_copy(update={"query": self.optional(stage.query)}) for stage in answer.stages),
            passages=None if passages is None else tuple(self._passage(passage) for passage in passages),
            context=answer.context,
            citations=citations,
            started_at=answer.started_at,
            model=answer.model,
            usage=answer.usage,
            release=answer.release,
            service=answer.service,
            versions=answer.versions,
            attributes={name: self.text(value) for name, value in answer.attributes.items()},
            flags=answer.flags,
            case=self._case(answer.case),
            gold=self._gold(answer.gold),
            reference=self.optional(answer.reference),
        )

    def _gold(self, gold: Gold | None) -> Gold | None:
        if gold is None:
            return None
        return gold.model_copy(update={"required_points": tuple(map(self.text, gold.required_points))})

    def _case(self, case: Case | None) -> Case | None:
        if case is None:
            return None
        lists = {name: tuple(map(self.text, getattr(case, name))) for name in CASE_LISTS}
        return Case(subject=self.optional(case.subject), description=self.optional(case.description), **lists)

    def _passage(self, passage: Passage) -> Passage:
        kept = {name: getattr(passage, name) for name in KEPT}
        return Passage(**{**kept, "text": self.optional(passage.text)})

    def _in_place(self, finding: SensitiveFinding, text: str) -> str:
        key = (finding.kind, finding.value.casefold())
        if key not in self._given:
            used = set(self._given.values())
            self._given[key] = next(
                (
                    each
                    for each in INVENTED.get(finding.kind, ())
                    if each not in used and self._found(each, finding, text)
                ),
                self._unnamed(finding.kind),
            )
        return self._given[key]

    def _unnamed(self, kind: SensitiveKind) -> str:
        before = sum(each.startswith(f"[{kind}") for each in self._given.values())
        return f"[{kind} {before + 1}]" if before else f"[{kind}]"

    def _found(self, value: str, finding: SensitiveFinding, text: str) -> bool:
        """Whether a value is found in the place of another as of the same kind."""
        changed = text[: finding.start] + value + text[finding.end :]
        return any(each.kind == finding.kind and each.start == finding.start for each in self.find(changed))


def expected_after(metric: str, value: float, scores: Mapping[str, Mapping[str, Any]]) -> Expectations | None:
    """Return what a mended release keeps of a question that was answered badly; nothing for an unknown metric.

    The bound is half way between the bad value and the best one: a mend must lie nearer to good than to what failed.
    Where the question should not have been answered, metrics of claims have no value of the mend, and the row asks for
    an answer without a known failure instead, as one that refuses is.

    >>> expected_after("stale_source_use", 1.0, {}).at_most
    {'stale_source_use': 0.5}
    >>> expected_after("composite", 60.0, {}).at_least
    {'composite': 80.0}
    >>> advised = {"failure_category": {"label": "policy_boundary_over_answer"}}
    >>> expected_after("faithfulness", 0.2, advised).told()
    {'failure_category': 'none'}
    """
    known = METRICS.get(metric)
    if known is None:
        return None
    best = _best(known)
    if value == best:
        return None
    category = scores.get(CATEGORY, {}).get("label")
    if category in WITHHELD and known.family == "grounding":
        return Expectations(failure_category=NO_FAILURE)
    bound = {metric: round((value + best) / 2, 6)}
    complied = scores.get(REFUSAL, {}).get("label") == "complies"
    return Expectations(
        at_least={} if known.better == "lower" else bound,
        at_most=bound if known.better == "lower" else {},
        must_not_refuse=category in ANSWERING and complied,
    )


def case_of(answer: Answer) -> tuple[str, str]:
    """Return what makes an answer a case of its own: its question and its words, without regard to case and spaces.

    >>> case_of(Answer(id="a", question="How long?", answer="14 days."))
    ('how long?', '14 days.')
    """
    question, said = (" ".join((text or "").casefold().split()) for text in (answer.question, answer.answer))
    return question, said


def row_of_incident(
    answer: Answer, expect: Expectations, redaction: Redaction, origin: Mapping[str, str]
) -> dict[str, Any]:
    """Return the row of an incident as a suite has it; ``origin`` says which decision it is from."""
    redacted = redaction.answer(answer)
    row = redacted.model_copy(update={"attributes": {**redacted.attributes, **origin}})
    return {**row.model_dump(mode="json", exclude_defaults=True), "expect": expect.told()}


def _best(metric: Metric) -> float:
    if metric.better == "lower":
        return metric.lower or 0.0
    return 1.0 if metric.upper is None else metric.upper


def _moved(answer: Answer, text: str) -> tuple[Any, ...]:
    """Return the citations of an answer at the places where their markers stand in its new text, in their order."""
    moved, after = [], 0
    for citation in answer.citations or ():
        start = text.find(citation.marker, after) if citation.marker else len(text)
        if start < 0:
            start, marker = len(text), ""
        else:
            marker = citation.marker
        after = start + len(marker) if marker else after
        moved.append(citation.model_copy(update={"start": start, "end": start + len(marker), "marker": marker}))
    return tuple(moved)
