"""What counts as right, outdated, lost, forbidden and contradicted among what comes back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from adapters.schema import Passage
from scorers.canaries.canary import Canary
from scorers.canaries.checking import CanaryCheck, check_canary
from scorers.catalog import Catalog, Document

NOW = datetime(2026, 6, 1, tzinfo=UTC)
NEW, OLD = "Hotels are reimbursed up to 200 EUR per night.", "Hotels are reimbursed up to 180 EUR per night."
CANARY = Canary(id="c", kind="superseded", doc_id="TRV", version="2", question="?", statement=NEW, former=(OLD,))
CATALOG = Catalog(
    [
        Document(id="TRV", version="1", text=f"{OLD} Taxis are paid."),
        Document(id="TRV", version="2", text=f"{NEW} Taxis are paid.", supersedes=("1",)),
        Document(id="PAY", text="Salaries are paid on the last working day.", permitted=("managers",)),
    ]
)
RIGHT = Passage(id="n", doc_id="TRV", version="2", text=NEW)
FORMER = Passage(id="o", doc_id="TRV", version="1", text=OLD)
STALE = Passage(id="s", doc_id="TRV", version="2", text=OLD)
BARE = Passage(id="b", text=OLD)
ELSE = Passage(id="e", doc_id="OTHER", text="Trains are booked in second class.")
SECRET = Passage(id="p", doc_id="PAY", text="Salaries are paid on the last working day.")


def check(*passages: Passage, k: int = 3, groups: tuple[str, ...] | None = None, **more: str) -> CanaryCheck:
    return check_canary(CANARY, passages, CATALOG, NOW, k=k, groups=groups, **more)


@pytest.mark.parametrize(
    ("passages", "outcome", "rank"),
    [
        ((RIGHT,), "ok", 1),
        ((ELSE, RIGHT, FORMER), "ok", 2),
        ((FORMER, RIGHT), "wrong_version", 1),
        ((STALE, RIGHT), "stale", 1),
        ((BARE,), "stale", 1),
        ((ELSE, ELSE, ELSE, RIGHT), "lost", None),
        ((), "lost", None),
        ((Passage(id="TRV@2", text=NEW),), "ok", 1),
        ((Passage(id="TRV@1#4", text=OLD), RIGHT), "wrong_version", 1),
        ((Passage(id="x", doc_id="TRV", version="2"),), "ok", 1),
        ((Passage(id="x", doc_id="TRV", version="1"), RIGHT), "wrong_version", 1),
        ((Passage(id="x", doc_id="TRV", version="2", text="reimbursed up to 200 EUR per night. Taxis"),), "ok", 1),
    ],
)
def test_the_right_passage_must_come_before_any_other_version(passages, outcome, rank) -> None:
    found = check(*passages)
    assert (found.outcome, found.rank) == (outcome, rank), found.detail


def test_another_document_that_still_says_what_held_before_is_no_fault() -> None:
    other = Passage(id="f", doc_id="FR", text=OLD)
    catalog = Catalog([*CATALOG.documents, Document(id="FR", text=OLD)])
    assert check_canary(CANARY, [other, RIGHT], catalog, NOW, k=3, groups=None).outcome == "ok"


def test_nothing_may_come_back_that_the_asker_must_not_see() -> None:
    assert check(SECRET, RIGHT, groups=("staff",)).outcome == "forbidden"
    assert check(SECRET, RIGHT, groups=("managers",)).outcome == "ok"
    assert check(SECRET, RIGHT).outcome == "ok", "nobody said who asks"


def test_a_canary_of_permission_fails_on_a_passage_and_on_an_answer_that_tells() -> None:
    catalog = Catalog([Document(id="TRV", version="2", text=NEW, permitted=("managers",))])
    canary = CANARY.model_copy(update={"kind": "permission", "permitted": ("managers",)})

    def asked(*passages: Passage, answer: str | None = None) -> str:
        return check_canary(canary, passages, catalog, NOW, k=3, groups=(), answer=answer).outcome

    assert asked(ELSE) == "ok"
    assert asked(ELSE, RIGHT) == "forbidden"
    assert asked(answer="Hotels are reimbursed up to 200 EUR per night.") == "forbidden"
    assert asked(answer="I may not tell you that.") == "ok"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Up to 200 EUR per night.", "ok"),
        ("Hotels are reimbursed up to 200 EUR per night [1].", "ok"),
        ("Up to 180 EUR per night.", "answer"),
        ("Hotels are reimbursed up to 150 EUR per night.", "answer"),
        ("Please ask your manager.", "unclear"),
    ],
)
def test_an_answer_must_not_say_otherwise_than_the_version_in_force(answer: str, outcome: str) -> None:
    found = check(RIGHT, answer=answer)
    assert found.outcome == outcome, found.detail


def test_a_version_that_is_not_in_force_yet_is_not_due() -> None:
    later = Catalog([Document(id="TRV", version="2", text=NEW, effective_from=NOW + timedelta(days=1))])
    assert check_canary(CANARY, [], later, NOW, k=3, groups=None).outcome == "not_due"
