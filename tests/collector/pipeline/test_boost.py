"""After a change more is scored: never beyond the budget, and with the probability that it had."""

import math
import random

import pytest

from adapters.schema import Answer, Passage
from collector.pipeline.boost import Boost
from collector.pipeline.late import ChangeStep
from collector.pipeline.sampling import BoostOptions, drawn
from collector.store.entries import Entry
from collector.store.rows import Pulled, StoredAnswer
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry
from tests.stored import newest

SECOND = 10**9
MINUTE = 60 * SECOND
NOON = 1_780_000_020 * SECOND // MINUTE * MINUTE
DESK, SHOP = {"service": "desk"}, {"service": "shop"}


class Clock:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


def entry(name="c", *, at=NOON, kind="deploy", scope=None, documents=(), recorded_at=None):
    recorded = at if recorded_at is None else recorded_at
    scope = DESK if scope is None else scope
    return Entry(name, at, recorded, kind, "explicit", "release", scope, "2", "1", documents)


def boost(clock, *entries, **options):
    made = Boost(BoostOptions(**options), clock)
    made.start(entries)
    return made


def placed(made, slice_=DESK, *, n=1000, p=0.1, start=0, **fields):
    return [made.place(Answer(id=f"a{i}", **fields), slice_, p) for i in range(start, start + n)]


def test_only_what_the_change_touches_is_boosted_and_for_its_time():
    clock = Clock()
    made = boost(clock, entry(), duration="10m", max_per_minute=10_000)
    assert set(placed(made)) == {(1.0, True)}
    assert {probability for probability, _ in placed(made, SHOP)} == {0.1}
    assert made.active == 1
    clock.now += 10 * MINUTE
    assert {probability for probability, _ in placed(made)} == {0.1}
    assert made.active == 0


def test_a_change_of_documents_touches_the_answers_that_were_given_them():
    made = boost(Clock(), entry(kind="documents", scope={}, documents=("HR-1",)))
    given = (Passage(id="p", doc_id="HR-1"),)
    assert placed(made, n=5, passages=given)[0] == (1.0, True)
    assert placed(made, n=5, passages=(Passage(id="p", doc_id="HR-2"),))[0][0] == 0.1
    assert placed(made, n=5)[0][0] == 0.1


def test_a_change_of_the_measure_touches_no_answer():
    assert boost(Clock(), entry(kind="scorer", scope={})).active == 0


@pytest.mark.parametrize("limit", [0, 1, 7, 60])
def test_the_budget_of_a_minute_is_never_exceeded(limit):
    clock = Clock()
    made = boost(clock, entry(), max_per_minute=limit)
    for minute in range(5):
        clock.now = NOON + minute * MINUTE
        found = placed(made, n=2000, start=2000 * minute)
        beyond = [i for i, (_, sampled) in enumerate(found, 2000 * minute) if sampled and not drawn(f"a{i}", 0.1)]
        assert len(beyond) == limit


def test_with_the_budget_spent_the_probability_is_the_one_of_the_policy_again():
    found = placed(boost(Clock(), entry(), max_per_minute=5), n=500)
    raised = [sampled for probability, sampled in found if probability == 1.0]
    assert len(raised) < 50
    assert all(raised)
    rest = [sampled for probability, sampled in found if probability == 0.1]
    assert len(rest) == 500 - len(raised)
    assert 20 < sum(rest) < 80


def test_the_policy_is_never_lowered():
    made = boost(Clock(), entry(), probability=0.3)
    assert {probability for probability, _ in placed(made, p=0.8, n=50)} == {0.8}


def test_weighted_by_the_recorded_probabilities_the_mean_is_that_of_all_traffic():
    """A touched part of worse answers, budget running out in every minute: neither moves the weighted mean."""
    clock, coin = Clock(), random.Random(7)
    made = boost(clock, entry(), duration="1d", max_per_minute=20, probability=0.6)
    weight = total = 0.0
    true, n = 0.0, 60_000
    for i in range(n):
        clock.now = NOON + i * MINUTE // 200
        touched = coin.random() < 0.3
        failed = coin.random() < (0.4 if touched else 0.1)
        true += failed / n
        probability, sampled = made.place(Answer(id=f"a{i}"), DESK if touched else SHOP, 0.1)
        if sampled:
            weight += 1 / probability
            total += failed / probability
    assert abs(weight / n - 1) < 0.05
    error = math.sqrt(true * (1 - true) / (0.1 * n))
    assert abs(total / weight - true) < 4 * error


class Late:
    """A store with answers, and the step that follows its ledger."""

    def __init__(self, directory, **options):
        self.directory, self.options = directory, options
        self.clock = Clock()
        self.open()

    def open(self):
        self.store = open_store(self.directory)
        self.boost = Boost(BoostOptions(**self.options), self.clock)
        self.telemetry = Telemetry(metrics=(), dimensions=("service",), version="test")
        self.step = ChangeStep(store=self.store, boost=self.boost, telemetry=self.telemetry, clock=self.clock)
        self.step.run_once()

    def restart(self):
        self.store.close()
        self.open()

    def put(self, n, slice_=DESK, *, p=0.1, at=NOON, prefix="a", **fields):
        answers = [
            StoredAnswer(Answer(id=f"{prefix}{i}", **fields), slice_, p, drawn(f"{prefix}{i}", p)) for i in range(n)
        ]
        self.store.append_pulled(Pulled("files", b"", at, answers=answers))

    def late(self):
        rows = [row.stored for row in newest(self.store, limit=10_000)]
        return {row.answer.id: row.probability for row in rows if row.late}

    def run(self):
        while self.step.run_once():
            pass


@pytest.fixture
def late(tmp_path):
    made = Late(tmp_path / "data", probability=0.5, max_per_minute=10_000)
    yield made
    made.store.close()


def test_stored_answers_that_a_change_touches_are_drawn_late_with_the_probability_of_that_draw(late):
    late.put(400)
    late.put(100, SHOP, prefix="s")
    late.put(100, at=NOON - 70 * MINUTE, prefix="old")
    late.clock.now += MINUTE
    late.store.record_changes([entry(at=NOON, recorded_at=late.clock.now)])
    late.run()
    expected = {f"a{i}" for i in range(400) if drawn(f"a{i}", 0.5) and not drawn(f"a{i}", 0.1)}
    assert late.late() == dict.fromkeys(expected, 0.4)
    assert 120 < len(expected) < 200
    text = late.telemetry.exposition("")[0].decode()
    assert f"groundwire_late_drawn_total {float(len(expected))}" in text
    assert 'groundwire_changes_total{kind="deploy",source="explicit"} 1.0' in text
    assert "groundwire_boosts 1.0" in text


def test_late_draws_keep_to_the_budget_and_go_on_in_the_next_minute_and_after_a_restart(tmp_path):
    late = Late(tmp_path / "data", probability=0.5, max_per_minute=15)
    late.put(400)
    late.store.record_changes([entry(recorded_at=NOON + 1)])
    expected = {f"a{i}" for i in range(400) if drawn(f"a{i}", 0.5) and not drawn(f"a{i}", 0.1)}
    for minute in range(1, 40):
        late.run()
        late.run()
        assert len(late.late()) == min(15 * minute, len(expected))
        late.clock.now += MINUTE
        if minute == 3:
            late.restart()
    assert set(late.late()) == expected
    late.store.close()


def test_what_comes_after_the_change_is_boosted_and_not_drawn_twice(late):
    late.store.record_changes([entry()])
    late.run()
    probability, _ = late.boost.place(Answer(id="x"), DESK, 0.1)
    assert probability == 0.5
    late.put(100, at=NOON + 1)
    late.run()
    assert late.late() == {}


def test_a_restart_boosts_the_changes_of_the_last_hour_and_counts_none_twice(late):
    late.store.record_changes([entry("old", at=NOON - 2 * 60 * MINUTE), entry("new")])
    late.run()
    late.restart()
    assert late.boost.active == 1
    late.run()
    assert 'groundwire_changes_total{kind="deploy",source="explicit"} 0.0' in late.telemetry.exposition("")[0].decode()
    late.store.record_changes([entry("next")])
    late.run()
    assert late.boost.active == 2
    assert 'groundwire_changes_total{kind="deploy",source="explicit"} 1.0' in late.telemetry.exposition("")[0].decode()
