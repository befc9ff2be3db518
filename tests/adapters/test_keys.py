"""Which keys spans carry: what traffic can be sliced by."""

import time

from adapters.base import AdaptOptions
from adapters.keys import MAX_KEYS, MAX_VALUES, KeyCount
from adapters.trace import Span, Trace
from adapters.wire.otlp import decode_traces
from tests.traffic import policy_trace


def counted(*traces):
    count = KeyCount()
    for trace in traces:
        count.add(trace, AdaptOptions())
    return {each.key: each for each in count.result().keys}


def traced(number, **attributes):
    return Trace.of(f"{number:032x}", [Span(f"{number:032x}", "s", None, "call", 1, 2, attributes)])


def policy(i, **metadata):
    (first, *more) = decode_traces(policy_trace(i, at=time.time_ns(), metadata=metadata).SerializeToString()).spans
    return Trace.of(first.trace_id, [first, *more])


def test_metadata_is_found_with_its_values_and_what_every_instrumentation_writes_is_left_out():
    found = counted(policy(1, tier="gold"), policy(2, tier="free"), policy(3))
    assert found["domain"].values == {"travel": 3}
    assert found["tier"].values == {"gold": 1, "free": 1}
    assert set(found) == {"domain", "tier"}


def test_attributes_of_the_root_count_and_those_of_steps_do_not():
    root = Span("t" * 32, "a", None, "root", 1, 4, {"app.region": "eu", "app.beta": True, "app.empty": " "})
    step = Span("t" * 32, "b", "a", "step", 2, 3, {"app.step": "x"})
    found = counted(Trace.of("t" * 32, [root, step]))
    assert {key: dict(each.values) for key, each in found.items()} == {"app.region": {"eu": 1}, "app.beta": {"true": 1}}


def test_keys_and_values_are_bounded_whatever_senders_write():
    many = counted(*(traced(i, **{f"key{i}": "x", "id": f"r{i}"}) for i in range(MAX_KEYS + 200)))
    assert len(many) == MAX_KEYS
    assert len(many["id"].values) == MAX_VALUES
    assert many["id"].more
    assert counted(traced(1, **{"k" * 1000: "v", "long": "v" * 1000})) == {}
