"""Right answers over runbooks, reference pages and price tables are not contradicted, wrong ones beside them are."""

from __future__ import annotations

import pytest

from adapters.schema import Answer, Passage
from scorers.memory import Memory
from scorers.support.judgement import Judgement, judge

RETENTION = "Backups are made hourly. They are kept for 90 days on Pro, 30 days on Team and 7 days on Free."
ACCESS = "**3. Emergency accounts**\n\nThe passwords are kept by Operations. Each use must be explained in writing."
RESTART = "The agent never restarts anything: when a job hangs, an operator must restart it by hand."
UPGRADE = "A host that has been moved to 9.x cannot be moved back. Hosts may be moved in any order."
CHANGES = "**Removed**\n- Mail configuration in server.properties. The service does not start if it is still present."
PLANS = (
    "| Plan | Storage | Writes need |\n|---|---|---|\n| Small | 10 GB | 1 copy |\n| Large | 1 TB | 3 copies |\n\n"
    "Overage costs $2 per GB."
)
QUEUE = "Messages older than 14 days are deleted. A message may be up to 64 KB."
ALERT = "If the load does not fall within 10 min, drain the host. The load is checked every minute."
DRAIN = "Switch off the feed first, then the pump, and wait 5 minutes before you open the lid."
REVIEW = "Urgent fixes may skip the review if the lead agrees. All other fixes need one review, security fixes two."
ORDER = "Clients should wait for that many seconds before retrying; calls sent earlier count against the next window."
DUTY = "Working hours are 09:00 to 18:00, Monday to Friday. Low alerts page the on-call in working hours."
FIXED = "The cache could return stale rows (4.1.0 to 4.1.6). Version 4.2 fixes this and gets updates for 24 months."
MEMBERS = "Members with an address in a verified domain must use single sign-on. Owners may still use a password."
DEVICES = "Private tablets may not be used for work. Phones may be used for mail."
WAL = "As long as no leader has been moved, you can go back. Once a leader runs 9.x, the only way back is a restore."


def judged(claim: str, text: str, question: str | None = None) -> Judgement:
    answer = Answer(id="a", question=question, answer=claim, passages=(Passage(id="p", text=text),))
    found = judge(answer, Memory())
    assert isinstance(found, Judgement)
    return found


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (RETENTION, "Free: hourly, kept for 7 days."),
        (RETENTION, "Pro keeps them for 90 days."),
        (ACCESS, "Emergency accounts aren't an option here."),
        (RESTART, "An operator has to restart it by hand."),
        (UPGRADE, "Single hosts can't be moved back."),
        (CHANGES, "Mail settings must no longer be in server.properties."),
        (PLANS, "With Large, writes can go on as long as three copies are there."),
        (QUEUE, "Messages are kept for 14 days."),
        (ALERT, "No improvement after 10 minutes: drain the host."),
        (DRAIN, "If you open the lid, first switch off the feed and then the pump, and wait five minutes."),
        (REVIEW, "Get one review, unless the lead agrees to skip it."),
        (ORDER, "Until then, have the client wait for the number of seconds in Retry-After before it retries."),
        (DUTY, "A weekend page would only come for other alerts."),
        (MEMBERS, "All members in your verified domains must use single sign-on."),
        (WAL, "While all leaders are still on 8.x, you can go back."),
        (DEVICES, "And no, private tablets may not be used for work, even for a day."),
    ],
)
def test_a_right_claim_over_technical_text_is_not_contradicted(text: str, claim: str) -> None:
    assert judged(claim, text).label != "contradicted"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (RETENTION, "Free: hourly, kept for 90 days."),
        (RESTART, "The agent restarts a job that hangs."),
        (UPGRADE, "A host that has been moved to 9.x can be moved back."),
        (QUEUE, "Messages older than 14 days are kept."),
        (DRAIN, "Switch off the pump first, then the feed."),
        (MEMBERS, "Members with an address in a verified domain need not use single sign-on."),
    ],
)
def test_a_wrong_claim_beside_it_is_contradicted(text: str, claim: str) -> None:
    assert judged(claim, text).label == "contradicted"


@pytest.mark.parametrize(
    ("text", "question", "claim"),
    [
        (FIXED, "Is 4.1.3 affected?", "Version 4.2 fixes the stale rows that can occur on 4.1.3."),
        (PLANS, "We store 14 GB on Small. What is it?", "You pay for 4 GB, that's $8."),
        (QUEUE, "Can we use 20 KB?", "Up to 64 KB fit; keep it to, say, 20 KB."),
    ],
)
def test_what_follows_from_the_question_is_founded(text: str, question: str, claim: str) -> None:
    assert judged(claim, text, question).label == "supported"
