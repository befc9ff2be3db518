from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.helm.chart import rendered, renderer

Render = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="session")
def render_command(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    return renderer(tmp_path_factory.mktemp("renderer"))


@pytest.fixture
def render(render_command: tuple[str, ...], tmp_path: Path) -> Render:
    def with_values(values: dict[str, Any], *, release: str = "rag") -> list[dict[str, Any]]:
        path = tmp_path / "values.yaml"
        path.write_text(yaml.safe_dump(values), encoding="utf-8")
        return rendered(render_command, path, release)

    return with_values
