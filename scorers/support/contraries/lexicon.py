"""Words that rule one another out in rules, beside those that the statements reader knows as opposites."""

from __future__ import annotations

from collections.abc import Mapping

_LINES = """
    automatic automatically | manual manually
    activated enabled reactivated active | disabled deactivated blocked suspended locked inactive
    shown displayed visible published disclosed | hidden concealed masked confidential anonymised undisclosed
    open public accessible | closed private restricted inaccessible
    worn wear wearing | removed remove
    worn used opened damaged washed unsealed | unworn unused unopened undamaged unwashed sealed intact
    approved accepted granted confirmed passed adopted backed | rejected refused denied declined opposed dismissed
    lose loses losing forfeit forfeits | keep keeps keeping retain retains
    forfeited lost expire expires lapse lapses void | paid credited refunded reimbursed carried kept retained
    owner's customer's tenant's | provider's landlord's company's
    full-time | part-time
    longer long | shorter short
    larger bigger | smaller
    higher | lower
    faster quicker sooner | slower later
    cheaper | dearer costlier
    compulsory mandatory obligatory required | optional voluntary
    permanent permanently | temporary temporarily
    paid | unpaid
    encrypted | unencrypted plaintext
    insured | uninsured
    online electronically digitally | person
    indoors inside | outdoors outside
    upright | flat
    hot warm heated | cold chilled cooled frozen
    wet damp | dry
    separate separately | together jointly
    signed | unsigned
    anonymously anonymous | name named identified
    gross | net
    domestic national | international abroad foreign
    advance beforehand | arrears afterwards retrospectively
    monthly | yearly annually weekly daily quarterly
    annually yearly | monthly weekly daily quarterly
    weekly | monthly yearly annually daily quarterly hourly nightly
    daily nightly | weekly monthly yearly annually quarterly hourly
    fixed | variable flexible
    verbal verbally orally phone | written writing
    increased rises rise | reduced falls fall
    excluded exempt | included covered
    refundable | non-refundable nonrefundable
    ascending | descending
    lenient | strict
    supervised accompanied | unsupervised unaccompanied alone
    started began founded opened launched | ended stopped dissolved closed shut
    gained received obtained | surrendered gave ceded lost
    deleted erased removed destroyed discarded | kept retained stored archived saved preserved
    locked | unlocked
    occupied | vacant empty
    senior | junior
    employer | employee
    landlord lessor | tenant lessee renter
    creditor | debtor
    teacher lecturer | pupil student
    doctor physician | patient
    oldest eldest | youngest
    maximum | minimum
    full | half
    majority | minority
    free | chargeable paid
"""


def _contrary() -> Mapping[str, frozenset[str]]:
    """Return for each word those that rule it out."""
    found: dict[str, set[str]] = {}
    for line in _LINES.strip().splitlines():
        one, other = (side.split() for side in line.split("|"))
        for word in one:
            found.setdefault(word, set()).update(other)
        for word in other:
            found.setdefault(word, set()).update(one)
    return {word: frozenset(each) for word, each in found.items()}


CONTRARY: Mapping[str, frozenset[str]] = _contrary()
"""For each word in lower case those that rule it out."""
