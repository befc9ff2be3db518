"""Words with which anything is told in other words: they frame, link and address, and say little of what is told."""

from __future__ import annotations

from scorers.text.normalize import word_set
from scorers.text.stemming import stem

_FRAMES = """
    able absolutely accordingly actual actually afraid afterwards agree ahead alike allow alone along alongside
    already alright alternatively altogether anyhow anymore anyway anywhere apart apparently appear apply
    approximately arrange aside ask automatically available aware away back basic basically basis bear begin behind
    belong beside besides beyond bit bother bring careful carry case catch caveat certain certainly chance change
    choice choose circumstance clear clearly come concern condition consequently consider contact continue correct
    correctly count currently decide definitely depend detail determine differ different directly effectively else
    elsewhere encounter enough ensure entire entirely entitle equally especially essentially eventually everybody
    everyone everything everywhere exact exactly example except exception expect explain extra fact fairly far
    finally find finish fit follow following former forward full fully furthermore general generally gist give go
    half hand handle happen hardly have hear help hence herself himself hold honestly idea immediately importantly
    include indeed individual instance instead intend involve itself judge keep kind know lack largely last late
    later latter least leave less little live long look lot main mainly manner matter maybe mean means meantime
    meanwhile mention merely mind miss moment moreover mostly move myself namely near nearly necessarily necessary
    need nevertheless nobody none nonetheless normal normally note nothing notion now nowadays number nutshell
    obtain obviously occasion occur offer often okay one ones oneself option ordinary original otherwise ought
    ourselves overall overview own part particular particularly past perhaps person personally pick piece place
    plain plenty plus point possibility possible possibly practice precisely present previous previously primarily
    principle prior probably problem process proper properly provide provided purpose put question quick quickly
    quite range rather reach ready really reason receive recently recommend refer regard regarding regardless
    regular relate relevant rely remain remember remind require respective respectively rest result right role rough
    roughly rule run say see seem separate separately serve set short shortly show side similar simple simply
    simultaneously single situation size slightly somebody somehow someone something sometimes somewhere soon sort
    specific specifically stage stand start state stay step still stop straight straightaway straightforward
    strictly suggest suit summary suppose sure surely take technically tell tend thank thanks themselves therefore
    thing throughout tie time today together tomorrow tonight top total totally touch treat try turn twice type
    typical typically understand unfortunately unless unlike unlikely up usual usually valid various vary view wait
    want watch way well whatever whatsoever whenever whereas wherever whichever whoever whole word work worry worth
    wrong yet yourself yourselves
"""

_SAME = """
    acquire buy get order purchase | adult grown grownup | alert alarm notify warn | allergy allergic | allow
    approve eligible entitle fine let may okay permit possible welcome | allowance budget quota | alone
    unaccompanied unattended | altitude height high | ambulance emergency | amount cost price sum total value |
    anchor moor | anonymous anonymously name nameless | answer confirm hear reply respond response | apartment flat
    home rental unit | appear show | apply file lodge register request submit | appointment booking reservation slot
    visit | approval agree agreement authorisation blessing clearance consent green light nod okay permission sign
    signoff | approve accept agree authorise clear greenlight sign | arrive come delivery get reach receive | ask
    demand request require | assist help support | assistance help support | attach add enclose include | auction
    bid | audit accounts check review | authority authorities council office | automatic itself | autumn fall |
    available accessible free offer open provide | avoid prevent stop | away absent gone out travel | backup copy |
    baggage bag luggage suitcase | ban block disallow exclude forbid prohibit | bathe swim | begin commence kick
    launch start | belong own ownership property | bid offer | bidder buyer | bike bicycle cycle | bill charge cost
    fee invoice pay | birth baby born child newborn | board committee council | boat ship vessel | bonus extra
    premium reward | book arrange reserve schedule | boss lead manager superior supervisor | bottle drink | bound
    oblige require | breach violate violation | break absence interrupt pause sabbatical | bring carry take | broken
    damage defect defective faulty | buggy pram stroller | building house office premises site | bulb lamp light |
    burial funeral grave | business commercial company employer firm trade | bust break | bylaw rule statute | cab
    taxi | call dial hotline phone ring telephone | cancel call end leave off quit revoke terminate withdraw |
    candidate applicant nominee | canteen cafeteria | cap ceiling exceed limit maximum | car automobile drive
    vehicle | card badge pass | carer guardian parent | cargo freight goods load | cash money | cattle cow livestock
    | ceiling limit maximum | cellar basement | ceremony event | certificate document evidence note proof | chair
    head lead | change adjust alter amend edit modify swap switch | charge cost fee pay price surcharge | chat
    message | cheap discount reduced | check control examine inspect review verify | cheque check | child baby
    daughter kid minor son toddler | choose opt pick select | citizen resident | claim application file request |
    class course lesson training | clean wash | close end shut | clothes garment | coat jacket | colleague coworker
    staff | collect fetch gather pick pickup | commit oblige | company employer firm organisation | compensate pay
    refund reimburse repay | complete end finish pass | compulsory mandatory must need obligatory required | concert
    gig performance show | conclude end finish | condition requirement rule term | confidential private secret |
    confirm acknowledge acknowledgement receipt | consult ask inform involve | contact call inform notify reach |
    contract agreement | contractor external freelancer | contribute participate | controller finance | copy
    duplicate | correct fix | cost euro expense fee pay price | cot bed | cover include insure pay refund reimburse
    | credit pay refund | crew staff | crossing abroad border | crèche childcare kindergarten nursery | curtain
    blind | customer buyer client shopper you | customs border duty | cut lower prune reduce trim | daily day |
    damage defect fault harm | date day deadline time | dead death deceased | deadline due latest limit period |
    death die | decide decision determine | decline deny down refuse reject turn | deduct less minus subtract take
    withhold | delay late postpone | delete clear destroy erase purge remove wipe | deliver arrive bring parcel send
    ship | deny refuse reject | department desk office team unit | depend subject | deploy install release | depth
    deep | detour diversion | device computer laptop machine phone | discard dispose throw | discount cheaper off
    percent rebate reduce reduction | discuss agree consult talk | dispatch send ship | dispose bin throw waste |
    divide distribute share split | doctor medical physician | document file paper record | donate donation give |
    donation gift | dorm hall residence room | dose tablet | double twice | drive driver vehicle | drone aircraft |
    drop bring leave | due owe payable | duty must obligation | early advance ahead before beforehand prior | earn
    receive salary | electric electrical | eligible entitle may qualify | email mail | emergency urgent | employ
    hire work | employee colleague people person personnel staff team worker | employer firm | end expire finish
    over terminate | enrol register sign | enter access admission entry | entrance admission admit entry | entry
    admission ticket | equipment device tool | erase remove wipe | escalate inform involve notify | escort accompany
    | evening pm | event incident | exam assessment paper test | examine inspect | exceed above beyond more over |
    exchange change replace swap trade | exclude except exempt not | exempt free | exhibit display show | expense
    pay spending | expire disappear invalid lapse until valid | explain justify reason | express fast | extend
    longer prolong renew | extra additional more supplement surcharge | facility building | fail unsuccessful | fare
    price ticket | fast quick | fault broken defect | fee pay price surcharge | fertiliser fertilizer | film movie
    record video | finance accounting pay | fine penalty ticket | fire blaze burn flame | firewall network | fit
    suit | fix mend repair | flight fly plane | flood under water | fly airline travel | food dish eat lunch meal |
    footpath path | footwear boot shoe trainer | forbid disallow not prohibit | foreign abroad international |
    forfeit lapse lose | form document | fortnight week | forward send | free charge complimentary cost waive |
    freeze hold pause suspend | frost cold freeze ice | furniture chair desk table | garbage rubbish trash waste |
    garden outdoor yard | gift present | give grant hand issue offer provide receive | gloves gear | grant approve
    fund funding issue provide subsidy support | guarantee assure warranty | guardian father mother parent | guest
    visitor | guide tour | guidebook guide | half percent | halve half | hand submit | handle deal process treat |
    harbour harbor marina port | hardware device | harvest crop | headquarters office | heat hot | heating heat
    radiator warm | height high tall | helmet gear | hen chicken | hire recruit rent | holiday leave travel trip
    vacation | home house remote | hospital clinic ward | hotline phone | household family home | hygiene clean wash
    | identify id identification passport | ill disease illness sick unwell | illness sick | immediately away
    instantly once right soon straight | inform announce let message notify report tell | inhabitant resident |
    initial first | injury accident broken hurt | insert enter | install set | insure insurance policy | internet
    online web | involve include inform | issue hand provide | job employment position work | join enter participate
    start | journalist media press reporter | journey drive travel trip | jury committee judge panel | key access |
    kin family relative | kit equipment | label mark | lamp light | lapse disappear end lose | laptop computer
    notebook | large big bulky great | latest later within | law legal statute | lawyer attorney legal | lead head
    manager | leave absence depart exit go vacation | ledger accounts | lend borrow loan | length long | lengthen
    extend | letter mail post | liable bear liability pay responsible | licence license permit | lift elevator |
    limit maximum most restrict | listen hear | load charge | loan borrow | locate find | lock block secure | lodge
    file submit | log enter record register | login access log sign | lorry truck van | lost lose missing | lot item
    | lunch meal | machine equipment | mail post send | maintain keep | malfunction fault | malware virus | man male
    men | manager supervisor | mandatory must need obligatory require | mark grade score | marry wedding | maximum
    most | mayor council | meal dinner dish | medicine drug medication prescription | meet fulfil satisfy | member
    membership | midday noon | minutes protocol record | misconduct bribe violation wrongdoing | misplace lose |
    mistake error wrong | module course unit | money payment refund | monitor supervise watch | monthly month |
    mother parent | move relocate transfer | museum exhibition gallery | must need oblige require | neighbour
    neighbor | nightly night | noise loud music quiet sound | notice announce inform period | notify announce report
    tell | obey comply follow | object item | oblige force require | obtain get receive | occupant tenant | offence
    violation | online digital electronic portal web website | operate run | optional voluntary | order buy purchase
    | outage downtime failure incident | outdoor outside | outside abroad external | overdue late | overnight night
    | overtime extra hour | own possess | owner landlord | pack packaging | package box packaging parcel | pair
    couple two | paper print | parcel delivery order | parent father | parking car park | participate attend |
    partner spouse | party celebration event | pass expire succeed | passenger customer traveller | passport id |
    password code credential | patch fix update | pause hold interrupt suspend | pay bear contribute refund
    reimburse salary | payment pay | penalty charge fee | pension retirement | perform carry do make | period phase
    term time | permanent indefinite | permit approve let | personal individual private | personnel staff | pet
    animal cat dog | petrol fuel gas refuel tank | phishing scam | phone mobile telephone | photo image photograph
    photography picture | photograph film picture | picture image photography | pill medicine | plant tree |
    platform track | policy contract insurance rule | portal app website | possess have | post publish send |
    postage shipping | postpone later | power electricity | pregnant birth | prepare compile draw make | present
    show | press media | price rate tariff | prior advance before | probation trial | problem incident issue |
    procedure process | product article goods item | prohibit not | prompt immediate quick | proof evidence receipt
    | property own | propose suggest | protect guard safe | provide offer supply | public open | publish announce
    release | punish penalty retaliation | pupil schoolchild student | purchase buy | quarter percent | queue wait |
    quiet silent | quit leave resign terminate | quorum majority | rate tariff | receipt bill invoice | receive get
    | reclaim refund | recommend advise suggest | record register | recover restore retrieve | reduce less lower |
    refill fill | refund back reimburse repay return | refuse reject | register sign | rehearsal practice |
    reimburse repay | reject turn | relative family | remain keep stay | remove take | renew continue prolong | rent
    lease rental | repair mend | repay back pay | repeat again resit retake | replace new replacement substitute
    swap | reply respond | report file tell | request demand | require necessary need | reserve keep reservation |
    reset change | reside live | resident local tenant | resign leave | resit attempt retake try | resolve fix solve
    | responsible charge | rest remainder | restart reboot | restrict only | result outcome | retain keep store |
    retaliation revenge | retire pension | retrieve get | retry again attempt | return back send | reuse again |
    review examine look over | right entitle | ring phone | risk danger | road street | rollout deploy release |
    rotate change renew swap | rubbish waste | safe secure | salary earnings wage | sale sell | sanction penalty |
    save store | schedule plan timetable | seat place | secure protect | sell resell | send ship submit | senior old
    | sequence order | server machine system | session appointment | settle pay | share disclose give split | ship
    delivery | shop store | shorten reduce | sick unwell | sign signature signed | single individual one | sleep
    night overnight stay | smoke cigarette flame smoking | speak talk tell | speed fast | spend cost expense pay |
    spill leak | sponsor fund support | staff team worker | stage theatre | start commence | stay overnight | steal
    theft | stolen steal theft | stop cease end | store keep | storm thunderstorm weather wind | stream play watch |
    student learner | submit file upload | subscribe register | subsequent after | succeed success | successful pass
    | suffice enough | suitcase bag luggage | supervise accompany | supplier vendor | supply give | support help |
    surcharge supplement | surgery clinic operation | suspend block stop | swim pool | tap water | tariff plan |
    teacher instructor | team group | technician engineer | temperature cold degree warm | tempo speed | tenant
    renter | tender bid procurement | tent camp | test check | throw bin | ticket card case issue request | tidy
    clean | token code key | tomb burial cemetery grave | tool software | topic subject | tow remove | track follow
    | train training | training course education | tram bus train | transfer send | transport carry | trash bin
    waste | travel abroad trip | treasurer finance | trial test | tuition fee | tutor teacher | twice two | underage
    child minor | unused left leftover remain | update inform refresh status | urgent immediately | vaccine jab shot
    vaccination | validity valid | value price worth | van vehicle | verify confirm | visit attend come see |
    volunteer voluntary | vote ballot elect election | voucher code coupon discount gift | vpn remote | wage pay |
    warn inform | watch see view | website page site web | wedding ceremony marriage | weekday working | weekend
    saturday sunday | weekly week | weigh heavy kg weight | weight heavy kg | well water | width wide | withhold
    keep | woman female women | work employment | wound injury | write form written | yearly annual calendar year |
    young child minor under
"""
"""A word, and those that may stand for it in one text or another: more loosely than in `scorers.text.synonyms`."""


def _loosely() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in _SAME.split("|"):
        head, *others = dict.fromkeys(stem(word) for word in group.split()) or ("",)
        for other in others:
            found.setdefault(head, set()).add(other)
            found.setdefault(other, set()).add(head)
    return {one: frozenset(others) for one, others in found.items()}


LOOSELY = _loosely()
"""For each stem the stems that it is told by, or that tell it."""

LIGHT = frozenset(stem(word) for word in word_set(_FRAMES))
"""Their stems. A claim that only adds such words to what a context says invents nothing."""

LIGHTEST = 1.5
"""What such a word weighs, at most, where others weigh by their rarity."""
