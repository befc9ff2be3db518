"""Phrases of how many and how often, those that deny, and those that say nothing."""

from __future__ import annotations

from collections.abc import Mapping

SCOPES: Mapping[str, str] = {
    "ALL": """
        all/every/each/any/everyone/everybody/anyone/anybody/everything/anything/anywhere/everywhere
        all of the?
        each of the?
        every one of
        every single
        the entire/whole
        any and all
        both
        both of the?
        fully/entirely/completely/wholly
        without exception
        in all cases
        in every case
        in full
        100 %
    """,
    "SOME": """
        not all/every/everyone/everybody/everything/each
        not all of the?
        some/certain/several/selected/select/various/few/partially/partly
        some of the?
        a few
        a part/portion of
        part of
        a number/selection/handful of
        half of?
        in some/certain cases
        either
        one of the?
        only/just some/certain/selected/part
        at least some
    """,
    "MOST": """
        most/mostly/mainly
        most of the?
        the majority of
        in most cases
        nearly/almost all/every
    """,
    "ONLY": """
        only/solely/exclusively
        no one but/except
        nobody but/except
        nothing but/except
        no other
        none but
    """,
    "ALWAYS": """
        always
        invariably
        at all times
        in any case
        at any time
        automatically
        guaranteed/guarantee/guarantees
        unconditionally
        without fail
        around the clock
        whenever/wherever you/they like/want/wish
    """,
    "SOMETIMES": """
        sometimes/occasionally/usually/often/normally/generally/typically/frequently/ordinarily/commonly/periodically
        as a rule
        from time to time
        in general
        on occasion
        case by case
        {be} decided? on a case by case basis
        at the? discretion of
        at our/its/the discretion
    """,
    "RARELY": """
        rarely/seldom/hardly/scarcely/barely
        hardly ever/any/anyone
        almost never
    """,
    "NEG": """
        not/no/never/none/neither/nor/nobody/nowhere/nothing/non
        no one
        none of the?
        {do} not
        {do} never
        no longer
        {have} yet to
        not any/a/an/yet/longer
        in no case/event/way
        under no circumstances
        at no time/point
        fail/fails/failed/failing to
        by no means
        neither of the?
        {be} nothing
    """,
    "BY": """
        by
        by the
    """,
    "CAUSE": """
        because
        because of
        due to
        so that
        , so
        thus/hence/therefore
        in order to/that
        which means
    """,
    "WHO": """
        who/whose/whom/which/that
        that {have}
        who {have}
    """,
    "DROP": """
        not only
        not just
        , not to mention
        not to mention
        not necessarily
        no matter
        no later
        please/kindly/simply/also/additionally/furthermore/moreover/likewise
        in addition
        in other words
        as well as?
        of course
        in fact
        indeed
        according to the? policy/document/documentation/context/passage/handbook/rules/guidelines/source/text/terms?
        as per
        based on the? policy/document/documentation/context/passage/handbook/rules/guidelines/source/text/terms
        under the/our/this/current policy/rules/terms/guidelines
        the policy/document/context/passage/handbook/documentation/text states/says/notes/specifies that?
        it is stated that
        please note that?
        note that
        keep in mind that
        in short
        in summary
        to answer your question
        in this case
        at this time
        there {be}
        it is
        this means that?
        that is
        the following
        as follows
        thank you
        do you
        if so
        if applicable
        where/when/if applicable/necessary/appropriate
        whether
        strictly/explicitly/expressly/clearly/generally speaking
        strictly/explicitly/expressly/specifically/currently/then/still/already
        a? total of
        no fewer
    """,
}
