"""Comparing one answer with its passages in a worker process, claim by claim, while whoever asks waits."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from adapters.schema import Answer
from scorers.base import Absent, Env
from scorers.support.comparison import comparisons

NO_CLAIM = "the answer makes no claim"


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """An answer to compare with its passages, as JSON, and the instant that scorers take for now."""

    answer: str
    now: datetime


def compared(request: CompareRequest, env: Env) -> str:
    """Return as JSON the ``claims`` of an answer, or ``why_none`` are compared."""
    found = comparisons(Answer.model_validate_json(request.answer), env)
    if isinstance(found, Absent):
        lacks = f"the trace does not hold its {found.detail}"
        return json.dumps({"claims": [], "why_none": lacks if found.reason == "missing_input" else found.detail})
    return json.dumps({"claims": [asdict(each) for each in found], "why_none": "" if found else NO_CLAIM})
