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
        the entire/whole/full
        any and all
        both
        both of the?
        fully/entirely/completely/wholly
        without exception
        in all cases
        in every case
        in full
        100 %
        no exceptions
        none excepted
        across the board
        every last
        each and every
        one and all
        in its/their entirety
        without any? exception
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
        not quite all
        not the whole/entire
        not in full
        only part/half/parts of
        in part
        parts of
        not everywhere
        one or two of
        a minority of
    """,
    "MOST": """
        most/mostly/mainly
        most of the?
        the majority of
        in most cases
        nearly/almost all/every
        the greater/larger/biggest/largest part of
        the bulk of
        by and large
        for the most part
        in the main
    """,
    "ONLY": """
        only/solely/exclusively
        no one but/except
        nobody but/except
        nothing but/except
        no other
        none but
        no one other than
        nobody/nothing other than
        none other than
        nowhere but/except
        and no one/nobody/nothing else
        no one/nobody else but/than
        nothing else but/than
        just the one
    """,
    "ALWAYS": """
        always
        invariably
        at all times
        in any case
        at any time
        automatically
        guaranteed
        guarantee/guarantees that/you/your/all/every
        unconditionally
        without fail
        around the clock
        whenever/wherever you/they like/want/wish
        round the clock
        day and night
        24 hours a day
        at any hour
        in every instance
        every/each time
        each and every time
        come what may
        at all hours
        in all circumstances
        under all circumstances
        as often as you/they like/want/wish
        whenever/wherever you/they please/choose
        all year round
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
        now and then/again
        every now and then/again
        once in a while
        at times
        as a matter of routine
        in most instances
        in the ordinary/normal course
    """,
    "RARELY": """
        rarely/seldom/hardly/scarcely/barely
        hardly ever/any/anyone
        almost never
        in rare cases
        very rarely
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
        {be} without any/a/an/the?
        not one
        not one of the?
        not a single
        not at all
        not in any way
        no one at all
        nothing at all
        on no occasion
        never ever
        no such
        not either
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
        apart/aside/other from/than that/this ,
        besides that/this ,
        for now
        for the moment
        for the time being
        at the moment
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
        unfortunately/sadly/regrettably/luckily/fortunately/actually/basically/essentially/obviously/naturally
        i am/'m afraid
        i'm afraid
        afraid not
        roughly/approximately/approx/circa
        more or less
        by the way
        as it happens
        by contrast
        in contrast
        on the other hand
        on the contrary
        in that case
        in which case
        in your case
        as a result
        as things stand
        as far as i know
        to put it briefly/simply/shortly
        simply put
        in brief
        to be precise/exact
        rest assured
        do not worry
        don't worry
        not to worry
        no worries
        no need to worry
        good/great news
        good/great question
        to be clear
        just so you know
        just to confirm
        bear/keep in mind that?
        do note that?
        be aware that
        you should know that
        what is more
        what's more
        above all
        in particular
        among other things
        to sum up
        all in all
        generally speaking
    """,
}
