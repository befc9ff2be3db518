"""What an answer taken through Phoenix must have in common with the same answer taken by OTLP."""

LOST = {"service", "release", "environment", "framework"}
"""Of resource and scope. The other fields of `adapters.exports.phoenix.LOST_BY_API` are lost in part."""
OF_RESOURCE = ("app",)
"""Versions that the resource tells, which Phoenix does not keep."""
MICROSECONDS_MS = 0.002
"""Phoenix keeps times to the microsecond, rounded; a duration is off by two at most."""


def assert_same(by_otlp, by_phoenix, digits=15):
    want, got = (_rounded(_comparable(answer), digits) for answer in (by_otlp, by_phoenix))
    for usage in ("latency_ms", "first_token_ms"):
        pair = want["usage"].pop(usage), got["usage"].pop(usage)
        assert pair[0] is pair[1] is None or abs(pair[0] - pair[1]) <= MICROSECONDS_MS, (usage, pair)
    for name in ("started_at", "ended_at"):
        pair = getattr(by_otlp, name), getattr(by_phoenix, name)
        assert pair[0] is pair[1] is None or abs((pair[0] - pair[1]).total_seconds()) <= MICROSECONDS_MS / 1e3, name
    if (want["source"], got["source"]) == ("openllmetry", "otel_genai"):
        # OpenLLMetry of today writes the conventions' keys alone: its scope tells it apart, which is lost.
        got["source"] = want["source"]
    differing = {name: (want[name], got[name]) for name in want if want[name] != got[name]}
    assert not differing, (by_otlp.id, by_otlp.source, by_otlp.framework, differing)
    # The scope is lost; where a span shows its framework by other means it must be the right one.
    assert by_phoenix.framework in (None, by_otlp.framework)


def _comparable(answer):
    found = answer.model_dump(mode="json", exclude={*LOST, "revision", "started_at", "ended_at"})
    found["versions"] = {name: version for name, version in found["versions"].items() if name not in OF_RESOURCE}
    for passage in found["passages"] or ():
        # A null that stands nowhere else is lost, and with it metadata of nothing but nulls.
        told = {name: value for name, value in (passage["metadata"] or {}).items() if value is not None}
        passage["metadata"] = told or None
    return found


def _rounded(value, digits):
    if isinstance(value, dict):
        return {key: _rounded(item, digits) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item, digits) for item in value]
    return round(value, digits) if isinstance(value, float) else value
