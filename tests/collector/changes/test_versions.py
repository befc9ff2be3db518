"""When a version that answers show is news."""

from itertools import count

import pytest

from collector.changes.versions import AMBIGUOUS, MAX_TRACKS, MAX_VERSIONS, VersionMemory

SECOND = 10**9
HOUR = 3600 * SECOND


class Watch:
    """A memory, and a clock that moves a second with each answer."""

    def __init__(self, rows=()):
        self.memory = VersionMemory(rows, gone=HOUR)
        self.at = 10 * HOUR
        self.rows = {}

    def show(self, *versions, times=1, component="release", scope="{}", at=None):
        """Return the versions that were news in ``times`` answers, each with the one before."""
        found = []
        for _ in range(times):
            self.at += SECOND
            found += self.memory.observe(component, scope, versions, self.at if at is None else at)
        return [(item.version, item.previous) for item in found]

    def restarted(self):
        rows, forgotten = self.memory.unsaved()
        self.memory.saved(rows, forgotten)
        for row in rows:
            self.rows[row.component, row.scope, row.version] = row
        again = Watch(sorted(self.rows.values(), key=lambda row: row.last_at))
        again.at, again.rows = self.at, self.rows
        return again


def test_the_first_version_ever_seen_is_no_news():
    assert Watch().show("1", times=5) == []


def test_another_version_is_news_once_with_the_one_before():
    watch = Watch()
    watch.show("1", times=10)
    assert watch.show("2", times=10) == [("2", "1")]


def test_a_rolling_update_is_one_change():
    watch = Watch()
    watch.show("1", times=50)
    found = [item for i in range(500) for item in watch.show("2" if i % 7 < i / 70 else "1")]
    assert found == [("2", "1")]


def test_a_canary_of_one_percent_beside_its_baseline_is_one_change_though_hours_pass_between_its_answers():
    watch = Watch()
    watch.show("1", times=50)
    found = []
    for _ in range(20):
        found += watch.show("2")
        found += watch.show("1", times=99)
        watch.at += 3 * HOUR
    assert found == [("2", "1")]


def test_a_version_that_comes_back_after_it_was_gone_is_news():
    watch = Watch()
    watch.show("1", times=50)
    watch.show("2", times=50)
    watch.at += HOUR
    watch.show("2", times=50)
    assert watch.show("1", times=5) == [("1", "2")]


def test_a_version_that_comes_back_within_the_hour_is_no_news():
    watch = Watch()
    watch.show("1", times=50)
    watch.show("2", times=500)
    assert watch.show("1") == []


def test_what_is_seen_in_one_scope_says_nothing_of_another():
    watch = Watch()
    watch.show("1", scope='{"service":"a"}')
    assert watch.show("2", scope='{"service":"b"}') == []


def test_an_answer_read_long_after_its_time_begins_nothing():
    watch = Watch()
    watch.show("5", times=10)
    assert watch.show("1", at=watch.at - 2 * HOUR) == []
    assert watch.show("6") == [("6", "5")]


def test_what_one_answer_shows_together_is_no_news_to_itself():
    watch = Watch()
    assert watch.show("1", "2") == []
    assert watch.show("2", "3") == [("3", "2")]


def test_a_restart_remembers():
    watch = Watch()
    watch.show("1", times=50)
    watch = watch.restarted()
    assert watch.show("1", times=5) == []
    assert watch.show("2") == [("2", "1")]
    watch = watch.restarted()
    assert watch.show("2", "1") == []


def test_a_component_with_another_version_in_each_answer_has_none():
    watch = Watch()
    news = [item for i in range(10 * MAX_VERSIONS) for item in watch.show(f"at {i}")]
    assert len(news) <= MAX_VERSIONS
    assert watch.restarted().show("another") == []


def test_a_component_that_shows_two_versions_of_one_thing_at_once_is_never_news():
    watch = Watch()
    watch.show("1", times=5)
    watch.memory.mark_ambiguous("release", "{}")
    assert watch.show("2", times=5) == []
    watch = watch.restarted()
    assert watch.show("3") == []
    assert ("release", "{}", AMBIGUOUS) in watch.rows


def test_of_many_versions_the_newest_are_remembered():
    watch = Watch()
    numbers = count()
    for _ in range(2 * MAX_VERSIONS):
        watch.show(str(next(numbers)), times=3)
    _, forgotten = watch.memory.unsaved()
    assert ("release", "{}", "0") in forgotten
    assert watch.show(str(next(numbers))) == [("40", "39")]


def test_of_too_many_components_the_ones_seen_last_are_remembered():
    watch = Watch()
    for i in range(MAX_TRACKS + 10):
        watch.show("1", component=f"document:{i}")
    _, forgotten = watch.memory.unsaved()
    assert len(forgotten) == 10
    assert watch.show("2", component="document:0") == []
    assert watch.show("2", component=f"document:{MAX_TRACKS + 9}") == [("2", "1")]


@pytest.mark.parametrize("times", [1, 1000])
def test_what_is_seen_again_and_again_is_seldom_written(times):
    watch = Watch()
    written = 0
    for _ in range(times):
        watch.show("1")
        rows, forgotten = watch.memory.unsaved()
        watch.memory.saved(rows, forgotten)
        written += len(rows)
    assert written <= 15
