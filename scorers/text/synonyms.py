"""Words that say nearly the same: a paraphrase is no invention."""

from __future__ import annotations

from scorers.text.stemming import stem

_GROUPS = """accident crash collision | aid help assist support | allow permit let enable | also too | amount quantity
    sum | answer reply respond response | anger angry furious upset | apartment flat | appear seem | area region zone
    district neighborhood neighbourhood | arrest detain apprehend custody | ask request inquire | assault attack |
    atmosphere ambience ambiance vibe setting | attempt try effort | attorney lawyer counsel | author writer | bad poor
    terrible awful horrible | beautiful gorgeous lovely pretty stunning | begin start commence launch | big large huge
    massive enormous | boy son | brief short | build construct | business company firm corporation | buy purchase | call
    name term | car vehicle automobile | casual informal relaxed | cause reason trigger | change alter modify adjust |
    cheap inexpensive affordable | child kid children | choose select pick opt | city town | claim assert allege |
    clean tidy | close near nearby | close shut | combine mix blend | complete finish conclude | complaint criticism
    complain criticize | concern worry | contain include comprise | cook prepare | cost price fee charge | couple pair |
    crime offense offence | customer client patron guest diner visitor | danger risk hazard threat | daughter girl |
    death die dead killed kill fatal | decide determine | decline decrease drop fall reduce | delicious tasty yummy
    flavorful | deliver delivery | demand require | deny reject refuse | describe portray depict | destroy ruin wreck |
    different distinct various diverse | difficult hard tough challenging | disease illness sickness | dish meal entree
    | doctor physician | drink beverage | drug medication medicine | early initial | earn make | employee worker staff
    | employer boss | end finish conclude | enjoy like love | ensure guarantee | error mistake | evidence proof |
    examine inspect check review | excellent great outstanding superb fantastic amazing wonderful exceptional awesome |
    exercise workout | expensive pricey costly | explain clarify | family relatives | famous popular known renowned |
    fast quick rapid speedy | father dad | fire blaze | food cuisine fare | found establish create | friendly kind warm
    welcoming | game match | gather collect | gift present | go travel | good nice fine | government authorities |
    group team | grow increase rise expand | gun firearm weapon | happen occur | happy glad pleased satisfied | hire
    employ | home house residence | hotel inn | hurt injure injury wound | idea concept notion | important crucial vital
    essential significant key | improve enhance boost | inform tell notify | instruction direction step guide |
    investigate probe investigation inquiry | issue problem trouble | job work occupation | keep retain maintain | key
    main primary chief | kill murder slay | lack shortage absence | law legislation statute | lead head | leave depart |
    live reside | locate situate location | long lengthy | look appearance | lunch midday | manage run operate |
    manager management | man guy male | marriage wedding | method way approach technique | money cash funds | mother mom
    mum | move relocate | movie film | murder homicide | music song | need require necessary | new recent latest | news
    report | obtain get acquire receive | offer provide give supply serve | officer police cop policeman | often
    frequently | old elderly aged | open operate operating | opinion view | opportunity chance | option choice | order
    command | owner proprietor | part portion piece section | party celebration | passenger traveler traveller | patio
    outdoor outside | pay compensate | people person individual persons | place spot location venue establishment |
    plane aircraft jet airplane | plan intend scheme | praise compliment commend laud | pregnant pregnancy expecting |
    president leader | prison jail | prize award | promise pledge vow | protect guard safeguard | prove demonstrate show
    | quality standard | question ask | quiet calm peaceful tranquil serene | recommend suggest advise | release free |
    remain stay | remark comment note mention | remove delete eliminate | repair fix | request order | rescue save |
    response reaction | restaurant eatery diner establishment | result outcome consequence | return comeback | rob steal
    theft robbery | room chamber | rude impolite unfriendly disrespectful | rule regulation | sad unhappy | safe secure
    | salary wage pay | say state mention note | school academy | see view watch | sell sale | send ship mail | serious
    severe grave | sex gender | shooting shot shoot gunfire | shop store | show display exhibit | sick ill | simple easy
    | singer musician | size dimension | slow sluggish | small little tiny | smart intelligent clever | soldier troop
    military | speak talk discuss | speech address | split divide | stop halt cease | storm hurricane | street road |
    strong powerful | student pupil | study research | suitable appropriate | surprise shock | sweet sugary | task duty
    | tax levy | teacher instructor | test exam trial | thankful grateful | thing item | trip journey travel | true
    accurate correct | type kind sort category | understand comprehend | use utilize employ | usual normal typical |
    victim casualty | visit tour | voter electorate | wait delay | war conflict | wealthy rich | weather climate | win
    victory | wish want desire | woman lady female | world global | wrong incorrect | yearly annual annually"""


_FIELDS = """
    accident mishap
    colleague coworker workmate teammate
    boss supervisor superior manager
    employee staff workforce personnel worker
    applicant candidate
    job position vacancy
    hire recruit employ engage
    dismiss sack layoff discharge
    salary wage wages pay remuneration earnings paycheck
    payslip paystub
    rota roster
    timetable schedule
    probation trialperiod
    appraisal evaluation assessment review
    training course workshop seminar
    mentor coach
    unwell ill sick poorly
    absent absence away
    sicknote medicalcertificate
    approval permission consent authorisation authorization clearance blessing goahead assent agreement nod
    approve authorise authorize endorse sanction greenlight
    perk benefit
    outlay expense expenditure spending cost
    journey trip travel voyage
    retailer merchant trader dealer vendor seller
    shop store outlet
    buyer purchaser shopper customer client consumer
    wares goods merchandise product article item
    parcel package packet consignment shipment
    delivery shipping dispatch shipment despatch
    ship deliver dispatch despatch send
    courier carrier forwarder
    basket cart trolley
    voucher coupon
    discount rebate markdown reduction
    refund reimburse repay reimbursement repayment
    receipt slip
    warranty guarantee
    defective faulty broken damaged defect
    repair mend fix
    exchange swap replace
    fee charge cost price tariff
    surcharge supplement markup
    instalment installment
    invoice bill
    overdue outstanding unpaid
    balance remainder rest
    remainder rest remaining leftover
    lender creditor
    remittance transfer payment
    recall revoke retract
    repay payback settle
    overdraft overdrawn
    loan credit
    lend borrow loan
    atm cashpoint
    excess deductible
    cover protect insure coverage protection
    insurer underwriter
    burglary breakin
    theft stolen steal robbery
    flood flooding inundation
    harm damage
    hazard danger risk peril hazardous dangerous
    payout indemnity compensation
    doctor physician gp medic
    medicine drug medication remedy
    tablet pill
    dose dosage
    pregnant pregnancy expecting
    surgery operation
    injection jab shot vaccination inoculation vaccine
    checkup examination
    ache pain
    breastfeeding nursing lactation
    anticoagulant bloodthinner
    kidney renal
    liver hepatic
    heart cardiac
    dental tooth
    laptop notebook
    computer pc machine
    phone telephone mobile cellphone handset smartphone
    login signin logon
    logout signout logoff
    passcode password
    username userid
    outage downtime disruption
    bug fault defect
    folder directory
    wifi wireless wlan
    internet web online
    erase delete wipe purge
    reboot restart
    configure configuration setup settings
    screen display monitor
    attachment enclosure
    link url
    alert alarm
    admin administrator
    threshold limit cap ceiling
    tenant lodger renter lessee
    landlord lessor
    flat apartment
    lease tenancy
    basement cellar
    lift elevator
    rubbish waste trash garbage litter
    corridor hallway passage
    stairs staircase stairwell stairway
    toilet wc restroom lavatory
    laundry washing
    caretaker janitor concierge
    sublet sublease
    loft attic
    yard courtyard
    train rail railway
    tram streetcar
    plane aircraft flight fly
    passenger traveller traveler
    luggage baggage suitcase
    ferry boat vessel
    sailing crossing
    bike bicycle
    car automobile motorcar
    lorry truck
    taxi cab
    licence license
    motorist driver
    pram buggy stroller pushchair
    petrol gasoline fuel
    motorway highway
    road street
    penalty fine
    exam examination test
    retake resit repeat
    essay assignment coursework
    lecturer tutor teacher instructor
    mark grade score
    thesis dissertation
    enrol enroll register matriculate
    scholarship bursary
    deadline cutoff duedate
    postpone defer delay adjourn
    extend prolong lengthen extension
    submit lodge file handin
    certificate diploma
    copy duplicate
    form questionnaire
    photo photograph picture
    video film footage recording
    choose select pick opt
    choice option
    suffice sufficient enough adequate
    ordinary normal regular usual standard customary
    chief main principal primary
    chiefly mainly primarily principally largely
    sole single lone
    whole entire complete full
    additional further extra
    previous preceding earlier prior former
    subsequent following next
    beforehand ahead advance earlier
    afterwards later subsequently thereafter
    immediately instantly straightaway forthwith instant
    rapid fast quick swift speedy
    postal mail post
    abroad overseas foreign
    nearby near close adjacent
    together jointly
    elderly old aged
    sibling brother
    sibling sister
    relative family kin
    spouse husband
    spouse wife
    noon midday
    ask request enquire inquire
    inform tell notify advise alert
    check verify inspect examine
    handle process manage
    appoint nominate designate name
    organise organize arrange
    join participate attend
    forbid prohibit ban
    forfeit lose
    gone lost lose
    lapse expire
    expire lapse end
    earn collect gain
    finish end conclude
    begin start commence
    climb rise increase
    alter change modify amend
    rectify correct fix
    calculate compute workout
    tally sum total
    majority most
    fortnightly biweekly
    annual yearly
    belongings possessions property
    equipment gear kit
    rule regulation
    breach violation infringement violate infringe
    lawsuit litigation
    verdict ruling judgment judgement
    court tribunal
    statute law legislation act
    attorney lawyer solicitor
    obligation duty
    remind reminder
    reach contact
    sign signature
    reply answer response respond
    postcode zipcode zip
    surname lastname
    holiday vacation
    revenue turnover sales
    borrowings debt
    shareholder stockholder
    oversee supervise
    deputy substitute
    vote ballot
    enclose attach
    drink beverage
    bin dustbin
    carpet rug
    couch sofa
    closed shut
    free gratis complimentary
    gratuity tip
    guest visitor
    youngster child kid
    adult grownup
    priciest dearest costliest
    dear expensive
    cheap inexpensive
    reserve book reservation booking
    vacant unoccupied
    spot place location
    kind type sort
    unaffected untouched unchanged
    overwrite erase
    snapshot backup
    loudspeaker speaker
    consent agree
    concur agree
    revoke withdraw
    cashback refund
    void invalid
    fake counterfeit forged
    forbidden prohibited banned
    compulsory mandatory obligatory
    voluntary optional
    purpose aim goal
    advice guidance counsel
    tiny small little
    huge large big
    brief short
"""


FIELDS: tuple[str, ...] = tuple(line.strip() for line in _FIELDS.strip().splitlines())
"""Words of work, shops, banks, insurance, health, IT, housing, transport and study that say the same, a group each.

What policies say rests on them: a word stands beside another only where either may take the other's place.
"""


def _grouped() -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for group in (*_GROUPS.split("|"), *FIELDS):
        stems = list(dict.fromkeys(stem(word) for word in group.split()))
        for one in stems:
            table.setdefault(one, {}).update({other: None for other in stems if other != one})
    return {one: tuple(others) for one, others in table.items()}


SYNONYMS = _grouped()
"""For each stem the stems that say nearly the same."""
