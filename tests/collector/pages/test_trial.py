"""A trial of other settings takes longer than a page may: it goes on from request to request."""

import re

import pytest

from tests.collector.pages.test_pages import AT, MINUTE, Bench

SECOND = 10**9
PATH = "/gates/fresh/trial?run=yes"


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    for number in range(40):
        bench.put(f"a{number}", stale=float(number % 10 == 0), at=AT - (40 - number) * SECOND)
    yield bench
    bench.store.close()


def test_it_goes_on_by_itself_where_a_page_has_no_time_for_all_of_it(bench, monkeypatch):
    monkeypatch.setattr("collector.api.pages.gates.TRIAL_SECONDS", 60.0)
    whole = bench.page(PATH)
    monkeypatch.setattr("collector.api.pages.gates.TRIAL_SECONDS", 0.0)
    shares, path = [], PATH
    while "40 scored answers" not in (page := bench.page(path)).words:
        shares.append(int(re.search(r"Replaying the newest answers: (\d+) % done", page.words)[1]))
        (path,) = [each["hx-get"] for tag, each in page.elements if tag == "p" and "hx-get" in each]
    assert page.words == whole.words
    assert shares == sorted(shares)
    assert len(shares) > 30


def test_it_begins_anew_where_nobody_waited_for_it(bench, monkeypatch):
    monkeypatch.setattr("collector.api.pages.gates.TRIAL_SECONDS", 0.0)
    assert "% done" in bench.page(PATH).words
    bench.put("newer", at=AT)
    monkeypatch.setattr("collector.api.pages.gates.TRIAL_SECONDS", 60.0)
    bench.api.clock = lambda: AT + 2 * MINUTE
    assert "41 scored answers" in bench.page(PATH).words
