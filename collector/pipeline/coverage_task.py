"""Looking in a worker process for what the catalog lists of the passages of answers, while whoever asks waits."""

from __future__ import annotations

import time
from dataclasses import dataclass

from adapters.schema import Answer
from scorers.catalog import Catalog
from scorers.catalog.coverage import CoverageCount

SECONDS = 2.0
"""Of the processor's time after which no further answer is looked at: a worker is there for scoring."""


@dataclass(frozen=True, slots=True)
class CoverageRequest:
    """Answers, as JSON, the newest first."""

    answers: tuple[str, ...]


def covered(request: CoverageRequest, catalog: Catalog | None) -> str:
    """Return the coverage over the answers as JSON; ``answers`` of it says how many there was time for."""
    count = CoverageCount(catalog or Catalog())
    began = time.process_time()
    for text in request.answers:
        if time.process_time() - began > SECONDS:
            break
        count.add(Answer.model_validate_json(text))
    return count.result().model_dump_json()
