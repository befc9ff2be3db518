"""What policies speak of: a line is a concept, its words, and behind ``|`` the words that say its opposite."""

from __future__ import annotations

CONCEPTS = """
    accept take honour honor welcome approve grant | reject decline refuse deny denied rejection refusal denial
    priority precedence preference |
    approve approval authorize authorise consent agree sanction permission agreement authorization clearance
        signoff ok | disapprove disagree veto
    allow permit let authorize enable accept possible permission | prohibit forbid ban bar disallow block prevent
        refuse impossible reject decline stop
    include contain comprise cover inclusive including incorporate feature | exclude omit exclusion exclusive
        excluding
    cover coverage insure reimburse protect | exclude uncovered
    reimburse refund payout repay compensate reimbursement repayment compensation restitution recover moneyback
        refundable reimbursable |
    return returnable returned send | keep
    keep retain preserve store save hold maintain remain retention stay | delete erase destroy discard dispose
        remove lose forfeit shred purge wipe surrender return throw thrown
    delete remove erase destroy purge wipe deletion removal erasure dispose discard shred throw thrown drop evict
        | add insert restore create
    unique distinct | duplicate repeated
    increase raise rise grow higher raised up gain extend more expand | decrease reduce lower cut fall drop
        decline less shrink down shorten reduction
    begin start commence launch open open initiate activate beginning | end finish stop terminate conclude expire
        cease close closing ending termination
    open | close closed shut lock sealed
    enable activate switchon on active turnon activation | disable deactivate off inactive switchoff deactivation
        suspend suspended
    active valid effective current force operational | inactive invalid expired void suspended lapsed cancelled
        revoked
    valid validity binding lawful applicable | invalid void null
    legal lawful | illegal unlawful
    available accessible provided offered obtainable | unavailable inaccessible suspended discontinued
    offer provide supply give furnish issue grant serve deliver equip | withhold deny refuse withdraw
    pay paid payment settle remit compensate | unpaid owe outstanding
    charge bill invoice fee cost price levy surcharge payable | free waive waived complimentary gratis exempt
    free complimentary gratis costless | paid chargeable billed
    win won | lose lost loss
    succeed pass success passed | fail failure failed
    present attend attendance | absent absence miss
    join enroll enrol register subscribe registration enrolment enrollment optin | leave quit resign withdraw
        unsubscribe optout deregister
    cancel revoke rescind annul withdraw cancellation withdrawal terminate | confirm continue renew uphold
    renew extend prolong renewal extension continue | terminate cancel expire
    confirm verify acknowledge validate certify confirmation verification | deny refute
    previous preceding | next following subsequent
    lab laboratory
    together jointly | separately apart
    suspend suspended suspension halt | allow permit run operate resume resumed
    simple easy straightforward | complex difficult complicated
    early beforehand earlier advance prior | late later belated afterwards afterward retroactively subsequently
    minimum min least lowest | maximum max most highest
    before prior | after following
    new brandnew unused fresh newer younger | used old worn secondhand older
    unopened sealed | opened unsealed
    open opened unlocked unsealed | closed locked sealed unopened
    safe secure safely | unsafe insecure dangerous hazardous
    public publicly external | private privately confidential internal secret
    internal internally inside indoor indoors within | external externally outside outdoor outdoors
    temporary interim provisional fixed | permanent indefinite unlimited permanently
    full complete whole total entire fully | partial incomplete partly
    full | empty
    voluntary voluntarily | involuntary compulsory
    manual manually hand | automatic automatically automated
    online electronic electronically digital digitally web | offline paper instore inperson
    encrypt encrypted | unencrypted plaintext plain
    hot warm heated | cold cool chilled refrigerated
    wet | dry
    deep | shallow
    heavy | light
    strong | weak
    high | low
    large big | small little
    long | short
    fast quick prompt quickly immediately instantly promptly | slow delayed slowly delay
    same identical equal | different other distinct
    single individual alone sole | joint shared multiple several double
    buy purchase order acquire obtain | sell sale resale resell
    hire recruit employ appoint | dismiss fire layoff discharge
    import inbound incoming inflow arrive arrival | export outbound outgoing outflow depart departure
    lock | unlock
    connect plug attach | disconnect unplug detach
    visible shown displayed | hidden concealed
    deposit | withdraw withdrawal
    credit | debit
    profit gain | loss
    gross | net
    taxable taxed | taxfree untaxed taxexempt
    deductible | nondeductible
    above over exceed | below under beneath
    ascend upgrade upward | descend downgrade downward
    major | minor
    senior experienced | junior inexperienced
    first initial earliest | last final latest
    positive | negative
    guilty liable responsible | innocent
    liable liability responsible responsibility |
    correct right accurate true | incorrect wrong inaccurate false
    healthy well fit | ill sick unwell
    domestic national local inland | international foreign abroad overseas
    remote remotely telework home | onsite office
    arrive | leave depart
    accepted | unaccepted
    damaged defective faulty broken malfunctioning defect | intact undamaged working
    exempt excused immune spared | subject liable
    comply obey follow adhere observe respect compliance | violate breach ignore breach infringe disregard contravene
    agree | object oppose
    support supported | unsupported
    grow | shrink
    recommend advise suggest encourage | discourage
    notify inform tell report alert advise announce communicate notification update message notice | conceal withhold
    submit file provide give handin present supply lodge hand deliver upload enter send return
    request ask apply application demand claim order requisition
    complete finish fill conclude completion fulfil fulfill finalize
    check review examine inspect verify assess audit evaluate inspection assessment examination evaluation
    use utilise utilize employ usage apply operate consume
    get receive obtain gain earn accrue given acquire entitled collect
    make create produce generate prepare build draw
    change alter modify amend adjust edit update modification amendment alteration adjustment swap exchange replace
    exchange swap replace substitute replacement substitution trade
    transfer move migrate shift relocate assign pass forward
    carryover transfer roll
    contact call reach write message
    sign signature signed undersign
    need require requirement demand necessary
    decide determine judge decision
    supervise oversee manage monitor supervision oversight
    manager supervisor superior boss head linemanager management leader
    employee staff worker workforce personnel colleague employ people
    customer client shopper purchaser buyer consumer user
    contractor freelancer
    intern trainee apprentice
    supplier vendor provider seller merchant
    hr
    firm company organisation organization employer business enterprise corporation
    doctor physician clinician practitioner gp medic
    medicine drug medication pharmaceutical tablet pill
    student pupil learner
    teacher instructor tutor lecturer
    passenger traveller traveler flyer
    guest visitor
    tenant renter lessee occupant
    landlord lessor
    policyholder insured
    child kid minor children
    parent guardian
    administrator admin
    subscriber
    member membership
    engineer technician
    helpdesk servicedesk
    premise building site facility property
    room chamber
    apartment flat unit
    device equipment hardware machine appliance
    laptop notebook computer
    item article product good merchandise piece goods
    parcel package shipment consignment
    ship deliver dispatch send delivery shipping shipment
    invoice bill
    receipt proof slip
    proof evidence documentation document certificate record
    form template questionnaire
    ticket booking reservation fare
    book reserve booking reservation
    account profile
    password passcode passphrase credential
    incident outage disruption
    backup snapshot copy
    deploy release rollout deployment ship
    rollback revert
    file document
    log record journal
    server host machine
    customerdata data information detail
    leave absence vacation holiday annualleave
    sickleave sick illness
    salary wage pay earning remuneration payroll fullpay
    bonus premium
    allowance stipend subsidy benefit entitlement perk
    overtime
    expense cost expenditure outlay spending
    price cost fee charge rate
    fee charge surcharge cost
    fine penalty
    discount reduction rebate
    deadline cutoff duedate
    period duration time window term
    hour
    day
    week
    month
    year annual annually yearly
    businessday workday
    date
    limit cap ceiling maximum restriction
    minimum floor
    amount sum total value
    deposit downpayment
    loan credit mortgage
    interest
    bank
    insurance cover policy
    claim
    accident crash collision
    damage harm loss injury
    injury wound
    illness disease sickness
    hospital clinic
    appointment visit consultation
    prescription
    treatment therapy
    surgery operation
    vaccine vaccination immunisation immunization jab
    course class module lesson
    exam examination test
    grade mark score
    essay assignment coursework paper
    library
    school college university
    trip travel journey tour
    hotel accommodation lodging
    flight plane
    luggage baggage suitcase bag
    passport
    visa
    car vehicle automobile auto
    park parking
    drive driving
    smoke smoking cigarette
    eat food meal
    drink beverage
    alcohol beer
    alcohol wine
    alcohol spirit
    vehicle motorcycle motorbike
    vehicle van truck lorry
    jewellery jewelry ring
    jewellery jewelry necklace
    pet animal dog puppy
    pet animal cat kitten
    noise
    garbage waste trash rubbish refuse
    key badge keycard accesscard
    door gate entrance
    enter access entry admission admit
    exit
    visit
    emergency urgent urgency
    fire
    training course education workshop
    meeting session conference
    contract agreement
    policy rule regulation guideline
    term condition
    law legislation statute
    tax levy duty vat
    government state authority
    review feedback
    complaint grievance objection dispute
    complain object dispute
    warranty guarantee
    repair fix mend
    subscription plan
    upgrade
    trial try
    support help assist assistance aid
    email mail
    phone telephone call
    letter post mail
    website site page
    app application
    save store
    share disclose reveal pass distribute publish disclosure
    personal private
    confidential secret sensitive
    third external
    visitor
    security
    safety
    gear helmet glove
    weekend
    night overnight
    morning
    last take require continue
    apply hold valid run
    per each
    least
    previous prior former advance
    next following subsequent
    immediately once instantly straightaway forthwith promptly
    maximum limit
    eligible entitled qualify
    original initial
    written writing paper
    half
    working business
    calendar
    extra additional further another more supplementary
    cheap inexpensive
    senior elder
    work job employment
    office workplace
    home
    city town
    country nation
    usa us america american
    uk british britain
    region area zone
    address
    name
    phone
    number
    question query enquiry inquiry
    answer respond reply response
    problem issue fault error bug
    solve resolve fix
    escalate raise
    assign allocate
    perform carry execute conduct do run undertake
    happen occur
    wear carry
    clean wash cleaning
    kitchen
    gym fitness
    pool swim swimming
    bike bicycle cycle
    wait
    end
    type kind sort
    reason cause ground
    purpose
    responsible accountable
    owner proprietor
    part portion share
    lend borrow loan
    method way mode
    place location venue
    see consult view read
    teach
    learn
    plan
    project
    budget
    purchase
    source
    version
    code
    key
    user
    team group department division unit
    director head
    weekly
    monthly
    quarterly
    daily
    warehouse depot
    shop store outlet branch
    stock inventory
    gift present
    giftcard
    sale discounted clearance reduced
    swimwear underwear
    grocery food
    perishable
    hazardous dangerous
    liquid fluid
    weapon firearm
    bring take carry
    travel commute
    reset change
    rotate change renew
    review
    scan
    patch update
    test
    monitor
    restart reboot
    restore recover recovery
"""
"""Words that stand in several lines are as near as the nearest line says."""
