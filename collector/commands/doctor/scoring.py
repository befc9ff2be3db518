"""Faults that keep answers from being scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from collector.commands.asking import part_of, rows_of
from collector.commands.doctor.base import DoctorRule, Sign
from collector.commands.doctor.facts import LATELY, AgentFacts
from collector.security.text import one_line
from gates.verdicts.summary import UNJUDGED_SHARE, counted

ENOUGH = 20
"""Answers that say something of all."""
FEW = 5
OF_SUITES = ("gold", "case", "judgements")
"""Inputs that answers of suites and canaries have, and others never."""
INPUT = 80
"""Characters of the name of an input."""
BEHIND_SECONDS = 60.0
MATCHED = 0.5
ROOM_BYTES = 1024**3
FAULTS = ("error", "timeout", "over_budget")


def _sampled_out(facts: AgentFacts) -> Iterator[Sign]:
    drawn = sum(1 for row in facts.answers if row.get("sampled"))
    if len(facts.answers) >= ENOUGH and drawn <= len(facts.answers) // ENOUGH and facts.about is not None:
        yield Sign(
            "sampling.probability",
            f"{facts.about.probability:g}: {drawn} of the newest {len(facts.answers)} answers drawn",
        )


def _behind(facts: AgentFacts) -> Iterator[Sign]:
    for stage in ("adapt", "score"):
        lag = facts.counted.total("groundwire_lag_seconds", stage=stage)
        waiting = facts.counted.total("groundwire_pending", stage=stage)
        if lag > BEHIND_SECONDS:
            yield Sign(f"stage {stage}", f"{waiting:,.0f} wait, the oldest for {lag:,.0f} s")


def _steps(facts: AgentFacts) -> Iterator[Sign]:
    for labels, count in facts.counted.each("groundwire_step_errors_total"):
        if count and facts.lately("groundwire_step_failed", LATELY, labels):
            told = f"{counted(int(count), 'failure')} since the start ({labels['kind']}), the last within 5 minutes"
            yield Sign(f"step {labels['stage']}", told)


def _unscored(facts: AgentFacts, reasons: tuple[str, ...]) -> Counter[tuple[str, str]]:
    """Return how often a metric has no value for one of these reasons."""
    return Counter(
        (str(each.get("metric")), str(each.get("reason")))
        for evaluation in facts.evaluations
        for each in rows_of(evaluation, "unscored")
        if each.get("reason") in reasons
    )


def _scorers(facts: AgentFacts) -> Iterator[Sign]:
    total = len(facts.evaluations)
    for (metric, reason), count in _unscored(facts, FAULTS).most_common(FEW):
        yield Sign(f"metric {metric}", f"{reason} on {count} of the newest {total} scored answers")


def _inputs(facts: AgentFacts) -> Iterator[Sign]:
    if facts.about is None or len(facts.evaluations) < FEW:
        return
    total = len(facts.evaluations)
    without = _unscored(facts, ("not_applicable",))
    for gate in facts.about.gates:
        for metric in gate.metrics:
            inputs = _lacking(facts, metric)
            missing, other = sum(inputs.values()), without[metric, "not_applicable"]
            where = f"metric {metric} of gate {gate.name}"
            absent = f"absent are {', '.join(f'{name} ({count})' for name, count in inputs.most_common(FEW))}"
            if missing + other == total:
                why = absent if missing >= other else "it applies to none of them"
                yield Sign(where, f"no value on the newest {total} answers: {why}")
            elif (lost := missing - sum(inputs[name] for name in OF_SUITES)) >= FEW and lost > UNJUDGED_SHARE * total:
                yield Sign(where, f"no value on {missing + other} of the newest {total} answers: {absent}")


def valueless(facts: AgentFacts) -> frozenset[str]:
    """Return the metrics that none of the newest answers has a value of."""
    rows = facts.evaluations
    scored = {str(each.get("metric")) for row in rows for each in rows_of(row, "scores")}
    lacking = {str(each.get("metric")) for row in rows for each in rows_of(row, "unscored")}
    return frozenset(lacking - scored if len(rows) >= FEW else ())


def _lacking(facts: AgentFacts, metric: str) -> Counter[str]:
    """Return how often each input is why a metric has no value."""
    return Counter(
        one_line(str(each.get("detail")), INPUT)
        for evaluation in facts.evaluations
        for each in rows_of(evaluation, "unscored")
        if each.get("metric") == metric and each.get("reason") == "missing_input"
    )


def _textless(facts: AgentFacts) -> Iterator[Sign]:
    total = len(facts.answers)
    found = [answer for row in facts.answers if not (answer := part_of(row, "answer")).get("answer")]
    if len(found) < FEW or len(found) <= UNJUDGED_SHARE * total:
        return
    many = Counter(one_line(str(answer.get("service") or "unknown service")) for answer in found)
    failed = sum(answer.get("status") == "error" for answer in found)
    hidden = sum("content_redacted" in (answer.get("flags") or ()) for answer in found)
    also = [f"{failed} ended in an error"] * bool(failed) + [f"of {hidden} the content is switched off"] * bool(hidden)
    told = f"{len(found)} of the newest {total} answers have no text{''.join(f', {each}' for each in also)}"
    newest = one_line(str(found[0].get("id")), 64)
    yield Sign(f"service {many.most_common(1)[0][0]}", f"{told}; the newest is {newest}")


def _passages(facts: AgentFacts) -> Iterator[Sign]:
    if len(facts.answers) < FEW:
        return
    bare = sum(1 for row in facts.answers if not any(_text(row)))
    if bare == len(facts.answers):
        yield Sign("passages", f"none of the newest {bare} answers has a passage with text")


def _text(row: object) -> Iterator[bool]:
    for passage in rows_of(part_of(row, "answer") if isinstance(row, dict) else {}, "passages"):
        yield bool(passage.get("text"))


def _catalog_refused(facts: AgentFacts) -> Iterator[Sign]:
    refused = (facts.catalog or {}).get("refused") or ()
    for each in list(refused)[:FEW]:
        yield Sign(_catalog(facts), one_line(str(each)))


def _catalog_unmatched(facts: AgentFacts) -> Iterator[Sign]:
    coverage = facts.coverage or {}
    passages, share = coverage.get("passages") or 0, coverage.get("share")
    if passages >= FEW and isinstance(share, int | float) and share < MATCHED:
        advice = [one_line(str(each)) for each in coverage.get("advice") or ()][:2]
        yield Sign(_catalog(facts), f"{share:.0%} of {passages} passages are in it; {' '.join(advice)}".rstrip("; "))


def _catalog_versions(facts: AgentFacts) -> Iterator[Sign]:
    coverage = facts.coverage or {}
    passages, answers = coverage.get("unlisted_versions") or 0, coverage.get("unlisted_version_answers") or 0
    if passages >= FEW:
        advice = one_line(str(next(iter(coverage.get("advice") or ()), f"{passages} passages in {answers} answers")))
        yield Sign(_catalog(facts), advice)


def _catalog(facts: AgentFacts) -> str:
    return f"catalog {'' if facts.about is None else facts.about.catalog}"


def _disk(facts: AgentFacts) -> Iterator[Sign]:
    for _, free in facts.counted.each("groundwire_store_free_bytes", kind="disk"):
        if free < ROOM_BYTES:
            yield Sign("data", f"{free / 2**20:,.0f} MiB are left on the disk of the store")


def _rewound(facts: AgentFacts) -> Iterator[Sign]:
    for warning in facts.ready.get("warnings") or ():
        yield Sign("data", one_line(str(warning)))


def _canaries(facts: AgentFacts) -> Iterator[Sign]:
    report = part_of(facts.canaries or {}, "report")
    if report.get("state") == "failing":
        yield Sign(one_line(str(report.get("endpoint"))), one_line(str(report.get("last_error"))))


def _no_canaries(facts: AgentFacts) -> Iterator[Sign]:
    report = part_of(facts.canaries or {}, "report")
    if report.get("standing") == 0 and part_of(report, "position").get("catalog") is not None:
        yield Sign("catalog", "the catalog was read, and none of its documents gives a question")


RULES = (
    DoctorRule(
        name="canary-none",
        stage="score",
        severity="error",
        title="There is no canary to ask",
        about="Questions are made of statements with a figure or a rule, in the texts of documents in force. Without "
        "one, nobody finds that an index missed a change.",
        step="Give the documents of the catalog their texts (`groundwire catalog show` prints what is there), and name "
        "under `canaries.principals` somebody who may see them, if not everyone may.",
        look=_no_canaries,
    ),
    DoctorRule(
        name="canary-endpoint",
        stage="score",
        severity="error",
        title="Canaries cannot be asked",
        about="The endpoint under `canaries` is down, refuses the credentials, or replies with something else than "
        "`canaries.reply` names: an index that misses a change is not found.",
        step="Ask it yourself with curl, and compare `canaries.path`, `body` and `reply` with "
        "what it takes and gives; the message names the members of the reply.",
        look=_canaries,
    ),
    DoctorRule(
        name="sampled-out",
        stage="score",
        severity="error",
        title="Almost no answer is drawn into the sample",
        about="Scores are of sampled answers only; with few answers a low probability leaves none.",
        step="Raise `sampling.probability`, or add a rule for the slices that matter.",
        look=_sampled_out,
    ),
    DoctorRule(
        name="scoring-behind",
        stage="score",
        severity="warning",
        title="Scoring cannot keep up",
        about="More answers come than the workers score; gates stop passing while many wait.",
        step="Raise `scoring.workers` or the processors of the agent, or lower `sampling.probability`.",
        look=_behind,
    ),
    DoctorRule(
        name="step-failures",
        stage="score",
        severity="error",
        title="A step of the pipeline fails",
        about="A worker died, ran out of memory, or met a bug: the batch is repeated piece by piece, and what fails "
        "alone is put aside.",
        step="Look for `step failed; retrying` in the log of the agent: it has the error. Give workers more memory if "
        "they were killed, and report a bug with the trace.",
        look=_steps,
    ),
    DoctorRule(
        name="scorer-failures",
        stage="score",
        severity="error",
        title="A metric fails or runs out of time",
        about="A scorer has so much of the processor's time for one answer; a model may be away or slow.",
        step="Raise `scoring.timeout`; for an error look into the log of the agent, and at the answer with "
        "`groundwire explain ID`.",
        look=_scorers,
    ),
    DoctorRule(
        name="inputs-absent",
        stage="score",
        severity="error",
        title="A gate judges a metric that often has no value",
        about="The metric needs something that the traces do not hold: passages, versions, a catalog, times, prices.",
        step="See what the metric needs in docs/reference/metrics.md, and let the application report it; for dates and "
        "versions of documents, set up `catalog`. Or let the gate judge another metric.",
        look=_inputs,
    ),
    DoctorRule(
        name="answers-empty",
        stage="score",
        severity="error",
        title="Answers have no text",
        about="The application replies nothing (a model that is away, a filter, a limit of tokens, a stream that is "
        "closed), or its trace does not hold the reply. Nobody can score such answers, so no gate fails by them.",
        step="Ask the application a question, and look at what it replies and at its log. If it replies, look at its "
        "newest trace with `groundwire explain ID`: the instrumentation must record the output (docs/receiving.md).",
        look=_textless,
    ),
    DoctorRule(
        name="passages-absent",
        stage="score",
        severity="error",
        title="Answers arrive without the texts they were made from",
        about="The retriever is not instrumented, its content is switched off, or it reports ids only: nothing can be "
        "held against the sources.",
        step="Instrument the retriever and let it record content (docs/receiving.md), list the tool under "
        "`traces.retrieval_tools`, or give texts in the catalog for passages that are reported by id.",
        look=_passages,
    ),
    DoctorRule(
        name="catalog-refused",
        stage="score",
        severity="error",
        title="The catalog was refused; an older one is in force",
        about="The file that was written last is not valid, so freshness is judged by the one before.",
        step="Run `groundwire catalog check FILE` and mend what it names.",
        look=_catalog_refused,
    ),
    DoctorRule(
        name="catalog-unmatched",
        stage="score",
        severity="warning",
        title="The catalog lists few of the documents that are retrieved",
        about="Ids, versions or addresses in the metadata of passages are named otherwise than in the catalog, so "
        "nothing is known of their dates.",
        step="Map the keys under `traces.passages`; `groundwire catalog coverage CATALOG FILE` says which.",
        look=_catalog_unmatched,
    ),
    DoctorRule(
        name="catalog-versions",
        stage="score",
        severity="warning",
        title="Passages name versions that the catalog does not list",
        about="The index serves other versions of documents than the source has. Such a passage is compared with the "
        "listed version; what neither its text nor an older date tells has no value, and gates do not see it.",
        step="Index these documents anew, and let the metadata of passages say `modified_at` (`traces.passages`); or "
        "list the versions with their `effective_to`.",
        look=_catalog_versions,
    ),
    DoctorRule(
        name="disk-low",
        stage="score",
        severity="warning",
        title="The disk of the store is nearly full",
        about="On a full disk nothing more is taken in; senders are told to retry.",
        step="Make room, or shorten `retention.chunks` and `retention.answers`.",
        look=_disk,
    ),
    DoctorRule(
        name="store-warning",
        stage="score",
        severity="warning",
        title="The store has lost rows",
        about="It was restored from an older copy, or the disk dropped writes.",
        step="Follow the runbook (GroundwireStoreRewound), then `groundwire audit acknowledge`.",
        look=_rewound,
    ),
)
