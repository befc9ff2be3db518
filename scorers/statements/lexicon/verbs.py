"""What people and offices do in rules, as the verbs that tell who does it."""

from __future__ import annotations

from scorers.text.normalize import word_set

VERBS = word_set(
    """accept accompany activate add adjust administer advise allocate announce answer appoint apply approve arrange
    assess assign assist audit authorise authorize bear begin belong book buy calibrate calculate cancel carry check
    choose clean clear close collect complete conduct confirm contact contain coordinate count cover create decide
    declare define delete deliver deny designate destroy determine disclose dispose distribute draft earn elect
    employ end enforce enter establish evaluate examine execute expire extend file fill fit forward grant handle
    hire host implement include inform inspect install instruct invite invoice issue keep last lead lend lock
    maintain make manage measure monitor move notify nominate open operate
    log admit order organise organize oversee own pay
    perform prepare prescribe present process produce propose provide publish purchase reads receive
    recommend reconcile record recruit refund register reimburse reject release remove renew repair replace reply
    represent request require reserve resolve respond restore retain return review revoke ring run schedule select
    sell send serve settle shred sign start stock store submit supervise supply support suspend teach tell terminate
    test train transfer treat unlock update use validate verify wash withdraw write"""
)
"""Verbs, in the form of a dictionary; those that are more often something else in a rule are left out."""

FINITE = word_set("is are was were has have starts ends opens closes lasts costs applies begins runs pays reads gets")
"""Forms that tell a clause by themselves, behind what may be its subject."""

MUTUAL = word_set(
    "agree compare compete confer consult cooperate correspond differ equal exchange marry match meet share"
)
"""What goes both ways: who does it to whom says nothing."""

TRANSFERS = (
    (
        "send sent give gave given submit deliver forward hand mail email supply issue provide grant offer"
        " | get got receive obtain"
    ),
    "lend loan | borrow",
    "sell sold | buy bought purchase acquire",
    "pay paid reimburse refund",
    "beat defeat | lose",
    "teach train | learn",
    "report",
    "ask request requested",
    "inform notify tell told | hear heard",
    "sue sued suing",
)
"""Verbs of which one gives to another: those of who gives, and those of who receives; the first names the kind."""
