"""Print what is read from traces and what the panel says of answers, a line each: two builds must print the same bytes.

    python scripts/scores.py [pure|compiled]

The traces are the golden ones, as they are and with values of other types in them. The answers are the golden ones, and
right and wrong ones over generated policies. With an argument it fails where another build runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from adapters.assembly import facts
from adapters.base import AdaptOptions, MalformedRecord
from adapters.detect import adapt_trace
from adapters.schema import Answer, Passage
from adapters.trace import Trace
from adapters.wire.otlp import decode_traces, group
from scorers import default_panel, run_panel
from scorers.base import Env
from scorers.statements import comparison
from tests.adapters.odd_values import with_odd_values
from training.pairs.policies import policies

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden" / "traces"
NOW = datetime(2026, 6, 1, tzinfo=UTC)
OPTIONS = AdaptOptions(attributes={"tenant": "tenant", "region": "deployment.region"})
ODD = 20
"""How often each trace is read with values of other types in it."""


def readings() -> Iterator[str]:
    """Yield what is read from each trace."""
    for path in sorted(GOLDEN.glob("*.otlp.pb")):
        for trace in group(decode_traces(path.read_bytes()).spans):
            yield f"{path.name} {trace.trace_id}: {_read(trace)}"
            for seed in range(ODD):
                spans = with_odd_values(trace.spans, Random(seed))  # noqa: S311 - the same ones each time
                odd = Trace.of(trace.trace_id, spans)
                yield f"{path.name} {trace.trace_id} with odd values {seed}: {_read(odd)}"


def _read(trace: Trace) -> str:
    try:
        return " ".join([answer.model_dump_json(exclude_defaults=True) for answer in adapt_trace(trace, OPTIONS)])
    except MalformedRecord as error:
        return str(error)


def answers() -> Iterator[Answer]:
    """Yield the answers, each by an identity of its own."""
    for path in sorted(GOLDEN.glob("*.answers.jsonl")):
        yield from map(Answer.model_validate_json, path.read_text().splitlines())
    for number, policy in enumerate(policies(60, seed=5)):
        passages = tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(policy.passages))
        for at, statement in enumerate(policy.statements[:4]):
            yield Answer(id=f"{number}.{at}", question="May I?", answer=statement.text, passages=passages)


def main() -> None:
    """Print what is read, then the scores."""
    for module in (comparison, facts):
        build = "pure" if module.__file__.endswith(".py") else "compiled"
        if build not in sys.argv[1:] and sys.argv[1:]:
            sys.exit(f"{sys.argv[1]} was to run, but the {build} build does: {module.__file__}")
    for line in readings():
        print(line)
    panel, env = default_panel(), Env(now=NOW)
    for answer in answers():
        print(answer.id, run_panel(panel, answer, env))


if __name__ == "__main__":
    main()
