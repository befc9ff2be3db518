"""Assessments of answers on a tracking server of MLflow: feedback and expectations, by judges, code and people.

Its API lists traces by when they began, with their assessments, and nothing by when it was assessed: so it is asked
about each answer.

Source: mlflow/protos/assessments.proto and mlflow/utils/search_utils.py of mlflow 3.17.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adapters.base import MalformedRecord
from adapters.external.score import MAX_NAME, ExternalScore
from collector.sources.asking import GROUP, AskingPuller, scores_of_rows
from collector.sources.base import AnswerPlace
from collector.sources.mlflow_server import LISTED, MLflowServer

MAX_ASSESSMENTS = 100
"""Assessments that are read of one trace."""
_TRACE_ID = re.compile(r"[0-9a-f]{32}")
_LISTS = -(-GROUP // LISTED)


class MLflowAssessmentPuller(AskingPuller):
    """Asks one tracking server for the assessments of answers."""

    def __init__(self, server: MLflowServer, *, since: int) -> None:
        super().__init__(server.client, since=since)
        self._server = server

    def ask(self, due: Sequence[AnswerPlace]) -> tuple[list[ExternalScore], list[MalformedRecord]]:
        """Return the assessments of the traces of some answers and of spans in them."""
        traces = sorted({f"tr-{each.trace_id}" for each in due if _TRACE_ID.fullmatch(each.trace_id)})
        if not traces:
            return [], []
        chosen = f"trace.request_id IN ({', '.join(map(repr, traces))})"
        found = self._server.search(self._server.places(), chosen, most=_LISTS)
        return scores_of_rows(each for trace, _ in found for each in _assessments(trace))


def _assessments(trace: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    rows = trace.get("assessments")
    for row in rows[:MAX_ASSESSMENTS] if isinstance(rows, list) else ():
        if isinstance(row, dict) and _says_something(row):
            yield f"assessment {str(row.get('assessment_id'))[:64]}", {**row, "trace_id": trace.get("trace_id")}


def _says_something(row: Mapping[str, Any]) -> bool:
    """Whether an assessment is a score that stands.

    It is none if another replaced it, if the judge failed, or if it is an expectation that is no value of a metric: the
    answer that somebody expected, or a list of facts.
    """
    if row.get("valid") is False:
        return False
    feedback, expectation = row.get("feedback"), row.get("expectation")
    if isinstance(feedback, dict):
        return feedback.get("value") is not None
    value = expectation.get("value") if isinstance(expectation, dict) else None
    return isinstance(value, int | float) or (isinstance(value, str) and 0 < len(value) <= MAX_NAME)
