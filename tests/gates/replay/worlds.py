"""Worlds of arrival: the same answers, as they reach an agent in production."""

import json
from datetime import UTC, datetime, timedelta

import numpy as np

BEGIN = datetime(2026, 11, 2, tzinfo=UTC)
DAYS, MINUTE, HOUR, DAY = 5, 60.0, 3600.0, 86400.0
BROKEN = 4 * DAY
"""From when on the slice ``a`` fails more often, where there is a fault; seconds since `BEGIN`."""


class Answers:
    """Columns: when an answer was given (s), whether it failed, its slice, the pod that gave it."""

    def __init__(self, seed, *, fault, a_minute=2.0, pods=2, failing=0.05, broken=0.35):
        self.rng = rng = np.random.default_rng(seed)
        n = rng.poisson(DAYS * DAY / MINUTE * a_minute)
        self.at = np.sort(rng.random(n) * DAYS * DAY)
        self.slice = rng.integers(0, 2, n)
        self.pod = rng.integers(0, pods, n)
        ill = (self.slice == 0) & (self.at >= BROKEN) if fault else np.zeros(n, np.bool_)
        self.failed = rng.random(n) < np.where(ill, broken, failing)
        self.told = self.at.copy()
        self.arrived = self.at + 1.0

    def __len__(self):
        return len(self.at)


def in_order(answers):
    pass


def shuffled_within_minutes(answers):
    answers.arrived += answers.rng.random(len(answers)) * 10 * MINUTE


def pods_read_one_after_the_other(answers):
    """Each day's answers are read at its end, pod by pod; the fault shows in both."""
    day = answers.at // DAY
    place = answers.at % DAY / DAY
    answers.arrived = (day + 1) * DAY + HOUR * answers.pod + HOUR * place


def all_of_one_pod_before_the_other(answers):
    """Nothing is read until the end, and then each pod as a whole."""
    answers.arrived = DAYS * DAY + HOUR * answers.pod + HOUR * answers.at / (DAYS * DAY)


def a_pod_that_is_read_two_days_later(answers):
    answers.arrived += np.where(answers.pod == 1, 2 * DAY, 0.0)


def backfill_of_a_day(answers):
    """Half of the fourth day comes within an hour of the fifth."""
    of = (answers.at // DAY == 3) & (answers.pod == 1)
    answers.arrived[of] = 4.5 * DAY + HOUR * (answers.at[of] % DAY / DAY)


def backfill_of_the_day_of_the_fault(answers):
    """Half of the last day comes after it."""
    of = (answers.at // DAY == DAYS - 1) & (answers.pod == 1)
    answers.arrived[of] = DAYS * DAY + HOUR * (answers.at[of] % DAY / DAY)


def failing_answers_take_twenty_minutes(answers):
    answers.arrived += np.where(answers.failed, 20 * MINUTE, 0.0)


def failing_answers_take_two_hours(answers):
    answers.arrived += np.where(answers.failed, 2 * HOUR, 0.0)


def good_answers_take_twenty_minutes(answers):
    answers.arrived += np.where(answers.failed, 0.0, 20 * MINUTE)


def a_clock_ten_minutes_ahead(answers):
    answers.told += np.where(answers.pod == 1, 10 * MINUTE, 0.0)


def a_clock_ten_minutes_behind(answers):
    answers.told -= np.where(answers.pod == 1, 10 * MINUTE, 0.0)


def a_clock_a_day_behind(answers):
    answers.told -= np.where(answers.pod == 1, DAY, 0.0)


def a_burst_after_an_outage(answers):
    out = (answers.at >= 4.1 * DAY) & (answers.at < 4.3 * DAY)
    answers.arrived[out] = 4.3 * DAY + (answers.at[out] - 4.1 * DAY) / 50


def a_shuffled_burst_after_an_outage(answers):
    out = (answers.at >= 4.1 * DAY) & (answers.at < 4.3 * DAY)
    answers.arrived[out] = 4.3 * DAY + answers.rng.random(np.count_nonzero(out)) * 10 * MINUTE


def duplicates(answers):
    """Every third answer is delivered again, up to a day later."""
    again = np.flatnonzero(np.arange(len(answers)) % 3 == 0)
    place = np.concatenate([np.arange(len(answers)), again])
    later = np.concatenate([np.zeros(len(answers)), answers.rng.random(len(again)) * DAY])
    answers.number = place
    for name in ("at", "slice", "pod", "failed", "told", "arrived"):
        setattr(answers, name, getattr(answers, name)[place])
    answers.arrived = answers.arrived + later


def one_slice_two_hours_late(answers):
    answers.arrived += np.where(answers.slice == 0, 2 * HOUR, 0.0)


def one_slice_a_day_late(answers):
    answers.arrived += np.where(answers.slice == 0, DAY, 0.0)


def newest_first_every_hour(answers):
    hour = answers.at // HOUR
    answers.arrived = (hour + 1) * HOUR + (HOUR - answers.at % HOUR) / 100


def newest_first_every_day(answers):
    day = answers.at // DAY
    answers.arrived = (day + 1) * DAY + (DAY - answers.at % DAY) / 100


def retries_up_to_a_day(answers):
    again = answers.rng.random(len(answers)) < 0.05
    answers.arrived += np.where(again, answers.rng.random(len(answers)) * DAY, 0.0)


def lateness_of_an_hour_in_the_mean(answers):
    answers.arrived += answers.rng.exponential(HOUR, len(answers))


def a_backlog_of_last_month(answers):
    """Half of the traffic is of ten days ago."""
    answers.told -= np.where(answers.pod == 1, 10 * DAY, 0.0)


WORLDS = [
    in_order,
    shuffled_within_minutes,
    pods_read_one_after_the_other,
    all_of_one_pod_before_the_other,
    a_pod_that_is_read_two_days_later,
    backfill_of_a_day,
    backfill_of_the_day_of_the_fault,
    failing_answers_take_twenty_minutes,
    failing_answers_take_two_hours,
    good_answers_take_twenty_minutes,
    a_clock_ten_minutes_ahead,
    a_clock_ten_minutes_behind,
    a_clock_a_day_behind,
    a_burst_after_an_outage,
    a_shuffled_burst_after_an_outage,
    duplicates,
    one_slice_two_hours_late,
    one_slice_a_day_late,
    newest_first_every_hour,
    newest_first_every_day,
    retries_up_to_a_day,
    lateness_of_an_hour_in_the_mean,
]


def written(answers, path):
    """Write the answers as lines, in the order of their arrival."""
    numbers = getattr(answers, "number", np.arange(len(answers)))

    def when(seconds):
        return (BEGIN + timedelta(seconds=round(float(seconds), 6))).isoformat()

    with path.open("w") as out:
        for i in np.argsort(answers.arrived, kind="stable").tolist():
            fields = {
                "at": when(answers.told[i]),
                "arrived": when(answers.arrived[i]),
                "answer_id": f"a{numbers[i]}",
                "metric": "m",
                "value": int(answers.failed[i]),
                "probability": 1,
                "slice": {"domain": "ab"[answers.slice[i]]},
            }
            out.write(json.dumps(fields) + "\n")
    return path
