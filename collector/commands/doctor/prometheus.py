"""What a Prometheus has of the agent: a board shows nothing that it was not given."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from collector.errors import ConfigError
from collector.security.text import one_line

SECONDS = 10.0
MAX_BYTES = 1024 * 1024
QUERY = "groundwire_build_info"


@dataclass(frozen=True, slots=True)
class Scraped:
    """How many agents a Prometheus scrapes; ``trouble`` where it could not be asked.

    ``failing`` are addresses that it tries in vain, each with what it says of that.
    """

    url: str
    agents: int = 0
    trouble: str = ""
    failing: Sequence[tuple[str, str]] = ()


def scraped(url: str) -> Scraped:
    """Ask a Prometheus which agents it has. Raises `ConfigError` for what is no URL."""
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--prometheus {one_line(url)}: expected http:// or https://")
    try:
        agents = len(_asked(url, f"query?{urllib.parse.urlencode({'query': QUERY})}")["result"])
        return Scraped(url, agents=agents, failing=() if agents else _failing(url))
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = getattr(error, "reason", None) or error
        return Scraped(url, trouble=one_line(str(reason)))


def _failing(url: str) -> tuple[tuple[str, str], ...]:
    """Return the targets whose scrape fails, as Prometheus names them; none where it does not tell of targets."""
    try:
        targets = _asked(url, "targets?state=active")["activeTargets"]
        return tuple(
            (one_line(str(each["scrapeUrl"])), one_line(str(each["lastError"])))
            for each in targets
            if each["health"] == "down"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _asked(url: str, query: str) -> Any:
    where = f"{url.rstrip('/')}/api/v1/{query}"
    with urllib.request.urlopen(where, timeout=SECONDS) as response:  # noqa: S310 - the scheme was checked
        return json.loads(response.read(MAX_BYTES))["data"]
