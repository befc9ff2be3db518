"""What the rules of Prometheus and the agent both call an alert on a verdict, and where each alert is explained."""

from __future__ import annotations

PAGE_ALERT, TICKET_ALERT = "GroundwireObjectivePage", "GroundwireObjectiveTicket"
"""The alerts on objectives, by how urgent they are."""
GATE_ALERT, SLICE_ALERT = "GroundwireGateFailing", "GroundwireSliceFailing"
"""The alerts on verdicts: same names and labels whether a rule fires them or the agent pushes them to Alertmanager."""

TEST_ALERT = "GroundwireTest"
"""The alert that `groundwire notify test` sends."""

RUNBOOK = "https://github.com/groundwire/groundwire/blob/main/docs/runbook.md"
"""The page with a section for each alert."""
