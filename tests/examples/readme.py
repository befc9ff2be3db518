"""What a folder under examples/ tells its reader, taken out of its README.md and app.py."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Example:
    """One folder: its README and its application, as text."""

    name: str

    @property
    def readme(self) -> str:
        return (EXAMPLES / self.name / "README.md").read_text()

    @property
    def app(self) -> str:
        return (EXAMPLES / self.name / "app.py").read_text()

    @property
    def installs(self) -> list[str]:
        """The packages of the README's first ``pip install``."""
        found = re.search(r"^pip install (.*)$", self.readme, re.MULTILINE)
        assert found is not None, f"{self.name}: no line that installs"
        return found.group(1).replace("'", "").split()

    @property
    def snippets(self) -> list[str]:
        """The lines to add, as the README shows them."""
        return blocks(self.readme, "snippet", "python")

    @property
    def added(self) -> list[str]:
        """The lines that were added, as the application runs them."""
        return re.findall(
            r"^# --- groundwire: (?!end)[^\n]*\n(.*?)\n*^# --- groundwire: end", self.app, re.MULTILINE | re.DOTALL
        )

    @property
    def configurations(self) -> list[str]:
        return blocks(self.readme, "configuration", "yaml")

    @property
    def seen(self) -> list[dict[str, Any]]:
        """The answers that the README says the agent then shows, each cut down to some of its fields."""
        return [json.loads(block) for block in blocks(self.readme, "seen", "json")]

    @property
    def service(self) -> str:
        found = re.search(r'"service.name": "([a-z-]+)"', self.app)
        assert found is not None, f"{self.name}: no service name"
        return found.group(1)


def blocks(text: str, mark: str, language: str) -> list[str]:
    """Return the code blocks of ``language`` that stand between ``<!-- mark -->`` and ``<!-- end mark -->``."""
    marked = re.findall(rf"(?ms)^<!-- {mark} -->\n(.*?)^<!-- end {mark} -->", text)
    return [
        block for part in marked for block in re.findall(rf"^```{language}\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    ]


def cut(whole: Any, shown: Any) -> Any:
    """Cut ``whole`` down to what ``shown`` shows of it, so that the two compare equal where ``shown`` is true.

    Numbers are rounded to the decimals shown; scores are found by the name of their metric.
    """
    if isinstance(shown, dict) and isinstance(whole, dict):
        return {key: cut(whole.get(key), value) for key, value in shown.items()}
    if isinstance(shown, list) and isinstance(whole, list):
        if shown and isinstance(shown[0], dict) and "metric" in shown[0]:
            by_metric = {score["metric"]: score for score in whole}
            return [cut(by_metric.get(score["metric"]), score) for score in shown]
        return [cut(a, b) for a, b in zip(whole, shown, strict=False)] + whole[len(shown) :]
    if isinstance(shown, float) and isinstance(whole, float):
        return round(whole, len(str(shown).partition(".")[2]))
    return whole
