"""Verifying one answer in a worker process, while whoever asks waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from adapters.schema import Answer
from scorers.base import Env
from scorers.catalog import Catalog, looked_up
from scorers.verification import verify


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """An answer to verify, as JSON, and the instant that scorers take for now."""

    answer: str
    now: datetime


def verified(request: VerifyRequest, env: Env, catalog: Catalog | None, *, max_text_chars: int) -> str:
    """Return the verification of an answer as JSON; what the catalog knows of its passages is looked up first."""
    answer = Answer.model_validate_json(request.answer)
    if catalog is not None:
        answer = looked_up(answer, catalog, max_text_chars=max_text_chars)
    return verify(answer, env).model_dump_json()
