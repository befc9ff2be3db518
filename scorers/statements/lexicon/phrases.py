"""Phrases that forbid, require, permit, bind to a condition, order or bound: what each turns into.

A line is a phrase: ``a/b`` is one word of several, ``a?`` may be left out, ``{be}`` stands for the words of `WORDS`.
At each place of a sentence the longest phrase counts, so "must not exceed" is a bound and no prohibition.
"""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "be": "is/are/be/was/were/been/being/am",
    "have": "have/has/had/having",
    "do": "do/does/did",
    "modal": "may/can/must/should/shall/could/will/would",
    "permitted": "allowed/permitted/authorized/authorised/eligible/entitled",
    "needed": "required/needed/necessary/mandatory/compulsory/obligatory/obliged/obligated/bound/essential/expected",
    "banned": "prohibited/forbidden/banned/barred/disallowed/impermissible/ineligible/precluded/unauthorized",
    "more": (
        "more/longer/higher/greater/larger/later/older/earlier/sooner/fewer/less/lower/shorter/younger/newer/smaller"
    ),
}

PHRASES: Mapping[str, str] = {
    # Bounds first of all: what they negate is a figure. The figures themselves are compared as quantities.
    "BOUND": """
        no/not {more} than
        not exceed
        {more} than
        {be} {more} than
        not {be}? {more} than
        can/may/must/shall/should/could/will/would not exceed
        can/may/must/shall/should/could/will/would not be {more} than
        can/may/must/shall not take/last {more} than
        {do} not exceed
        not to exceed
        must/should/can/may/shall/will never exceed
        not under
        not over
        not above
        not below
        can/may/must/shall not be under/over/above/below
        can/may/must/shall not go over/above/below/under
        can/may/must/shall not fall below/under
        no? {more} than
        at most
        at least
        at the latest/earliest/most/least
        up to
        a? maximum of
        a? minimum of
        as many/much/few/little as
        must/should/can/may/shall exceed
        exceed/exceeds/exceeding/exceeded
    """,
    "NOTNEED": """
        need/needs not
        {do} not {have}? need to? be?
        {do} not {have} to
        {do} not {be}? require/oblige/necessitate
        {be}? not {be}? strictly? {needed} to?
        {be}? not {have} to
        no need/obligation/requirement to/for?
        under no obligation to?
        {be} optional
        optional/optionally
        {be}? voluntary
        voluntarily
        at your/their/his/her/its own? discretion
        {be}? unnecessary/dispensable
        {be}? exempt/exempted from
        {be}? excused/freed/relieved from
        up to you/them
        without needing/having to
        without the? need to/for
        but not {needed} to/for?
        may/can choose/opt/decide/select not to
        free to choose/opt/decide not to
        {be} under no obligation/duty to
        not a requirement
        {be} no requirement
    """,
    "FORBID": """
        can/may/must/shall/could not
        can/may/must/shall never
        can/may/must/shall under/in no circumstances/case/event
        can/may/must/shall no longer
        {be}? not {be}? {permitted} to/for?
        {be}? not {be}? currently/generally/normally/usually/presently {permitted} to/for?
        {be}? never {permitted} to/for?
        {be}? never able to
        {be}? no longer {permitted} to/for?
        {be}? not {be}? possible to?
        {be}? impossible to?
        {be}? unable to
        {be}? not {be}? able/free/cleared/licensed to
        {be} strictly? {banned} from?
        {banned} from
        prohibited/forbidden/disallowed/impermissible/ineligible
        {be}? off limits
        {have} no right to
        {be} not to be
        {be} not to
        {do} not qualify for
        {do} not {have} the right/option/permission to
        {do} not {have} permission/entitlement to?
        {do} not allow/permit/let/authorize/authorise
        refrain/refrains/refraining/abstain from
        must/should/shall refrain/abstain from
        must/shall avoid
        prohibit/prohibits/forbid/forbids/disallow/disallows/ban/bans/bar/bars
        prevent/prevents from
    """,
    "SHOULDNOT": """
        should not
        should never
        ought not to?
        {be}? not {be}? recommended/advised/advisable to?
        {be} discouraged from?
        {be} advised against
        advise/advises/recommend/recommends against
        should refrain/abstain from
        should avoid
        had better not
    """,
    "SHOULD": """
        should/should be?
        ought to
        {be} recommended/advised/encouraged/advisable to?
        recommended/advised
        we recommend/advise/suggest
        recommend/recommends/advises/advise
        had better
        it is best to
    """,
    "MUST": """
        must/shall
        must/shall always
        {be} to be
        {be} responsible for
    """,
    "NEED": """
        {be}? mandatory/compulsory/obligatory to/for?
        {be} enforced/imposed/demanded for/on?
        {be} {needed} to/for?
        {have} to
        {have} got to
        {needed}
        require/requires/requiring
        need/needs/needing to? be?
        necessitate/necessitates
        call/calls for
        {be} a? prerequisite/requirement for/of?
        prerequisite for
        a must
        conditional on
    """,
    "MAY": """
        may/can/might/could
        {be}? {permitted} to/for
        {be} {permitted}
        {be} free/welcome/able/licensed/cleared to
        allowed/permitted/eligible/authorized/authorised/entitled
        {be}? possible to?
        {have} the right/option/permission/possibility to
        {have} the option/possibility of
        {be} at liberty to
        qualify/qualifies for
        {be} acceptable
        allow/allows/permit/permits/let/lets/authorize/authorizes
        {be} an option
        no restriction/restrictions on
        {have} a right to
    """,
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
    """,
    "INSTEAD": """
        , not by/in/to/on/for/from/with/at/the/a/an/through/via/as
        and not by/in/to/on/for/from/with/at/the/a/an/through/via/as
        instead of
        rather than
        as opposed to
        in place of
    """,
    "EVENIF": """
        even if/when/though/where/without/after
        regardless/irrespective of whether?
        whether or not
        no matter if/whether/how/what/when/which/who
        independent/independently of
        notwithstanding
        despite/in spite of
        with or without
        with/without or without/with
    """,
    "WITHOUT": """
        without
        without any/a/an/the
        with no
        lacking
        in the absence of
        absent
    """,
    "IF": """
        if
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
    """,
    "UNTIL": """
        until/till
        up until/till
        only until/till
        up to and including
        until after
    """,
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
