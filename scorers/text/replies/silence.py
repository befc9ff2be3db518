"""Whether an English clause says that there is no answer, read as subject, negation and verb.

Three subjects can lack an answer: the assistant ("I"), what it was given to read ("the summary", "what I was shown",
"it"), and what was asked ("whether dogs may come", "poster printing"). Of the assistant every denial is one of knowing
or doing. What was read is silent where it does not tell: no rule "discusses" or "goes into" what it rules. What was
asked is untold where it is not mentioned, described or stated, or not there: "printing is not covered" is a rule, "not
covered in what I have" is none. A verb before that makes a claim of it: "leave is paid and notice is not mentioned".
"""

from __future__ import annotations

from typing import Literal

from scorers.text.normalize import word_set

Silence = Literal["abstention", "refusal"]


def _forms(bases: str) -> frozenset[str]:
    """Return each verb with its endings; what is no word does no harm."""
    found: set[str] = set()
    for base in bases.split():
        short = base.removesuffix("e")
        found |= {base, f"{base}s", f"{base}es", f"{short}ed", f"{short}ing"}
        if base.endswith("y"):
            found |= {f"{base[:-1]}ies", f"{base[:-1]}ied"}
    return frozenset(found)


_TELL = _forms(
    "mention say state specify address discuss indicate explain describe clarify answer reveal touch talk deal "
    "refer speak tell elaborate go get delve comment detail outline define settle resolve disclose name suggest "
    "note spell distinguish treat concern relate bring help extend point hint differentiate expand dwell comprise"
) | word_set("said told goes going gets getting dealt spoke spoken spelt brought")
"""What a text does that tells of something; "go" and "get" into it."""
_TOLD = _forms(
    "mention state specify address discuss indicate explain describe clarify elaborate detail outline define name "
    "spell touch resolve raise"
) | word_set("spelt dealt")
"""What is done to a matter in words alone."""
PLACED = _TOLD | word_set("there covered included listed given provided available found published")
"""What is said of where something stands."""
_HOLD = _forms("contain include cover list provide offer show feature record present supply document hold") | word_set(
    "give gives gave given have has had make makes made held shown found settled there part in among within "
    "available accessible anything something visible apparent"
)
"""What a text does that holds something, and what something is that stands in one."""
_KNOW = (
    _forms(
    "know tell say find see locate determine confirm verify answer help assist speak work figure spot give offer "
    "provide predict advise comment recommend share point guess identify establish look check"
)
    | word_set("found seen sure certain able aware come clear")
)  # fmt: skip
_TEXT = word_set(
    "context passage passages source sources excerpt excerpts extract extracts snippet snippets material materials "
    "document documents documentation docs text texts page pages section sections article articles faq faqs "
    "paragraph paragraphs summary overview outline syllabus sheet manual handbook guide guideline guidelines "
    "leaflet brochure booklet instructions notes transcript chapter appendix annex wiki website site portal "
    "information info content contents data database index search results result knowledge file files upload "
    "uploads pdf wording clause clauses listing entries entry resources resource literature factsheet prospectus "
    "memo directory"
)
"""What is read, as against what rules."""
_PRINT = _TEXT - word_set(
    "data index database file files site website portal content contents entry entries results result search "
    "knowledge resource resources upload uploads page pages base"
)
"""Of those, what nothing but words is in."""
_RULES = word_set(
    "policy policies terms conditions rules regulations agreement lease contract code standard procedure procedures "
    "notice plan charter statute bylaws directive framework scheme provisions protocol"
)
"""What is written, and rules as well: such a text does not "cover" what it forbids."""
_FACTS = word_set(
    "information info detail details guidance answer answers specifics mention reference references indication "
    "figure figures clue clues hint word words trace sign record records statement statements fact facts "
    "description explanation rule rules instruction instructions list entry entries date dates amount number name "
    "names about on regarding concerning of relevant specific data definition deadline provision provisions section "
    "passage say"
)
"""What a text may give none of."""
_SELVES = word_set("i we me us my our")
_PRONOUNS = word_set("it they this that these those neither none nothing both either which")
ASKED = word_set("whether what who whom how when where why which if whatever")
_NEGATIONS = word_set("not never no nothing none neither nowhere hardly little nor few")
_BE = word_set("is are was were be been being get gets got seems appears")
PREDICATES = _BE | word_set(
    "do does did has have had can could will would may might should shall seem appear happen am"
)
_ADVERBS = word_set(
    "really actually specifically explicitly currently directly quite yet even anywhere ever much be been to being "
    "seem appear happen also just further fully clearly expressly exactly too very so as readily immediately "
    "necessarily otherwise separately particularly the a an quick"
)
_LOCATED = word_set("in within among from by inside on under throughout across part of anywhere")
_HERE = word_set("here anywhere nowhere there either explicitly specifically")
_STATES = word_set(
    "is are was were has must shall may can will applies apply costs cost receive receives get gets expires lasts "
    "requires require takes take allows allow includes covers gives gave needs need"
)
_OPENED = word_set("i we you that which who what whether if how when where why")
_LIMITS = word_set("outside beyond above")
_LIES = word_set("is are was were fall falls go goes lie lies reach reaches extend extends seems sounds")
_MATTERS = word_set(
    "this that it these those question questions matter matters topic topics request one issue subject query decision"
)
_OPEN = word_set("open unanswered unclear unsaid unresolved unknown undecided undefined unspecified aside out")
_GUESSES = word_set(
    "guess guessing speculate speculation speculating guesswork assume assuming assumption inappropriate "
    "irresponsible misleading premature misinform mislead steer invent"
)
_DRAWN = word_set("drawn inferred concluded deduced determined derived answered established found said made judged")
_CONCLUSIONS = word_set("conclusion conclusions statement answer inference judgement judgment assessment")
_UNABLE = word_set("unable unsure uncertain unaware unfamiliar lack lacked blank empty wish hate prefer rather decline")
_CUES = _NEGATIONS | word_set("zero absent") | _LIMITS | _OPEN | _GUESSES | _UNABLE
"""Words without one of which no clause says so."""
_FRAMES: tuple[tuple[str, ...], ...] = (
    ("it", "looks", "like"), ("it", "seems", "like"), ("it", "seems", "that"), ("it", "appears", "that"),
    ("it", "seems", "as", "if"), ("it", "looks", "as", "if"), ("looks", "like"), ("seems", "like"), ("it", "seems"),
    ("it", "appears"), ("i", "am", "afraid", "that"), ("i", "am", "afraid"), ("it", "turns", "out"), ("turns", "out"),
    ("to", "be", "honest"), ("to", "be", "fair"), ("in", "all", "honesty"), ("and",), ("but",), ("so",), ("yet",),
    ("though",), ("although",), ("while",), ("since",), ("because",), ("as",), ("then",), ("well",), ("oops",),
    ("hmm",), ("no", "luck"), ("afraid",), ("sorry",), ("honestly",), ("unfortunately",), ("regrettably",), ("sadly",),
    ("however",), ("at", "present"),
    ("at", "this", "time"), ("right", "now"), ("currently",), ("result",), ("results",), ("that", "said"), ("also",),
    ("therefore",), ("still",), ("alas",), ("for", "now"), ("please", "note", "that"), ("note", "that"),
)  # fmt: skip
"""What stands before a clause and leaves what it says as it is."""
_FRAMES_BY_FIRST = {
    first: [frame for frame in _FRAMES if frame[0] == first] for first in {frame[0] for frame in _FRAMES}
}
_NEAR, _VERB, _WIDE = 3, 5, 14
"""Words to a subject's speaker, to a verb behind a negation, and to the place something is missing from."""


def silence_of(tokens: list[str]) -> Silence | None:
    """Return how a clause says that there is no answer, ``None`` where it does not.

    >>> silence_of("the sections i can see do not really go into uniforms".split())
    'abstention'
    >>> silence_of("poster printing never comes up".split()), silence_of("uniforms are not covered".split())
    ('abstention', None)
    """
    if _CUES.isdisjoint(tokens):
        return None
    rest = unframed(tokens)
    if not rest:
        return None
    if _beyond(rest) or _would_guess(rest):
        return "refusal"
    if _blank(rest) or _left_open(rest) or _no_conclusion(rest) or _nothing_tells(rest):
        return "abstention"
    for at, word in enumerate(rest):
        if word in _NEGATIONS and _denies(rest[:at], word, rest[at + 1 :]):
            return "abstention"
    return "refusal" if _self_unable(rest) else None


def unframed(tokens: list[str]) -> list[str]:
    """Return the words behind what only frames them: "it looks like", "but", "unfortunately"."""
    rest = tokens
    while rest:
        size = next((len(each) for each in _FRAMES_BY_FIRST.get(rest[0], ()) if rest[: len(each)] == list(each)), 0)
        if not size:
            break
        rest = rest[size:]
    return rest


_BINDING = word_set("should must shall")


def _denies(left: list[str], negation: str, right: list[str]) -> bool:
    """Return whether what stands around a negation denies that something is told or known."""
    if _states(left):
        return False
    while left and left[-1] in _ADVERBS and left[-1] not in _BE:
        left = left[:-1]
    subject = left
    while subject and subject[-1] in PREDICATES:
        subject = subject[:-1]
    if left and left[-1] in _BINDING and not _is_self(subject):
        return False  # "a power source should not have more than 12 volts" is a rule
    if negation in ("not", "never", "hardly", "neither", "nor"):
        return _verb_denied(left, subject, right)
    if negation == "nowhere":
        return bool(left) and left[-1] in _BE and any(word in _TOLD or word == "found" for word in right[:_NEAR])
    return _object_denied(left, subject, right)


def _verb_denied(left: list[str], subject: list[str], right: list[str]) -> bool:
    """Return whether a verb that is denied is one of telling or knowing: "does not go into", "could not find"."""
    if left[:1] == ["there"]:
        return _is_located("", right, [])
    verb = next((at for at, word in enumerate(right[:_VERB]) if word not in _ADVERBS), -1)
    if verb < 0:
        return False
    word, behind = right[verb], right[verb + 1 :]
    if word == "able" and behind[:1] == ["to"]:
        word, behind = next((each for each in behind[1:_NEAR] if each not in _ADVERBS), word), behind[2:]
    if _is_self(subject) or (subject[:1] == ["i"] and subject[-1] in ("and", "or")):
        return word in _KNOW or word in _TELL or word in _HOLD
    if (left and left[-1] in _BE) or not _BE.isdisjoint(right[:verb]):
        return _untold(word, behind, subject)
    if word in _GETS and any(each in _TOLD and each.endswith(_PARTICIPLES) for each in behind[:2]):
        return True
    return not (word == "have" and behind[:1] == ["to"]) and _untelling(word, behind, subject)


def _untold(word: str, behind: list[str], subject: list[str]) -> bool:
    """Return whether what a subject is said not to be leaves it untold: "not mentioned", "not among the topics"."""
    if word in _TOLD or (word == "among" and not _MATTERS.isdisjoint(behind[:_NEAR])):
        return True
    if word in _PLAIN and not (_PRONOUNS | ASKED).isdisjoint(subject[:1]):
        return word != "possible" or not _KNOW.isdisjoint(behind[:_NEAR])
    if word in _HOLD or word in _TEXT:
        return _is_located(word, behind, subject)
    return _is_printed(behind)


def _untelling(word: str, behind: list[str], subject: list[str]) -> bool:
    """Return whether what a subject is said not to do is telling: "does not come up", "do not get into"."""
    if subject[-1:] == ["we"] and word in ("match", "find", "locate", "identify"):
        return not _MATTERS.isdisjoint(behind[:_VERB]) or not _TEXT.isdisjoint(behind)
    if word in _COMES and "up" in behind[:2]:
        return _PEOPLE.isdisjoint(subject)  # who does not show up stays away
    if word in _APPEARS or (word == "have" and not behind):
        return _is_located(word, behind, subject)
    if word in _GETS:
        return (_is_text(subject) or _is_rule(subject[:-1])) and not _INTO.isdisjoint(behind[:2])
    if word in _TELL:
        return _is_source(subject)
    return word in _HOLD and (_is_text(subject) or (_is_rule(subject) and not _FACTS.isdisjoint(behind[:_NEAR])))


_PARTICIPLES = ("ed", "lt")
_PLAIN = word_set("clear known evident certain obvious possible")
_GETS = word_set("get gets getting got go goes bring")
_COMES = word_set("come comes crop crops show turn")
_PEOPLE = word_set("who whoever you anyone anybody someone somebody he she")
_APPEARS = word_set("appear feature occur figure")
_INTO = word_set("into over up beyond further")


def _object_denied(left: list[str], subject: list[str], right: list[str]) -> bool:
    """Return whether the object of a verb is none: "it gives no figure for", "i see nothing on"."""
    verb = left[-1] if left else ""
    if left[:1] == ["there"] or verb in ("there", "theres"):
        return _is_located("", right, []) or not _SELVES.isdisjoint(right)
    if not left:
        return False
    head = left[:-1] if verb not in PREDICATES or verb in ("has", "have", "had") else subject
    if _is_self(head) and (verb in _KNOW or verb in _HOLD):
        return True
    telling = verb in _TELL or verb in _HOLD
    what = right[:_VERB]
    if verb in _GIVES and not _PRINT.isdisjoint(head):
        return True  # no text "gives no temperature" of what it rules
    return telling and _is_source(head) and (verb in _SAYS or not _FACTS.isdisjoint(what))


_GIVES = word_set("give gives gave list lists listed name names named specifies specify quote quotes")
_SAYS = word_set("say says said state states mention mentions tell tells reveal reveals discuss discusses")


def _states(left: list[str]) -> bool:
    """Return whether something is stated before, other than within what is asked or what the speaker has."""
    if left[:1] and left[0] in ASKED:
        return False
    return any(word in _STATES and _OPENED.isdisjoint(left[max(0, at - 2) : at]) for at, word in enumerate(left[:-2]))


def _is_self(subject: list[str]) -> bool:
    """Return whether the assistant is who does something: "i", "what i", "i really"."""
    core = [word for word in subject[-_NEAR:] if word not in _ADVERBS]
    return core[-1:] == ["i"]


def _is_text(subject: list[str]) -> bool:
    return not _TEXT.isdisjoint(subject) or (len(subject) > 1 and not _SELVES.isdisjoint(subject))


def _is_rule(subject: list[str]) -> bool:
    return not _RULES.isdisjoint(subject) or (len(subject) == 1 and subject[0] in _PRONOUNS)


def _is_source(subject: list[str]) -> bool:
    return _is_text(subject) or _is_rule(subject)


def _is_located(word: str, behind: list[str], subject: list[str]) -> bool:
    """Return whether something is said to be missing from what was read, or from here."""
    near = behind[:_WIDE]
    if not _HERE.isdisjoint(near) and word not in ("available", "accessible"):
        return True
    if subject and word in ("something", "anything"):
        return not _TEXT.isdisjoint(near) or not {"i", "my", "me"}.isdisjoint(near)
    inside = word in ("in", "among", "part", "within") or not _LOCATED.isdisjoint(near)
    return inside and (not _TEXT.isdisjoint(near) or not {"i", "my", "me"}.isdisjoint(near))


def _is_printed(behind: list[str]) -> bool:
    """Return whether something is denied of a place in a text: "not published in this guideline"."""
    for at, word in enumerate(behind[:_NEAR]):
        if word in ("in", "within", "under", "among", "from", "by"):
            place = behind[at + 1 : at + 1 + _VERB]
            return not _PRINT.isdisjoint(place) or (word != "by" and not {"i", "me", "my"}.isdisjoint(place))
    return False


def _beyond(rest: list[str]) -> bool:
    """Return whether what is asked is said to lie outside of what can be answered."""
    at = next((at for at, word in enumerate(rest) if word in _LIMITS), 0)
    if not at or rest[at - 1] not in (_LIES | _MATTERS):
        return False
    mine = rest[at + 1 : at + 2] in (["my"], ["me"], ["what"])
    if not mine and (rest[at] == "above" or _MATTERS.isdisjoint(rest[: at + 1])):
        return False
    return not _states(rest[:at]) and not any(map(str.isdigit, rest))


def _would_guess(rest: list[str]) -> bool:
    """Return whether an answer is said to be a guess, or one that is not given for that reason."""
    at = next((at for at, word in enumerate(rest) if word in _GUESSES), -1)
    if at < 0 or _states(rest[: max(0, at - 1)]):
        return False
    before = rest[:at]
    led = not _SELVES.isdisjoint(before) or before[:1] in (["it"], ["that"], ["this"], ["any"], ["anything"])
    return led and not {"would", "not", "rather", "only", "be", "hate", "is"}.isdisjoint(before)


def _blank(rest: list[str]) -> bool:
    """Return whether a search or a text comes to nothing: "the page draws a blank", "it neither allows nor forbids"."""
    if "blank" in rest:
        return not {"draw", "draws", "drawing", "drew", "am", "come", "came", "comes"}.isdisjoint(rest)
    if "zero" in rest:
        return not _TEXT.isdisjoint(rest) or not {"matches", "hits", "mention", "mentions"}.isdisjoint(rest)
    if "absent" in rest:
        return not _MATTERS.isdisjoint(rest[:_VERB]) or not _TEXT.isdisjoint(rest)
    if "neither" in rest and "nor" in rest:
        return _is_source(rest[: rest.index("neither")]) and rest[0] != "neither" and len(rest) > _VERB
    return rest[0] == "not" and len(rest) <= _NEAR and not PLACED.isdisjoint(rest[1:])


def _left_open(rest: list[str]) -> bool:
    """Return whether a text leaves a question open, or a question remains so."""
    at = next((at for at, word in enumerate(rest) if word in ("leave", "leaves", "left", "remains", "remain")), 0)
    if not at or _OPEN.isdisjoint(rest[at + 1 : at + 1 + _VERB]):
        return False
    subject = rest[:at]
    while subject and subject[-1] in PREDICATES:
        subject = subject[:-1]
    if not rest[at].startswith("remain") and rest[at - 1] not in _BE:
        # What is left open is the question, and not a window.
        left = rest[at + 1 : at + 1 + _VERB]
        return _is_source(subject) and "you" not in subject and (left[0] in _OPEN or not _MATTERS.isdisjoint(left))
    if rest[at].startswith("left") and rest[at - 1] in _BE:
        return subject[-1:] in (["question"], ["matter"], ["issue"], ["point"]) or rest[0] in ASKED
    return _is_source(subject) or not _MATTERS.isdisjoint(subject[:_NEAR]) or rest[0] in ASKED


def _no_conclusion(rest: list[str]) -> bool:
    """Return whether nothing is said to follow: "no conclusion can be drawn"."""
    if rest[0] == "no" and not _CONCLUSIONS.isdisjoint(rest[1:_NEAR]):
        return not _DRAWN.isdisjoint(rest)
    named = rest[0] == "no" and any(
        word in _BE and not _TOLD.isdisjoint(rest[at + 1 : at + 3]) for at, word in enumerate(rest)
    )
    lacking = (
        rest[0] == "no" and not _FACTS.isdisjoint(rest[1:_NEAR]) and not {"to", "of", "on", "about"}.isdisjoint(rest)
    )
    return named or (lacking and not any(map(str.isdigit, rest)) and _STATES.isdisjoint(rest))


def _nothing_tells(rest: list[str]) -> bool:
    """Return whether nothing of what was read tells: "nothing in the terms indicates", "neither document makes"."""
    if rest[0] not in ("nothing", "none", "neither", "no", "not"):
        return False
    at = next(
        (at for at, word in enumerate(rest) if word in _TELL or word in ("makes", "contains", "provides", "has")), 0
    )
    return at > 0 and (_is_text(rest[1:at]) or (_is_rule(rest[1:at]) and rest[at] in _TELL))


def _self_unable(rest: list[str]) -> bool:
    """Return whether the assistant is said to be unable or unwilling: "i am drawing a blank"."""
    return rest[0] == "i" and not _UNABLE.isdisjoint(rest[1:_VERB])
