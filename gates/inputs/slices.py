"""Slices: which values of which attributes split the traffic, under a cap for each dimension.

A dimension becomes a Prometheus label, so its values are bounded: the first ``cap`` values seen are admitted, all
others share ``__other__``. An answer that does not report the attribute is in ``__none__``, which is not the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import Field, field_validator, model_validator

from adapters.schema import Answer
from scorers.base import Value

Slice = tuple[tuple[str, str], ...]
"""A slice as sorted (dimension, value) pairs; ``()`` is all traffic."""

OTHER = "__other__"
"""The value of answers beyond the cap, outside the listed values, or with text that cannot be a label."""

NONE = "__none__"
"""The value of answers that do not report the attribute."""

MAX_VALUE_LENGTH = 128
"""Characters of a value; longer text is content rather than a class of traffic."""

RESERVED = frozenset(
    {
        "alertname",
        "alertstate",
        "baseline",
        "candidate",
        "cause",
        "code",
        "datasource",
        "decision",
        "description",
        "dialect",
        "dimension",
        "example",
        "fault",
        "first_step",
        "gate",
        "instance",
        "job",
        "kind",
        "le",
        "listing",
        "metric",
        "outcome",
        "protocol",
        "quantile",
        "reason",
        "scope",
        "severity",
        "source",
        "stage",
        "state",
        "summary",
        "table",
        "target",
        "version",
        "window",
    }
)
"""Names that mean something else as a label or a variable of a board."""

BUILT_IN = ("service", "release", "environment", "model")
"""Attributes that are fields of `Answer`; where a field is not reported, an attribute of that name stands in."""

Admitted = Mapping[str, frozenset[str]]
"""The values admitted so far, by dimension. Values are never taken back, so cutting is reproducible."""


class Dimension(Value):
    """One way to split traffic, named as its Prometheus label.

    ``attribute`` is the attribute of the answer it is cut from, by default the one of the same name. Listing ``values``
    admits exactly these.
    """

    name: str = Field(
        pattern=r"^[a-zA-Z][a-zA-Z0-9_]{0,62}$", description="Name of the dimension, and of its Prometheus label."
    )
    attribute: str | None = Field(
        default=None, min_length=1, description="Attribute its values come from; by default the one of the same name."
    )
    cap: int = Field(default=50, ge=1, le=1000, description="Values admitted, first come; others go to `__other__`.")
    values: tuple[str, ...] | None = Field(
        default=None, min_length=1, max_length=1000, description="The only values admitted, instead of a cap."
    )

    @field_validator("name")
    @classmethod
    def _free(cls, name: str) -> str:
        if name in RESERVED:
            raise ValueError(f"{name!r} is a reserved label; choose another name")
        return name

    @field_validator("values")
    @classmethod
    def _labels(cls, values: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for value in values or ():
            if not _is_label(value):
                raise ValueError(f"{value!r:.40} cannot be a label value")
        if values is not None and len(set(values)) != len(values):
            raise ValueError("duplicate value")
        return values

    @model_validator(mode="after")
    def _one_bound(self) -> Dimension:
        if self.values is not None and self.cap != type(self).model_fields["cap"].default:
            raise ValueError("give either values or cap: listed values need no cap")
        return self

    @property
    def source(self) -> str:
        """The attribute this dimension is cut from."""
        return self.attribute or self.name


@dataclass(frozen=True, slots=True)
class Cut:
    """Where one answer belongs: its ``slice``, what is ``admitted`` now, and the dimensions that ``overflowed``."""

    slice: Mapping[str, str]
    admitted: Admitted
    overflowed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slicer:
    """Cuts answers into slices. Pure: what it must remember is handed in and returned.

    >>> slicer = Slicer((Dimension(name="domain", cap=1),))
    >>> first = slicer.cut({"domain": "travel"}, {})
    >>> second = slicer.cut({"domain": "leave"}, first.admitted)
    >>> first.slice, second.slice, second.overflowed, slicer.cut({}, second.admitted).slice
    ({'domain': 'travel'}, {'domain': '__other__'}, ('domain',), {'domain': '__none__'})
    """

    dimensions: Sequence[Dimension]

    def cut(self, attributes: Mapping[str, str], admitted: Admitted) -> Cut:
        """Return the slice of an answer with these attributes (see `attributes_of`).

        ``admitted`` comes back unchanged, the same object, unless a value was admitted.
        """
        slice_: dict[str, str] = {}
        overflowed: list[str] = []
        for dimension in self.dimensions:
            value = attributes.get(dimension.source) or NONE
            known = admitted.get(dimension.name, frozenset())
            if value not in (NONE, OTHER) and value not in known:
                if not _admits(dimension, value, len(known)):
                    overflowed.append(dimension.name)
                    value = OTHER
                elif dimension.values is None:
                    admitted = {**admitted, dimension.name: known | {value}}
            slice_[dimension.name] = value
        return Cut(slice_, admitted, tuple(overflowed))


def _admits(dimension: Dimension, value: str, count: int) -> bool:
    if dimension.values is not None:
        return value in dimension.values
    return count < dimension.cap and _is_label(value)


def _is_label(value: str) -> bool:
    """Whether a value can be shown as it is: short, not empty, without control characters or lone surrogates."""
    return 0 < len(value) <= MAX_VALUE_LENGTH and value.isprintable() and value not in (NONE, OTHER)


def attributes_of(answer: Answer) -> Mapping[str, str]:
    """Return everything slices of ``answer`` can be cut from: its attributes, and its `BUILT_IN` fields.

    >>> attributes_of(Answer(id="a", service="helpdesk", attributes={"domain": "travel"}))
    {'domain': 'travel', 'service': 'helpdesk'}
    """
    attributes = dict(answer.attributes)
    for name in BUILT_IN:
        value = getattr(answer, name)
        if value is not None:
            attributes[name] = value
    return attributes


def dump_admitted(admitted: Admitted) -> bytes:
    """Serialize admitted values as JSON; equal values give equal bytes.

    >>> load_admitted(dump_admitted({"domain": frozenset({"travel"})}))
    {'domain': frozenset({'travel'})}
    """
    return orjson.dumps({name: sorted(values) for name, values in sorted(admitted.items())})


def load_admitted(data: bytes) -> Admitted:
    """Restore what `dump_admitted` wrote. Raises `ValueError` on anything else."""
    decoded: Any = orjson.loads(data)
    if not isinstance(decoded, dict) or not all(isinstance(values, list) for values in decoded.values()):
        raise ValueError("not the admitted values of a slicer")
    return {name: frozenset(values) for name, values in decoded.items()}
