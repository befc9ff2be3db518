"""The scorers: one quality of one answer each, listed once.

A scorer is registered by standing in `SCORERS`; the configuration, the laws the tests hold every scorer to, the metric
catalogue, the boards and the rules follow from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from scorers.base import Scorer
from scorers.composite.acceptability import Acceptability
from scorers.composite.case_composite import CaseComposite
from scorers.composite.composite import Composite
from scorers.composite.unsafe_probability import UnsafeProbability
from scorers.conflict.conflict_handling import ConflictHandling
from scorers.conflict.governing_exception_coverage import GoverningExceptionCoverage
from scorers.conflict.source_authority_alignment import SourceAuthorityAlignment
from scorers.conflict.source_conflict import SourceConflict
from scorers.diagnosis.admissible import Admissible
from scorers.diagnosis.failure_category import FailureCategory
from scorers.diagnosis.first_failed_stage import FirstFailedStage
from scorers.efficiency.usage import AnswerCost, AnswerTokens, FirstToken, Latency
from scorers.freshness.index_copy_outdated import IndexCopyOutdated
from scorers.freshness.index_lag_days import IndexLagDays
from scorers.freshness.question_volatility import QuestionVolatility
from scorers.freshness.source_age_days import SourceAgeDays
from scorers.freshness.stale_source_use import StaleSourceUse
from scorers.freshness.temporal_validity import TemporalValidity
from scorers.grounding.answer_completeness import AnswerCompleteness
from scorers.grounding.attempted_step_avoidance import AttemptedStepAvoidance
from scorers.grounding.citation_coverage import CitationCoverage
from scorers.grounding.citation_precision import CitationPrecision
from scorers.grounding.citation_recall import CitationRecall
from scorers.grounding.citation_support import CitationSupport
from scorers.grounding.claim_support import ClaimSupport
from scorers.grounding.contradiction_absence import ContradictionAbsence
from scorers.grounding.faithfulness import Faithfulness
from scorers.grounding.identifier_integrity import IdentifierIntegrity
from scorers.grounding.numeric_fidelity import NumericFidelity
from scorers.grounding.workflow_order import WorkflowOrder
from scorers.panel import run_panel
from scorers.retrieval.answerable_evidence_coverage import AnswerableEvidenceCoverage
from scorers.retrieval.conflict_coverage import ConflictCoverage
from scorers.retrieval.context import CandidateRecall, ContextPrecision, ContextRecall
from scorers.retrieval.health import Redundancy, ScoreMargin
from scorers.retrieval.labelled import AveragePrecision, HitRate, Ndcg, Precision, Recall, ReciprocalRank
from scorers.retrieval.near_miss_suppression import NearMissSuppression
from scorers.retrieval.retrieval_silence import RetrievalSilence
from scorers.retrieval.weighted import AuthorityWeightedRecall, FreshnessWeightedRecall
from scorers.safety.abstention import Abstention
from scorers.safety.constraint_compliance import ConstraintCompliance
from scorers.safety.injection_resistance import InjectionResistance
from scorers.safety.policy_boundary_handling import PolicyBoundaryHandling
from scorers.safety.prohibited_behavior_absence import ProhibitedBehaviorAbsence
from scorers.safety.protected_data import ProtectedDataControl
from scorers.safety.refusal import Refusal
from scorers.safety.refusal_appropriateness import RefusalAppropriateness
from scorers.safety.regulated_advice_control import RegulatedAdviceControl
from scorers.safety.required_behavior import RequiredBehavior
from scorers.safety.safety_flag_handling import SafetyFlagHandling

SCORERS: tuple[type[Scorer], ...] = (
    Composite,
    UnsafeProbability,
    Acceptability,
    CaseComposite,
    Admissible,
    FirstFailedStage,
    FailureCategory,
    Ndcg,
    ReciprocalRank,
    AveragePrecision,
    Recall,
    Precision,
    HitRate,
    AuthorityWeightedRecall,
    FreshnessWeightedRecall,
    ConflictCoverage,
    NearMissSuppression,
    AnswerableEvidenceCoverage,
    ContextPrecision,
    ContextRecall,
    CandidateRecall,
    ScoreMargin,
    Redundancy,
    RetrievalSilence,
    ClaimSupport,
    Faithfulness,
    ContradictionAbsence,
    NumericFidelity,
    IdentifierIntegrity,
    WorkflowOrder,
    AttemptedStepAvoidance,
    AnswerCompleteness,
    CitationCoverage,
    CitationPrecision,
    CitationRecall,
    CitationSupport,
    TemporalValidity,
    StaleSourceUse,
    SourceAgeDays,
    IndexLagDays,
    IndexCopyOutdated,
    QuestionVolatility,
    SourceConflict,
    ConflictHandling,
    SourceAuthorityAlignment,
    GoverningExceptionCoverage,
    ProtectedDataControl,
    PolicyBoundaryHandling,
    RefusalAppropriateness,
    RegulatedAdviceControl,
    RequiredBehavior,
    ProhibitedBehaviorAbsence,
    SafetyFlagHandling,
    ConstraintCompliance,
    InjectionResistance,
    Refusal,
    Abstention,
    Latency,
    FirstToken,
    AnswerTokens,
    AnswerCost,
)
"""Every scorer there is, by family."""

LABELS = frozenset({"gold", "case", "judgements"})
"""What people and judges say of an answer: fields of an `Answer` that labelled rows have and traffic has not."""

if TYPE_CHECKING:
    AnyScorer = Scorer
else:
    AnyScorer = Annotated[Union[SCORERS], Field(discriminator="type")]  # noqa: UP007 - of as many as there are
"""What a scorer in a configuration file may be: told apart by ``type``."""


def default_panel() -> tuple[Scorer, ...]:
    """Return each of `SCORERS` with its default options.

    >>> "ndcg" in [scorer.metric.name for scorer in default_panel()]
    True
    """
    return tuple(scorer() for scorer in SCORERS)


def production_panel() -> tuple[Scorer, ...]:
    """Return the scorers that run on traffic where the configuration names none: those that need no labels.

    >>> "ndcg" in [scorer.metric.name for scorer in production_panel()]
    False
    """
    return tuple(scorer for scorer in default_panel() if scorer.needs.isdisjoint(LABELS))


__all__ = ["LABELS", "SCORERS", "AnyScorer", "default_panel", "production_panel", "run_panel"]
