"""Laws over the registry: every target does these, and a new one is held to them by being registered."""

from contextlib import contextmanager
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.configuration.file import load
from collector.outbound.errors import Refused, Unreachable
from collector.writeback import TARGETS
from tests.collector.sources.server import serving
from tests.collector.writeback.examples import ITEM, VERDICT, many

SECRET = "s3cret-of-a-test"
REQUIRED = {
    "phoenix": {"api_key": SECRET},
    "langfuse": {"public_key": "pk", "secret_key": SECRET},
    "otlp": {"headers": {"authorization": SECRET}},
}
TYPES = [get_args(target.model_fields["type"].annotation)[0] for target in TARGETS]

each = pytest.mark.parametrize("kind", TYPES)
bodies = st.one_of(
    st.binary(max_size=200),
    st.sampled_from(
        [
            b'{"data": []}',
            b'{"data": [{"id": "1"}, {"id": "2"}]}',
            b'{"message": "Accepted"}',
            b'{"accepted": 1, "rejected": 1, "errors": []}',
            b'{"successes": [], "errors": []}',
            f"Spans with IDs {ITEM.span_id} do not exist.".encode(),
        ]
    ),
)


@contextmanager
def opened(kind, url):
    options = {"type": kind, "url": url, "timeout": "5s", **REQUIRED[kind]}
    [target] = load(f"write_back: [{options}]", where="x").write_back
    target = target.open("write_back[0]")
    try:
        yield target
    finally:
        target.close()


def outcome(target, items):
    """What became of a write, or why there is nothing; any other exception is a defect."""
    try:
        return target.write(items), ""
    except (Refused, Unreachable) as error:
        return None, error.reason


@each
@settings(max_examples=40, deadline=None)
@given(answers=st.lists(st.tuples(st.integers(200, 599), bodies), min_size=3, max_size=3))
def test_whatever_a_server_answers_every_item_is_settled_once_or_none_is(kind, answers):
    items = [ITEM, VERDICT]
    left = list(answers)

    def answer(handler):
        handler.rfile.read(int(handler.headers["content-length"]))
        status, body = left.pop(0) if left else answers[-1]
        handler.give(status, b"" if status in {204, 304} else body)

    with serving(answer) as url, opened(kind, url) as target:
        written, reason = outcome(target, items)
    assert "\n" not in reason
    assert SECRET not in reason
    if written is not None:
        assert written.count + len(written.unknown) + written.rejected == len(items)
        assert min(written.count, written.rejected) >= 0


@each
def test_every_request_is_bounded(kind):
    sizes = []

    def answer(handler):
        sizes.append(len(handler.rfile.read(int(handler.headers["content-length"]))))
        handler.give(503)

    with serving(answer) as url, opened(kind, url) as target, pytest.raises(Unreachable):
        target.write(many(100))
    assert max(sizes) < 1_000_000
