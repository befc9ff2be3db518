"""What the sentences nearest to a claim say about it, as statements: agreed, contradicted or undecided."""

from __future__ import annotations

import heapq
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorers.statements.base import Difference, DifferenceKind, StatementComparison
from scorers.statements.clauses import FIGURE_WEIGHT, read_clauses
from scorers.statements.comparison import LANGUAGES, examine
from scorers.statements.features import NAMES, features_of
from scorers.statements.quantities.numerals import numerals
from scorers.statements.roles import is_transfer
from scorers.statements.ties import LONGEST
from scorers.statements.words import word_of
from scorers.support.abroad import bind_abroad
from scorers.support.acquitting import acquitted
from scorers.support.alignment import Alignment
from scorers.support.asides import told_aside
from scorers.support.binding import UNBOUND, Bound, bind
from scorers.support.bracketing import Bracketed, bracketed
from scorers.support.conditioned import told_from_behind
from scorers.support.contraries.apportioned import told_apart
from scorers.support.contraries.denied import denied_so
from scorers.support.contraries.particles import against_itself
from scorers.support.contraries.reading import marks_of, negations
from scorers.support.contraries.ruling import ruled_out
from scorers.support.contraries.swaps import changed_places, reordered
from scorers.support.contraries.unmet import unmet_so
from scorers.support.crossing import crossed, transfers
from scorers.support.crowding import is_by_chance
from scorers.support.editing import edited
from scorers.support.elsewhere import outside
from scorers.support.equations import misreckoned
from scorers.support.listing import in_full
from scorers.support.overstepping import overstepped
from scorers.support.periods import dated
from scorers.support.placing import placed
from scorers.support.repeated import repeated
from scorers.support.stepping import stepped
from scorers.support.tabular.deciding import decided
from scorers.support.tiers import tiered
from scorers.support.timetables.clocked import clocked
from scorers.support.timetables.judging import is_timed, timed
from scorers.support.tying import SHORTEST
from scorers.support.waiving import bind_waived
from scorers.text.language import LanguageCode, language_of, name_of
from scorers.text.normalize import behind_particle
from scorers.text.sentences import is_title
from scorers.text.stemming import stem

NEAREST = 4
"""Statements of the context that a claim is compared with."""
NEAREST_ABROAD = 40
"""The same in another language than English, where the nearest of these are found by its own stems and synonyms."""
CLOSE = 0.6
"""A claim of which no statement holds this share, weighted by rarity, is no other wording of one: nothing is compared.
"""


LEAST_PART, CLOSE_PART = 2, 0.7
"""The same for the main part of a clause: terms it must have, and the share of them that a statement must hold."""

WHOLE, PARTED = 0.95, 0.35
"""From which share of a claim's words on a text has them all, and which share a sentence of it must have then."""

SURE = 0.65
"""A weaker difference is reported, but contradicts nothing.

Of 3,091 claims that people left unmarked in 600 answers of question answering (RAGTruth), 1.6 % differ from .5 on and
0.8 % from here on; of wrong policy statements found at all, nine in ten reach .7."""


SURE_OF: Mapping[DifferenceKind, float] = {
    **dict.fromkeys(("entity", "quantity", "opposite"), 0.7),
    **dict.fromkeys(("bound", "order", "exception"), 0.75),
}
"""The same of kinds that a right claim over English prose has in other words, too.

Of 57,000 statements beside passages that say the same or otherwise in other words (`training/pairs/paired`), those
with such a difference below this are right more than two times in five; from here on they are one time in four."""


class Stated(NamedTuple):
    """What the context states of a claim: the outcome, and the source and words of the statement that decided.

    ``seen`` is what the comparison saw, as `scorers.statements.features` names it; ``bound`` what the values
    of the context say. ``cased``: it agrees as a case of a rule, a deadline, a step or a timetable. ``acquitted``: what
    seemed to differ is no difference, which says nothing of its figures.
    """

    comparison: StatementComparison
    source: int | None = None
    words: str = ""
    seen: tuple[float, ...] = (0.0,) * len(NAMES)
    bound: Bound = UNBOUND
    cased: bool = False
    acquitted: bool = False

    @property
    def strength(self) -> float:
        """The probability that what differs makes the claim wrong; 0 where nothing does, or not surely enough."""
        found = self.comparison
        if found.outcome != "contradicts" or found.difference is None:
            return 0.0
        return found.difference.strength if found.difference.strength >= SURE else 0.0

    @property
    def differs(self) -> str:
        """What the claim and the statement say differently, as a reader is told; empty where they do not."""
        found = self.comparison
        return told(found.difference) if found.outcome == "contradicts" and found.difference is not None else ""


NOTHING = Stated(StatementComparison("undecided", undecided="no statement of the context is close to the claim"))


def told(difference: Difference) -> str:
    """Say what differs.

    >>> told(Difference("modality", "may", "must", 0.9))
    'modality differs: "may" against "must"'
    """
    return f'{difference.kind} differs: "{difference.claimed}" against "{difference.told}"'


def stated(aligned: Alignment, question: str | None, language: LanguageCode | None = "en") -> Stated:
    """Return what the statements and the tables of the context say of a claim.

    What a statement agrees with is not contradicted by a table; what a table has so is no other value or name. Nothing
    is compared where claim and context are in two languages (``language`` is ``None``), or in one that is not read.
    """
    if language not in LANGUAGES:
        return _unread(language)
    if (same := repeated(aligned, question, language)) is not None:
        return Stated(same.comparison, same.source, same.words, same.seen)
    said = _without_derived(_compared(aligned, question, language), aligned)
    side = placed(aligned) if language == "en" else None
    if language == "en":
        at_time = clocked(aligned)
        said = _with_case(said, side or _case(aligned) or at_time, aligned)
        if at_time is None:  # a time that is a case opens and closes nothing
            said = _with_times(said, aligned)
    differs = said.comparison.difference
    if (
        language == "en"
        and said.strength
        and differs is not None
        and (
            acquitted(differs, said.words, aligned, question)
            or (differs.kind in _OF_CASE and unmet_so(aligned.claim.sentence.words, question, said.words))
            or (differs.kind in _DENIED and denied_so(aligned))
            or told_aside(differs, said.words, aligned)
        )
    ):
        agrees = StatementComparison("agrees", source=said.source)
        said = Stated(agrees, said.source, said.words, bound=said.bound, acquitted=differs.kind not in _OF_FIGURES)
    differs = said.comparison.difference
    if (
        language == "en"
        and said.strength
        and differs is not None
        and is_by_chance(differs, said.words, said.source, aligned)
    ):
        said = Stated(
            StatementComparison("undecided", undecided=_OF_ANOTHER), said.source, said.words, bound=said.bound
        )
    if side is not None and side.difference is not None:
        return _with_case(said, side, aligned)  # five nights are not within three, whatever else the sentence says
    if language != "en":
        return said
    if not said.strength and told_apart(aligned):
        said = said._replace(comparison=StatementComparison("agrees", source=said.source), cased=True)
    said = said if said.strength else _with_edit(said, aligned)
    words = aligned.claim.sentence.words
    turned = against_itself(words, question) or misreckoned(words)
    return said if turned is None else said._replace(comparison=StatementComparison("contradicts", turned))


_OF_ANOTHER = "what differs is told of something else"
_OF_FIGURES = frozenset({"date", "entity", "quantity", "bound", "unit", "order"})
_OF_CASE = frozenset({"polarity", "modality", "opposite", "condition", "exception"})
_DENIED = frozenset({"polarity", "modality", "exception", "condition", "role"})


def _with_edit(said: Stated, aligned: Alignment) -> Stated:
    """Return what is stated, with the one small word that a claim changes in the sentence that it copies."""
    found = edited(aligned)
    if found is None or (found.difference.kind == "bound" and acquitted(found.difference, found.words, aligned, None)):
        return said
    if found.difference.kind == "polarity" and (
        told_from_behind(aligned.claim.sentence.words[:LONGEST], found.words)
        or (said.comparison.outcome == "agrees" and _denies_as(aligned.claim.sentence.words, found.words))
    ):
        return said
    if said.comparison.outcome == "agrees" and in_full(aligned, found.words) != (found.words,):
        return said
    if found.difference.kind == "role" and reordered(aligned.claim.sentence.words, found.words):
        return said
    if said.cased:
        return said  # "12 September" under "by 30 September" is no slip
    return said._replace(
        comparison=StatementComparison("contradicts", found.difference), source=found.source, words=found.words
    )


def _denies_as(claim: str, told: str) -> bool:
    """Tell whether a claim is a "no" before what its source denies in its one clause: "no lenses", not permitted."""
    ours, theirs = (marks_of(text[:LONGEST]) for text in (claim, told))
    return bool(ours) and ours[0].text == "no" and negations(ours) == negations(theirs) == 1


def _case(aligned: Alignment) -> Bracketed | None:
    """Return what a rule with a bound, a deadline, a step or tiers says of the case that a claim describes."""
    found = bracketed(aligned) or dated(aligned) or stepped(aligned) or tiered(aligned)
    return found or overstepped(aligned) or outside(aligned)


def _with_case(said: Stated, found: Bracketed | None, aligned: Alignment) -> Stated:
    """Return what is stated, with what a rule with a bound or with hours says of the case that a claim describes."""
    if found is None:
        return said
    if found.difference is None:
        if said.comparison.outcome == "agrees":
            return said._replace(cased=True)
        differs = said.comparison.difference
        kind = differs.kind if said.strength and differs is not None else ""
        if kind == "order" or (kind == "role" and changed_places(aligned.claim.sentence.words, said.words)):
            return said  # "14 days before it" is no case of "within 14 days of it", whoever does it
        return Stated(
            StatementComparison("agrees", source=found.source), found.source, found.words, said.seen, said.bound, True
        )
    if said.strength >= found.difference.strength:
        return said
    return said._replace(
        comparison=StatementComparison("contradicts", found.difference), source=found.source, words=found.words
    )


def _with_times(said: Stated, aligned: Alignment) -> Stated:
    """Return what is stated, with what the timetables of a context say of the days and times of a claim."""
    found = timed(aligned)
    if found is None:
        return said
    if found.difference is None:
        differs = said.comparison.difference
        of_times = differs is not None and is_timed(differs.claimed, differs.told)
        if not of_times and not (found.whole and (differs is None or differs.kind == "entity")):
            return said
        return Stated(StatementComparison("agrees", source=found.source), found.source, found.words, bound=said.bound)
    if said.strength >= found.difference.strength:
        return said
    return said._replace(
        comparison=StatementComparison("contradicts", found.difference), source=found.source, words=found.words
    )


def _without_derived(said: Stated, aligned: Alignment) -> Stated:
    """Return what is stated, undecided where another value than one stands there that follows from those there."""
    differs = said.comparison.difference
    if differs is not None and differs.kind in _OF_RATED and any(said.words in each for each in aligned.rated):
        return said._replace(comparison=StatementComparison("undecided", undecided=_FOLLOWS))
    if differs is None or differs.kind not in _VALUED:
        return said
    if not any(_digits(each.written) == _digits(differs.claimed) for each in (*aligned.derived, *aligned.cases)):
        return said
    return said._replace(comparison=StatementComparison("undecided", undecided=_FOLLOWS))


def _digits(words: str) -> str:
    return "".join(filter(str.isdigit, words)) or words.lower()


_FOLLOWS = "the value follows from others of the context"
_OF_RATED = frozenset({"entity", "opposite"})
"""What a statement whose rate comes to the value of a claim seems to say of something else: of the small hall."""
_VALUED = frozenset({"quantity", "unit", "date", "entity", "bound"})


def _compared(aligned: Alignment, question: str | None, language: LanguageCode) -> Stated:
    said = _of_statements(aligned, question, language)
    if language == "en" and (said.comparison.outcome != "agrees" or len(aligned.unique) <= SHORTEST):
        said = _with_values(said, bind(aligned, question))
    if language != "en" and said.comparison.outcome != "agrees":
        said = _with_values(said, bind_abroad(aligned, question, language))
    if language != "en" and not said.strength:
        said = _with_values(said, bind_waived(aligned, question, language))._replace(bound=said.bound)
    if language == "en":
        said = _with_crossing(said, aligned, question)
        said = _with_rules(_weakened(said), aligned, question)
    if said.comparison.outcome == "agrees" or not aligned.context.tables:
        return said
    if said.bound.strength >= SURE and len(aligned.unique) <= SHORTEST:
        return said  # a table knows nothing of what was asked
    over = _over_tables(aligned)._replace(bound=said.bound)
    differs = said.comparison.difference
    if over.comparison.outcome == "undecided" or (differs is not None and differs.kind not in _LOOKED_UP):
        return said
    surer = differs is not None and differs.kind == "unit" and over.strength > said.strength
    return over if differs is None or surer or over.comparison.outcome == "agrees" else said


def _weakened(said: Stated) -> Stated:
    """Return what is stated, with a difference that is not sure enough of its kind as one that contradicts nothing."""
    differs = said.comparison.difference
    if differs is None or said.strength >= SURE_OF.get(differs.kind, SURE):
        return said
    return _weaker(said)


def _weaker(said: Stated) -> Stated:
    """Return what is stated with its difference as one that contradicts nothing."""
    differs = said.comparison.difference
    if differs is None:
        return said
    weak = differs._replace(strength=min(differs.strength, _WEAK))
    return said._replace(comparison=said.comparison._replace(difference=weak))


_WEAK = 0.6


def _with_values(said: Stated, bound: Bound) -> Stated:
    """Return what is stated with what the values of the context say, where that is surer."""
    difference = bound.difference
    if difference is None or difference.strength < SURE or said.strength >= difference.strength:
        return said._replace(bound=bound)
    return Stated(StatementComparison("contradicts", difference), bound.source, bound.words, said.seen, bound)


def _with_crossing(said: Stated, aligned: Alignment, question: str | None) -> Stated:
    """Return what is stated with what a claim puts together of two parts of its context.

    "Bell lost to Sol" is no opposite of "Sol beat Bell".
    """
    differs = said.comparison.difference
    if differs is not None and differs.kind == "opposite" and transfers(aligned):
        return Stated(StatementComparison("undecided", undecided=_TRANSFER), said.source, said.words)
    if said.strength and differs is not None and differs.kind != "opposite":
        return said
    found = crossed(aligned, question)
    if found is None or found.difference.strength < SURE or (said.strength and found.difference.kind != "role"):
        return said
    return said._replace(
        comparison=StatementComparison("contradicts", found.difference), source=found.source, words=found.words
    )


def _with_rules(said: Stated, aligned: Alignment, question: str | None) -> Stated:
    """Return what is stated with what a rule of the context rules out of a claim, where nothing is surer."""
    found = ruled_out(aligned, question)
    if found is None or found.difference.strength <= said.strength:
        return said
    if found.difference.kind == "opposite" and is_transfer(found.difference.claimed) and transfers(aligned):
        return said
    return said._replace(
        comparison=StatementComparison("contradicts", found.difference), source=found.source, words=found.words
    )


_TRANSFER = "the source tells of it from the other side"


_LOOKED_UP = frozenset({"quantity", "entity", "date", "unit"})


def _over_tables(aligned: Alignment) -> Stated:
    """Return what the tables and records of the context say of a claim, and the words of the cell that decided."""
    context = aligned.context
    found = decided(context.told_by_tables(aligned.claim.sentence.words), context.tables)
    if found.source is None:
        return Stated(found)
    source = context.table_source(found.source)
    words = "" if found.difference is None else found.difference.told
    return Stated(found._replace(source=source), source, words)


def _unread(language: LanguageCode | None) -> Stated:
    why = "words of different languages are not compared"
    if language is not None:
        why = f"statements in {name_of(language)} are not compared"
    return Stated(StatementComparison("undecided", undecided=why))


def _of_statements(aligned: Alignment, question: str | None, language: LanguageCode) -> Stated:
    """Return what the statements nearest to a claim say of it.

    Structured data is left out: its lines are labels and values, which tables compare.
    """
    if not aligned.total or all(source.record is not None for source in aligned.context.sources):
        return NOTHING
    found = _near_statements(aligned, language)
    most = NEAREST if language == "en" else NEAREST_ABROAD
    places = [(source, words) for _, source, words in heapq.nlargest(most, dict.fromkeys(found), key=_near)]
    if not places:
        return NOTHING
    full = [(source, each) for source, words in places for each in in_full(aligned, words)] if language == "en" else []
    said = _examined(aligned, question, language, full or places)
    if language == "en" and (first := _BUT.match(aligned.claim.sentence.words)) and said.comparison.outcome == "agrees":
        # "Keys may be passed on but not copied" states two things; the first may be denied as well.
        alone = _examined(aligned, question, language, full or places, first["states"])
        said = alone if alone.comparison.outcome == "contradicts" else said
    if not full or full == places:
        return said
    differs = said.comparison.difference
    if differs is not None and differs.kind not in _VALUED:
        return _examined(aligned, question, language, places)  # parts are told apart for their values
    if said.comparison.outcome == "undecided":
        # What a list says of a value that stands far from its first words, it says as a whole.
        whole = _examined(aligned, question, language, places)
        return whole if whole.comparison.outcome == "contradicts" else said
    return said


_BUT = re.compile(
    r"(?P<states>[^,;:]{8,200}?),? but (?:(?:not|never|cannot) (?:be )?[a-z]{2,15}(?:ed|en|t)|prohibited|forbidden"
    r"|allowed|permitted)\b"
)


def _examined(
    aligned: Alignment,
    question: str | None,
    language: LanguageCode,
    places: Sequence[tuple[int, str]],
    part: str | None = None,
) -> Stated:
    """Return what statements, each with its source, say of a claim, or of a ``part`` of it."""
    # "No, gift cards cannot be returned" answers a question of its own, and says the same without it.
    near = [words[behind_particle(words) :] for _, words in places]
    held = _held(aligned, language) | _case_asked(aligned.claim.sentence.words, question, language)
    claim = aligned.claim.sentence.words if part is None else part
    examined = examine(_unlabelled(claim), near, question, held=held, language=language)
    said, seen = examined.comparison, features_of(examined)
    return Stated(said, seen=seen) if said.source is None else Stated(said, *places[said.source], seen)


_ORDINALS = frozenset(map(stem, numerals("en").ordinals))


def _near_statements(aligned: Alignment, language: LanguageCode) -> list[tuple[float, int, str]]:
    """Return the statements of prose that hold enough of a claim or of a part of it: how much, source, words."""
    context = aligned.context
    abroad = language != "en"
    # "Valid for 48 hours" is near to "valid for 24 hours", whatever it weighs that the 48 stands nowhere; so is the
    # seventh day to the eighth.
    unseen = [
        aligned.weight[term]
        for term, each in aligned.found.items()
        if not each.match and (term[0] == "#" or term in _ORDINALS)
    ]
    total = aligned.total - sum(unseen, 0.0)
    found: list[tuple[float, int, str]] = []
    parts = () if abroad else _parts(aligned)
    by_part = {at for part in parts for at in _near_part(aligned, part)}
    for source, read in enumerate(context.sources):
        if read.record is not None:
            continue
        if not abroad and not by_part and aligned.by_source[source] < CLOSE * total:
            continue
        if abroad and language_of(read.text) not in (None, language):
            continue
        # Of a text that has all words of a claim, one sentence may have them of whom it is said, another the rest.
        least = (PARTED if aligned.by_source[source] >= WHOLE * aligned.total else CLOSE) * total
        least = 0.0 if abroad else least
        base, known = context.sentence_base[source], context.told(source)
        covered = aligned.covered[base : base + len(read.sentences)]
        for at, (sentence, weight) in enumerate(zip(read.sentences, covered, strict=True), base):
            if weight < least and at not in by_part:
                continue
            # "Can gift cards be returned?" says neither that they can nor that they cannot.
            if sentence.kind != "question" and not is_title(read.text, sentence):
                told_there = known.at.get(sentence.start, (sentence.words,))
                found += [(weight, source, each) for each in told_there]
        for words, held in known.together:
            weight = sum([weight for term, weight in aligned.weight.items() if term in held], 0.0)
            if weight >= least:
                found.append((weight, source, words))
    return found


def _unlabelled(words: str) -> str:
    """Return a claim without the label before it, and a yes or no behind that: "Phone: Yes, you may use it"."""
    label = _LABEL.match(words)
    if label is None or label.end() >= len(words) or words[: label.end()].lower().startswith(_PARTICLES):
        return words
    rest = words[label.end() :]
    return rest[behind_particle(rest) :] if len(rest.split()) >= _STATES else words


_LABEL = re.compile(r"[^\W\d_][\w'-]{0,24}(?: [\w'-]{1,24}){0,2}:\s{1,3}")
_PARTICLES = ("yes", "no")
_STATES = 4
"""Words behind a label that state something by themselves."""


def _parts(aligned: Alignment) -> tuple[frozenset[str], ...]:
    """Return the terms of the main part of each clause of a claim, where that is not all of it.

    "Sale items can be returned, and returns are free" has two; a condition that a claim adds makes it no other one.
    """
    clauses = read_clauses(aligned.claim.sentence.words)
    found = (
        # Where values differ, a part is near all the same.
        frozenset(
            stem(word)
            for item in clause.items
            if not item.segment and item.weight > FIGURE_WEIGHT
            for word in item.shown.lower().split()
        )
        for clause in clauses
        if len(clauses) > 1 or len(clause.segments) > 1
    )
    return tuple(part for each in found if len(part := each.intersection(aligned.weight)) >= LEAST_PART)


def _near_part(aligned: Alignment, part: frozenset[str]) -> list[int]:
    """Return the sentences that hold most of a part of a claim."""
    held: dict[int, float] = {}
    for term in part:
        worth = aligned.weight[term] * aligned.match[term]
        for at in aligned.found[term].sentences:
            held[at] = held.get(at, 0.0) + worth
    least = CLOSE_PART * sum([aligned.weight[term] for term in part], 0.0)
    return [at for at, weight in held.items() if weight >= least]


def _held(aligned: Alignment, language: LanguageCode) -> frozenset[str]:
    """Return the roots of the words of a claim that stand in its context, wherever."""
    words = aligned.claim.terms.words
    return frozenset(word_of(word, language).root for word in words if aligned.match.get(stem(word), 0.0) >= 1)


def _case_asked(claim: str, question: str | None, language: str) -> frozenset[str]:
    """Return the roots of what a question brings up as the asker's own, and a claim speaks of as "your client".

    Rules name it as a kind: visitors, pets, children.
    """
    if language != "en" or not question:
        return frozenset()
    brought = {found["of"].lower() for found in _BROUGHT_UP.finditer(question[:_QUESTION])}
    return frozenset(word_of(word).root for word in brought if re.search(rf"\byour {word}\b", claim, re.IGNORECASE))


_BROUGHT_UP = re.compile(r"\b(?:my|our|an?) (?P<of>[a-z]{2,30})\b", re.IGNORECASE)
_QUESTION = 400


def _near(found: tuple[float, int, str]) -> tuple[float, str]:
    """Return what statements are ranked by, whatever the order of their passages."""
    weight, _, words = found
    return round(weight, 9), words
