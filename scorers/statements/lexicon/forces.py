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
        or more/less/fewer/over/above/under/below/upwards
        and more/upwards
        or/and longer/shorter/higher/lower/older/younger/earlier/later/sooner
        upwards of
        in excess of
        not beyond
        not go/extend/reach beyond
        can/may/must/shall/should/could/will/would not go/extend beyond
        {do} not go beyond
        capped at
        {be} capped at
        with a? maximum/minimum/ceiling/cap/limit of
        to a maximum/minimum of
        a? ceiling/cap/floor of
        not fall/drop/go below/under
        {do} not fall/drop/go below/under
        will/would not fall/drop below/under
        at a? maximum/minimum
        at the outside/most/least/latest/earliest
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
        can/may/must/shall/could not be obliged/forced/made/required/compelled/asked/expected to?
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
        up to me/him/her/us/everyone/everybody
        left to you/them
        {be} left up? to you/them
        {be} your/their own? choice/decision/call
        it is your/their own? choice/decision/call
        a matter of choice
        can/may do/manage without
        {have} no obligation/duty/need to
        {have} no need of/for
        no obligation/duty
        can/may be dispensed with
        can/may dispense with
        {be}? superfluous/needless
        {be} excused/freed/relieved/absolved/spared from?
        {be} released from
        excused/freed/relieved/released/absolved/spared from
        {be}? dispensed from
        {do} not call/ask for
        {be}? not {be}? a must/requirement/precondition/prerequisite for?
        not a condition
        {be}? not {be}? compelled/forced/demanded to?
        {be}? not {be}? asked/called for
        free to decide whether
        as you/they like/please/wish/prefer/choose
        if you/they so? like/please/wish/prefer/choose
        without obligation
        {be}? not {be}? binding
        need/needs no
        {do} not need any/a/an
        needed/required by no one
        no one/nobody {have} to
        no one/nobody needs/need to
        no one/nobody {be} {needed} to
    """,
    "FORBID": """
        please {do} not
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
        prohibit/prohibits/forbid/forbids/disallow/disallows/ban/bans
        bar/bars you/them/anyone/everyone/people/members/guests/employees from
        prevent/prevents from
        {be}? out of the question
        {be}? out of bounds
        {be}? off limits to/for?
        {be}? no option
        {be}? not {be}? an option
        {be}? not {be}? acceptable/tolerated/admissible/allowable
        {be}? against the/our/company? rules/regulations/policy/law/terms to?
        {be}? a? taboo
        {be}? not {be}? feasible/permissible to?
        {be}? no longer possible/able to?
        {be}? no longer {permitted}
        {be} ruled out
        on no account
        must/may/can/should/shall on no account
        under/in no circumstances may/can/must/should/shall/will
        in no case may/can/must/should/shall
        at no time/point may/can/must/should/shall
        can/may/must/shall/could not under any circumstances
        can/may/must/shall not in any case/circumstances
        can/may/must/shall not ever
        {be}? not {be}? supposed/meant to
        {be}? not {be}? ok/okay/fine/alright to?
        {be} strictly/absolutely/expressly/explicitly/generally {banned} from?
        no possibility/way/chance to/of
        not the right/option/possibility to/of
        no right/entitlement/claim to
        {do} not {have} any/a right/claim/entitlement to
        {do} not {have} the? option/possibility/chance of
        {have} no entitlement/claim/permission to
        {have} no permission/right for
        without the right/option to
        keep/keeps/stay/stays away from
        keep/keeps/stay/stays off
        keep/keeps/stay/stays out of
        steer/steers clear of
        must/shall be avoided
        {have} to be avoided
        {be} to be avoided
        {have} to avoid
        {be} barred/excluded/banned/debarred from
        {do} not let you/them/anyone/anybody?
        no one/nobody may/can/must/shall/should?
        no one/nobody {be} {permitted} to
        nobody/none {be} able to
        none may/can/must/shall
        neither may/can/must/shall
        not open to
        is/are/remain/remains/stays/stay blocked/barred/closed for/to/from everyone/anyone/all?
        {be}? not {be}? available/open/accessible to
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
        should be avoided
        best avoided
        better not
        best not to?
        {be}? not {be}? wise/sensible/prudent/ideal to?
        {be} unwise/inadvisable to?
        {be} frowned upon
        not a good idea to?
        not {be}? encouraged/suggested to?
        we advise/recommend/suggest against
        {be} asked/requested/urged not to
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
        {be} urged/requested/asked/suggested/supposed to
        {be} best/wise/sensible/prudent to
        it makes sense to
        would do well to
        {be} well advised to
        a good idea to
        preferably/ideally
        should ideally/preferably/normally
        you would be wise to
        {be} only/merely/just/simply a? recommendation/recommended/advice/advised/advisable/encouraged to?
        {be}? a recommendation to/that?
        it/that/there is? a recommendation to/that
        {be} good practice to?
        {be} desirable/preferable/preferred to?
        we/it strongly? encourage/encourages
        encourage/encourages you/them/everyone to
    """,
    "MUST": """
        must/shall
        must/shall always
        {be} to be
        {be} responsible for
        make/makes sure to/that?
        be sure to
        see to it that
        do not forget to
        never forget to
        remember to
        {have} no choice/option/alternative but to
        must/shall in any case
        must/shall under all circumstances
        {be}? not just/only/merely/simply recommended/advised/encouraged/advisable/suggested
        {be}? more than a recommendation/suggestion
        {be} a must
        it/that/there is? an? absolute/strict/firm? obligation/duty/must/requirement/rule that
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
        no way round/around
        no getting round/around
        no exemption from
        there is no way round/around
        can not do/manage without
        can not be avoided/skipped/bypassed/omitted/waived
        can not avoid/bypass/skip
        not optional
        {be}? not {be}? optional/voluntary
        {be}? not {be}? dispensable
        {be} indispensable/imperative/vital/crucial/unavoidable/inescapable to/for?
        {be} a precondition/condition/necessity/obligation for/of/to?
        {be} a requirement
        precondition/condition for
        {be} compelled/forced/instructed/ordered to
        {be} under an? obligation/duty to
        {have} an? obligation/duty to
        it is your/their duty/responsibility/job to
        insist/insists on
        demand/demands that
        will not do/work/go without
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
        {be} fine/ok/okay/alright to/with?
        {be} all right to?
        feel free to
        {be} perfectly? acceptable/permissible/admissible/allowable to?
        {be} fine/good/okay/ok with
        nothing prevents/stops/keeps you/them/anyone from
        nothing wrong with
        no problem/objection to/with?
        {have} the chance/opportunity/freedom to
        {have} the choice to/of/between?
        {have} permission/leave/clearance to
        {have} the? right/claim to
        {have} an entitlement to
        {be} granted the right/permission to
        {be} given permission/leave/clearance to
        can/may/could choose/opt/decide to
        can/may also/still/then
        {be} free for you/them to
        {be} able
        within your/their rights to
    """,
}
