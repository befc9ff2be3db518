"""What claims say absolutely, and what of a rule rules each of it out: free, unlimited, at any time, without asking."""

from __future__ import annotations

import re
from typing import NamedTuple

from scorers.statements.base import DifferenceKind
from scorers.text.normalize import word_set

_N = r"(?:\d[\d.,]{0,9}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty|sixty|ninety)"
_TIME = r"(?:second|minute|hour|day|night|week|month|year|semester|quarter|term)s?"
_WORKING = r"(?:working |business |calendar |full |more )?"
_SPAN = rf"{_N}[ -]{_WORKING}{_TIME}\b"
_CLOCK = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|noon|midnight|\d{1,2}(?::\d\d)? ?[ap]\.?m)\b"
)
_MONEY = (
    r"(?:(?:\$|\u20ac|\u00a3|eur |usd |gbp |chf |\bfrancs? )\d|\d ?(?:\$|\u20ac|\u00a3|%|eur\b|usd\b|gbp\b|chf\b"
    r"|euros?\b|dollars?\b|pounds?\b"
    r"|cents?\b|francs?\b|kroner\b|percent\b)|(?:one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty) "
    r"(?:euros?|dollars?|pounds?|cents?|francs?)\b)"
)
_WHILE = (
    r"(?:during|between|at night|overnight|on (?:mon|tues|wednes|thurs|fri|satur|sun|holi|week)\w{2,4}"
    r"|(?:in|within) the (?:final|last|first)|(?:before|after) (?:\d|noon|midnight))"
)
"""Behind a denial: the time in which something is not allowed."""


class Absolute(NamedTuple):
    """What a claim says absolutely, what of a statement rules it out, and as which difference that is told."""

    kind: DifferenceKind
    words: frozenset[str]
    claimed: re.Pattern[str]
    told: re.Pattern[str]
    """``words`` are those without one of which no text has what a claim says."""


def _absolute(kind: DifferenceKind, words: str, claimed: str, told: str) -> Absolute:
    return Absolute(kind, word_set(words), re.compile(rf"\b(?:{claimed})\b"), re.compile(told))


FREE = _absolute(
    "quantity",
    "free included complimentary gratis nothing charge charges charged cost costs fee fees payment pay paying",
    r"free(?: of (?:any )?charge| of cost)?|complimentary|gratis|costs? (?:you )?nothing|cost-free"
    r"|at no (?:extra |additional |further )?(?:charge|cost)|(?:no|without(?: a| any)?) (?:extra "
    r"|additional )?(?:fees?|charges?|costs?|payment)"
    r"|(?:is|are) (?:already |also )?included|included in (?:the|your) (?:fee|price|rate|rent|fare|ticket)"
    r"|nothing to pay|(?:do not|don't|doesn't|does not|need not|needn't|won't|will not) (?:have to |need to "
    r"|be )?(?:pay|cost|charged?)"
    r"(?: anything| a fee| for)?|not charged|pays? nothing|without paying",
    rf"{_MONEY}|\bpays?\b|\bcharged\b|\bat (?:your|their|his|her|its|the \w{{2,20}}'s) own expense|\bsurcharge\b",
)
UNLIMITED = _absolute(
    "bound",
    "limit limits limitation limitations cap caps maximum ceiling unlimited limitless number limited capped "
    "restricted however amount as all needed necessary required",
    r"all (?:of )?(?:your|their|his|her|the) (?=\w+)"
    r"|no (?:upper |maximum |fixed |set )?(?:limits?|caps?|maximum|ceiling)|unlimited|limitless|without (?:any "
    r"|a )?limit(?:ation)?s?"
    r"|as (?:many|much|often|long|big|large|high) (?:\w{1,15} ){0,3}as (?:you|they|he|she|one|people|members"
    r"|guests)(?: would|'d)? "
    r"(?:likes?|wants?|wish(?:es)?|pleases?|needs?|chooses?)|as (?:many times|often) as (?:needed|necessary|required)"
    r"|any number of|not (?:limited|capped|restricted)"
    r"|(?:isn't|aren't|is not|are not) (?:limited|capped|restricted)|however (?:many|much|long|often)|any amount",
    rf"\b(?:up to|at most|maximum|no more than|not more than|no longer than|only) (?:\w{{2,12}} ){{0,2}}{_N}\b"
    rf"|\blimit|\bcap(?:ped|s)?\b"
    rf"|\b(?:may|must|can|shall|should)(?: ?not) exceed|{_N} \w{{0,20}} ?(?:at (?:the )?most|maximum)"
    rf"|\bno \w{{2,15}} may exceed"
    rf"|\b(?:may|can) \w{{2,20}} (?:\w{{2,12}} )?{_N}\b|\btwice\b|\bonly once\b|\bonce (?:a|an|per|every)\b"
    r"|\b(?:may|can) (?:be )?\w{2,20} (?:\w{1,12} ){0,3}(?<!at )once\b"
    rf"|\b{_N} times\b|\b(?:an?|one|a single) (?:\w{{2,15}} ){{1,3}}(?:per|for each|each)\b",
)
_UNTIMED = _absolute(
    "bound",
    "deadline deadlines expiry expiration time due end cut cutoff expire expires lapse lapses run anytime "
    "whenever indefinitely forever permanently ever life good notice last any clock 24",
    r"no (?:fixed |set |particular |real )?(?:deadlines?|expiry(?: date)?|expiration(?: date)?|time limits?|due date"
    r"|end date|cut-?off)"
    r"|(?:never|don't|doesn't|do not|does not|won't|will not|no longer) (?:ever )?(?:expires?|lapses?|run out|end)"
    r"|(?:at )?any ?time|anytime|whenever (?:you|they|he|she)(?: would|'d)? (?:like|want|wish|please|choose)s?"
    r"|indefinitely|forever|for ever|permanently|for good|(?:valid|good|lasts?|last) for life"
    r"|without (?:a |any )?(?:deadline|time limit|notice)|no notice(?: period)?|at short notice"
    r"|at the last (?:minute|moment)"
    r"|at any (?:later )?(?:point|moment|stage|hour)|around the clock|24/7",
    rf"\b(?:by|before|until|till|from|between|after) (?:the )?(?:end of )?(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_CLOCK}"
    rf"|\bwithin (?:the )?(?:\w{{2,12}} )?{_SPAN}"
    rf"|\bdeadline\b|\b(?:no|not) later than\b|\bat the latest\b|\bexpires?\b|\blapses?\b|{_SPAN} (?:before"
    rf"|in advance|ahead|prior|notice)"
    rf"|{_SPAN}'? notice|\b(?:up to|until|for|after|at least|at most|minimum of|maximum of|valid for) {_SPAN}"
    rf"|\bin advance\b"
    rf"|\bby the (?:end|\w{{2,12}} (?:day|of))\b|\b(?:only|not) (?:on|during|in|between)\b"
    rf"|\b(?:not|nobody|never|cannot|no one)\b[^.;,]{{2,50}} {_WHILE}"
    r"|\bonly\W{0,2}$|\b(?:solely|exclusively)\b|\bin (?:an )?(?:emergency|emergencies|exceptional)\b",
)
_UNBOUNDED = _absolute(
    "bound",
    "minimum any regardless however matter age",
    r"no minimum(?: \w{2,12})?|any (?:amount|value|size|quantity|length|order)|regardless of (?:the |its "
    r"|their )?(?:amount|value|size|length|price|age|weight)"
    r"|however (?:small|short|little|young|old|heavy)|no matter how (?:small|short|little|young|old|heavy|much|many"
    r"|long|large|big)"
    r"|(?:at|of) any (?:age|size|value|weight)|no age limit",
    rf"\b(?:at least|minimum(?: \w{{2,12}})? of|minimum|above|over|more than|from|no less than|exceed\w{{0,3}}"
    rf"|older than|younger than|under|below"
    rf"|up to|aged|less than|(?:long|heavi|larg|small|short|light|high|low)e?r than) (?:the )?(?:age of )?"
    rf"(?:[$\u20ac\u00a3] ?)?(?:{_N}|an?\b)|{_N} (?:\w{{2,10}} )?(?:or (?:more|over|above|less|fewer|under)"
    rf"|and (?:more|over|above|under))\b",
)
AT_ONCE = _absolute(
    "bound",
    "right directly straight immediately instantly instantaneous instantaneously away straightaway once same spot delay"
    " wait waiting first one soon",
    r"(?:right|directly|straight) after|immediately|instantly|instantaneous(?:ly)?|right away|straight ?away|at once"
    r"|on the same day|(?:the |that )?(?:very )?same day|same-day|on the spot"
    r"|without (?:any |a )?(?:delay|wait(?:ing(?: period| time)?)?)|no waiting(?: period| time)?"
    r"|from (?:the |your |their |his |her )?(?:very )?(?:first day|day one)"
    r"|as soon as (?!possible|practicable|feasible)",
    r"\bafter (?:(?:the|your|their|a|completing|completion of|end of|passing) ){0,3}"
    r"(?:probation(?:ary)?|trial|qualifying|waiting)(?: period| time)?\b"
    rf"|\b(?:the )?next (?:working|business|calendar|following)? ?(?:day|week|month|quarter)\b|\bafter (?:a "
    rf"|the )?(?:\w{{2,12}} )?(?:of )?{_SPAN}"
    rf"|\btakes? (?:up to |about |around |between |at least )?(?:{_N} (?:to|and|-) )?{_SPAN}|\bwithin {_SPAN}"
    rf"|{_SPAN} (?:after|later|following|of waiting)"
    rf"|{_SPAN} (?:before|ahead|prior|in advance)"
    rf"|\bat the (?:end|start|beginning) of\b|\bthe (?:working |business )?day before\b"
    rf"|\bwaiting (?:period|time) of\b|\b(?:in (?:about )?|for ){_SPAN}"
    rf"|\bfollowing (?:month|week|year|day)\b|\bonly (?:from|after)\b|{_N} to {_SPAN}",
)
_ALL_DAY = _absolute(
    "bound",
    "day night clock",
    r"all (?:day|night)(?: long)?|the (?:whole|entire) (?:day|night)|a?round the clock",
    rf"\b(?:up to|at most|(?:a )?maximum(?: of)?|no more than|not more than|no longer than|only for)"
    rf" (?:\w{{2,12}} ){{0,2}}{_N} (?:minutes?|hours?)\b",
)
_CONDITION = (
    r"\bonly\b|\b(?<!also )(?<!even )(?:if|when)\b|\bprovided\b|\bunless\b|\bexcept\b|\bas long as\b|\bon condition\b"
    r"|\bsubject to\b"
    rf"|\b(?:above|over|more than|at least|under|below) (?:[$\u20ac\u00a3] ?)?{_N}"
)
REGARDLESS = _absolute(
    "condition",
    "regardless matter whether irrespective even without unconditionally case cases circumstances",
    r"regardless|no matter|whether or not|irrespective|even (?:if|when|without|though)|with or without"
    r"|whether(?=[^.;]{0,80}\bor\b)"
    r"|unconditionally|in (?:all|any|every) cases?|under all circumstances|without (?:any )?(?:conditions?"
    r"|exceptions?)",
    _CONDITION,
)
FREED = _absolute(
    "condition", "without", r"without (?:having to|needing|the need|first)", rf"{_CONDITION}|\bmust\b|\brequire[sd]?\b"
)
_LEAVE = r"(?:consent|permission|approval|agreement|authori[sz]ation|clearance)"
_UNASKED = _absolute(
    "condition",
    "without freely unaccompanied unescorted unsupervised no",
    rf"without (?:asking|telling (?:anyone|anybody|us|them)|(?:any |a |prior |written )?{_LEAVE})|freely|unaccompanied"
    rf"|unescorted|unsupervised|without (?:an? )?(?:escort|supervision|adult)|needs? no {_LEAVE}|no {_LEAVE} is needed",
    rf"\b(?:need|needs|require|requires|required|with|by|after|obtain|get|ask)\b[^.;]{{0,40}}\b{_LEAVE}\b"
    rf"|\b{_LEAVE}\b[^.;]{{0,30}}\b(?:needed|required|necessary)\b"
    r"|\b(?:must|has to|have to|need to|should) (?:always )?(?:be )?(?:escorted|accompanied|supervised|report"
    r"|register|ask)",
)
_ANY_REASON = _absolute(
    "condition",
    "reason reasons",
    r"(?:for|without) (?:any|no|giving (?:a|any)) (?:particular )?reasons?|whatever the reason|no matter the reason"
    r"|without a reason",
    r"\bin (?:the )?(?:case|event) of\b|\bdue to\b|\bbecause of\b|\bfor (?:\w{2,12} )?(?:medical|health"
    r"|family) reasons\b"
    r"|\bonly (?:if|when|for|in)\b|\bcertificate\b",
)
_EXTRA = _absolute(
    "opposite",
    "extra additional surcharge separately have has need must",
    r"(?:have|has|need|must) (?:to )?pay (?:for |the )(?![^.;]{0,300}\d)"
    r"|(?:costs?|pay|pays|charged|charge) (?:\w{2,10} )?(?:extra|separately)|at (?:an )?(?:extra|additional) (?:cost"
    r"|charge|fee)"
    r"|for an (?:extra|additional) (?:fee|charge|cost)|(?:carry|carries|incurs?) (?:a surcharge|an extra charge)",
    r"\binclud(?:e|es|ed|ing)\b|\bfree of charge\b|\b(?:is|are) free\b|\bat no (?:extra |additional )?(?:cost"
    r"|charge)\b",
)
FULL = _absolute(
    "quantity",
    "full whole entire entirely fully",
    r"(?:the |a )?(?:full|whole|entire)(?! (?:day|time|week|month|year|hour|member|stop|board|name|address|text"
    r"|list)\w*)"
    r"|fully|entirely",
    rf"\d ?%|\b(?:half|quarter|third)\b|\b(?:at most|up to|no more than|a maximum of) (?:[$\u20ac\u00a3] ?)?{_N}"
    rf"|\bthe first\b"
    r"|\bpart of\b|\bpartial(?:ly)?\b|\bminus\b|\bless a\b",
)
_PAST = _absolute(
    "order",
    "already been",
    r"(?:has|have) (?:already |just |now )been|(?:has|have) been|(?:was|were|is|are) already",
    r"\bwill (?:be|only be)\b|\b(?:is|are) (?:due|scheduled|planned|set|expected|going) to\b",
)
_STILL = _absolute(
    "polarity",
    "now still continue continues",
    r"(?:is|are|can) (?:now|still)|still|continues? to",
    r"\bno longer\b|\bnot\b[^.;]{0,40}\bany ?more\b|\b(?:was|were|has been|have been) (?:discontinued|dropped"
    r"|abolished)\b",
)
_NOT_NEEDED = r"(?:needed|required|necessary|charged|payable|due|mandatory)"
NONE = _absolute(
    "polarity",
    "no not isn aren",
    rf"no (?=(?:\w{{2,20}} ){{1,3}}(?:is|are) {_NOT_NEEDED})|there (?:is|are|will be) no (?=\w)"
    rf"|(?:(?:is|are) not|isn't|aren't) (?=(?:needed|required|necessary)\b)",
    rf"\bmust\b|\b(?:is|are) (?:always )?{_NOT_NEEDED}|\bneeds?\b|\bbring\b|\bappl(?:y|ies)\b|\bcharge[sd]?\b"
    rf"|\bha(?:s|ve) to\b"
    r"|\bshow\b|\bpresent (?:an?|your|their)\b|\bcarry\b|\bif you (?:submit|present|show|provide|bring|have)\b",
)
_SURELY = _absolute(
    "modality",
    "guarantee guarantees guaranteed automatic automatically certain certainly always assured",
    r"guarantees?|guaranteed|automatic(?:ally)?|certain(?:ly)? to|always (?:available|granted|approved)|assured",
    r"\bdepend(?:s|ing|ent)? (?:up)?on\b|\bsubject to\b|\b(?:if|when|where) available\b"
    r"|\bcannot (?:always )?be guaranteed\b|\bnot guaranteed\b"
    r"|\bon request\b|\bdiscretion\b|\bno guarantee\b|\bavailability\b|\bmay be (?:granted|refused|approved)\b"
    r"|\b(?:is|are) (?:requested|applied for)\b"
    r"|\b(?:must|has to|have to|needs to) be (?:requested|approved|applied|renewed)\b|\bmanual(?:ly)?\b",
)
EVERYBODY = _absolute(
    "scope",
    "all every any everyone everything everybody anyone anybody worldwide always everywhere anywhere whole whoever",
    r"(?:all|every|any)(?! (?:\w{2,12} ){0,2}(?:months?|years?|weeks?|days?|times?|hours?|semesters?|nights?)"
    r"|(?: the)? others?\b)|(?:everyone|everything|everybody|anyone|anybody)(?! else)|always|everywhere|anywhere"
    r"|at all times|worldwide|in (?:all|any|every) (?:countr(?:y|ies)|cases?)|the whole|whoever",
    r"(?<!the )\bonly\b|\bthe only (?:people|persons?|ones?)\b|\belsewhere\b"
    r"|\bother(?:s| \w{2,15})?\b(?! than)|\bexcept\b|\bunless\b|(?<!at )(?<!at the )\bmost\b"
    rf"|\bdepend(?:s|ing) on\b|\bup to (?:[$\u20ac\u00a3] ?)?{_N}|\boutside\b|\babroad\b"
    r"|\botherwise\b|\bwaived for\b|\bexempt\b|\bpays? nothing\b|\bnot apply to\b"
    r"|\bsome\b|\bnot (?:all|every)\b|\bexcluding\b|\bapart from\b"
    r"|\b(?:forbidden|prohibited|banned|not allowed|not permitted) (?:in|on|at|near|from|within|during)\b"
    rf"|\breserved for\b|\b(?:above|over|more than|exceeding|below|under|less than"
    rf"|(?:old|young|long|heavi|larg)e?r than) (?:[$\u20ac\u00a3] ?)?(?:{_N}|an?\b)",
)
_DAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|working days?|business days?)"
_EVERY_DAY = _absolute(
    "scope",
    "every any all daily whenever",
    r"(?:on )?(?:every|any) day(?: of the week)?(?! (?:before|after|in|between))|all week|daily|whenever (?:you"
    r"|they) (?:like|want|wish)|at any time",
    rf"\bonly (?:on |at |from )?{_DAYS}\b|\b(?:on|every) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    rf"|\b{_DAYS}(?: \w+ {_DAYS})? only\b|\bon (?:weekdays|working days)\b",
)
_ANYBODY = _absolute(
    "scope",
    "everyone everybody anyone anybody whoever",
    r"(?:everyone|everybody|anyone|anybody)(?! else)|whoever",
    r"\b(?:may|can) be \w{2,15} by (?!any|every|all\b)\w{2,20}",
)

_OPTIONAL = _absolute(
    "modality",
    "optional voluntary recommended advisable",
    r"(?:is|are) (?:entirely |purely |completely |only )?(?:optional|voluntary|recommended|advisable)"
    r"(?! (?:by|to|for))",
    r"\bmust\b|\bha(?:s|ve) to\b|\b(?:is|are) (?:required|mandatory|compulsory|obligatory)\b|\brequires?\b"
    r"|\bonly (?:through|with|via|after|by)\b",
)
_DIRECTLY = _absolute(
    "condition",
    "directly",
    r"directly(?! (?:after|before|at|behind|to))",
    r"\bonly (?:through|via|by way of)\b|\bmust (?:\w{2,10} )?(?:through|via)\b",
)
_UNAFFECTED = _absolute(
    "opposite",
    "affect influence impact effect void invalidate bearing",
    r"(?:does not|doesn't|do not|don't|will not|won't) (?:affect|influence|impact|void|invalidate)"
    r"|has no (?:effect|influence|impact|bearing) on",
    r"\bvoids?\b|\binvalidates?\b|\bends?\b|\bforfeits?\b|\bloses?\b|\breduces?\b|\bcancels?\b",
)
_ONLY_THEN = _absolute(
    "scope",
    "only",
    r"only (?:\w{2,15} )?(?:at|in|on|during|by|until|before|after|between|from)",
    r"\bat any time\b|\banytime\b|\bany day\b|\bwhenever\b|\baround the clock\b|\b24/7\b|\bday and night\b",
)

ABSOLUTES = (
    FREE,
    UNLIMITED,
    _ALL_DAY,
    _UNTIMED,
    _UNBOUNDED,
    AT_ONCE,
    REGARDLESS,
    FREED,
    _UNASKED,
    _ANY_REASON,
    _EXTRA,
    FULL,
    _PAST,
    _STILL,
    NONE,
    _SURELY,
    EVERYBODY,
    _EVERY_DAY,
    _ANYBODY,
    _OPTIONAL,
    _DIRECTLY,
    _UNAFFECTED,
    _ONLY_THEN,
)
