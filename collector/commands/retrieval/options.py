"""The file that says which retriever is asked, and how many of its passages count."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import orjson
from pydantic import Field, ValidationError, model_validator

from collector.applications.options import Application
from collector.commands.reading import opened
from collector.errors import ConfigError
from collector.outbound.options import StrictOptions
from scorers.text.yamltext import YamlError, load_yaml

MAX_BYTES = 1_000_000
PACE = frozenset({"concurrency", "timeout", "retries", "give_up"})


class RetrieverFile(StrictOptions):
    """How a retriever is asked, in the words in which `groundwire evaluate` is told of an application."""

    retriever: Application = Field(description="What is asked: `type: http` or `type: python`.")
    at_least: float | None = Field(
        default=None, allow_inf_nan=False, description="Only passages with at least this score (score mode)."
    )
    max_k: int | None = Field(default=None, ge=1, le=1000, description="Only so many passages, the first ones.")

    @model_validator(mode="after")
    def _scored(self) -> RetrieverFile:
        if self.retriever.reply.ids is not None and self.retriever.reply.passages is None:
            raise ValueError("retriever.reply.ids needs retriever.reply.passages: ids alone have no text to judge by")
        return self

    @property
    def digest(self) -> str:
        """What tells one retriever from another: all but the pace and the patience; of secrets only their names."""
        told = [self.retriever.model_dump(mode="json", exclude=set(PACE)), self.at_least, self.max_k]
        return sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()


def retriever_in(path: Path) -> RetrieverFile:
    """Return what a file says. Raises `ConfigError` naming file and key."""
    with opened(path) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than {MAX_BYTES} bytes")
    try:
        return RetrieverFile.model_validate(load_yaml(data.decode()))
    except (YamlError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    except ValidationError as error:
        raise ConfigError(
            *(
                f"{path}: {'.'.join(map(str, each['loc'])) or 'retriever'}: {each['msg'].removeprefix('Value error, ')}"
                for each in error.errors(include_url=False)[:20]
            )
        ) from error
