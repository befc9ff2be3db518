"""The file that holds the temperatures fitted for one model."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from collector.errors import ConfigError
from collector.models.folder import fingerprint
from scorers.ports.entailment import Temperatures


class Fitted(BaseModel):
    """What `training/entailment.py` writes: ``model`` is the fingerprint of the model, ``data`` tells of the labels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    data: str
    claim: float = Field(gt=0, allow_inf_nan=False)
    contradiction: float = Field(gt=0, allow_inf_nan=False)
    answer: float = Field(gt=0, allow_inf_nan=False)
    threshold: float = Field(gt=0, lt=1)


def read_temperatures(path: Path | None, folder: Path, where: str) -> Temperatures | None:
    """Return what was fitted, ``None`` without a file. Raises `ConfigError` for one that is not of this model."""
    if path is None:
        return None
    try:
        fitted = Fitted.model_validate_json(path.read_bytes())
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        raise ConfigError(f"{where}.calibration: {path}: {place}: {problem['msg']}") from error
    except OSError as error:
        raise ConfigError(f"{where}.calibration: {path}: cannot be read: {error.strerror}") from error
    if fitted.model != fingerprint(folder, f"{where}.model"):
        raise ConfigError(f"{where}.calibration: {path}: fitted for another model")
    return Temperatures(
        claim=fitted.claim, contradiction=fitted.contradiction, answer=fitted.answer, threshold=fitted.threshold
    )
