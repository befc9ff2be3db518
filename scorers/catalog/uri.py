"""Where an entry lies: which spellings of a URI mean one place, and what a file is called wherever it lies."""

from __future__ import annotations

import re

from scorers.catalog.address import asked_of, stored_at

NAMED = "*/"
"""Begins the place of a file by its name alone: where it lies once it was moved, or is mounted elsewhere."""

_ANYWHERE = frozenset({"index", "default", "readme", "main", "home", "document", "file", "untitled", "page", "output"})
"""What files are called wherever they lie: such a name tells nothing."""

_AUTHORITY = re.compile(r"(?:https?|file)://(?P<host>[^/?#]*)", re.IGNORECASE)
_DRIVE = re.compile(r"/?[A-Za-z]:[\\/]")
_ENDING = re.compile(r"[A-Za-z][A-Za-z0-9]{1,4}")
_PORTS = (":80", ":443")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,400}")
_SIGNS = "/?#%"
"""What an escape of may not be undone: it would be a sign of the URI itself."""

_ROUTES = ("/", "!")
"""A fragment that begins so is the address of a page within an application, and no place within a page."""


def place_of(uri: str) -> str:
    r"""Return a URI in one spelling; whatever is more than spelling tells two places apart, the query too.

    Spelling is the slash at the end of a path, the case of a host, its usual port, http for https, an escape that
    stands for a letter, a backslash, and ``file://`` before a path; also what signs an address or says who led to it,
    and the host by which an object of a store is fetched.

    >>> place_of("https://docs.test/refunds/"), place_of("http://Docs.test:80/refunds/?v=3#when")
    ('https://docs.test/refunds', 'https://docs.test/refunds?v=3#when')
    >>> place_of("https://b.s3.amazonaws.com/a.pdf?X-Amz-Expires=60&X-Amz-Signature=c"), place_of("hr\\travel.pdf")
    ('s3://b/a.pdf', 'hr/travel.pdf')
    >>> place_of("file:///srv/Travel%20policy.pdf"), place_of("C:\\docs\\travel.pdf")
    ('/srv/Travel policy.pdf', 'c:/docs/travel.pdf')
    """
    head, mark, fragment = _split(_spelled(uri))
    path, asks, query = head.partition("?")
    if "://" in path:
        path, query = stored_at(path), asked_of(path, query) if asks else ""
        asks = asks if query else ""
    return f"{path.rstrip('/') or path}{asks}{query}{mark}{fragment.rstrip('/') or fragment}"


def page_of(uri: str) -> str:
    """Return the place without the fragment, which says where on the page something is.

    >>> page_of("https://docs.test/refunds#when"), page_of("https://docs.test/#/refunds")
    ('https://docs.test/refunds', 'https://docs.test#/refunds')
    """
    head, mark, fragment = _split(uri)
    return place_of(head) if not fragment.startswith(_ROUTES) else place_of(head + mark + fragment)


def listed_at(uri: str | None) -> tuple[str, ...]:
    """Return the places at which an entry with this URI is found: its own, the page that this is on, its name."""
    if uri is None:
        return ()
    named = named_of(uri)
    return tuple(dict.fromkeys((place_of(uri), page_of(uri), *(() if named is None else (named,)))))


def is_place(text: str) -> bool:
    r"""Whether a text is a path, a URI or the name of a file, and not any other id.

    >>> [is_place(each) for each in ("/srv/travel.md", "hr/travel", "C:\docs\travel.pdf", "travel.pdf", "TRV-1@3")]
    [True, True, True, True, False]
    """
    return "/" in text or _DRIVE.match(text) is not None or named_of(text) is not None


def ends_with(place: str, path: str) -> bool:
    """Whether ``path`` is a path without its beginning, of a folder at least, that leads to ``place``.

    >>> ends_with("/srv/kb/handbook/passwords.md", "handbook/passwords.md"), ends_with("/srv/kb/a.md", "a.md")
    (True, False)
    """
    path = page_of(path).removeprefix("./")
    begins = path.startswith("/") or "://" in path or _DRIVE.match(path) is not None
    return "/" in path and not begins and page_of(place).endswith(f"/{path}")


def named_of(uri: str) -> str | None:
    """Return the place of a file by its name alone; ``None`` for what is no file, or is called as any file is.

    >>> named_of("file:///mnt/share/Travel.pdf#page=3"), named_of("/a/index.html")
    ('*/travel.pdf', None)
    """
    path = page_of(uri).partition("?")[0]
    name = path.rpartition("/")[2].casefold()
    stem, _, ending = name.rpartition(".")
    if not stem or stem in _ANYWHERE or _ENDING.fullmatch(ending) is None or path.endswith(f"//{name}"):
        return None
    return NAMED + name


def _spelled(uri: str) -> str:
    if _DRIVE.match(uri):
        uri = uri.replace("\\", "/").lstrip("/")
        return uri[0].lower() + uri[1:]
    match = _AUTHORITY.match(uri)
    if match is None:
        return uri if "/" in uri or " " in uri else uri.replace("\\", "/")
    host, rest = match["host"].lower(), uri[match.end() :]
    if uri[:4].lower() == "file":
        return _spelled(_unescaped(rest)) if host in ("", "localhost") else f"//{host}{_unescaped(rest)}"
    for port in _PORTS:
        host = host.removesuffix(port)
    path, mark, asked = rest.partition("?")
    if not mark:
        path, mark, asked = rest.partition("#")
    return f"https://{host}{_unescaped(path)}{mark}{asked}"


def _unescaped(path: str) -> str:
    return _ESCAPES.sub(_letters, path) if "%" in path else path


def _letters(found: re.Match[str]) -> str:
    """Return the letters that escapes stand for (RFC 3986, section 2.1, in UTF-8); the escapes where they are signs."""
    try:
        text = bytes.fromhex(found.group().replace("%", "")).decode()
    except UnicodeDecodeError:
        return found.group()
    return found.group() if any(sign in text for sign in _SIGNS) else text


def _split(uri: str) -> tuple[str, str, str]:
    head, mark, fragment = uri.partition("#")
    return (head, mark, fragment) if fragment else (head, "", "")
