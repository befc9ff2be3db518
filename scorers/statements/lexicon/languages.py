"""What forbids, requires, permits, denies or binds in other languages, in the notation of the English phrases.

Only what is regular: the force of a sentence, its denial, its conditions, exceptions, order, and how many it speaks of.
"""

# ruff: noqa: RUF001 - Cyrillic words hold letters that look like Latin ones
from __future__ import annotations

from collections.abc import Mapping

from scorers.text.normalize import word_set

PHRASES_IN: Mapping[str, Mapping[str, str]] = {
    "de": {
        "MAY": """
            kann/kannst/können/könnt/darf/darfst/dürfen/dürft/könnte/könnten
            erlaubt/gestattet/zulässig/zugelassen/möglich/berechtigt
        """,
        "NEED": """
            muss/musst/müssen/müsst/müsste/müssten
            braucht/brauchen/benötigt/benötigen/erfordert/erfordern
            erforderlich/notwendig/nötig/verpflichtend/vorgeschrieben/pflicht/zwingend/obligatorisch
            verpflichtet
        """,
        "SHOULD": "soll/sollen/sollte/sollten\nempfohlen/ratsam/empfiehlt/empfehlen",
        "FORBID": """
            verboten/untersagt/unzulässig/unmöglich/ausgeschlossen
            verbietet/untersagt
        """,
        "NOTNEED": "freiwillig/optional/freigestellt/entbehrlich",
        "NEG": """
            nicht/kein/keine/keinen/keiner/keinem/keines/nie/niemals/niemand/niemandem/nichts/weder/keinesfalls
            auf keinen fall
            unter keinen umständen
        """,
        "ONLYIF": """
            nur wenn/falls/sofern/mit/bei/nach/gegen
            ausschließlich mit/bei/nach/für
            nur für
        """,
        "UNLESS": "es sei denn\n, es sei denn\nsofern nicht\naußer wenn/falls/sofern/bei/in",
        "EXC": "außer/ausgenommen/mit ausnahme\nmit ausnahme von/der/des",
        "IF": "wenn/falls/sofern/vorausgesetzt/soweit/solange\nunter der voraussetzung\nim falle/fall",
        "EVENIF": "auch wenn/ohne/bei\nselbst wenn/ohne/bei\nunabhängig davon/von\ntrotz",
        "WITHOUT": "ohne",
        "BEFORE": "vor/bevor",
        "AFTER": "nach/nachdem/sobald\nnach ablauf/abschluss",
        "UNTIL": "bis",
        "ALL": "alle/allen/aller/alles/jeder/jede/jedes/jeden/jedem/jeweils/sämtliche/sämtlicher",
        "SOME": """
            einige/einigen/manche/manchen/bestimmte/bestimmten/ausgewählte/teilweise/mehrere
            nicht alle/jeder/jede
        """,
        "MOST": "die meisten\nder/ein großteil\nmeist/meistens/überwiegend",
        "ONLY": "nur/ausschließlich/lediglich/allein",
        "ALWAYS": "immer/stets/jederzeit/grundsätzlich/automatisch",
        "SOMETIMES": "manchmal/gelegentlich/oft/häufig/üblicherweise/normalerweise",
        "RARELY": "selten/kaum",
        "INSTEAD": "statt/anstatt/anstelle\n, nicht per/durch/mit/von/in/an/über\nund nicht per/durch/mit/von/vom",
        "CAUSE": "weil/denn/wegen/aufgrund",
        "BOUND": """
            nicht/nie/niemals mehr/länger/höher/größer/später/weniger/früher/kürzer als
            nicht/nie/niemals überschreiten/übersteigen/unterschreiten
            höchstens/mindestens/maximal/wenigstens/spätestens
            mehr/weniger/länger als
        """,
    },
    "fr": {
        "MAY": """
            peut/peuvent/peux/puis/pouvez/pouvons/pourra/pourront/pourrez
            autorisé/autorisée/autorisés/autorisées/permis/permise/permises/possible/possibles/admis/admise/admises
            a/ont/avez le droit
        """,
        "MUST": "doit/doivent/dois/devez/devons/devra/devront/faut",
        "NEED": """
            besoin
            obligatoire/obligatoires/nécessaire/nécessaires/requis/requise/exigé/exigée/obligé/obligée/obligés
            tenu/tenus/tenue
            exige/exigent/nécessite/nécessitent
        """,
        "SHOULD": "devrait/devraient\nrecommandé/recommandée/conseillé",
        "FORBID": "interdit/interdite/interdits/interdites/impossible/exclu/exclus/exclue/exclues",
        "NOTNEED": "facultatif/facultative/facultatifs/facultatives/optionnel/optionnelle/optionnels/optionnelles",
        "NEG": "pas/jamais/aucun/aucune/rien/ni/non/nul/nulle",
        "ONLYIF": "seulement/uniquement si/avec/après/pour\nque si",
        "INSTEAD": "au lieu de/du/des/d\net non par/pas",
        "UNLESS": "sauf si/quand/lorsque/en/avec\nà moins que/qu/de/d/du",
        "EXC": "sauf/excepté/hormis\nà l exception de/du/des",
        "EVENIF": "même si/en/avec/sans/pendant\ny compris en/pendant",
        "IF": "si/lorsque/quand\nà condition que/de\npourvu que",
        "WITHOUT": "sans",
        "BEFORE": "avant",
        "AFTER": "après/dès",
        "UNTIL": "jusqu/jusque",
        "ALL": "tous/toutes/tout/toute/chaque",
        "SOME": "certains/certaines/quelques/plusieurs",
        "ONLY": "seul/seuls/seule/seules/uniquement/seulement/exclusivement",
        "ALWAYS": "toujours",
        "BOUND": """
            pas/jamais? plus/moins de
            dépasse/dépassent/dépasser pas/jamais
            au plus/moins/maximum/minimum
            au plus tard
        """,
    },
    "es": {
        "MAY": """
            puede/pueden/podrá/podrán/puedes/puedo/podemos/pueda/puedan
            permitido/permitida/permitidos/permitidas/posible/posibles/autorizado/autorizada/autorizados/autorizadas
            permite/permiten/admite/admiten
        """,
        "MUST": "debe/deben/debo/debemos/deberá/deberán/debes",
        "NEED": """
            tiene/tienen/tengo/tienes/tenemos que
            hay que
            hace falta
            necesario/necesaria/necesarios/necesarias/obligatorio/obligatoria/obligatorios/obligatorias
            requerido/requerida/imprescindible
            requiere/requieren/exige/exigen/necesita/necesitan
        """,
        "SHOULD": "debería/deberían\nrecomendado/recomendable/aconsejable",
        "FORBID": "prohibido/prohibida/prohibidos/prohibidas/imposible/excluido/excluida/excluidos/excluidas",
        "NOTNEED": "opcional/opcionales/voluntario/voluntaria/voluntarios/voluntarias/facultativo/facultativa",
        "NEG": "no/nunca/jamás/ningún/ninguna/ninguno/ni/nadie/nada/tampoco",
        "ONLYIF": "solo/sólo/únicamente si/con/para/cuando",
        "INSTEAD": "en lugar/vez de/del\ny no el/la/los/las/por/al",
        "UNLESS": "a menos que\nsalvo/excepto que/si/cuando",
        "EVENIF": "aunque\nincluso si/en/con/cuando/durante\ntambién en caso\naun en/con/cuando",
        "EXC": "excepto/salvo\na excepción de/del\ncon excepción de/del",
        "IF": "si/cuando\nsiempre que\ncon la? condición de? que",
        "WITHOUT": "sin",
        "BEFORE": "antes de/del/que?\nantes",
        "AFTER": "después de/del/que?\ndespués",
        "UNTIL": "hasta",
        "ALL": "todos/todas/todo/toda/cada",
        "SOME": "algunos/algunas/ciertos/ciertas",
        "ONLY": "solo/sólo/solamente/únicamente/exclusivamente",
        "ALWAYS": "siempre",
        "BOUND": """
            no/nunca? más/menos de
            no/nunca supera/superan/excede/exceda/exceden
            como máximo/mínimo/mucho
            al menos
        """,
    },
    "it": {
        "MAY": """
            può/possono/potrà/potranno/puoi/posso/potete/possiamo
            consentito/consentita/consentiti/consentite/permesso/permessa/permessi/permesse/possibile/possibili
            autorizzato/autorizzata/autorizzati/ammesso/ammessa/ammessi/ammesse
            consente/consentono
        """,
        "MUST": "deve/devono/dovrà/dovranno/devi/devo/dovete/bisogna",
        "NEED": """
            necessario/necessaria/necessari/necessarie/obbligatorio/obbligatoria/obbligatori/obbligatorie
            è/sono/viene/vengono richiesto/richiesta/richiesti/richieste
            tenuto/tenuta/tenuti/vanno
            richiede/richiedono/occorre/serve/bisogno
        """,
        "SHOULD": "dovrebbe/dovrebbero\nconsigliato/raccomandato",
        "FORBID": """
            vietato/vietata/vietati/vietate/proibito/proibita/proibiti/proibite/impossibile
            escluso/esclusa/esclusi/escluse
        """,
        "NOTNEED": "facoltativo/facoltativa/facoltativi/facoltative/opzionale/opzionali/volontario/volontaria",
        "NEG": "non/mai/nessun/nessuno/nessuna/né/nulla/niente/alcuna",
        "ONLYIF": "solo/soltanto/unicamente se/con/dopo/per",
        "INSTEAD": "invece di/del/della/che\ne non dal/dall/dalla/dai/da/il/la/al",
        "UNLESS": "a meno che non?\nsalvo/tranne/eccetto che/se/quando",
        "EVENIF": "anche se/in/con/senza/durante\nperfino/persino in/con",
        "EXC": "tranne/eccetto/salvo\nad eccezione di/del/dei/delle",
        "IF": "se/quando/qualora\na condizione che\npurché",
        "WITHOUT": "senza",
        "BEFORE": "prima di/del/della/che?\nprima",
        "AFTER": "dopo",
        "UNTIL": "fino a/al/alle\nfino",
        "ALL": "tutti/tutte/tutto/tutta/ogni/ciascun/ciascuno",
        "SOME": "alcuni/alcune/certi/certe",
        "ONLY": "solo/soltanto/solamente/unicamente/esclusivamente",
        "ALWAYS": "sempre",
        "BOUND": """
            non? mai? più/meno di
            non? è? mai? superiore/superiori/inferiore/inferiori a/ai/al
            non supera/superano/eccede mai?
            non? oltre
            sopra/sotto i/gli/le?
            al massimo/minimo
            al più tardi
            almeno
        """,
        "apagamento": "a pagamento",
    },
    "pt": {
        "MAY": """
            pode/podem/posso/podemos/poderá/poderão
            permitido/permitida/permitidos/permitidas/possível/possíveis/autorizado/autorizada/autorizados
            admitido/admitida/admitidos/admitidas
        """,
        "MUST": "deve/devem/devo/devemos/deverá/deverão",
        "NEED": """
            tem/têm/tenho/temos de/que
            é preciso
            precisa/precisam
            necessário/necessária/necessários/necessárias/obrigatório/obrigatória/obrigatórios/obrigatórias
            exigido/exigida
            exige/exigem/requer/requerem
        """,
        "SHOULD": "deveria/deveriam\nrecomendado/recomendável",
        "FORBID": "proibido/proibida/proibidos/proibidas/impossível/excluído/excluída/excluídos/excluídas",
        "NOTNEED": "opcional/opcionais/facultativo/facultativa/voluntário/voluntária",
        "NEG": "não/nunca/jamais/nenhum/nenhuma/nem/ninguém/nada",
        "ONLYIF": "só/somente/apenas se/com/após/para",
        "INSTEAD": "em vez de/do/da\ne não pelo/pela/pelos/pelas/por/o/a/ao",
        "UNLESS": "a menos que\nsalvo/exceto se/quando/que",
        "EVENIF": "mesmo se/que/em/com/sem\nainda que\ninclusive em/com",
        "EXC": "exceto/salvo\ncom exceção de/do/da/dos/das",
        "IF": "se/quando\ndesde que\ncaso",
        "WITHOUT": "sem",
        "BEFORE": "antes de/do/da?\nantes",
        "AFTER": "depois de/do/da?\napós/depois",
        "UNTIL": "até",
        "ALL": "todos/todas/todo/toda/cada",
        "SOME": "alguns/algumas/certos/certas",
        "ONLY": "só/somente/apenas/unicamente/exclusivamente",
        "ALWAYS": "sempre",
        "BOUND": """
            não/nunca? mais/menos de/que
            não/nunca ultrapassa/ultrapassam/excede/excedem
            acima/abaixo de/dos
            no máximo/mínimo
            pelo menos
        """,
    },
    "nl": {
        "MAY": "mag/mogen/kan/kunnen/kunt/mogelijke\ntoegestaan/mogelijk/toegelaten/gerechtigd",
        "MUST": "moet/moeten/moest/dient/dienen",
        "NEED": "hoeft/hoeven\nverplicht/nodig/vereist/noodzakelijk\nvereist/vereisen",
        "SHOULD": "zou/zouden moeten\naanbevolen/aangeraden",
        "FORBID": "verboden/uitgesloten/onmogelijk",
        "NOTNEED": "optioneel/facultatief/vrijwillig/vrijwillige",
        "NEG": "niet/geen/nooit/niemand/niets/noch",
        "ONLYIF": "alleen als/met/na/voor/bij",
        "INSTEAD": "in plaats van\nen niet door/bij/aan/via/met",
        "UNLESS": "tenzij\nbehalve als/indien/wanneer",
        "EVENIF": "ook als/bij/zonder/wanneer\nzelfs als/bij/zonder",
        "EXC": "behalve/uitgezonderd\nmet uitzondering van",
        "IF": "als/indien/wanneer/mits\nop voorwaarde dat",
        "WITHOUT": "zonder",
        "BEFORE": "voordat/vóór\nvoorafgaand aan",
        "AFTER": "na/nadat/zodra",
        "UNTIL": "tot/totdat",
        "ALL": "alle/iedere/ieder/elke/elk/iedereen",
        "SOME": "sommige/enkele/bepaalde",
        "ONLY": "alleen/uitsluitend/slechts/enkel",
        "ALWAYS": "altijd/steeds",
        "BOUND": """
            niet/nooit? meer/langer/later/minder dan
            boven/onder
            ten hoogste/minste
            minstens/minimaal/maximaal/hoogstens/uiterlijk
        """,
    },
    "pl": {
        "MAY": """
            może/mogą/można/możesz
            dozwolone/dozwolony/dozwolona/możliwe/możliwy/możliwa/uprawniony/uprawnieni
            wolno
        """,
        "NEED": """
            musi/muszą/musisz/trzeba/należy
            wymagane/wymagany/wymagana/obowiązkowe/obowiązkowy/obowiązkowa/konieczne/konieczny/potrzebny/potrzebna
            wymaga/wymagają
        """,
        "SHOULD": "powinien/powinna/powinno/powinni/powinny\nzalecane/zaleca",
        "FORBID": "zabronione/zabroniony/zabroniona/zakazane/zakazany/niemożliwe/wykluczone/niedozwolone",
        "NOTNEED": "opcjonalne/opcjonalny/dobrowolne/dobrowolny/nieobowiązkowe",
        "NEG": "nie/nigdy/żaden/żadna/żadne/żadnych/nikt/ani/brak",
        "ONLYIF": "tylko jeśli/gdy/za/po/dla\nwyłącznie za/po/dla",
        "UNLESS": "chyba że\n, chyba że",
        "EXC": "oprócz/poza/wyjątkiem\nz wyjątkiem",
        "IF": "jeśli/jeżeli/gdy\npod warunkiem że?",
        "WITHOUT": "bez",
        "BEFORE": "przed/zanim",
        "AFTER": "po",
        "UNTIL": "do/aż",
        "ALL": "wszyscy/wszystkie/wszystkich/każdy/każda/każde/każdego",
        "SOME": "niektóre/niektórzy/niektórych/część",
        "ONLY": "tylko/wyłącznie/jedynie",
        "ALWAYS": "zawsze",
        "BOUND": "nie więcej/dłużej/później/mniej niż\nco najmniej/najwyżej\nmaksymalnie/minimum",
    },
    "bg": {
        "MAY": "може/могат/можете\nразрешено/разрешен/позволено/възможно",
        "MUST": "трябва/следва",
        "NEED": "задължително/задължителен/задължителна/необходимо/необходим/нужно/длъжни/длъжен\nизисква/изискват",
        "SHOULD": "препоръчително/препоръчва",
        "FORBID": "забранено/забранен/забранена/забранени/невъзможно/изключено/изключени",
        "NOTNEED": "незадължително/доброволно/незадължителен",
        "NEG": "не/никога/никой/нито/няма/никакви/никакъв",
        "ONLYIF": "само ако/със/с/след/при/за",
        "UNLESS": "освен ако\n, освен ако",
        "EXC": "освен\nс изключение на",
        "IF": "ако/когато\nпри условие че?",
        "WITHOUT": "без",
        "BEFORE": "преди",
        "AFTER": "след",
        "UNTIL": "до",
        "ALL": "всички/всеки/всяка/всяко",
        "SOME": "някои/определени",
        "ONLY": "само/единствено",
        "ALWAYS": "винаги",
        "BOUND": "не повече/по от\nнай много/малко",
    },
}

FUNCTION_IN: Mapping[str, frozenset[str]] = {
    "de": word_set(
        "der die das den dem des ein eine einen einem einer eines und ist sind war waren wird werden wurde wurden"
        " worden hat haben hatte zu zum zur in im an am auf aus mit von vom für bei durch um über unter als auch"
        " es sie er wir ihr ihre ihren ihrem ihrer sein seine seinen sich dies diese dieser dieses daher dann noch"
        " man sehr so du dein deine deinen deinem deiner mein meine meinen ihnen mir dir euch unser unsere unseren"
        " ich wir bitte laut gemäß beim vom ebenso entsteht entstehen"
    ),
    "fr": word_set(
        "le la les l un une des de du d et est sont était être été a ont avoir au aux à en dans sur par pour avec"
        " ce cet cette ces il elle ils elles on nous vous leur leurs son sa ses votre vos se s qu que qui y ne n"
        " tu ton ta tes mon ma mes je j notre nos cela ça comme selon d"
    ),
    "es": word_set(
        "el la los las un una unos unas de del y e es son ser sido está están a al en por para con se su sus lo"
        " le les que este esta estos estas hay ha han usted ustedes tu tus te me mi mis nos nuestro nuestra según"
        " si"
    ),
    "it": word_set(
        "il lo la i gli le l un uno una di del della dei delle degli dell e è sono essere stato stata stati a al"
        " alla ai alle in nel nella per con da dal dalla si ci che questo questa questi queste ha hanno viene"
        " vengono tu tuo tua tuoi tue mio mia hai ho suo sua nostro nostra secondo"
    ),
    "pt": word_set(
        "o a os as um uma de do da dos das e é são ser sido está estão ao à aos às em no na nos nas por para com"
        " se seu sua seus suas que este esta estes estas há foi foram você meu minha nosso nossa teu tua segundo"
    ),
    "nl": word_set(
        "de het een en is zijn was waren wordt worden werd heeft hebben te in op aan van voor met bij door om uit"
        " als ook er u uw ze zij hij we dit deze die dat zich hun jouw jullie ik mijn ons onze volgens hem haar"
    ),
    "pl": word_set(
        "i oraz jest są być był była było w we na z ze o od dla przez się to ten ta te tego tej tych ich jego jej"
    ),
    "bg": word_set("и е са бъде бъдат в във на с със от за по при се да това този тази тези му ѝ им ще"),
}
"""Words without content of their own in each language."""

STEMMERS: Mapping[str, str] = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch",
}  # fmt: skip
"""Snowball's stemmers; for the others words are compared by what they begin with."""

JOINS: Mapping[str, tuple[str, str]] = {
    "de": ("und", "oder"), "fr": ("et", "ou"), "es": ("y", "o"), "it": ("e", "o"), "pt": ("e", "ou"),
    "nl": ("en", "of"), "pl": ("i", "lub"), "bg": ("и", "или"),
}  # fmt: skip
