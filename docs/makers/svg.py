"""What pictures of the documentation are drawn with: shapes of SVG, legible on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

STYLE = """
text{font:13px system-ui,sans-serif;fill:var(--ink)}
.paper{fill:var(--paper)}.frame{fill:none;stroke:var(--line)}.grid{stroke:var(--line);stroke-dasharray:2 4}
.small{font-size:12px;fill:var(--soft)}.title{font-size:15px;font-weight:600}.on{fill:#fff;font-weight:600}
.bar{fill:var(--bar)}.moment{stroke:var(--soft)}.reference{stroke:var(--ink)}
.level{stroke:var(--bad);stroke-dasharray:6 4}.threshold{stroke:var(--bad);stroke-dasharray:6 4}
.evidence{fill:none;stroke:var(--bad);stroke-width:2}.proof{fill:none;stroke:var(--good);stroke-width:2}
.needed{stroke:var(--good);stroke-dasharray:6 4}.pass{fill:#1a7f37}.fail{fill:#cf222e}
.box{fill:var(--box);stroke:var(--line)}.low{fill:var(--band)}.inconclusive{fill:#7d5b00}
.arrow{stroke:var(--soft);stroke-width:2}
.tip{fill:var(--soft)}.red{fill:var(--bad)}.green{fill:var(--good)}
:root{--paper:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--bar:#9db2c8;--bad:#cf222e;--good:#1a7f37;
--box:#f6f8fa;--band:#c8daf0}
@media (prefers-color-scheme:dark){
:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--bar:#526a85;--bad:#ff7b72;--good:#56d364;
--box:#161b22;--band:#23344b}}
"""


def drawing(caption: str, width: int, height: int, parts: Iterable[str]) -> str:
    """Return a picture of these shapes, on paper of its own."""
    about = f'viewBox="0 0 {width} {height}" role="img" aria-label="{caption}"'
    opened = f'<svg xmlns="http://www.w3.org/2000/svg" {about}>'
    return "\n".join([opened, f"<style>{STYLE}</style>", rect("paper", 0, 0, width, height), *parts, "</svg>"]) + "\n"


def line(name: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a line of a class."""
    return f'<line class="{name}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return an arrow, along one of the axes."""
    if x1 == x2:
        tip = f"{x2 - 5:.1f},{y2 - 7:.1f} {x2 + 5:.1f},{y2 - 7:.1f} {x2:.1f},{y2:.1f}"
    else:
        tip = f"{x2 - 7:.1f},{y2 - 5:.1f} {x2 - 7:.1f},{y2 + 5:.1f} {x2:.1f},{y2:.1f}"
    return line("arrow", x1, y1, x2, y2) + f'<polygon class="tip" points="{tip}"/>'


def rect(name: str, x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle of a class."""
    return f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def text(x: float, y: float, words: str, name: str = "", anchor: str = "start") -> str:
    """Return a text of a class."""
    named = f' class="{name}"' if name else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words, quote=False)}</text>'


def outline(name: str, points: Iterable[tuple[float, float]], *, closed: bool = False) -> str:
    """Return a line through points, or what it encloses."""
    told = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<{"polygon" if closed else "polyline"} class="{name}" points="{told}"/>'
