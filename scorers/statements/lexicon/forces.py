"""Phrases that bound a figure, forbid, require, advise, permit, or leave free."""

from __future__ import annotations

from collections.abc import Mapping

FORCES: Mapping[str, str] = {
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
}
