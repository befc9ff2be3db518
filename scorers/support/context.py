"""The sources of an answer as one context: where each term stands in it, or what stands for the term."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

from scorers.support.labelled import LabelledValues
from scorers.support.tabular.judging import Told
from scorers.support.tabular.judging import told as told_by
from scorers.support.tabular.linking import read_claim
from scorers.support.told import ToldStatements, told_in
from scorers.text.normalize import Terms
from scorers.text.source import SourceText, variants
from scorers.text.tables import Table
from scorers.text.tabletext import tables_of

T = TypeVar("T")

GAP = 1_000
"""The distance of words that do not stand near each other."""

MAX_ALIKE = 3
"""Words of one source that stand for a term it does not have."""

FAR = 12
"""Positions between two words past which they are not said of each other."""


class Found(NamedTuple):
    """What stands for a term: how well at best, its positions and sentences, and how well in which sources.

    ``positions`` has a bit set for each; ``sentences`` ascend, and ``both`` are those whose successor has it, too.
    """

    match: float
    positions: int
    sentences: Sequence[int]
    both: Sequence[int]
    shares: Sequence[tuple[int, float]]


class Context:
    """Several sources as one: positions and sentences are counted through all of them.

    ``pairs`` are the runs of two terms of all sources, and ``names`` their terms with a capital.
    """

    def __init__(self, sources: Sequence[SourceText]) -> None:
        self.sources = tuple(sources)
        self.position_base: list[int] = []
        self.sentence_base: list[int] = []
        position = sentence = 0
        for source in self.sources:
            self.position_base.append(position)
            self.sentence_base.append(sentence)
            position += source.length + FAR  # words of different passages are never near each other
            sentence += len(source.sentences) + 1  # sentences of two sources are no neighbours
        self._places = [
            (index, source.at, source.postings, position, sentence)
            for index, (source, position, sentence) in enumerate(
                zip(self.sources, self.position_base, self.sentence_base, strict=True)
            )
        ]
        self._only = self.sources[0] if len(self.sources) == 1 else None
        self.sentences = sentence
        self.length = sum(source.length for source in self.sources)
        self.pairs = _together([source.pairs for source in self.sources])
        self.names = _together([source.names for source in self.sources])
        self._found: dict[str, Found] = {}
        self._around: dict[str, int] = {}
        self._told: dict[int, ToldStatements] = {}
        self._told_by_tables: dict[str, tuple[Told, ...]] = {}
        self._tables_by_source: tuple[tuple[Table, ...], ...] | None = None
        self._tables: tuple[Table, ...] = ()
        self._initials: tuple[str, ...] | None = None
        self._figures = -1
        self._values: LabelledValues | None = None
        self._made: dict[Callable[[Context], Any], Any] = {}
        records = [source.record for source in self.sources if source.record]
        self.structured = bool(records)
        self.facts = tuple([fact for record in records for fact in record.facts])
        self.ratings = tuple([rating for record in records for rating in record.ratings])
        # By weekday, of the last source that has them.
        self.hours = {day: times for record in records for day, times in record.hours.items()}

    def find(self, term: str) -> Found:
        """Return where the sources have ``term`` or what stands for it; looked up once for all claims."""
        found = self._found.get(term)
        if found is None:
            found = self._found[term] = self._find(term)
        return found

    def find_each(self, terms: Iterable[str]) -> dict[str, Found]:
        """Return the same of each of several terms."""
        known = self._found
        found: dict[str, Found] = {}
        for term in terms:
            if (each := known.get(term)) is None:
                each = known[term] = self._find(term)
            found[term] = each
        return found

    def around(self, term: str) -> int:
        """Return the positions at most `FAR` from a term, a bit set for each; worked out once for all claims."""
        around = self._around.get(term)
        if around is None:
            around = self._around[term] = reach(self.find(term).positions)
        return around

    def _find(self, term: str) -> Found:
        if (only := self._only) is not None and (there := only.postings.get(term)) is not None:
            return Found(1.0, only.at[term], there, _both(there), _ALL_OF_ONE)
        positions, last = 0, -1
        sentences: list[int] = []
        both: list[int] = []
        shares: list[tuple[int, float]] = []
        for index, at, postings, position, sentence in self._places:
            if term in at:
                positions |= at[term] << position
                for local in postings[term]:
                    if sentence + local == last + 1 and sentences:
                        both.append(last)
                    last = sentence + local
                    sentences.append(last)
                shares.append((index, 1.0))
        if shares:
            return Found(1.0, positions, sentences, both, shares)
        positions, sentences, shares = self._alike(term)
        best = max((share for _, share in shares), default=0.0)
        if not shares and any(source.joins(term) for source in self.sources):
            best = 1.0
        return Found(best, positions, sentences, _both(sentences), shares)

    def _alike(self, term: str) -> tuple[int, list[int], list[tuple[int, float]]]:
        """Return positions, sentences and shares of the words that stand for a term that is nowhere itself."""
        positions = 0
        sentences: set[int] = set()
        shares: list[tuple[int, float]] = []
        for index, source in enumerate(self.sources):
            words = variants(term, source)[:MAX_ALIKE]
            for word, _ in words:
                positions |= source.at[word] << self.position_base[index]
                sentences.update(self.sentence_base[index] + at for at in source.postings[word])
            if words:
                shares.append((index, max(share for _, share in words)))
        return positions, sorted(sentences), shares

    @property
    def initials(self) -> tuple[str, ...]:
        """The first letters of the words of each sentence, read once for all claims."""
        if self._initials is None:
            reads = [read for source in self.sources for read in source.read]
            self._initials = tuple(["".join([word[0] for word in read.words]) for read in reads])
        return self._initials

    @property
    def figures(self) -> int:
        """How many figures all sources have, counted once for all claims."""
        if self._figures < 0:
            places = (at for source in self.sources for term, at in source.at.items() if term[0] == "#")
            self._figures = sum([at.bit_count() for at in places], 0)
        return self._figures

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables and records of all sources."""
        self._by_source()
        return self._tables

    def _by_source(self) -> tuple[tuple[Table, ...], ...]:
        """Return those of each source, read once for all claims: of long texts that takes a tenth of a second."""
        found = self._tables_by_source
        if found is None:
            found = self._tables_by_source = tuple([tables_of(source.text) for source in self.sources])
            self._tables = tuple([table for tables in found for table in tables])
        return found

    def once(self, work: Callable[[Context], T]) -> T:
        """Return what a pure function makes of the context, worked out once for all claims."""
        if work not in self._made:
            self._made[work] = work(self)
        made: T = self._made[work]
        return made

    def told_by_tables(self, claim: str) -> tuple[Told, ...]:
        """Return what each table says of a claim, the one with most of its words first; worked out once."""
        found = self._told_by_tables.get(claim)
        if found is None:
            found = self._told_by_tables[claim] = told_by(read_claim(claim), self.tables)
        return found

    def table_source(self, table: int) -> int:
        """Return the index of the source that holds a table counted through all of them."""
        ends = accumulate(map(len, self._by_source()))
        return next(source for source, end in enumerate(ends) if table < end)

    def told(self, source: int) -> ToldStatements:
        """Return the statements of a source, read once for all claims."""
        found = self._told.get(source)
        if found is None:
            found = self._told[source] = told_in(self.sources[source].text)
        return found

    @property
    def values(self) -> LabelledValues:
        """The values of the statements of all sources that are prose, read once for all claims."""
        found = self._values
        if found is None:
            statements = (
                words
                for at, source in enumerate(self.sources)
                if source.record is None
                for each in self.told(at).at.values()
                for words in each[:1]
            )
            found = self._values = LabelledValues(statements)
        return found

    def source_of(self, sentence: int) -> int:
        """Return the index of the source that holds a sentence counted through all of them."""
        return max(0, bisect_right(self.sentence_base, sentence) - 1)

    def read(self, sentence: int) -> Terms | None:
        """Return the terms of a sentence counted through all sources; ``None`` between two of them."""
        index = self.source_of(sentence)
        local = sentence - self.sentence_base[index]
        source = self.sources[index]
        return source.read[local] if 0 <= local < len(source.read) else None


def _together(sets: Sequence[frozenset[T]]) -> frozenset[T]:
    return sets[0] if len(sets) == 1 else frozenset().union(*sets)


_ALL_OF_ONE = ((0, 1.0),)


def _both(sentences: Sequence[int]) -> Sequence[int]:
    """Return those of ascending numbers whose successor is among them."""
    return [at for at, then in pairwise(sentences) if then == at + 1] if len(sentences) > 1 else ()


def reach(positions: int, far: int = FAR) -> int:
    """Return the bits at most ``far`` from a bit of ``positions``; ``far`` is 7 to 15.

    >>> reach(1 << 20, 8) == sum(1 << at for at in range(12, 29))
    True
    """
    for step in (1, 2, 4, far - 7):
        positions |= positions << step | positions >> step
    return positions


def nearest(first: int, second: int) -> int:
    """Return the signed distance from a bit of ``first`` to one of ``second`` that is smallest; `GAP` past `FAR`.

    Where the same distance is found both ways, that which comes first in the text counts.

    >>> nearest(1 << 3 | 1 << 40, 1 << 10 | 1 << 38), nearest(1 << 3, 1 << 99) == GAP
    (-2, True)
    """
    if first & second:
        return 0
    if second.bit_count() == 1:
        return _nearest_to(first, second.bit_length() - 1)
    for distance in range(1, FAR + 1):
        after, before = (first << distance) & second, (first >> distance) & second
        if after and before:
            ahead = (after & -after).bit_length() - distance < (before & -before).bit_length()
            return distance if ahead else -distance
        if after or before:
            return distance if after else -distance
    return GAP


def _nearest_to(first: int, place: int) -> int:
    """Return the same of a single place, at which ``first`` has no bit: what is around it is a small number."""
    around = first >> place - FAR if place > FAR else first << FAR - place
    before, behind = around & _BEFORE, around >> FAR + 1 & _BEFORE
    ahead = FAR + 1 - before.bit_length() if before else GAP
    beyond = (behind & -behind).bit_length() or GAP
    return ahead if ahead <= beyond else -beyond


_BEFORE = (1 << FAR) - 1
