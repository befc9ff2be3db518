"""The wording of a question whose right answer changes with time, as named features and n-grams for the model."""

from __future__ import annotations

import re

from adapters.caching import cached_by_text
from scorers.models.linear import linear_model
from scorers.text.phrases import Phrases, words

MAX_READ = 600
"""Characters of a question that are read."""

MAX_WORDS = 60

_OFFICE = (
    "president|minister|governor|mayor|senator|secretary|king|queen|prince|pope|ceo|chairman|chairperson|chair|chief|head"
    "|director|commissioner|speaker|chancellor|premier|ambassador|judge|justice|captain|coach|manager|owner|leader|host"
    "|anchor|principal|bishop|archbishop|mp|representative|representatives|attorney|treasurer|commander|general|spokesperson"
    "|monarch|ruler|champion|holder|player|quarterback|keeper|goalkeeper|cm|pm|dean|superintendent|boss|officer"
)
_CONTEST = (
    "cup|bowl|championship|championships|series|league|medal|medals|award|awards|oscar|oscars|grammy|emmy|title|titles|trophy|open"
    "|tournament|final|finals|playoffs|election|elections|race|olympics|games|tour|idol|season|prix|derby|masters|draft|mvp|pageant"
    "|universe|match|game|nba|nfl|mlb|nhl|ncaa|fifa|ipl|wwe|ufc|pga|nascar|uefa|premier|epl|voice|factor|talent|bachelor|survivor"
)
_EXTREME = (
    "most|best|largest|biggest|highest|longest|tallest|oldest|youngest|richest|fastest|greatest|least|smallest|lowest"
    "|fewest|strongest|shortest|busiest|cheapest|newest|wealthiest|heaviest|expensive|popular|top|all|maximum"
)
FAMILIES: dict[str, tuple[str, ...]] = {
    "now": (
        "current|currently|now|today|nowadays|present|presently|still|yet|existing|ongoing|tonight|tomorrow|so",
        "this|these year|week|month|season|days|weekend|morning",
        "right now",
        "at the moment",
        "as of",
        "these days",
    ),
    "latest": (
        "latest|newest|recent|recently|last|previous|past|updated|upcoming|next|coming|new|modern",
        "most recent",
    ),
    "last_time": ("last|previous|most time|recent|one|year", "the last"),
    "next": ("next|upcoming|coming|future|will|going|expected|predicted|planned|forecast|scheduled|soon",),
    "office": (f"{_OFFICE} ~1 of|for|in|at|on", f"{_OFFICE}"),
    "office_is": (
        f"who is|are ~6 {_OFFICE}",
        f"^ {_OFFICE} of",
        "who ~1 runs|leads|owns|heads|coaches|manages|hosts|holds|represents",
    ),
    "contest": (f"{_CONTEST}",),
    "won": ("won|win|wins|winner|winners|winning|champion|champions|beat|defeat*|score*|playing|qualified",),
    "record": (
        f"{_EXTREME} ~6 in|of|ever|by|for|wins|points|goals|runs|titles|medals|home|career|history|time|world",
        "record*|ever|all time",
    ),
    "extreme": (f"{_EXTREME}",),
    "count": (
        "how many|much|often|old|tall|big|large|long|far|high|deep|rich",
        (
            "number of|population|amount|total|rate|percentage|percent|share|average|cost|costs|price|salary|wage|worth"
            "|debt|gdp|income|budget|expectancy|value|weather|temperature|score|rank|ranking|rankings|standings|odds|fee"
            "|tax|interest|stock|size"
        ),
    ),
    "price": (
        "cost|costs|price|prices|salary|worth|wage|pay|paid|fee|fees|rate|rates|tax|taxes|stock|exchange|minimum",
    ),
    "release": (
        (
            "come|comes|coming|release|released|releases|air|airs|aired|premiere*|start|starts|begin|begins"
            "|return*|back|out|open|opens"
        ),
        "season|episode|episodes|series|movie|film|album|version|update|book|iphone|ios|android|model",
    ),
    "creation": (
        (
            "wrote|written|write|writer|writes|author|invent*|discover*|first|original|originally|founded|found|founder"
            "|built|build|created|creator|composed|composer|sang|sings|sing|singer|sung|song|painted|establish*"
            "|introduced|named|signed|designed|born|died|death|killed|played|plays|play|actor|actress|starred|cast|voice|voiced|filmed|directed|theme"
        ),
    ),
    "meaning": (
        (
            "mean|means|meaning|definition|define|called|name|names|term|known|stand|stands|symbol|abbreviation|purpose|function|cause*|caused"
            "|difference|example*|located|location|place|located|capital|part|parts|type|types|made|contain*|occur*|happen*|used|consist*|process|origin"
        ),
        "come from",
    ),
    "was": ("was|were|did|had|been|became|used",),
    "is": ("is|are|does|do|has|have",),
    "will": ("will|going|can|could|would|should",),
    "who": ("who|whom|whose",),
    "when": ("when", "what|which year|date|day|month", "how long"),
    "where": ("where", "what|which country|city|state|place|county|continent"),
    "what": ("what|which",),
    "why": ("why|how",),
    "person_you": ("i|you|my|your|we|me",),
    "science": (
        (
            "cell|cells|acid|blood|body|heart|muscle|muscles|nerve|bone|protein|water|energy|heat|plant|plants|animal|element|atom|chemical|disease"
            "|brain|gene|dna|enzyme|reaction|light|force|gas|planet|earth|sun|moon|ocean|rock|theory|law|equation|number|virus|bacteria"
        ),
    ),
    "history": (
        (
            "war|battle|ancient|century|empire|revolution|civil|roman|greek|medieval|colonial|independence|treaty|constitution|bible|testament"
            "|emperor|dynasty|slave|slavery|wwii|ww2|ww1|1st|2nd|amendment|act|king|queen"
        ),
    ),
}
_PHRASES = Phrases(FAMILIES)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d(?:s)?")
_TOGETHER = """contest*year won*year office*year office_is*was office*is office*was extreme*was extreme*is extreme*year
    record*was count*was count*is count*year latest*when latest*who latest*was latest*year release*is release*was
    release*when release*next creation*is creation*was creation*latest won*latest won*who contest*who contest*won
    contest*latest contest*creation who*is where*is when*was when*is was*is meaning*is meaning*now"""
_PAIRS = tuple(tuple(pair.split("*")) for pair in _TOGETHER.split())


def features(question: str) -> tuple[dict[str, float], set[str]]:
    """Return the named features and the n-grams of a question; in these a year is one word, any other number another.

    >>> named, grams = features("Who won the cup in 1998?")
    >>> named["year"], named["contest*year"], "won the" in grams, "in #year" in grams
    (1.0, 1.0, True, True)
    """
    tokens = words(question[:MAX_READ])[:MAX_WORDS]
    found = _PHRASES.find(tokens)
    shaped = [_shaped(token) for token in tokens]
    if "#year" in shaped:
        found.add("year")
    if "#n" in shaped:
        found.add("number")
    named = dict.fromkeys(sorted(found), 1.0)
    for first, second in _PAIRS:
        if first in found and second in found:
            named[f"{first}*{second}"] = 1.0
    if "was" in found and "is" not in found:
        named["past_only"] = 1.0
    if "is" in found and "was" not in found:
        named["present_only"] = 1.0
    named["length"] = len(tokens) / 10
    return named, _ngrams(shaped)


def _shaped(token: str) -> str:
    if not token[0].isdigit():
        return token
    return "#year" if _YEAR.fullmatch(token) else "#n"


def _ngrams(tokens: list[str]) -> set[str]:
    bounded = ["^", *tokens, "$"]
    grams = set(tokens)
    for size in (2, 3):
        grams.update(" ".join(bounded[at : at + size]) for at in range(len(bounded) - size + 1))
    return grams


# Users ask the same questions again and again.
@cached_by_text(cost=2)
def volatility(question: str) -> float:
    """Return the calibrated probability that the right answer to ``question`` changes with time.

    >>> volatility("How much is a stamp now?") > volatility("When was the stamp invented?")
    True
    """
    return linear_model("question_volatility").probability(*features(question))
