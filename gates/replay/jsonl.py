"""Evaluations and changes as lines of JSON: what one holds, and how one is written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
import orjson
from msgspec import Meta, Raw

from gates.inputs.changes import MEASURING, Change, ChangeKind
from gates.inputs.changes import bounded as says_what
from gates.inputs.observations import Labeller, Observation

FIRST_YEAR, LAST_YEAR = 1971, 9989
"""Gates count ticks from 1970 on, and look ahead of the last."""
NOTHING = Raw(b"{}")

_Text = str | int | float | bool | None


class EvaluationLine(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """What a line of an evaluation holds. Slices and versions are few and repeat: `named` reads each once.

    ``at`` is when the answer was given, ``arrived`` when its score was known; ``value`` is ``None`` where it was not
    scored. ``label`` is the text that the score carries, or as a number what a person found the value to be;
    ``label_probability`` then is how likely that was. A line with a ``labeller`` is of an answer that has a line
    already, and brings the label that was sent of it later.
    """

    at: Annotated[datetime, Meta(tz=True)]
    answer_id: str | int
    metric: str
    value: float | None
    probability: Annotated[float, Meta(gt=0, le=1)]
    slice: Raw = NOTHING
    cluster: str | int | None = None
    document: str | int | None = None
    versions: Raw = NOTHING
    arm: Literal["candidate", "baseline"] | None = None
    share: Annotated[float, Meta(ge=0, le=1)] | None = None
    label: float | str | None = None
    label_probability: Annotated[float, Meta(gt=0, le=1)] | None = None
    labeller: Labeller | None = None
    arrived: Annotated[datetime, Meta(tz=True)] | None = None


KEYS = EvaluationLine.__struct_fields__


class _Announced(msgspec.Struct, forbid_unknown_fields=True):
    """A change as it is announced to an agent; what gates do not go by is read and not used."""

    kind: ChangeKind
    scope: dict[str, _Text] | None = None
    version: _Text = None
    component: str | None = None
    documents: list[str] | None = None
    everywhere: bool | None = None
    previous: _Text = None
    id: _Text = None
    note: str | None = None


class _ChangeLine(msgspec.Struct, forbid_unknown_fields=True):
    at: Annotated[datetime, Meta(tz=True)]
    change: _Announced


_decode_change = msgspec.json.Decoder(_ChangeLine).decode
_decode_names = msgspec.json.Decoder(dict[str, _Text] | None).decode


def change_in(line: bytes) -> tuple[Change, str | None]:
    """Return the change of a line and its component.

    Raises `msgspec.ValidationError` where it is none, has keys that no change has, or does not say what it is about.

    >>> change_in(b'{"at": "2026-01-01T11:00:00Z", "change": {"kind": "deploy", "version": 7}}')[0].title
    'deploy 7'
    """
    decoded = _decode_change(line)
    announced = decoded.change
    version = None if announced.version is None else _text(announced.version)
    change = Change(at=bounded(decoded.at), kind=announced.kind, scope=_texts(announced.scope), version=version)
    _check_bounds(change, announced)
    return change, announced.component


def _check_bounds(change: Change, announced: _Announced) -> None:
    """Raise `msgspec.ValidationError` where a change does not say what it is about, as an agent refuses it."""
    if change.kind == "reference":
        if not announced.component:
            raise msgspec.ValidationError("component: a reference names the gate that begins it anew - at `$.change`")
        return
    if announced.everywhere and change.scope:
        raise msgspec.ValidationError("everywhere: scope names a part of the traffic; leave out one - at `$.change`")
    measures = change.kind in MEASURING and announced.component
    if not (announced.everywhere or measures or says_what(change.version, change.scope, announced.documents or ())):
        raise msgspec.ValidationError(
            "version: neither version nor scope is given, so this would begin the evidence of every gate anew; if it is"
            ' meant to, say "everywhere": true - at `$.change`'
        )


def named(key: str, raw: bytes) -> dict[str, str]:
    """Return names and values as text, without those that are null; ``key`` is what an error says it is.

    >>> named("slice", b'{"domain": "travel", "tier": 2, "region": null}')
    {'domain': 'travel', 'tier': '2'}
    """
    try:
        return _texts(_decode_names(raw))
    except msgspec.DecodeError as error:
        raise msgspec.ValidationError(f"{error} - of `$.{key}`") from error


def bounded(at: datetime) -> datetime:
    """Return an instant that ticks can be counted at. Raises `msgspec.ValidationError` for any other."""
    if not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise msgspec.ValidationError(f"the year {at.year} is outside {FIRST_YEAR} to {LAST_YEAR} - at `$.at`")
    return at


def evaluation_line(observation: Observation) -> bytes:
    """Return an observation as a line, without its end.

    >>> seen = Observation(at="2026-01-01T00:00:00Z", answer_id="a", metric="m", value=1, probability=0.5)
    >>> msgspec.json.decode(evaluation_line(seen), type=EvaluationLine).probability
    0.5
    """
    return orjson.dumps(observation.model_dump(mode="json"))


def label_line(observation: Observation, labeller: Labeller, arrived: datetime) -> bytes:
    """Return a label that was sent of an answer as a line, without its end; the observation holds it.

    >>> seen = {"at": "2026-01-01T00:00:00Z", "answer_id": "a", "metric": "m", "value": 1, "probability": 0.5}
    >>> told = Observation(**seen, label=0, label_probability=0.1)
    >>> msgspec.json.decode(label_line(told, "human", told.at), type=EvaluationLine).labeller
    'human'
    """
    return orjson.dumps(observation.model_dump(mode="json") | {"labeller": labeller, "arrived": arrived})


def change_line(change: Change, component: str | None = None) -> bytes:
    """Return a change as a line, without its end.

    >>> noted = Change(at="2026-01-01T00:00:00Z", kind="scorer", version="2")
    >>> change_in(change_line(noted, "claim_support")) == (noted, "claim_support")
    True
    """
    fields: dict[str, Any] = {"kind": change.kind, "scope": dict(change.scope), "version": change.version}
    if component is not None:
        fields["component"] = component
    elif not says_what(change.version, change.scope, ()):
        fields["everywhere"] = True
    return orjson.dumps({"at": change.at, "change": fields})


def _texts(mapping: Mapping[str, _Text] | None) -> dict[str, str]:
    return {name: _text(value) for name, value in (mapping or {}).items() if value is not None}


def _text(value: _Text) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
