"""Scorers of offline evaluation alone: they need labels that traffic has not, or judge everything once more."""

from __future__ import annotations

from scorers.base import Scorer
from scorers.grounding.claim_precision import CLAIM_PANEL
from scorers.grounding.rubric_groundedness import RubricGroundedness

OFFLINE_SCORERS: tuple[type[Scorer], ...] = (*CLAIM_PANEL, RubricGroundedness)
"""All of them."""
