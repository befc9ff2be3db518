"""Whether counterfactual replay says before a rollout what the rollout would have shown, and how long it takes.

    python benchmarks/retrievals.py agreement [--releases N] [--answers N]
    python benchmarks/retrievals.py speed [--answers N] [--changed SHARE]

``agreement``: a company with policies, an assistant that answers from the sentence of its passages that fits best, and
sometimes invents where none does, and a day of answers. Then the index is released anew: half the releases do no harm
(rebuilt, reordered, chunked otherwise, with more passages or more documents), half bring a fault (lost documents, old
editions, chunks that lose sentences, questions that get the passages of another) in a share of 4 to 40 %. The rollout
is simulated with other questions: both indexes answer the next day, and what counts is whether answers are right,
which only the simulation knows. Verdict of either: loss in the mean at most, or more than, the margin. Replay knows
yesterday's answers and the new index, nothing else.

``speed``: so many answers of five sentences over five passages, of which a share get other passages, through the whole
command, with two worker processes.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import numpy as np

from collector.applications.callers import World
from collector.commands.kept import KeptAnswers
from collector.commands.retrieval.compare import ReplayFiles, RetrievalChoices, compare_retrieval
from collector.commands.retrieval.judging import ReplayedAnswer, ReplayTask, set_up_replay
from collector.commands.scoring import ScoringPlan
from collector.configuration.schema import Config
from evaluation.retrieval.verdict import PairedMetric, judged_metric

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MARGIN = 0.02
K = 3
INVENTS = 0.3
"""How often the assistant answers where nothing it was given fits."""

PLACES = (
    "Lisbon",
    "Vienna",
    "Oslo",
    "Madrid",
    "Dublin",
    "Prague",
    "Warsaw",
    "Athens",
    "Rome",
    "Paris",
    "Berlin",
    "Zurich",
)
PLACES += ("Turin", "Lyon", "Porto", "Ghent")
SUBJECTS = {
    "travel": ("hotel allowance", "meal allowance", "taxi limit", "rail budget", "parking rate", "mileage rate"),
    "leave": ("annual leave", "parental leave", "sick leave", "study leave", "notice period", "probation period"),
    "devices": ("laptop budget", "phone budget", "screen budget", "repair limit", "deposit", "replacement cycle"),
    "offices": ("desk quota", "visitor limit", "opening time", "storage limit", "locker fee", "canteen price"),
}
UNITS = {"travel": "EUR", "leave": "days", "devices": "EUR", "offices": "units"}
ASKS = ("What is the {subject} in {place}?", "How high is the {subject} in {place}?", "{place}: {subject}?")
FILLER = (
    "Requests are approved by the manager of the team.",
    "Exceptions are decided by the finance department.",
    "Receipts are kept in the expense tool.",
    "The regional office answers questions about this rule.",
)


@dataclass(frozen=True)
class Fact:
    """One rule of a policy, and what it said before."""

    area: str
    subject: str
    place: str
    value: int
    before: int

    def sentence(self, *, old: bool = False) -> str:
        """Return the rule in words, as it is or as it was."""
        value = self.before if old else self.value
        return f"The {self.subject} in {self.place} is {value} {UNITS[self.area]}."

    def document(self) -> str:
        """Return the policy that has it."""
        return f"{self.area}/{self.place.lower()}"


@dataclass
class Index:
    """Chunks found by the words they share with a query, the rarer the more; ties by their place."""

    chunks: list[tuple[str, str]]
    k: int = K
    astray: float = 0.0
    by_word: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for place, (_, text) in enumerate(self.chunks):
            for word in set(words(text)):
                self.by_word[word].append(place)

    def search(self, query: str) -> list[dict[str, object]]:
        """Return the chunks that share most with a query."""
        asked = query
        draw = random.Random(query)
        if draw.random() < self.astray:
            asked = draw.choice(ASKS).format(subject="canteen price", place=draw.choice(PLACES))
        scores: Counter[int] = Counter()
        for word in set(words(asked)):
            there = self.by_word.get(word, ())
            for place in there:
                scores[place] += math.log(1 + len(self.chunks) / len(there))
        best = sorted(scores, key=lambda place: (-scores[place], place))[: self.k]
        return [{"text": self.chunks[p][1], "doc_id": self.chunks[p][0], "score": round(scores[p], 6)} for p in best]


CURRENT: Index | None = None


def search(query: str) -> list[dict[str, object]]:
    """Ask the index of the release at hand: what the retriever file names."""
    assert CURRENT is not None
    return CURRENT.search(query)


def words(text: str) -> list[str]:
    return [word.strip(".,?:").lower() for word in text.split()]


def facts(rng: random.Random) -> list[Fact]:
    made = []
    for area, subjects in SUBJECTS.items():
        for place in PLACES:
            for subject in subjects:
                value, before = rng.sample(range(10, 400, 5), 2)
                made.append(Fact(area, subject, place, value, before))
    return made


def chunks(known: Sequence[Fact], *, size: int = 2, old: frozenset[Fact] = frozenset()) -> list[tuple[str, str]]:
    by_document: dict[str, list[Fact]] = defaultdict(list)
    for fact in known:
        by_document[fact.document()].append(fact)
    made = []
    for name, there in by_document.items():
        for start in range(0, len(there), size):
            lines = [fact.sentence(old=fact in old) for fact in there[start : start + size]]
            made.append((name, " ".join([*lines, FILLER[(start + len(name)) % len(FILLER)]])))
    return made


def answered(subject: str, place: str, found: Sequence[Mapping[str, object]], draw: float) -> str:
    """Answer from the sentence that names subject and place; else say so, or take the nearest for it."""
    sentences = [s.strip() + "." for each in found for s in str(each["text"]).split(".") if s.strip()]
    fit = [s for s in sentences if subject in s and place in s]
    if fit:
        return fit[0]
    near = [s for s in sentences if subject in s or place in s]
    if draw < INVENTS and near:
        return near[0].replace(near[0].split(" in ")[-1].split(" is ")[0], place) if " in " in near[0] else near[0]
    return f"The documents do not say what the {subject} in {place} is."


HARMLESS = ("rebuilt", "reordered", "larger chunks", "more passages", "more documents")
FAULTS = ("lost documents", "old editions", "cut chunks", "astray")


def released(kind: str, share: float, known: Sequence[Fact], rng: random.Random) -> Index:
    hit = frozenset(rng.sample(list(known), round(share * len(known))))
    if kind == "reordered":
        there = chunks(known)
        rng.shuffle(there)
        return Index(there)
    if kind == "larger chunks":
        return Index(chunks(known, size=3))
    if kind == "more passages":
        return Index(chunks(known), k=K + 2)
    if kind == "more documents":
        more = [("news/" + str(i), f"Newsletter {i}: the team of {place} met.") for i, place in enumerate(PLACES * 4)]
        return Index(chunks(known) + more)
    if kind == "lost documents":
        names = sorted({fact.document() for fact in known})
        gone = set(rng.sample(names, max(1, round(share * len(names)))))
        return Index([each for each in chunks(known) if each[0] not in gone])
    if kind == "old editions":
        return Index(chunks(known, old=hit))
    if kind == "cut chunks":
        return Index(chunks([fact for fact in known if fact not in hit]))
    return Index(chunks(known), astray=share if kind == "astray" else 0.0)


def day(known: Sequence[Fact], index: Index, count: int, rng: random.Random) -> list[tuple[Fact, str, list, str]]:
    """Return questions of one day, some asked often, with passages and answers."""
    weights = [1.0 / (1 + place) ** 0.5 for place in range(len(known))]
    shuffled = rng.sample(list(known), len(known))
    made = []
    for fact in rng.choices(shuffled, weights, k=count):
        question = rng.choice(ASKS).format(subject=fact.subject, place=fact.place)
        found = index.search(question)
        made.append((fact, question, found, answered(fact.subject, fact.place, found, rng.random())))
    return made


def right(fact: Fact, answer: str) -> float:
    return float(answer == fact.sentence())


def rollout(known: Sequence[Fact], before: Index, after: Index, count: int, seed: int) -> tuple[str, float]:
    """Return what both indexes would have shown the next day, by whether answers are right."""
    one, other = (day(known, index, count, random.Random(seed)) for index in (before, after))
    differences = [right(b[0], b[3]) - right(a[0], a[3]) for a, b in zip(one, other, strict=True)]
    paired = PairedMetric(name="right", better="higher", differences=differences, groups=list(map(str, range(count))))
    row = judged_metric(paired, np.random.default_rng(seed), margin=MARGIN, level=0.05, resamples=2000)
    return row.state, row.difference or 0.0


def written(folder: Path, answers: Sequence[tuple[Fact, str, list, str]]) -> Path:
    path = folder / "yesterday.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number, (_, question, found, answer) in enumerate(answers):
            passages = [{"id": f"{number}-{i}", **each} for i, each in enumerate(found)]
            row = {"id": f"a{number}", "question": question, "answer": answer, "passages": passages}
            file.write(json.dumps(row) + "\n")
    return path


class Here:
    """Judges in this process: a hundred releases need not start two hundred others."""

    def __init__(self) -> None:
        self.handle: Callable[[Sequence[ReplayTask]], list[ReplayedAnswer]] | None = None

    def __call__(
        self, tasks: Sequence[ReplayTask], plan: ScoringPlan, wanted: frozenset[str], *, workers: int
    ) -> Iterable[ReplayedAnswer]:
        """Return what became of each task."""
        del workers
        self.handle = self.handle or set_up_replay(plan, wanted)
        return [result for task in tasks for result in self.handle((task,))]


def replayed(folder: Path, path: Path, *, workers: int) -> dict:
    file = folder / "next.yaml"
    file.write_text("retriever: {type: python, entry: 'retrievals:search', concurrency: 1}\n", encoding="utf-8")
    out = io.StringIO()
    choices = RetrievalChoices(file, ["claim_support"], [], MARGIN, 0.05, 0.01, None, 0, 2000)
    compare_retrieval(
        KeptAnswers([path]),
        Config(),
        choices,
        ReplayFiles(as_json=True),
        world=World(lambda: NOW, time.monotonic, lambda: 0.5, {}, Path(__file__).parent),
        workers=workers,
        out=out,
        err=sys.stderr,
    )
    return json.loads(out.getvalue())


def agreement(releases: int, answers: int) -> None:
    import retrievals

    rng = random.Random(17)
    agree = Counter[str]()
    kinds: dict[str, list[bool]] = defaultdict(list)
    judging = mock.patch("collector.commands.retrieval.compare.replayed", Here())
    with tempfile.TemporaryDirectory() as name, judging:
        folder = Path(name)
        for number in range(releases):
            known = facts(random.Random(number))
            before = Index(chunks(known))
            path = written(folder, day(known, before, answers, random.Random(1000 + number)))
            harmless = number % 2 == 0
            kind = rng.choice(HARMLESS if harmless else FAULTS)
            share = 0.0 if harmless else rng.uniform(0.04, 0.4)
            after = released(kind, share, known, rng)
            retrievals.CURRENT = after
            truth, loss = rollout(known, before, after, answers, 5000 + number)
            said = replayed(folder, path, workers=2)
            same = said["verdict"] == truth
            agree["agree" if same else "differ"] += 1
            kinds[kind].append(same)
            print(
                f"{number:>3} {kind:<15} {share:4.0%}  rollout {truth:<12} {loss:+.3f}  replay {said['verdict']:<12} "
                f"{said['rows'][0]['difference']:+.3f}  changed {said['changed']:>5}  {'' if same else 'DIFFER'}",
                flush=True,
            )
    print(f"agree in {agree['agree']} of {releases} releases")
    for kind, same in sorted(kinds.items()):
        print(f"  {kind:<15} {sum(same)} of {len(same)}")


def speed(answers: int, changed: float) -> None:
    import retrievals

    rng = random.Random(3)
    known = facts(rng)
    vocabulary = sorted({word for text in FILLER for word in words(text)} | {w for a in SUBJECTS.values() for w in a})

    def passage() -> str:
        lines = [f"The {rng.choice(vocabulary)} of the {rng.choice(vocabulary)} is {rng.randint(2, 900)} EUR in "
                 f"{rng.choice(PLACES)} for every {rng.choice(vocabulary)}." for _ in range(5)]  # fmt: skip
        return " ".join(lines)

    pool = [passage() for _ in range(2000)]
    found = {}
    rows = []
    for number in range(answers):
        mine = rng.sample(pool, 5)
        text = " ".join(rng.choice(each.split(". ")).rstrip(".") + "." for each in mine)
        question = f"Question {number} about {known[number % len(known)].subject}?"
        later = mine if rng.random() >= changed else [*mine[1:], rng.choice(pool)]
        found[question] = [{"text": each} for each in later]
        passages = [{"id": str(i), "text": each} for i, each in enumerate(mine)]
        rows.append({"id": f"a{number}", "question": question, "answer": text, "passages": passages})
    retrievals.CURRENT = type("Known", (), {"search": staticmethod(found.__getitem__)})()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "answers.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        began = time.perf_counter()
        said = replayed(Path(name), path, workers=2)
        took = time.perf_counter() - began
    characters = sum(len(row["answer"]) for row in rows) / answers
    print(
        f"{answers:,} answers of {characters:.0f} characters over 5 passages, {said['changed']:,} changed: "
        f"{took:.0f} s, verdict {said['verdict']}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("agreement", "speed"))
    parser.add_argument("--releases", type=int, default=100)
    parser.add_argument("--answers", type=int, default=None)
    parser.add_argument("--changed", type=float, default=0.3, help="share of answers that get other passages")
    chosen = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    if chosen.part == "agreement":
        agreement(chosen.releases, chosen.answers or 2000)
    else:
        speed(chosen.answers or 10_000, chosen.changed)


if __name__ == "__main__":
    main()
