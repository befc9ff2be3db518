"""The README: one screen, and nothing in it that does not stand in the documentation."""

import re
from pathlib import Path

import pytest

from tests.docs.picture import PICTURE, draw

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def prose(page):
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


def test_the_first_picture_is_of_a_page_and_small_enough_for_everyone():
    (shown,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert ROOT / shown == PICTURE
    content = PICTURE.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) < 150_000


@pytest.mark.parametrize(
    ("told", "page", "there"),
    [
        ("a median of 448 answers", "docs/gates.md", "| 5 % | 520 | 448 | 397 |"),
        ("after 115 answers without a failure, and fails after 301", "docs/gates.md", "| 5 % | 115 | 807 | 301 | 38 |"),
        ("the alarm comes after 33 seconds", "docs/tutorials/sre.md", "that took 33 seconds"),
        ("200 slices and 5.6 million scores", "docs/external-scores.md", "200 slices, 5.6 million scores in 20 weeks"),
        (".86 of answers", "docs/models/support.md", "| 0.833 | 0.747 | 0.056 | 0.86 | 0.19 |"),
    ],
)
def test_a_figure_stands_where_the_readme_says(told, page, there):
    line = next(line for line in README.splitlines() if told in line)
    assert f"({page}" in line
    assert there in prose(page)


@pytest.mark.slow
def test_the_picture_is_drawn_from_a_page_of_a_running_agent(tmp_path):
    text = draw(tmp_path, tmp_path / "slice.png")
    assert "domain=travel" in text
    assert "release to 2.1" in text
    assert (tmp_path / "slice.png").stat().st_size < 150_000
