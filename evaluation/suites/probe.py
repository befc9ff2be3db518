"""PROBE's records as they are printed: questions (3.6, A.3), evidence packets (3.6, A.4) and evaluation bundles (A.5).

Source: Nutakki, PROBE: Release-Gate Evaluation for Regulated Enterprise RAG, sections 3.6 and A.3 to A.5. Records of
one question share its ``question_id``; one object may be a question and a packet at once, as in 3.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import ValidationError

from adapters.schema import Answer, Citation, Gold, GoldLabel, GoldPassage, Passage, Usage
from evaluation.suites.case import Fields, SuiteError, SuiteRow
from scorers.catalog.document import parse_instant

BUNDLE = frozenset({"answer", "retrieved_passages", "citations", "system_id"})
ACCEPTABLE = {"acceptable": True, "unacceptable": False, "not_acceptable": False}
SUPERSEDED = "superseded"


def is_probe(value: Mapping[str, Any]) -> bool:
    """Whether an object is a record of PROBE.

    >>> is_probe({"question_id": "q-1", "question": "How long?"}), is_probe({"id": "q-1", "question": "How long?"})
    (True, False)
    """
    return "question_id" in value


def row_of_probe(value: Mapping[str, Any]) -> SuiteRow:
    """Return what a record of PROBE tells. Raises `SuiteError` naming the field that is wrong.

    A gold passage without a label is ``sufficient``; a near miss is ``superseded`` if its reason begins so, else
    ``prohibited``: it must not be built on. ``effective`` is a day, or two with a slash between. Passages are named by
    ``passage_id``, or by ``doc_id#section``. Ranks count from 1. Flags of a question are safety flags of the packet.
    Words and numbers that PROBE does not name become attributes.

    >>> row = row_of_probe({"question_id": "q-1", "gold_evidence": [
    ...     {"passage_id": "memo-s2", "label": "sufficient", "effective": "2026-04-01/2026-06-30"}]})
    >>> row.answer.gold.passages[0].effective_to.isoformat()
    '2026-07-01T00:00:00+00:00'
    """
    fields = Fields(value)
    case_id = fields.needed("question_id")
    if BUNDLE.isdisjoint(value):
        return _question(case_id, fields)
    return _bundle(case_id, fields)


def _question(case_id: str, fields: Fields) -> SuiteRow:
    question = fields.text("question")
    told: dict[str, Any] = {}
    evidence = [_gold(each) for each in fields.objects("gold_evidence")]
    evidence += [_near_miss(each) for each in fields.objects("near_miss")]
    if len({each.id for each in evidence}) < len(evidence):
        ids = [each.id for each in evidence]
        double = next(name for name in ids if ids.count(name) > 1)
        raise SuiteError(f"gold_evidence: {double!r} is labelled twice")
    if evidence:
        told["passages"] = tuple(evidence)
    behaviour = fields.text("required_behavior")
    if behaviour is not None:
        told["required_behavior"] = behaviour
    prohibited = fields.texts("prohibited_answer_behavior") or fields.texts("prohibited_behaviors")
    if prohibited:
        told["prohibited_behaviors"] = prohibited
    flags = (*(fields.texts("safety_flags") or ()), *(fields.texts("flags") or ()))
    if flags:
        told["safety_flags"] = tuple(dict.fromkeys(flags))
    points = fields.texts("required_points")
    if points:
        told["required_points"] = points
    if question is None and not told:
        raise SuiteError("question: required, or gold_evidence")
    reference = fields.text("reference")
    gold = Gold(**told) if told else None
    answer = Answer(id=case_id, question=question, gold=gold, reference=reference, attributes=fields.rest())
    return SuiteRow(answer)


def _bundle(case_id: str, fields: Fields) -> SuiteRow:
    passages = tuple(_passage(each) for each in fields.objects("retrieved_passages"))
    text = fields.text("answer")
    system = fields.text("system_id")
    model = fields.inner("model")
    told = Fields(fields.inner("adjudication").record, "adjudication.")
    acceptability = told.text("acceptability")
    if acceptability is not None and acceptability not in ACCEPTABLE:
        raise SuiteError(f"adjudication.acceptability: {acceptability!r} is none of {', '.join(ACCEPTABLE)}")
    metrics = fields.inner("metrics")
    attributes = {f"reported.{name}": value for name, value in metrics.rest().items()}
    attributes |= {f"adjudicated.{name}": value for name, value in told.rest().items()}
    versions = {}
    for name, component in (("prompt_hash", "prompt"), ("scorer_version", "reported_scorer")):
        version = fields.text(name)
        if version is not None:
            versions[component] = version
    try:
        usage = Usage(
            latency_ms=fields.number("latency_ms"),
            cost_usd=fields.number("cost_usd"),
            prompt_tokens=_whole(fields, "prompt_tokens"),
            completion_tokens=_whole(fields, "completion_tokens"),
            total_tokens=_whole(fields, "total_tokens"),
        )
        answer = Answer(
            id=case_id,
            question=fields.text("question"),
            answer=text,
            passages=tuple(sorted(passages, key=lambda each: (each.rank is None, each.rank))) or None,
            citations=_citations(fields, text or ""),
            model=model.text("generator"),
            usage=usage,
            versions=versions,
            gold=None if acceptability is None else Gold(acceptable=ACCEPTABLE[acceptability]),
            attributes={
                **fields.rest(),
                **{f"model.{name}": value for name, value in model.rest().items()},
                **attributes,
            },
        )
    except ValidationError as error:
        raise invalid(error) from error
    return SuiteRow(answer, answered=True, configuration=system)


def _gold(fields: Fields) -> GoldPassage:
    label = fields.text("label") or "sufficient"
    if label not in get_args(GoldLabel):
        raise SuiteError(f"{fields.path}label: {label!r} is none of {', '.join(get_args(GoldLabel))}")
    since, until = _effective(fields)
    try:
        return GoldPassage.model_validate(
            {
                "id": _id(fields),
                "label": label,
                "role": fields.text("role"),
                "authority": fields.number("authority"),
                "effective_from": since,
                "effective_to": until,
            }
        )
    except ValidationError as error:
        raise invalid(error, fields.path) from error


def _near_miss(fields: Fields) -> GoldPassage:
    reason = fields.text("reason") or ""
    return GoldPassage(
        id=_id(fields), label="superseded" if reason.startswith(SUPERSEDED) else "prohibited", near_miss=True
    )


def _passage(fields: Fields) -> Passage:
    rank = _whole(fields, "rank")
    if rank is not None and rank < 1:
        raise SuiteError(f"{fields.path}rank: must count from 1")
    return Passage(
        id=_id(fields),
        text=fields.text("text"),
        rank=None if rank is None else rank - 1,
        score=fields.number("score"),
        doc_id=fields.text("doc_id"),
        version=fields.text("version"),
        section=fields.text("section"),
    )


def _citations(fields: Fields, text: str) -> tuple[Citation, ...] | None:
    """A citation without a place in the text stands at its end, and has no marker."""
    cited = fields.texts("citations")
    return None if cited is None else tuple(_at_end(text, each) for each in cited)


def _at_end(text: str, passage_id: str) -> Citation:
    return Citation(start=len(text), end=len(text), marker="", passage_id=passage_id)


def _id(fields: Fields) -> str:
    passage = fields.text("passage_id")
    if passage:
        return passage
    doc, section = fields.text("doc_id"), fields.text("section")
    if not doc:
        raise SuiteError(f"{fields.path}passage_id: required, or doc_id")
    return doc if section is None else f"{doc}#{section}"


def _effective(fields: Fields) -> tuple[Any, Any]:
    text = fields.text("effective")
    if text is None:
        return None, None
    since, slash, until = text.partition("/")
    try:
        first = parse_instant(since, end=False)
        last = parse_instant(until, end=True) if slash else None
    except ValueError as error:
        raise SuiteError(f"{fields.path}effective: {error}") from error
    if first is not None and last is not None and last <= first:
        raise SuiteError(f"{fields.path}effective: ends before it begins")
    return first, last


def _whole(fields: Fields, name: str) -> int | None:
    value = fields.number(name)
    if value is None:
        return None
    if value != int(value) or value < 0:
        raise SuiteError(f"{fields.path}{name}: must be a whole number of at least 0")
    return int(value)


def invalid(error: ValidationError, path: str = "") -> SuiteError:
    """Return the error for a record whose fields are of the right types, but not what an answer takes."""
    first = error.errors(include_url=False)[0]
    return SuiteError(f"{path}{'.'.join(map(str, first['loc']))}: {first['msg']}")
