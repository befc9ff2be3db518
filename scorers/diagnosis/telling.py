"""What the scores of an answer tell that several diagnoses ask: whether it invents, and whether it gives an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scorers.base import Score
from scorers.support.points import MET

SUPPORTED, CONTRADICTED = "supported", "contradicted"


def invented(scored: Mapping[str, Score]) -> bool | None:
    """Return whether the answer says what its context does not; ``None`` where nothing tells.

    Unsupported and contradicted are alike here. A contradiction tells without ``faithfulness``, in languages on which
    that is not measured; that there is none tells nothing there, since inventions are not seen.

    >>> invented({"faithfulness": Score(metric="faithfulness", value=0.2, label="contradicted")})
    True
    """
    if (faithful := scored.get("faithfulness")) is not None:
        return faithful.label != SUPPORTED
    if (against := scored.get("contradiction_absence")) is not None and against.label == CONTRADICTED:
        return True
    support = scored.get("claim_support")
    return None if support is None else support.value < MET


def withholds(scored: Mapping[str, Score]) -> Literal["refuses", "abstains"] | None:
    """Return whether the answer declines, or says that the evidence holds no answer; ``None`` where it does neither.

    >>> withholds({"abstention": Score(metric="abstention", value=0.9, label="abstains")})
    'abstains'
    """
    if "refusal" in scored and scored["refusal"].label == "refuses":
        return "refuses"
    return "abstains" if "abstention" in scored and scored["abstention"].label == "abstains" else None
