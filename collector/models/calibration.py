"""The file that holds what was fitted for one model: temperatures, and how it joins the trees."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from collector.errors import ConfigError
from collector.models.folder import fingerprint
from scorers.ports.entailment import Joining, Temperatures


class Joint(BaseModel):
    """How a second opinion joins the trees, as `Joining` tells; ``data`` tells of the labels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: str
    intercept: float = Field(allow_inf_nan=False)
    trees: float = Field(ge=0, allow_inf_nan=False)
    model: float = Field(gt=0, allow_inf_nan=False)
    crowd: float = Field(ge=0, allow_inf_nan=False)
    least: float = Field(ge=0, le=1)
    most: float = Field(ge=0, le=1)
    rules: float | None = Field(default=None, allow_inf_nan=False)

    @property
    def joining(self) -> Joining:
        """The same without the data."""
        return Joining(
            intercept=self.intercept,
            trees=self.trees,
            model=self.model,
            crowd=self.crowd,
            least=self.least,
            most=self.most,
            rules=self.rules,
        )


class Fitted(BaseModel):
    """What `training/entailment.py` writes: ``model`` is the fingerprint of the model, ``data`` tells of the labels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    data: str
    claim: float = Field(gt=0, allow_inf_nan=False)
    contradiction: float = Field(gt=0, allow_inf_nan=False)
    answer: float = Field(gt=0, allow_inf_nan=False)
    threshold: float = Field(gt=0, lt=1)
    joining: Joint | None = None

    @property
    def temperatures(self) -> Temperatures:
        """What its own probabilities are calibrated by."""
        return Temperatures(
            claim=self.claim, contradiction=self.contradiction, answer=self.answer, threshold=self.threshold
        )


OWN = "calibration.json"
"""The file in a model's folder that counts where none is configured."""


def calibration_of(path: Path | None, folder: Path) -> Path | None:
    """Return the file of what was fitted: as configured, else the model's own, if there is one."""
    own = folder / OWN
    return path or (own if own.is_file() else None)


def read_fitted(path: Path | None, folder: Path, where: str) -> Fitted | None:
    """Return what was fitted, ``None`` without a file. Raises `ConfigError` for one that is not of this model."""
    path = calibration_of(path, folder)
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
    return fitted
