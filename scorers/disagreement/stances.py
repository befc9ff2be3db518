"""Where sentences of policies stand: they permit or forbid, require or leave open, charge or not, for all or for some.

Each stance is told by words and phrases, in whatever sentence they stand; what a sentence is about is no matter here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from adapters.caching import cached_by_text
from scorers.disagreement.asking import Expected

Stance = Literal[
    "states", "permits", "forbids", "suspends", "requires", "waives", "charges", "gratis", "everyone", "alone"
]

_BE = r"(?:is|are|was|were|be|been|being|'s|'re)"
_NOT = rf"(?:not|never|{_BE}n't|isn't|aren't|no longer)"
_DONE = (
    r"(?:allowed|permitted|admitted|accepted|possible|eligible|entitled|covered|offered|provided|available|granted"
    r"|refunded|reimbursed|paid|served|sold|supported|authori[sz]ed|returned|exchanged|brought|taken|used|made|given"
    r"|considered|honou?red|processed|replaced|issued|shipped|delivered)"
)
_GIVEN = (
    r"(?:allowed|permitted|admitted|accepted|possible|eligible|entitled|covered|offered|provided|available|granted"
    r"|refunded|reimbursed|paid|served|supported|authori[sz]ed|honou?red)"
)
_MONEY = (
    r"(?:[$\u20ac\u00a3]\s?\d|\b(?:eur|usd|gbp|chf)\s?\d|\d\s?(?:[$\u20ac\u00a3]|eur\b|usd\b|gbp\b|chf\b|euros?\b"
    r"|dollars?\b|pounds?\b|cents?\b|p\b|francs?\b))"
)

_TOLD: tuple[tuple[Stance, re.Pattern[str]], ...] = (
    ("requires", re.compile(
        r"\b(?:cannot be (?:waived|skipped|declined)|(?:not|never) (?:be )?(?:optional|voluntary)"
        r"|(?:must|may|can)(?: ?not|n't) (?:be )?(?:skip|decline|refuse|omit)(?:ped|d|ted)?|no exceptions?)\b"
    )),
    ("waives", re.compile(
        r"\b(?:optional|voluntar(?:y|ily)|need not|needn't|no need|(?:do|does|did|will)(?:n't| not) (?:have|need) to"
        r"|(?:not|isn't|aren't|never|no longer) (?:strictly |formally )?(?:required|needed|necessary|obliged"
        r"|obligatory|compulsory|mandatory|demanded|a (?:condition|requirement|must)|called for)|no (?:obligation"
        r"|requirement|condition|duty)|(?:nobody|no one|none) (?:is|are) (?:obliged|required|forced)"
        r"|(?:nobody|no one) has to|your (?:own )?(?:choice|decision|judge?ment|discretion)|left to|up to (?:you|each"
        r"|them|him|her)|as you (?:like|wish|please|see fit)|(?:if|whether) (?:you|they|he or she) (?:want|like|wish"
        r"|prefer|choose)s?|at (?:your|their) (?:own )?discretion|without having to|(?:may|can) (?:also )?(?:skip"
        r"|decline|opt out)|no consequences|we (?:only )?(?:suggest|recommend)|(?:only|merely|simply) (?:suggested"
        r"|recommended|encouraged|a recommendation|a suggestion)|exempt(?:ed)?|dispensed with|free to decline"
        r"|(?:do|does)(?:n't| not) insist|if you happen to|merely (?:helpful|useful|advisable)"
        r"|no (?:\w{2,15} ){1,2}(?:is|are) (?:called for|needed|required|necessary)|(?:do|does)(?:n't"
        r"| not) (?:require|ask for|demand))\b"
    )),
    ("gratis", re.compile(
        r"\b(?:free of (?:any )?charge|for free|(?<!run )(?<!feel )(?<!set )(?<!keep )free(?! to\b| from\b| of\b"
        r"|lance|\w)|gratis|complimentary"
        r"|(?:at )?no (?:extra |additional |further )?(?:charge|cost|fee|fees|costs|charges)"
        r"|without (?:any )?(?:charge"
        r"|cost|fee|payment)|costs? nothing|(?:is|are|comes?) (?:\w{2,12} )?(?:included|on us|on the house)|on us"
        r"|nothing (?:more |extra |else |further )?to pay|pays? nothing|with our compliments|not (?:be )?charged"
        r"|(?:not|\w{2,5}n't) cost|no (?:\w{2,12} )?(?:or \w{2,12} )?fees?|(?:fees?"
        r"|charges?) (?:is|are)"
        r" waived|included in (?:the|every|your|all)|we (?:bear|pay for|cover)|at our expense|cost-free"
        r"|covered in full|fully covered)\b"
    )),
    ("suspends", re.compile(
        r"\b(?:suspend(?:s|ed)?|suspension|discontinued?|withdrawn|withdrew|retired|on hold|paused?|abolished|ended"
        r"|ceased?|stopped|scrapped|no longer|until further notice|out of service|phased out|revoked|halted|frozen"
        r"|lapsed|abandoned|terminated|shut down|called off|not currently|currently not|for the time being|dropped"
        r"|done away with|not (?:being )?(?:renewed|continued)|moratorium|axed"
        r"|closed (?:to|for|until|indefinitely|permanently|down))(?: \w{2,12}){0,1}\b"
    )),
    ("forbids", re.compile(
        r"\b(?:(?:must|may|shall|can|could|will|do|does) ?(?:not|never)|mustn't|can't|cannot|won't|don't|doesn't"
        r"|shan't"
        rf"|{_NOT} (?:to be|{_DONE}|ok|okay|fine|welcome|able|included|part of|open)(?: {_DONE})?"
        r"|prohibit(?:s|ed)?|forbid(?:s|den)?|bann?(?:ed|s)|ban on|ruled out|rules? out|off.limits|refrain from"
        r"|under no circumstances|prevented from|(?:is|are) a breach|smoke-free|not for|excluded?|excludes"
        r"|barred|ineligible|disallowed|refused?|refuses|reject(?:s|ed)?|impossible|not on offer|turned away"
        r"|no (?!matter|more|less|later)\w{2,20}(?: \w{2,20})? (?:is|are|may|can|will be|shall be)"
        r"(?! (?:needed|required|necessary))|nobody|no one|none of|stays? outside|must be left (?:at home|outside)"
        rf"|strictly no)(?: (?:be )?{_DONE})?(?!\w)"
    )),
    ("requires", re.compile(
        rf"\b(?:must|shall|ha(?:s|ve) to|needs? to|{_BE} (?:\w{{2,12}} )?(?:required|obliged|obligatory|compulsory"
        r"|mandatory|necessary|needed|a condition|due)|requires?|compulsory|mandatory|obligatory|obligation to"
        r"|at all times|without exception|(?:is|are) (?:worn|a must|to \w{2,12})|requirement|expected to"
        r"|never without"
        r"|required of|insists? on)\b"
    )),
    ("permits", re.compile(
        rf"\b(?:may|can|could|{_BE} (?:\w{{2,12}} )?(?:{_GIVEN}|ok|okay|fine|welcome|free to|able|open)|allowed"
        rf"|allows?"
        r"|permits?|permitted|welcomed?|feel free|go ahead|enjoy(?:ed)?|entitled|eligible|help yourself|happy to"
        r"|glad to|no problem|nothing (?:prevents|stops|speaks against)|tolerated|we'll|we will|included|pet-friendly"
        r"|by all means|at your disposal|so \w{3,10} away|(?:is|are|was|were) paid)\b"
    )),
    ("charges", re.compile(
        rf"{_MONEY}|\b(?:surcharge|(?:is|are) (?:charged|payable|billed|invoiced|deducted)|lev(?:y|ied)|fee of"
        rf"|charge of|priced at|at (?:your|their) own expense"
        r"|subject to a (?:fee|charge)|for a fee|charges? (?:a|an) |pays? (?:a|an) fee|chargeable)"
    )),
)  # fmt: skip
"""In this order: what one has told is no word of the next, so that "need not be paid" neither demands nor permits."""

_KEPT: tuple[tuple[Stance, re.Pattern[str]], ...] = (
    ("everyone", re.compile(
        r"\b(?:(?:all|every|any) (?:\w{2,20} )?(?:employees?|staff|members?|users?|customers?|guests?|visitors?"
        r"|passengers?|tenants?|residents?|students?|people|persons?|patients?|readers?|citizens?|drivers?|parents?"
        r"|holders?|colleagues?|community|public)|everyone|everybody|anyone|anybody|whoever|entire (?:community|staff"
        r"|public)|open to all|the public|no (?:\w{2,12} )?(?:membership|role|status|permission|rank|grade)"
        r"(?: \w{2,12}){0,3} needed|no special \w{3,15}|whichever)\b"
    )),
    ("alone", re.compile(
        r"\b(?:only|solely|exclusively|exclusive|alone|sole|reserved (?:for|to)(?! up\b| at\b| an? \w{1,12}day"
        r"| \d)|restricted to|limited to|confined to"
        r"|no (?:other|one else|others?)|nobody else|to no others?|nowhere else|anyone else|anywhere else|any other"
        r"|members-only|staff-only|one and only|received otherwise|disregarded)\b"
    )),
)  # fmt: skip

OF_ALL: frozenset[tuple[Stance, Stance]] = frozenset({("everyone", "alone"), ("alone", "alone")})
_OF_COST: frozenset[tuple[Stance, Stance]] = frozenset({("charges", "gratis")})
_OF_ACTS: frozenset[tuple[Stance, Stance]] = frozenset({
    ("permits", "forbids"), ("permits", "suspends"), ("requires", "waives"), ("everyone", "forbids"),
    ("states", "suspends"),
})  # fmt: skip
CLASHES: Mapping[Expected, frozenset[tuple[Stance, Stance]]] = {
    "polar": _OF_ACTS | _OF_COST | OF_ALL,
    "open": _OF_ACTS | _OF_COST | OF_ALL,
    "what": _OF_ACTS | _OF_COST | OF_ALL,
    "number": _OF_COST,
    "date": frozenset(),
    "who": OF_ALL,
    "where": OF_ALL,
}
"""Stances that two sentences about one thing cannot both have, by what is asked of it.

Two that each keep it for one alone keep it for another one."""


@cached_by_text(cost=2)
def stances(sentence: str) -> frozenset[Stance]:
    """Return the stances that the words of a sentence tell.

    >>> sorted(stances("Working from abroad is suspended until further notice."))
    ['suspends']
    >>> sorted(stances("Every employee may work from abroad."))
    ['everyone', 'permits', 'states']
    """
    lower = sentence.lower().replace("\u2019", "'")
    found = {stance for stance, pattern in _KEPT if pattern.search(lower)}
    for stance, pattern in _TOLD:
        left = pattern.sub(" ", lower)
        if left != lower:
            found.add(stance)
            lower = left
    if found.isdisjoint(_UNSTATED) and not sentence.endswith("?"):
        found.add("states")
    return frozenset(found)


_UNSTATED: frozenset[Stance] = frozenset({"forbids", "suspends", "waives"})
"""What a sentence does that does not simply state something."""
