"""A case that a claim includes: "prohibited everywhere, including on the balcony" says that it is on the balcony.

Said of that case alone, a claim is held against what the rules say of it.
"""

from __future__ import annotations

import re

from scorers.statements.ties import LONGEST
from scorers.text.glance import glance
from scorers.text.normalize import word_set

_HINTS = word_set("including even")
_CASE = re.compile(r",?\s(?:including|not even|even)(?: those)?\s(?P<case>[^,;:.!?]{4,80})[.!]?$", re.IGNORECASE)
_EVEN_SO = re.compile(r"(?:if|when|though|without|where|while|as|before|after|then|so)\b", re.IGNORECASE)
_SCOPE = re.compile(
    r"\s(?:everywhere|anywhere|at (?:any|all) times?|always|in all cases|(?:on|at|in|for|with|to) (?:all|every|any)\s"
    r"(?:of the\s)?[a-z-]{2,20}(?=[,\s]*$))",
    re.IGNORECASE,
)
_PREPOSED = re.compile(r"(?:on|at|in|for|with|to|by|during|from|within|between|late|under|those)\s", re.IGNORECASE)


def of_case(claim: str) -> str | None:
    """Return a claim said of the case that it includes alone; ``None`` where it includes none.

    >>> of_case("Fires are prohibited everywhere, including on the beach.")
    'Fires are prohibited on the beach.'
    >>> of_case("Dinner is included in all tickets, including student tickets.")
    'Dinner is included in student tickets.'
    """
    if _HINTS.isdisjoint(glance(claim)):
        return None
    found = _CASE.search(claim[:LONGEST])
    if found is None or _EVEN_SO.match(found["case"]):
        return None
    main, case = claim[: found.start()], found["case"]
    scope = _SCOPE.search(main)
    if scope is None:
        return None
    lead = scope.group().strip().split()[0].lower()
    if not _PREPOSED.match(case) and _PREPOSED.match(f"{lead} "):
        case = f"{lead} {case}"
    return f"{main[: scope.start()]}{main[scope.end() :]} {case}."
