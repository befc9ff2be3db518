from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import yaml

from collector.demo import corpus

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def test_every_domain_gets_the_same_number_of_questions() -> None:
    counts = Counter(question.domain for question in corpus.QUESTIONS)
    assert set(counts) == set(corpus.DOMAINS)
    assert len(set(counts.values())) == 1


def test_only_one_domain_asks_about_the_policy_that_changes() -> None:
    assert {q.domain for q in corpus.QUESTIONS if q.doc_id == corpus.STALE_DOC} == {corpus.STALE_DOMAIN}


def test_the_first_index_holds_every_policy_in_force_and_no_other() -> None:
    in_force = {p.key for p in corpus.source_before() if p.effective_to is None}
    assert {p.key for p in corpus.INDEXED} == in_force


def test_version_3_supersedes_version_2_from_the_moment_it_is_published() -> None:
    version_3 = corpus.expenses_v3(NOON)
    source = {p.key: p for p in corpus.source_after(version_3)}
    assert source["TRV-001@3"].supersedes == "TRV-001@2"
    assert source["TRV-001@3"].effective_from == source["TRV-001@2"].effective_to == NOON
    assert source["TRV-001@3"].text != source["TRV-001@2"].text


def test_a_rebuilt_index_holds_version_3_instead_of_version_2() -> None:
    keys = {p.key for p in corpus.index_after(corpus.expenses_v3(NOON))}
    assert "TRV-001@3" in keys
    assert "TRV-001@2" not in keys
    assert len(keys) == len(corpus.INDEXED)


def test_the_catalog_file_lists_every_version_with_its_window() -> None:
    documents = yaml.safe_load(corpus.catalog_yaml(corpus.source_after(corpus.expenses_v3(NOON))))["documents"]
    expenses = {d["version"]: d for d in documents if d["id"] == "TRV-001"}
    assert sorted(expenses) == ["1", "2", "3"]
    assert expenses["2"]["effective_to"] == expenses["3"]["effective_from"] == NOON.isoformat()
    assert "effective_to" not in expenses["3"]
    assert len(documents) == len(corpus.INDEXED) + 2
