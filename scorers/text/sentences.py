"""Sentences of a text, and the claims of an answer, as spans that keep their place in the text.

Handles abbreviations and initials, decimals, lists, headings, tables and emphasis of markdown, fenced code, and
citation markers before or after the full stop. Every pass is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from adapters.caching import cached
from scorers.text.leads import TELLING
from scorers.text.normalize import is_particle, word_set
from scorers.text.plain import level, plain, untagged
from scorers.text.wrapped import unwrapped

MAX_ANSWER = 20_000
"""Characters of an answer that are split into claims; no answer for a person to read is longer."""

MAX_CLAIMS = 160
"""Claims of one answer that are judged, so that one answer costs a bounded amount of work."""

MAX_SENTENCE = 1_000
"""A longer run without a full stop is cut at a blank: it is a table or a log, not a sentence."""

MARKER = re.compile(
    r"\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,9}\]"
    r"|\u3010[^\u3011\n]{1,80}\u3011"
    r"|\[(?:doc|source|ref|passage|citation)[ _:#-]?\w{1,40}\]"
    r"|\[pp?\.?\s?\d{1,4}(?:\s?[\u2013-]\s?\d{1,4})?\]",
    re.IGNORECASE,
)
"""The usual citation markers: ``[1]``, ``[2, 3]``, ``[^4]``, ``[doc 5]``, ``[p. 3]`` and their full-width form."""

_RAISED = re.compile(
    r"(?:(?<=[.,;:!?)\]\"'*])|(?<=[^\W\d_]{3})|^)[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}", re.MULTILINE
)
"""A raised number behind a word or a stop, or before a line: a note. Behind a unit of two letters it is a power."""

_NOTE = re.compile(r"[ \t]{0,12}(?:[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]{1,3}|\[\^?\d{1,3}\]:)[ \t]{0,12}")
"""What opens a note at the foot of an answer."""

_REFERENCE = re.compile(
    r"(?<=\])\((?:[a-z]{2,8}:|/|#|\./|www\.)[^()\s]{0,400}\)"
    r"|\((?:see\s)?(?:section|sect?\.|page|pp?\.|chapter|clause|article|appendix|annex|\u00a7)\s?\d[\d.]{0,7}\)"
    r"|[(\[](?:sources?|ref(?:erence)?s?|citations?|quellen?|fuentes?|fonti|fonte|fontes|bron|bronnen"
    r"|\u017ar\u00f3d\u0142o|\u0438\u0437\u0442\u043e\u0447\u043d\u0438\u043a)\s?:[^()\[\]\n]{1,120}[)\]]"
    r"|\((?:see(?:\salso)?|cf\.|per|as\sper|from|according\sto)\s(?:(?:the|our|your|this|company)\s)?(?:[\w'-]{1,20}\s){0,4}"
    r"(?:policy|handbook|document|documentation|guide|guidelines|manual|faq|rules|regulations|terms|passage|context)"
    r"(?:[\s,;][^()\n]{0,60})?\)",
    re.IGNORECASE,
)
"""Where a link leads, and a document or its place in brackets: they say whence, not what."""

SentenceKind = Literal[
    "claim", "question", "lead_in", "heading", "abstention", "refusal", "referral", "request", "meta", "courtesy"
]
"""What a sentence does. The last five, and most abstentions, are told by `scorers.support.dialogue`."""

_PREFIX = re.compile(
    r"[ \t]*(?:>[ \t]*){0,8}(?:(?P<heading>#{1,6})[ \t]|(?:[-*+\u2022\u2023\u25e6]|\d{1,3}[.)]|[a-z][.)])[ \t])?[ \t]*"
)
_RULE = re.compile(r"[\s|:=_*~-]*")
# It begins with all that it may begin with, which is looked for fast. The lookbehind lets a run of stops be tried once,
# at its first; possessive repetition never gives back: linear.
_END = re.compile(
    r"[.!?\u061f\u0964\u3002\uff01\uff1f](?:"
    r"(?<=[.!?\u061f\u0964])(?<![.!?\u061f\u0964]{2})[.!?\u061f\u0964]*+[\"')\]*_]*+(?=\s|$)"
    r"|(?<=[\u3002\uff01\uff1f])[\u3002\uff01\uff1f]*+[\u300d\u300f\u201d]*+)"
)
_EMPHASIS = re.compile(r"[*_`|]+")
_LOOSE_STOP = re.compile(r" ([.,;!?]|n't\b|'(?:s|re|ve|ll|d|m)(?=\s|$))")
_MARKED = re.compile(r"[*_`|\s](?:(?<=[*_`|])|[.,;!?]|n'|'[srvldm])")
"""Without this, a line has nothing of the two above."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.){0,6}[^\W\d_]")
_ABBREVIATED = """approx art bros ca cf ch co corp dept dr e.g eg est et etc ext fig figs gen gov hon i.e ie inc incl jr
    lt ltd max messrs min mr mrs ms mt no nos nr op p.a para paras pp prof resp rev sec sect sen sgt sr st tel u.k u.s
    univ vol vs viz"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())

_ORDINAL = re.compile(
    r"(?<!\w)(?:am|zum|vom|im|beim|der|die|das|dem|den|des|jede[mnrs]?|eine[mnrs]?|\d\. (?:und|oder))\s\d{1,2}$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{1,20}")
"""A number behind a German article or preposition: with a stop it is an ordinal, "am 3. Werktag"."""
_NO_NOUNS = word_set(
    """der die das dem den des ein eine einen einem einer es er sie wir ihr ich man dies diese dieser dieses hier dort
    dann danach davor dazu daher bei im in am an auf aus mit nach von vor zu zur zum für über unter ab bis seit wenn
    falls sofern ob wer was wie wo wann warum bitte nur auch alle alles jede jeder jedes kein keine nicht the a an it
    if in on at this that these they we you he she i there then when for no not all please"""
)
"""Words that open a sentence and name nothing that could be numbered."""
_MONTH_NAMES = word_set(
    """januar jänner februar feber märz april mai juni juli august september oktober november dezember jan feb mär mrz
    apr jun jul aug sep sept okt nov dez"""
)
_MONTHS_CUT = word_set(
    """jan feb mar mär mrz apr jun jul aug sep sept oct okt nov dec dez janv févr juil déc ene abr dic giu lug fev"""
)
"""Months that are written with a stop; before a number it ends no sentence: "3 Sept. 2025"."""

# What an answer says of the evidence, or of itself, when it has no answer.
_ABSTENTION = re.compile(
    r"\b(?:i|we)\s(?:do\snot|don't|cannot|can't|could\snot|couldn't"
    r"|am\sunable\sto|am\snot\sable\sto|was\sunable\sto)"
    r"\s(?:know|find|answer|determine|tell|say|locate|confirm|have\s(?:enough|any|sufficient|that|this|the))\b"
    r"|\b(?:passages?|context|documents?|sources?|texts?|excerpts?|materials?|knowledge\sbase)\s"
    r"(?:provided\s|given\s|above\s|available\s|retrieved\s|i\shave\s){0,2}"
    r"(?:do\snot|does\snot|don't|doesn't|did\snot|didn't)\s"
    r"(?:explicitly\s|directly\s|specifically\s)?"
    r"(?:provide|mention|contain|specify|say|state|answer|indicate)\b"
    r"|\b(?:not|no)\s(?:\w{1,20}\s){0,2}(?:mentioned|provided|specified|stated|information|answer|found|available)\s"
    r"(?:\w{1,20}\s){0,3}in\sthe\s(?:\w{1,20}\s)?(?:passages?|context|documents?|sources?|texts?)\b"
    r"|\b(?:unable\sto|cannot\sbe|could\snot\sbe)\s(?:answer|answered|determine|determined)\b"
    r"|\bthere\sis\sno(?:t\s(?:enough|sufficient))?\s(?:\w{1,20}\s)?(?:information|evidence|mention)\b"
    r"|\bnot\senough\s(?:information|context|evidence)\b|\binsufficient\s(?:information|context|evidence)\b",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"(?:sources?|references?|citations?|further reading|quellen?|fuentes?|fonti|bronnen)(?:\s?:|$)", re.IGNORECASE
)
"""What opens the list of sources below an answer, or a line that names one."""
_STATES = re.compile(
    r"\b(?:is|are|was|were|must|shall|should|can|cannot|may|will|has|have|not|no|never|only|up to|at (?:least|most))\b"
    r"|[.!]$",
    re.IGNORECASE,
)
_LONGEST_SOURCE = 160
"""Characters of a line that names a source; what is longer, or states something, is read as what it states."""

_TELLS = re.compile(rf"{TELLING}(?=\S{{1,40}} \S{{1,40}} \S)", re.IGNORECASE)
"""A question that only tells something, in three words at least."""

_DENIALS = ("no", "n't", "unable", "insufficient")
_FEW_BLANKS = 2
"""A sentence of three words has as many."""

_OPENING = 400
"""Characters of a sentence in which an abstention announces itself."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at ``text[start:end]``; ``words`` is it in plain spelling, without markdown and citation markers."""

    start: int
    end: int
    words: str
    kind: SentenceKind

    @property
    def asserts(self) -> bool:
        """Whether it states something that evidence can support: a claim does, no other kind."""
        return self.kind == "claim"


@cached(maxsize=64, longest=8_000)
def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of ``text`` in order, headings and list items included.

    >>> [s.words for s in split_sentences("Dr. Roe pays 3.50 EUR. See fig. 2!")]
    ['Dr. Roe pays 3.50 EUR.', 'See fig. 2!']
    """
    return tuple(_sentences(untagged(unwrapped(level(text))), abstentions=False))


def split_statements(text: str, markers: Iterable[tuple[int, int]] = ()) -> tuple[Sentence, ...]:
    r"""Return the sentences of an answer but its headings: claims, and what leads to them, asks or abstains.

    Up to `MAX_CLAIMS` in `MAX_ANSWER` characters. ``markers`` are spans of citation markers; they, and the usual ones,
    are not part of what is said. A yes or no that stands alone is left out: it says nothing that a text could hold
    without what was asked. A piece of fewer than three words ("Yes.") joins the claim before it on its line, else
    the one that follows.

    >>> [each.kind for each in split_statements("# Leave\nIt is as follows:\n- Leave is 20 weeks.\nWhat else?")]
    ['lead_in', 'claim', 'question']
    >>> claims = split_statements("Yes. Leave is 20 weeks. [1]")
    >>> [(c.start, c.end, c.words) for c in claims]
    [(0, 23, 'Yes. Leave is 20 weeks.')]
    """
    found = _of_answer(text, markers)
    return tuple(one for one in found if one.kind != "heading" and not is_particle(one.words))[:MAX_CLAIMS]


def _of_answer(text: str, markers: Iterable[tuple[int, int]]) -> list[Sentence]:
    bounded = untagged(unwrapped(level(text[:MAX_ANSWER])))
    # All of them begin with one of these, which most answers do not have.
    bracketed = any(bracket in bounded for bracket in "[(\u3010")
    usual = [match.span() for each in (MARKER, _REFERENCE) for match in each.finditer(bounded)] if bracketed else []
    if not bounded.isascii():
        usual += [match.span() for match in _RAISED.finditer(bounded)]
    blanked = blank(bounded, (*markers, *usual))
    found = _with_footer(_without_notes(_sentences(blanked, abstentions=True), bounded))
    return _joined(list(found), blanked)


def _without_notes(sentences: Iterable[Sentence], text: str) -> Iterator[Sentence]:
    """Yield sentences, a note at the foot of an answer ("\u00b9 Travel policy, page 3") as one that names a source."""
    for sentence in sentences:
        led = _NOTE.match(text, text.rfind("\n", 0, sentence.start) + 1)
        noted = led is not None and sentence.start <= led.end() <= sentence.start + len(": ")
        noted = noted and sentence.asserts and _names_source(sentence.words)
        yield replace(sentence, kind="meta") if noted else sentence


def _with_footer(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences, those of a list of sources told apart; it ends where a line states something."""
    listed = False
    for sentence in sentences:
        opening = _FOOTER.match(sentence.words)
        names = (opening is not None or listed) and _names_source(sentence.words)
        if opening is not None and names:
            listed = opening.end() == len(sentence.words)
        elif not (listed and names and sentence.asserts):
            listed = False
            yield sentence
            continue
        yield sentence if sentence.kind == "heading" else replace(sentence, kind="meta")


def _names_source(words: str) -> bool:
    return len(words) <= _LONGEST_SOURCE and not _STATES.search(words)


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with each span overwritten by blanks, so that every offset stays what it was.

    >>> blank("Leave [1].", [(6, 9)])
    'Leave    .'
    """
    pieces: list[str] = []
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(text))  # noqa: PLW2901 - overlapping spans are merged
        if start < end:
            pieces.append(text[at:start])
            pieces.append(" " * (end - start))
            at = end
    pieces.append(text[at:])
    return "".join(pieces)


def claim_at(claims: tuple[Sentence, ...], offset: int, text: str) -> int | None:
    """Return the index of the claim that a marker at ``offset`` belongs to, or ``None`` where there is none.

    The claim around it; else the one that ends before it on the same line; else the one that follows it on its line.
    """
    before: int | None = None
    for index, claim in enumerate(claims):
        if claim.start <= offset < claim.end:
            return index
        if claim.end <= offset:
            before = index
            continue
        if before is not None and "\n" not in text[claims[before].end : offset]:
            return before
        return index if "\n" not in text[offset : claim.start] else before
    return before


def is_title(text: str, sentence: Sentence) -> bool:
    r"""Tell whether a sentence states nothing and names what follows: a line in bold letters, a heading without a verb.

    >>> text = "## Shared accounts\n\n**Theatre: what holders can exchange**\n\nSeason tickets."
    >>> [is_title(text, each) for each in split_sentences(text)]
    [True, True, False]
    """
    if sentence.kind == "heading" and not _STATES.search(sentence.words):
        return True
    # Of "**5. Shared accounts**" the number is a piece of its own.
    first = text.rfind("\n", 0, sentence.start) + 1
    if not text[first : sentence.start + len(_BOLD)].lstrip().startswith(_BOLD):
        return False
    end = text.find("\n", sentence.start)
    line = text[first : len(text) if end < 0 else end].strip()
    return line.startswith(_BOLD) and line.endswith(_BOLD) and not line[len(_BOLD) : -len(_BOLD)].count(_BOLD)


_BOLD = "**"


def _sentences(text: str, *, abstentions: bool) -> Iterator[Sentence]:
    """Yield the sentences of a text in which every character is in its plain spelling as far as it keeps its place."""
    at = 0
    fenced = False
    for line in text.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        if line.lstrip(" ").startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if _RULE.fullmatch(line):
            continue
        prefix = None if fenced else _PREFIX.match(text, start, end)
        body = start if prefix is None else prefix.end()
        heading = prefix is not None and prefix["heading"] is not None
        marked = _MARKED.search(line) is not None
        for first, last in _pieces(text, body, end):
            words = " ".join(plain(_EMPHASIS.sub(" ", text[first:last]) if marked else text[first:last]).split())
            if marked:
                words = _LOOSE_STOP.sub(r"\1", words)
            if words:
                yield Sentence(first, last, words, "heading" if heading else _kind(words, abstentions=abstentions))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield trimmed spans of the sentences in ``text[start:end]``, one line."""
    at = start
    for match in _END.finditer(text, start, end):
        if _ends_sentence(text, at, match.start(), match.end(), end):
            yield from _trimmed(text, at, match.end())
            at = match.end()
    yield from _trimmed(text, at, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_SENTENCE:
        cut = text.rfind(" ", start + 1, start + MAX_SENTENCE)
        cut = start + MAX_SENTENCE if cut < 0 else cut
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _ends_sentence(text: str, start: int, stop: int, after: int, end: int) -> bool:
    if text[stop] != "." or text[stop : stop + 2] == "..":
        return True
    before = text[max(start, stop - 20) : stop].replace("(", " ").replace("[", " ")
    last = before.split()[-1].lower() if before and not before[-1].isspace() else ""
    if last in _ABBREVIATIONS or ((len(last) == 1 or "." in last) and _INITIALS.fullmatch(last)):
        # "in the U.S. The ..." stays one sentence; "at 5 p.m. They" too: a missed cut costs less than a torn claim.
        return False
    following = text[after : min(end, after + 20)].lstrip()
    if last.isdigit() and len(last) <= len("31") and _is_ordinal(before, following):
        return False
    if last in _MONTHS_CUT and following[:1].isdigit():
        return False
    return not following[:1].islower()


def _is_ordinal(before: str, following: str) -> bool:
    """Return whether a number before a stop is an ordinal, as German writes them: "3. März", "der 2. Mahnung"."""
    word = _WORD.match(following)
    if word is None:
        return False
    named = word.group().lower()
    if named in _MONTH_NAMES:
        return True
    return named not in _NO_NOUNS and following[0].isupper() and _ORDINAL.search(before) is not None


def _kind(words: str, *, abstentions: bool) -> SentenceKind:
    if words.endswith(("?", "\uff1f", "\u061f")):
        return "claim" if words.isascii() and _TELLS.match(words) else "question"
    if words.endswith((":", "\uff1a")):
        return "lead_in"
    if abstentions and _denies(words) and _ABSTENTION.search(words, 0, _OPENING):
        return "abstention"
    return "claim"


def _denies(words: str) -> bool:
    """Return whether ``words`` has what every abstention has; asked first, since most claims have nothing of it."""
    folded = words[:_OPENING].lower()
    return any(part in folded for part in _DENIALS)


def _joined(sentences: list[Sentence], text: str) -> list[Sentence]:
    """Join claims of fewer than three words to a neighbouring claim of the same line."""
    result: list[Sentence] = []
    waiting: Sentence | None = None
    for sentence in sentences:
        current = sentence
        if waiting is not None:
            if sentence.asserts and "\n" not in text[waiting.end : sentence.start]:
                current = Sentence(waiting.start, sentence.end, f"{waiting.words} {sentence.words}", "claim")
            else:
                result.append(waiting)
            waiting = None
        if current.asserts and current.words.isascii() and current.words.count(" ") < _FEW_BLANKS:
            previous = result[-1] if result else None
            if previous is not None and previous.asserts and "\n" not in text[previous.end : current.start]:
                said = previous.words if is_particle(current.words) else f"{previous.words} {current.words}"
                result[-1] = Sentence(previous.start, current.end, said, "claim")
            else:
                waiting = current
        else:
            result.append(current)
    if waiting is not None:
        result.append(waiting)
    return result
