"""What is both announced and shown by answers is one change."""

import pytest

from collector.changes.ledger import TOGETHER, history, newest_known, one_each
from collector.store.entries import Entry
from collector.store.sqlite import open_store
from gates.decisions.serving import Ledger

AT = 1_780_000_000 * 10**9
MINUTE = 60 * 10**9


def row(seq, source, version="2", *, at=None, **more):
    when = AT + seq * MINUTE if at is None else at
    given = {"kind": "deploy", "component": "release", "version": version, **more}
    return Entry(f"{source}-{seq}", when, when, source=source, seq=seq, **given)


@pytest.mark.parametrize("sources", [("explicit", "observed"), ("observed", "explicit")])
def test_whichever_came_first_it_is_the_announcement_from_the_earlier_time_on(sources):
    first, second = (
        row(
            seq,
            source,
            **({"note": "why"} if source == "explicit" else {"previous": "1", "scope": {"service": "desk"}}),
        )
        for seq, source in enumerate(sources, 1)
    )
    (one,) = one_each([second, first])
    assert (one.seq, one.at, one.source, one.note, one.previous, one.scope) == (1, first.at, "explicit", "why", "1", {})


def test_two_services_that_show_what_was_announced_for_all_are_one_with_it():
    seen = [row(seq, "observed", scope={"service": name}) for seq, name in ((2, "desk"), (3, "mail"))]
    assert [each.seq for each in one_each([row(1, "explicit"), *seen])] == [1]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (row(1, "explicit"), row(2, "observed", "3")),
        (row(1, "explicit"), row(2, "explicit")),
        (row(1, "observed"), row(2, "observed")),
        (row(1, "explicit", None), row(2, "observed", None)),
        (row(1, "explicit"), row(2, "observed", component="model", kind="model")),
        (row(1, "explicit", scope={"service": "desk"}), row(2, "observed", scope={"service": "mail"})),
        (row(1, "explicit", at=AT), row(2, "observed", at=AT + TOGETHER + 1)),
    ],
)
def test_what_is_not_the_same_stays_two(first, second):
    assert one_each([first, second]) == [first, second]


def test_a_version_that_came_again_after_another_is_another_change():
    rows = [row(1, "explicit"), row(2, "explicit", "1"), row(3, "observed")]
    assert one_each(rows) == rows


def test_a_return_to_a_version_that_only_answers_told_of_takes_the_release_back(tmp_path):
    announced = {"component": "index", "kind": "index"}
    rows = [
        row(1, "explicit", "2", **announced),
        row(2, "observed", "2", previous="1", **announced),
        # Nobody announced the way back to 1, and answers show no version as new that they showed before.
        row(90, "explicit", "3", **announced),
        row(91, "observed", "3", previous="1", **announced),
        row(100, "explicit", "1", previous="3", **announced),
    ]
    store = open_store(tmp_path / "data")
    store.record_changes(rows)
    known = history(store, ["index"])
    store.close()
    assert [(each.previous, each.version) for each in known] == [("1", "2"), ("1", "3"), ("3", "1")]
    assert [Ledger(known).takes_back(each) for each in known] == [False, False, True]


def test_a_change_whose_rows_are_on_two_pages_stands_on_one_of_them_in_whole(tmp_path):
    store = open_store(tmp_path / "data")
    store.record_changes([row(1, "explicit"), row(2, "observed", "7", component="index", previous="6")])
    store.record_changes([row(3, "observed", previous="1"), row(4, "observed", "3", previous="2")])
    pages, before = [], None
    while not pages or before is not None:
        known, before = newest_known(store, before=before, limit=2)
        pages.append([(each.entry.component, each.entry.previous, each.entry.version, each.known_by) for each in known])
    store.close()
    assert pages == [
        [("release", "2", "3", "observed")],
        [("index", "6", "7", "observed"), ("release", "1", "2", "announced and observed")],
        [],
    ]
