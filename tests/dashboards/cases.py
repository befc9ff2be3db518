"""For each alert: series of the past in promtool's notation, one value a minute, and what fires at the end."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """``fires`` holds (labels, summary, description) of each alert expected at the time ``at``.

    ``told`` is what alerts on verdicts say beside that; by default the agent exposes no words.
    """

    series: dict[str, str]
    at: str
    fires: list[tuple[dict[str, str], str, str]] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=lambda: UNTOLD)


PUBLIC_URL = "https://groundwire.example.com/rag"
UNTOLD = {
    "metric": "not known",
    "cause": "not known",
    "first_step": "Open the gate and read its newest decision",
    "example": "none recorded",
}
WORDS = (
    'metric="stale_source_use",decision="7",example="a/1",cause="release: 2.0 to 2.1",first_step="Roll back",'
    'summary="Gate stale-sources failed: it went from 0.02 to 0.31",description="As of noon: 0.31."'
)
TOLD = {
    "metric": "stale_source_use",
    "cause": "release: 2.0 to 2.1",
    "first_step": "Roll back",
    "decision": f"{PUBLIC_URL}/decisions/7",
    "example": f"{PUBLIC_URL}/answers/a%2F1",
}


FAILING = {
    'groundwire_gate_state{gate="stale-sources",instance="a"}': "1x5 -1x5 1x40",
    'groundwire_gate_slice_state{gate="stale-sources",domain="travel",instance="a"}': "1x5 -1x5 1x40",
    'groundwire_gate_slice_state{gate="stale-sources",domain="leave",instance="a"}': "1x50",
    'groundwire_gate_state{gate="grounded",instance="a"}': "0x40",
}

UNSETTLED = {
    'groundwire_gate_state{gate="stale-sources",instance="a"}': "1x5 -1x5 0x50",
    'groundwire_gate_slice_state{gate="stale-sources",domain="travel",instance="a"}': "1x5 -1x5 0x50",
}

# The next release is undecided after the failure of the one before had ended in a pass.
PASSED_SINCE = {
    'groundwire_gate_state{gate="stale-sources",instance="a"}': "1x5 -1x5 1x10 0x40",
    'groundwire_gate_slice_state{gate="stale-sources",domain="travel",instance="a"}': "1x5 -1x5 1x10 0x40",
}

BURNING = {
    'groundwire_gate_state{gate="supported",instance="a"}': "1x5 -1x60",
    'groundwire_objective_severity{gate="supported",domain="travel",instance="a"}': "0x5 2x5 1x60",
    'groundwire_objective_severity{gate="supported",domain="leave",instance="a"}': "0x70",
}

CASES: dict[str, list[Case]] = {
    "GroundwireGateFailing": [
        Case(
            FAILING | {f'groundwire_failure_info{{gate="stale-sources",{WORDS}}}': "_x5 1x5"},
            "8m",
            [
                (
                    {"gate": "stale-sources"},
                    "Gate stale-sources failed: it went from 0.02 to 0.31",
                    "As of noon: 0.31. Slices that failed in the last 30m: [ domain=travel ]",
                )
            ],
            TOLD | {"link": f"{PUBLIC_URL}/gates/stale-sources"},
        ),
        Case(
            FAILING,
            "8m",
            [
                (
                    {"gate": "stale-sources"},
                    "Gate stale-sources failed",
                    (
                        "Gate stale-sources failed with statistical evidence that its limit was violated. "
                        "Slices that failed in the last 30m: [ domain=travel ]"
                    ),
                )
            ],
        ),
        Case(
            FAILING,
            # Passing again for less than the alert is held.
            "13m",
            [
                (
                    {"gate": "stale-sources"},
                    "Gate stale-sources failed",
                    (
                        "Gate stale-sources failed with statistical evidence that its limit was violated. "
                        "Slices that failed in the last 30m: [ domain=travel ]"
                    ),
                )
            ],
        ),
        Case(FAILING, "4m"),
        Case(FAILING, "18m"),
        # Near its limit a metric turns between both, which is one alert.
        Case(
            UNSETTLED,
            "25m",
            [
                (
                    {"gate": "stale-sources"},
                    "Gate stale-sources failed",
                    (
                        "Gate stale-sources failed with statistical evidence that its limit was violated. "
                        "Slices that failed in the last 30m: [ domain=travel ]"
                    ),
                )
            ],
        ),
        Case(UNSETTLED, "50m"),
        Case(PASSED_SINCE, "24m"),
        Case({'groundwire_gate_state{gate="grounded",instance="a"}': "0x40"}, "30m"),
        # An objective that fails has alerts of its own, by how urgent it is.
        Case(BURNING, "30m"),
    ],
    "GroundwireSliceFailing": [
        Case(
            {
                'groundwire_gate_slice_state{gate="stale-sources",domain="R&D \\"a\\""}': "-1x10",
                f'groundwire_failure_info{{gate="stale-sources",domain="R&D \\"a\\"",{WORDS}}}': "1x10",
            },
            "8m",
            [
                (
                    {"gate": "stale-sources", "domain": 'R&D "a"'},
                    "Gate stale-sources failed: it went from 0.02 to 0.31",
                    "As of noon: 0.31.",
                )
            ],
            TOLD | {"link": f"{PUBLIC_URL}/slices/stale-sources?&domain=R%26D+%22a%22"},
        ),
        Case(
            FAILING,
            "8m",
            [
                (
                    {"gate": "stale-sources", "domain": "travel"},
                    "Gate stale-sources failed for domain=travel",
                    ("Gate stale-sources failed with statistical evidence that its limit was violated in this slice."),
                )
            ],
        ),
        Case(FAILING, "4m"),
        Case(FAILING, "18m"),
        Case(
            UNSETTLED,
            "25m",
            [
                (
                    {"gate": "stale-sources", "domain": "travel"},
                    "Gate stale-sources failed for domain=travel",
                    "Gate stale-sources failed with statistical evidence that its limit was violated in this slice.",
                )
            ],
        ),
        Case(UNSETTLED, "50m"),
        Case(PASSED_SINCE, "24m"),
    ],
    "GroundwireObjectivePage": [
        Case(
            BURNING,
            "8m",
            [
                (
                    {"gate": "supported"},
                    "Error budget of supported burns fast",
                    ("The error budget of objective supported burns fast; look at it now. Slices: [ domain=travel ]"),
                )
            ],
        ),
        Case(BURNING, "4m"),
        Case(BURNING, "45m"),
    ],
    "GroundwireObjectiveTicket": [
        Case(
            BURNING,
            "45m",
            [
                (
                    {"gate": "supported"},
                    "Error budget of supported burns steadily or is spent",
                    (
                        "The error budget of objective supported burns steadily or is spent; look at it today. Slices: "
                        "[ domain=travel ]"
                    ),
                )
            ],
        ),
        Case(BURNING, "8m"),
        Case({'groundwire_objective_severity{gate="supported",instance="a"}': "0x60"}, "30m"),
    ],
    "GroundwireObjectiveSilent": [
        Case(
            {
                'groundwire_objective_silent_seconds{gate="supported",domain="travel",instance="a"}': "0+60x1500",
                'groundwire_objective_silent_seconds{gate="supported",domain="leave",instance="a"}': "0x1500",
            },
            "1450m",
            [
                (
                    {"gate": "supported", "domain": "travel"},
                    "Objective supported has no answers to count domain=travel",
                    (
                        "The last answer that counts for objective supported came 1d 0h 10m 0s ago. Its error budget "
                        "is as it was then, and the gate is inconclusive."
                    ),
                )
            ],
        ),
        Case({'groundwire_objective_silent_seconds{gate="supported",instance="a"}': "0+60x1500"}, "1440m"),
    ],
    "GroundwireClockBehind": [
        Case(
            {'groundwire_gate_ahead_seconds{gate="grounded",instance="a"}': "7200-60x60"},
            "10m",
            [
                (
                    {"gate": "grounded"},
                    "System clock is behind the newest evidence of gate grounded",
                    (
                        "Gate grounded holds evidence from 1h 50m 0s in the future. Until the clock catches up, new "
                        "answers do not count and the gate cannot pass. Check time synchronization."
                    ),
                )
            ],
        ),
        Case({'groundwire_gate_ahead_seconds{gate="grounded"}': "0x60"}, "30m"),
    ],
    "GroundwireLateAnswers": [
        Case(
            {'groundwire_gate_late_total{gate="grounded",outcome="left_out",instance="a"}': "0x60 0+10x60"},
            "119m",
            [
                (
                    {"gate": "grounded"},
                    "Answers arrive too late for gate grounded",
                    (
                        "580 answers of the last hour arrived too late to count for gate grounded. While they are more"
                        " than 2 % of a day's answers, the gate cannot pass."
                    ),
                )
            ],
        ),
        Case({'groundwire_gate_late_total{gate="grounded",outcome="counted",instance="a"}': "0x60 0+10x60"}, "119m"),
    ],
    "GroundwireGateStale": [
        Case(
            {'groundwire_gate_evaluated_timestamp_seconds{gate="grounded",instance="a"}': "0x60"},
            "10m",
            [
                (
                    {"gate": "grounded"},
                    "Gate grounded is no longer being evaluated",
                    (
                        "Gate grounded was last evaluated 10m 0s ago. Its verdict is stale; pipelines that read it "
                        "get inconclusive. Check the agent's log for a failing judge step."
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
                    "No answers are arriving",
                    (
                        "No answer has arrived for 30 minutes, but some did within the last day. Either there is "
                        "no traffic, or the application's exporter cannot reach the agent."
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
                    "No answers are arriving",
                    (
                        "No answer has arrived for 30 minutes, but some did within the last day. Either there is "
                        "no traffic, or the application's exporter cannot reach the agent."
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
                    "Metric stale_source_use is missing for most answers",
                    (
                        "60% of scored answers have no value for stale_source_use, which a gate judges. The verdict "
                        "rests on the remaining answers."
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
                    "Scoring of latency is failing: timeout",
                    "10% of scored answers got no value for latency (reason: timeout).",
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
                    "Slice dimension domain has reached its limit of values",
                    (
                        "Answers with new values of domain are counted as __other__. Raise the limit or choose a "
                        "coarser dimension."
                    ),
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
                    "No Groundwire agent is being scraped",
                    "Prometheus has no agent to scrape: either none is running, or no scrape job discovers it.",
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
                    "Agent a is down",
                    "Agent a (job rag) was up within the last day and cannot be scraped now.",
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
                    "Receive queue of a is almost full",
                    (
                        "The receive queue is 95% full; senders are being told to retry. Check disk latency and the "
                        "load of the agent."
                    ),
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
                    "Export requests are being rejected: grpc RESOURCE_EXHAUSTED",
                    "10% of grpc requests are answered with RESOURCE_EXHAUSTED.",
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
                    "Spans are being rejected: too_large",
                    "50 spans were rejected in the last 10 minutes (too_large).",
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
            [
                (
                    {},
                    "Traces cannot be parsed",
                    "10% of traces could not be parsed. `groundwire_malformed_total` has the reasons.",
                )
            ],
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
                    "Pipeline stage score is falling behind",
                    "The oldest item waiting at stage score is 11m 40s old.",
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
                    "Pipeline stage score keeps failing: OperationalError",
                    (
                        "Stage score failed 10 times in the last 10 minutes with OperationalError. Nothing is lost; "
                        "it keeps retrying."
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
                    "Store of a is not writable",
                    (
                        "Usually the disk is full. Senders are told to retry; nothing is scored or judged. `/readyz` "
                        "gives the reason."
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
                    "Store of a is corrupt",
                    "SQLite reports that the database is malformed. `/readyz` gives the details.",
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
                    "Store of a has lost rows",
                    (
                        "The store is older than the mark beside it: either its write-ahead log was deleted, or an "
                        "old copy was restored. `/readyz` says what is missing."
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
                    "Write-ahead log of a keeps growing",
                    (
                        "The write-ahead log is 512MiB; it should be about 32 MiB. Some reader keeps the database "
                        "open, for example a backup or a shell."
                    ),
                )
            ],
        ),
        Case({'groundwire_store_log_bytes{instance="a"}': "67108864x15"}, "8m"),
    ],
    "GroundwireSpansUnread": [
        Case(
            {'groundwire_unread_spans_total{scope="ai",instance="a"}': "0x5 7x60"},
            "20m",
            [
                (
                    {"scope": "ai"},
                    "Spans of scope ai are not read",
                    (
                        "7 spans of scope ai in the last hour: no dialect reads them, so their answers are missing or "
                        "incomplete. docs/sources.md lists what is read; describe more under traces.dialects."
                    ),
                )
            ],
        ),
        Case({'groundwire_unread_spans_total{scope="ai",instance="a"}': "7x60"}, "20m"),
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
                    "Source phoenix cannot be read",
                    (
                        "Every fetch from source phoenix has failed for 10 minutes. What arrives there in the "
                        "meantime is fetched once it works again."
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
                    "Source langfuse has not been read for 30 minutes",
                    "Source langfuse was last fetched successfully 40m 0s ago.",
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
                    "Records of source files cannot be parsed",
                    "6 records of source files failed to parse in the last hour.",
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
                    "A catalog file was rejected",
                    (
                        "A changed catalog file was rejected in the last hour. The previous catalog stays active, so "
                        "freshness is judged against outdated documents. `groundwire catalog check` shows what is "
                        "wrong."
                    ),
                )
            ],
        ),
        Case({"groundwire_catalog_errors_total": "0x20"}, "10m"),
    ],
    "GroundwireListingFailing": [
        Case(
            {
                'groundwire_catalog_listing_up{listing="handbook",instance="a"}': "1x5 0x40",
                'groundwire_catalog_listing_up{listing="chroma",instance="a"}': "1x45",
            },
            "30m",
            [
                (
                    {"listing": "handbook"},
                    "Listing handbook cannot be read",
                    (
                        "Every reading of listing handbook has failed for 15 minutes. The one before stays in force; "
                        "what changed since is not known. `GET /v1/catalog` has the last error."
                    ),
                )
            ],
        ),
        Case({'groundwire_catalog_listing_up{listing="handbook",instance="a"}': "1x5 0x10 1x30"}, "30m"),
        Case({'groundwire_build_info{instance="a"}': "1x40"}, "30m"),
    ],
    "GroundwireCanaryFailing": [
        Case(
            {
                'groundwire_canaries_failing{fault="stale",instance="a"}': "0x5 2x30",
                'groundwire_canaries_failing{fault="stale",instance="b"}': "0x5 2x30",
                'groundwire_canaries_failing{fault="lost",instance="a"}': "0x35",
            },
            "10m",
            [
                (
                    {"fault": "stale"},
                    "Canaries fail: stale",
                    (
                        "2 questions that the catalog wrote about itself get what they should not: stale, lost or "
                        "wrong version (the index is behind the catalog), forbidden (somebody sees what they must "
                        "not), or answer (the application says otherwise). No user has to have asked yet. "
                        "`groundwire canary list --failing` names the documents."
                    ),
                )
            ],
        ),
        Case({'groundwire_canaries_failing{fault="stale",instance="a"}': "0x40"}, "30m"),
    ],
    "GroundwireCanaryEndpointDown": [
        Case(
            {'groundwire_canary_up{target="canaries",instance="a"}': "1x5 0x40"},
            "30m",
            [
                (
                    {"target": "canaries"},
                    "Canaries cannot be asked",
                    (
                        "The endpoint of canaries has given no usable reply for 15 minutes: an index that misses a "
                        "change of the catalog is not found. `groundwire doctor` has the last error."
                    ),
                )
            ],
        ),
        Case({'groundwire_canary_up{target="canaries",instance="a"}': "1x5 0x10 1x40"}, "40m"),
    ],
    "GroundwireIndexBehind": [
        Case(
            {
                'groundwire_index_lag_documents{listing="chroma",kind="outdated",instance="a"}': "0x5 3x100",
                'groundwire_index_lag_documents{listing="chroma",kind="outdated",instance="b"}': "0x5 3x100",
                'groundwire_index_lag_documents{listing="chroma",kind="removed",instance="a"}': "0x5 1x100",
                'groundwire_index_lag_documents{listing="other",kind="missing",instance="a"}': "9x105",
            },
            "80m",
            [
                (
                    {"listing": "chroma"},
                    "Index chroma serves documents that its source has changed",
                    (
                        "For an hour, 4 documents of index chroma have been outdated, moved or removed at their "
                        "source. `GET /v1/catalog/lag` names them, those served most first."
                    ),
                )
            ],
        ),
        Case({'groundwire_index_lag_documents{listing="chroma",kind="outdated",instance="a"}': "0x5 3x30 0x60"}, "90m"),
        Case({'groundwire_index_lag_documents{listing="chroma",kind="missing",instance="a"}': "5x90"}, "90m"),
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
                        "Every write to phoenix has failed for 15 minutes. Scores are kept as long as their answers "
                        "and written once the target is back."
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
                    "Scores are not reaching phoenix: unknown",
                    "12 scores and verdicts were not written to phoenix in the last hour (outcome: unknown).",
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
                    "Notifications cannot be delivered to webhook",
                    (
                        "Every delivery to webhook has failed for 10 minutes. Decisions older than judge.expiry are "
                        "dropped without notification."
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
                    "Notifications did not reach webhook: expired",
                    "12 decisions were not delivered to webhook in the last hour (outcome: expired).",
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
