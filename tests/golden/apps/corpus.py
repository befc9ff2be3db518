"""The handbook of a small public library: what the example applications retrieve from, and what their models answer."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One version of one rule."""

    doc_id: str
    version: str
    text: str
    effective_from: str
    effective_to: str | None = None
    supersedes: str | None = None
    authority: float = 0.9

    @property
    def id(self) -> str:
        return f"{self.doc_id}@{self.version}"

    @property
    def metadata(self) -> dict[str, str | float | None]:
        return {
            "doc_id": self.doc_id,
            "version": self.version,
            "section": "desk",
            "effective_from": self.effective_from,
            "effective_to": self.effective_to,
            "supersedes": self.supersedes,
            "authority": self.authority,
            "url": f"https://library.example/{self.doc_id.lower()}/{self.version}",
        }


RULES = (
    Rule("LOAN-1", "1", "Books are lent for three weeks.", "2020-01-01", "2024-06-30"),
    Rule("LOAN-1", "2", "Books are lent for four weeks. Films are lent for one week.", "2024-07-01", None, "LOAN-1@1"),
    Rule("FEE-2", "1", "Overdue books cost 20 cents a day, at most 10 euros.", "2021-03-01"),
    Rule("CARD-3", "1", "A library card is free for children under sixteen.", "2022-09-01", authority=0.7),
    Rule("ROOM-4", "1", "Reading rooms open at nine and close at eight in the evening.", "2023-01-15"),
)

ANSWERS = {
    "lent": "Books are lent for four weeks [1].",
    "overdue": "An overdue book costs 20 cents a day [1], but never more than 10 euros [1].",
    "card": "The card is free for children under sixteen [1].",
    "rooms": "The reading rooms open at nine.",
}
UNKNOWN = "The handbook does not say."


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def search(query: str, k: int, rules: tuple[Rule, ...] = RULES) -> list[tuple[Rule, float]]:
    """The ``k`` rules that share most words with the query, newest first among equals."""
    scored = [(rule, float(len(words(query) & words(rule.text)))) for rule in rules]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0].doc_id, -int(pair[0].version)))[:k]


def reply(question: str) -> str:
    """What the fake models answer to a question."""
    lowered = question.lower()
    return next((answer for word, answer in ANSWERS.items() if word in lowered), UNKNOWN)
