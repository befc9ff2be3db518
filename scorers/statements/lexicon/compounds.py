"""Several words that stand for one: ``written: word``, one a line, in the notation of the phrases."""

from __future__ import annotations

COMPOUNDS = """
    the optional: the
    provided/providing you: provided that you
    provided/providing they: provided that they
    provided/providing it: provided that it
    provided/providing we: provided that we
    provided/providing he: provided that he
    provided/providing she: provided that she
    provided/providing nobody: provided that nobody
    provided/providing no one: provided that nobody
    provided/providing your: provided that your
    provided/providing there: provided that there
    provided/providing all: provided that all
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
    admin: administrator
    admins: administrators
    config: configuration
    configs: configurations
    repo: repository
    repos: repositories
    cert: certificate
    certs: certificates
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
    the? same day: sameday
    the? next/following day: nextday
    pass/passes/passed/passing on: transfer
    original/same payment method: originalpayment
    original/same method/form/means of payment: originalpayment
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
    accept/accepts/accepted back: return
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
    full time: fulltime
    part time: parttime
    work/works/worked/working from home: telework
    home office: telework
    remote work/working: telework
    work/works/working remotely: telework
    business/working/work day/days: businessday
    calendar/consecutive day/days: day
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
    full pay/salary/wages: fullpay
    half pay/salary/wages: halfpay
    reduced/partial pay/salary/wages: reducedpay
    one time: onetime
    one off: onetime
    every/each quarter: quarterly
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
    only/sole/single exception/exceptions: exception
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
    set/sets off for: depart for
    a? fortnight: two weeks
    on hold: suspended
    free/exempt of/from tax/taxes/vat: taxfree
    tax exempt: taxfree
    subject/liable to tax/taxation/vat: taxable
    liable for tax: taxable
    free of interest: interestfree
    interest free: interestfree
    subject to a? fee/charge: chargeable
    for a fee/charge: chargeable
    against a? payment/fee: chargeable
    at extra/additional cost: chargeable
    cost/costs/costing nothing: is free
    carry/carries/involve/involves/incur/incurs/attract/attracts no charge/cost/costs/fee/fees: is free
    out of service/order/action: outofservice
    in service/operation: inservice
    up and running: inservice
    on duty: onduty
    off duty: offduty
    off sick: sick
    off work: on leave
    left/leave/stay/stays/stayed/remain/remains/remained/keep/kept switched/turned on: enabled
    left/leave/stay/stays/stayed/remain/remains/remained/keep/kept switched/turned off: disabled
    be off: disabled
    left/leave/stay/stays/stayed/remain/remains/remained/kept on: enabled
    left/leave/stay/stays/stayed/remain/remains/remained/kept off: disabled
    switching/turning on: enable
    switching/turning off: disable
    power/powers/powered/powering up/on: enable
    power/powers/powered/powering down/off: disable
    up to date: current
    out of date: expired
    fall/falls/falling/fell/become/becomes due: due
    past due: overdue
    ahead of time/schedule: early
    behind schedule: late
    on/in time: ontime
    by hand: manually
    for good: permanently
    for life: permanently
    once and for all: permanently
    round the clock: around the clock
    in a row: consecutive
    in succession: consecutive
    one after another/the other: consecutive
    back to back: consecutive
    fortnights: two weeks
    leave/leaves/leaving/left out: exclude
    is/are/be/was/were/being part of: are included in
    not/no part of: not included in
    form/forms/formed/forming part of: included in
    count/counts/counted/counting toward/towards: included in
    come/comes/coming/came/go/goes/paid/payable/charged/billed on top of?: ontop
    on top of that/this/it?: ontop
    shut/shuts/shutting out: exclude
    rule/rules/ruled/ruling out: exclude
    let/lets/letting in: admit
    turn/turns/turned/turning away: reject
    sign/signs/signed/signing off on?: approve
    give/gives/given/gave/giving/get/gets/got/getting the? go ahead: approve
    give/gives/given/gave/giving/get/gets/got/getting the green light: approve
    without asking/permission first/beforehand/anyone/anybody/anyone's/anybody's?: without permission
    without asking for? permission/leave: without permission
    without anyone's/anybody's permission/consent/approval: without permission
    call/calls/called/calling back: recall
    cash/cashes/cashed/cashing in: redeem
    turn/turns/turned/turning/convert/converts/converted/converting/exchange/exchanged into/for cash/money: redeem
    hand/hands/handed/handing back: return
    hand/hands/handed/handing out: distribute
    put/putting/push/pushes/pushed/pushing off/back: postpone
    hold/holds/held/holding off: postpone
    bring/brings/brought/bringing/move/moves/moved/moving forward: expedite
    hold/holds/held/holding back: withhold
    pay/pays/paid/paying off: repay
    give/gives/gave/given/giving up: relinquish
    step/steps/stepped/stepping down: resign
    pull/pulls/pulled/pulling/back/backs/backed/backing/drop/drops/dropped/dropping out: withdraw
    lay/lays/laid/laying off: layoff
    move/moves/moved/moving in: movein
    move/moves/moved/moving out: moveout
    log/logs/logged/logging off/out: signout
    sign/signs/signed/signing out: signout
    find/finds/finding/found out: learn
    look/looks/looked/looking up: consult
    look/looks/looked/looking into: investigate
    look/looks/looked/looking over: inspect
    go/goes/going/went over: review
    carry/carries/carried/carrying out: perform
    carry/carries/carried/carrying on: continue
    go/goes/going/went on for/until/to/as: continue
    go/goes/going/went/keep/keeps/kept on using: continue using
    run/runs/running/ran out on: valid until
    run/runs/running/ran out after: valid for
    lapse/lapses/lapsing/expire/expires/expiring on/at/by: valid until
    lapse/lapses/lapsing after: valid for
    run/runs/running/ran out: expire
    close/closes/closed/closing down: close
    cut/cuts/cutting off: disconnect
    hook/hooks/hooked/hooking up: connect
    plug/plugs/plugged/plugging in: connect
    made up of: comprise
    consist/consists/consisting of: comprise
    top/tops/topped/topping up: recharge
    drop/drops/dropped/dropping off: deliver
    show/shows/showed/shown/showing/turn/turns/turned/turning up: attend
    no show/shows: noshow
    take/takes/took/taking part in: participate in
    take/takes/took/taking part: participate
    let/lets/letting us/me/them know: notify
    stand/stands/standing/stood/step/steps/stepped/fill/fills in for: replace
    bring/brings/bringing/brought up: raise
    go/goes/going/went up: rise
    come/comes/coming/came/go/goes/going/went/bring/brings/bringing/brought down: fall
    mark/marks/marked/marking down: deduct
    mark/marks/marked/marking up: surcharge
    take/takes/took/taken/taking off: deduct
    take/takes/took/taken/taking out of the/this/that/your?: removed from the
    knock/knocks/knocked off: deduct
    cut/cuts/cutting/scale/scales/scaled/scaling back: reduce
    bear/bears/bearing/borne/foot/foots/footing the? cost/costs/bill/expense/expenses/charge/charges: pay
    meet/meets/met/meeting the cost/costs/bill/expense/expenses: pay
    in charge of: responsible for
    take/takes/took/taken/taking care of: handle
    deal/deals/dealt/dealing with: handle
    see/sees/seen/attend/attends to: handle
    sick/doctor's/doctor/medical note/notes: sicknote
    doctor/medical certificate/certificates: sicknote
    bank/public holiday/holidays: publicholiday
    opening/business/office/service/consulting hours: openinghours
    identity/id/identification card/cards/document/documents: identitycard
    driver/drivers/driving licence/licences/license/licenses: drivinglicence
    lump sum/sums: lumpsum
    sales tax: vat
    value added tax: vat
    pay slip/slips: payslip
    pay rise/rises/raise/raises: payrise
    next of kin: relative
    car park/parks: carpark
    parking lot/lots: carpark
    cash machine/machines: atm
    side effect/effects: sideeffect
    blood thinner/thinners/thinning: anticoagulant
    wi fi: wifi
    work mate/mates: workmate
    co worker/workers: coworker
    terms and conditions: terms
    as a matter of course: automatically
    by default: automatically
    in the meantime: meanwhile
    in one go: at once
    of no value/effect: invalid
    no longer valid/applicable: expired
    is/are/be asked/called for: is required
    make/makes/made/making do with: accept
    ask/asks/asked/asking/enquire/inquire about: enquire
    account/accounts for: comprise
    send/sends/sending/sent out: dispatch
    get/gets/got/getting hold of: contact
    sort/sorts/sorted/sorting out: resolve
    put/puts/putting right: correct
    set/sets/setting right: correct
    tell/tells apart: distinguish
    do/does/doing away with: abolish
    miss/misses/missed/missing out on: lose
    share/shares/sharing out: distribute
    work/works/worked/working out: calculate
    day to day: daily
    day by day: daily
    every other/second week: fortnightly
    at fault: liable
    take/takes/took/taken/taking into account/consideration: count
    hang/hangs/hung/hanging/hold/holds/held/holding on to: keep
    got back: returned
    run/runs/running on: continue
    make/makes/made/making up for: compensate
    stick/sticks/sticking/stuck/adhere/adheres/keep/keeps/kept to the rules/policy: comply
    abide/abides by: comply with
    turn/turns/turned/turning to: contact
    phase/phases/phased/phasing out: abolish
    kick/kicks in: begin
    come/comes/coming/came to an end/close: end
    bring/brings/brought to an end: end
    sold out: unavailable
    in short supply: scarce
    by/in mistake/error: mistakenly
    on purpose: deliberately
    until further notice: indefinitely
    for the time being: temporarily
    single/one time use: singleuse
    right/straight away/off: immediately
    on the spot: immediately
    without undue/any? delay: immediately
    sugar free: sugarfree
    free of/from sugar: sugarfree
    alcohol free: alcoholfree
    free of/from alcohol: alcoholfree
    contain/contains/containing no alcohol: is alcoholfree
    contain/contains/containing no sugar: is sugarfree
    down payment/payments: deposit
    front desk: reception
    extra/additional hours: overtime
    time sheet/sheets: timesheet
    night shift/shifts: nightshift
    meeting/assembly point: meetingpoint
    spread/spreads/spreading out over: divide
    ring/rings/rang/call/calls/called up: phone
    lodge/lodges/lodged/file/files/filed a complaint: complain
    make/makes/made/making a complaint: complain
    make/makes/made/making a? payment/payments: pay
    make/makes/made/making a? change/changes: change
    make/makes/made/making a? booking/bookings/reservation/reservations: book
    make/makes/made/making a decision: decide
    take/takes/took/taken/taking a decision: decide
    come/comes/coming to a decision: decide
    give/gives/gave/given consent/permission/approval: approve
    grant/grants/granted permission/approval/consent: approve
    give/gives/gave/given an? answer/reply: answer
    give/gives/gave/given advance notice: notify beforehand
    make/makes/made/making contact with: contact
    make/makes/made/making available: provide
    have/has/had/having a look at: inspect
    have/has/had knowledge of: know
"""
