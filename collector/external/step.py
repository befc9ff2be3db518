"""Scores that came before their answers, and the answers that come."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import structlog

from collector.clock import Clock
from collector.external.judged import judged
from collector.external.reception import Reception
from collector.store.store import Store
from telemetry import instruments

log = structlog.get_logger(__name__)

ANSWERS = 2_000
"""New answers for which waiting scores are looked for at once."""
PATIENCE = 24 * 3600 * 10**9
"""How long (ns) a score waits for its answer: a day, as long as a source may lag behind."""


@dataclass(frozen=True, kw_only=True)
class ExternalStep:
    """Gives waiting scores to the answers that came since, and gives up those whose answers do not come."""

    store: Store
    reception: Reception
    clock: Clock

    def run_once(self) -> int:
        """Match some; return how many scores that settled."""
        receipts = self.store.match_external(judged, before=self.clock() - PATIENCE, limit=ANSWERS)
        self.reception.count(receipts)
        lost = Counter(each.row.metric for each in receipts if each.outcome == "unmatched")
        if lost:
            log.warning("scores given up: no answer is known to be theirs; see GET /v1/evaluations", scores=dict(lost))
        self.reception.telemetry.set(instruments.EXTERNAL_WAITING, self.store.external_waiting())
        return len(receipts)
