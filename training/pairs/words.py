"""Negations, opposites, modality, bounds, order and scope made wrong: one word or phrase for another."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.pairs.pair import Table, both, placed

_VERB = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|has|have|had|should|may|must|does|do|did)\b(?! (?:not|to)\b)",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:\b(?:not|never)\b(?! only)|n't\b) ?", re.IGNORECASE)
_CANNOT = re.compile(r"\bcannot\b", re.IGNORECASE)
_NO = re.compile(r"\bno (?=[a-z]+\b)(?!longer|more|less|later|one|doubt)", re.IGNORECASE)


def negation(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a negation taken out, or one put in."""
    if match := _CANNOT.search(text):
        yield placed(text, match, "can")
        return
    negated = list(_NOT.finditer(text))
    if negated:
        match = rng.choice(negated)
        yield placed(text, match, " " if match[0].startswith("n'") else "")
        return
    if match := _NO.search(text):
        yield placed(text, match, "")
        return
    verbs = list(_VERB.finditer(text))
    if verbs:
        match = verbs[0]
        word = match[0]
        if word.lower() == "can":
            yield placed(text, match, "cannot")
        elif rng.random() < _OFTEN or word.lower() not in _CONTRACTED:
            yield placed(text, match, f"{word} {rng.choice(('not', 'not', 'never'))}")
        else:
            yield placed(text, match, f"{word}n't")


_OFTEN = 0.7
_CONTRACTED = frozenset(
    ("is", "are", "was", "were", "could", "would", "has", "have", "had", "should", "does", "do", "did")
)

_OPPOSITE = """increase/decrease;increases/decreases;increased/decreased;increasing/decreasing;higher/lower;
    highest/lowest;
    more/less;larger/smaller;largest/smallest;better/worse;best/worst;early/late;earlier/later;
    first/last;open/closed;opens/closes;opened/closed;accept/reject;accepts/rejects;accepted/rejected;
    approve/reject;approved/rejected;allow/prohibit;allowed/prohibited;allows/prohibits;permitted/forbidden;
    include/exclude;includes/excludes;included/excluded;including/excluding;inside/outside;internal/external;
    public/private;paid/unpaid;free/chargeable;mandatory/optional;required/optional;compulsory/voluntary;
    enabled/disabled;enable/disable;online/offline;domestic/international;full-time/part-time;permanent/temporary;
    male/female;men/women;boys/girls;buy/sell;buys/sells;bought/sold;win/lose;wins/loses;won/lost;rise/fall;
    rises/falls;rose/fell;rising/falling;gain/lose;gained/lost;gains/losses;profit/loss;support/oppose;
    supports/opposes;supported/opposed;agree/disagree;agreed/disagreed;success/failure;successful/unsuccessful;
    succeeded/failed;safe/unsafe;legal/illegal;possible/impossible;available/unavailable;valid/invalid;
    known/unknown;common/rare;hot/cold;warm/cool;hard/soft;strong/weak;stronger/weaker;old/new;older/younger;
    young/old;short/long;shorter/longer;high/low;fast/slow;faster/slower;heavy/light;rich/poor;wet/dry;
    morning/evening;morning/afternoon;summer/winter;north/south;northern/southern;east/west;eastern/western;
    top/bottom;begin/end;begins/ends;began/ended;start/stop;starts/stops;started/stopped;
    arrive/depart;arrived/departed;add/remove;added/removed;create/delete;created/deleted;install/uninstall;
    encrypted/unencrypted;attached/detached;connected/disconnected;covered/excluded;covers/excludes;
    eligible/ineligible;refundable/non-refundable;returnable/non-returnable;transferable/non-transferable;
    renewable/non-renewable;waterproof/not waterproof;employer/employee;buyer/seller;lender/borrower;
    landlord/tenant;teacher/student;parent/child;husband/wife;father/mother;son/daughter;brother/sister;
    plaintiff/defendant;guilty/innocent;alive/dead;positive/negative;majority/minority;
    partially/fully;partly/fully;separately/together;manually/automatically;temporarily/permanently;
    indoors/outdoors;upload/download;sender/recipient;gross/net;fixed/variable;deny/admit;denied/admitted;
    praised/criticized;hired/fired;promoted/demoted;arrested/released;encouraged/discouraged"""
OPPOSITES = Table(both([(one, other) for one, other in (row.strip().split("/") for row in _OPPOSITE.split(";"))]))

MODALITY = Table(
    {
        "must": ("may", "should", "need not", "can"), "must not": ("may", "need not", "can"),
        "may": ("must", "should"), "may not": ("may", "must"), "shall": ("may", "need not"),
        "should": ("must", "need not"), "need to": ("may", "need not", "do not have to"),
        "needs to": ("may", "need not", "does not have to"), "need not": ("must", "have to"),
        "have to": ("may", "need not", "do not have to"), "has to": ("may", "need not", "does not have to"),
        "do not have to": ("must", "have to"), "does not have to": ("must", "has to"),
        "is required": ("is optional", "is recommended"), "are required": ("are optional", "are recommended"),
        "is required to": ("may", "is free to"), "are required to": ("may", "are free to"),
        "is recommended": ("is required", "is mandatory"), "are recommended": ("are required", "are mandatory"),
        "is optional": ("is mandatory", "is required"), "are optional": ("are mandatory", "are required"),
        "is mandatory": ("is optional", "is voluntary"), "are mandatory": ("are optional", "are voluntary"),
        "is allowed to": ("is required to", "must"), "are allowed to": ("are required to", "must"),
        "is not allowed to": ("is allowed to", "may"), "are not allowed to": ("are allowed to", "may"),
        "is prohibited": ("is permitted", "is allowed"), "are prohibited": ("are permitted", "are allowed"),
        "is entitled to": ("is obliged to take", "is not entitled to"), "are encouraged to": ("are required to",
        "must"),
        "are entitled to": ("are obliged to take", "are not entitled to"),
    }
)  # fmt: skip

BOUNDS = Table(
    {
        "at least": ("at most", "up to", "no more than", "less than"), "at most": ("at least", "more than"),
        "up to": ("at least", "more than", "a minimum of"), "no more than": ("at least", "more than", "no less than"),
        "no less than": ("no more than", "at most"), "more than": ("less than", "at most", "fewer than"),
        "less than": ("more than", "at least"), "fewer than": ("more than", "at least"),
        "within": ("after", "after more than", "no earlier than"), "no later than": ("no earlier than", "after"),
        "over": ("under", "below"), "under": ("over", "above"), "above": ("below", "under"), "below": ("above", "over"),
        "a minimum of": ("a maximum of", "at most"), "a maximum of": ("a minimum of", "at least"),
        "must not exceed": ("must exceed", "must be at least"), "may not exceed": "must be at least",
        "does not exceed": ("exceeds", "is more than"), "exceeds": ("is less than", "does not exceed"),
        "exceeding": ("below", "under"), "or more": ("or less", "at most"), "or less": ("or more",),
        "or longer": ("or shorter",), "or older": ("or younger",), "or younger": ("or older",),
    }
)  # fmt: skip
_BOUND = re.compile(
    r"\b(?:at least|at most|up to|no more than|no less than|more than|less than|fewer than|within|over|under|above"
    r"|below|a minimum of|a maximum of) (?=[$\u20ac\u00a3]?\d|one\b|two\b|three\b|four\b|five\b|six\b|ten\b)",
    re.IGNORECASE,
)


def bound(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with the bound of a quantity turned."""
    found = list(_BOUND.finditer(text))
    if found:
        match = rng.choice(found)
        for turned in BOUNDS.turned(match[0].strip(), rng):
            yield text[: match.start()] + turned + text[match.end() - 1 :]
        return
    if not re.search(r"\b(?:within|over|under|above|below) ", text):
        yield from BOUNDS.turned(text, rng)


ORDER = Table(
    {
        "before": ("after", "after"), "after": "before", "until": ("from", "after"), "prior to": ("after", "following"),
        "following": "before", "since": "until", "from": "until", "once": "before", "as soon as": "before",
        "as of": "until", "starting": "ending", "in advance": "afterwards", "beforehand": "afterwards",
        "afterwards": "beforehand", "in advance of": "after", "upon": "before", "by the end of": "after the end of",
        "by the start of": "after the start of", "at the end of": "at the beginning of",
        "at the beginning of": "at the end of", "at the start of": "at the end of",
    }
)  # fmt: skip
_EVENT = re.compile(
    r"\b(?:(?:before|after|until|prior to|as soon as|as of|in advance of|by the end of|by the start of"
    r"|at the (?:end|beginning|start) of) |(?:once|since|upon) (?=the|your|you|\d|[A-Z])"
    r"|from (?=\d|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)"
    r"|in advance\b|beforehand\b"
    r"|afterwards\b)",
    re.IGNORECASE,
)


def order(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with the order of two events, or an end and a beginning, exchanged."""
    found = list(_EVENT.finditer(text))
    if found:
        match = rng.choice(found)
        gap = " " if match[0].endswith(" ") else ""
        for turned in ORDER.turned(match[0].strip(), rng):
            yield text[: match.start()] + turned + gap + text[match.end() :]


SCOPE = Table(
    {
        "all": ("some", "no", "only some", "most"), "every": ("almost no", "hardly any"), "each": ("only one",
        "hardly any"),
        "some": ("all", "no"), "any": ("only some", "almost no"), "no": ("some", "all"), "none": ("all", "most"),
        "most": ("few", "all"), "few": ("most", "many"), "many": ("few", "all"), "several": ("no", "all"),
        "both": ("neither", "only one"), "neither": "both", "always": ("never", "sometimes", "rarely"),
        "never": ("always", "sometimes"), "usually": ("always", "never"), "often": ("always", "never", "rarely"),
        "rarely": ("often", "always"), "sometimes": ("always", "never"), "everyone": ("no one", "only managers"),
        "nobody": "everybody", "no one": "everyone", "everybody": "nobody", "anyone": ("no one", "only members"),
        "entire": "part of the", "in full": "in part", "everywhere": "nowhere", "nothing": "everything",
        "everything": "nothing", "either": "neither", "half": "all", "one of the": "all of the",
    }
)  # fmt: skip
_GROUP = re.compile(
    r"^(?P<all>(?:The )?)(?P<who>(?:[A-Z][a-z]+ )?(?:employees|customers|members|students|staff|users|managers|patients"
    r"|passengers|guests|tenants|visitors|contractors|interns|residents|workers|clients|travellers|applicants|teachers"
    r"|participants|drivers|owners|buyers|sellers|parents|children|adults))\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively) (?!if\b)", re.IGNORECASE)
_RESTRICTED = re.compile(
    r"\b(?=(?:on|in|at|by|for|from|with|during|through|via) (?:the |a |an )?[a-z]+)", re.IGNORECASE
)


def only(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with an "only" taken out, or put before a group."""
    if match := _ONLY.search(text):
        yield placed(text, match, "")
        if (who := _GROUP.match(text[match.end() :])) is not None:
            every = "All" if match.start() == 0 else "all"
            yield f"{text[: match.start()]}{every} {who['who']}{text[match.end() + who.end() :]}"
        return
    if match := _GROUP.match(text):
        rest = text[match.end() :]
        words = match["who"][:1].lower() + match["who"][1:]
        yield rng.choice((f"Only {words}", f"Only some {words}", f"No {words}")) + rest


def restricted(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text that says "only" of a circumstance where the source does not."""
    found = [match for match in _RESTRICTED.finditer(text) if match.start() > 0]
    if found and not _ONLY.search(text):
        at = rng.choice(found).start()
        yield f"{text[:at]}only {text[at:]}"
