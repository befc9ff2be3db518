"""How an Italian reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_HELP = (
    "aiutare|aiutarla|aiutarti|rispondere|risponderle|risponderti|assistere|assisterla|fornire|fornirle"
    "|fornirti|dare|darle"
    "|darti|comunicare|comunicarle|divulgare|rivelare|rivelarle|commentare|condividere|soddisfare|consigliare|informare"
    "|esprimere|esprimerci|discutere|evadere"
)
_FACTS = (
    "informazione|informazioni|dato|dati|dettaglio|dettagli|risposta|indicazione|indicazioni|riferimento|riferimenti"
    "|menzione|elementi|traccia|documento|documenti|notizie|notizia|evidenza|riscontro|risultati|nulla|niente"
)
_SOURCES = (
    "documento|documenti|fonte|fonti|contesto|testo|testi|brano|brani|passaggio|passaggi|estratto|estratti|informazioni"
    "|policy|politica|politiche|manuale|guida|base|dati|contenuto|contenuti|articolo|articoli|documentazione|materiale"
    "|materiali|regolamento|contratto"
)
_SAYS = (
    "menziona|menzionano|specifica|specificano|indica|indicano|dice|dicono|precisa|precisano|chiarisce|chiariscono"
    "|affronta|affrontano|risponde|rispondono|parla|parlano|cita|citano|accenna|accennano|riporta|riportano|tratta"
    "|trattano"
)
_HOLDS = (
    "contiene|contengono|fornisce|forniscono|offre|offrono|include|includono|permette|permettono|consente|consentono|dà"
    "|danno|fa|fanno|presenta|presentano"
)

WORDING = Wording(
    declines=(
        "non ~1 rientra|rientrano|fa|fanno|è|sono ~1 parte|tra|nei|nelle|fra ~2 i|le ~1 miei|mie|compiti",
        "non ~1 rientra|rientrano ~4 miei|mie|mio|mia|compiti|competenze|funzioni",
        "fuori|oltre ~3 mio|mia|mie|miei",
        "non posso ~2 fare|fornire|dare|offrire|consigliare|esprimere",
        "non ~1 posso|potrò|potrei|devo|intendo",
        "non ~1 sono ~1 autorizzato|autorizzata|abilitato|abilitata|tenuto|grado|nella",
        "non ~1 mi ~2 possibile|consentito|permesso|consente|permette",
        "non ho ~1 autorizzazione|facoltà|permesso",
        f"non ~1 possiamo|potremo|siamo ~4 {_HELP}",
        "non ~1 è possibile ~2 rispondere|aiutarla|aiutarti|fornire ~4 informazioni|domanda|richiesta|dati|risposta",
        "mi ~1 dispiace ~2 di|ma ~2 non ~1 poter*|posso|possiamo",
        "mi ~1 rincresce|spiace ~2 non ~1 poter*|posso",
        "purtroppo non ~1 mi ~2",
        "temo di non poter*",
        "devo ~2 rifiutare|declinare|rifiutarmi|astenermi",
        "preferisco non|evitare",
        "mi ~1 rifiuto",
        "fuori|esula|oltre ~2 mio|mia|mie|miei|dalle|dalla ~2",
        "non rientra ~3 mie|mia|miei|mio|nostre|nostra|competenze",
        "la ~1 sua|tua|questa richiesta|domanda ~3 non ~1 può",
        "questa|tale|sua|tua richiesta|domanda ~3 non ~1 può",
        "in quanto|come ~3 assistente|ia|intelligenza ~5 non",
        "mi è ~1 impossibile|vietato",
        "non fornisco|do|rilascio|condivido|esprimo",
        "mi astengo",
        "non ~1 desidero|voglio|intendo|spetta|compete",
        "non ho ~2 diritto|titolo|facoltà|autorizzazione",
        "non ~2 scriverò|farò|eseguirò|redigerò|creerò|genererò|parlerò|condividerò|parteciperò|collaborerò|procederò",
        "non ~2 aiuterò|risponderò|dirò|fornirò|rivelerò|eseguirò|rivelo|commento|rispondo",
        "va|vanno oltre ~2 mie|mia|miei|mio",
        "supera|superano|eccede ~2 mie|mia|miei|mio",
    ),
    abstains=(
        "non ~1 ne|ci ~1 sono|siamo ~1 certo|certa|sicuro|sicura|certi|sicuri",
        f"{_SOURCES} ~3 non c è|figura|compare|risulta|si ~3 nulla|niente|alcun|alcuna|traccia|riferimento",
        "non c è|risulta|figura|compare|trovo|vedo ~2 nulla|niente|alcun|alcuna|informazioni|traccia|riferimenti",
        (
            "non ~2 viene|vengono|è|sono ~2 nominato|nominata|menzionato|menzionata|trattato|trattata|indicato"
            "|indicata|specificato|specificata|citato|citata|precisato|precisata"
        ),
        (
            f"{_SOURCES} ~5 non ~2 {_SAYS}|dice|dicono|parla|parlano|riguarda|riguardano|tratta|trattano|contiene"
            "|contengono"
        ),
        f"{_SOURCES} ~6 non ~1 riguardano|riguarda|parlano|trattano|contengono",
        "non ~2 ho ~2 trovato|visto|individuato",
        "non risulta|risultano|emerge|emergono|figura ~8",
        "informazione|dato|risposta|informazioni ~2 non ~1 presente|disponibile|presenti|disponibili|trovata|fornita",
        "non ~1 è possibile|si ~1 può ~3 rispondere|sapere|dire|determinare|stabilire|risalire",
        "non saprei ~2 dir*|risponder*|indicar*",
        "non posso|potrei ~2 confermar*|precisar*",
        "preferisco|preferirei non ~3 tirare|indovinare|speculare|azzardare|fare",
        "intende|intendi|si riferisce|ti riferisci ~4",
        "potrebbe|può|potresti|puoi ~3 precisare|specificare|chiarire|riformulare|spiegare ~2",
        "a|che|quale|cosa ~3 riferisce|riferisci|intende|intendi|precisamente|esattamente",
        "non lo so",
        f"non ~1 ho|dispongo|possiedo|abbiamo|disponiamo ~4 {_FACTS}|accesso|idea|trovato",
        "non ~1 ho|abbiamo ~2 trovato|individuato|potuto|reperito",
        "non ~1 trovo|vedo|riesco",
        (
            "non ~1 posso|possiamo|riesco|sono ~4 trovare|determinare|confermare|verificare|sapere|stabilire"
            "|dedurre|individuare|ricavare|reperire"
        ),
        "non lo so",
        "non ~1 so $",
        "non so ~1 se|quando|quanto|quale|chi|come|cosa",
        "non saprei",
        "non conosco",
        "ignoro",
        "non sono ~1 sicuro|sicura|certo|certa|conoscenza",
        "non mi risulta|risultano",
        (
            "non ~1 è ~1 noto|nota|chiaro|specificato|indicato|menzionato|riportato|precisato|specificata"
            "|indicata|menzionata"
        ),
        "non ~1 sono ~1 specificati|indicati|menzionati|riportati|specificate|indicate|riportate|menzionate",
        (
            "non ~1 viene|vengono ~1 specificato|indicato|menzionato|precisato|specificata|indicata|menzionata"
            "|specificati|indicati|menzionati|trattato"
        ),
        f"{_SOURCES} ~8 non ~2 {_SAYS}",
        f"{_SOURCES} ~8 non ~2 {_HOLDS} ~3 {_FACTS}|stabilire|rispondere|determinare|sapere|alcun*",
        f"non ~1 {_SAYS}|figura|compare|risulta|emerge ~8 {_SOURCES}",
        f"dai|dalle|dal|nei|nelle|nel ~4 {_SOURCES} ~6 non ~2",
        f"non ~1 ci|c|vi ~1 sono|è|sia ~3 {_FACTS}",
        f"non ~1 esistono|risultano|emergono|figurano ~3 {_FACTS}",
        f"nessun|nessuna|nessuno ~2 {_FACTS} ~8 {_SOURCES}|disponibile|trovata|trovato|merito|riguardo",
        f"^ nessun|nessuna ~1 {_FACTS}",
        f"nessun|nessuno|nessuna ~3 {_SOURCES} ~4 {_SAYS}|{_HOLDS}",
        f"nulla|niente ~5 {_SOURCES}",
        f"{_SOURCES} ~2 tace|tacciono|silente",
        (
            "non ~1 viene|vengono|è|sono ~1 affrontato|affrontata|trattata|trattati|trattate|contemplato"
            "|contemplata|descritto|descritta|affrontati ~3 nel|nei|nella|nelle|dal|dai|dalla"
        ),
        "mi sfugge",
        "non ~1 ne ~1 sono ~1 conoscenza|corrente",
        "non ~2 sono|siamo ~1 a ~1 conoscenza",
        "senza ~1 trovare|trovarne|aver",
        "mancano|manca ~2 informazioni|dati|elementi|indicazioni ~3",
        "informazioni|dati ~4 insufficienti|sufficienti|mancanti",
        "non ~2 abbastanza|sufficienti informazioni|dati|elementi",
        "non è possibile ~2 determinare|stabilire|sapere|dire|confermare|dedurre",
        "non si ~2 evince|specifica|menziona|dice|trova|trovano|ricava",
    ),
    refers=(
        (
            "potrà|potranno|saprà|sapranno|può|possono ~2 aiutar*|aiutarla|fornir*|risponder*|indicar*|chiarir*"
            "|chiarirlo|dirle|confermar*|consigliar*"
        ),
        "ne parli|parla con",
        "parli|parla|ne con",
        "contatti|consulti|chieda|chiedi|contatta|consulta|senta|telefoni",
        "è meglio|opportuno|consigliabile ~3 chiedere|chiederlo|rivolgersi|consultare|contattare|sentire",
        "la|ti trasferisco|metto|passo|collego",
        (
            "contatti|contatta|consulti|consulta|chieda|chiedi|telefoni|chiami|verifichi|verifica ~3 il|la|l|lo"
            "|al|alla|i|le|con|un"
        ),
        "si|ti ~1 rivolga|rivolgiti|rivolgersi|rivolgerti",
        "rivolgersi|rivolgiti|rivolgetevi ~1 al|alla|all|a",
        (
            "le|ti ~1 consiglio|suggerisco|consigliamo|invito|raccomando ~5 contattare|consultare|rivolger*"
            "|chiedere|verificare|parlare"
        ),
        "può|puoi|potrebbe|potresti ~2 contattare|consultare|rivolger*|chiedere|telefonare",
        "potrà|potranno|saprà|sapranno ~1 aiutarla|aiutarti|fornirle|risponderle|indicarle",
        "la ~1 invito|prego ~4 contattare|consultare|rivolger*",
    ),
    courtesy=(
        "come|in che|cosa ~2 posso ~4",
        "^ buona|buon ~1 giornata|serata|proseguimento|fine|lavoro",
        "^ mi dispiace ~2 $",
        "^ purtroppo $",
        "^ prego|figurati|nulla|niente",
        "^ di nulla|niente",
        "^ a presto|domani",
        "^ arrivederci|perfetto|capito|certo|volentieri",
        "posso aiutar*|risponder* ~6",
        "^ per favore|cortesia",
        "^ ciao|salve|buongiorno|buonasera|benvenuto|benvenuta",
        "^ grazie",
        "^ prego",
        "come posso aiutarla|aiutarti|esserle",
        "resto|rimango|sono ~2 disposizione",
        "non esiti|esitare|esitate",
        "^ capisco|comprendo",
        "^ ottima|buona|bella ~1 domanda|giornata|serata",
        "^ è una ~2 domanda",
        "^ mi dispiace|spiace ~1 molto $",
        "^ mi dispiace|spiace $",
        "^ scusi|scusa $",
        "^ spero",
        "cordiali saluti",
    ),
    about=(
        f"{_SOURCES} ~5 parlano|parla|trattano|tratta|riguardano|riguarda|descrivono|descrive",
        "ho cercato|controllato|guardato|consultato|verificato",
        f"con|secondo|in ~2 {_SOURCES} ~6 $",
        "con|in base le|alle|ai ~1 informazioni|brani|testi",
    ),
)
