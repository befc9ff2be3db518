"""What fails, in words, as a series: Prometheus rules say of a failure what notifiers say of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from collector.store.chain import slice_key
from collector.store.rows import Decision
from collector.store.store import Store
from gates.decisions.record import DecisionRecord
from gates.decisions.words import failure_words
from telemetry import instruments
from telemetry.registry import Telemetry


@dataclass(frozen=True, kw_only=True)
class Failures:
    """Exposes the newest decision of every gate and slice that fails."""

    store: Store
    gates: Collection[str]
    telemetry: Telemetry

    def expose(self) -> None:
        """Expose what fails now; the series of what no longer fails disappear."""
        self.telemetry.replace(instruments.FAILURE_INFO, self._rows())

    def _rows(self) -> Iterator[tuple[tuple[str, ...], Mapping[str, str], float]]:
        renewed = {_key(row): row for row in self.store.renewed_decisions()}
        for row in self.store.last_decisions():
            if row.state != "fail" or row.gate not in self.gates:
                continue
            newer = renewed.get(_key(row), row)
            said = newer if newer.seq > row.seq else row
            record = _record(said)
            if record is None:
                continue
            words = failure_words(record)
            told = (words.example, words.summary, words.description, words.cause, words.first_step)
            yield (row.gate, words.metric, str(said.seq), *told), row.slice, 1.0


def _key(row: Decision) -> tuple[str, str]:
    return row.gate, slice_key(row.slice)


def _record(row: Decision) -> DecisionRecord | None:
    """Return the record of a row; ``None`` where another version of the agent wrote what this one cannot read."""
    try:
        return None if row.record is None else DecisionRecord.model_validate_json(row.record)
    except ValidationError:
        return None
