"""The OpenAPI document of the agent's HTTP API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from adapters.schema import Answer
from collector.api.changes import Announcement
from collector.api.flagger import HOOKS, Payload
from collector.api.parameters import MAX_NUMBER, MAX_TEXT
from collector.api.queries import PAGE_SECONDS, QUERY_SECONDS
from collector.api.rows import MAX_LIMIT, ORDERS, PAGE_BYTES
from collector.judging.verdicts import MAX_VALUE
from collector.store.entries import ChangeSource
from collector.store.listing import MAX_EVALUATED, MAX_ROWS
from gates.base import SliceVerdict
from gates.decisions.record import DecisionRecord
from gates.inputs.changes import ChangeKind
from scorers.base import Evaluation

_REFERENCE = "#/components/schemas/{model}"
_EARLY = f"A page ends early at about {PAGE_BYTES >> 20} MiB or after {PAGE_SECONDS:g} s"
_GENERAL = (
    "Errors are JSON objects whose `error` says what is wrong. Another path is answered with 404, another method with "
    f"405 and `Allow`. A query that takes longer than {QUERY_SECONDS:g} s is cut off with 503. Beyond 1,024 "
    "connections at once, and for what is no HTTP, the answer is plain text: 503 or 400. On loopback without a token, "
    "a request for another host than this machine or one of `http.allowed_hosts` is answered with 421."
)


def document(version: str, dimensions: Sequence[str]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document; ``dimensions`` are the slice dimensions answers can be filtered by."""
    slice_filters = [_word(name, f"Only answers whose {name} is this.") for name in dimensions]
    paths = {
        "/metrics": _get("Prometheus exposition", {"200": _text("All instruments.")}, stored=False),
        "/healthz": _get("Liveness", {"200": _object("The process serves requests.")}, guarded=False, stored=False),
        "/readyz": _get(
            "Readiness",
            {
                "200": _object("Ready for traffic; `warnings` say what a person should know all the same."),
                "503": _object("Not ready; `reasons` say why: the store cannot be written, or is corrupt."),
            },
            guarded=False,
            stored=False,
        ),
        "/v1/gates": _get("All gates with their verdicts", {"200": _object("The gates.")}),
        "/v1/gates/{gate}": _get(
            "Verdict of one gate",
            {
                "200": _json("Verdict, whatever its state. Retry-After is the pace of new ones.", "GateVerdict"),
                "400": _error("What is wrong with a parameter; one that is not known is refused."),
                "404": _error("No such gate."),
            },
            [
                _path("gate", "Name of the gate."),
                _word("candidate", "The release that is asked about; over another one it is inconclusive.", MAX_VALUE),
                _word("baseline", "What the candidate is compared with; with another it is inconclusive.", MAX_VALUE),
                *(_word(name, f"Over the slices whose {name} is this.", MAX_VALUE) for name in dimensions),
            ],
        ),
        "/v1/flagger/{gate}/{hook}": _post(
            "Answer a webhook of Flagger",
            "FlaggerCall",
            {
                "200": _text("Yes: go on; of rollback: ROLL BACK."),
                "409": _text("No, and why; so is whatever hinders an answer."),
            },
            [
                _path("gate", "Name of the gate."),
                _path("hook", f"{', '.join(HOOKS[:-1])} or {HOOKS[-1]}."),
            ],
        ),
        "/v1/decisions": _get(
            "Verdict changes, oldest first or newest first",
            {
                "200": _listed(
                    f"Rows of the hash-chained decision log. {_EARLY}.",
                    "decisions",
                    "Decision",
                    "Where the next page starts: the value for after, newest first for before; null at the end.",
                ),
                "400": _WRONG,
            },
            [
                _seq("after", "Only rows with a higher seq."),
                _seq("before", "Only rows with a lower seq; 0: all."),
                _choice("order", ORDERS, "Which rows come first."),
                _word("gate", "Only this gate's rows."),
                _limit(100),
            ],
        ),
        "/v1/decisions/{seq}": _get(
            "One row of the decision log",
            {
                "200": _json("The row.", "Decision"),
                "400": _WRONG,
                "404": _error("No row has this number."),
            },
            [_path("seq", "Number of the row.", _integers(1))],
        ),
        "/v1/changes": _get(
            "The change ledger, oldest first",
            {
                "200": _listed(
                    f"Rows of the ledger. {_EARLY}.",
                    "changes",
                    "ChangeRow",
                    "Where the next page starts: the value for after; null at the end.",
                ),
                "400": _WRONG,
            },
            [_seq("after", "Only rows with a higher seq; numbers are not consecutive."), _limit(100)],
        )
        | _post(
            "Announce a change",
            "Announcement",
            {
                "200": _json("A change that was announced before, with this id.", "ChangeRow"),
                "201": _json("The change, as it was recorded.", "ChangeRow"),
                "400": _error("What is wrong with the body."),
                "409": _error("There is another change with this id."),
                "413": _error("The body is larger than 64 KiB."),
                "415": _error("The body is not application/json."),
                "503": _BUSY,
            },
        ),
        "/v1/answers": _get(
            "Answers with their newest evaluation, newest first",
            {
                "200": _listed(
                    f"The answers. {_EARLY}. For one page {MAX_ROWS:,} answers are looked at, with metric "
                    f"{MAX_EVALUATED:,} of the slice: a page with few answers or none need not be the last. Go on "
                    "while next is not null.",
                    "answers",
                    "AnswerRow",
                    "Where the next page starts: the value for before; null at the end.",
                ),
                "400": _WRONG,
            },
            [
                _limit(50),
                _seq("before", "Only answers before this seq: next of the page before; 0: all."),
                _word("metric", "Only answers with a value of this metric, one of those configured."),
                _query("min_value", {"type": "number"}, "With metric: only values of at least this."),
                _query("max_value", {"type": "number"}, "With metric: only values of at most this."),
                *slice_filters,
            ],
        ),
        "/v1/answers/{answer_id}": _get(
            "One answer",
            {
                "200": _json("The answer.", "AnswerRow"),
                "404": _error("Unknown, not closed yet, or past its retention."),
            },
            [_path("answer_id", "Id; it may hold slashes.")],
        ),
        "/v1/slices": _get("Slice dimensions", {"200": _object("The configured dimensions.")}, stored=False),
        "/v1/sources": _get(
            "Sources the agent reads by itself",
            {"200": _object("Each source: state, last success and error, what it brought, and where it stands.")},
        ),
        "/v1/write-back": _get(
            "Targets of write-back",
            {"200": _object("Each target: its state, its last error, what was written, and where it stands.")},
        ),
        "/v1/notify": _get(
            "Notifiers",
            {"200": _object("Each notifier: its state, its last error, what was sent, and where it stands.")},
        ),
        "/v1/catalog": _get(
            "The catalog of governing documents",
            {
                "200": _object(
                    "Which catalog is in force and since when, its warnings, what was refused, how the server it is"
                    " fetched from is doing, and the newest changes: entries added, removed and changed, versions"
                    " superseded, each with how many and the first of them."
                ),
                "404": _error("No catalog is configured."),
            },
        ),
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Groundwire", "version": version, "description": _GENERAL},
        "paths": paths,
        "components": {"schemas": _schemas(), "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    }


def _schemas() -> dict[str, Any]:
    schemas: dict[str, Any] = {"Error": _all_required({"error": {"type": "string", "description": "What is wrong."}})}
    for model in (Answer, Evaluation, SliceVerdict, Announcement, DecisionRecord):
        schema = model.model_json_schema(ref_template=_REFERENCE)
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    schemas["FlaggerCall"] = Payload.model_json_schema()
    schemas["GateVerdict"] = {
        "type": "object",
        "required": ["gate", "state", "code", "no_data", "reason", "evaluated_at", "policy_version"],
        "properties": {
            "gate": {"type": "string"},
            "state": {"enum": ["pass", "fail", "inconclusive"]},
            "code": {"enum": [1, -1, 0], "description": "1 pass, -1 fail, 0 inconclusive"},
            "no_data": {"type": "boolean"},
            "reason": {"type": "string"},
            "candidate": {"type": ["string", "null"], "description": "The release it is over, where it is over one."},
            "baseline": {"type": ["string", "null"], "description": "What the candidate is compared with."},
            "log_e_rollback": _evidence("that a slice is worse, over all slices"),
            "log_e_promote": _evidence("that no slice is worse by the margin, of the slice with least"),
            "n_candidate": {"type": ["integer", "null"], "description": "Scored answers of the candidate."},
            "n_baseline": {"type": ["integer", "null"], "description": "Scored answers that it is compared with."},
            "evaluated_at": {"type": ["string", "null"], "format": "date-time"},
            "evidence_until": {
                "type": ["string", "null"],
                "format": "date-time",
                "description": "What arrived before is scored and counted; nothing older waits, open traces apart.",
            },
            "pending": {"type": ["integer", "null"], "description": "Answers and closed traces that wait then."},
            "policy_version": {"type": ["string", "null"]},
            "slices": {"type": "array", "items": {"$ref": _REFERENCE.format(model="SliceVerdict")}},
        },
    }
    text = {"type": "string"}
    maybe = {"type": ["string", "null"]}
    time = {"type": "string", "format": "date-time"}
    scope = {"type": "object", "additionalProperties": text}
    schemas["AnswerRow"] = _all_required(
        {
            "answer": {"$ref": _REFERENCE.format(model="Answer")},
            "slice": scope,
            "probability": {"type": "number", "description": "With which it was drawn into the sample."},
            "sampled": {"type": "boolean"},
            "late": {"type": "boolean", "description": "Drawn into the sample after it was stored."},
            "seq": {"type": "integer", "description": "Rises in the order in which answers were first stored."},
            "arrived_at": time,
            "evaluation": {"oneOf": [{"$ref": _REFERENCE.format(model="Evaluation")}, {"type": "null"}]},
        }
    )
    schemas["ChangeRow"] = _all_required(
        {
            "seq": {"type": "integer"},
            "id": text,
            "at": time | {"description": "When it took effect."},
            "recorded_at": time | {"description": "When the agent learned of it."},
            "kind": {"enum": list(get_args(ChangeKind))},
            "source": {"enum": list(get_args(ChangeSource))},
            "component": text | {"description": "What changed: release, index, a metric, ..."},
            "scope": scope | {"description": "Dimensions and values that it touches; none: all traffic."},
            "version": maybe,
            "previous": maybe,
            "documents": {"type": "array", "items": text},
            "note": maybe,
        }
    )
    schemas["Decision"] = _all_required(
        {
            "seq": {"type": "integer"},
            "at": time,
            "gate": text,
            "slice": scope | {"description": "Empty for the gate as a whole."},
            "state": {"enum": ["pass", "fail", "inconclusive"]},
            "previous_state": {"enum": ["pass", "fail", "inconclusive", None]},
            "verdict": {"type": "object", "description": "Of the gate, or a SliceVerdict."},
            "record": {"oneOf": [{"$ref": _REFERENCE.format(model="DecisionRecord")}, {"type": "null"}]},
            "previous_hash": text,
            "hash": text,
        }
    )
    return schemas


def _all_required(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _evidence(of: str) -> dict[str, Any]:
    return {"type": ["number", "null"], "description": f"Natural logarithm of the e-value for this: {of}."}


def _post(
    summary: str, model: str, responses: dict[str, Any], parameters: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    told = responses | {"401": _CLOSED}
    body = {"required": True, "content": {"application/json": {"schema": {"$ref": _REFERENCE.format(model=model)}}}}
    operation = {"summary": summary, "requestBody": body, "responses": told, "security": [{"bearer": []}, {}]}
    return {"post": operation | ({"parameters": list(parameters)} if parameters else {})}


def _listed(description: str, name: str, model: str, following: str) -> dict[str, Any]:
    items = {"type": "array", "items": {"$ref": _REFERENCE.format(model=model)}}
    schema = _all_required({name: items, "next": {"type": ["integer", "null"], "description": following}})
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _get(
    summary: str,
    responses: dict[str, Any],
    parameters: Sequence[dict[str, Any]] = (),
    *,
    guarded: bool = True,
    stored: bool = True,
) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": summary, "responses": dict(responses)}
    if parameters:
        operation["parameters"] = list(parameters)
    if guarded:
        operation["security"] = [{"bearer": []}, {}]
        operation["responses"]["401"] = _CLOSED
    if stored:
        operation["responses"]["503"] = _BUSY
    return {"get": operation}


def _query(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, "description": description}


def _word(name: str, description: str, longest: int = MAX_TEXT) -> dict[str, Any]:
    return _query(name, {"type": "string", "minLength": 1, "maxLength": longest}, description)


def _seq(name: str, description: str) -> dict[str, Any]:
    return _query(name, _integers(0), description)


def _limit(default: int) -> dict[str, Any]:
    return _query("limit", _integers(1, MAX_LIMIT) | {"default": default}, "At most this many rows.")


def _choice(name: str, choices: Sequence[str], description: str) -> dict[str, Any]:
    return _query(name, {"type": "string", "enum": list(choices), "default": choices[0]}, description)


def _integers(low: int, high: int = MAX_NUMBER) -> dict[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": high}


def _path(name: str, description: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    shape = schema or {"type": "string"}
    return {"name": name, "in": "path", "required": True, "schema": shape, "description": description}


def _text(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"text/plain": {"schema": {"type": "string"}}}}


def _object(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": {"type": "object"}}}}


def _json(description: str, model: str) -> dict[str, Any]:
    reference = {"$ref": _REFERENCE.format(model=model)}
    return {"description": description, "content": {"application/json": {"schema": reference}}}


def _error(description: str) -> dict[str, Any]:
    return _json(description, "Error")


_WRONG = _error("What is wrong with a parameter.")
_CLOSED = _error("A token is configured and was not given.")
_BUSY = _error("The store is not open (the agent starts or stops), or too much is asked of it at once.") | {
    "headers": {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds until another try may work."}}
}
