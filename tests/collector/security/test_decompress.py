"""What is packed is unpacked within its bounds of memory and time."""

import gzip

import pytest

from collector.security.decompress import MalformedBody, TooLarge, decompress


def unpacked(body, limit=1000):
    return decompress(body, "gzip", limit=limit, reserve=lambda _: None)


def test_members_of_a_gzip_body_follow_each_other():
    assert unpacked(gzip.compress(b"a") * 100) == b"a" * 100
    with pytest.raises(TooLarge):
        unpacked(gzip.compress(b"a" * 11) * 100)


def test_a_gzip_body_of_ever_more_members_is_garbage():
    with pytest.raises(MalformedBody, match="more than 100 members"):
        unpacked(gzip.compress(b"") * 500_000)
