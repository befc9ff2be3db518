"""Dutch words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
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
    function=word_set(
        "de het een en is zijn was waren wordt worden werd heeft hebben te in op aan van voor met bij door om uit"
        " als ook er u uw ze zij hij we dit deze die dat zich hun jouw jullie ik mijn ons onze volgens hem haar"
    ),
    joins=("en", "of"),
    stemmer="dutch",
    concepts="""
    open geopend opent | gesloten sluit sluiten
    terugbetalen terugbetaald terugbetaling vergoed vergoeding
    retourneren geretourneerd retour terugsturen teruggestuurd
    ruilen geruild omruilen
    beginnen begint begin start | eindigen eindigt einde
    gratis kosteloos | betaald betaalde
    geldig | ongeldig verlopen
    inbegrepen inclusief
    verzekerd gedekt | onverzekerd
    beschikbaar verkrijgbaar
    goedkeuren goedgekeurd goedkeuring toestemming | afwijzen afgewezen weigeren geweigerd
    indienen ingediend inleveren ingeleverd
    medewerker medewerkers werknemer werknemers personeelslid
    klant klanten koper
    verhogen verhoogd stijgt | verlagen verlaagd daalt
    verwijderen verwijderd wissen gewist vernietigd | bewaren bewaard
    melden gemeld doorgeven
    blokkeren geblokkeerd | deblokkeren gedeblokkeerd
    openbaar | vertrouwelijk
    bezorgen bezorgd leveren geleverd verzenden verzonden verzending
    automatisch | handmatig
    direct meteen onmiddellijk
    jaarlijks
    bestelling bestellingen
    """,
    sets="""
    maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag
    januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, november, december
    dagelijks, wekelijks, maandelijks, jaarlijks
    medewerkers medewerker werknemers, stagiairs stagiair, klanten klant, leveranciers leverancier, huurder,
        verhuurder,
        bezoekers
    duitsland, oostenrijk, zwitserland, frankrijk, italië, spanje, polen, belgië, nederland, portugal
    schriftelijk, mondeling
    helpdesk, afdelingshoofd leidinggevende, directie
    bruto, netto
    """,
    counted=word_set(
        "seconde seconden minuut minuten uur uren dag dagen werkdag werkdagen week weken maand maanden jaar jaren"
        " procent eur euro cent half twee drie vier vijf zes zeven acht negen tien elf twaalf vijftien twintig"
        " dertig veertig vijftig honderd duizend"
    ),
    breaks=word_set("maar echter"),
    generic=word_set("medewerker medewerkers werknemer werknemers klant klanten persoon personen personeel"),
)
