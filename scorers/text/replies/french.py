"""How a French reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_HELP = (
    "aider|répondre|assister|renseigner|communiquer|divulguer|révéler|commenter|satisfaire|traiter|accéder|conseiller"
    "|discuter|donner|transmettre|partager|prononcer|fournir"
)
_FACTS = (
    "information|informations|info|infos|donnée|données|renseignement|renseignements|précision|précisions|indication"
    "|indications|détail|détails|réponse|mention|élément|éléments|trace|document|documents|source|résultat|résultats"
    "|passage|référence|connaissance"
)
_SOURCES = (
    "document|documents|source|sources|contexte|texte|textes|passage|passages|extrait|extraits|informations|politique"
    "|politiques|règlement|guide|manuel|base|données|contenu|contenus|article|articles|documentation|éléments|contrat"
)
_SAYS = (
    "mentionne|mentionnent|précise|précisent|indique|indiquent|dit|disent|évoque|évoquent|aborde|abordent|spécifie"
    "|spécifient|parle|parlent|répond|répondent|stipule|renseigne"
)
_HOLDS = (
    "contient|contiennent|fournit|fournissent|comporte|comportent|donne|donnent|offre|offrent|apporte|apportent|font"
    "|fait|permet|permettent|contenait"
)
_SAID = (
    "mentionné|mentionnée|mentionnés|mentionnées|précisé|précisée|indiqué|indiquée|spécifié|spécifiée"
    "|abordé|abordée|évoqué|évoquée"
    "|stipulé|renseigné"
)

WORDING = Wording(
    declines=(
        "cette|votre|la ~1 demande|question|requête ~1 dépasse|excède ~3 mes|mon|nos|notre|je|nous|cadre",
        "ne ~2 fait|font|relève|relèvent|entre|rentre pas ~4 mes|mon|ma|nos|mission|attributions|compétences|fonctions",
        "n est|sont pas ~4 mon|mes|ma|ressort|rôle|mission",
        "hors|dehors ~3 mon|ma|mes|notre|nos",
        "ce n est pas ~3 quelque|mon|ma|à",
        "je ne ~1 peux|puis|pourrai|pourrais|saurais|suis|dois|veux|souhaite|vais ~2 pas",
        "je ne ~1 peux|puis|saurais ~2",
        "je ne suis ~1 pas ~2 autorisé|autorisée|habilité|habilitée|mesure|capable|capacité",
        "je n ai pas ~2 droit|autorisation|possibilité|habilitation",
        f"nous ne ~1 pouvons|pourrons|saurions|sommes ~6 {_HELP}",
        "je ~1 dois|préfère ~3 refuser|décliner|abstenir",
        "je préfère ne pas",
        "je ~2 refuse|décline",
        "je suis dans l impossibilité",
        (
            "je|nous ~1 ne|n ~2 donne|commente|partage|divulgue|communique|fournis|réponds|aiderai"
            "|répondrai|dirai|exécuterai|traite|peux ~1 pas|rien|aucun|aucune"
        ),
        "^ je ne|n ~6 pas|rien|aucun|aucune|plus",
        (
            "^ non|désolé|désolée|navré|navrée|malheureusement|hélas|donc|cependant|toutefois ~3 je ne|n ~6 pas"
            "|rien|aucun|aucune"
        ),
        "ne m ~2 appartient|incombe|revient|permet ~1 pas",
        "m est|reste ~2 interdit|interdite|impossible|défendu",
        "il m est ~2 impossible|interdit",
        "il ne m est pas ~2 possible|permis",
        f"impossible de|d ~3 {_HELP}",
        "désolé|désolée|désolés ~4 ne ~1 peux|puis|pouvons",
        "ne ~2 relève|relèvent pas ~3 mon|ma|mes|notre|nos",
        "sort|dépasse|hors ~3 mon|ma|mes",
        "cette|votre|ce ~2 demande|question|requête ~4 ne peut ~3 être ~2 traitée|satisfaite|acceptée",
        "m est ~3 impossible|interdit ~2 de|d",
        "je me ~1 permets pas",
        f"pas ~1 autorisé|autorisée|habilité|habilitée à ~3 {_HELP}",
        "en tant qu ~3 ia|assistant|intelligence ~4 ne",
    ),
    abstains=(
        f"^ rien ~6 {_SOURCES} ~4 ne",
        f"rien ~3 dans ~5 {_SOURCES}",
        "ne|n ~1 y figure|apparaît|apparaissent|figurent ~1 pas",
        "ne ~2 figure|figurent|apparaît|apparaissent|trouve pas",
        f"{_SOURCES} ~6 ne|n ~3 {_SAYS}|traitent|traite|portent|porte|concernent ~2 pas|rien",
        "n ai ~2 rien|pas|aucune|aucun ~3 trouvé|vu|trouvée",
        "je ne saurais ~4 dire|répondre|préciser",
        "je préfère|aime ~2 ne|pas ~4 deviner|spéculer|avancer|hasarder",
        "information|donnée|réponse|renseignement|précision ~2 non ~1 disponible|fournie|trouvée|précisée|communiquée",
        "non ~1 disponible|précisé|mentionné|renseigné|indiqué $",
        f"n est|sont ~3 pas|nulle ~5 {_SAID}|dit|dite|donné|expliqué|traité",
        "impossible|difficile de ~2 répondre|dire|savoir|déterminer",
        "ne permet|permettent ~2 pas de ~3 répondre|dire|savoir|déterminer|conclure",
        "parlez vous|parles tu de",
        "voulez vous|veux tu ~2 dire|parler",
        "pourriez|pouvez|peux|pourrais vous|tu ~6 préciser|reformuler|clarifier|indiquer|détailler|plus",
        "que|quoi|quel|quelle|quels|quelles ~5 voulez|entendez|parlez|s agit|précisément",
        "merci de ~3 préciser|reformuler|clarifier",
        "je ne ~1 dispose|trouve|possède|vois|détiens|connais|sais|retrouve ~2 pas|aucune|aucun|rien",
        f"je n ai ~2 pas|rien|aucune|aucun ~4 {_FACTS}|trouvé|accès|idée|trouver|pu",
        "je n ~1 ai ~1 rien|pas trouvé",
        f"nous ne ~1 disposons|trouvons|possédons ~2 pas|aucune|aucun ~4 {_FACTS}",
        f"nous n avons ~1 pas|aucune|aucun|rien ~3 {_FACTS}|trouvé",
        "je l ignore",
        "j ignore",
        "je ne suis pas ~1 sûr|sûre|certain|certaine",
        (
            "je|nous ~1 ne|n ~2 parviens|peux|puis|arrive|suis|pouvons|ai|avons ~3 pas|pu ~8 trouver|déterminer"
            "|confirmer|vérifier|établir|savoir|déduire|localiser|identifier|trouvé"
        ),
        f"{_SOURCES} ~6 ne|n ~3 {_SAYS} ~2 pas|aucune|aucun|rien|ni",
        f"{_SOURCES} ~6 ne|n ~3 {_HOLDS} ~2 pas|aucune|aucun|rien|ni ~4 {_FACTS}|répondre|savoir|déterminer|sujet|dire",
        f"ne|n ~3 {_SAYS} ~2 pas|aucune|aucun|rien ~8 {_SOURCES}",
        f"aucun|aucune ~3 {_FACTS} ~10 {_SOURCES}|disponible|trouvé|trouvée|sujet|concernant|relative|relatif",
        f"^ aucun|aucune ~2 {_FACTS}",
        f"aucun|aucune ~3 {_SOURCES} ~6 ne|n ~3 {_SAYS}|{_HOLDS}",
        (
            f"{_SOURCES} ~2 reste|restent|demeure|est|sont ~2 muet|muette|muets|muettes|silencieux|silencieuse"
            "|lacunaire|lacunaires"
        ),
        f"aucun|aucune|nul ~3 {_SOURCES} ~2 ne ~2 traite|couvre|concerne|porte|répond|aborde",
        "n est|sont pas ~1 traité|traitée|couvert|couverte|détaillé|détaillée|défini ~3 dans|par",
        "m échappe",
        "n en est ~2 pas|nulle ~2 question|fait",
        "n|ne ~2 ai|avons ~2 pas|aucune connaissance",
        "sans ~2 rien|en ~1 trouver|trouvé",
        "sans ~1 trouver",
        f"{_SOURCES} ~4 ne|n ~2 cite|citent|traite|traitent|couvrent|prévoit|prévoient ~1 pas|aucune|aucun|rien",
        f"rien ~3 dans|sur ~5 {_SOURCES}|sujet",
        f"n est|sont ~2 pas|nulle ~4 {_SAID}",
        "ne sont pas ~3 précisés|mentionnés|indiqués|mentionnées|précisées|indiquées",
        f"ne figure|figurent|trouve|apparaît|apparaissent ~2 pas|nulle ~6 {_SOURCES}",
        f"{_FACTS} ~4 ne figure|figurent|trouve|est|sont pas ~4",
        f"il n y a|avait ~2 pas|aucune|aucun|rien ~3 {_FACTS}",
        f"il n existe ~1 pas|aucune|aucun ~2 {_FACTS}",
        "il ~1 est ~2 impossible ~2 de|d ~2 savoir|dire|déterminer|confirmer|conclure",
        f"pas ~1 assez|suffisamment d|de ~2 {_FACTS}",
        "informations|données|éléments ~4 insuffisantes|insuffisants|manquent|indisponibles",
        "manque d|de informations|information|données|précisions|éléments",
        "faute d|de ~3 informations|information|données|précisions|éléments",
        "m est ~1 inconnu|inconnue",
    ),
    refers=(
        (
            "pourra|pourront|saura|sauront|peut|peuvent ~2 vous|te ~4 aider|renseigner|répondre|dire|conseiller"
            "|informer|éclairer|guider|le"
        ),
        "vous le|la dira|diront|précisera|confirmera|indiquera",
        "adressez|tournez|renseignez|rapprochez vous",
        "consultez|contactez|demandez|appelez|interrogez|parlez|voyez",
        "parlez ~1 en ~1 à",
        "il vaut|vaudrait mieux|préférable ~4 demander|contacter|consulter|poser",
        "je ~1 transmets|transfère|vous mets|passe ~6",
        "veuillez ~3 contacter|consulter|adresser|demander|appeler|voir",
        "contactez|consultez|adressez|demandez|rapprochez|renseignez|appelez|vérifiez",
        "vous ~2 pouvez|pourrez|devriez ~3 contacter|consulter|adresser|appeler|demander",
        (
            "je vous ~2 invite|conseille|recommande|suggère|encourage ~4 contacter|consulter|adresser"
            "|rapprocher|demander|vous"
        ),
        "merci de ~2 contacter|consulter|adresser|voir|appeler",
        "saura|pourra|pourront|sauront vous ~3 aider|renseigner|répondre|conseiller",
    ),
    courtesy=(
        "^ bonjour|bonsoir|salut|coucou",
        "^ désolé|désolée|navré ~3 $",
        "comment|en quoi puis|peux|pouvons je|nous ~6",
        "je vous|t en prie",
        "^ bonne|belle|excellente ~1 journée|soirée|continuation|week",
        "^ au|à revoir|bientôt|plus",
        "^ avec grand|plaisir",
        "^ c est un plaisir",
        "je ~2 aide|aiderai|réponds ~4 volontiers|questions|sur",
        "^ s il vous plaît",
        "^ malheureusement|hélas|cependant $",
        "^ bonjour|bonsoir|salut|bienvenue|coucou",
        "^ merci",
        "de rien",
        "^ je vous|t en prie",
        "avec plaisir",
        "puis je vous aider|être",
        "n hésitez|hésite pas",
        "je reste|suis ~2 votre disposition",
        "^ je ~1 comprends",
        "^ bonne|excellente|belle ~1 question|journée|chance|soirée",
        "^ c est une ~2 question",
        "^ je suis ~1 désolé|désolée|navré|navrée $",
        "^ désolé|désolée|pardon|navré $",
        "^ j espère",
        "^ cordialement",
    ),
    about=(
        f"{_SOURCES} ~5 parlent|parle|traitent|traite|portent|porte|concernent|concerne|décrivent|décrit|abordent",
        "j ai ~3 cherché|regardé|consulté|vérifié|parcouru",
        f"avec|selon|dans ~2 {_SOURCES} ~6 $",
        "avec|selon les ~1 éléments|informations",
    ),
)
