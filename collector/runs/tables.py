"""The tables of a run folder as Parquet, with a fixed schema each: DuckDB, pandas and Polars read them as they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from adapters.schema import Answer, Passage
from collector.errors import ConfigError

if TYPE_CHECKING:
    import pyarrow as pa

ANSWERS, PASSAGES, SCORES, CHECKS = "answers.parquet", "passages.parquet", "scores.parquet", "checks.parquet"
TABLES = (ANSWERS, PASSAGES, SCORES, CHECKS)
ROWS = 2_000
"""Rows in memory at a time, and rows of a row group."""
MISSING = "pyarrow is not installed; install it with: pip install 'groundwire[evaluate]'"

Row = Mapping[str, Any]


def needs_pyarrow() -> None:
    """Raise `ConfigError` where tables cannot be read or written for want of a package."""
    if find_spec("pyarrow") is None:
        raise ConfigError(MISSING)


def schema_of(table: str) -> pa.Schema:
    """Return the columns of a table with their types."""
    import pyarrow as pa

    texts = pa.map_(pa.string(), pa.string())
    columns: dict[str, dict[str, pa.DataType]] = {
        ANSWERS: {
            "run": pa.string(),
            "answer_id": pa.string(),
            "question": pa.string(),
            "answer": pa.string(),
            "reference": pa.string(),
            "status": pa.string(),
            "error": pa.string(),
            "session_id": pa.string(),
            "model": pa.string(),
            "provider": pa.string(),
            "response_ids": pa.list_(pa.string()),
            "citations": pa.list_(pa.string()),
            "prompt_tokens": pa.int64(),
            "completion_tokens": pa.int64(),
            "total_tokens": pa.int64(),
            "cost_usd": pa.float64(),
            "latency_ms": pa.float64(),
            "first_token_ms": pa.float64(),
            "versions": texts,
            "attributes": texts,
            "record": pa.string(),
            "expect": pa.string(),
        },
        PASSAGES: {
            "run": pa.string(),
            "answer_id": pa.string(),
            "position": pa.int64(),
            "passage_id": pa.string(),
            "doc_id": pa.string(),
            "version": pa.string(),
            "section": pa.string(),
            "stage": pa.string(),
            "rank": pa.int64(),
            "score": pa.float64(),
            "in_context": pa.bool_(),
            "text_sha256": pa.string(),
        },
        SCORES: {
            "run": pa.string(),
            "answer_id": pa.string(),
            "metric": pa.string(),
            "value": pa.float64(),
            "outcome": pa.string(),
            "reason": pa.string(),
            "basis": pa.string(),
            "label": pa.string(),
            "explanation": pa.string(),
            "evidence": pa.string(),
            "scorer_version": pa.string(),
            "session_id": pa.string(),
            "attributes": texts,
        },
        CHECKS: {
            "run": pa.string(),
            "answer_id": pa.string(),
            "expectation": pa.string(),
            "kept": pa.bool_(),
            "observed": pa.string(),
            "why": pa.string(),
            "attributes": texts,
        },
    }
    return pa.schema(list(columns[table].items()))


def write_table(folder: Path, table: str, rows: Iterable[Row]) -> None:
    """Write a table whole or not at all, with few rows in memory at a time; the same rows give the same bytes."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = schema_of(table)
    part = folder / f"{table}.part"
    stream = iter(rows)
    with parquet.ParquetWriter(part, schema, compression="zstd") as writer:
        while batch := list(islice(stream, ROWS)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
    part.replace(folder / table)


def read_table(path: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, few in memory at a time. Raises `ConfigError` for a file that is no such table."""
    needs_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=ROWS, columns=None if columns is None else list(columns)):
                yield from batch.to_pylist(maps_as_pydicts="strict")
    except (OSError, pa.ArrowException) as error:
        raise ConfigError(f"{path}: cannot be read: {' '.join(str(error).split())[:300]}") from error


def answer_row(run: str, answer: Answer, expect: Mapping[str, Any] | None) -> Row:
    """Return an answer as a row of `ANSWERS`; ``record`` holds all of it, to be scored again."""
    usage = answer.usage
    return {
        "run": run,
        "answer_id": answer.id,
        "question": answer.question,
        "answer": answer.answer,
        "reference": answer.reference,
        "status": answer.status,
        "error": answer.error,
        "session_id": answer.session_id,
        "model": answer.model,
        "provider": answer.provider,
        "response_ids": None if answer.response_ids is None else list(answer.response_ids),
        "citations": None if answer.citations is None else [each.passage_id for each in answer.citations],
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
        "cost_usd": usage.cost_usd,
        "latency_ms": usage.latency_ms,
        "first_token_ms": usage.first_token_ms,
        "versions": sorted(answer.versions.items()),
        "attributes": sorted(answer.attributes.items()),
        "record": answer.model_dump_json(exclude_defaults=True),
        "expect": None if expect is None else orjson.dumps(expect, option=orjson.OPT_SORT_KEYS).decode(),
    }


def passage_rows(run: str, answer: Answer) -> Iterator[Row]:
    """Yield the passages of an answer as rows of `PASSAGES`: what was retrieved, and the checksum of each text."""
    context = None if answer.context is None else frozenset(answer.context)
    for position, passage in enumerate(answer.passages or ()):
        yield {
            "run": run,
            "answer_id": answer.id,
            "position": position,
            "passage_id": passage.id,
            "doc_id": passage.doc_id,
            "version": passage.version,
            "section": passage.section,
            "stage": passage.stage,
            "rank": passage.rank,
            "score": passage.score,
            "in_context": None if context is None else passage.id in context,
            "text_sha256": chunk_checksum(passage),
        }


def chunk_checksum(passage: Passage) -> str | None:
    """Return the SHA-256 checksum of a passage's text; ``None`` if it has none."""
    return None if passage.text is None else hashlib.sha256(passage.text.encode()).hexdigest()


def score_row(run: str, row: Row) -> Row:
    """Return a line of `groundwire score --json` as a row of `SCORES`; evidence is kept as JSON."""
    return {
        **row,
        "run": run,
        "evidence": orjson.dumps(row["evidence"]).decode() if row.get("evidence") else None,
        "attributes": sorted(row["attributes"].items()),
    }
