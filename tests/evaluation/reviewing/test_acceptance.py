"""How far people agree with the scores, and what relying on them saves."""

from evaluation.reviewing.acceptance import verdict_acceptance


def test_what_people_accept_of_verdicts_and_what_reviewing_flagged_answers_alone_costs_and_misses():
    clears = {"a": True, "b": True, "c": False, "d": False, "open": False}
    acceptable = {"a": True, "b": False, "c": False, "d": True, "e": True}
    found = verdict_acceptance(clears, acceptable, {"a": 60, "b": 60, "c": 30, "e": 500, "open": 90})
    assert (found.cleared, found.missed, found.flagged, found.alarms) == (2, 1, 2, 1)
    assert (found.accepted, found.seconds, found.seconds_flagged, found.saved) == (0.5, 150, 30, 0.8)


def test_without_times_or_verdicts_nothing_is_said():
    found = verdict_acceptance({}, {"a": True}, {})
    assert (found.accepted, found.saved) == (None, None)
