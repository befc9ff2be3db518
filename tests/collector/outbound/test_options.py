"""What every source's options have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pydantic import SecretStr, ValidationError

from collector.errors import ConfigError
from collector.security.secrets import read_secret
from collector.sources.base import SourceOptions


class Shelf(SourceOptions):
    type: Literal["shelf"] = "shelf"


def test_a_source_is_named_by_its_type_unless_it_has_a_name():
    assert Shelf().name == "shelf"
    assert Shelf.model_validate({"type": "shelf", "name": ""}).name == "shelf"
    assert Shelf(name="top").name == "top"


@pytest.mark.parametrize("name", ["Top", "-x", "a b", "x" * 64])
def test_a_name_that_is_no_label_is_refused(name):
    with pytest.raises(ValidationError):
        Shelf(name=name)


def test_a_secret_comes_from_the_configuration_or_from_a_file_and_is_never_empty(tmp_path: Path):
    file = tmp_path / "key"
    file.write_text("  s3cret\n")
    assert read_secret(SecretStr("given"), file, "k") == "given"
    assert read_secret(None, file, "k") == "s3cret"
    assert read_secret(None, None, "k") is None
    file.write_text("\n")
    with pytest.raises(ConfigError, match=r"sources\[0\]\.key_file: .*key is empty"):
        read_secret(None, file, "sources[0].key_file")
    for text in ("one\ntwo", "clé", "a\0b"):
        file.write_text(text)
        with pytest.raises(ConfigError, match=r"sources\[0\]\.key_file: .*key: must be one line of printable ASCII"):
            read_secret(None, file, "sources[0].key_file")
        with pytest.raises(ConfigError, match=r"sources\[0\]\.key: must be one line") as caught:
            read_secret(SecretStr(text), None, "sources[0].key_file")
        assert text not in str(caught.value)
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=r"sources\[0\]\.key_file"):
        read_secret(None, file, "sources[0].key_file")
    with pytest.raises(ConfigError, match=r"sources\[0\]\.key_file"):
        read_secret(None, tmp_path / "absent", "sources[0].key_file")
