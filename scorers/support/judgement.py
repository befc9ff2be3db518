"""The claims of an answer judged against its context: computed once, read by every scorer that needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adapters.schema import Answer
from scorers.base import Absent, missing_input, not_applicable
from scorers.languages import language_between, languages_of
from scorers.memory import Memory, once
from scorers.models.terms import rarity
from scorers.statements.quantities import Quantity
from scorers.statements.quantities.reading import quantities_in
from scorers.statements.ties import LONGEST
from scorers.support.alignment import Alignment, align, unseen_share
from scorers.support.claims import read_claims, statements_of
from scorers.support.context import Context
from scorers.support.crowding import MANY
from scorers.support.differences import SAME_WORDS, differences
from scorers.support.disclosing import DISCLOSED, only_disclosed
from scorers.support.features import Named, rows
from scorers.support.model import (
    ACQUITTED,
    EVEN,
    NO_REASON,
    AnswerVerdict,
    ClaimVerdict,
    ContextKind,
    SupportLabel,
    answer_verdict,
    claim_verdicts,
    kind_of,
    logit_of,
    sigmoid,
)
from scorers.support.nearness import is_near_copy
from scorers.support.ruling import doubt_over_rules, sets_rules
from scorers.support.settling import is_settled
from scorers.support.siblings import of_others
from scorers.support.spoken import spoken_verdict, spoken_verdicts
from scorers.support.stated import NOTHING, Stated, stated
from scorers.support.unfounded import UNFOUNDED, has_unfounded_figure, only_spanned, settle_figures
from scorers.support.untold import untold_doubt
from scorers.support.worked import MOST_BEFORE
from scorers.text.excerpt import excerpt
from scorers.text.sentences import MAX_ANSWER, MAX_CLAIMS, Sentence
from scorers.text.source import MAX_CONTEXT, source_of, within


class Quote(NamedTuple):
    """A claim, what separates it from its context, and the sentence nearest to it, of which source; as excerpts."""

    claim: str
    differs: str
    source: int | None = None
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of an answer's sentences: its claims, and what leads to them, asks or abstains.

    ``claims`` are the indices of the sentences that assert something; the others are neither supported nor not.
    ``verdicts[i]`` are the label and the probabilities of sentence i at even odds, ``verdict`` those of the answer,
    which is as its worst claim is. ``stated[i]`` is what the context states of it. ``truncated``: not all of the
    context was read; ``unread`` are the characters at the end of the answer that were not. ``support_by`` and
    ``conflict_by`` tell which other model than the trees gave the figures, if one did.
    """

    aligned: tuple[Alignment, ...]
    claims: tuple[int, ...]
    verdicts: tuple[ClaimVerdict, ...]
    verdict: AnswerVerdict
    stated: tuple[Stated, ...]
    truncated: bool
    rows: tuple[Sequence[float], ...]
    unread: int = 0
    support_by: str = ""
    conflict_by: str = ""
    _quotes: dict[int, Quote] = field(default_factory=dict, compare=False)

    @property
    def supported(self) -> tuple[float, ...]:
        """For each sentence the probability that the context supports it."""
        return tuple(each.supported for each in self.verdicts)

    @property
    def contradicted(self) -> tuple[float, ...]:
        """For each sentence the probability that the context says otherwise."""
        return tuple(each.contradicted for each in self.verdicts)

    @property
    def label(self) -> SupportLabel:
        """What the answer is: as its worst claim."""
        return self.verdict.label

    def labelled(self, label: SupportLabel) -> tuple[int, ...]:
        """Return the claims with a label."""
        return tuple(index for index in self.claims if self.verdicts[index].label == label)

    def quote(self, index: int) -> Quote:
        """Return claim ``index`` beside what decided, else what is nearest to it; put into words once for all scorers.

        What a statement says otherwise comes first, then what the words differ in.
        """
        if (quote := self._quotes.get(index)) is not None:
            return quote
        aligned, said = self.aligned[index], self.stated[index]
        claim = excerpt(aligned.claim.sentence.words)
        differs = differences(aligned, Named(self.rows[index]))
        if said.differs:
            differs = said.differs if differs == SAME_WORDS else f"{said.differs}; {differs}"
        quote = Quote(claim, differs)
        if said.differs and said.source is not None:
            quote = Quote(claim, differs, said.source, excerpt(said.words))
        elif (nearest := self.nearest(index)) is not None:
            source, at = nearest
            quote = Quote(claim, differs, source, excerpt(aligned.context.sources[source].sentences[at].words))
        self._quotes[index] = quote
        return quote

    def nearest(self, index: int) -> tuple[int, int] | None:
        """Return source and sentence nearest to claim ``index``."""
        return nearest_sentence(self.aligned[index])


def nearest_sentence(aligned: Alignment) -> tuple[int, int] | None:
    """Return source and sentence nearest to a claim; ``None`` where no sentence shares a word with it."""
    if not aligned.window_weight:
        return None
    at = aligned.window
    if aligned.covered[at + 1] > aligned.covered[at]:
        at += 1
    source = aligned.context.source_of(at)
    return source, at - aligned.context.sentence_base[source]


@once
def judge(answer: Answer, memory: Memory) -> Judgement | Absent:
    """Judge the sentences of ``answer`` against its context, or say why there is nothing to judge.

    With nothing in the context every claim is unsupported. A passage whose text was withheld makes it unknown.
    """
    passages = answer.context_passages()
    if answer.answer is None or passages is None:
        return missing_input("answer" if answer.answer is None else "passages")
    if any(passage.text is None for passage in passages):
        return missing_input("text of a context passage")
    if not any(statement.asserts for statement in statements_of(answer, memory)):
        return not_applicable(NO_CLAIM)
    return judgement(answer, memory)


@once
def judgement(answer: Answer, memory: Memory) -> Judgement:
    """Judge the sentences of ``answer``, one at least, against its context; a passage without text says nothing."""
    texts = [passage.text or "" for passage in answer.context_passages() or ()]
    sources = [source_of(passage) for passage in within(texts)]
    aside = of_others(sources, answer.question or "", answer.answer or "")
    # What is said of a sibling is nothing that is said of what the question is about.
    context = Context([_NOTHING_TOLD if at in aside else source for at, source in enumerate(sources)])
    truncated = sum(map(len, texts)) > MAX_CONTEXT
    aligned, said = _read(answer, memory, context)
    asserting = tuple(index for index, each in enumerate(aligned) if each.claim.sentence.asserts)
    unread = _unread(answer.answer or "", statements_of(answer, memory))
    language = language_between(answer, memory)
    table = rows(aligned, said)
    if not any(source.sentences for source in context.sources):
        verdicts = tuple(UNTOLD if each.claim.sentence.asserts else UNJUDGED for each in aligned)
        nothing = AnswerVerdict(1.0, 0.0, "unsupported") if asserting else answer_verdict((), "text")
        said = (NOTHING,) * len(aligned)
        return Judgement(aligned, asserting, verdicts, nothing, said, truncated, tuple(table), unread)
    if language != "en":
        verdicts = tuple(
            verdict if each.claim.sentence.asserts else UNJUDGED
            for each, verdict in zip(aligned, spoken_verdicts(said, language), strict=True)
        )
        whole = spoken_verdict([verdicts[index] for index in asserting])
        return Judgement(aligned, asserting, verdicts, whole, said, truncated, tuple(table), unread)
    kind = kind_of(context)
    verdicts = tuple(
        verdict if each.claim.sentence.asserts else UNJUDGED
        for each, verdict in zip(aligned, judged(table, aligned, said, kind), strict=True)
    )
    whole = whole_verdict(aligned, verdicts, asserting)
    return Judgement(aligned, asserting, verdicts, whole, said, truncated, tuple(table), unread)


def whole_verdict(
    aligned: Sequence[Alignment], verdicts: Sequence[ClaimVerdict], claims: Sequence[int]
) -> AnswerVerdict:
    """Return what is said of an answer in English whose ``claims`` are these of its sentences."""
    kind = kind_of(aligned[0].context)
    unseen = None if kind in _DATA else unseen_share([aligned[index] for index in claims])
    return answer_verdict([verdicts[index] for index in claims], kind, unseen)


def _unread(text: str, statements: Sequence[Sentence]) -> int:
    """Return how many characters of an answer stand behind all that is read of it, where it is cut."""
    cut = len(statements) >= MAX_CLAIMS or len(text) > MAX_ANSWER
    return len(text[statements[-1].end :].strip()) if cut and statements else 0


def _read(answer: Answer, memory: Memory, context: Context) -> tuple[tuple[Alignment, ...], tuple[Stated, ...]]:
    """Return each sentence of an answer beside its context, and what that states of it."""
    known = rarity()
    claims = read_claims(statements_of(answer, memory), answer.answer or "", answer.question)
    aligned = tuple(align(claim, context, known) for claim in claims)
    before: list[Quantity] = []
    for each in aligned:
        settle_figures(each, before[-MOST_BEFORE:])
        if any(term[0] == "#" for term in each.unique):
            before += quantities_in(each.claim.sentence.words[:LONGEST], "en")
    language = language_between(answer, memory)
    question = answer.question if languages_of(answer, memory)["question"] in (None, language) else None
    said = tuple(stated(each, question, language) if each.claim.sentence.asserts else NOTHING for each in aligned)
    return aligned, said


_NOTHING_TOLD = source_of("")
NO_CLAIM = "the answer makes no claim"
"""Why there is nothing to judge in an answer that declines, asks, greets or refers elsewhere."""
UNJUDGED = ClaimVerdict(1.0, 0.0, "supported")
"""A sentence that claims nothing: nothing is wrong with it."""
UNTOLD = ClaimVerdict(0.0, 0.0, "unsupported")
"""A claim without anything that could support it."""


def judged(
    table: Sequence[Sequence[float]], aligned: Sequence[Alignment], said: Sequence[Stated], kind: ContextKind
) -> list[ClaimVerdict]:
    """Return what is said of each claim by its row of features and what the context states.

    ``kind`` is the kind of context as which it is read.
    """
    foreign = [kind not in _DATA and not each.window_weight for each in aligned]
    ruled = bool(aligned) and kind not in _DATA and sets_rules(aligned[0].context)
    settled = [kind not in _DATA and is_settled(*each, ruled=ruled) for each in zip(aligned, said, strict=True)]
    found = claim_verdicts(table, kind, [each.strength for each in said], foreign, settled)
    if kind in _DATA:
        return found
    for at, verdict in enumerate(found) if ruled else ():
        if verdict.label == "contradicted" and said[at].strength < EVEN and not is_near_copy(aligned[at]):
            (found[at],) = claim_verdicts([table[at]], kind, [0.0], [foreign[at]], [settled[at]], slips=False)
    return [_over_prose(*each, ruled=ruled) for each in zip(found, aligned, said, strict=True)]


def _over_prose(verdict: ClaimVerdict, aligned: Alignment, said: Stated, *, ruled: bool) -> ClaimVerdict:
    """Return a verdict with what prose does not hold: next to nothing of a claim, or a figure of it."""
    if said.strength >= EVEN:
        return verdict
    unrelated = aligned.told_weight < RELATED * aligned.total
    if (said.comparison.outcome != "agrees" or said.acquitted) and has_unfounded_figure(aligned):
        opposed = verdict.label == "contradicted" and not unrelated and not only_spanned(aligned)
        return verdict if opposed else _doubted(verdict, UNFOUNDED)
    if only_disclosed(aligned):
        return _doubted(verdict, DISCLOSED)
    if ruled:
        slipped = verdict.label == "contradicted" and verdict.contradicted >= SLIPPED and not unrelated
        return verdict if slipped else _over_rules(verdict, aligned, said)
    if unrelated:
        return _doubted(verdict, _DOUBTED)
    if verdict.label == "supported" and said.comparison.outcome != "agrees" and (doubt := untold_doubt(aligned)):
        least = round(sigmoid(logit_of(verdict.supported) - doubt), _DECIMALS)
        return verdict._replace(supported=least, label="supported" if least > EVEN else "unsupported")
    return verdict


def _over_rules(verdict: ClaimVerdict, aligned: Alignment, said: Stated) -> ClaimVerdict:
    """Return the verdict of a claim over rules, which is told in other words than theirs more often than not."""
    doubt = doubt_over_rules(aligned, -logit_of(verdict.supported))
    if aligned.claim.total >= MANY:
        doubt -= CONNECTED
    if said.comparison.outcome == "agrees" or is_settled(aligned, said, ruled=True):
        doubt = min(doubt, ACQUITTED)
    least = round(1 - sigmoid(doubt), _DECIMALS)
    opposed = min(verdict.contradicted, NO_REASON, round(1 - least, _DECIMALS))
    return ClaimVerdict(least, opposed, "supported" if least > EVEN else "unsupported")


CONNECTED = 0.4
"""By how much (in log-odds) less a claim over rules is doubted that stands among others.

What leads from one claim to the next, advises and concludes has few words of the rules: of 1,807 right claims of whole
answers over three to five passages 38 had small doubts alone against them, of 288 wrong ones 4. Twice as much loses
one in ten inventions in answers to questions (RAGTruth)."""

SLIPPED = 0.9
"""How likely a slip over rules must be that no difference of statements names: told in other words, right claims look
like one. Of policies that may be read, none of those from here on was right, and a quarter of the others."""

RELATED = 0.3
"""Share of a claim, weighted by rarity, that two adjacent sentences hold where the context says anything of it.

Of 1,151 claims that people left unmarked in 220 answers of question answering and summaries (RAGTruth), 3 % hold less,
and 0.6 % would be supported otherwise. Without this, "employees get a company car" would be told from other sentences
about employees."""

_DATA = ("structured", "tables")


def _doubted(verdict: ClaimVerdict, doubt: float) -> ClaimVerdict:
    """Return the verdict of a claim that the context does not tell: unsupported, and not contradicted."""
    least = min(verdict.supported, round(1 - doubt, 2))
    return ClaimVerdict(least, min(verdict.contradicted, 1 - _DOUBTED), "unsupported")


_DOUBTED = 0.55
_DECIMALS = 9
