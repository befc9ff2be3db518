"""Telling a contact that a text publishes (a ticket line, a newsroom, a byline) from one that belongs to a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scorers.sensitive.finding import SensitiveFinding

_BEFORE = 120
"""Characters before a contact that are read."""

_CHAIN = 60
"""Characters between two contacts of one list: "Tel 212-691-1051, fax 212-691-1052"."""

# What follows says whose a contact is, whatever else is told around it.
_PRIVATE = re.compile(
    r"\b(?:(?:my|her|his|their|your|whose)(?: \w{1,12}){0,2} (?:phone|number|e-?mail|mail|mobile|cell|line"
    r"|address|inbox)"
    r"|(?:call|reach|ring|text|e-?mail|mail|message|contact|phone) (?:me|him|her|them)"
    r"|mobile|cell|cellular|cellphone|home|personal|private|patient|employee|customer|tenant|registered"
    r"|(?:he|she|they) (?:can|could|may) be|date of birth|dob|ssn|social security|passport)\b[^\n]{0,40}\Z",
    re.IGNORECASE,
)
_PRIVATE_AFTER = re.compile(r"[ ,\-(]{1,3}(?:mobile|cell|home|private|personal)\b", re.IGNORECASE)

# A text that says one of these right before a contact gives it to all its readers, unless a name of somebody stands
# between.
_INVITES = re.compile(
    r"\b(?:for (?:more|further|general|additional|(?:all |any )?other|media|press)(?: \w{1,14}){0,2}"
    r" (?:info|information|details|inquiries|enquiries|questions|queries)"
    r"|for (?:tickets|reservations|bookings|information|inquiries|enquiries|details)"
    r"|contact (?:the|our) (?:writer|author|reporter|editor|organi[sz]ers?|team"
    r"|\w{1,14} (?:team|office|desk|department))"
    r"|(?:comments|questions|suggestions|feedback|stories|corrections|error reports|errors|inaccuracies|problems"
    r"|submissions|letters|nominations|applications|manuscripts|entries|proposals) (?:\w{1,14} ){0,12}(?:to|at|via)"
    r"|(?:witnesses|anyone with|interested) [^\n]{0,80}(?:call|contact|at)"
    r"|(?:make|book|schedule) an appointment|rsvp"
    r"|(?:to|by) (?:subscribe|advertise|register|book|reserve|post|telephone or fax)"
    r"|book [^\n]{0,20}online|(?:e-?mail|write to|contact|visit|call) us)\b"
    r"(?P<between>[^\n]{0,60}(?:\n[^\n]{0,16})?)\Z",
    re.IGNORECASE,
)
# What it calls one of these is an organization's, again unless a name stands between.
_ORGANIZATION = re.compile(
    r"\b(?:(?:help|service|news|front|information|reception|bill) ?desk|newsroom|switchboard|hotline|helpline"
    r"|call cent(?:er|re)|box office|ticket office|reservations?|bookings?|tickets|request line"
    r"|(?:main|head|press|media|regional) office|office (?:in|at|on)|after hours|department|ministry|embassy|consulate"
    r"|police|sheriff'?s?(?: office)?|customer (?:service|care|support)|(?:public|media|investor|press) relations"
    r"|(?:media|press|news) contact|head of (?:media|press|communications?)|headquarters|university|college|museum"
    r"|author:)(?!\w)(?P<between>[^\n]{0,40}(?:\n[^\n]{0,16})?)\Z",
    re.IGNORECASE,
)
# The same, called a desk, team or office by a word of any kind before it, or by capitals alone: "the SOC at +49...",
# "our procurement team on". A role is somebody's where a name stands before it: "Jane Roe, the duty manager, at".
_FUNCTION = re.compile(
    r"\b(?:(?:the|our|your|an?|this|local|internal|duty|der|die|das|dem|den|les?|la|el|il|[nu]nser\w{0,2}|de[nt])"
    r"(?: [\w&/'-]{2,24}){0,4}? (?:(?P<role>officer|engineer|manager|lead|agent|coordinator|controller|administrator"
    r"|ombuds(?:man|person))|desk|team|office|department|unit|cent(?:er|re)|hotline|helpline|line|service|support"
    r"|operations|reception|committee|authority|branch|group|mailbox|counter|clinic|bureau|servicio|departamento"
    r"|ufficio|servizio|afdeling|\w{0,20}(?:abteilung|stelle|zentrale|dienst|service|beauftragten?|b\u00fcro))"
    r"|(?-i:(?:[Tt]he|[Oo]ur|der|die|das|dem|den|le|la|el|il) [A-Z][A-Z0-9&/-]{1,7}(?: [a-z]{2,12})?))\b(?:'s)?"
    r"(?P<between>[^\n]{0,40}(?:\n[^\n]{0,16})?)\Z",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"(?:\A|\n)by(?: [^\W\d_][\w'.-]{1,20}){2,4} [(|] ?\Z", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][a-z'-]{1,20} (?:[A-Z]\. )?[A-Z][a-z'-]{1,20}\b")
_INVITES_AFTER = re.compile(
    r"[^\n\w]{0,4}(?:or (?:visit|go to|online|www\.|https?:)|twitter|©|all rights reserved"
    r"|to (?:book|order|subscribe|register))",
    re.IGNORECASE,
)
# What an answer hardly ever says: a customer may be told to sign in or to subscribe, but not where the next article is.
_PAGE = re.compile(
    r"©|\bcopyright\b|\ball rights reserved\b|\bterms (?:of (?:use|service)|(?:and|&) conditions)\b|\bprivacy policy\b"
    r"|\bnewsletters?\b|\bskip to\b|\bfollow us\b|\bpress release\b|\bread more\b|\bmost (?:popular|read)\b"
    r"|\brelated (?:articles?|content|files|links|news|posts|stories)\b|\bshare (?:this|on)\b"
    r"|\b(?:next|previous) (?:article|page|post|story)\b|\(meta data\)",
    re.IGNORECASE,
)
_MARKS = 2
"""Different marks of a page made for everybody: a copyright line, its newsletter, its terms."""

# Addresses that anyone may have; what is before the @ says whose they are.
_FREE_NAMES = """aol fastmail free gmail gmx googlemail hotmail icloud laposte libero live mac mail me msn naver orange
    outlook proton protonmail qq rediffmail t-online web wanadoo yahoo yandex ymail"""
_FREE = frozenset(_FREE_NAMES.split())


def unpublished(text: str, findings: Iterable[SensitiveFinding]) -> Iterator[SensitiveFinding]:
    """Yield those ``findings``, in the order of their places, that ``text`` does not itself give to all its readers.

    Published is an e-mail address or phone number that the text tells its readers to use ("for tickets call"), that it
    calls an organization's ("press office"), that is a byline, or that stands on a page with the marks of the public
    web. A number or address that is called somebody's own, or a mobile or home number, is not, and neither is an
    address at a provider that anyone may use.

    >>> from scorers.sensitive.contact import phones
    >>> for text in ("For tickets and information, call 307-733-1128.", "Her number is 307-733-1128."):
    ...     print([found.masked for found in unpublished(text, phones(text, ("US",)))])
    []
    ['phone number ending in 28 (10 characters)']
    """
    page: bool | None = None
    listed = -_CHAIN - 1
    for finding in findings:
        if finding.kind not in ("email", "phone"):
            yield finding
            continue
        before = text[max(0, finding.start - _BEFORE) : finding.start]
        if _private(finding, text, before):
            yield finding
            continue
        if page is None:
            page = len({match.group().casefold() for match in _PAGE.finditer(text)}) >= _MARKS
        chained = finding.start - listed <= _CHAIN
        if page or chained or _given(before) or _INVITES_AFTER.match(text, finding.end):
            listed = finding.end
        else:
            yield finding


def _given(before: str) -> bool:
    if _BYLINE.search(before):
        return True
    found = _INVITES.search(before) or _ORGANIZATION.search(before)
    if found is not None and not _NAME.search(found["between"]):
        return True
    found = _FUNCTION.search(before)
    if found is None or _NAME.search(found["between"]):
        return False
    return found["role"] is None or not _NAME.search(before[: found.start()])


def _private(finding: SensitiveFinding, text: str, before: str) -> bool:
    if finding.kind == "email":
        domain = finding.value.rpartition("@")[2].casefold()
        if domain.partition(".")[0] in _FREE:
            return True
    return _PRIVATE.search(before) is not None or _PRIVATE_AFTER.match(text, finding.end) is not None
