"""Where a claim puts its case on one side of a limit by its name: "within the limit", "completed the minimum term".

"Completed", "reached" and "out of" are more than the limit, "within", "below" and "still in" are less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from adapters.caching import cached_by_text

_THE = r"(?:(?:the|a|an|your|our|its|their|this|that|my|his|her|any)\s)?"
_NOUN = (
    r"(?:limit|maximum|max|minimum|interval|cap|excess|deductible|ceiling|threshold|allowance|quota|budget|deadline|window|period|term|range"
    r"|guarantee|warranty|cover(?:age)?|probation|(?:minimum|maximum|permitted|allowed|required|necessary|recommended|agreed|stated)"
    r"\s(?:[a-z-]+\s)?(?:time|age|amount|number|weight|size|length|height|temperature|speed|stay|service|order|level"
    r"|value|notice|minutes|hours|days|nights|weeks|months|years))"
)
_TIMED = r"(?:limit|deadline|interval|period|window|term|probation|guarantee|warranty|cover(?:age)?)"
_THAN = (
    r"(?:longer|higher|heavier|larger|bigger|greater|older|later|faster|more) than",
    r"(?:shorter|lower|lighter|smaller|less|younger|earlier|slower|fewer) than",
)
_SIDED = re.compile(
    rf"\b(?:(?P<up>over|above|beyond|past|outside(?: of)?|exceed(?:s|ed|ing)?|surpass(?:es|ed)?|{_THAN[0]}"
    rf"|reach(?:es|ed)?|complet(?:es?|ed))|(?P<down>within|inside|under|below|{_THAN[1]}|(?:falls?|fell) short of"
    rf"|up to)|(?P<meets>meets?|met|satisf(?:y|ies|ied)|fulfil(?:s|led)?))\s{_THE}"
    rf"(?P<group>(?:[\w\u00b0'\u2019-]+\s){{0,4}}?{_NOUN})\b",
    re.IGNORECASE,
)
"""What puts a figure on one side of a limit."""
_REACHES = re.compile(r"\b(?P<up>reach(?:es|ed)?)\sthe\s(?P<group>amount|sum|number|age|figure|level)\b", re.IGNORECASE)
_STATE = re.compile(
    rf"\b(?P<group>(?:[\w'\u2019-]{{1,24}}\s){{0,3}}?{_TIMED})(?:\s(?:for|of|on)(?:\s[a-z-]{{1,24}}){{1,2}})?\s(?:is|has|had|was|have|are)(?P<not>\snot|n't|\sstill)?\s"
    r"(?:(?:already|now|long|yet|therefore|still|been)\s){0,4}"
    r"(?:(?P<up>passed|over|up|ended|expired|closed|run out|lapsed|elapsed|past|missed)"
    r"|(?P<down>running|open|valid))\b",
    re.IGNORECASE,
)
"""What says of a time whether it has passed."""
_OUT = re.compile(
    rf"\b(?:(?P<up>out of|no longer (?:in|within|under|inside|covered by))|(?P<down>still (?:in|within|under|inside)))"
    rf"\s{_THE}(?P<group>(?:[\w'\u2019-]+\s){{0,2}}?{_TIMED})\b",
    re.IGNORECASE,
)
_TIMELY = re.compile(r"\b(?:(?P<up>too late)|(?P<down>(?:still )?(?:in|on) time))\b", re.IGNORECASE)
_ENOUGH = re.compile(
    r"\b(?:(?P<least>(?P<up>(?:(?:long|old|large|big|high|tall|heavy|many|much) )?enough)"
    r"|too (?:short|small|light|young|low|little|few))"
    r"|(?P<most>too (?:long|large|big|high|tall|heavy|old|many|much|wide|warm|hot|fast))"
    r"|(?:short|small|light|young|low|cool|cold|narrow|slow|few) enough)\b",
    re.IGNORECASE,
)
"""What compares a figure with a limit that it does not name."""
_PASSED = re.compile(r"\b(?:have|has) (?:already |now |only )?(?:passed|elapsed|gone by)\b", re.IGNORECASE)
_MAY = re.compile(r"\b(?:may|can|cannot|can't|allowed|permitted)\b", re.IGNORECASE)
_MAY_NOT = re.compile(r"\b(?:(?:may|can|are|is) not|cannot|can't|aren't|isn't|not yet)\b", re.IGNORECASE)
"""What says of time that has passed whether it is enough."""
_RANGED = re.compile(r"(?:within|inside|outside|in|out)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|a|an|your|our|its|their|this|that|my|his|her|any)\s", re.IGNORECASE)
_NOT = re.compile(r"(?:\b(?:not|never|cannot|without)|n't)\s(?:(?:yet|even|quite|be|been)\s)?$", re.IGNORECASE)
LEAST = re.compile(r"\b(?:minimum|at least|required|necessary|least|excess|deductible)\b", re.IGNORECASE)
MOST = re.compile(r"\b(?:limit|max(?:imum)?|cap|ceiling|allowance|quota|budget|permitted|allowed)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:deadline|period|window|range|limit|max(?:imum)?)\b", re.IGNORECASE)


class Placement(NamedTuple):
    """Where a claim says on which side its case is: above, or below; ``group`` is what it calls the limit.

    ``passing``: it speaks of time that passes. ``waited``: of time that must have passed, of which it names no limit.
    ``ranged``: of what is within a limit or outside, which may be below a range as well.
    """

    start: int
    end: int
    above: bool
    group: str
    passing: bool
    waited: bool = False
    ranged: bool = False


@cached_by_text(cost=8)
def placements(stated: str) -> tuple[Placement, ...]:
    """Return where a text says on which side of a limit its case is.

    >>> [(each.above, each.group) for each in placements("Five nights are within the guest limit.")]
    [(False, 'guest limit')]
    >>> [(each.above, each.group) for each in placements("After a year the motor is not out of guarantee.")]
    [(False, 'guarantee')]
    """
    return tuple(_read(stated))


def _read(stated: str) -> Iterator[Placement]:
    for pattern in (_SIDED, _REACHES, _STATE, _OUT, _TIMELY):
        for found in pattern.finditer(stated):
            parts = found.groupdict()
            group = parts.get("group") or ""
            above = parts.get("up") is not None
            if parts.get("meets"):
                above = not _ENDS.search(group) or LEAST.search(group) is not None
            denied = (bool(parts.get("not")) and above) or _NOT.search(stated, 0, found.start()) is not None
            start = found.start()
            if pattern is _STATE and (articles := list(_ARTICLE.finditer(group))):
                start += articles[-1].end()
            ranged = _RANGED.match(stated, found.start()) is not None
            yield Placement(
                start, found.end(), above != denied, group, pattern not in (_SIDED, _REACHES), ranged=ranged
            )
    for found in _ENOUGH.finditer(stated):
        denied = _NOT.search(stated, 0, found.start()) is not None
        above = found["up"] is not None or found["most"] is not None
        group = "minimum" if found["least"] else "maximum"
        yield Placement(found.start(), found.end(), above != denied, group, passing=False)
    for found in _PASSED.finditer(stated):
        if _MAY.search(stated, found.end()):
            allowed = _MAY_NOT.search(stated, found.end()) is None
            yield Placement(found.start(), found.end(), allowed, "", passing=True, waited=True)
