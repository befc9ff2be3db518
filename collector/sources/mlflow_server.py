"""A tracking server of MLflow, as its sources ask it.

Source: mlflow/protos/service.proto and mlflow/server/handlers.py of mlflow 3.17; `batchGet` needs 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collector.outbound.client import HttpClient
from collector.outbound.errors import Unreachable
from collector.outbound.reply import Reply
from collector.sources.mlflow_cursor import MAX_ID

LISTED = 200
"""Traces of one list."""
_EXPERIMENTS = 1_000


class MLflowServer:
    """Asks one server about some of its experiments, or all."""

    def __init__(self, client: HttpClient, *, url: str, experiments: Sequence[str] | None) -> None:
        self.client = client
        self._url = url
        self._wanted = experiments

    def places(self) -> list[dict[str, Any]]:
        """Return where the traces of the experiments are. Raises `Unreachable` if none of those configured is there."""
        return [
            {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": experiment}}
            for experiment in self._experiments()
        ]

    def search(self, places: Sequence[Any], chosen: str, *, most: int) -> Iterator[tuple[Mapping[str, Any], Reply]]:
        """Yield what is known of the traces of a filter, those that began first first, of ``most`` lists at most."""
        asked = {"locations": places, "filter": chosen, "order_by": ["timestamp_ms ASC"], "max_results": LISTED}
        token = None
        for _ in range(most):
            reply = self.client.post(
                "/api/3.0/mlflow/traces/search", {**asked, **({"page_token": token} if token else {})}
            )
            body = _body(reply)
            for row in _rows(body, "traces", reply):
                if isinstance(row, dict):
                    yield row, reply
            token = body.get("next_page_token")
            if not token:
                return

    def traces(self, trace_ids: Sequence[str]) -> list[Any]:
        """Return traces with their spans."""
        reply = self.client.get("/api/3.0/mlflow/traces/batchGet", {"trace_ids": list(trace_ids)})
        return _rows(_body(reply), "traces", reply)

    def _experiments(self) -> list[str]:
        reply = self.client.post("/api/2.0/mlflow/experiments/search", {"max_results": _EXPERIMENTS})
        known = {
            str(row["experiment_id"])[:MAX_ID]: str(row.get("name"))
            for row in _rows(_body(reply), "experiments", reply)
            if isinstance(row, dict) and "experiment_id" in row
        }
        wanted = self._wanted
        if wanted is None:
            return sorted(known)
        found = sorted(identity for identity, name in known.items() if identity in wanted or name in wanted)
        if not found:
            names = ", ".join(sorted(known.values())[:10]) or "none"
            missing = ", ".join(map(repr, wanted[:10]))
            raise Unreachable(f"{self._url}: no experiment {missing}; known: {names}")
        return found


def unknown(reply: Reply) -> Unreachable:
    """Return the error for a body that is none of MLflow's."""
    return Unreachable(f"{reply.url}: {reply.status} with a body that is not a list of MLflow's")


def _body(reply: Reply) -> Mapping[str, Any]:
    if not reply.ok:
        raise reply.failure()
    body = reply.json()
    if not isinstance(body, dict):
        raise unknown(reply)
    return body


def _rows(body: Mapping[str, Any], name: str, reply: Reply) -> list[Any]:
    rows = body.get(name, [])
    if not isinstance(rows, list):
        raise unknown(reply)
    return rows
