"""OpenAI's responses: searches in files that the provider keeps, made within the call of the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FRAMEWORK = "openai"
FILE_SEARCH = "file_search_call"
_MOST_ITEMS = 200


def file_searches(response: Any) -> Iterator[tuple[str | None, list[Any] | None]]:
    """Yield of each search what was searched for and what was found; ``None`` where results were not asked for.

    >>> item = {"type": "file_search_call", "queries": ["hotels"], "results": [{"text": "Up to 180 EUR."}]}
    >>> list(file_searches({"output": [item]}))
    [('hotels', [{'text': 'Up to 180 EUR.'}])]
    """
    items = response.get("output") if isinstance(response, dict) else None
    for item in items[:_MOST_ITEMS] if isinstance(items, list) else ():
        if isinstance(item, dict) and item.get("type") == FILE_SEARCH:
            queries, found = item.get("queries"), item.get("results")
            query = queries[0] if isinstance(queries, list) and queries and isinstance(queries[0], str) else None
            yield query, found if isinstance(found, list) else None
