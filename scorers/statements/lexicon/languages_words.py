"""What single words of other languages are: alike or opposite, members of a set, units, numerals, without content."""

from __future__ import annotations

from collections.abc import Mapping

from scorers.text.normalize import word_set

CONCEPTS_IN: Mapping[str, str] = {
    "de": """
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
    "fr": """
        ouvert ouverte ouverts ouvertes ouvrir | fermé fermée fermés fermées fermer
        rembourser remboursé remboursée remboursés remboursement
        retourner retourné retournée retour retours reprendre repris reprise reprises renvoyer
        échanger échangé échangée échangées échange
        commencer commence début débuter | finir fin terminer termine
        gratuit gratuite gratuits gratuites gratuitement | payant payante payants payantes
        valable valide valables | invalide périmé expiré
        inclus incluse incluses compris comprise
        assuré assurée couvert couverte | exclu
        payé payée rémunéré rémunérée
        disponible disponibles | indisponible indisponibles
        approuver approuvé approuvée approbation accord autorisation | refuser refusé refusée refus
        déposer déposé déposée soumettre soumis soumise présenter présentée remettre
        salarié salariés employé employés employée collaborateur collaborateurs
        client clients cliente acheteur
        augmenter augmenté hausse | baisser baissé diminuer réduit
        supprimer supprimé supprimée supprimées effacer effacé effacées détruire | conserver conservé conservées garder
        signaler signalé signalée déclarer déclaré notifier notifié informer
        bloquer bloqué bloquée | débloquer débloqué
        public publique | confidentiel confidentielle
        livrer livré livraison expédier expédié expédiée expédition envoyer
        automatique automatiquement | manuel manuellement
        immédiatement aussitôt
        commande commandes
    """,
    "es": """
        abierto abierta abrir abre | cerrado cerrada cerrar cierra
        reembolsar reembolso reembolsa reembolsado
        devolver devolverse devuelto devuelta devolución devoluciones
        cambiar cambiarse cambio canjear
        empezar comienza comenzar inicio | terminar termina fin final
        gratuito gratuita gratis | pago
        válido válida | inválido caducado vencido
        incluido incluida incluye | excluido
        cubierto cubierta asegurado
        pagado pagada remunerado
        disponible disponibles
        aprobar aprobado aprobada aprueba aprobación autorización | rechazar rechazado denegar denegado
        presentar presentarse presentada entregar enviar
        empleado empleados empleada trabajador trabajadores
        cliente clientes comprador
        aumentar sube | reducir baja
        eliminar eliminan eliminarse borrar borran suprimir | conservar conservan guardar
        notificar notificarse comunicar comunicarse informar
        bloquear bloquearse bloquea bloqueada | desbloquear
        público pública | confidencial
        entregar entregamos entregas entrega envío enviar envían
        automático automáticamente | manual manualmente
        inmediatamente inmediato
        pedido pedidos
        compartir compartirse comunicar
        pedir pide solicitar solicita solicitud
    """,
    "it": """
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
    "pt": """
        aberto aberta abrir abre | fechado fechada fechar fecha
        reembolsar reembolso reembolsado
        devolver devolvido devolvidos devolvidas devolução
        trocar trocados troca
        começar começa início | terminar termina fim
        gratuito gratuita grátis | pago paga
        válido válida | inválido expirado caducado
        incluído incluída inclui | excluído
        coberto coberta segurado
        remunerado remunerada
        disponível disponíveis | indisponível
        aprovar aprovado aprovada aprovação autorização | recusar recusado negado
        apresentar apresentado entregar submeter
        funcionário funcionários empregado empregados trabalhador trabalhadores colaborador colaboradores
        cliente clientes comprador
        aumentar sobe | reduzir baixar
        eliminar eliminados apagar apagados excluir | conservar conservados guardar
        comunicar comunicado comunicados notificar informar
        bloquear bloqueado bloqueada | desbloquear
        público pública | confidencial
        entregar entregamos entrega entregas enviar enviadas envio
        automático automaticamente | manual manualmente
        imediatamente logo
        encomenda encomendas pedido pedidos
        pedir solicitar solicitação
    """,
    "nl": """
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
}
"""Words that say the same, and behind the bar their opposites."""

SETS_IN: Mapping[str, str] = {
    "de": """
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
    "fr": """
        lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche
        janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre
        quotidien, hebdomadaire, mensuel, trimestriel, annuel
        salariés salarié employés, stagiaires stagiaire, clients client, fournisseurs fournisseur, apprentis apprenti,
            locataire, propriétaire, visiteurs visiteur
        allemagne, autriche, suisse, france, italie, espagne, pologne, belgique, portugal, luxembourg
        écrit, oral verbal
        matin, soir, nuit
        brut, net
    """,
    "es": """
        lunes, martes, miércoles, jueves, viernes, sábado, domingo
        enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre
        diario, semanal, mensual, trimestral, anual
        empleados empleado, becarios becario, clientes cliente, proveedores proveedor, inquilino, propietario,
            visitantes
        alemania, austria, suiza, francia, italia, españa, polonia, bélgica, portugal, méxico, argentina
        escrito, oral verbal
        mañana, tarde, noche
        bruto, neto
    """,
    "it": """
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
    "pt": """
        segunda, terça, quarta, quinta, sexta, sábado, domingo
        janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro, dezembro
        diário, semanal, mensal, trimestral, anual
        funcionários funcionário, estagiários estagiário, clientes cliente, fornecedores fornecedor, inquilino,
            senhorio,
            visitantes
        alemanha, áustria, suíça, frança, itália, espanha, polónia polônia, bélgica, portugal, brasil
        escrito, oral verbal
        manhã, tarde, noite
        bruto, líquido
    """,
    "nl": """
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
}
"""Sets of which a thing is one member."""

COUNTED_IN: Mapping[str, frozenset[str]] = {
    "de": word_set(
        "sekunde sekunden minute minuten stunde stunden tag tage tagen werktag werktage werktagen arbeitstag"
        " arbeitstage arbeitstagen woche wochen monat monate monaten jahr jahre jahren uhr prozent eur euro cent"
        " chf usd halbe halben zwei drei vier fünf sechs sieben acht neun zehn elf zwölf fünfzehn zwanzig dreißig"
        " vierzig fünfzig hundert tausend"
    ),
    "fr": word_set(
        "seconde secondes minute minutes heure heures h jour jours ouvré ouvrés ouvrable ouvrables semaine"
        " semaines mois an ans année années midi eur euro euros centimes chf usd demi deux trois quatre cinq six"
        " sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent mille"
    ),
    "es": word_set(
        "segundo segundos minuto minutos hora horas día días laborable laborables hábil hábiles semana semanas"
        " mes meses año años eur euro euros céntimos usd media dos tres cuatro cinco seis siete ocho nueve diez"
        " once doce quince veinte treinta cuarenta cincuenta cien mil"
    ),
    "it": word_set(
        "secondo secondi minuto minuti ora ore giorno giorni lavorativo lavorativi feriale feriali settimana"
        " settimane mese mesi anno anni eur euro centesimi chf mezz mezza due tre quattro cinque sei sette otto"
        " nove dieci undici dodici quindici venti trenta quaranta cinquanta cento mille"
    ),
    "pt": word_set(
        "segundo segundos minuto minutos hora horas dia dias útil úteis semana semanas mês meses ano anos eur"
        " euro euros reais meia dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta"
        " quarenta cinquenta cem mil"
    ),
    "nl": word_set(
        "seconde seconden minuut minuten uur uren dag dagen werkdag werkdagen week weken maand maanden jaar jaren"
        " procent eur euro cent half twee drie vier vijf zes zeven acht negen tien elf twaalf vijftien twintig"
        " dertig veertig vijftig honderd duizend"
    ),
}
"""Numerals, and what a figure counts in: compared as quantities."""

BREAKS_IN: Mapping[str, frozenset[str]] = {
    "de": word_set("aber jedoch sondern"),
    "fr": word_set("mais cependant toutefois"),
    "es": word_set("pero sino"),
    "it": word_set("ma bensì però"),
    "pt": word_set("mas porém"),
    "nl": word_set("maar echter"),
}
"""Where another clause begins."""

GENERIC_IN: Mapping[str, frozenset[str]] = {
    "de": word_set("mitarbeiter mitarbeiterin mitarbeitende beschäftigte kunde kunden person personen personal"),
    "fr": word_set("salarié salariés employé employés client clients personne personnes personnel bénéficiaire"),
    "es": word_set("empleado empleados trabajador trabajadores cliente clientes persona personas personal"),
    "it": word_set("dipendente dipendenti cliente clienti persona persone personale"),
    "pt": word_set("funcionário funcionários trabalhador trabalhadores cliente clientes pessoa pessoas"),
    "nl": word_set("medewerker medewerkers werknemer werknemers klant klanten persoon personen personeel"),
}
"""Who a statement may leave unsaid, since it goes for whoever reads."""
