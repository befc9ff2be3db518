"""Italian words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS = LanguageWords(
    phrases={
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
    function=word_set(
        "il lo la i gli le l un uno una di del della dei delle degli dell e è sono essere stato stata stati a al"
        " alla ai alle in nel nella per con da dal dalla si ci che questo questa questi queste ha hanno viene"
        " vengono tu tuo tua tuoi tue mio mia hai ho suo sua nostro nostra secondo"
    ),
    joins=("e", "o"),
    stemmer="italian",
    concepts="""
    aperto aperta aprire apre | chiuso chiusa chiudere chiude
    rimborsare rimborsato rimborso
    restituire restituito restituita restituite reso resi
    cambiare cambiate cambio sostituire
    iniziare inizia inizio | finire termina fine
    gratuito gratuita gratuiti gratis | apagamento
    valido valida | scaduto scaduta
    incluso inclusa incluse compreso compresa
    coperto coperta assicurato
    pagato pagata retribuito
    disponibile disponibili
    approvare approvato approvata approvazione autorizzazione consenso | rifiutare rifiutato negato
    presentare presentata presentato consegnare inviare
    dipendente dipendenti impiegato impiegati lavoratore lavoratori
    cliente clienti acquirente
    aumentare aumenta | ridurre diminuire
    cancellare cancellati cancellato eliminare eliminati | conservare conservati
    segnalare segnalato segnalati comunicare notificare
    bloccare bloccato bloccata | sbloccare sbloccato
    pubblico pubblica | riservato riservata
    spedire spediti spedizione inviare consegnare consegniamo consegna
    automatico automaticamente | manuale manualmente
    subito immediatamente
    ordine ordini
    chiedere richiedere richiesta
""",
    sets="""
    lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica
    gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre, dicembre
    giornaliero, settimanale, mensile, trimestrale, annuale
    dipendenti dipendente, apprendisti apprendista, stagisti, clienti cliente, fornitori fornitore, inquilino,
        proprietario, visitatori
    germania, austria, svizzera, francia, italia, spagna, polonia, belgio, portogallo
    scritto, orale
    mattina, pomeriggio, sera, notte
    lordo, netto
""",
    counted=word_set(
        "secondo secondi minuto minuti ora ore giorno giorni lavorativo lavorativi feriale feriali settimana"
        " settimane mese mesi anno anni eur euro centesimi chf mezz mezza due tre quattro cinque sei sette otto"
        " nove dieci undici dodici quindici venti trenta quaranta cinquanta cento mille"
    ),
    breaks=word_set("ma bensì però"),
    generic=word_set("dipendente dipendenti cliente clienti persona persone personale"),
)
