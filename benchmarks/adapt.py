"""How long adapting takes: decoding OTLP protobuf, grouping, adapting to answers, and writing them as JSON.

    python benchmarks/adapt.py [FOLDER] [--seconds S]

Reads every ``*.otlp.pb`` of traces below FOLDER (default: the golden traces of the tests), keeps one core busy with
them, and prints the machine, the method and the figures, by what the file is named after (the instrumentation) and over
all. The budget is 0.08 ms a span. The resident memory after the first tenth of the rounds and at the end shows whether
it grows with the number of traces. Garbage is collected as in a worker, where the agent adapts: seldom. With
``--garbage`` it is collected as the interpreter does by itself, which takes no longer: adapting leaves hardly any.
"""

from __future__ import annotations

import argparse
import gc
import platform
import statistics
import time
from collections import defaultdict
from pathlib import Path

import psutil

from adapters.detect import AdaptOptions, adapt_trace
from adapters.wire.otlp import decode_traces, group
from collector.workers.serving import YOUNG, settle

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "traces"
BUDGET_MS = 0.08
STEPS = ("decode", "adapt", "dump")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=GOLDEN)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to measure")
    parser.add_argument("--garbage", action="store_true", help="collect garbage by the interpreter's own settings")
    arguments = parser.parse_args()
    payloads: dict[str, list[bytes]] = defaultdict(list)
    for path in sorted(arguments.folder.rglob("*.otlp.pb")):
        if not path.name.endswith(".logs.otlp.pb"):
            payloads[path.name.partition("-")[0]].append(path.read_bytes())
    if not payloads:
        parser.error(f"no *.otlp.pb below {arguments.folder}")
    options = AdaptOptions(attributes={"tenant": "tenant", "region": "deployment.region"})
    spans = {name: sum(len(decode_traces(payload).spans) for payload in same) for name, same in payloads.items()}

    for same in payloads.values():
        once(same, options)
    if not arguments.garbage:
        settle()
        gc.set_threshold(YOUNG)
    process = psutil.Process()
    rounds: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    resident: list[int] = []
    traces = answers = 0
    until = time.perf_counter() + arguments.seconds
    while time.perf_counter() < until:
        answers = 0
        for name, same in payloads.items():
            *seconds, n_traces, n_answers = once(same, options)
            rounds[name].append((seconds[0], seconds[1], seconds[2]))
            traces += n_traces
            answers += n_answers
        resident.append(process.memory_info().rss)

    n_files, n_spans = sum(map(len, payloads.values())), sum(spans.values())
    n_bytes = sum(len(payload) for same in payloads.values() for payload in same)
    print(
        f"machine  {platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )
    print(f"input    {n_files} files, {n_spans} spans, {n_bytes / n_spans:.0f} bytes a span")
    print(f"output   {answers} answers")
    print(f"method   one process, one thread, process CPU time, median of {len(resident)} rounds over all files")
    print(f"\n{'ms a span':14}{'spans':>7}" + "".join(f"{step:>9}" for step in (*STEPS, "total")))
    whole = [0.0, 0.0, 0.0]
    for name, n in spans.items():
        medians = [statistics.median(each[i] for each in rounds[name]) * 1000 for i in range(len(STEPS))]
        whole = [before + median for before, median in zip(whole, medians, strict=True)]
        row(name, n, medians)
    row("all", n_spans, whole)
    print(f"{'budget':46}{BUDGET_MS:9.4f}")
    warm = resident[len(resident) // 10]
    print(
        f"\nmemory   {warm / 2**20:.1f} MiB after a tenth of {traces} traces, {resident[-1] / 2**20:.1f} MiB at the end"
    )


def row(name: str, spans: int, milliseconds: list[float]) -> None:
    figures = [each / spans for each in (*milliseconds, sum(milliseconds))]
    print(f"{name:14}{spans:7}" + "".join(f"{figure:9.4f}" for figure in figures))


def once(payloads: list[bytes], options: AdaptOptions) -> tuple[float, float, float, int, int]:
    """Adapt everything once; CPU seconds to decode, to adapt, to dump, and the numbers of traces and answers."""
    start = time.process_time()
    traces = [trace for payload in payloads for trace in group(decode_traces(payload).spans)]
    decoded = time.process_time()
    answers = [answer for trace in traces for answer in adapt_trace(trace, options)]
    adapted = time.process_time()
    for answer in answers:
        answer.model_dump_json(exclude_defaults=True)
    return decoded - start, adapted - decoded, time.process_time() - adapted, len(traces), len(answers)


if __name__ == "__main__":
    main()
