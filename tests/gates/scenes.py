"""Made-up traffic in which it is known what quality fell with."""

from dataclasses import dataclass, field

import numpy as np

from gates.attribution.attribute import attribute
from gates.attribution.sample import Sample, SampledAnswer, Suspect

MINUTE = 60_000_000
CHANGED = 600
"""The minute in which things change."""


@dataclass
class Scene:
    """``minutes`` of answers, some a minute; each is right with the probability that ``right`` says of it."""

    seed: int = 0
    minutes: int = 900
    a_minute: int = 2
    graded: bool = False
    mix: tuple = ((0.5, 0.5), (0.5, 0.5))
    domains: tuple = ("pay", "travel")
    documents: tuple = ("HR-1", "HR-2", "HR-3", "HR-4")
    versions: dict = field(default_factory=dict)
    probability: tuple = (1.0, 1.0)
    share: float = 1.0

    def sample(self, right, worse="lower"):
        rng = np.random.default_rng(self.seed)
        kept = {}
        found = []
        for minute in range(self.minutes):
            after = minute >= CHANGED
            for _ in range(self.a_minute):
                domain = self.domains[rng.choice(len(self.domains), p=self.mix[after])]
                given = tuple(np.array(self.documents)[rng.random(len(self.documents)) < 0.3].tolist())
                new = rng.random() < self.share
                versions = {
                    name: (later if minute >= since and new else before)
                    for name, (before, later, since) in self.versions.items()
                }
                chance = right(minute=minute, domain=domain, documents=given, versions=versions)
                value = np.clip(rng.normal(chance, 0.1), 0, 1) if self.graded else float(rng.random() < chance)
                pairs = tuple(sorted({"domain": domain, "audience": ("staff", "public")[rng.integers(2)]}.items()))
                slice_ = kept.setdefault(pairs, dict(pairs))
                served = kept.setdefault(tuple(versions.items()), versions)
                probability = self.probability[domain == self.domains[-1]]
                if rng.random() < probability:
                    found.append(SampledAnswer(minute * MINUTE, float(value), probability, None, slice_, served, given))
        return Sample.of(found, higher_is_worse=worse == "higher")

    def attributed(self, right, suspects=(), worse="lower"):
        return attribute(self.sample(right, worse=worse), suspects, metric="m", worse=worse)


def suspect(cause, *, seq=1, minute=CHANGED, component=None, **more):
    return Suspect(seq=seq, cause=cause, at=minute * MINUTE, component=component or cause, scope={}, **more)


def standings(found):
    return {each.seq: each.standing for each in found.suspects}
