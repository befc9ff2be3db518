"""Statements that say the same in other words: synonyms, formats, order, lead-ins, marks of writing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from training.pairs.pair import Table, both, placed

_ALIKE = """buy/purchase;buys/purchases;bought/purchased;begin/start;begins/starts;began/started;help/assist;
    helps/assists;helped/assisted;receive/get;receives/gets;received/got;choose/select;show/display;shows/displays;
    about/approximately;nearly/almost;big/large;quick/rapid;quickly/rapidly;also/additionally;while/whereas;
    although/even though;due to/because of;such as/for example;laptop/notebook computer;phone/telephone;
    cellphone/mobile phone;car/automobile;movie/film;movies/films;doctor/physician;doctors/physicians;
    sick leave/leave for illness;repaired/fixed;repair/fix;submit/hand in;submitted/handed in;fill in/complete;
    inform/notify;informs/notifies;informed/notified;allow/permit;allows/permits;terminate/end;cancel/call off;
    require/need;requires/needs;assess/evaluate;permitted/allowed;prohibited/forbidden;mandatory/compulsory;
    per year/a year;per month/a month;per week/a week;per day/a day;immediately/at once;frequently/often;
    usually/normally;sufficient/enough;additional/extra;assistance/help;provides/offers;said/stated;says/states;
    injured/hurt;near/close to;approval/consent;employees/staff members;customers/clients;colleague/co-worker;
    colleagues/co-workers;delivered/shipped;delivery/shipment;shop/store;shops/stores;trip/journey;trips/journeys;
    illness/sickness"""
_NARROWED = """kids/children;staff/personnel;to buy/in order to buy;refund/money back;vacation/annual leave;
    firm/company;
    salary/pay;fee/charge;fees/charges;every month/monthly;every year/annually;every week/weekly;every day/daily;
    around/approximately;obtain/get;commence/begin;residence/home;attempt/try;supervisor/line manager;
    workplace/place of work;receipt/proof of purchase;receipts/proofs of purchase;password/passphrase;
    throughout/during all of;authorities/officials;hotel/accommodation"""


def _rows(table: str) -> list[tuple[str, str]]:
    pairs = (row.strip().split("/") for row in table.split(";"))
    return [(one, other) for one, other in pairs]


SYNONYMS = Table({**{one: (other,) for one, other in _rows(_NARROWED)}, **both(_rows(_ALIKE))})

FORCES = Table(
    {
        "must": ("have to", "are required to", "need to"), "must not": ("may not", "are not allowed to"),
        "cannot": ("can not", "can't", "are not able to"), "may": ("are allowed to", "can"), "may not": ("must not",),
        "can": ("are able to", "may"), "need to": ("have to", "must"), "have to": ("must", "need to"),
        "is required to": ("has to", "must"), "are required to": ("have to", "must"), "do not": "don't",
        "does not": "doesn't", "is not": "isn't", "are not": "aren't", "will not": "won't", "did not": "didn't",
        "don't": "do not", "doesn't": "does not", "isn't": "is not", "it's": "it is", "won't": "will not",
        "is mandatory": ("is compulsory", "is required"), "are mandatory": ("are compulsory", "are required"),
        "is optional": ("is voluntary", "is not mandatory"), "is prohibited": ("is forbidden", "is not allowed"),
        "are prohibited": ("are forbidden", "are not allowed"), "need not": ("do not have to",),
        "are allowed to": ("may", "can"), "is allowed to": ("may", "can"),
    }
)  # fmt: skip

LIMITS = Table(
    {
        "at least": ("no less than", "a minimum of", "not less than"), "at most": ("no more than", "a maximum of",
        "up to"),
        "up to": ("at most", "no more than", "a maximum of"), "no more than": ("at most", "up to"),
        "more than": ("over", "in excess of"), "over": ("more than",), "less than": ("under", "below"),
        "within": ("in no more than", "inside"), "before": ("prior to", "ahead of"),
        "after": ("following", "subsequent to"), "prior to": "before", "until": "till", "every": "each",
        "all": ("every one of the", "all of the"), "if": ("in case", "when", "provided that"), "unless": "if not",
        "except": "other than", "only": ("solely", "exclusively"), "during": "in the course of",
        "a minimum of": "at least",
    }
)  # fmt: skip
_BOUNDED = re.compile(
    r"\b(?:at least|at most|up to|no more than|more than|over|less than|within|a minimum of) (?=[$\u20ac\u00a3]?\d)"
    r"|\b(?:before|prior to|after) (?=the |your |\d|[A-Z])|\bonly (?=by|in|on|for|with)|\bexcept (?=for|on|in)",
    re.IGNORECASE,
)


def limits(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a bound or an order in other words."""
    found = list(_BOUNDED.finditer(text))
    if found:
        match = rng.choice(found)
        for words in LIMITS.turned(match[0].strip(), rng):
            yield text[: match.start()] + words + " " + text[match.end() :]


_DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SMALL = re.compile(r"(?<![\w.,:$\u20ac\u00a3/-])(?:[1-9]|1[0-2])(?= [a-z])")
_WORD = re.compile(rf"\b(?:{'|'.join(_DIGITS[1:])})(?= [a-z])")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w.,]\d)")
_LARGE = re.compile(r"(?<![\w.,:/$-])(?!(?:19|20)\d\d\b)\d{4,6}(?![\w:/-]|[.,]\d)")
_PERCENT = re.compile(r"(?<=\d)\s?%")
_PER_CENT = re.compile(r"(?<=\d) percent\b")
_DOLLARS = re.compile(r"\$(\d[\d,]*(?:\.\d\d)?)(?! ?(?:million|billion|k\b))")
_EUROS = re.compile(r"\u20ac\s?(\d[\d,]*(?:\.\d\d)?)|(\d[\d,]*(?:\.\d\d)?) (?:EUR|euros)\b")
_PERIODS = {
    "24 hours": "one day", "48 hours": "two days", "14 days": "two weeks", "7 days": "one week",
    "12 months": "one year",
    "24 months": "two years", "60 minutes": "one hour", "two weeks": "14 days", "one year": "12 months",
    "30 minutes": "half an hour", "six months": "half a year", "90 minutes": "one and a half hours",
    "21 days": "three weeks",
    "18 months": "one and a half years", "one week": "seven days", "36 months": "three years",
    "120 minutes": "two hours",
}  # fmt: skip
PERIODS = Table(_PERIODS)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_MONTH = "|".join(_MONTHS)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}}) ({_MONTH})(?: (\d{{4}}))?\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?\b")


def numbers(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a number written in another way."""
    ways: list[tuple[re.Match[str], str]] = []
    ways += [(m, _DIGITS[int(m[0]) - 1]) for m in _SMALL.finditer(text)]
    ways += [(m, str(_DIGITS.index(m[0]) + 1)) for m in _WORD.finditer(text)]
    ways += [(m, m[0].replace(",", "")) for m in _GROUPED.finditer(text)]
    ways += [(m, f"{int(m[0]):,}") for m in _LARGE.finditer(text)]
    ways += [(m, rng.choice((" percent", " per cent"))) for m in _PERCENT.finditer(text)]
    ways += [(m, "%") for m in _PER_CENT.finditer(text)]
    ways += [(m, rng.choice((f"{m[1]} dollars", f"USD {m[1]}"))) for m in _DOLLARS.finditer(text)]
    ways += [(m, rng.choice((f"{m[1] or m[2]} euros", f"\u20ac{m[1] or m[2]}"))) for m in _EUROS.finditer(text)]
    if ways:
        yield placed(text, *rng.choice(ways))


def dates(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with a date written in another way."""
    for pattern, day, month in ((_DAY_FIRST, 1, 2), (_MONTH_FIRST, 2, 1)):
        if match := pattern.search(text):
            number, name, year = int(match[day]), match[month], match[3]
            if not 1 <= number <= _LONGEST_MONTH:
                return
            written = [f"{name} {number}", f"{number} {name}"]
            if year:
                iso = f"{year}-{_MONTHS.index(name) + 1:02d}-{number:02d}"
                written = [f"{name} {number}, {year}", f"{number} {name} {year}", iso]
            written = [words for words in written if words != match[0]]
            yield placed(text, match, rng.choice(written))
            return


_LONGEST_MONTH = 31

_LEADS = (
    "According to the policy, ", "Yes, ", "In short, ", "The document says that ", "As stated in the text, ",
    "Based on the passages provided, ", "Please note that ", "To answer your question: ", "Sure! ",
    "Generally speaking, ",
    "The text says that ", "As far as the rules go, ",
)  # fmt: skip
_TAILS = (", according to the policy.", ", as the text says.", ", as described in the document.", " (see the source).")
_WRITTEN_AS_IT_IS = re.compile(r"(?:[A-Z]{2,}|I\b|[A-Z][a-z]+ [A-Z])")


def led(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text after a lead-in, or before a reference to its source."""
    if rng.random() < _OFTEN:
        lead = rng.choice(_LEADS)
        plain = lead[-2] in ":!" or _WRITTEN_AS_IT_IS.match(text)
        yield lead + (text if plain else text[:1].lower() + text[1:])
    else:
        yield re.sub(r"\.?\s*$", "", text) + rng.choice(_TAILS)


_OFTEN = 0.7
_NOUNS = re.compile(r"\b(?:\d[\d.,]*(?: [a-z]+)?|[A-Z][a-z]+ [A-Z][a-z]+|(?<=the )[a-z]{5,})\b")


def marked(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with marks of Markdown: bold, italic, code, an item of a list."""
    way = rng.randrange(4)
    found = list(_NOUNS.finditer(text))
    if way == 0 or not found:
        yield f"{rng.choice('-*')} {text}"
        return
    match = rng.choice(found)
    mark = ("**", "*", "`")[way - 1]
    yield placed(text, match, f"{mark}{match[0]}{mark}")


def quoted(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with other quotes and apostrophes, or a word in quotes."""
    if "'" in text or '"' in text:
        yield re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text.replace("'", "\u2019"))
    elif "\u2019" in text or "\u201c" in text:
        yield text.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    elif found := list(_NOUNS.finditer(text)):
        match = rng.choice(found)
        left, right = rng.choice((('"', '"'), ("\u201c", "\u201d"), ("'", "'"), ("\u00ab", "\u00bb")))
        yield placed(text, match, f"{left}{match[0]}{right}")


_LEADING = re.compile(
    r"^(?P<word>If|When|Unless|After|Before|During|Since|In|On|At|For) (?P<what>[^.;:?!,]{4,90}),"
    r" (?P<rest>[^.;:?!]+)\.?$"
)
_TRAILING = re.compile(
    r"^(?P<rest>[A-Z][^.;:?!,]{8,120}?),? (?P<word>if|when|unless|after|before|during) (?P<what>[^.;:?!,]{4,90})\.?$"
)


def moved(text: str, _source: str, _rng: random.Random) -> Iterator[str]:
    """Yield the text with its clause first or last, where it was last or first."""
    if match := _LEADING.match(text):
        rest = match["rest"]
        yield f"{rest[:1].upper()}{rest[1:]} {match['word'].lower()} {match['what']}."
    elif match := _TRAILING.match(text):
        rest = match["rest"]
        rest = rest if _WRITTEN_AS_IT_IS.match(rest) else rest[:1].lower() + rest[1:]
        yield f"{match['word'].capitalize()} {match['what']}, {rest}."


_ACTIVE = re.compile(
    r"^(?P<who>[A-Z][a-z]+(?: [a-z]+)?s|The [a-z]+(?: [a-z]+)?) (?P<force>must|may|can|should|will|have to|need to) "
    r"(?P<verb>submit|approve|report|return|pay|sign|store|keep|review|cancel|book|use|check|request|refund|replace"
    r"|confirm|notify|lock|delete|encrypt|share|renew|inspect|file|record|register|announce|order|reimburse) "
    r"(?P<what>(?:the |a |an |their |all |every )?[a-z]+(?: [a-z]+)?)"
    r"(?P<rest> (?:within|before|after|by|in|on|at|if|unless|for|to|with|from)\b[^.]*)?\.?$"
)
_PARTICIPLES = {
    "submit": "submitted", "approve": "approved", "report": "reported", "return": "returned", "pay": "paid",
    "sign": "signed", "store": "stored", "keep": "kept", "review": "reviewed", "cancel": "cancelled", "book": "booked",
    "use": "used", "check": "checked", "request": "requested", "refund": "refunded", "replace": "replaced",
    "confirm": "confirmed", "notify": "notified", "lock": "locked", "delete": "deleted", "encrypt": "encrypted",
    "share": "shared", "renew": "renewed", "inspect": "inspected", "file": "filed", "record": "recorded",
    "register": "registered", "announce": "announced", "order": "ordered", "reimburse": "reimbursed",
}  # fmt: skip


def passive(text: str, _source: str, _rng: random.Random) -> Iterator[str]:
    """Yield the text in the passive."""
    if match := _ACTIVE.match(text):
        what = match["what"]
        who = match["who"][:1].lower() + match["who"][1:]
        verb = _PARTICIPLES[match["verb"]]
        yield f"{what[:1].upper()}{what[1:]} {match['force']} be {verb} by {who}{match['rest'] or ''}."


def forces(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with its force in other words."""
    if not re.search(r"\bmust be\b|\bmay (?:have|be)\b|\bcan be\b", text):
        yield from FORCES.turned(text, rng)


def plain_full_stop(text: str, _source: str, rng: random.Random) -> Iterator[str]:
    """Yield the text without its full stop, or with an exclamation mark, or in one case."""
    bare = re.sub(r"[.!]\s*$", "", text)
    yield rng.choice((bare, bare + "!"))
