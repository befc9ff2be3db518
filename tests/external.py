"""What takes scores by other evaluators, for tests that need one."""

from collector.clock import system_clock
from collector.external.options import ExternalMetric
from collector.external.reception import Reception
from telemetry.registry import Telemetry


def reception(telemetry=None, *, clock=system_clock, declared=()):
    """Return a reception of these metrics, which counts where nobody looks unless it is told where."""
    metrics = tuple(each if isinstance(each, ExternalMetric) else ExternalMetric(**each) for each in declared)
    telemetry = telemetry or Telemetry(metrics=[each.metric for each in metrics], dimensions=(), version="test")
    return Reception(declared=metrics, telemetry=telemetry, clock=clock)
