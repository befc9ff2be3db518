"""French words by what they say in a statement."""

from __future__ import annotations

from scorers.statements.lexicon.languages.base import LanguageWords
from scorers.text.normalize import word_set

WORDS: LanguageWords = LanguageWords(
    phrases={
        "MAY": """
            peut/peuvent/peux/puis/pouvez/pouvons/pourra/pourront/pourrez
            autorisé/autorisée/autorisés/autorisées/permis/permise/permises/possible/possibles/admis/admise/admises
            a/ont/avez le droit
            toléré/tolérée/tolérés/tolérées/accepté/acceptée/acceptés/acceptées/pourrez/pourra/pourrait
            autorise/autorisent/permet/permettent/accepte/acceptent
            permis de
        """,
        "MUST": """
            doit/doivent/dois/devez/devons/devra/devront/faut
            devra/devront/devrez
            faudra
        """,
        "NEED": """
            besoin
            obligatoire/obligatoires/nécessaire/nécessaires/requis/requise/exigé/exigée/obligé/obligée/obligés
            tenu/tenus/tenue
            exige/exigent/nécessite/nécessitent
            indispensable/indispensables/exigés/exigées/requises/obligées/tenues/impératif/impérative
            fait l? objet d
            a/ont/avez l obligation
        """,
        "SHOULD": "devrait/devraient\nrecommandé/recommandée/conseillé",
        "FORBID": """
            interdit/interdite/interdits/interdites/impossible/exclu/exclus/exclue/exclues
            prohibé/prohibée/prohibés/proscrit/proscrite/proscrits/défendu/interdisent/interdit/interdire
        """,
        "NOTNEED": """
            facultatif/facultative/facultatifs/facultatives/optionnel/optionnelle/optionnels/optionnelles
            dispensé/dispensée/dispensés/dispensées/volontaire/inutile/superflu
        """,
        "NEG": "pas/jamais/aucun/aucune/rien/ni/non/nul/nulle",
        "ONLYIF": """
            seulement/uniquement si/avec/après/pour
            que si
            seulement avec/sur/en/à/lors
            sous réserve de/d/que
            uniquement sur/à/en/lors
            exclusivement sur/avec/après/pour
        """,
        "INSTEAD": """
            au lieu de/du/des/d
            et non par/pas
            et non pas?
        """,
        "UNLESS": """
            sauf si/quand/lorsque/en/avec
            à moins que/qu/de/d/du
            sauf à/au/pour
            hors cas
        """,
        "EXC": """
            sauf/excepté/hormis
            à l exception de/du/des
            à part
            hormis
            en dehors de/du/des
            mis/mise à part
            à l exception
        """,
        "EVENIF": """
            même si/en/avec/sans/pendant
            y compris en/pendant
            y compris
            sans condition de/d
            peu importe
            que ce soit
            indépendamment de/du/des
            malgré
            même lorsque/quand/après/avant
        """,
        "IF": """
            si/lorsque/quand
            à condition que/de
            pourvu que
            dès lors que/qu
            à condition d
            dans la mesure où
            en cas de/d
            tant que/qu
        """,
        "WITHOUT": "sans",
        "BEFORE": "avant",
        "AFTER": "après/dès",
        "UNTIL": "jusqu/jusque",
        "ALL": "tous/toutes/tout/toute/chaque",
        "SOME": """
            certains/certaines/quelques/plusieurs
            une partie
        """,
        "ONLY": "seul/seuls/seule/seules/uniquement/seulement/exclusivement",
        "ALWAYS": "toujours",
        "BOUND": """
            pas/jamais? plus/moins de
            dépasse/dépassent/dépasser pas/jamais
            au plus/moins/maximum/minimum
            au plus tard
            doit/doivent/peut/peuvent/pouvez pas dépasser/excéder
            ne? pas dépasser/excéder
            pas plus/moins de
        """,
    },
    function=word_set(
        "le la les l un une des de du d et est sont était être été a ont avoir au aux à en dans sur par pour avec"
        " ce cet cette ces il elle ils elles on nous vous leur leurs son sa ses votre vos se s qu que qui y ne n"
        " tu ton ta tes mon ma mes je j notre nos cela ça comme selon d"
        " aussi également déjà encore malheureusement désolé donc alors bien sûr très ici là dont où lui moi toi"
        " leurs nos vos chez lors ainsi elles car puisque cela c ceci auprès fait faire font"
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
    gratuit gratuite gratuits gratuites gratuitement offert offerte offerts | payer paie payez paient coûte coûter
        coûtera facturé facturée facturés
    télétravailler télétravail distance
    démissionner démission
    oral oralement verbal | écrit écrite
    sous-louer location
    noter écrire inscrire
    perdu perte perdre perdent | conservé conserver reporté
    congé congés vacances
    délai période durée
    verrouillé verrouillée bloqué bloquée | déverrouillé
    montant somme
    chien chiens
    utiliser utilisation usage utilisé utilisée
    garer gare stationner stationnement parking
    prévenir prévenez avertir signaler informer
    renouveler renouvelé renouvelée prolonger prolongation
    annuler annulé annulée annulés annulation
    inscription inscrire inscrit
    absence absent absents absente
    certificat attestation justificatif
    propriétaire bailleur
    locataire locataires
    retard retards
    immédiatement aussitôt sans-délai suite
    remplacer remplacé remplacés remplacement changer changé changés
    personnel privé personnelle privée | professionnel professionnelle
    fumer tabac
    accompagné accompagnée accompagnés accompagner
    individuel individuelle | collectif collective
    temporaire provisoire | permanent définitif
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
    employeur entreprise société, salarié salariés employé, client cliente acheteur, vendeur magasin, conducteur
        chauffeur
    parents, école, enseignant
    """,
    counted=word_set(
        "seconde secondes minute minutes heure heures h jour jours ouvré ouvrés ouvrable ouvrables semaine"
        " semaines mois an ans année années midi eur euro euros centimes chf usd demi deux trois quatre cinq six"
        " sept huit neuf dix onze douze quinze vingt trente quarante cinquante cent mille"
    ),
    breaks=word_set("mais cependant toutefois"),
    forms="""
    ait aient eu avait avaient aura: avoir
    rendu rendue rendus rendues rend rendent: rendre
    tient tiennent tenu: tenir
    perd perdent perdu perdue perdus: perdre
    vend vendu vendue vendus vendues: vendre
    reçoit reçoivent reçu reçue reçus recevez: recevoir
    prend prennent pris prise prises prenez: prendre
    prévient préviennent prévenu prévenez: prévenir
    """,
    resuming=word_set("il elle ils elles on nous vous"),
    participles=("é", "ée", "és", "ées", "u", "ue", "us", "ues", "is", "ise", "ises", "it", "ite", "its", "ites"),
    generic=word_set("salarié salariés employé employés client clients personne personnes personnel bénéficiaire"),
)
