"""Ask Groundwire about an answer before you show it. One file, standard library only: copy it into your application.

    verdict = verify("What may a hotel cost?", "Up to 250 EUR a night.", [{"text": "Hotels cost up to 180 EUR."}])
    if not verdict.safe:
        ...

A guard must not be why an application fails: without an agent, or with one that is late, the verdict is
``undetermined`` and ``reasons`` say why. Whether such an answer is shown is for you to say.
"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

URL = os.environ.get("GROUNDWIRE_URL", "http://127.0.0.1:8080")
SECONDS = float(os.environ.get("GROUNDWIRE_SECONDS", "0.5"))
"""How long an answer waits for its verdict."""
SAFE = ("supported", "usable")


@dataclass(frozen=True)
class Verdict:
    """What Groundwire says: the worst it found, and what it found it at."""

    verdict: str
    reasons: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Whether something was judged, and nothing speaks against it."""
        return self.verdict in SAFE


def verify(
    question: str | None,
    answer: str | None,
    passages: Iterable[str | Mapping[str, Any]],
    *,
    asker_groups: Iterable[str] | None = None,
    url: str = URL,
    token: str | None = os.environ.get("GROUNDWIRE_TOKEN"),
    seconds: float = SECONDS,
) -> Verdict:
    """Return the verdict on an answer made from ``passages``, or on the passages alone if ``answer`` is ``None``.

    A passage is a text, or a mapping with a text and metadata, as your framework has it.
    """
    body: dict[str, Any] = {"question": question, "answer": answer, "passages": list(passages)}
    if asker_groups is not None:
        body["asker_groups"] = list(asker_groups)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = json.dumps(body, default=str).encode()
    request = urllib.request.Request(f"{url}/v1/verify", content, headers)  # noqa: S310 - the URL is yours
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:  # noqa: S310
            said = json.load(response)
    except urllib.error.HTTPError as error:
        return Verdict("undetermined", (f"{error.code}: {error.read(1_000).decode(errors='replace')}",))
    except (OSError, ValueError) as error:
        return Verdict("undetermined", (str(error),))
    return Verdict(
        said["verdict"],
        tuple(reason["detail"] for reason in said["reasons"]) or tuple(said["unjudged"]),
        tuple("@".join(filter(None, (each["doc_id"], each["version"]))) for each in said["superseded_by"]),
    )
