"""Claims compared with source sentences as statements."""

from __future__ import annotations

from scorers.statements.comparison import compare


def test_a_permission_is_contradicted_by_a_prohibition() -> None:
    found = compare("Yes, gift cards can be returned.", ["Leave is paid.", "Gift cards cannot be returned."])
    assert found.difference is not None
    assert (found.outcome, found.difference.kind, found.source) == ("contradicts", "polarity", 1)
