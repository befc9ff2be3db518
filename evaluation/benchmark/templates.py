"""What a template has: statements of documents, how answers put them, and how people ask for them.

Slots in braces are filled for each scenario: ``{e}`` what it is about and ``{i}`` which kind of it, ``{n}`` the figure
in force, ``{o}`` the one before, ``{m}`` the one of an exception, ``{k}`` the one of a second document, ``{who}``,
``{was}`` and ``{desk}`` the roles that decide by each, ``{until}`` the day on which an exception ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Domain = Literal["supply_chain", "healthcare_operations", "financial_services"]


class Statement(NamedTuple):
    """What a passage says, two ways in which answers put it, and the point that it settles."""

    text: str
    claims: tuple[str, str]
    point: str

    def filled(self, slots: Mapping[str, str]) -> Statement:
        """Return the statement with its slots filled.

        >>> Statement("Up to {n}.", ("At most {n}.", "{n} and no more."), "up to {n}").filled({"n": "30 EUR"}).claims
        ('At most 30 EUR.', '30 EUR and no more.')
        """
        first, second = self.claims
        return Statement(
            self.text.format_map(slots),
            (first.format_map(slots), second.format_map(slots)),
            self.point.format_map(slots),
        )


class Wordings(NamedTuple):
    """One question in three variants: plain, in other words, and with stale terms or a hint that misleads."""

    direct: str
    paraphrase: str
    adversarial: str


class Boundary(NamedTuple):
    """A question that policy leaves to an office: the clause, the questions, and answers that overstep it."""

    office: str
    clause: str
    questions: Wordings
    oversteps: tuple[str, str]


class TopicTemplate(NamedTuple):
    """A rule of a document with all that may surround it.

    ``former`` is the rule before it was replaced, ``step`` stands beside the rule in the same document, ``exception``
    is a memo that takes precedence over the rule, ``second`` is in another document, and ``both`` asks for rule and
    second together. ``subjects`` times ``kinds`` are the scenarios that can be told apart.
    """

    title: str
    subjects: tuple[str, ...]
    kinds: tuple[str, ...]
    figures: tuple[str, ...]
    people: tuple[str, ...]
    rule: Statement
    former: Statement
    step: Statement
    exception: Statement
    second: Statement
    second_title: str
    asked: Wordings
    both: Wordings


class TaskFamily(NamedTuple):
    """A task family: its name, two topics, and a boundary."""

    name: str
    topics: tuple[TopicTemplate, TopicTemplate]
    boundary: Boundary


class DomainTemplates(NamedTuple):
    """A domain: its families, and what its answers are padded with where they say more than they know."""

    name: Domain
    families: tuple[TaskFamily, TaskFamily, TaskFamily, TaskFamily]
    padding: tuple[str, ...]
    record: str
    """A case record with protected data in ``{person}``, ``{number}`` and ``{phone}``."""
    leaks: tuple[str, str]
