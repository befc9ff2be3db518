"""Words that carry no content of their own in a statement, or little."""

from __future__ import annotations

from scorers.text.normalize import word_set

FUNCTION = word_set(
    """a about again already also although am among an another any are as at be because been being between both but
    by cannot case cases come comes company could d did do does done down due during each either etc even for
    from get gets getting give given gives go goes going got had has have having he her here him his how however
    i in into is it its just least less like ll long m made make makes making many me mean means might more most
    much my need of off on one ones onto order other others our ours out over own per place places policy
    provide provided provides providing put puts re s said say says shall she since so state stated states still
    such t take taken takes taking than that the their theirs them then there these they thing things this those
    though through throughout time to too up upon us ve very via was way we were what where whereas whether
    which while who whom whose why will with within would yes yet you your yours"""
)
"""Compared by what stands beside them alone."""

PRONOUNS = word_set("""he i it its one our she that their them these they this those us we you your""")
"""A subject that stands for another one, or for whoever reads."""

BREAKS = word_set("""although but however though whereas while yet""")
"""Where another clause begins."""

GENERIC = word_set(
    """anyone applicant applicants applies apply available client clients currently customer customers employee
    employees everyone guest guests include individual individuals item items member members participant
    participants people person persons possible receive received receives remain remains run runs shall somebody
    someone staff stay stays use used user users"""
)
"""Who or what a statement may leave unsaid, since it goes for whoever reads."""

REQUISITES = word_set(
    """agreement approval authorisation authorization certificate consent invitation notice order permission
    prescription proof reason receipt signature supervision ticket"""
)
"""What is done "with" these is done on a condition."""

ARTICLES = word_set("""a an her his its our that the their these this those your""")
"""Words that say nothing of how the next one stands in its clause."""

MEASURES = word_set(
    """$ % \u20ac \u00a3 \u00a5 ct ft\u00b2 gbit h kbit kmh kw m\u00b2 mbit mw w am businessday calendar cent cents
    chf cm day days degrees dollar dollars eur euro euros ft g gb gbp hour hours hrs kb kg kilogram kilograms
    kilometer kilometers kilometre kilometres km kwh l liter liters litre litres m mb meter meters metre metres mg
    mins minute minutes ml mm month months mph night nights percent pm point points pound pounds quarter quarters
    second seconds secs tb times usd week weeks working year years"""
)
"""What a figure counts in: compared with the figure."""

NUMERALS = word_set(
    """dozen eight eleven fifteen fifty five forty four half hundred million nine ninety one seven six sixty
    ten thirty thousand three twelve twenty two"""
)
"""Figures in letters."""

LETTERED = word_set("zone clas group category type grade level section building plan tier area hall block gate lot")
"""What a letter behind it names one of: \"zone A\"."""

POINTED = word_set("below above over under than beyond like")
"""Behind these "that" points to what was told, and begins no clause."""
