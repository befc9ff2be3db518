"""What goes around a statement and only says that it comes, or whence: "According to the handbook, ...".

Assistants lead in to what they tell: they greet, announce an answer, name their source, or hedge. A label must be the
same with and without such words, so they are cut in one place, before a claim is compared. What is cut only says who
tells: "under the premium plan" is a condition, and stays.
"""

from __future__ import annotations

import re

from scorers.text.normalize import behind_particle, word_set

LONGEST = 420
"""Characters of a claim whose beginning is looked at; a longer one is no single sentence."""
_MOST = 4
"""Lead-ins that follow each other: "Hi there! Sure, here is what I found: according to the handbook, ..."."""

_NOUN = (
    r"(?:polic(?:y|ies)|handbooks?|documents?|documentation|docs?|contexts?|passages?|sources?|texts?|guidelines?|guides?"
    r"|rules|regulations?|terms(?: (?:and|&) conditions| of (?:service|use))?|manuals?|faqs?|excerpts?|materials?"
    r"|information|knowledge base|articles?|rulebook|wiki|snippets?|(?:search )?results|evidence|records?|notes?"
    r"|references?|instructions|website|files?|sections?|paragraphs?|pages?|details|content)"
)
_DET = r"(?:the|our|your|this|these|their|its|my|all|company|official)"
_NAMED = (
    r"(?:(?!(?:in|of|for|to|and|or|the|a|an|with|from|at|by|on|is|are|who|which|that|what|if|when|no|not|nor|none|neither"
    r"|never|only|any|each|every|some|other|another|one|year|month|week|day|night|person)\b)"
    r"[A-Za-z][A-Za-z'&/-]{0,24} ){0,5}?"
)
"""Words that name a document. None has a figure: the version of a policy is part of what is said."""
_NEUTRAL = (
    r"(?:(?:provided|given|current|relevant|available|retrieved|attached|official|company|internal|applicable|above"
    r"|following|shared|supplied|uploaded|existing|documented|published|same) ){0,3}"
)
_PLACE = (
    r"(?:,? (?:section |chapter |paragraph |clause |page |article |p\.\s?)?\d[\w.]{0,8})?"
    rf"(?: of (?:{_DET} )?{_NAMED}{_NOUN})?"
    r"(?: (?:that )?(?:(?:you|i|we)(?:'ve| have)? )?(?:been )?(?:provided|given|above|below|supplied|shared|retrieved"
    r"|available|found|uploaded|attached|at hand|on file|have|see|was given|were given)(?: (?:to me|here|me))?)?"
    r"(?: \([^()\n]{1,60}\))?"
)
_HOW = r"(?:(?:clearly|explicitly|also|specifically|expressly|simply|plainly) )?"
_TELLS = (
    r"(?:states?|says?|notes?|specif(?:y|ies)|indicates?|mentions?|explains?|confirms?|shows?|stipulates?|outlines?"
    r"|clarif(?:y|ies)|tells? us|makes? (?:it )?clear|points? out|reads?|establish(?:es)?|provides?)"
)
_TELLS_PLAINLY = (
    r"state|say|note|specify|indicate|mention|explain|confirm|show|stipulate|outline|clarify|tell|cover|describe|list"
)
_SAID_IN = (
    r"(?:as|like) (?:is |was )?(?:stated|noted|described|mentioned|outlined|specified|set out|explained|written"
    r"|documented|laid out|defined|given|indicated|listed|shown|per)"
)
_GREETING = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)(?: there| again| everyone| all)?"
    r"|(?:thanks|thank you)(?: so much| very much)?(?: for (?:asking|reaching out|your (?:question|message|patience)"
    r"|getting in touch|checking))?"
    r"|(?:(?:that's|that is|what) )?(?:an? )?(?:good|great|excellent|fair|interesting) question"
    r"|(?:happy|glad) to help|no problem|no worries"
)
_OPENER = r"(?:(?:sure(?: thing)?|of course|certainly|absolutely|definitely|great|ok|okay|alright|right|yes)[!,.:]? )?"
_LABEL = (
    r"(?:(?:short|quick|direct|final|the|my|brief|simple) ){0,2}(?:answer|response|reply|summary|conclusion|takeaway"
    r"|bottom line|key (?:point|takeaway|fact|rule)|explanation)"
    r"|in (?:short|summary|brief|conclusion|a nutshell|essence|other words)|to (?:sum up|summari[sz]e|be clear|clarify)"
    r"|tl;?\s?dr|note|important|reminder|fyi|good news|bad news|overall|long story short|simply put"
    r"|(?:to answer|in (?:answer|response) to|regarding|as for|about) (?:your|the|this) (?:question|query|request)"
    r"(?: about [\w' -]{1,40})?"
)
TELLING = (
    r"(?:(?:so|and|but|oh|well|hey|wow|yeah|yes|also|true|nice|cool),? ){0,2}"
    r"(?:(?:did|do) you (?:also )?know that|did you (?:also )?know)(?! (?:who|whom|whose|what|which|when|where|why|how"
    r"|if|whether|about|of|any|anything|anyone|him|her|them)\b) "
)
"""What opens a question that only tells: "did you know that returns are free?"."""
_NOTE_THAT = (
    rf"{TELLING[:-1]}"
    r"|(?:please |kindly )?(?:note|remember|keep in mind|bear in mind|be aware|be advised|be informed) that"
    r"|i (?:did not|didn't|never|had no idea) ?(?:know|knew|reali[sz]ed?|think|thought)? that"
    r"|i(?: have|'ve)? (?:also )?(?:know|think|believe|guess|heard|read|learned|noticed) that"
    r"|just (?:so you know|to be clear|a (?:quick )?(?:note|reminder))(?: that|,|:)"
    r"|it (?:looks|seems|appears|sounds) (?:like|as if|as though)"
    r"|(?:it (?:is|'s)|it has been) (?:also )?(?:stated|noted|written|specified|mentioned|documented)"
    r" (?:here |there )?that"
    r"|(?:it|this) (?:says|states|reads|seems|appears)(?: here)? that"
    r"|(?:from what|as far as) i can (?:see|tell|find|gather)(?: here| (?:in|from) "
    + _DET
    + r" "
    + _NAMED
    + _NOUN
    + r")?,"
    r"|(?:from what|based on what) (?:i (?:can )?(?:see|found|read)|i have)(?: here)?,"
    r"|(?:i (?:can )?(?:see|found|understand|confirm)|my understanding is|what i found is|the answer is) that"
    r"|(?:(?:what )?i can(?: at least| still| only| however)? (?:tell|say|share|offer|confirm)(?: (?:to )?you)?(?: is)?"
    r"(?: that|:|(?= (?!what|how|where|when|who|why|which|whether|if|more|about|that)"
    r"(?:[\w'-]{1,24} ){1,6}(?:is|are|was|were|must|may|can|cannot|should|has|have|costs?|takes?|lasts?|gets?)\b))"
    r"|what i do know is that)"
    rf"|what (?:it|they|(?:{_DET} )?{_NAMED}{_NOUN}) (?:does|do|did) (?:{_TELLS_PLAINLY})(?: (?:you|us))?"
    r"(?: is(?: that)?|:)"
    rf"|(?:it|they|that|this|(?:{_DET} )?{_NAMED}{_NOUN})(?:,? (?:however|though),?)? "
    rf"(?:(?:does|do)(?: (?:only|also|however|at least))? (?:{_TELLS_PLAINLY})|(?:only|just) {_TELLS})"
    r"(?: (?:you|us))? that"
    r"|i(?:'ve| have)?(?: just| already)? (?:checked|reviewed|read|searched|looked (?:at|through|into|up)"
    rf"|(?:went|gone) through) (?:{_DET} )?{_NAMED}{_NOUN}(?:,? and|[;:,])(?: (?:it|they) (?:says?|states?)"
    r"| (?:i )?(?:found|can confirm|confirmed|see))?(?: that)?"
    r"(?! (?:found|could|couldn't|did|didn't|there|i|it|they|nothing|no|neither|cannot|can|can't)\b)"
)
_NOT_QUITE = (
    r"(?:as (?:it is|they are|is|such)|necessarily|automatically|directly|exactly|quite|really|always|entirely"
    r"|immediately|right away|yet|by default|currently|in general|on (?:its|their) own|without (?:that|this|it))"
)
"""What a reply that is half a no begins with: "Not as they are: test data has to be anonymised."."""
_LEAD = re.compile(
    rf"\A(?:(?:{_GREETING})[!.,:]\s{{1,3}}"
    rf"|{_OPENER}here(?:'s| is| are) (?:what|the|a|an|your|some|how)\b[^:.!?\n]{{0,60}}:\s{{1,3}}"
    rf"|(?:{_LABEL})\s?[:,]\s{{1,3}}"
    rf"|not {_NOT_QUITE}\s?[,:;\u2014]\s{{1,3}}"
    rf"|(?:{_NOTE_THAT})\s{{1,3}}"
    rf"|{_OPENER}(?:in|under|from) (?:{_DET} )?{_NAMED}{_NOUN}{_PLACE},? it {_HOW}(?:says|states|is stated|reads|notes)"
    r"(?: here| clearly)? that\s{1,3}"
    rf"|{_OPENER}(?:(?:according to|as per|per|based (?:up)?on|going by|judging by|following"
    rf"|in (?:line|accordance) with|(?:{_SAID_IN})(?: clearly| explicitly)?(?: in| by| under)?"
    r"|(?:after|having) (?:checked|checking|reviewed|reviewing|read|reading|looked at|looking at))"
    rf" (?:{_DET} )?{_NAMED}{_NOUN}"
    rf"|(?:in|under|from) (?:{_DET} )?{_NEUTRAL}{_NOUN}){_PLACE}\s?[,:]\s{{1,3}}"
    rf"|(?:{_DET} )?{_NAMED}{_NOUN}{_PLACE} {_HOW}{_TELLS}(?: (?:here|there|clearly|explicitly))?(?: that|:|,? quote:)"
    rf"\s{{1,3}})",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",?\s(?:\(|- )?(?:(?:according to|as per|per|based on|in (?:line|accordance) with"
    rf"|(?:{_SAID_IN})(?: in| by| under)?) (?:{_DET} )?{_NAMED}{_NOUN}"
    rf"|(?:in|under) {_DET} {_NEUTRAL}{_NOUN}){_PLACE}\)?\s?(?=[.!]?$)",
    re.IGNORECASE,
)
_TAILED = re.compile(r"\b(?:according|per|based|in|as|like|under)\b", re.IGNORECASE)
_STANDING = word_set(
    "is are was were be been being isn't aren't wasn't weren't not appears appear stands found listed stated mentioned"
    " covered described contained included specified set laid explained defined said written given anything nothing"
    " something information detail details rule rules one it"
)
"""Behind these, "in the guide" says where something stands, which is what is claimed."""
_LONGEST_TAIL = 120
"""Characters from the end within which a statement may name its source."""
_QUOTED = re.compile(r'"([^"]{1,400})"[.!]?')
_CAPITALS = re.compile(r"[A-Z][A-Z' -]{8,}")
_LEAST = 3
"""Words of a statement that is cried out."""
# A claim without one of the signs that end a lead-in has none.
_ENDS = re.compile(r"[:,!.]\s|\b(?:that|know|like|if|though|and)\s", re.IGNORECASE)


def bare(claim: str) -> str:
    """Return ``claim`` without what leads in to it and what names its source; the particle of a reply stays.

    >>> bare("Based on the provided documents, gift cards can be returned.")
    'gift cards can be returned.'
    >>> bare("Yes, the travel policy clearly states that hotels are paid."), bare("Hotels are paid, as per our rules.")
    ('Yes, hotels are paid.', 'Hotels are paid.')
    >>> bare("Under the premium plan, calls are free."), bare("The policy says nothing.")
    ('Under the premium plan, calls are free.', 'The policy says nothing.')
    """
    if len(claim) > LONGEST:
        return claim
    start = _said_from(claim)
    at = _behind_leads(claim, start) if _ENDS.search(claim) else start
    end, stop = _before_source(claim, at)
    said = claim[at:end] + stop
    if at > start and (quoted := _QUOTED.fullmatch(said)) is not None:
        said = quoted[1]
    return claim if said == claim[start:] or len(said.split()) < _STATES else claim[:start] + said


_STATES = 2
"""Words of a statement, at least."""


def _said_from(claim: str) -> int:
    """Return where the first word behind a particle stands."""
    at = behind_particle(claim)
    while at < len(claim) and claim[at] in " ,.:;!-":
        at += 1
    return at


def _behind_leads(claim: str, at: int) -> int:
    for _ in range(_MOST):
        found = _LEAD.match(claim[at:])
        if found is None:
            break
        at += found.end()
    return at


def _before_source(claim: str, start: int) -> tuple[int, str]:
    """Return where a statement ends before it names its source, and the stop behind that."""
    from_ = max(start, len(claim) - _LONGEST_TAIL)
    for cue in _TAILED.finditer(claim, from_):
        begin = cue.start()
        while begin > start and claim[begin - 1] in " ,(-":
            begin -= 1
        found = _TAIL.match(claim, begin) if begin > start else None
        if found is not None and claim[start:begin].rsplit(" ", 1)[-1].lower() not in _STANDING:
            return begin, claim[found.end() :]
    return len(claim), ""


def uncapitalised(claim: str) -> str:
    """Return a claim that is cried out in small letters, but what has a figure in it.

    >>> uncapitalised("GIFT CARDS CANNOT BE RETURNED (RULE R-7)."), uncapitalised("HR pays.")
    ('Gift cards cannot be returned (rule R-7).', 'HR pays.')
    """
    if not _CAPITALS.search(claim) or claim.upper() != claim:
        return claim
    tokens = claim.split(" ")
    if len(tokens) < _LEAST:
        return claim
    small = " ".join(each if any(map(str.isdigit, each)) else each.lower() for each in tokens)
    return small[:1].upper() + small[1:]
