"""Sets of which a thing is one member: an entry is a set, commas part members, blanks words for the same member."""

from __future__ import annotations

SETS = """
    monday mon mondays, tuesday tuesdays, wednesday wednesdays, thursday thursdays, friday fridays, saturday
        saturdays, sunday sundays
    january, february, march, april, june, july, august, september, october, november, december
    spring, summer, autumn fall, winter
    morning mornings, afternoon afternoons, evening evenings, night nights overnight nightly, noon midday, midnight
    weekday weekdays, weekend weekends
    once, twice, thrice, fourtimes
    daily, weekly, fortnightly biweekly, monthly, quarterly, annually annual yearly, hourly, biennially, onetime
    fullpay, halfpay, reducedpay, unpaid
    today, tomorrow, yesterday
    sameday, nextday
    basic starter, standard, premium, enterprise, gold, silver, bronze, platinum, diamond, pro professional, plus,
        ultimate, lite
    economyclass economy, businessclass, firstclass
    email mail, phone telephone hotline, chat, letter post, fax, sms text, portal intranet, app,
        inperson branch instore, ticket
    creditcard, debitcard, cash, cheque check, banktransfer, directdebit, paypal, giftcard, storecredit voucher,
        invoice, cryptocurrency
    originalpayment, storecredit voucher vouchers
    production prod, staging, development dev, sandbox, test testing
    low, medium moderate, high, critical
    first, second, third, fourth, fifth, sixth, last final
    sickleave sick, parental, maternity, paternity, annualleave vacation holiday, bereavement, sabbatical, unpaid
    breakfast, lunch, dinner, supper
    train rail, bus coach, car, plane flight, taxi cab, ferry, bicycle bike, tram
    red, blue, green, yellow, black, white, orange, purple, grey gray, pink
    north northern, south southern, east eastern, west western
    employee employees staff worker workers personnel colleague, company, manager managers supervisor supervisors,
        director directors, contractor contractors freelancer freelancers, intern interns trainee trainees apprentice,
        customer customers client clients shopper shoppers buyer buyers consumer consumers, supplier suppliers
        vendor vendors seller sellers merchant merchants, hr, ceo, cfo cto, teamlead, visitor visitors guest
        guests, tenant tenants renter renters, landlord landlords lessor, patient patients, doctor doctors
        physician physicians, nurse nurses, pharmacist pharmacists, student students pupil pupils, teacher
        teachers instructor tutor lecturer, parent parents guardian guardians, passenger passengers traveller
        traveler travellers travelers, driver drivers, administrator administrators admin admins, user users,
        auditor auditors, legal lawyer, finance accounting controller, helpdesk, security, engineer engineers
        technician technicians, developer developers, insurer insurers, policyholder policyholders insured,
        borrower borrowers, lender lenders, bank banks, branch, registrar, dean, principal, librarian, volunteer
        volunteers, resident residents, committee board, procurement purchasing, compliance, council
    adult adults, child children kid kids baby babies, infant infants, senior seniors, teenager teenagers
    wife, husband, son, daughter, mother, father, brother, sister
    germany german, switzerland swiss, austria austrian, france french, italy italian, spain spanish, portugal,
        netherlands dutch, belgium belgian, poland polish, bulgaria, sweden swedish, norway norwegian, denmark
        danish, finland finnish, uk britain england british, ireland irish, usa america american us, canada
        canadian, mexico, brazil, japan japanese, china chinese, india indian, australia australian, turkey,
        greece, hungary, romania, czechia, singapore, israel, korea
    europe european eu, asia asian, africa african, oceania
    berlin, munich, hamburg, frankfurt, cologne, zurich, geneva, vienna, paris, lyon, london, manchester, dublin,
        madrid, barcelona, lisbon, rome, milan, amsterdam, brussels, warsaw, sofia, stockholm, oslo, copenhagen,
        helsinki, tokyo, boston, chicago, seattle, toronto, sydney
    pdf, csv, xml, json, docx word, xlsx excel, png, jpeg
    windows, macos mac, linux, android, ios
    laptop laptops notebook, desktop, tablet, smartphone smartphones mobile
    written, oral verbal orally verbally
    original, copy copies photocopy duplicate
    gross, net
    domestic, international
    carryon, holdbaggage
    liability, collision, comprehensive
    fulltime, parttime
    theft stolen, water, fire, flood flooding, hail, storm, earthquake
    dental, vision, medical
    read, write, delete
    undergraduate undergraduates bachelor, graduate postgraduate graduates master, doctoral phd
    semester, trimester, term
    singular, dual, joint
    checking current, savings
    debit, credit
    vegetarian, vegan, kosher, halal
    freezer frozen, refrigerator fridge, oven, microwave
    ground, basement, rooftop roof
    breast, lung, liver, kidney, heart
"""
