"""Words that deny without a "not": where only one of two statements has one, they say opposite things."""

from __future__ import annotations

from scorers.text.normalize import word_set

DENIALS = """
    decline declines declined refuse refuses refused reject rejects rejected deny denies denied withhold withholds
    withheld
    lose loses lost forfeit forfeits forfeited lack lacks lacked
    void voided invalid invalidated null expire expires expired lapse lapses lapsed
    suspend suspends suspended halt halts halted cease ceases ceased discontinue discontinued
    revoke revokes revoked withdraw withdrawn rescind rescinded cancel cancels cancelled canceled terminate terminated
    exempt exempted excused immune waive waives waived
    exclude excludes excluded omit omits omitted
    unavailable impossible ineligible inadmissible unacceptable unable inaccessible disabled blocked
    neglect neglects neglected abolish abolished scrapped
    free
"""

PREFIXED = "un"
"""What turns round the word behind it, where that word stands alone in the other statement."""

NOT_PREFIXED = word_set(
    "under until unit units union unique uniform university universal understand undergo undertake unanimous unless"
)
"""Words that only begin like it."""
