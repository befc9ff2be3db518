"""Addresses of traces, as a configuration names them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from collector.security.address import TraceUrl, trace_address

TRACE = TypeAdapter(TraceUrl)


@pytest.mark.parametrize(
    "url",
    [
        "https://phoenix.example.com/redirects/traces/{trace_id}",
        "http://127.0.0.1:16686/trace/{trace_id}?uiFind={span_id}",
        "https://traces.example.com/explore#/t/{trace_id}",
    ],
)
def test_an_address_with_the_id_of_a_trace_is_taken(url):
    assert trace_address(TRACE.validate_python(url), "a/b?", "c") == url.format(trace_id="a%2Fb%3F", span_id="c")


@pytest.mark.parametrize(
    "url",
    [
        "https://x.example.com/",
        "javascript:alert({trace_id})",
        "https://{trace_id}.example.com/",
        "https://me:word@traces.example.com/{trace_id}",
        'https://traces.example.com/{trace_id}"><script>',
        "https://traces.example.com/{trace_id}/{project}",
    ],
)
def test_any_other_is_refused_without_being_repeated(url):
    with pytest.raises(ValidationError, match="the address of a trace") as refused:
        TRACE.validate_python(url)
    assert url not in refused.value.errors()[0]["msg"]
