"""Compares a claim with the sentences of its sources, as statements rather than as words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adapters.caching import cached_by_text
from scorers.statements import agents
from scorers.statements.alignment import ClauseAlignment, align, reach
from scorers.statements.base import ComparisonOutcome, Difference, DifferenceKind, StatementComparison
from scorers.statements.clauses import Clause, read_clauses
from scorers.statements.figures import Matches, belongs, differences, matches
from scorers.statements.forces import sign
from scorers.statements.gating import rise, spanned
from scorers.statements.judging import ClauseJudgement, judge
from scorers.statements.lexicon.languages.tables import LANGUAGE_WORDS
from scorers.statements.quantities import Quantity
from scorers.statements.questions import answered
from scorers.statements.words import Word, relation, root_of
from scorers.text.language import language_of, name_of
from scorers.text.normalize import behind_particle, word_set

__all__ = [
    "ComparisonOutcome",
    "Difference",
    "DifferenceKind",
    "Examination",
    "StatementComparison",
    "compare",
    "examine",
]

OPERATING_POINT = 0.5
"""From this strength on a difference makes a claim contradicted."""

MAX_SOURCES = 2_000
"""Source sentences that are looked through for one claim."""

CANDIDATES = 4
"""Source sentences that a claim is compared with, the nearest ones."""

NEAREST = 0.6
"""A further sentence is compared if it covers at least this share of what the nearest one covers."""

FLOOR = 0.35
"""Share of a claim's words that a source sentence must have to be compared."""

DOUBT, STRONG_DOUBT = 0.7, 0.4
"""The weight of a difference where another source sentence covers as much of the claim and says nothing against it.

The second applies where that sentence says nothing else besides."""

_MARKS = re.compile(r"[*_`\"\u00ab\u00bb\u201c\u201d\u201e]")
"""Emphasis and quotation marks, which say nothing."""

OF_A_THING = frozenset({"entity", "role", "quantity", "unit", "date", "scope"})
"""In what a question differs from its source that asks of a case of it."""

REPLY = frozenset({"polarity", "opposite", "modality"})
"""In what a yes or no can contradict a source."""


class Examination(NamedTuple):
    """A comparison with what it rests on.

    ``strengths`` are those of the strongest difference of each kind; ``judgement`` and ``alignment`` are those of the
    clauses that decided, or of the nearest ones.
    """

    comparison: StatementComparison
    strengths: Mapping[DifferenceKind, float]
    judgement: ClauseJudgement | None = None
    alignment: ClauseAlignment | None = None


def compare(claim: str, sources: Sequence[str], question: str | None = None) -> StatementComparison:
    """Return whether a source agrees with a claim or contradicts it, or why that is undecided.

    ``sources`` are sentences, or sentences put together as `reading` does; a "Yes" or "No" is taken with the question.

    >>> compare("Yes, gift cards can be returned.", ["Gift cards cannot be returned."]).outcome
    'contradicts'
    >>> compare("Gift cards are non-returnable.", ["Gift cards cannot be returned."]).outcome
    'agrees'
    """
    return examine(claim, sources, question).comparison


def examine(
    claim: str,
    sources: Sequence[str],
    question: str | None = None,
    *,
    held: frozenset[str] = frozenset(),
    least: float = 0.0,
    language: str | None = None,
) -> Examination:
    """Return the comparison of a claim with what it rests on.

    ``held`` are roots of words of the claim that stand in its sources, in whichever sentence. A claim is compared
    only if at least the share ``least`` of the words of one of its clauses can be aligned. ``language`` is that of both
    where it is known, else it is told from their words.

    >>> examine("Pets may enter.", ["Pets may not enter."]).strengths
    {'polarity': 0.95}
    """
    cleaned = _MARKS.sub("", claim)
    sources = [text[behind_particle(text) :] for text in sources[:MAX_SOURCES]]
    language = language or _language(cleaned, sources)
    if language not in LANGUAGES:
        return Examination(
            StatementComparison("undecided", undecided=f"statements in {name_of(language)} are not compared"), {}
        )
    words, reply = answered(cleaned, question, language)
    clauses = read_clauses(words, language)
    if least:
        told = [clause for text in sources for clause in read_clauses(text, language)]
        if all(reach(clause, told) < least for clause in clauses):
            return Examination(StatementComparison("undecided", undecided=_UNLIKE), {})
    results = [_examined(clause, sources, words, question, language, held) for clause in clauses]
    results = [_answered_beside(each, results) for each in results]
    against = max(results, key=_strength, default=None)
    if against is not None and against.comparison.difference is not None:
        return against
    if reply is not None and not any(each.comparison.outcome == "agrees" for each in results):
        said = _examined(reply, sources, "", None, language)
        difference = said.comparison.difference
        if not results and difference is not None and difference.kind in OF_A_THING:
            words = f"whether {difference.claimed!r} and {difference.told!r} are one"
            return said._replace(
                comparison=StatementComparison("undecided", None, said.comparison.source, words), strengths={}
            )
        if not results or (
            difference is not None
            and difference.kind in REPLY
            and not _of_case(said, sources, language)
            and not _other_figure(said)
            and (language == "en" or _of_one_source(said, results))
        ):
            return said
    if not results:
        return Examination(StatementComparison("undecided", undecided="the claim states nothing"), {})
    return next((each for each in results if each.comparison.outcome == "undecided"), results[0])


def _answered_beside(found: Examination, every: Sequence[Examination]) -> Examination:
    """Return what was found without an exception that the claim leaves out in one clause and tells in another.

    "Passes can be transferred, but discounted ones cannot" leaves nothing out, nor does "trips are paid, and a director
    must approve them" leave out "with the approval of a director".
    """
    difference, a = found.comparison.difference, found.alignment
    if difference is None or a is None or difference.kind not in ("exception", "condition", "opposite"):
        return found
    told = [each.alignment.claim for each in every if each is not found and each.alignment is not None]
    words = f"whether {difference.claimed!r} leaves out {difference.told!r}"
    undecided = StatementComparison("undecided", None, found.comparison.source, words)
    if difference.kind == "opposite":
        # "While a hold is in place, deletion is suspended" has in one clause the verb of the source for the other.
        root = root_of(difference.told.lower())
        beside = any(item.word.root == root for clause in told for item in clause.items)
        return found._replace(comparison=undecided, strengths={}) if beside else found
    at = next((at for at, each in enumerate(a.source.segments) if at and each.shown == difference.told), None)
    named = [item.word for item in a.source.items if item.segment == at]
    roots = {word.root for word in named}
    denied = any(
        sign(clause.state) != sign(a.claim.state) and any(item.word.root in roots for item in clause.items)
        for clause in told
    )
    demanded = difference.kind == "condition" and any(_demands(clause, named) for clause in told)
    if at is None or not (denied or demanded):
        return found
    return found._replace(comparison=undecided, strengths={})


def _demands(clause: Clause, condition: Sequence[Word]) -> bool:
    """Tell whether a clause makes a duty of all that a condition names."""
    if clause.state != "MUST" or not condition:
        return False
    return all(any(relation(word, item.word) > 0 for item in clause.items) for word in condition)


def _other_figure(reply: Examination) -> bool:
    """Tell whether a "no" denies the figure of the question: "for three years?" "No", where it is one year."""
    a = reply.alignment
    if a is None or sign(a.claim.state) > 0:
        return False
    mine, its = {pair.claim for pair in a.pairs}, {pair.source for pair in a.pairs}
    return any(i.figure and i.place not in mine for i in a.claim.items) and any(
        (i.figure and i.place not in its) or i.lead == "one" for i in a.source.items
    )


def _of_one_source(reply: Examination, results: Sequence[Examination]) -> bool:
    """Tell whether a yes or no is judged by what the words behind it are nearest to, if they are near to anything.

    "No, below four hours only economy is booked" rests on what is said of short flights, whatever long ones permit.
    """
    places = {each.comparison.source for each in results} - {None}
    return not places or reply.comparison.source in places


def _of_case(found: Examination, sources: Sequence[str], language: str) -> bool:
    """Tell whether another source names the case that is asked about, which the one that was found leaves open.

    "Owners pay a tax on dogs" says nothing of guide dogs where another sentence does.
    """
    a = found.alignment
    if a is None:
        return False
    answered = {pair.claim for pair in a.pairs} | {one.place for one, _ in a.apart}
    open_ = {item.word.root for item in a.claim.items if item.place not in answered and item.weight == 1}
    only = any(op == "ONLY" for op, _, _ in a.source.scopes) or any(s.op == "ONLYIF" for s in a.source.segments)
    if open_ and only and sign(a.claim.state) < 0:
        return True  # "Only electric ones are allowed" says no to one of charcoal
    others = (_index(text, language)[0] for at, text in enumerate(sources) if at != found.comparison.source)
    return any(not open_.isdisjoint(roots) for roots in others)


LANGUAGES = frozenset({"en", *LANGUAGE_WORDS})
"""Languages whose forces, denials and conditions are known."""


def _language(claim: str, sources: Sequence[str]) -> str:
    """Return the language of a claim; one that is too short to tell is taken to be in that of its sources."""
    if claim.isascii() and not _ENGLISH.isdisjoint(claim.lower().split()):
        return "en"
    return language_of(claim) or language_of(" ".join((claim, *sources[:3]))) or "en"


_ENGLISH = word_set("the must cannot within should their which are")
"""Words that occur in no other supported language: each identifies English without the model."""


_UNLIKE = "no source sentence is close enough to the claim"


def _strength(found: Examination) -> float:
    difference = found.comparison.difference
    return 0.0 if difference is None else difference.strength


def _examined(
    clause: Clause,
    sources: Sequence[str],
    words: str,
    question: str | None,
    language: str,
    held: frozenset[str] = frozenset(),
) -> Examination:
    near = candidates(clause, sources, language)
    if not near:
        return Examination(StatementComparison("undecided", undecided=_UNLIKE), {})
    found: list[tuple[int, ClauseJudgement, ClauseAlignment]] = []
    for index in near:
        judged = _judged(clause, sources, index, language, held, reply=not words)
        if judged is None:
            continue
        judgement, alignment = judged
        quantities: Matches = ()
        if words:
            quantities = matches((words, clause), (sources[index], alignment.source), question, language)
            quantities = belongs(clause, sources[index], quantities, language)
        found.append((index, _with_quantities(judgement, quantities, alignment), alignment))
    agreed = max((each for each in found if each[1].agrees), key=lambda each: each[1].near, default=None)
    if agreed is not None:
        return Examination(StatementComparison("agrees", source=agreed[0]), {}, agreed[1], agreed[2])
    index, judgement, alignment = max(found, key=lambda each: (each[1].strength, each[1].near))
    rivals = [beside for _, other, beside in found if not other.differences and beside.covered >= alignment.covered]
    judgement = _beside(judgement, alignment, rivals, refers=_refers(clause))
    strengths: dict[DifferenceKind, float] = {}
    for difference in judgement.differences:
        strengths.setdefault(difference.kind, difference.strength)
    if judgement.strength >= OPERATING_POINT:
        comparison = StatementComparison("contradicts", judgement.differences[0], index)
    elif judgement.differences:
        first = judgement.differences[0]
        comparison = StatementComparison(
            "undecided", None, index, f"whether {first.claimed!r} and {first.told!r} mean the same"
        )
    else:
        comparison = StatementComparison("undecided", None, index, "the source says it in other words")
    return Examination(comparison, strengths, judgement, alignment)


def _beside(
    judgement: ClauseJudgement, alignment: ClauseAlignment, rivals: Sequence[ClauseAlignment], *, refers: bool
) -> ClauseJudgement:
    """Return a judgement, weaker where another source that says as much finds no fault.

    ``refers``: the clause says "they can be exchanged", and the other source tells which.
    """
    if not rivals:
        return judgement
    doubted = judgement.doubted(DOUBT if max(each.used for each in rivals) < alignment.used else STRONG_DOUBT)
    return doubted.doubted(STRONG_DOUBT) if refers else doubted


def _refers(clause: Clause) -> bool:
    """Tell whether a clause speaks of something that is named elsewhere."""
    return not _REFERRING.isdisjoint(clause.segments[0].shown.lower().split())


_REFERRING = word_set("it they them those these this that")


def _judged(
    clause: Clause, sources: Sequence[str], index: int, language: str, held: frozenset[str], *, reply: bool
) -> tuple[ClauseJudgement, ClauseAlignment] | None:
    """Return the judgement of the clause of a source that is nearest to a clause of a claim."""
    aligned = [align(clause, each) for each in read_clauses(sources[index], language)]
    if not aligned:
        return None
    others = (_index(text, language)[0] for at, text in enumerate(sources) if at != index)
    elsewhere: frozenset[str] = held.union(*others)
    elsewhere |= {item.word.root for a in aligned for item in a.source.items} if len(aligned) > 1 else set()
    aligned.sort(key=_nearest)
    first = judge(aligned[0], elsewhere=elsewhere, reply=reply)
    if _of_others(aligned[0]):
        # "Other bicycles need a ticket" says of folding ones at most that they need none.
        return first.doubted(STRONG_DOUBT)._replace(agrees=False), aligned[0]
    for other in aligned[1:3]:
        if other.near <= SECOND * aligned[0].near and (
            first.agrees or first.strength >= SURELY or not _other_agent(other, elsewhere)
        ):
            continue
        second = judge(other, elsewhere=elsewhere, reply=reply)
        if not first.agrees and first.strength < SURELY <= second.strength and second.differences[0].kind == "role":
            first, aligned[0] = second, other
        near = other.near > SECOND * aligned[0].near
        spares = first.differences and not second.differences and other.covered > SECOND
        # What has an opposite of a word says nothing for a claim.
        spares = spares and all(pair.sign > 0 for pair in other.pairs)
        if near and (second.agrees or spares):
            return second, other
    return first, aligned[0]


def _nearest(a: ClauseAlignment) -> tuple[float, int]:
    """Return by what the nearest clause comes first, and of two as near the one with more of the same words."""
    return -a.near, -sum([pair.exact for pair in a.pairs], 0)


def _of_others(a: ClauseAlignment) -> bool:
    """Tell whether a source speaks of others than those of whom a claim does."""
    mine, its = a.claim.items, a.source.items
    return bool(mine) and bool(its) and its[0].lead in _OTHERS and all(item.lead not in _OTHERS for item in mine)


_OTHERS = frozenset({"other", "others"})


def _other_agent(aligned: ClauseAlignment, elsewhere: frozenset[str]) -> bool:
    """Tell whether a source surely says that somebody else does it: no other role differs in a clause far from it."""
    return any(each.strength >= SURELY for each in agents.differences(aligned, elsewhere))


def _with_quantities(judgement: ClauseJudgement, quantities: Matches, a: ClauseAlignment) -> ClauseJudgement:
    same = all(match.outcome == "agrees" for match in quantities)
    if same and any(match.claimed.bound in _UPPER and not _offers(match.claimed, a) for match in quantities):
        judgement = judgement.without("modality")
        if _bounds_alone(a.claim) != _bounds_alone(a.source):
            # "Never take more than four" denies no more than "must not exceed four" and "at most four" do.
            judgement = judgement.without("polarity")
    alike = sign(a.claim.state) == sign(a.source.state)
    if a.claim.language == "en":
        # "Must stay at least 14 days" is no other case of "may stay at most 14 days".
        alike = alike and all(each.kind == "modality" for each in judgement.differences)
    said = (
        judgement._replace(gate=max(judgement.gate, _apart_from_figures(a))) if a.claim.language == "en" else judgement
    )
    return said.with_figures(differences(quantities), agree=same, alike=alike)._replace(gate=judgement.gate)


def _apart_from_figures(a: ClauseAlignment) -> float:
    """Return how surely two clauses say one thing but for their figures: "every week" beside "every two weeks".

    What the source says before and behind the words that a claim takes from it is of something else. A figure that it
    has, too, may be told of another thing.
    """
    pairs = [pair for pair in a.pairs if not a.claim.items[pair.claim].figure]
    if len(pairs) <= 1 or len(pairs) < len(a.pairs):
        return 0.0
    total = sum([item.weight for item in a.claim.items if not item.figure], 0.0)
    held = sum([a.claim.items[pair.claim].weight for pair in pairs], 0.0)
    return rise(held / total, 0.6, 0.95) * rise(spanned(a), 0.3, 0.8)


def _offers(claimed: Quantity, a: ClauseAlignment) -> bool:
    """Tell whether "up to" so many stands under a duty, where the source permits as many: that requires them."""
    return claimed.bound_word.lower() == "up to" and (a.claim.state, a.source.state) == ("MUST", "MAY")


def _bounds_alone(clause: Clause) -> bool:
    """Tell whether all that a clause denies is that a figure is passed."""
    places = [at for at in clause.denied if at < len(clause.items)]
    return bool(places) and all(clause.items[at].figure for at in places)


_UPPER = frozenset({"<", "<=", "before"})
"""Bounds by which a permission and a duty are one: it may, or must, weigh at most 8 kg."""

SURELY = 0.75
"""How sure another agent must be in a further clause to convict."""

SECOND = 0.6
"""How near a further clause must be, relative to the nearest one, for its agreement to count."""


@cached_by_text(cost=18)
def _index(text: str, language: str) -> tuple[frozenset[str], frozenset[int]]:
    """Return the roots and the concepts of a source sentence."""
    items = [item for clause in read_clauses(text, language) for item in clause.items]
    return frozenset(item.word.root for item in items), frozenset(c for item in items for c in item.word.concepts)


def candidates(clause: Clause, sources: Sequence[str], language: str = "en") -> list[int]:
    """Return the indices of the source sentences that hold most of a clause, the best first."""
    words = [(item.word.root, item.word.concepts, item.weight) for item in clause.items]
    total = sum([weight for _, _, weight in words], 0.0) or 1.0
    ranked = []
    for at, text in enumerate(sources):
        roots, concepts = _index(text, language)
        held = sum(
            [w if root in roots else 0.8 * w if not concepts.isdisjoint(own) else 0.0 for root, own, w in words], 0.0
        )
        if held >= FLOOR * total:
            ranked.append((-held, at))
    ranked.sort()
    return [at for held, at in ranked[:CANDIDATES] if held <= NEAREST * ranked[0][0]]
