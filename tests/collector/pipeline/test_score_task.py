"""A scorer's time is the processor's: what else the machine does is not held against it."""

import threading
import time
from datetime import UTC, datetime

import pytest

from adapters.schema import Answer
from collector.pipeline.score_task import evaluate
from scorers.base import Env, Measured
from scorers.efficiency.usage import AnswerCost, AnswerTokens, FirstToken, Latency

ENV = Env(now=datetime(2026, 1, 1, tzinfo=UTC))
ANSWER = Answer(id="a")
PANEL = (Latency(), FirstToken(), AnswerTokens(), AnswerCost())
LIMIT = 0.1


def wait():
    threading.Event().wait(3 * LIMIT)


def compute(seconds=100 * LIMIT):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def scored(doing, n=1):
    """Return the evaluation of a panel of ``n`` scorers that do something before they give a value."""

    def measure(_self, _answer, _env):
        doing()
        return Measured(1.0)

    kinds = [type("Slow", (type(scorer),), {"measure": measure}) for scorer in PANEL[:n]]
    return evaluate(ANSWER, tuple(kind.model_construct() for kind in kinds), ENV, LIMIT).evaluation


def test_a_scorer_that_had_to_wait_is_not_late():
    assert '"value":1.0' in scored(wait)


def test_a_scorer_that_computes_too_long_is_late_and_the_panel_ends_at_its_own_limit():
    told = scored(compute, n=4)
    assert told.count('"timeout"') >= 2
    assert told.count('"over_budget"') >= 1
    assert '"value"' not in told


@pytest.mark.parametrize("doing", [wait, compute])
def test_no_timer_is_left_running(doing):
    scored(doing)
    compute(2 * LIMIT)
