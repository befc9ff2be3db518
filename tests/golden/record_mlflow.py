"""Record what a tracking server of MLflow answers about traces of the library's desk.

    mlflow server --host 127.0.0.1 --port 5987 --backend-store-uri sqlite:///desk.db
    PYTHON tests/golden/record_mlflow.py http://127.0.0.1:5987

PYTHON is an interpreter of an environment with mlflow and openai. Nothing outside the machine is asked. The answers are
written to mlflow/, without what MLflow adds of the machine, the user and the checkout.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent
sys.path.insert(0, str(GOLDEN))
MACHINE = ("mlflow.source.", "mlflow.user", "mlflow.artifactLocation")
ASKED = 3


def ask(url: str) -> None:
    """Answer a few questions under MLflow."""
    import mlflow
    from apps.agent_server import MODEL, provider
    from apps.agents_app import QUESTION, ROWS
    from mlflow.entities import SpanType
    from openai import OpenAI

    mlflow.set_tracking_uri(url)
    mlflow.set_experiment("desk")
    mlflow.openai.autolog()
    with provider() as model_url:

        @mlflow.trace(span_type=SpanType.RETRIEVER)
        def retrieve(query: str) -> list[dict[str, Any]]:
            facts = [{**row["metadata"], "score": row["score"], "found_by": query[:3]} for row in ROWS]
            told = zip(ROWS, facts, strict=True)
            return [{"page_content": row["content"], "metadata": fact, "id": row["id"]} for row, fact in told]

        @mlflow.trace
        def answer(question: str) -> str:
            who = {"mlflow.trace.session": "s-1", "mlflow.trace.user": "u-1"}
            mlflow.update_current_trace(metadata=who, tags={"tenant": "branch-north"})
            context = "\n".join(row["page_content"] for row in retrieve(question))
            messages = [{"role": "system", "content": f"Context:\n{context}"}, {"role": "user", "content": question}]
            reply = OpenAI(base_url=model_url, api_key="none").chat.completions.create(model=MODEL, messages=messages)
            return str(reply.choices[0].message.content)

        for _ in range(ASKED):
            answer(QUESTION)
    mlflow.flush_trace_async_logging()


def assess(url: str, traces: list[str]) -> None:
    """Give the answers what judges, code and people give under MLflow."""
    import mlflow
    from mlflow.entities import AssessmentError, AssessmentSource

    mlflow.set_tracking_uri(url)
    first, second, third = traces
    judge = AssessmentSource("LLM_JUDGE", "librarian-judge")
    person = AssessmentSource("HUMAN", "reader@desk.test")
    code = AssessmentSource("CODE", "length")
    version = {"evaluator_version": "2"}
    mlflow.log_feedback(
        trace_id=first, name="tone", value=4.5, source=judge, rationale="Kind enough.", metadata=version
    )
    mlflow.log_feedback(trace_id=first, name="helpful", value=True, source=person)
    mlflow.log_feedback(trace_id=second, name="tone", value="yes", source=judge)
    wrong = mlflow.log_feedback(trace_id=second, name="helpful", value=False, source=person)
    mlflow.override_feedback(trace_id=second, assessment_id=wrong.assessment_id, value=True, source=person)
    mlflow.log_feedback(trace_id=second, name="parts", value={"greeting": 1, "facts": 0}, source=code)
    mlflow.log_feedback(trace_id=third, name="tone", error=AssessmentError("TIMEOUT", "no reply"), source=judge)
    mlflow.log_expectation(trace_id=third, name="weeks", value=4, source=person)
    mlflow.log_expectation(trace_id=third, name="facts", value=["four weeks", "once"], source=person)
    mlflow.log_expectation(trace_id=third, name="expected_response", value="Books are lent for four weeks. " * 10)


def told(request: urllib.request.Request) -> Any:
    with urllib.request.urlopen(request) as reply:
        return _placeless(json.load(reply))


def _placeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _placeless(held) for key, held in value.items() if not key.startswith(MACHINE)}
    return [_placeless(each) for each in value] if isinstance(value, list) else value


def post(url: str, body: Any) -> urllib.request.Request:
    return urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})


def main() -> None:
    url = sys.argv[1]
    ask(url)
    experiments = told(post(f"{url}/api/2.0/mlflow/experiments/search", {"max_results": 100}))
    desk = next(each["experiment_id"] for each in experiments["experiments"] if each["name"] == "desk")
    place = {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": desk}}
    search = {"locations": [place], "order_by": ["timestamp_ms ASC"], "max_results": ASKED}
    listed = told(post(f"{url}/api/3.0/mlflow/traces/search", search))
    ids = [each["trace_id"] for each in listed["traces"]]
    assess(url, ids)
    named = {"locations": [place], "filter": f"trace.request_id IN ({', '.join(map(repr, ids))})", "max_results": 100}
    assessed = told(post(f"{url}/api/3.0/mlflow/traces/search", named))
    asked = "&".join(f"trace_ids={each}" for each in ids)
    traces = told(urllib.request.Request(f"{url}/api/3.0/mlflow/traces/batchGet?{asked}"))
    for name, held in (
        ("experiments", experiments),
        ("search", listed),
        ("traces", traces),
        ("assessed", assessed),
    ):
        (GOLDEN / "mlflow" / f"{name}.json").write_text(json.dumps(held, indent=1) + "\n")


if __name__ == "__main__":
    main()
