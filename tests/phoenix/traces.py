"""The recorded traces of this repository, as often as a test wants them, each time as new ones."""

from hashlib import blake2b
from pathlib import Path

from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

GOLDEN = Path(__file__).parents[1] / "golden" / "traces"
BEYOND_PHOENIX = ("langchain-many-passages",)
"""Their SDK dropped the first documents, and Phoenix numbers the others anew: how many there were cannot be told."""
FRAMEWORKS = ("haystack", "langchain", "llamaindex")


def recorded(origins=FRAMEWORKS):
    """Yield the name and bytes of every trace that Phoenix can carry, of these origins; of all if it is ``None``."""
    for path in sorted(GOLDEN.glob("*.otlp.pb")):
        name, data = path.name.removesuffix(".otlp.pb"), path.read_bytes()
        if (origins is None or name.startswith(origins)) and name not in BEYOND_PHOENIX and not _has_logs(data):
            yield name, data


def _has_logs(data):
    """Whether a part of the content came as log records, which Phoenix does not take; such a span has events alone."""
    return any(not span.start_time_unix_nano for span in _spans(TracesData.FromString(data)))


def renewed(data, generation, *, project=None, at=None):
    """Return the traces with ids of their own, in a Phoenix project, and begun at ``at`` (Unix nanoseconds)."""
    message = TracesData.FromString(data)
    spans = _spans(message)
    later = 0 if at is None else at - min(span.start_time_unix_nano for span in spans)
    for span in spans:
        span.trace_id = _renewed(span.trace_id, generation)
        span.span_id = _renewed(span.span_id, generation)
        if span.parent_span_id:
            span.parent_span_id = _renewed(span.parent_span_id, generation)
        span.start_time_unix_nano += later
        span.end_time_unix_nano += later
        for event in span.events:
            event.time_unix_nano += later
    if project is not None:
        for group in message.resource_spans:
            named = group.resource.attributes.add()
            named.key = "openinference.project.name"
            named.value.string_value = project
    return message


def count(message):
    return len(_spans(message))


def _spans(message):
    return [span for group in message.resource_spans for scope in group.scope_spans for span in scope.spans]


def _renewed(identity, generation):
    return blake2b(identity, digest_size=len(identity), salt=b"%d" % generation).digest() if generation else identity
