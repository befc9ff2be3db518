"""The section of the configuration that names an entailment model."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Device = Literal["auto", "cpu", "cuda"]
Meaning = Literal["entailment", "neutral", "contradiction"]
Asked = Literal["always", "doubtful"]


class EntailmentOptions(BaseModel):
    """A cross-encoder that reads a passage and a claim together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Path = Field(
        description="Folder of a sequence classification model on this machine, with weights of sentence-transformers "
        "or an ONNX file; nothing is downloaded."
    )
    asked: Asked = Field(
        default="always",
        description="`always`: the model takes the place of the trees; `doubtful`: it is a second opinion on the "
        "claims that the trees doubt and no rule decides, which needs a calibration with `joining`.",
    )
    device: Device = Field(default="auto", description="Where the model runs; `auto`: on a GPU if there is one.")
    calibration: Path | None = Field(
        default=None,
        description="File of what was fitted for this model; without it, the `calibration.json` of its folder, if "
        "there is one, else probabilities are uncalibrated.",
    )
    labels: tuple[Meaning, ...] | None = Field(
        default=None,
        description="Meaning of the model's outputs, in order, where its own `config.json` does not give it.",
    )
    batch: int = Field(default=32, ge=1, le=4096, description="Pairs the model reads at once.")
    tokens: int = Field(
        default=512,
        ge=64,
        le=8192,
        description="Longest input, claim and passage together, or what the model takes if that is less; a longer "
        "passage is cut into windows.",
    )
    pairs: int = Field(
        default=1024,
        ge=1,
        le=1_000_000,
        description="Pairs of a claim and a window that are read of one answer; beyond that each claim is compared "
        "with the windows that share most words with it.",
    )
