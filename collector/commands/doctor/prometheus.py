"""What a Prometheus has of the agent: a board shows nothing that it was not given."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

from collector.errors import ConfigError
from collector.security.text import one_line

SECONDS = 10.0
MAX_BYTES = 1024 * 1024
QUERY = "groundwire_build_info"


@dataclass(frozen=True, slots=True)
class Scraped:
    """How many agents a Prometheus scrapes; ``trouble`` where it could not be asked."""

    url: str
    agents: int = 0
    trouble: str = ""


def scraped(url: str) -> Scraped:
    """Ask a Prometheus which agents it has. Raises `ConfigError` for what is no URL."""
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--prometheus {one_line(url)}: expected http:// or https://")
    where = f"{url.rstrip('/')}/api/v1/query?{urllib.parse.urlencode({'query': QUERY})}"
    try:
        with urllib.request.urlopen(where, timeout=SECONDS) as response:  # noqa: S310 - the scheme was checked
            found = json.loads(response.read(MAX_BYTES))
        return Scraped(url, agents=len(found["data"]["result"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = getattr(error, "reason", None) or error
        return Scraped(url, trouble=one_line(str(reason)))
