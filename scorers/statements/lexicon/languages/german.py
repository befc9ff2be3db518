"""German words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS = LanguageWords(
    phrases={
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
    function=word_set(
        "der die das den dem des ein eine einen einem einer eines und ist sind war waren wird werden wurde wurden"
        " worden hat haben hatte zu zum zur in im an am auf aus mit von vom für bei durch um über unter als auch"
        " es sie er wir ihr ihre ihren ihrem ihrer sein seine seinen sich dies diese dieser dieses daher dann noch"
        " man sehr so du dein deine deinen deinem deiner mein meine meinen ihnen mir dir euch unser unsere unseren"
        " ich wir bitte laut gemäß beim vom ebenso entsteht entstehen"
    ),
    joins=("und", "oder"),
    stemmer="german",
    concepts="""
    offen geöffnet öffnen öffnet | geschlossen schließen schließt
    erstatten erstattet erstattung rückerstattung vergütet zurückerstattet
    zurückgeben zurückgegeben rückgabe retour zurückgenommen zurückschicken rücksendung
    umtauschen umgetauscht umtausch
    beginnen beginnt anfang start starten | enden endet ende
    kostenlos kostenfrei gratis unentgeltlich gebührenfrei | kostenpflichtig gebührenpflichtig
    gültig | ungültig abgelaufen
    enthalten inbegriffen eingeschlossen inklusive | ausgenommen
    versichert gedeckt | unversichert
    bezahlt | unbezahlt
    verfügbar erhältlich | nichtverfügbar
    genehmigen genehmigt genehmigung zustimmung | ablehnen abgelehnt ablehnung
    einreichen eingereicht vorlegen vorgelegt abgeben abgegeben
    mitarbeiter mitarbeiterin mitarbeiterinnen beschäftigte beschäftigten angestellte
    kunde kunden kundin käufer
    erhöhen erhöht steigen steigt | senken gesenkt sinken sinkt
    minimum mindest | maximum höchst
    innerhalb binnen
    löschen gelöscht löschung entfernt vernichtet | aufbewahren aufbewahrt aufbewahrung gespeichert
    melden gemeldet meldung mitteilen mitgeteilt anzeigen
    sperren gesperrt sperrung | entsperren entsperrt freigeben
    öffentlich | vertraulich geheim
    liefern geliefert lieferung verschicken verschickt versand versendet zustellen zugestellt
    automatisch | manuell
    sofort unverzüglich umgehend
    vorher zuvor | nachher danach
    bestellung bestellungen auftrag
""",
    sets="""
    montag montags, dienstag dienstags, mittwoch mittwochs, donnerstag donnerstags, freitag freitags, samstag
        samstags
        sonnabend, sonntag sonntags
    januar, februar, märz, april, mai, juni, juli, august, september, oktober, november, dezember
    täglich, wöchentlich, monatlich, vierteljährlich, jährlich
    mitarbeiter beschäftigte, führungskräfte vorgesetzte, praktikanten, kunden kunde, lieferanten lieferant, gäste
        besucher, mieter, vermieter, auszubildende, werkstudenten
    vollzeit, teilzeit
    deutschland, österreich, schweiz, frankreich, italien, spanien, polen, belgien, niederlande, portugal, dänemark
    schriftlich, mündlich
    helpdesk, abteilungsleiter teamleiter vorgesetzter, personalabteilung, geschäftsführung, betriebsrat,
        buchhaltung,
        rechtsabteilung
    brutto, netto
    debitkarte, kreditkarte, bargeld, überweisung, lastschrift
""",
    counted=word_set(
        "sekunde sekunden minute minuten stunde stunden tag tage tagen werktag werktage werktagen arbeitstag"
        " arbeitstage arbeitstagen woche wochen monat monate monaten jahr jahre jahren uhr prozent eur euro cent"
        " chf usd halbe halben zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig"
        " vierzig fünfzig hundert tausend"
    ),
    breaks=word_set("aber jedoch sondern"),
    generic=word_set("mitarbeiter mitarbeiterin mitarbeitende beschäftigte kunde kunden person personen personal"),
)
