"""What a reader sees of a page of HTML, or of a piece of one that was cut out anywhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_UNSEEN = frozenset({"script", "style", "template"})
_CUT_TAGS = re.compile(r"\A[^<>]*>|<[^<>]*\Z")
"""The rest of a tag in which a piece begins or ends."""


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._within = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._within += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self._within -= tag in _UNSEEN and self._within > 0

    def handle_data(self, data: str) -> None:
        if not self._within:
            self.parts.append(data)


def seen_text(text: str) -> str:
    """Return what a reader sees of a page of HTML, as loaders do.

    >>> seen_text("<p>Up to <b>180</b> EUR.</p><script>x()</script>")
    'Up to  180  EUR.'
    """
    page = _Page()
    page.feed(text)
    page.close()
    return " ".join(page.parts)


def seen_piece(text: str) -> str:
    """Return what a reader sees of a piece of a page whose markup a loader kept.

    >>> seen_piece('ref="a.html">Up to <b>180</b> EUR.<a hr')
    'Up to  180  EUR.'
    """
    return seen_text(_CUT_TAGS.sub("", text))
