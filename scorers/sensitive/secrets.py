"""Secrets and keys: published token formats, private key blocks, and values called a secret that look like one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from scorers.sensitive.finding import SensitiveFinding

# The prefixes are what the issuers document for their tokens so that scanners find them. A text without any of the
# literals, which is nearly every one, need not be searched for the pattern.
_FORMATS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    ("AWS access key", ("AKIA", "ASIA"), re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])")),
    (
        "GitHub token",
        ("ghp_", "gho_", "ghr_", "ghs_", "ghu_", "github_pat_"),
        re.compile(r"(?<![A-Za-z0-9_])(?:gh[oprsu]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})"),
    ),
    ("GitLab token", ("glpat-",), re.compile(r"(?<![A-Za-z0-9_])glpat-[A-Za-z0-9_-]{20,64}")),
    ("Slack token", ("xox",), re.compile(r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,255}")),
    ("Google API key", ("AIza",), re.compile(r"(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])")),
    (
        "Slack webhook",
        ("hooks.slack.com",),
        re.compile(r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,200}"),
    ),
    (
        "Google OAuth token",
        ("ya29.", "GOCSPX-"),
        re.compile(r"(?<![A-Za-z0-9_-])(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,255}"),
    ),
    ("Hugging Face token", ("hf_",), re.compile(r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,64}")),
    ("npm token", ("npm_",), re.compile(r"(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}")),
    ("PyPI token", ("pypi-",), re.compile(r"(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{40,255}")),
    ("DigitalOcean token", ("_v1_",), re.compile(r"(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{64}")),
    ("SendGrid key", ("SG.",), re.compile(r"(?<![A-Za-z0-9_])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}")),
    ("Twilio key", ("SK",), re.compile(r"(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])")),
    ("Telegram bot token", (":AA",), re.compile(r"(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])")),
    ("Databricks token", ("dapi",), re.compile(r"(?<![A-Za-z0-9])dapi[a-f0-9]{32}")),
    ("Vault token", ("hvs.", "hvb."), re.compile(r"(?<![A-Za-z0-9])hv[bs]\.[A-Za-z0-9_-]{24,255}")),
    ("Shopify token", ("shp",), re.compile(r"(?<![A-Za-z0-9_])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}")),
    ("Square token", ("sq0",), re.compile(r"(?<![A-Za-z0-9_])sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}")),
    ("Atlassian token", ("ATATT3", "ATCTT3"), re.compile(r"(?<![A-Za-z0-9_])AT(?:ATT|CTT)3[A-Za-z0-9_=-]{40,255}")),
    ("Grafana token", ("glsa_", "glc_"), re.compile(r"(?<![A-Za-z0-9_])gl(?:sa|c)_[A-Za-z0-9_=-]{32,255}")),
    (
        "model provider key",
        ("gsk_", "xai-", "pplx-", "r8_"),
        re.compile(r"(?<![A-Za-z0-9_-])(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{32,128}"),
    ),
    ("Azure storage key", ("AccountKey=",), re.compile(r"AccountKey=[A-Za-z0-9+/]{80,90}={0,2}")),
    (
        "bearer token",
        ("uthorization", "UTHORIZATION"),
        re.compile(r"(?i:authorization: ?(?:bearer|basic)) [A-Za-z0-9._~+/=-]{16,2000}"),
    ),
    ("Stripe key", ("k_live_", "k_test_"), re.compile(r"(?<![A-Za-z0-9_])[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}")),
    ("API key", ("sk-",), re.compile(r"(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20,255}")),
    (
        "JSON web token",
        ("eyJ",),
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}"),
    ),
    ("private key", ("PRIVATE KEY",), re.compile(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")),
)
_URL_PASSWORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@]{1,64}:(?P<value>[^\s/@]{3,128})@")
_CALLED_SECRET = re.compile(
    r"(?<![A-Za-z])(?:password|passwd|passphrase|pwd|secret|token|credential"
    r"|(?:api|access|auth|private|secret|signing)[ _-]?key)"
    r"[\"'`*]{0,3}\s{0,3}(?::|=|\bis\b)\s{0,3}[\"'`*]{0,3}(?P<value>[^\s\"'`,;<>]{8,200})",
    re.IGNORECASE,
)
_SECRET_WORDS = ("pass", "pwd", "secret", "token", "credential", "key")
_PLACEHOLDER = re.compile(
    r"example|your|placeholder|changeme|redacted|dummy|xxx|\*\*\*|\.\.\.|^[<{$\[(]", re.IGNORECASE
)

_SHORTEST = 16
"""Characters without a blank that a token in any of the formats has at least; but the line of a key block."""

MIN_ENTROPY = 2.8
"""Bits per character from which a value called a secret is taken for one; eight characters with one pair have 2.75."""


def secrets(text: str) -> Iterator[SensitiveFinding]:
    """Yield secrets. A placeholder (``YOUR_KEY``, ``AKIA...EXAMPLE``, ``****``) is none.

    >>> [found.masked for found in secrets("export API_KEY=q7Tz81LmPw0Rk3Vy and password: <your-password>")]
    ['value called a secret (16 characters)']
    """
    taken: list[tuple[int, int]] = []
    long = "PRIVATE KEY" in text or max(map(len, text.split()), default=0) >= _SHORTEST
    for name, literals, pattern in _FORMATS if long else ():
        for match in pattern.finditer(text) if any(literal in text for literal in literals) else ():
            if not _PLACEHOLDER.search(match.group()):
                taken.append(match.span())
                yield SensitiveFinding("secret", *match.span(), match.group(), name)
    for name, pattern in _called(text):
        for match in pattern.finditer(text):
            start, end = match.span("value")
            value = match["value"].rstrip(".!?)")
            known = any(start < other_end and other_start < end for other_start, other_end in taken)
            if not known and not _PLACEHOLDER.search(value) and (pattern is _URL_PASSWORD or _looks_random(value)):
                taken.append((start, end))
                yield SensitiveFinding("secret", start, start + len(value), value, name)


def _called(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    if "://" in text:
        yield "password in a URL", _URL_PASSWORD
    lower = text.lower()
    if any(word in lower for word in _SECRET_WORDS):
        yield "value called a secret", _CALLED_SECRET


def _looks_random(value: str) -> bool:
    """Return whether a value has letters and digits and enough entropy to be made by a machine, or to be a password.

    Shannon entropy of the character frequencies, in bits per character.
    """
    if len(value) < 8 or not any(c.isdigit() for c in value) or not any(c.isalpha() for c in value):  # noqa: PLR2004
        return False
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum([share * math.log2(share) for share in shares], 0.0) >= MIN_ENTROPY
