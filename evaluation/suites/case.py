"""A row of a suite: what is asked, what people say of it, and perhaps what was answered."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from adapters.files.problems import kind_of_value
from adapters.schema import Answer, AnswerJudgement, Gold
from evaluation.suites.expectations import Expectations
from evaluation.suites.judgements import together

SHOWN = 60
"""Characters of an id in an error."""
ASKED_FIELDS = ("question", "history", "case", "gold", "reference", "session_id", "user_id", "attributes")
"""What of a row stays when its question is asked anew."""


class SuiteError(ValueError):
    """What is wrong with a record of a suite, beginning with the field."""


@dataclass(frozen=True, slots=True)
class SuiteRow:
    """One record of a suite, as far as it tells: the parts of a case stand in several records, even in several files.

    ``answered`` says that ``answer`` holds what an application did, and not only what it is asked. ``configuration``
    names what answered, where a suite has the answers of several. ``unnamed`` says that the record has no id.
    """

    answer: Answer
    expect: Expectations | None = None
    answered: bool = False
    configuration: str | None = None
    unnamed: bool = False

    @property
    def case_id(self) -> str:
        """The id by which parts of a case belong together."""
        return self.answer.id

    @property
    def unlabelled(self) -> bool:
        """Whether nothing says what the answer must be like."""
        return self.answer.gold is None and self.answer.reference is None and self.expect is None

    def merged(self, other: SuiteRow) -> SuiteRow:
        """Return this row with what ``other`` says beyond it. Raises `SuiteError` for a field that they contradict in.

        >>> from adapters.schema import Gold
        >>> question = SuiteRow(Answer(id="q-1", question="How long?"))
        >>> packet = SuiteRow(Answer(id="q-1", gold=Gold(required_behavior="defer")))
        >>> whole = question.merged(packet)
        >>> whole.answer.question, whole.answer.gold.required_behavior
        ('How long?', 'defer')
        >>> whole.merged(SuiteRow(Answer(id="q-1", question="How far?")))
        Traceback (most recent call last):
        evaluation.suites.case.SuiteError: question: 'How far?' contradicts 'How long?'
        """
        update: dict[str, Any] = {}
        for name in Answer.model_fields:
            mine, theirs = getattr(self.answer, name), getattr(other.answer, name)
            empty = Answer.model_fields[name].get_default(call_default_factory=True)
            if name == "id" or theirs in (empty, mine):
                continue
            if mine == empty:
                update[name] = theirs
            elif name in ("attributes", "versions"):
                update[name] = _joined(name, mine, theirs)
            elif name == "gold":
                update[name] = _gold(mine, theirs)
            elif name == "judgements":
                update[name] = _judgements(mine, theirs)
            else:
                raise SuiteError(f"{name}: {_short(theirs)} contradicts {_short(mine)}")
        if self.expect is not None and other.expect is not None and self.expect != other.expect:
            raise SuiteError("expect: contradicts what another record expects")
        return replace(
            self,
            answer=self.answer.model_copy(update=update),
            expect=self.expect or other.expect,
            answered=self.answered or other.answered,
            configuration=self.configuration or other.configuration,
        )

    def consistent(self) -> SuiteRow:
        """Return this row. Raises `SuiteError` where its labels of one passage contradict each other.

        >>> from adapters.schema import Gold, GoldPassage
        >>> labels = (GoldPassage(id="p", label="sufficient"), GoldPassage(id="p", label="superseded"))
        >>> SuiteRow(Answer(id="q-1", gold=Gold(passages=labels))).consistent()
        Traceback (most recent call last):
        evaluation.suites.case.SuiteError: gold.passages[1].label: 'superseded' contradicts 'sufficient' of 'p'
        """
        labels: dict[str, str] = {}
        for place, passage in enumerate(self.answer.gold.passages if self.answer.gold is not None else ()):
            first = labels.setdefault(passage.id, passage.label)
            if first != passage.label:
                of = f"{first!r} of {_short(passage.id)}"
                raise SuiteError(f"gold.passages[{place}].label: {passage.label!r} contradicts {of}")
        return self

    def by_question(self) -> SuiteRow:
        """Return the row of a record without an id under one that is made of what is asked, and of nothing else.

        So answers of two releases to one question have one id, and records of one question are one case.

        >>> before, after = (SuiteRow(Answer(id="-", question="How long?", answer=said)) for said in ("14 days", "3"))
        >>> before.by_question().case_id == after.by_question().case_id
        True
        """
        asked = [self.answer.question, *([turn.role, turn.content] for turn in self.answer.history or ())]
        digest = hashlib.sha256(orjson.dumps(asked)).hexdigest()[:32]
        return replace(self, answer=self.answer.model_copy(update={"id": f"sha256-{digest}"}), unnamed=True)

    def asked(self) -> Answer:
        """Return what is asked alone, without what was answered.

        >>> row = SuiteRow(Answer(id="q-1", question="How long?", answer="14 days."), answered=True)
        >>> row.asked().question, row.asked().answer
        ('How long?', None)
        """
        told = {name: getattr(self.answer, name) for name in ASKED_FIELDS}
        return Answer(id=self.answer.id, **told)


@dataclass(frozen=True, slots=True)
class SuiteText:
    """A passage's text, for suites that name passages by their ids alone."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A line of a TREC run: what a system found for a query, and how high."""

    query: str
    passage: str
    score: float
    system: str


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """A line of relevance judgements: how relevant a passage is to a query; 0 and below is not at all."""

    query: str
    passage: str
    grade: int


@dataclass(slots=True)
class Fields:
    """The fields of a record, read one by one; what is of another type raises `SuiteError` with the field.

    >>> Fields({"question": 7}).text("question")
    Traceback (most recent call last):
    evaluation.suites.case.SuiteError: question: must be text, not a number
    """

    record: Mapping[str, Any]
    path: str = ""
    read: set[str] = field(default_factory=set)

    def text(self, name: str) -> str | None:
        """Return a text, ``None`` where there is none."""
        value = self._value(name)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong(name, "must be text", value)

    def needed(self, name: str) -> str:
        """Return a text that must be there and have words."""
        value = self.text(name)
        if value is None or not value.strip():
            raise SuiteError(f"{self.path}{name}: required")
        return value

    def number(self, name: str) -> float | None:
        """Return a number, ``None`` where there is none."""
        value = self._value(name)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        raise self.wrong(name, "must be a number", value)

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Return a list of texts, ``None`` where there is none."""
        value = self._value(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise self.wrong(name, "must be a list of texts", value)
        for place, each in enumerate(value):
            if not isinstance(each, str):
                raise self.wrong(f"{name}[{place}]", "must be text", each)
        return tuple(value)

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects, empty where there is none."""
        value = self._value(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(name, "must be a list of objects", value)
        for place, each in enumerate(value):
            if not isinstance(each, dict):
                raise self.wrong(f"{name}[{place}]", "must be an object", each)
        return [Fields(each, f"{self.path}{name}[{place}].") for place, each in enumerate(value)]

    def inner(self, name: str) -> Fields:
        """Return an object, an empty one where there is none."""
        value = self._value(name)
        if value is not None and not isinstance(value, dict):
            raise self.wrong(name, "must be an object", value)
        return Fields(value or {}, f"{self.path}{name}.")

    def rest(self) -> dict[str, str]:
        """Return what was not read and is a word or a number, as attributes."""
        found = {}
        for name, value in self.record.items():
            if name not in self.read and isinstance(value, str | int | float) and value != "":
                found[name] = str(value).lower() if isinstance(value, bool) else str(value)
        return found

    def wrong(self, name: str, expected: str, value: Any) -> SuiteError:
        """Return the error for a value of another type."""
        return SuiteError(f"{self.path}{name}: {expected}, not {kind_of_value(value)}")

    def _value(self, name: str) -> Any:
        self.read.add(name)
        return self.record.get(name)


def _joined(name: str, mine: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, str]:
    for key, value in theirs.items():
        if mine.get(key, value) != value:
            raise SuiteError(f"{name}.{key}: {_short(value)} contradicts {_short(mine[key])}")
    return {**mine, **theirs}


def _judgements(mine: tuple[AnswerJudgement, ...], theirs: tuple[AnswerJudgement, ...]) -> tuple[AnswerJudgement, ...]:
    try:
        return together(mine, theirs)
    except ValueError as error:
        raise SuiteError(f"judgements: {error}") from error


def _gold(mine: Gold, theirs: Gold) -> Gold:
    update: dict[str, Any] = {}
    for name in Gold.model_fields:
        one, other = getattr(mine, name), getattr(theirs, name)
        empty = Gold.model_fields[name].get_default()
        if other in (empty, one):
            continue
        if one != empty:
            raise SuiteError(f"gold.{name}: {_short(other)} contradicts {_short(one)}")
        update[name] = other
    return mine.model_copy(update=update)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 3]}..."
