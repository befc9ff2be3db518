"""French words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS = LanguageWords(
    phrases={
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
    function=word_set(
        "le la les l un une des de du d et est sont était être été a ont avoir au aux à en dans sur par pour avec"
        " ce cet cette ces il elle ils elles on nous vous leur leurs son sa ses votre vos se s qu que qui y ne n"
        " tu ton ta tes mon ma mes je j notre nos cela ça comme selon d"
    ),
    joins=("et", "ou"),
    stemmer="french",
    concepts="""
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
    sets="""
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
    counted=word_set(
        "seconde secondes minute minutes heure heures h jour jours ouvré ouvrés ouvrable ouvrables semaine"
        " semaines mois an ans année années midi eur euro euros centimes chf usd demi deux trois quatre cinq six"
        " sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent mille"
    ),
    breaks=word_set("mais cependant toutefois"),
    generic=word_set("salarié salariés employé employés client clients personne personnes personnel bénéficiaire"),
)
