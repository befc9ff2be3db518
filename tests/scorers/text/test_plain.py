"""A verbatim copy is one in whatever typesetting it comes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.schema import Answer, Citation, Passage
from scorers import default_panel, run_panel
from scorers.base import Env
from scorers.catalog import Catalog, Document
from scorers.catalog.origin import origin
from scorers.catalog.search.hybrid import search
from scorers.disagreement.disagreement import disagreements
from scorers.memory import Memory
from scorers.support.claims import claims_of
from scorers.text.identifiers import identifiers
from scorers.text.normalize import terms
from scorers.text.phrases import words
from scorers.text.plain import Placed, level, plain

ENV = Env(now=datetime(2026, 5, 4, tzinfo=UTC))
QUESTION = "What does the airline's flex fare cost, and doesn't it expire?"
POLICY = (
    "The airline's \"flex fare\" doesn't expire: it's valid for 30-60 days. Office hours are 9:00-17:00. The"
    " non-refundable fee is 1,000 EUR or 5 % (code AB-1234, version 2.3.1, file config_v2.yaml). Staff can't waive it."
    " No refunds are given; ask the cafe\u0301 manager, who won't decide before 2026-01-31."
)
OTHER = "The staff may waive the fee of 900 EUR. The flex fare expires after 20 days, and it isn't non-refundable."


def full_width(text: str) -> str:
    return re.sub(r"[0-9A-Za-z%()\"',-]", lambda match: chr(ord(match.group()) + 0xFEE0), text)


EXCHANGES: dict[str, Callable[[str], str]] = {
    **{
        f"apostrophe {ord(c):x}": lambda text, c=c: text.replace("'", c) for c in "\u2019\u2018\u02bc\u00b4\u2032\uff07"
    },
    "curly quotes": lambda text: re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text),
    "low quotes": lambda text: re.sub(r'"([^"]*)"', "\u201e\\1\u201c", text),
    "guillemets": lambda text: re.sub(r'"([^"]*)"', "\u00ab\\1\u00bb", text),
    **{f"hyphen {ord(c):x}": lambda text, c=c: text.replace("-", c) for c in "\u2010\u2011\u2012\u2013\u2212\uff0d"},
    **{f"blank {ord(c):x}": lambda text, c=c: text.replace(" ", c) for c in "\u00a0\u2009\u202f\u3000"},
    "a blank beside figures": lambda text: re.sub(r"(?<=\d) | (?=\d)", "\u00a0", text),
    **{f"break {ord(c):x}": lambda text, c=c: re.sub(r"(?<=\w)(?=\w)", c, text) for c in "\u00ad\u200b\u2060"},
    "ligatures": lambda text: text.replace("ffi", "\ufb03").replace("fl", "\ufb02").replace("ff", "\ufb00"),
    "full width": full_width,
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "all at once": lambda text: full_width(text.replace("'", "\u2019").replace("-", "\u2011")).replace(" ", "\u202f"),
}
each_exchange = pytest.mark.parametrize("exchange", EXCHANGES.values(), ids=EXCHANGES)


def panel(said: str, *told: str, question: str = QUESTION) -> dict[str, object]:
    """Return what the panel gives an answer that cites its first passage at its end."""
    passages = tuple(Passage(id=f"p{place}", text=text) for place, text in enumerate(told))
    cited = Citation(start=len(said), end=len(said), marker="[1]", passage_id="p0")
    answer = Answer(id="a", question=question, answer=said, passages=passages, citations=(cited,))
    found = run_panel(default_panel(), answer, ENV)
    own = {"protected_data_control", "composite", "unsafe_probability", "failure_category", "first_failed_stage"}
    values: dict[str, object] = {score.metric: (score.value, score.label) for score in found.scores}
    values |= {one.metric: one.reason for one in found.unscored}
    return {metric: value for metric, value in values.items() if metric not in own}


PLAIN = panel(POLICY, POLICY, OTHER)


@each_exchange
def test_a_copy_in_another_typesetting_scores_as_the_plain_one(exchange: Callable[[str], str]) -> None:
    assert panel(exchange(POLICY), POLICY, OTHER) == PLAIN
    assert panel(POLICY, exchange(POLICY), exchange(OTHER)) == PLAIN
    assert panel(exchange(POLICY), exchange(POLICY), exchange(OTHER), question=exchange(QUESTION)) == PLAIN


def test_the_plain_copy_is_supported_and_names_what_it_copies() -> None:
    assert PLAIN["faithfulness"] == (pytest.approx(0.98, abs=0.02), "supported")
    assert PLAIN["numeric_fidelity"] == (1.0, None)
    assert PLAIN["citation_precision"] == (1.0, "precise")
    assert PLAIN["identifier_integrity"] == (1.0, "intact")


@each_exchange
def test_what_is_wrong_stays_wrong_in_another_typesetting(exchange: Callable[[str], str]) -> None:
    wrong = POLICY.replace("60", "90").replace("AB-1234", "AB-1243").replace("can't", "can")
    found = panel(exchange(wrong), POLICY)
    assert found == panel(wrong, POLICY)
    assert found["faithfulness"] == (pytest.approx(found["faithfulness"][0]), "contradicted")  # type: ignore[index]
    assert found["identifier_integrity"][0] < 1  # type: ignore[index]


@each_exchange
def test_claims_and_identifiers_point_into_the_answer_as_it_came(exchange: Callable[[str], str]) -> None:
    said = exchange(POLICY)
    before, after = (claims_of(Answer(id="a", answer=text), Memory()) for text in (POLICY, said))
    assert [claim.words for claim in after] == [claim.words for claim in before]
    assert [plain(said[claim.start : claim.end]) for claim in after] == [
        plain(POLICY[claim.start : claim.end]) for claim in before
    ]
    named = identifiers(said)
    assert [each.text for each in named] == ["AB-1234", "2.3.1", "config_v2.yaml"]
    assert [plain(said[each.start : each.end]).rstrip(".)") for each in named] == [each.text for each in named]


@each_exchange
def test_the_catalog_finds_a_passage_and_an_entry_in_another_typesetting(exchange: Callable[[str], str]) -> None:
    entries = [Document(id="FARE", version=v, uri="fares.html", text=text) for v, text in (("1", OTHER), ("2", POLICY))]
    found = origin(Passage(id="c", uri="fares.html", text=exchange(POLICY)), Catalog(entries)).document
    assert found == entries[1]
    hits = search(Catalog(entries), exchange("airline's non-refundable config"))
    assert hits[0].document == entries[1]


def test_conflicts_are_found_in_any_typesetting() -> None:
    told = ["The fee isn't refundable within 30-60 days.", "The fee is refundable within 30-60 days."]
    asked = "Isn't the fee refundable?"
    expected = [pair.probability for pair in disagreements(asked, told)]
    for exchange in EXCHANGES.values():
        found = disagreements(exchange(asked), [exchange(told[0]), told[1]])
        assert [pair.probability for pair in found] == pytest.approx(expected)


any_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=60) | st.text(
    "a1 '\u2019\ufb03\u00ad\u2011\uff21.", max_size=30
)


@given(any_text)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_the_plain_spelling_of_any_text_is_its_own(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert len(level(text)) == len(text)
    assert terms(plain(text)) == terms(text)
    assert words(plain(text)) == words(text)
    placed = Placed(text)
    places = [placed.place(at) for at in range(len(placed.text) + 1)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    assert plain(placed.text) == plain(text)


def test_what_says_something_of_its_own_is_left_alone() -> None:
    assert plain("10\u00b2 m \u2014 2\u00bd h \uff01\u3002 \u00e9") == "10\u00b2 m \u2014 2\u00bd h \uff01\u3002 \u00e9"
