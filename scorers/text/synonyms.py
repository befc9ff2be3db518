"""Words that say nearly the same: a paraphrase is no invention."""

from __future__ import annotations

from scorers.text.fields import FIELDS
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
    victory | wish want desire | woman lady female | world global | wrong incorrect | yearly annual annually
    | maximum max | minimum min | configuration config setting | repository repo | environment env | administrator admin
    | authentication auth | database db | certificate cert | directory dir folder | parameter param argument
    | specification spec | drop evict discard purge | restart reboot | rollout rolled rolling
    | throttle limit | duplicate twice | shut stop | retry attempt | manual manually hand | payload body message
    | visible available"""


def _grouped() -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for group in (*_GROUPS.split("|"), *FIELDS):
        stems = list(dict.fromkeys(stem(word) for word in group.split()))
        for one in stems:
            table.setdefault(one, {}).update({other: None for other in stems if other != one})
    return {one: tuple(others) for one, others in table.items()}


SYNONYMS = _grouped()
"""For each stem the stems that say nearly the same."""
