"""Several words that stand for one: ``written: word``, one a line, in the notation of the phrases."""

from __future__ import annotations

COMPOUNDS = """
    e mail/mails: email
    united states of? america?: usa
    u . s . a?: usa
    united kingdom: uk
    hand/hands/handed/handing in/over: submit
    turn/turns/turned in: submit
    send/sends/sent/sending in/back?: send
    send/sends/sent/sending back: return
    fill/fills/filled/filling in/out: complete
    carry/carries/carried/carrying over/forward: carryover
    carry over: carryover
    roll/rolls/rolled over: carryover
    line manager/managers: manager
    people managers/manager: manager
    team lead/leads/leader/leaders: teamlead
    staff member/members: employee
    team member/members: employee
    members/member of staff: employee
    human resources: hr
    hr department/team: hr
    people team: hr
    sick leave/days/day: sickleave
    gift card/cards: giftcard
    gift voucher/vouchers/certificate/certificates: giftcard
    store credit/credits: storecredit
    credit card/cards: creditcard
    debit card/cards: debitcard
    bank/wire transfer/transfers: banktransfer
    direct debit/debits: directdebit
    free of charge/cost: free
    at no additional/extra? charge/cost: free
    at no/zero charge/cost/fee: free
    without any? charge/cost/fee/extra: free
    for free: free
    no charge/cost/fee is charged: free
    opt/opts/opted/opting out: optout
    opt/opts/opted/opting in: optin
    log/logs/logged/logging in/on: signin
    sign/signs/signed/signing in/on: signin
    sign/signs/signed/signing up: enroll
    set/sets/setting up: setup
    pick/picks/picked/picking up: collect
    call/calls/called off: cancel
    give/gives/gave/given back: return
    bring/brings/brought/bringing back: return
    take/takes/took/taken back: return
    pay/pays/paid/paying back/out: payout
    money back: refund
    get/gets/getting back: recover
    get/gets/getting in touch with: contact
    reach/reaches out to: contact
    look/looks/looking after: care
    turn/turns/turned down: reject
    turn/turns/turned off: disable
    turn/turns/turned on: enable
    expire/expires after: valid for
    expire/expires on: valid until
    switch/switches/switched off: disable
    switch/switches/switched on: enable
    shut/shuts down: stop
    put/puts off: postpone
    full time: fulltime
    part time: parttime
    work/works/worked/working from home: telework
    home office: telework
    remote work/working: telework
    work/works/working remotely: telework
    business/working/work day/days: businessday
    week days/day: weekday
    next/following day: nextday
    same day: sameday
    two factor authentication: mfa
    multi factor authentication: mfa
    multifactor authentication: mfa
    service/help desk: helpdesk
    customer service/support/care: helpdesk
    sub processors/processor: subprocessor
    time off: leave
    days/day off: leave
    annual/vacation leave/days: annualleave
    paid time off: annualleave
    take place: occur
    takes place: occur
    make/makes/made/making use of: use
    apply/applies/applied/applying for: request
    ask/asks/asked/asking for: request
    put/puts/putting in a? request for: request
    submit/submits/submitting a request for: request
    in writing: written
    in person: inperson
    in store/stores: instore
    on line: online
    two times: twice
    three times: thrice
    four times: fourtimes
    preceding/previous/prior day/week/month/year/quarter/working/business/calendar: previous day
    following/next/subsequent day/week/month/year/quarter/working/business/calendar: next day
    over the phone: phone
    by telephone: by phone
    last name: surname
    first class: firstclass
    business class: businessclass
    economy class: economyclass
    get/gets/getting rid of: dispose
    throw/throws/thrown/throwing away/out: dispose
    used up: exhausted
    keep/keeps/kept/keeping confidential/secret: confidential
    for example/instance: example
    such as: including
    each/per/every year: annually
    a/per/each/every month: monthly
    a/per/each/every week: weekly
    a/per/each/every day: daily
    tax free: taxfree
    duty free: dutyfree
    half a year/month/day/hour: half
    a/per year: annually
    once a/per year: annually
    once a/per month: monthly
    once a/per week: weekly
    once a/per day: daily
    every three months: quarterly
    every quarter: quarterly
    in force/effect: valid
    come/comes into force/effect: begin
    take/takes effect: begin
    null and void: invalid
    out of stock: unavailable
    in stock: available
    one way: oneway
    round trip: roundtrip
    check/checks/checking/checked in: checkin
    check/checks/checking/checked out: checkout
    check in: checkin
    check out: checkout
    hand luggage/baggage: carryon
    carry on luggage/baggage/bag/bags?: carryon
    cabin luggage/baggage/bag/bags: carryon
    checked luggage/baggage/bag/bags: holdbaggage
    hold luggage/baggage: holdbaggage
"""
