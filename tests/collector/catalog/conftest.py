"""A catalog step with a store, and a clock that moves when it is told to."""

import threading

import pytest

from adapters.base import PassageKeys
from adapters.schema import Answer
from collector.catalog.options import CatalogOptions
from collector.catalog.step import CatalogStep
from collector.catalog.watching import WatchedListings
from collector.outbound.link import Runtime
from collector.store.rows import Pulled, StoredAnswer
from collector.store.sqlite import open_store
from telemetry.registry import Telemetry

ONE = '{"id": "T", "version": "1"}\n'
TWO = ONE + '{"id": "T", "version": "2", "supersedes": "1"}\n'
NOW = 1_780_000_000_000_000_000


class Agent:
    """A catalog step with a store and a clock that moves when it is told to."""

    def __init__(self, directory, **options):
        self.directory = directory
        self.options = CatalogOptions.model_validate(options)
        assert not list(self.options.problems())
        self.seconds = 0.0
        self.applied = []
        self.restart()

    def restart(self):
        if hasattr(self, "step"):
            self.close()
        self.store = open_store(self.directory / "data")
        self.telemetry = Telemetry(metrics=(), dimensions=(), version="0")
        runtime = Runtime(
            telemetry=self.telemetry,
            clock=lambda: NOW + int(self.seconds * 1e9),
            monotonic=lambda: self.seconds,
            random=lambda: 0.0,
            stop=threading.Event(),
        )
        data, keys = self.directory / "data", PassageKeys()
        listings = WatchedListings(self.options.sources, self.options.indexes, data=data, keys=keys, runtime=runtime)
        self.step = CatalogStep(self.options, data=data, store=self.store, runtime=runtime, listings=listings)

    def start(self):
        self.applied.append(self.step.start())
        self.step.serve(self.applied.append)
        return self

    def look(self, seconds=0.0):
        """Let time pass and look twice, so that a file that changed was seen at rest; return what is listed then."""
        self.seconds += seconds
        assert self.step.run_once() == 0
        assert self.step.run_once() == 0
        return self.listed

    @property
    def listed(self):
        return [document.reference for document in self.applied[-1].open().documents]

    def counted(self, name):
        text = self.telemetry.exposition("")[0].decode()
        return next(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))

    def answered(self, *passages):
        number = self.store.totals().records
        stored = StoredAnswer(Answer(id=f"a{number}", passages=passages), {}, 1.0, sampled=False)
        self.store.append_pulled(Pulled("s", b"", NOW, answers=[stored]))

    def close(self):
        self.step.close()
        self.store.close()


@pytest.fixture
def agent(tmp_path):
    made = []

    def agent(**options):
        made.append(Agent(tmp_path, **options))
        return made[-1]

    yield agent
    for one in made:
        one.close()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(ONE)
    return path
