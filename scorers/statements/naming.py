"""Words that name something and state nothing of it: headings, and items of a list."""

from __future__ import annotations

from scorers.statements.clauses import Clause
from scorers.statements.lexicon.verbs import FINITE
from scorers.statements.words import is_verb


def only_names(clause: Clause) -> bool:
    """Tell whether a few words name something and state nothing of it: "Configuration in the old file"."""
    if clause.language != "en" or clause.state != "YES" or len(clause.segments) > 1 or len(clause.items) > MOST_NAMING:
        return False
    if any(word in FINITE or is_verb(word) for word in clause.segments[0].shown.lower().split()):
        return False
    last = len(clause.items) - 1
    return (
        all(
            item.shown.lower().endswith(NAMING_ENDS) if 0 < item.place < last and not item.lead else not item.figure
            for item in clause.items
        )
        and len(clause.items) > 1
    )


MOST_NAMING = 6
NAMING_ENDS = (
    "tion",
    "tions",
    "ment",
    "ments",
    "ness",
    "ity",
    "ing",
    "ings",
    "ance",
    "ence",
    "ship",
    "age",
    "er",
    "ers",
)
"""Words of a heading or of an item of a list at most, and how those end that are surely no verb."""
