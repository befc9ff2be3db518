"""Labels by a judge that errs at a known rate: what its rate of failures says of the true one.

A judge finds a failure with a probability of ``sensitivity``, and accepts a good answer with one of ``specificity``, so
it shows a rate ``p = q sensitivity + (1 - q) (1 - specificity)`` where the true one is ``q``. Hence

    q = (p + specificity - 1) / (sensitivity + specificity - 1)

(W. Rogan and B. Gladen, "Estimating prevalence from the results of a screening test", Am. J. Epidemiology 107, 1978).
Both are known from a calibration set only. They are estimated with one success and one failure more than were seen, and
their variances are carried into the bounds of ``q`` by the delta method (Z. Lang and J. Reiczigel, "Confidence limits
for prevalence of disease adjusted for estimated sensitivity and specificity", Prev. Vet. Medicine 113, 2014).

Premise: as long as the judge errs on these answers as it did on those of the calibration set. The delta method is an
approximation for many labels, not a bound.

Whether a mean has *risen* needs no correction: ``p`` rises exactly if ``q`` does, as long as the judge stays as it is.
"""

from __future__ import annotations

import math

from pydantic import Field, model_validator

from gates.evidence import beta
from scorers.base import Value

ALPHA = 0.05
"""How sure it must be that the judge tells bad from good."""


class JudgeError(Value):
    """How often a judge was right on answers whose quality is known.

    >>> judge = JudgeError(failures=98, found=88, good=398, accepted=378)
    >>> round(judge.sensitivity, 2), round(judge.specificity, 4)
    (0.89, 0.9475)
    >>> [round(value, 4) for value in judge.corrected(0.10, 0.08, 0.12, 1.96)]
    [0.0567, 0.0222, 0.0913]
    """

    failures: int = Field(ge=1, description="Answers of the calibration set that are known to be bad.")
    found: int = Field(ge=0, description="How many of these the judge said were bad.")
    good: int = Field(ge=1, description="Answers of the calibration set that are known to be good.")
    accepted: int = Field(ge=0, description="How many of these the judge said were good.")

    @model_validator(mode="after")
    def _telling(self) -> JudgeError:
        if self.found > self.failures:
            raise ValueError(f"found: {self.found} is more than the {self.failures} failures")
        if self.accepted > self.good:
            raise ValueError(f"accepted: {self.accepted} is more than the {self.good} good answers")
        surely = sum(
            beta.quantile(ALPHA, max(right, 0.5), total - right + 1.0)
            for right, total in ((self.found, self.failures), (self.accepted, self.good))
        )
        if surely <= 1.0:
            raise ValueError(
                "this judge may do no better than chance, so its labels say nothing: sensitivity and specificity are"
                f" at least {surely:.3g} together (95 % confidence each), more than 1 is needed; calibrate it on more"
                " answers, or have people label"
            )
        return self

    @property
    def sensitivity(self) -> float:
        """The share of failures that it finds."""
        return (self.found + 1.0) / (self.failures + 2.0)

    @property
    def specificity(self) -> float:
        """The share of good answers that it accepts."""
        return (self.accepted + 1.0) / (self.good + 2.0)

    @property
    def power(self) -> float:
        """By how much the rate it shows rises with the true one: Youden's index, in (0, 1]."""
        return self.sensitivity + self.specificity - 1.0

    def shown(self, rate: float) -> float:
        """Return the rate of failures that the judge shows where the true one is ``rate``."""
        return rate * self.sensitivity + (1.0 - rate) * (1.0 - self.specificity)

    def true(self, rate: float) -> float:
        """Return the true rate of failures where the judge shows ``rate``, in [0, 1]."""
        return min(1.0, max(0.0, (rate + self.specificity - 1.0) / self.power))

    def corrected(self, mean: float, low: float, high: float, quantile: float) -> tuple[float, float, float]:
        """Return mean, lower and upper bound of the true rate, of those that the judge shows.

        ``quantile`` is the normal one of the bounds' error.
        """
        center = self.true(mean)
        carried = quantile * self.error(center) / self.power
        below, above = (math.hypot((mean - low) / self.power, carried), math.hypot((high - mean) / self.power, carried))
        return center, max(0.0, center - below), min(1.0, center + above)

    def error(self, rate: float) -> float:
        """Return the standard error of `shown` that the calibration set leaves."""
        found, accepted = self.sensitivity, self.specificity
        return math.sqrt(
            rate**2 * found * (1.0 - found) / (self.failures + 2.0)
            + (1.0 - rate) ** 2 * accepted * (1.0 - accepted) / (self.good + 2.0)
        )
