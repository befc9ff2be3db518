"""One answer, or one passage, judged before anybody reads it: a typed verdict with its reasons.

It asks what the scorers of the panel ask, one after the other, and only what there is an input for.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Literal, get_args

from adapters.schema import Answer, Passage
from scorers.base import Env, Evidence, Score, Scorer, Value
from scorers.catalog.copies import NO_COPY, copy_of
from scorers.conflict.conflict_handling import ConflictHandling
from scorers.conflict.source_conflict import SourceConflict
from scorers.freshness.stale_source_use import StaleSourceUse
from scorers.freshness.temporal_validity import TemporalValidity
from scorers.freshness.timeline import timeline
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.grounding.faithfulness import Faithfulness
from scorers.lineage import PassageStatus, lineage_of
from scorers.support.attribution import attribution
from scorers.support.resting import rests_on
from scorers.text.excerpt import excerpt

VerdictName = Literal[
    "not_permitted",
    "contradicted",
    "superseded",
    "stale",
    "conflict",
    "unsupported",
    "supported",
    "usable",
    "undetermined",
]
"""What may be said, the worst first. ``usable`` is said of passages alone, where nothing speaks against them;
``undetermined`` where nothing could be judged."""
ORDER: Sequence[VerdictName] = get_args(VerdictName)
ASKER_GROUPS = "asker_groups"
"""The attribute of an answer that names the groups of who asks, separated by blanks or commas."""
MAX_REASONS = 20


class VerificationReason(Value):
    """Why a verdict was given: what was found, and the claim, passage or document that it was found at.

    ``start`` and ``end`` are offsets into the answer text.
    """

    verdict: VerdictName
    detail: str
    passage_id: str | None = None
    doc_id: str | None = None
    version: str | None = None
    start: int | None = None
    end: int | None = None


class Successor(Value):
    """The document that governs in place of one that was used."""

    doc_id: str
    version: str | None = None


class VerifiedAnswer(Value):
    """What was found, the worst as the ``verdict``. ``unjudged`` says of each check that had no value why."""

    verdict: VerdictName
    reasons: tuple[VerificationReason, ...] = ()
    superseded_by: tuple[Successor, ...] = ()
    unjudged: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Whether nothing was found that speaks against what was verified."""
        return self.verdict in ("supported", "usable")


def verify(answer: Answer, env: Env) -> VerifiedAnswer:
    """Judge an answer by the passages it was made from, or the passages alone where there is no answer text.

    Pure, and deterministic given ``env``.

    >>> from datetime import UTC, datetime
    >>> env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    >>> passages = (Passage(id="p", text="Hotels cost up to 180 EUR a night."),)
    >>> said = Answer(id="a", question="What may a hotel cost?", answer="Up to 180 EUR a night.", passages=passages)
    >>> verify(said, env).verdict
    'supported'
    >>> verify(said.model_copy(update={"answer": "Up to 250 EUR a night."}), env).verdict
    'contradicted'
    """
    found = _Found(answer, env)
    found.permission()
    if answer.answer is None:
        found.editions(answer.passages or ())
        found.disagreement()
    else:
        found.support()
        found.use()
        found.handling()
    return found.verification()


class _Found:
    """What the checks found so far."""

    def __init__(self, answer: Answer, env: Env) -> None:
        self._answer = answer
        self._env = env
        self._reasons: list[VerificationReason] = []
        self._successors: dict[tuple[str, str | None], Successor] = {}
        self._unjudged: list[str] = []
        self._good: set[VerdictName] = set()

    def verification(self) -> VerifiedAnswer:
        """Return the worst that was found, with the reasons for all of it, the worst first."""
        named = {reason.verdict for reason in self._reasons} | self._good
        verdict = next((each for each in ORDER if each in named), "undetermined")
        ordered = sorted(self._reasons, key=lambda reason: ORDER.index(reason.verdict))
        return VerifiedAnswer(
            verdict=verdict,
            reasons=tuple(ordered[:MAX_REASONS]),
            superseded_by=tuple(self._successors.values()),
            unjudged=tuple(self._unjudged),
        )

    def permission(self) -> None:
        """Find passages that the asker may not see; where nobody says who asks, those that not everybody may.

        The passage may say whom it is for, and so may the catalog of its document: each restricts by itself.
        """
        named = self._answer.attributes.get(ASKER_GROUPS)
        restricted = [(each, groups) for each in self._answer.context_passages() or () for groups in self._groups(each)]
        if named is None:
            if restricted:
                self._unjudged.append("permission: passages are restricted, and asker_groups is not given")
            return
        asker = frozenset(named.replace(",", " ").split())
        told: set[str] = set()
        for passage, allowed in restricted:
            if asker.isdisjoint(allowed) and passage.id not in told:
                told.add(passage.id)
                groups = ", ".join(allowed) or "nobody"
                self._add("not_permitted", f"restricted to {excerpt(groups)}; the asker is in none of these", passage)

    def _groups(self, passage: Passage) -> Iterator[Sequence[str]]:
        """Yield the groups that a passage is for, by itself and by the catalog."""
        status = lineage_of(self._answer, self._env).status(passage)
        listed = None if status is None else status.document.permitted
        yield from (groups for groups in (passage.permitted, listed) if groups is not None)

    def support(self) -> None:
        """Compare the claims of the answer with its passages."""
        score = self._scored(Faithfulness(), "support")
        if score is None:
            # Where inventions are not seen, contradictions may be: the languages that are read by statements alone.
            opposed = ContradictionAbsence().score(self._answer, self._env)
            if isinstance(opposed, Score) and opposed.label == "contradicted":
                self._because("contradicted", opposed)
            return
        if score.label == "supported":
            self._good.add("supported")
        elif score.label in ("contradicted", "unsupported"):
            self._because(score.label, score)  # type: ignore[arg-type]  # both are verdicts
        else:
            self._unjudged.append(f"support: {score.explanation}")

    def use(self) -> None:
        """Find claims that rest on passages which no longer governed, or on older copies than the source has."""
        result = StaleSourceUse().score(self._answer, self._env)
        score = result if isinstance(result, Score) else None
        lineage = lineage_of(self._answer, self._env)
        known = {each.id: lineage.status(each) for each in self._answer.passages or ()}
        if score is not None and score.label == "stale":
            for evidence in score.evidence:
                status = known.get(evidence.passage_id or "")
                if status is not None and status.stale:
                    self._stale(status, evidence.passage_id)
                elif evidence.doc_id:
                    self._succeeded(evidence)
            if not any(reason.verdict in ("superseded", "stale") for reason in self._reasons):
                self._because("superseded" if self._successors else "stale", score)
        if any(status is not None and status.validity == "expired" for status in known.values()):
            self._outlived(known)
        if isinstance(result, Score) or result.reason != "not_applicable":
            self._copies(self._rested_on(), frozenset() if score is None else self._compared())

    def _rested_on(self) -> Sequence[Passage]:
        """Return the passages that claims rest on, each once; all of them where that cannot be told."""
        passages = self._answer.passages or ()
        places = {place for each in rests_on(attribution(self._answer, self._env.memory)) for place in each}
        return [passages[place] for place in sorted(places)] if places else passages

    def _compared(self) -> frozenset[str]:
        """Return the passages that others of another date tell of."""
        lineage, passages = lineage_of(self._answer, self._env), self._answer.passages or ()
        dates = timeline(self._answer, self._env.memory, lineage.at, lineage.listed)
        return frozenset(passages[place].id for place in dates.compared)

    def _copies(self, passages: Sequence[Passage], told: Container[str] = frozenset()) -> None:
        """Find passages that are older copies than their source has, and name those of which nothing tells.

        Of those ``told`` something tells already.
        """
        lineage, catalog = lineage_of(self._answer, self._env), self._env.catalog
        untold: list[Passage] = []
        why = ""
        for passage in passages:
            status = lineage.status(passage)
            entry = None if status is None else status.origin.document
            found = NO_COPY if catalog is None else copy_of(passage, entry, catalog, lineage.at)
            unknown = status is None or status.validity == "unknown"
            if found.state == "outdated" and not (status is not None and status.stale):
                self._add("stale", found.detail, passage)
            elif found.state == "unknown" and unknown and passage.id not in told:
                untold.append(passage)
                why = why or found.detail
        if untold:
            why = why or f"missing {lineage.untimed(untold)}"
            self._unjudged.append(f"currency: unknown for {len(untold)} of {len(passages)} passages: {why}")

    def _outlived(self, known: Mapping[str, PassageStatus | None]) -> None:
        """Find claims on passages that expired and that nothing replaced: no other governs, but they do not either."""
        score = TemporalValidity().score(self._answer, self._env)
        for evidence in score.evidence if isinstance(score, Score) else ():
            status = known.get(evidence.passage_id or "")
            if status is not None and status.validity == "expired" and status.replacement is None:
                self._stale(status, evidence.passage_id)

    def editions(self, passages: Sequence[Passage]) -> None:
        """Find passages that were out of force."""
        lineage = lineage_of(self._answer, self._env)
        for passage in passages:
            status = lineage.status(passage)
            if status is not None and status.validity not in ("in_force", "unknown"):
                self._stale(status, passage.id)
        if passages:
            self._good.add("usable")
        self._copies(passages)

    def disagreement(self) -> None:
        """Find passages that answer the question differently."""
        score = self._scored(SourceConflict(), "conflict")
        if score is not None and score.label == "conflict":
            self._because("conflict", score)

    def handling(self) -> None:
        """Find a side that the answer takes silently in a conflict of its passages."""
        score = self._scored(ConflictHandling(), "conflict")
        if score is not None and score.label == "silent":
            self._because("conflict", score)

    def _scored(self, scorer: Scorer, check: str) -> Score | None:
        result = scorer.score(self._answer, self._env)
        if isinstance(result, Score):
            return result
        # A question that does not arise needs no word; what could not be judged does.
        if result.reason != "not_applicable" or check == "support":
            self._unjudged.append(f"{check}: {result.detail or result.reason}")
        return None

    def _because(self, verdict: VerdictName, score: Score) -> None:
        for evidence in score.evidence or (Evidence(kind="claim", detail=score.explanation or verdict),):
            self._reasons.append(
                VerificationReason(
                    verdict=verdict,
                    detail=evidence.detail,
                    passage_id=evidence.passage_id,
                    doc_id=evidence.doc_id,
                    version=evidence.version,
                    start=evidence.start,
                    end=evidence.end,
                )
            )

    def _stale(self, status: PassageStatus, passage_id: str | None) -> None:
        document = status.document
        verdict: VerdictName = "stale"
        words = {"not_yet": "is not in force yet", "expired": "has expired"}.get(status.validity, "was superseded")
        if status.replacement is not None:
            verdict = "superseded"
            newer = status.replacement.section(document.section)
            self._successors[newer.id, newer.version] = Successor(doc_id=newer.id, version=newer.version)
            words = f"was superseded by {excerpt(newer.reference)}"
        self._reasons.append(
            VerificationReason(
                verdict=verdict,
                detail=f"{excerpt(document.reference)} {words}",
                passage_id=passage_id,
                doc_id=document.id,
                version=document.version,
            )
        )

    def _succeeded(self, evidence: Evidence) -> None:
        key = (evidence.doc_id or "", evidence.version)
        self._successors.setdefault(key, Successor(doc_id=key[0], version=key[1]))

    def _add(self, verdict: VerdictName, detail: str, passage: Passage) -> None:
        self._reasons.append(
            VerificationReason(
                verdict=verdict,
                detail=detail,
                passage_id=passage.id,
                doc_id=passage.doc_id,
                version=passage.version,
            )
        )
