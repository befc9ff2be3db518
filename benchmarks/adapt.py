"""How long adapting takes: decoding OTLP protobuf, grouping, adapting to answers, and writing them as JSON.

    python benchmarks/adapt.py [FOLDER] [--seconds S]

Reads every ``*.otlp.pb`` below FOLDER (default: the golden traces of the tests), keeps one core busy with
them, and prints the machine, the method and the figures. The budget is 0.08 ms a span.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from pathlib import Path

from adapters.detect import AdaptOptions, adapt_trace
from adapters.otlp import decode_traces, group

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "traces"
BUDGET_MS = 0.08


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=GOLDEN)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to measure")
    arguments = parser.parse_args()
    payloads = [path.read_bytes() for path in sorted(arguments.folder.rglob("*.otlp.pb"))]
    if not payloads:
        parser.error(f"no *.otlp.pb below {arguments.folder}")
    options = AdaptOptions(attributes={"tenant": "tenant", "region": "deployment.region"})
    spans = sum(len(decode_traces(payload).spans) for payload in payloads)
    once(payloads, options)

    rounds: list[tuple[float, float, float]] = []
    answers = 0
    until = time.perf_counter() + arguments.seconds
    while time.perf_counter() < until:
        decode, adapt, dump, answers = once(payloads, options)
        rounds.append((decode, adapt, dump))
    decode, adapt, dump = (statistics.median(each[i] for each in rounds) * 1000 / spans for i in range(3))

    print(
        f"machine  {platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )
    print(f"input    {len(payloads)} files, {spans} spans, {sum(map(len, payloads)) / spans:.0f} bytes a span")
    print(f"output   {answers} answers")
    print(f"method   one process, one thread, process CPU time, median of {len(rounds)} rounds over all files")
    print(f"decode   {decode:.4f} ms a span")
    print(f"adapt    {adapt:.4f} ms a span")
    print(f"dump     {dump:.4f} ms a span")
    print(f"total    {decode + adapt + dump:.4f} ms a span (budget {BUDGET_MS})")


def once(payloads: list[bytes], options: AdaptOptions) -> tuple[float, float, float, int]:
    """Adapt everything once; CPU seconds to decode, to adapt, to dump, and the number of answers."""
    start = time.process_time()
    traces = [trace for payload in payloads for trace in group(decode_traces(payload).spans)]
    decoded = time.process_time()
    answers = [answer for trace in traces for answer in adapt_trace(trace, options)]
    adapted = time.process_time()
    for answer in answers:
        answer.model_dump_json(exclude_defaults=True)
    return decoded - start, adapted - decoded, time.process_time() - adapted, len(answers)


if __name__ == "__main__":
    main()
