"""Whether an English clause only sends elsewhere or speaks of the talk itself, told by the words it is made of.

Beside an answer that says it has none, a clause of words of talk alone ("HR can probably give you a quick answer")
states nothing, however it is put. One that sends somewhere may name whom: "the circulation desk". What binds ("must",
"only", "before") or counts is a rule. What else is said beside such an answer is talk as well where it speaks neither
of what was asked nor of what was read: "a librarian would love that".
"""

from __future__ import annotations

from scorers.text.normalize import word_set
from scorers.text.phrases import words
from scorers.text.stemming import stem

_REACH = word_set(
    "contact contacting consult consulting ask asking call calling email emailing message messaging reach reaching "
    "ring ringing phone phoning telephone speak speaking talk talking check checking refer referring turn approach "
    "approaching write writing raise raising start starting drop dropping point pointing pass passing forward "
    "forwarding visit visiting see look looking discuss discussing confirm confirming verify verifying try trying "
    "chat chatting route connect direct redirect put bring take open file request search seek get give head"
)
"""What one does who turns to someone."""
_TURNS = word_set(
    "contact contacting consult consulting ask asking call calling email emailing reach reaching ring ringing phone "
    "phoning speak speaking talk talking check checking refer referring turn approach approaching raise start drop "
    "point pass forward try see chat direct redirect head discuss"
)
"""Of those, what nothing else is done with."""
_INFORMS = word_set("know knows tell help advise clarify confirm answer explain guide assist inform resolve settle")
"""What someone does who knows."""
_GIVES = word_set(
    "look walk give point have has keep keeps sort provide share handle handles deal deals assess discuss direct "
    "hold holds maintain maintains shed decide check treat take review find"
)
_GIVEN = word_set(
    "information info details detail answer answers list document documents number numbers care you this that it "
    "situation into up question questions matter request requests case"
)
"""What he does to this."""
_MODALS = word_set("can could may might would will should likely able probably surely best well")
_FOR = word_set("question matter one topic subject issue job query something")
_BEST = word_set("best right better good first proper correct ideal")
_WHO = word_set("place person people contact team source bet address ones port option desk department someone")
_TALK = (
    _REACH
    | _INFORMS
    | _GIVES
    | _GIVEN
    | _MODALS
    | _FOR
    | _BEST
    | _WHO
    | word_set(
        "answers questions topics matters details detail information info guidance advice help support line shout word "
        "folks staff manager managers supervisor office colleague colleagues hr team teams service services customer "
        "representative agent agents expert experts specialist adviser advisor professional quick full definite "
        "definitive definitively certain sure certainly clear exact reliable accurate official latest current more "
        "further additional specific other others another different separate elsewhere somewhere exist exists document "
        "documents documentation policy page pages website site section rules material materials possible several "
        "various meaning meanings way ways interpret interpretation understand understood mean means referring context "
        "case situation particular kind sort type depends depending depend need needs want wants wish like happy glad "
        "pleased rule taste subject luck delighted welcome feel free worth recommend suggest advise encourage urge "
        "think guess believe hope sorry apologies apologize apologise appreciate patience understanding important "
        "helpful useful first before now later today soon time times moment always anytime again back directly instead "
        "therefore perhaps maybe just simply also too either both here there up out in into over through around afraid "
        "unfortunately however though meanwhile otherwise next step steps short long brief quickly easily properly "
        "fully really very quite much lot bit little few many hand side end point fact thing things touch good great "
        "nice lovely ooh oh hi hey hello well yes no okay ok fine thanks thank reading checking number phone hotline "
        "chat channel list copy version text wording decision let know sake result results conclusion outcome finding "
        "findings status summary responsible charge relevant appropriate dedicated local nearest own personally behalf "
        "assistance enquiry inquiry enquiries inquiries concern concerns request requests care honestly frankly "
        "guessing assuming speculate speculation unclear unknown covered mentioned included discussed described listed "
        "addressed explained"
    )
)
"""What an answer is spoken of with, and where one is sent."""
_LITTLE = word_set(
    "a an the this that these those it its i me my we us our you your yours they them their he she his her who whom "
    "which what where when how why whether is are was were be been being am do does did have has had having to of "
    "in on at by for from with about as and or but so if then than not any some all each every such same because "
    "since while would could can may might will should let ll re ve d s t regarding concerning via per off under"
)
_BINDS = word_set(
    "must shall only unless except before after within until always never required requires require mandatory "
    "prohibited forbidden permitted allowed allow allows optional free paid unpaid covered excluded eligible "
    "entitled applies apply costs cost expires lasts minimum maximum need"
)
"""What makes a rule of a sentence about the matter itself."""
_ORDERS = word_set("before after always need covered")
"""Of those, what goes with sending someone elsewhere in place of an answer, or with telling of a text."""
_SEEMS = word_set("is are looks look sounds sound seems seem be")
_UNKNOWN, _NEAR = 4, 4
"""Words that may name whom one is sent to, and words to what he does."""
_ADDRESSED = word_set("please kindly try do maybe perhaps best just simply feel")
OPENS = _ADDRESSED | word_set("that this it i you")
"""What a clause that sends elsewhere begins with."""
_OFFERED = word_set("may might could would will d")
_WANTED = word_set("want wish like have best try better")


def only_turns(tokens: list[str], asked: frozenset[str]) -> bool:
    """Return whether a clause beside an answer that gives none only sends elsewhere or speaks of the talk.

    >>> only_turns("your building superintendent would know".split(), frozenset())
    True
    >>> only_turns("a loan costs two percent".split(), frozenset()), only_turns("books are lent".split(), frozenset())
    (False, False)
    """
    tokens = _without_asked(tokens)
    if any(word.isdigit() for word in tokens) or not (_BINDS - _ORDERS).isdisjoint(tokens) or _tells(tokens, asked):
        return False
    unknown = [word for word in tokens if word not in _LITTLE and word not in _TALK and word not in asked]
    sends = _sends(tokens)
    if not unknown:
        return sends or (_ORDERS.isdisjoint(tokens) and any(word in _TALK for word in tokens))
    return sends and len(unknown) <= _UNKNOWN


def _without_asked(tokens: list[str]) -> list[str]:
    """Return a clause that says who can tell something without what he tells: "gate 2 can tell you what it costs"."""
    at = next((at for at, word in enumerate(tokens[:_SUBJECT]) if at and word in _MODALS), 0)
    told = next((place for place in range(at, min(at + _NEAR, len(tokens))) if at and tokens[place] in _INFORMS), 0)
    if not told or not _COPULAS.isdisjoint(tokens[:at]):
        return tokens
    end = next((place for place in range(told + 1, len(tokens)) if tokens[place] in _ASKS), len(tokens))
    return [word for word in tokens[:at] if not word.isdigit()] + tokens[at:end]


_SUBJECT = 8
"""Words of who can tell something, at most."""
_ASKS = word_set("whether what who whom how when where why which if")


def _tells(tokens: list[str], asked: frozenset[str]) -> bool:
    """Return whether something is said to be so of what was asked: "access is open to all", "check-out is at noon"."""
    at = next((at for at, word in enumerate(tokens) if word in _COPULAS), 0)
    named = any(word in asked and word not in _LITTLE for word in tokens[:at])
    placed = tokens[1:2] in (["in"], ["out"])
    return not _COUNTS.isdisjoint(tokens) or (at > 0 and (named or placed) and _FOR.isdisjoint(tokens[at:]))


_COPULAS = word_set("is are was were")


def is_foreign(tokens: list[str], asked: frozenset[str], read: frozenset[str]) -> bool:
    """Return whether a clause beside an answer that gives none speaks neither of what was asked nor of what was read.

    ``asked`` and ``read`` are stems. What binds or counts is a statement wherever it stands.

    >>> asked, read = frozenset({"novel"}), frozenset({"loan", "book"})
    >>> is_foreign("a librarian would love that".split(), asked, read), is_foreign(["novels", "exist"], asked, read)
    (True, False)
    """
    if not _BINDS.isdisjoint(tokens) or not _COUNTS.isdisjoint(tokens) or any(map(str.isdigit, tokens)):
        return False
    told = [stem(word) for word in tokens if word not in _LITTLE and word not in _TALK]
    return asked.isdisjoint(told) and sum(word in read for word in told) <= len(told) / _FAMILIAR


_FAMILIAR = 3
"""One word in so many may be one that was read too."""
_COUNTS = word_set(
    "one two three four five six seven eight nine ten dozen hundred thousand half double twice noon midnight"
)


def stems_of(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of the words of ``texts`` that tell something.

    >>> sorted(stems_of(("Where are the loans?",)))
    ['loan']
    """
    found = {word for text in texts for word in words(text)}
    return frozenset(stem(word) for word in found if word not in _LITTLE and word not in _TALK)


def turns_away(tokens: list[str]) -> bool:
    """Return whether a clause sends elsewhere whatever stands beside it: it is said to the reader, and binds nobody.

    >>> turns_away("you will want to reach out to asset management about that".split())
    True
    >>> turns_away("you must ask the dean".split()), turns_away("staff may ask the dean".split())
    (False, False)
    >>> turns_away("you may try to open it yourself".split())
    False
    """
    if any(word.isdigit() for word in tokens) or not _BINDS.isdisjoint(tokens):
        return False
    first = tokens[0]
    if first in ("that", "this", "it"):
        at = next((at for at, word in enumerate(tokens[:_NEAR]) if word in _FOR), 0)
        return at > 0 and tokens[at + 1 : at + 2] == ["for"]
    if first in ("i", "you"):
        offered = not _OFFERED.isdisjoint(tokens[1:3]) and (first == "i" or not _WANTED.isdisjoint(tokens[2:5]))
        near = tokens[1 : _NEAR + 3]
        return offered and any(word in _TURNS and near[at : at + 2] != ["try", "to"] for at, word in enumerate(near))
    return first in _ADDRESSED and not _TURNS.isdisjoint(tokens[1:_NEAR]) and tokens[:2] != ["please", "note"]


def _sends(tokens: list[str]) -> bool:
    """Return whether a clause sends someone to someone."""
    if not _TURNS.isdisjoint(tokens[:_NEAR]) or (tokens[0] in ("you", "i") and not _REACH.isdisjoint(tokens)):
        return True
    for at, word in enumerate(tokens):
        behind = tokens[at + 1 : at + 1 + _NEAR]
        if at and (word in _MODALS or word == "knows") and not _INFORMS.isdisjoint([word, *behind]):
            return True
        if at and word in _MODALS and _acts(tokens[:at]) and not _GIVES.isdisjoint(behind):
            return True
        if at and word in _GIVES and not _GIVEN.isdisjoint(behind):
            return True
        if word in _BEST and not _WHO.isdisjoint(behind[:2]):
            return True
        if word in _FOR and (behind[:1] == ["for"] or (word != "one" and not _SEEMS.isdisjoint(tokens[:at]))):
            return True
    return False


def _acts(subject: list[str]) -> bool:
    """Return whether a subject is named for what it does: "a banker", "your librarian", "the registrar"."""
    return any(word.endswith(_AGENTS) and len(word) > _SHORT for word in subject[-_NEAR:])


_AGENTS = ("er", "or", "ist", "ian", "ant", "eer", "ent", "ar", "desk", "office", "team", "staff")
_SHORT = 3
"""Letters that a word of those has at least; no one is named by fewer."""
