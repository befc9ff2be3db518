"""The door for answers, for tests of the steps that answers come through."""

from collector.changes.observe import ChangeOptions, Observer
from collector.pipeline.admission import Admission
from collector.pipeline.boost import Boost
from collector.pipeline.sampling import Sampling
from collector.pipeline.slicing import SliceBook


def admission(store, *, dimensions, telemetry, clock, sampling=None, changes=None):
    policy = sampling or Sampling()
    observer = Observer(changes or ChangeOptions(), dimensions, store=store, telemetry=telemetry, clock=clock)
    return Admission(
        store=store,
        slices=SliceBook(dimensions, store),
        sampling=policy,
        observer=observer,
        boost=Boost(policy.boost, clock),
    )
