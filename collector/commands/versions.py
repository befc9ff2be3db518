"""The versions of the metrics of a run: values compare only where these are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from scorers.base import Cost, Scorer

WORDS_AND_FIELDS: frozenset[Cost] = frozenset({"fields", "wording", "passages"})
"""What a metric works out without any model that is configured."""


def run_versions(wanted: Sequence[Scorer], panel: Sequence[Scorer], *, models: str = "") -> dict[str, str]:
    """Return the version of each metric that is ``wanted``: its own, and a mark where it was configured otherwise.

    The mark is of its options, of the options of what it reads in the ``panel``, of what it reads and the panel lacks,
    and of the ``models`` that judge claims.

    >>> from scorers.composite.composite import Composite
    >>> from scorers.composite.profile import Caps
    >>> from scorers import default_panel
    >>> usual = run_versions([Composite()], default_panel())["composite"]
    >>> usual == Composite.metric.version
    True
    >>> run_versions([Composite(caps=Caps(stale_source=50))], default_panel())["composite"].startswith(f"{usual}+")
    True
    """
    by_name = {scorer.metric.name: scorer for scorer in panel}
    return {scorer.metric.name: _version(scorer, by_name, models) for scorer in wanted}


def _version(scorer: Scorer, panel: Mapping[str, Scorer], models: str) -> str:
    parts = list(_differing(scorer, panel))
    if models and scorer.metric.cost not in WORDS_AND_FIELDS:
        parts.append(f"models {models}")
    if not parts:
        return scorer.metric.version
    mark = blake2b("\n".join(parts).encode(), digest_size=4).hexdigest()
    return f"{scorer.metric.version}+{mark}"


def _differing(scorer: Scorer, panel: Mapping[str, Scorer]) -> Iterator[str]:
    """Yield what is configured otherwise, of a scorer and of all that its score is made of."""
    read: set[str] = set()
    left = [scorer.metric.name]
    while left:
        name = left.pop()
        each = scorer if name == scorer.metric.name else panel.get(name)
        if each is not None:
            left.extend(each.reads - read)
            read |= each.reads
    for name in (scorer.metric.name, *sorted(read - {scorer.metric.name})):
        each = scorer if name == scorer.metric.name else panel.get(name)
        options = "absent" if each is None else each.model_dump_json(exclude_defaults=True, exclude={"type"})
        if options != "{}":
            yield f"{name} {options}"
