"""What a worker process loads: nothing of gates, the store or servers, which it has no use for."""

from __future__ import annotations

import subprocess
import sys

LOADED = "import sys, collector.pipeline.tasks; print(*{name.split('.')[0] for name in sys.modules})"


def test_a_worker_loads_nothing_of_gates_databases_and_servers() -> None:
    loaded = set(subprocess.check_output([sys.executable, "-c", LOADED], text=True).split())
    assert "scorers" in loaded
    assert loaded.isdisjoint({"gates", "telemetry", "sqlalchemy", "starlette", "uvicorn", "grpc", "httpx", "typer"})
