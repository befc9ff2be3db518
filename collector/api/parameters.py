"""Parameters of requests: declared as models, documented by their schemas, refused by name and with what was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, AllowInfNan, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

MAX_NUMBER = 2**63 - 1
"""The highest number a row can have."""
MAX_DIGITS = len(str(MAX_NUMBER))
"""Beyond it a number is not even read."""
MAX_TEXT = 256
"""Characters of a name or of a slice's value; none that is stored has more."""
SHOWN = 40
"""Characters of a wrong value that an error repeats."""


class WrongParameter(ValueError):  # noqa: N818 - says what came in
    """A request has a parameter that cannot be used; the message names it, on one line."""


def printable(text: str) -> str:
    """Return ``text`` as it is. Raises `ValueError` if it holds a character that cannot be printed."""
    if not text.isprintable():
        raise ValueError("has a character that cannot be printed")
    return text


def _whole(text: str | int) -> int:
    if isinstance(text, str) and not (len(text) <= MAX_DIGITS and text.isascii() and text.isdigit()):
        raise ValueError("not a whole number")
    return int(text)


Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT), AfterValidator(printable)]
Whole = BeforeValidator(_whole)
RowNumber = Annotated[int, Field(ge=0, le=MAX_NUMBER), Whole]
FiniteNumber = Annotated[float, AllowInfNan(False)]


class Parameters(BaseModel):
    """What the path and the query of a request may hold.

    A field named ``slice`` stands for one parameter for each slice dimension; its description says ``{name}`` where
    that of the dimension goes.
    """

    model_config = ConfigDict(frozen=True)

    exhaustive: ClassVar[bool] = False
    """Whether a name that is not declared, or stands twice, is refused. Else it is ignored, or the last one holds."""

    @classmethod
    def schemas(cls, dimensions: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the JSON schema of each parameter, by name."""
        schemas: dict[str, dict[str, Any]] = {}
        for name, schema in cls.model_json_schema().get("properties", {}).items():
            about = {key: schema[key] for key in ("description", "default") if schema.get(key) is not None}
            if name == "slice":
                text = about["description"]
                schemas |= {
                    each: schema["additionalProperties"] | {"description": text.format(name=each)}
                    for each in dimensions
                }
            else:
                # One that may be left out is declared as possibly null, which no request can send.
                known = schema["anyOf"][0] if "anyOf" in schema else schema
                schemas[name] = {key: value for key, value in known.items() if key not in {"title", "default"}} | about
        return schemas

    @classmethod
    def read(
        cls, query: Sequence[tuple[str, str]], dimensions: Sequence[str], path: Mapping[str, str] | None = None
    ) -> Self:
        """Return the parameters of a request. Raises `WrongParameter`.

        >>> SliceParameters.read([("service", "desk")], ["service"]).slice
        {'service': 'desk'}
        """
        sent = dict(query)
        if cls.exhaustive:
            known = [name for name in cls.model_fields if name != "slice" and name not in (path or ())]
            if unknown := [name for name in sent if name not in (*known, *dimensions)]:
                raise WrongParameter(
                    f"unknown parameter {unknown[0][:SHOWN]!r}; use one of: {', '.join((*known, *dimensions))}"
                )
            if len(sent) < len(query):
                names = [name for name, _ in query]
                raise WrongParameter(f"duplicate parameter {next(name for name in names if names.count(name) > 1)}")
        sent |= path or {}
        try:
            return cls.model_validate(sent | {"slice": {name: sent[name] for name in dimensions if name in sent}})
        except ValidationError as error:
            name = str(error.errors(include_url=False)[0]["loc"][-1])
            raise WrongParameter(wrong(name, _expected(cls.schemas(dimensions)[name]), sent[name])) from error


class SliceParameters(Parameters):
    """Parameters of which some select slices."""

    slice: Mapping[str, Text] = Field(default_factory=dict, description="Only where {name} is this.")


def wrong(name: str, expected: str, value: str) -> str:
    """Return what to say of a parameter that is not what was ``expected``."""
    return f"{name} must be {expected}, got {value[:SHOWN]!r}"


def _expected(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"enum": known}:
            return f"one of {', '.join(known)}"
        case {"type": "integer", "minimum": low, "maximum": high}:
            return f"a whole number from {low} to {high}"
        case {"examples": [example, *_]}:
            return f"like {example}"
        case {"type": "number"}:
            return "a finite number"
        case _:
            return f"{schema['minLength']} to {schema['maxLength']} printable characters"
