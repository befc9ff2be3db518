"""Phrases that bind to a condition, except, and put in order."""

from __future__ import annotations

from collections.abc import Mapping

CONDITIONS: Mapping[str, str] = {
    "ONLYIF": """
        only if
        only when/where
        only in the? case/event of/that?
        only in the? cases of/where?
        if and only if
        only with
        only by/upon/on
        only provided that?
        only on condition that
        only as long as
        only for
        only to
        exclusively/solely for/to/with/by
        only available to/for/with
        {be} limited/restricted/reserved to/for
        limited/restricted/reserved to/for
        {be} contingent/conditional/dependent on/upon
        contingent/conditional/dependent on/upon
        exclusive to
        just if/when/where/for
        merely/purely for/if/when
        solely/exclusively if/when/where
        if/when and only when
        only while/during
        only under
        only so long as
        {be} confined to
        confined to
        {be} only for/to
        {be} open only to
        only open to/for
        {be} solely/exclusively for/to
    """,
    "UNLESS": """
        unless
        if not
        except if/when/where/in/with/by/for
        except in the? case/event of/that?
        except in cases of/where
        save if/where/when
        other than if/when
        not if
        not when
        but not if/when/where
        provided/providing that? no/not
        failing
        except while/during/that/as/after/on/at/under/upon
        except before
        unless and until
        save in/on/with/by/that
        but not while/during/in
        other than in/on/with/during
        except only? if
        or longer/more/less/later/earlier/sooner/shorter if/when
    """,
    "EXC": """
        except
        except for
        others/anyone/everyone/anybody/everybody/all than/except
        excepting
        with the? exception of
        excluding/excludes/exclude
        excluded are
        other than
        apart/aside from
        outside of
        but not
        but no
        everything/anything/everyone/everybody/anybody/anyone/all/any but
        not including
        not counting
        not for
        bar/barring/save for
        with the? exclusion of
        all but
        with one exception
        with the? sole? exception of
        with the? exceptions of
        the? sole? exception is/are/being
        to the exclusion of
        leaving out/aside
        minus
        , less any/the/all/your/their
        disregarding
    """,
    "INSTEAD": """
        , not/never by/in/to/on/for/from/with/at/the/a/an/through/via/as
        , not/never paid/given/granted/charged/refunded/reimbursed/sent/issued/cash/money/pay
        and not by/in/to/on/for/from/with/at/the/a/an/through/via/as
        instead of
        rather than
        as opposed to
        in place of
    """,
    "EVENIF": """
        even if/when/though/where/without/after
        also if/when/where
        regardless/irrespective of whether?
        whether or not
        no matter if/whether/how/what/when/which/who
        independent/independently of
        notwithstanding
        despite/in spite of
        with or without
        with/without or without/with
        no matter if/whether/how/what/when/which/who/where/why
        regardless/irrespective of how/what/when/which/who/where
        whatever/whichever/whoever
        however long/often/many/much/large/small/late/early/high/low
        even while/before/during/as/by/with/for
        not even if/when
        in spite of
        be it
        it does not matter if/whether/how/what/when/which/who
        it makes no difference if/whether/how/what/when
        under any circumstances
    """,
    "WITHOUT": """
        without
        without any/a/an/the
        with no
        lacking
        in the absence of
        absent a/an/any/the/such
        without first/prior/previously/beforehand
        without so much as
        in default of
    """,
    "IF": """
        if
        if you/they would? prefer/like/choose/wish/want a/an/the/to
        if and when
        when/whenever/where/wherever
        as long as
        so long as
        provided/providing that
        providing
        on condition that
        on the condition that
        under the condition that
        subject to
        in the? case/event/cases of/that/where
        in case
        given that
        assuming
        to the extent that
        upon
        conditional/contingent on/upon
        depending on
        in the event of/that
        with the proviso that
        on the understanding/basis/proviso that
        on the condition of
        supposing/presupposing that?
        insofar as
        in so far as
        for as long as
        as and when
        in the event
        should you/they/it/he/she/we/anyone/someone
        dependent/dependant on/upon
        depends/depend on/upon
        hinges/hinge on
        contingent on
    """,
    "WITH": """
        on presentation of
        on production of
    """,
    "BEFORE": """
        before
        prior to
        ahead of
        in advance of
        in the run up to
        earlier than
        preceding
        until just before
        leading up to
        previous to
    """,
    "AFTER": """
        after
        only after/once
        once
        as soon as
        following
        subsequent to
        not until
        not before
        no/not earlier/sooner than
        later than
        from the moment
        immediately/right/directly/shortly/soon after/following
        upon completion of
        since
        starting/beginning from/with/on/in?
        after having
        not until after
        as of/from
        no sooner than
        in the wake of
    """,
    "UNTIL": """
        until/till
        up until/till
        only until/till
        up to and including
        until after
    """,
}
