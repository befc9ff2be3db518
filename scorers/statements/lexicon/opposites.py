"""Opposites: words that say one thing, and behind ``|`` words that say the opposite, as in the concepts."""

from __future__ import annotations

OPPOSITES = """
    increase raise rise climb boost hike grow jump surge swell soar expand widen enlarge enhance improve heighten
        intensify strengthen | decrease reduce lower drop fall dip slip shrink slash trim halve diminish lessen
        dwindle sink plunge slump worsen weaken cut deteriorate
    double triple quadruple multiply | halve
    discount rebate markdown reduction | surcharge supplement markup
    cheap inexpensive affordable economical | expensive dear dearer costlier pricier
    profit gain surplus | loss lose deficit
    taxable liable | taxfree untaxed taxexempt
    chargeable billable payable billed | free complimentary gratis costless
    interestbearing | interestfree
    inservice operational working functional running | outofservice outoforder broken defunct
    onduty | offduty
    ontime punctual punctually timely | late belated overdue delayed
    early ahead | late behind
    earliest | latest
    before beforehand | afterwards afterward later
    hasten expedite accelerate quicken hurry | postpone delay defer adjourn
    speed accelerate quicken | slow decelerate
    add attach append enclose include | deduct subtract remove detach omit drop
    added plus | deducted minus
    ontop | included inclusive
    ontop additional extra separately
    include incorporate embed | exclude omit leaveout
    eligible | ineligible
    install mount fit assemble | uninstall dismantle dismount disassemble
    insert | remove extract
    load | unload
    pack | unpack
    wrap | unwrap
    freeze frozen | thaw defrost
    heat warm | cool chill
    fill full | empty drain
    inflate | deflate
    push | pull
    enter | exit
    movein | moveout
    signin login logon | signout logout logoff
    inside indoors indoor | outside outdoors outdoor
    upstairs | downstairs
    top | bottom
    front | rear
    upper | lower
    inner | outer
    thick | thin
    wide broad | narrow
    tight | loose
    clean tidy | dirty messy soiled
    quiet silent silence | loud noisy noise
    bright light | dark dim
    sharp | blunt
    raw uncooked | cooked
    alive living | dead deceased
    born birth | die death
    married | unmarried divorced
    awake | asleep
    native | alien
    urban | rural
    majority | minority
    upright standing | lying
    loyal faithful | disloyal
    victory triumph | defeat
    attack | defend
    praise commend | criticise criticize blame
    formal formally | informal informally casual
    direct directly | indirect indirectly
    visible | invisible
    original initial former | current present
    possible feasible | impossible infeasible
    sufficient suffice enough adequate | insufficient inadequate lacking
    reversible | irreversible
    revocable | irrevocable
    transferable | nontransferable
    compatible | incompatible
    consistent | inconsistent
    complete | incomplete
    accurate precise exact | inaccurate imprecise inexact
    legible readable | illegible unreadable
    regular regularly | irregular irregularly
    dependent | independent
    flexible | inflexible rigid
    frequent often frequently | infrequent seldom rare rarely
    relevant | irrelevant
    proper properly | improper improperly
    responsible | irresponsible
    sensitive | insensitive
    definite | indefinite
    finite limited | infinite unlimited limitless
    limited capped restricted | unlimited uncapped unrestricted unbounded
    honest | dishonest
    connected | disconnected
    approve | disapprove
    appear emerge | disappear vanish
    continue proceed persist carryon | stop halt cease quit interrupt discontinue pause
    resume reopen restart | suspend pause interrupt
    pending | finished completed done
    allow permit admit enable welcome | deny bar ban turnaway exclude
    grant award | withhold refuse deny withdraw
    acknowledge admit | deny
    obey heed | disobey defy
    fulfil fulfill satisfy | fail
    save retain | discard
    keep | relinquish surrender
    attract | repel
    deposit | withdraw takeout
    overpay overpaid | underpay underpaid
    overestimate | underestimate
    older elder | younger
    newest latest newer | oldest older
    longest | shortest
    largest biggest | smallest tiniest
    best | worst
    better | worse
    stronger | weaker
    heavier | lighter
    faster quicker | slower
    plenty plentiful abundant abound | scarce scanty
    common commonplace | uncommon rare
    likely probable | unlikely improbable
    mandatory | optional
    public | classified
    anonymous anonymously | identified
    masked redacted anonymised anonymized | plain unmasked
    jointly together | alone separately individually singly
    parttime | fulltime
    deliberate intentional wilful willful knowingly | accidental unintentional inadvertent negligent
    success | failure
    success | setback
    forbidden | allowed
    healthy | unhealthy
    solvent | insolvent bankrupt
    peak | offpeak
    daytime | nighttime night
    weekday | weekend
    onshore | offshore
    ascending | descending
    majority most | minority
    exceed surpass top | undercut
    widen | narrow
    tighten | loosen relax ease
    simplify | complicate
    promote promotion | demote demotion
    qualify | disqualify
    lawful legally | unlawful unlawfully illegally
    observe respect | disregard ignore flout
    trust | distrust mistrust
    agree | disagree
    appoint | dismiss remove
    opt optin | optout
    manned staffed attended | unmanned unstaffed unattended
    supervised accompanied | unsupervised unaccompanied
    impose introduce | lift abolish scrap repeal
    introduce | abolish scrap withdraw
    shorten | lengthen extend prolong
    advantage benefit | disadvantage drawback
    mild | severe serious grave
    acute | chronic
    infectious contagious | noninfectious
    reactivate unblock unlock | block lock deactivate
    wholesale | retail
    prepaid prepay | postpaid
    fixed | variable floating adjustable
    wired | wireless
    portable | stationary
    reusable | disposable
    natural | synthetic artificial
    gradual gradually | sudden suddenly abrupt abruptly
    brief | lengthy
    income | expenditure
    sober | drunk
    seated sitting | standing
    smoker | nonsmoker
    diurnal | nocturnal
    count | disregard ignore
"""
