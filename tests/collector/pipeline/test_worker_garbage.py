"""A worker seldom looks for garbage: an answer that leaves some behind makes it grow by megabytes."""

import gc
from datetime import UTC, datetime

import pytest

from adapters.detect import AdaptOptions
from adapters.schema import Answer, Passage
from collector.pipeline.score_task import ScoreRequest
from collector.pipeline.tasks import set_up
from collector.pipeline.verify_task import VerifyRequest
from scorers import production_panel

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PASSAGES = (
    Passage(id="p", text="Up to 5 days of leave may be carried over. They must be used by March 2026, in any case."),
    Passage(id="q", text="Advances above 300 EUR need the approval of the budget owner."),
)
ANSWER = Answer(
    id="a",
    question="May I carry over leave?",
    answer="Yes, up to 5 days may be carried over by March. For more, please contact HR.",
    passages=PASSAGES,
)


@pytest.fixture(autouse=True)
def _caches_as_they_were(monkeypatch):
    monkeypatch.setattr("collector.pipeline.tasks.keep_at_most", lambda _: None)


def left_by(*requests):
    """Return how many objects requests leave that only the collector of garbage frees."""
    handle = set_up(AdaptOptions(), production_panel(), None, 60.0)
    for request in requests:  # the first answer leaves what was loaded for it
        handle(request)
    gc.collect()
    gc.disable()
    try:
        for request in requests:
            handle(request)
        return gc.collect()
    finally:
        gc.enable()


def test_scoring_leaves_no_garbage():
    text = ANSWER.model_dump_json()
    assert left_by(ScoreRequest((text, text), NOW)) < 20


def test_verifying_leaves_no_garbage():
    assert left_by(VerifyRequest(ANSWER.model_dump_json(), NOW)) < 20
