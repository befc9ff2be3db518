"""`groundwire adapt`: files of traces in, answers as JSONL out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import orjson

from adapters.base import AdaptOptions, MalformedRecord
from adapters.files.read import LeftOver
from collector.commands.progress import watched
from collector.commands.reading import answers
from collector.errors import ConfigError
from collector.security.text import one_line

HINT = "see docs/sources.md, or describe one under traces.dialects"
SCOPES = 20
"""Instrumentation scopes without a dialect that are named; the rest are counted."""


def adapt_files(
    files: Sequence[Path], attributes: Sequence[str], *, out: TextIO, err: TextIO, given: AdaptOptions | None = None
) -> int:
    """Print every answer of ``files``; return 0, or 1 if something in them could not be read.

    A trace may be spread over several of them: it is adapted when the last part that has spans of it was read. What
    comes from a pipe is read first, and once. What is in no answer is named on ``err``: spans that tell of a model and
    that no dialect reads, and traces without an answer. ``given`` is what a configuration says of traces;
    ``attributes`` go before its own.
    """
    options = given or AdaptOptions()
    options = options.model_copy(update={"attributes": {**options.attributes, **mapping(attributes)}})
    clean = True
    left = LeftOver()
    with watched(out, err) as progress:
        for path, item in answers(files, options, progress, left):
            if isinstance(item, MalformedRecord):
                clean = False
                err.write(f"groundwire: {path}: {one_line(str(item))}\n")
            else:
                out.write(orjson.dumps(item.told()).decode() + "\n")
    lines = [*unread_spans(left.spans), *traces_without_answer(left.traces)]
    err.writelines(f"groundwire: {line}\n" for line in lines)
    return 0 if clean else 1


def unread_spans(unread: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each instrumentation scope whose spans nobody reads.

    >>> list(unread_spans({"ai": 7}))
    ['7 spans of scope ai: no dialect; see docs/sources.md, or describe one under traces.dialects']
    """
    ordered = sorted(unread.items(), key=lambda item: (-item[1], item[0]))
    for scope, n in ordered[:SCOPES]:
        spans = f"{n:,} span{'s' * (n != 1)}"
        yield f"{spans} of scope {one_line(scope)}: no dialect; {HINT}"
    if rest := ordered[SCOPES:]:
        yield f"{sum(n for _, n in rest):,} spans of {len(rest):,} other scopes: no dialect"


def traces_without_answer(traces: Mapping[str, int]) -> Iterator[str]:
    """Yield a line for each dialect with traces that were read and hold no answer.

    >>> list(traces_without_answer({"openinference": 2}))
    ['2 traces read by openinference hold no answer: no model answered there, and no chain says what it did']
    """
    for dialect, n in sorted(traces.items(), key=lambda item: (-item[1], item[0])):
        which, them = (f"{n:,} traces", "hold") if n != 1 else ("1 trace", "holds")
        why = "no model answered there, and no chain says what it did"
        yield f"{which} read by {one_line(dialect)} {them} no answer: {why}"


def mapping(attributes: Sequence[str]) -> dict[str, str]:
    """Return what `--attribute NAME=KEY` says. Raises `ConfigError`."""
    pairs = [attribute.partition("=") for attribute in attributes]
    for text, (name, separator, key) in zip(attributes, pairs, strict=True):
        if not (name and separator and key):
            raise ConfigError(f"--attribute {text}: expected NAME=KEY")
    return {name: key for name, _, key in pairs}
