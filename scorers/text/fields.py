"""Everyday words that say the same where policies are made and asked about, a group a line or between strokes.

What a statement says rests on them, so they are strict: a word stands beside another only where, in a rule, either may
take the other's place.
"""

from __future__ import annotations

from collections.abc import Mapping

_BY_FIELD: Mapping[str, str] = {
    "work": """
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
    """,
    "shops": """
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
    """,
    "banks": """
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
    """,
    "insurance": """
        accident mishap
        excess deductible
        cover protect insure coverage protection
        insurer underwriter
        burglary breakin
        theft stolen steal robbery
        flood flooding inundation
        harm damage
        hazard danger risk peril hazardous dangerous
        payout indemnity compensation
    """,
    "health": """
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
    """,
    "IT": """
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
    """,
    "housing": """
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
    """,
    "transport": """
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
    """,
    "study": """
        exam examination test
        retake resit repeat
        essay assignment coursework
        lecturer tutor teacher instructor
        mark grade score
        thesis dissertation
        enrol enroll register matriculate
        scholarship bursary
        deadline cutoff duedate
    """,
    "rules and offices": """
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
    """,
    "what is done with things": """
        fetch collect pickup
        amount sum
        divide split spread
        merge combine
        break pause recess
        lack shortage
        ban prohibition
        levy impose
        erect build construct
        rinse wash
        stir mix blend
        fridge refrigerator
        stove cooker hob
        tank container receptacle
        pavement sidewalk
        identification identity id
        chair chairperson chairman chairwoman
        pensioner retiree
        jobless unemployed
        baby infant newborn
        teenager adolescent youth
        contagious infectious
        dizziness vertigo
        drowsiness sleepiness tiredness
        bleed bleeding
        strengthen intensify boost increase
        relieve ease soothe alleviate
        heal cure
        swallow ingest
        forget miss
        quote quotation
        tender bid
        inventory stocktaking
        canteen cafeteria
        flexitime flextime
        redundancy severance
        appeal objection
        dispute contest challenge
        decorate paint
        leak drip
        mould mold
        blocked clogged obstructed
        boiler heater furnace
        tap faucet
        electricity power
        reading measurement
        recipient addressee receiver
        letterbox mailbox
        stopover layover
        kiosk booth
        dorm dormitory
        graduate alumnus alumni
        cheat deceive
        untrue false incorrect wrong
        bigger larger greater
        smaller lesser
        owing outstanding due
        proprietor owner
        assent consent
        seldom rarely
        exempted excused
        grounds reason cause justification
        rationale reason justification
        substantiate justify prove evidence
        sustain suffer incur
        bear incur shoulder
        obey follow observe comply adhere
        breach break violate
        annul cancel void
        reinstate restore
        renewal extension
        lapsed expired
        relinquish surrender forfeit
        precise exact accurate
        hinder impede obstruct prevent
        proceed continue
        vary differ
        discrepancy difference
        identical same equal
        maintenance servicing upkeep
        service maintain
        uphold confirm
        enquiry inquiry query question
        attest certify confirm
        shut close
    """,
    "spelling": """
        colour color | neighbour neighbor | centre center | programme program | catalogue catalog | metre meter
        litre liter | jewellery jewelry | labour labor | behaviour behavior | harbour harbor port | theatre theater
        fibre fiber | kerb curb | aluminium aluminum | defence defense | offence offense | practise practice
        analyse analyze | recognise recognize | minimise minimize | maximise maximize | prioritise prioritize
        customise customize personalise personalize | anonymise anonymize | finalise finalize
        categorise categorize | digitise digitize | apologise apologize | optimise optimize
    """,
}

FIELDS: tuple[str, ...] = tuple(
    group.strip() for table in _BY_FIELD.values() for line in table.strip().splitlines() for group in line.split("|")
)
"""The groups of all fields, each with blanks between its words."""
