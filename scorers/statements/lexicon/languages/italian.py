"""Italian words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": """
            può/possono/potrà/potranno/puoi/posso/potete/possiamo
            consentito/consentita/consentiti/consentite/permesso/permessa/permessi/permesse/possibile/possibili
            autorizzato/autorizzata/autorizzati/ammesso/ammessa/ammessi/ammesse
            consente/consentono
            potrebbe/potrebbero/potrai/potrete/potete
            tollerato/tollerata/lecito/lecita/ammettono/ammette/accetta/accettano/accettato/accettata/accettati/accettate
            permette/permettono/autorizza
        """,
        "MUST": """
            deve/devono/dovrà/dovranno/devi/devo/dovete/bisogna
            dovrai/dovrete/dobbiamo
        """,
        "NEED": """
            necessario/necessaria/necessari/necessarie/obbligatorio/obbligatoria/obbligatori/obbligatorie
            è/sono/viene/vengono richiesto/richiesta/richiesti/richieste
            tenuto/tenuta/tenuti/vanno
            richiede/richiedono/occorre/serve/bisogno
            obbligo/obbligato/obbligata/obbligati/indispensabile/indispensabili/esige/esigono/necessita/necessitano/occorrono/servono
            occorrerà/servirà
        """,
        "SHOULD": "dovrebbe/dovrebbero\nconsigliato/raccomandato",
        "FORBID": """
            vietato/vietata/vietati/vietate/proibito/proibita/proibiti/proibite/impossibile
            escluso/esclusa/esclusi/escluse
            vieta/vietano/divieto/proibisce
        """,
        "NOTNEED": """
            facoltativo/facoltativa/facoltativi/facoltative/opzionale/opzionali/volontario/volontaria
            superfluo/esonerato/esonerata/esonerati/inutile
            a scelta
        """,
        "NEG": "non/mai/nessun/nessuno/nessuna/né/nulla/niente/alcuna",
        "ONLYIF": """
            solo/soltanto/unicamente se/con/dopo/per
            solo/soltanto/unicamente/esclusivamente se/con/dopo/per/previa/previo/quando/su/in/accompagnati/accompagnato
            previa/previo autorizzazione/consenso/richiesta
        """,
        "INSTEAD": """
            invece di/del/della/che
            e non dal/dall/dalla/dai/da/il/la/al
            e non in/con/di
        """,
        "UNLESS": """
            a meno che non?
            salvo/tranne/eccetto che/se/quando
            a meno di
            salvo/tranne in/con/per
        """,
        "EVENIF": """
            anche se/in/con/senza/durante
            perfino/persino in/con
            anche quando/dopo/prima
            indipendentemente da/dal/dalla
            a prescindere da/dal/dalla
            sebbene
            nonostante
            anche qualora
        """,
        "EXC": """
            tranne/eccetto/salvo
            ad eccezione di/del/dei/delle
            a parte
            ad eccezione
            fuorché
            con l eccezione di/del/dei
        """,
        "IF": """
            se/quando/qualora
            a condizione che
            purché
            nel caso
            in caso di
            a patto che
            sempre che
        """,
        "WITHOUT": "senza",
        "BEFORE": "prima di/del/della/che?\nprima",
        "AFTER": "dopo",
        "UNTIL": "fino a/al/alle\nfino",
        "ALL": "tutti/tutte/tutto/tutta/ogni/ciascun/ciascuno",
        "SOME": """
            alcuni/alcune/certi/certe
            parte di/del/dei
            qualche
        """,
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
            non può/possono/deve/devono superare/eccedere/oltrepassare
            con? un massimo/minimo di
            al più tardi
        """,
        "apagamento": "a pagamento",
    },
    function=word_set(
        "il lo la i gli le l un uno una di del della dei delle degli dell e è sono essere stato stata stati a al"
        " alla ai alle in nel nella per con da dal dalla si ci che questo questa questi queste ha hanno viene"
        " vengono tu tuo tua tuoi tue mio mia hai ho suo sua nostro nostra secondo"
        " anche già ancora purtroppo inoltre quindi poi allora molto mi dispiace dove sia siano fosse chi cui lei"
        " lui loro noi voi proprio stesso stessa ne vi così certo resta rimane restano sarà saranno come perché"
        " nostre vostri vostra vostro sull sulla sul sui nei nelle degli agli"
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
    gratuito gratuita gratuiti gratuite gratis | apagamento pagare paga pagano costa costano
    voce oralmente orale | scritto scritta scritte iscritto
    foto fotografie fotografare fotografia
    parcheggio parcheggiare parcheggiano
    subaffitto subaffittare
    compagnia accompagnato accompagnata accompagnati accompagnare accompagnamento | solo sola soli
    smarrimento smarrito perso perdita perdere furto
    avvisare avvisi avviso informare informi comunicare comunicano comunicata segnalare segnalarlo segnalato notificare
    perde perdono scade scadono decade | conserva mantiene
    consenso permesso autorizzazione approvazione
    usare uso utilizzare utilizzo
    rimborsare rimborsato rimborsati rimborso rimborsabile
    rinnovare rinnovo rinnovato prolungare
    disdire disdetta disdetti disdetto annullare annullamento annullato
    viaggio viaggi trasferta trasferte
    cane cani animale animali
    fumare fumo
    immediatamente subito tempestivamente
    affitto canone
    certificato attestato
    dimissioni dimettersi dimettermi
    interrompere interrotto recedere recesso
    spedire spedizione spedizioni spediamo spedisce invio
    condividere condivisa condiviso condivisione
    bloccato bloccata bloccare | sbloccato sbloccata
    gruppo | individuale
    registrarsi registrazione iscriversi iscrizione
    multa multe sanzione
    auto automobile vettura
    temporaneo provvisorio | permanente definitivo
    restituire restituibile restituibili rendere reso resi
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
    azienda datore ditta società, dipendente lavoratore, cliente acquirente, negozio venditore, conducente autista
    genitori, scuola, insegnante
    """,
    counted=word_set(
        "secondo secondi minuto minuti ora ore giorno giorni lavorativo lavorativi feriale feriali settimana"
        " settimane mese mesi anno anni eur euro centesimi chf mezz mezza due tre quattro cinque sei sette otto"
        " nove dieci undici dodici quindici venti trenta quaranta cinquanta cento mille"
    ),
    breaks=word_set("ma bensì però"),
    forms="""
    abbia abbiano avrà: avere
    perso persa persi perdono: perdere
    chiuso chiusa chiusi: chiudere
    preso presa presi prese: prendere
    reso resa resi rese: rendere
    scritto scritta scritti scritte: scrivere
    """,
    resuming=word_set("lei lui loro noi voi"),
    participles=(
        "ato",
        "ata",
        "ati",
        "ate",
        "uto",
        "uta",
        "uti",
        "ute",
        "ito",
        "ita",
        "iti",
        "ite",
        "etti",
        "etto",
        "esso",
        "essi",
        "messe",
    ),
    generic=word_set("dipendente dipendenti cliente clienti persona persone personale"),
)
