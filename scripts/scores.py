"""Print what the whole panel says of answers of this repository, a line each: two builds must print the same bytes.

    python scripts/scores.py [pure|compiled]

The answers are the golden ones, and right and wrong ones over generated policies. With an argument it fails where
another build runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from adapters.schema import Answer, Passage
from scorers import default_panel, run_panel
from scorers.base import Env
from scorers.statements import comparison
from training.pairs.policies import policies

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden" / "traces"
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def answers() -> Iterator[Answer]:
    """Yield the answers, each by an identity of its own."""
    for path in sorted(GOLDEN.glob("*.answers.jsonl")):
        yield from map(Answer.model_validate_json, path.read_text().splitlines())
    for number, policy in enumerate(policies(60, seed=5)):
        passages = tuple(Passage(id=f"p{at}", text=text) for at, text in enumerate(policy.passages))
        for at, statement in enumerate(policy.statements[:4]):
            yield Answer(id=f"{number}.{at}", question="May I?", answer=statement.text, passages=passages)


def main() -> None:
    """Print the scores."""
    build = "pure" if comparison.__file__.endswith(".py") else "compiled"
    if build not in sys.argv[1:] and sys.argv[1:]:
        sys.exit(f"{sys.argv[1]} was to run, but the {build} build does: {comparison.__file__}")
    panel, env = default_panel(), Env(now=NOW)
    for answer in answers():
        print(answer.id, run_panel(panel, answer, env))


if __name__ == "__main__":
    main()
