"""The alerts on what the agent reads and writes elsewhere: sources, the catalog and its listings, tools, receivers."""

from __future__ import annotations

from collections.abc import Iterator

from dashboards.alert import Alert
from dashboards.promql import age, highest, increase, lowest, total
from telemetry import instruments as i

UNDELIVERED = "rejected|expired"
"""Outcomes of a notification that its receiver did not get."""

LAGGING = "outdated|removed|moved"
"""Kinds of documents of an index that should not be served as they are; what is missing may be so on purpose."""

LOST = "unknown|rejected|failed"
"""Outcomes of write-back after which a score is missing from the target."""


def link_alerts() -> Iterator[Alert]:
    """Yield the alerts on links; each about a part that need not be configured, but that on catalog files."""
    yield Alert(
        name="GroundwireSourceFailing",
        part="sources",
        signal=lowest(["source"], i.SOURCE_UP),
        condition="== 0",
        wait="10m",
        summary="Source {{ $labels.source }} cannot be read",
        description="Every fetch from source {{ $labels.source }} has failed for 10 minutes. What arrives there in the "
        "meantime is fetched once it works again.",
    )
    yield Alert(
        name="GroundwireSourceSilent",
        part="sources",
        signal=age(lowest(["source"], i.SOURCE_SUCCESS)),
        condition="> 1800",
        wait="5m",
        summary="Source {{ $labels.source }} has not been read for 30 minutes",
        description="Source {{ $labels.source }} was last fetched successfully {{ $value | humanizeDuration }} ago.",
    )
    yield Alert(
        name="GroundwireSourceMalformed",
        part="sources",
        signal=total(["source"], increase(i.SOURCE_MALFORMED, "1h")),
        condition="> 0",
        wait="5m",
        severity="info",
        summary="Records of source {{ $labels.source }} cannot be parsed",
        description="{{ $value | humanize }} records of source {{ $labels.source }} failed to parse in the last hour.",
    )
    yield Alert(
        name="GroundwireCatalogRefused",
        signal=total([], increase(i.CATALOG_ERRORS, "1h")),
        condition="> 0",
        summary="A catalog file was rejected",
        description="A changed catalog file was rejected in the last hour. The previous catalog stays active, so "
        "freshness is judged against outdated documents. `groundwire catalog check` shows what is wrong.",
    )
    yield Alert(
        name="GroundwireListingFailing",
        part="listings",
        signal=lowest(["listing"], i.LISTING_UP),
        condition="== 0",
        wait="15m",
        summary="Listing {{ $labels.listing }} cannot be read",
        description="Every reading of listing {{ $labels.listing }} has failed for 15 minutes. The one before stays in "
        "force; what changed since is not known. `GET /v1/catalog` has the last error.",
    )
    yield Alert(
        name="GroundwireIndexBehind",
        part="listings",
        signal=total(["listing"], highest(["listing", "kind"], i.INDEX_LAG, {"kind": f'=~"{LAGGING}"'})),
        condition="> 0",
        wait="1h",
        summary="Index {{ $labels.listing }} serves documents that its source has changed",
        description="For an hour, {{ $value | humanize }} documents of index {{ $labels.listing }} have been outdated, "
        "moved or removed at their source. `GET /v1/catalog/lag` names them, those served most first.",
    )
    yield Alert(
        name="GroundwireCanaryFailing",
        part="canaries",
        signal=highest(["fault"], i.CANARIES_FAILING),
        condition="> 0",
        summary="Canaries fail: {{ $labels.fault }}",
        description="{{ $value | humanize }} questions that the catalog wrote about itself get what they should not: "
        "stale, lost or wrong version (the index is behind the catalog), forbidden (somebody sees what they must not), "
        "or answer (the application says otherwise). No user has to have asked yet. `groundwire canary list --failing` "
        "names the documents.",
    )
    yield Alert(
        name="GroundwireCanaryEndpointDown",
        part="canaries",
        signal=lowest(["target"], i.CANARY_UP),
        condition="== 0",
        wait="15m",
        summary="Canaries cannot be asked",
        description="The endpoint of canaries has given no usable reply for 15 minutes: an index that misses a change "
        "of the catalog is not found. `groundwire doctor` has the last error.",
    )
    yield Alert(
        name="GroundwireWriteBackDown",
        part="write_back",
        signal=lowest(["target"], i.WRITE_BACK_UP),
        condition="== 0",
        wait="15m",
        summary="Scores cannot be written to {{ $labels.target }}",
        description="Every write to {{ $labels.target }} has failed for 15 minutes. Scores are kept as long as their "
        "answers and written once the target is back.",
    )
    yield Alert(
        name="GroundwireWriteBackLost",
        part="write_back",
        signal=total(["target", "outcome"], increase(i.WRITE_BACK_ITEMS, "1h", {"outcome": f'=~"{LOST}"'})),
        condition="> 0",
        wait="10m",
        severity="info",
        summary="Scores are not reaching {{ $labels.target }}: {{ $labels.outcome }}",
        description="{{ $value | humanize }} scores and verdicts were not written to {{ $labels.target }} in the last "
        "hour (outcome: {{ $labels.outcome }}).",
    )
    yield Alert(
        name="GroundwireNotifierDown",
        part="notify",
        signal=lowest(["target"], i.NOTIFY_UP),
        condition="== 0",
        wait="10m",
        summary="Notifications cannot be delivered to {{ $labels.target }}",
        description="Every delivery to {{ $labels.target }} has failed for 10 minutes. Decisions older than "
        "judge.expiry are dropped without notification.",
    )
    yield Alert(
        name="GroundwireNotificationsLost",
        part="notify",
        signal=total(["target", "outcome"], increase(i.NOTIFICATIONS, "1h", {"outcome": f'=~"{UNDELIVERED}"'})),
        condition="> 0",
        summary="Notifications did not reach {{ $labels.target }}: {{ $labels.outcome }}",
        description="{{ $value | humanize }} decisions were not delivered to {{ $labels.target }} in the last hour "
        "(outcome: {{ $labels.outcome }}).",
    )
