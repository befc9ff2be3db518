"""Outdated index copies: passages that the index holds in an older state than their source."""

from __future__ import annotations

from typing import ClassVar, Literal

from adapters.schema import Answer
from scorers.base import Absent, Env, Evidence, Measured, Metric, Scorer, missing_input, not_applicable
from scorers.catalog.copies import copy_from
from scorers.lineage import lineage_of
from scorers.text.excerpt import excerpt

LISTED = 5


class IndexCopyOutdated(Scorer):
    """Share of the retrieved passages that are older copies than their source had when asked: 0 none, 1 all.

    No dates of policies are needed. A passage is outdated where the catalog lists a newer version of its document at
    the same place, or where its `modified_at` is before that of the entry. A passage of a version that the catalog does
    not list is compared with the version in force, and is never current by its date. Otherwise it is current where its
    checksum is that of the entry, or the whole of its text stands in that of the entry, whatever the dates say: files
    are often written again unchanged. Where a quarter of the source has one date, as after a checkout, that date makes
    no copy outdated, unless the copy has another figure where the entry has the same words ("up to 120 EUR" and "up to
    160 EUR"). A copy with another figure and no older date is left out, as are other passages, and an answer with
    nothing but those is unscored.

    >>> from datetime import UTC, datetime
    >>> from adapters.schema import Passage
    >>> from scorers.catalog import Catalog, Document
    >>> march, may = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 5, 4, tzinfo=UTC)
    >>> catalog = Catalog([Document(id=name, modified_at=march) for name in ("a.md", "b.md")])
    >>> env = Env(now=may, catalog=catalog)
    >>> ages = {"a.md": datetime(2026, 2, 1, tzinfo=UTC), "b.md": march}
    >>> passages = tuple(Passage(id=name, doc_id=name, modified_at=at) for name, at in ages.items())
    >>> IndexCopyOutdated().score(Answer(id="a", passages=passages), env).value
    0.5
    """

    metric: ClassVar[Metric] = Metric(
        name="index_copy_outdated",
        version="4",
        family="freshness",
        languages="any",
        unit="ratio",
        better="lower",
        help="Share of retrieved passages that the index holds as older copies than their source: 0 none, 1 all.",
        formula="outdated / (outdated + current) over retrieved passages that the catalog lists; outdated: a newer "
        "version is at the same place (of versions without windows at one URI: one modified later), or the copy was "
        "modified before the entry (for a date that many files have: and has another figure between the same words); "
        "current: same checksum, whole text within the entry's, or not modified since and without another figure",
        source="Ours.",
        bases=("catalog",),
        cost="passages",
        limits="Needs a catalog made from a listing of the source. Blind to documents removed from the source (see "
        "temporal_validity) and to passages with neither date nor version nor text to compare.",
    )
    needs: ClassVar[frozenset[str]] = frozenset({"passages"})
    type: Literal["index_copy_outdated"] = "index_copy_outdated"

    def measure(self, answer: Answer, env: Env) -> Measured | Absent:
        """Return the share of outdated copies, or why there is none."""
        if env.catalog is None:
            return missing_input("catalog")
        if not answer.passages:
            return not_applicable("nothing was retrieved")
        lineage = lineage_of(answer, env)
        outdated: list[Evidence] = []
        current = 0
        differs = ""
        for passage in answer.passages:
            status = lineage.status(passage)
            if status is None:
                continue
            found = copy_from(passage, status.origin, env.catalog, lineage.at)
            if found.state == "outdated":
                outdated.append(Evidence.of_document(status.document, found.detail, passage.id))
            current += found.state == "current"
            if found.state == "unknown":
                differs = differs or found.detail
        compared = len(outdated) + current
        if not compared:
            detail = "versions, texts, checksums or dates of modification to compare with the catalog"
            why = f": {differs}" if differs else lineage.unclear(answer.passages)
            return missing_input(f"{detail}{why}")
        shown = ", ".join(dict.fromkeys(excerpt(item.doc_id or "") for item in outdated[:LISTED]))
        return Measured(
            value=len(outdated) / compared,
            basis="catalog",
            explanation=f"{len(outdated)} of {compared} passages are older copies than the source has"
            + (f": {shown}" if shown else ""),
            evidence=tuple(outdated[:LISTED]),
        )
