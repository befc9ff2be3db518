"""What a claim says of opinions and ratings, against the ratings of a structured context."""

from __future__ import annotations

from scorers.support.alignment import Alignment
from scorers.text.normalize import word_set

NAMES = (
    "praise", "praise_all_low", "rating_other", "rating_span", "opinions",
)  # fmt: skip

_PRAISE = word_set(
    "amazing awesome best delicious enjoyed enjoy excellent exceptional fantastic favorite friendly glowing great"
    " impressed love loved outstanding perfect popular positive praise praised praising recommend recommended"
    " satisfied superb tasty welcoming wonderful"
)
_OPINION = word_set("customer customers reviewer reviewers review reviews guest guests patron patrons users user")
_STARS = frozenset({"star", "rat", "scor"})
_LOW = 0.6
"""Share of the best possible rating: three stars of five."""


def features(a: Alignment) -> tuple[float, ...]:
    """Return the values of `NAMES`."""
    words = set(a.claim.terms.words)
    praise = len(words & _PRAISE)
    ratings = a.context.ratings
    opinions = float(bool(words & _OPINION))
    if not ratings:
        return float(praise), 0.0, 0.0, 0.0, opinions
    top = 5.0 if max(ratings) <= 5 else max(10.0, *ratings)  # noqa: PLR2004 - the usual scale
    return (
        float(praise),
        float(max(ratings) <= _LOW * top and praise > 0),
        float(_other(a)),
        (max(ratings) - min(ratings)) / top,
        opinions,
    )


def _other(a: Alignment) -> int:
    """Return how many figures beside "star", "rated" or "score" are no rating of the context."""
    known = {f"#{rating:g}" for rating in a.context.ratings}
    items = a.claim.terms.items
    count = 0
    for index, term in enumerate(items):
        if term in _STARS:
            around = items[max(0, index - 2) : index + 3]
            figures = [t for t in around if t.startswith("#") and t != "#5"]
            count += bool(figures) and not any(figure in known for figure in figures)
    return count
