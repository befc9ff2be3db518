"""Reads a page as a browser does: its elements, its text, and what of it could run."""

from html.parser import HTMLParser

EVIL = '"><script>alert(1)</script>\u202e<img src=x onerror=alert(2)><a href="javascript:alert(3)">'
"""What a page must show as text, wherever it stands."""


class Page(HTMLParser):
    """``elements`` are tags with their attributes, ``text`` is what stands between them."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.text += " "
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    @property
    def links(self):
        return [attributes["href"] for tag, attributes in self.elements if tag == "a"]

    @property
    def words(self):
        return " ".join(self.text.split())


def check_inert(html, prefix=""):
    """Check that nothing of a page runs, or loads, but what the agent itself serves, below ``prefix``."""
    page = Page(html)
    for tag, attributes in page.elements:
        assert tag not in {"img", "iframe", "object", "embed", "base", "style"}
        assert not [name for name in attributes if name.startswith(("on", "hx-on", "style"))]
        for name in ("href", "src", "action", "hx-get", "data-timeline"):
            assert attributes.get(name, "#").startswith((f"{prefix}/", "#")), (tag, attributes)
            assert not attributes.get(name, "#").startswith("//")
        if tag in {"script", "link"}:
            assert attributes.get("src", attributes.get("href")).startswith(f"{prefix}/static/")
    assert "\u202e" not in html
    return page
