"""What is loaded for the first answers: models, tables and lexicons, which workers share that are forked after that."""

from __future__ import annotations

from datetime import UTC, datetime

from adapters.schema import Answer, Passage
from collector.pipeline.score_task import evaluate
from scorers import production_panel
from scorers.base import Env

SECONDS = 10.0
"""What one scorer may take."""

_SAMPLES = (
    (
        "May I carry over leave?",
        "Yes, up to 5 days may be carried over by March [1]. For more, please contact HR.",
        "Employees may carry over up to 5 days of leave. It must be used by March 2026. Interns cannot carry it over.",
    ),
    (
        "What does a night in Oslo cost?",
        "A night in Oslo costs 140 EUR, more than in Rome.",
        "| City | Rate |\n|---|---|\n| Oslo | EUR 150 |\n| Rome | EUR 120 |",
    ),
    ("Who pays?", "Ann Roe does not pay.", '{"payer": "Ann Roe", "paid": true, "days": 3}'),
    (
        "Kann ich Urlaub \u00fcbertragen?",
        "Nein, Urlaub kann nicht \u00fcbertragen werden.",
        "Bis zu 5 Tage Urlaub k\u00f6nnen \u00fcbertragen werden. Mehr muss die Leitung genehmigen.",
    ),
)
"""Questions, answers and passages: prose, a table, a record, and another language."""


def warm_up() -> None:
    """Score an answer over each kind of passage. What fails here fails again where it is reported."""
    env = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
    for question, text, passage in _SAMPLES:
        answer = Answer(id="sample", question=question, answer=text, passages=(Passage(id="p", text=passage),))
        evaluate(answer, production_panel(), env, SECONDS)
