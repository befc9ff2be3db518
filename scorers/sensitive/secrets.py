"""Secrets and keys: published token formats, private key blocks, and values called a secret that look like one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from scorers.sensitive.finding import Finding

# The prefixes are what the issuers document for their tokens so that scanners find them.
_FORMATS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("AWS access key", re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])")),
    ("GitHub token", re.compile(r"(?<![A-Za-z0-9_])(?:gh[oprsu]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})")),
    ("GitLab token", re.compile(r"(?<![A-Za-z0-9_])glpat-[A-Za-z0-9_-]{20,64}")),
    ("Slack token", re.compile(r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,255}")),
    ("Google API key", re.compile(r"(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])")),
    ("Stripe key", re.compile(r"(?<![A-Za-z0-9_])[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}")),
    ("API key", re.compile(r"(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20,255}")),
    (
        "JSON web token",
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}"),
    ),
    ("private key", re.compile(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")),
)
_URL_PASSWORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@]{1,64}:(?P<value>[^\s/@]{3,128})@")
_CALLED_SECRET = re.compile(
    r"(?<![A-Za-z])(?:password|passwd|passphrase|pwd|secret|token|credential"
    r"|(?:api|access|auth|private|secret|signing)[ _-]?key)"
    r"[\"'`*]{0,3}\s{0,3}(?::|=|\bis\b)\s{0,3}[\"'`*]{0,3}(?P<value>[^\s\"'`,;<>]{8,200})",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"example|your|placeholder|changeme|redacted|dummy|xxx|\*\*\*|\.\.\.|^[<{$\[(]", re.IGNORECASE
)

MIN_ENTROPY = 2.8
"""Bits per character from which a value called a secret is taken for one; eight characters with one pair have 2.75."""


def secrets(text: str) -> Iterator[Finding]:
    """Yield secrets. A placeholder (``YOUR_KEY``, ``AKIA...EXAMPLE``, ``****``) is none.

    >>> [found.masked for found in secrets("export API_KEY=q7Tz81LmPw0Rk3Vy and password: <your-password>")]
    ['value called a secret (16 characters)']
    """
    taken: list[tuple[int, int]] = []
    for name, pattern in _FORMATS:
        for match in pattern.finditer(text):
            if not _PLACEHOLDER.search(match.group()):
                taken.append(match.span())
                yield Finding("secret", *match.span(), match.group(), name)
    for name, pattern in (("password in a URL", _URL_PASSWORD), ("value called a secret", _CALLED_SECRET)):
        for match in pattern.finditer(text):
            start, end = match.span("value")
            value = match["value"].rstrip(".!?)")
            known = any(start < other_end and other_start < end for other_start, other_end in taken)
            if not known and not _PLACEHOLDER.search(value) and (pattern is _URL_PASSWORD or _looks_random(value)):
                taken.append((start, end))
                yield Finding("secret", start, start + len(value), value, name)


def _looks_random(value: str) -> bool:
    """Return whether a value has letters and digits and enough entropy to be made by a machine, or to be a password.

    Shannon entropy of the character frequencies, in bits per character.
    """
    if len(value) < 8 or not any(c.isdigit() for c in value) or not any(c.isalpha() for c in value):  # noqa: PLR2004
        return False
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares) >= MIN_ENTROPY
