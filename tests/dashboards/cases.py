"""For each alert: series of the past in promtool's notation, one value a minute, and what fires at the end."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """``fires`` holds (labels, summary, description) of each alert expected at the time ``at``."""

    series: dict[str, str]
    at: str
    fires: list[tuple[dict[str, str], str, str]] = field(default_factory=list)


FAILING = {
    'groundwire_gate_state{gate="stale-sources",instance="a"}': "1x5 -1x5 1x40",
    'groundwire_gate_slice_state{gate="stale-sources",domain="travel",instance="a"}': "1x5 -1x5 1x40",
    'groundwire_gate_slice_state{gate="stale-sources",domain="leave",instance="a"}': "1x50",
    'groundwire_gate_state{gate="grounded",instance="a"}': "0x40",
}

CASES: dict[str, list[Case]] = {
    "GroundwireGateFailing": [
        Case(
            FAILING,
            "8m",
            [
                (
                    {"gate": "stale-sources"},
                    "Gate stale-sources fails",
                    "The gate stale-sources has evidence that its limit is broken. Failing slices: [ domain=travel ]",
                )
            ],
        ),
        Case(
            FAILING,
            "35m",
            [
                (
                    {"gate": "stale-sources"},
                    "Gate stale-sources fails",
                    "The gate stale-sources has evidence that its limit is broken. Failing slices: [ domain=travel ]",
                )
            ],
        ),
        Case(FAILING, "4m"),
        Case(FAILING, "45m"),
        Case({'groundwire_gate_state{gate="grounded",instance="a"}': "0x40"}, "30m"),
    ],
    "GroundwireSliceFailing": [
        Case(
            FAILING,
            "8m",
            [
                (
                    {"gate": "stale-sources", "domain": "travel"},
                    "Gate stale-sources fails on domain=travel",
                    (
                        "The gate stale-sources has evidence that its limit is broken on this slice. Where the gate "
                        "as a whole fails, Alertmanager can hold this one back."
                    ),
                )
            ],
        ),
        Case(FAILING, "4m"),
        Case(FAILING, "45m"),
    ],
    "GroundwireClockBehind": [
        Case(
            {'groundwire_gate_ahead_seconds{gate="grounded",instance="a"}': "7200-60x60"},
            "10m",
            [
                (
                    {"gate": "grounded"},
                    "The clock is behind the evidence of gate grounded",
                    (
                        "The gate grounded holds evidence from 1h 50m 0s after now. Until that time comes answers are "
                        "too late for it: it does not pass, and finds nothing new."
                    ),
                )
            ],
        ),
        Case({'groundwire_gate_ahead_seconds{gate="grounded"}': "0x60"}, "30m"),
    ],
    "GroundwireGateStale": [
        Case(
            {'groundwire_gate_evaluated_timestamp_seconds{gate="grounded",instance="a"}': "0x60"},
            "10m",
            [
                (
                    {"gate": "grounded"},
                    "Gate grounded is not judged any more",
                    (
                        "The gate grounded was last judged 10m 0s ago. Its verdict is old, and a pipeline that reads "
                        "it decides on old evidence."
                    ),
                )
            ],
        ),
        Case({'groundwire_gate_evaluated_timestamp_seconds{gate="grounded",instance="a"}': "0+60x60"}, "50m"),
    ],
    "GroundwireNoAnswers": [
        Case(
            {'rag_answers_total{domain="travel",instance="a"}': "0+10x30 300x60"},
            "85m",
            [
                (
                    {},
                    "No answers arrive",
                    (
                        "No answer was seen for 30 minutes, though there were some within a day. Either nobody asks, "
                        "or the application's exporter does not reach the agent."
                    ),
                )
            ],
        ),
        Case(
            {'rag_answers_total{domain="travel",instance="a"}': "0+10x30 _x60"},
            "85m",
            [
                (
                    {},
                    "No answers arrive",
                    (
                        "No answer was seen for 30 minutes, though there were some within a day. Either nobody asks, "
                        "or the application's exporter does not reach the agent."
                    ),
                )
            ],
        ),
        Case({'rag_answers_total{domain="travel",instance="a"}': "0+10x90"}, "85m"),
        Case({'rag_answers_total{domain="travel",instance="a"}': "7x90"}, "85m"),
        Case({'groundwire_build_info{instance="a"}': "1x90"}, "85m"),
    ],
    "GroundwireUnscoredHigh": [
        Case(
            {
                'rag_unscored_total{metric="stale_source_use",reason="missing_input",domain="travel"}': "0+6x90",
                'rag_answers_scored_total{domain="travel"}': "0+10x90",
            },
            "80m",
            [
                (
                    {"metric": "stale_source_use"},
                    "A gate's metric stale_source_use has no value for most answers",
                    (
                        "60% of the answers looked at got no value of stale_source_use, which a gate judges. Its "
                        "verdict stands on the rest."
                    ),
                )
            ],
        ),
        Case(
            {
                'rag_unscored_total{metric="stale_source_use",reason="not_applicable",domain="travel"}': "0+10x90",
                'rag_unscored_total{metric="latency",reason="missing_input",domain="travel"}': "0+10x90",
                'rag_answers_scored_total{domain="travel"}': "0+10x90",
            },
            "80m",
        ),
    ],
    "GroundwireScoringFailing": [
        Case(
            {
                'rag_unscored_total{metric="latency",reason="timeout",domain="travel"}': "0+1x90",
                'rag_answers_scored_total{domain="travel"}': "0+10x90",
            },
            "60m",
            [
                (
                    {"metric": "latency", "reason": "timeout"},
                    "Scoring latency fails: timeout",
                    "10% of the answers looked at got no value of latency, for the reason timeout.",
                )
            ],
        ),
        Case(
            {
                'rag_unscored_total{metric="latency",reason="missing_input",domain="travel"}': "0+10x90",
                'rag_unscored_total{metric="latency",reason="timeout",domain="travel"}': "3x90",
                'rag_answers_scored_total{domain="travel"}': "0+10x90",
            },
            "60m",
        ),
    ],
    "GroundwireSliceOverflow": [
        Case(
            {'groundwire_slice_overflow_total{dimension="domain"}': "0+1x90"},
            "80m",
            [
                (
                    {"dimension": "domain"},
                    "The dimension domain has more values than its cap",
                    "Answers with further values of domain are counted together as __other__.",
                )
            ],
        ),
        Case({'groundwire_slice_overflow_total{dimension="domain"}': "4x90"}, "80m"),
    ],
    "GroundwireAgentAbsent": [
        Case(
            {'up{job="other",instance="x"}': "1x20"},
            "10m",
            [
                (
                    {},
                    "No Groundwire agent is to be seen",
                    "Prometheus scrapes no agent at all: none runs, or no scrape job finds it.",
                )
            ],
        ),
        Case({'groundwire_build_info{version="1",instance="a"}': "1x20"}, "10m"),
    ],
    "GroundwireAgentDown": [
        Case(
            {
                'groundwire_build_info{version="1",job="rag",instance="a"}': "1x5 _x20",
                'groundwire_build_info{version="1",job="rag",instance="b"}': "1x25",
                'up{job="rag",instance="a"}': "1x5 0x20",
                'up{job="rag",instance="b"}': "1x25",
                'up{job="node",instance="a"}': "0x25",
            },
            "20m",
            [
                (
                    {"job": "rag", "instance": "a"},
                    "The agent a cannot be scraped",
                    "The agent a of job rag was seen within a day and does not answer.",
                )
            ],
        ),
        Case(
            {
                'groundwire_build_info{version="1",job="rag",instance="a"}': "1x25",
                'up{job="rag",instance="a"}': "1x25",
                'up{job="node",instance="a"}': "0x25",
            },
            "20m",
        ),
    ],
    "GroundwireQueueFull": [
        Case(
            {
                'groundwire_receive_queue_bytes{instance="a"}': "95x20",
                'groundwire_receive_queue_limit_bytes{instance="a"}': "100x20",
            },
            "10m",
            [
                (
                    {"instance": "a"},
                    "The receive queue of a is nearly full",
                    "95% of the bytes that may wait for their commit are taken; senders are being told to retry.",
                )
            ],
        ),
        Case(
            {
                'groundwire_receive_queue_bytes{instance="a"}': "95 10x20",
                'groundwire_receive_queue_limit_bytes{instance="a"}': "100x20",
            },
            "1m",
        ),
    ],
    "GroundwireRequestsRefused": [
        Case(
            {
                'groundwire_receive_requests_total{protocol="grpc",code="OK"}': "0+9x40",
                'groundwire_receive_requests_total{protocol="grpc",code="RESOURCE_EXHAUSTED"}': "0+1x40",
                'groundwire_receive_requests_total{protocol="http/protobuf",code="200"}': "0+99x40",
                'groundwire_receive_requests_total{protocol="http/protobuf",code="429"}': "0+1x40",
            },
            "30m",
            [
                (
                    {"protocol": "grpc", "code": "RESOURCE_EXHAUSTED"},
                    "Export requests are refused: grpc RESOURCE_EXHAUSTED",
                    "10% of the requests by grpc are answered with RESOURCE_EXHAUSTED.",
                )
            ],
        ),
        Case({'groundwire_receive_requests_total{protocol="grpc",code="OK"}': "0+9x40"}, "30m"),
    ],
    "GroundwireSpansRefused": [
        Case(
            {'groundwire_receive_rejected_spans_total{protocol="http",reason="too_large"}': "0+5x40"},
            "30m",
            [
                (
                    {"reason": "too_large"},
                    "Spans are refused: too_large",
                    "50 spans were refused in ten minutes for the reason too_large.",
                )
            ],
        ),
        Case({'groundwire_receive_rejected_spans_total{protocol="http",reason="thinned"}': "0+5x40"}, "30m"),
        Case({'groundwire_receive_rejected_spans_total{protocol="http",reason="too_large"}': "0x20 50x20"}, "25m"),
        Case({'groundwire_receive_rejected_spans_total{protocol="http",reason="too_large"}': "0x20 50x20"}, "38m"),
    ],
    "GroundwireMalformedHigh": [
        Case(
            {
                'groundwire_traces_total{outcome="malformed"}': "0+1x60",
                'groundwire_traces_total{outcome="answer"}': "0+9x60",
            },
            "50m",
            [({}, "Traces cannot be read", "10% of the traces could not be read.")],
        ),
        Case(
            {
                'groundwire_traces_total{outcome="malformed"}': "0+1x60",
                'groundwire_traces_total{outcome="answer"}': "0+99x60",
            },
            "50m",
        ),
    ],
    "GroundwirePipelineLag": [
        Case(
            {'groundwire_lag_seconds{stage="score"}': "700x20", 'groundwire_lag_seconds{stage="judge"}': "5x20"},
            "10m",
            [
                (
                    {"stage": "score"},
                    "The stage score is behind",
                    "The oldest work waiting at the stage score is 11m 40s old.",
                )
            ],
        ),
        Case({'groundwire_lag_seconds{stage="close"}': "70x20"}, "10m"),
    ],
    "GroundwireStepFailing": [
        Case(
            {'groundwire_step_errors_total{stage="score",kind="OperationalError"}': "0+1x40"},
            "30m",
            [
                (
                    {"stage": "score", "kind": "OperationalError"},
                    "The stage score keeps failing: OperationalError",
                    (
                        "The stage score failed 10 times in ten minutes with OperationalError. The work is kept and "
                        "tried again."
                    ),
                )
            ],
        ),
        Case({'groundwire_step_errors_total{stage="score",kind="OperationalError"}': "0x20 1x20"}, "38m"),
    ],
    "GroundwireStoreNotWritable": [
        Case(
            {'groundwire_store_writable{instance="a"}': "1x5 0x10", 'groundwire_store_writable{instance="b"}': "1x15"},
            "8m",
            [
                (
                    {"instance": "a"},
                    "The store of a cannot be written",
                    (
                        "Most often its disk is full. Senders are told to retry, and nothing is scored or judged. "
                        "`/readyz` says why."
                    ),
                )
            ],
        ),
        Case({'groundwire_store_writable{instance="a"}': "1x5 0 1x10"}, "8m"),
    ],
    "GroundwireStoreCorrupt": [
        Case(
            {'groundwire_store_corrupt{instance="a"}': "0x5 1x10"},
            "6m",
            [
                (
                    {"instance": "a"},
                    "The store of a is corrupt",
                    "SQLite found the database malformed. `/readyz` says what it found.",
                )
            ],
        ),
        Case({'groundwire_store_corrupt{instance="a"}': "0x15"}, "8m"),
    ],
    "GroundwireStoreRewound": [
        Case(
            {'groundwire_store_rewound{instance="a"}': "1x10"},
            "6m",
            [
                (
                    {"instance": "a"},
                    "The store of a has lost rows",
                    (
                        "The store is older than the mark beside it: its write-ahead log was deleted, or an old copy "
                        "was restored. `/readyz` says what is missing."
                    ),
                )
            ],
        ),
        Case({'groundwire_store_rewound{instance="a"}': "1x5 0x10"}, "8m"),
    ],
    "GroundwireStoreLogLarge": [
        Case(
            {'groundwire_store_log_bytes{instance="a"}': "536870912x15"},
            "8m",
            [
                (
                    {"instance": "a"},
                    "The write-ahead log of a keeps growing",
                    "The write-ahead log has 512MiB instead of about 32 MiB. A reader of the database has not ended.",
                )
            ],
        ),
        Case({'groundwire_store_log_bytes{instance="a"}': "67108864x15"}, "8m"),
    ],
    "GroundwireSourceFailing": [
        Case(
            {
                'groundwire_source_up{source="phoenix",instance="a"}': "1x5 0x40",
                'groundwire_source_up{source="files",instance="a"}': "1x45",
            },
            "20m",
            [
                (
                    {"source": "phoenix"},
                    "The source phoenix cannot be read",
                    (
                        "Every look at the source phoenix failed for ten minutes. What comes there meanwhile is "
                        "fetched when it works again."
                    ),
                )
            ],
        ),
        Case({'groundwire_source_up{source="phoenix",instance="a"}': "1x5 0x5 1x30"}, "20m"),
        Case({'groundwire_build_info{instance="a"}': "1x40"}, "20m"),
    ],
    "GroundwireSourceSilent": [
        Case(
            {'groundwire_source_success_timestamp_seconds{source="langfuse",instance="a"}': "600x90"},
            "50m",
            [
                (
                    {"source": "langfuse"},
                    "The source langfuse was not read for long",
                    "The source langfuse was last read with success 40m 0s ago.",
                )
            ],
        ),
        Case({'groundwire_source_success_timestamp_seconds{source="langfuse",instance="a"}': "0+60x90"}, "50m"),
    ],
    "GroundwireSourceMalformed": [
        Case(
            {'groundwire_source_malformed_total{source="files",instance="a"}': "0x5 6x60"},
            "20m",
            [
                (
                    {"source": "files"},
                    "Records of the source files cannot be read",
                    "6 records of the source files could not be read within the hour.",
                )
            ],
        ),
        Case({'groundwire_source_malformed_total{source="files",instance="a"}': "6x60"}, "20m"),
    ],
    "GroundwireCatalogRefused": [
        Case(
            {"groundwire_catalog_errors_total": "0x5 1x20"},
            "10m",
            [
                (
                    {},
                    "A catalog file was refused",
                    (
                        "A changed catalog file was refused within the hour. The catalog that was in force before "
                        "stays in force, so freshness is judged against old documents."
                    ),
                )
            ],
        ),
        Case({"groundwire_catalog_errors_total": "0x20"}, "10m"),
    ],
    "GroundwireWriteBackDown": [
        Case(
            {
                'groundwire_write_back_up{target="phoenix",instance="a"}': "1x5 0x40",
                'groundwire_write_back_up{target="langfuse",instance="a"}': "1x45",
            },
            "30m",
            [
                (
                    {"target": "phoenix"},
                    "Scores cannot be written to phoenix",
                    (
                        "Nothing could be written to phoenix for a quarter of an hour. What waits is kept as long as "
                        "answers are, and written when the target is back."
                    ),
                )
            ],
        ),
        Case({'groundwire_write_back_up{target="phoenix",instance="a"}': "1x5 0x10 1x30"}, "30m"),
        Case({'groundwire_build_info{instance="a"}': "1x40"}, "30m"),
    ],
    "GroundwireWriteBackLost": [
        Case(
            {
                'groundwire_write_back_items_total{target="phoenix",outcome="unknown",instance="a"}': "0x5 12x30",
                'groundwire_write_back_items_total{target="phoenix",outcome="written",instance="a"}': "0+60x35",
            },
            "30m",
            [
                (
                    {"target": "phoenix", "outcome": "unknown"},
                    "Scores do not arrive at phoenix: unknown",
                    "12 scores and verdicts were not written to phoenix within the hour: unknown.",
                )
            ],
        ),
        Case(
            {
                'groundwire_write_back_items_total{target="phoenix",outcome="written",instance="a"}': "0+60x60",
                'groundwire_write_back_items_total{target="phoenix",outcome="skipped",instance="a"}': "0+60x60",
                'groundwire_write_back_items_total{target="phoenix",outcome="rejected",instance="a"}': "7x60",
            },
            "30m",
        ),
    ],
    "GroundwireNotifierDown": [
        Case(
            {
                'groundwire_notify_up{target="webhook",instance="a"}': "1x5 0x40",
                'groundwire_notify_up{target="alertmanager",instance="a"}': "1x45",
            },
            "20m",
            [
                (
                    {"target": "webhook"},
                    "Decisions cannot be sent to webhook",
                    (
                        "Nothing could be sent to webhook for ten minutes. Decisions wait, and expire: nobody is told "
                        "of one that is older than judge.expiry."
                    ),
                )
            ],
        ),
        Case({'groundwire_notify_up{target="webhook",instance="a"}': "1x5 0x5 1x30"}, "20m"),
        Case({'groundwire_build_info{instance="a"}': "1x40"}, "30m"),
    ],
    "GroundwireNotificationsLost": [
        Case(
            {
                'groundwire_notifications_total{target="webhook",outcome="expired",instance="a"}': "0x5 12x30",
                'groundwire_notifications_total{target="webhook",outcome="sent",instance="a"}': "0+60x35",
            },
            "30m",
            [
                (
                    {"target": "webhook", "outcome": "expired"},
                    "Decisions did not reach webhook: expired",
                    "12 decisions were not told to webhook within the hour: expired.",
                )
            ],
        ),
        Case(
            {
                'groundwire_notifications_total{target="webhook",outcome="sent",instance="a"}': "0+60x60",
                'groundwire_notifications_total{target="webhook",outcome="skipped",instance="a"}': "0+60x60",
                'groundwire_notifications_total{target="webhook",outcome="rejected",instance="a"}': "7x60",
            },
            "30m",
        ),
    ],
}
