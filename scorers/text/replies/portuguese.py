"""How a Portuguese reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_HELP = (
    "ajudar|ajudá|responder|assistir|fornecer|prestar|dar|comunicar|divulgar|revelar|comentar|partilhar|compartilhar"
    "|atender|aconselhar|informar|discutir|auxiliar|opinar|esclarecer"
)
_FACTS = (
    "informação|informações|dado|dados|detalhe|detalhes|resposta|indicação|indicações|referência|referências|menção"
    "|elementos|documento|documentos|evidência|conhecimento|registo|registro|resultados|acesso"
)
_SOURCES = (
    "documento|documentos|fonte|fontes|contexto|texto|textos|trecho|trechos|passagem|passagens|excerto"
    "|excertos|informações"
    "|informação|política|políticas|manual|guia|base|dados|conteúdo|conteúdos|artigo|artigos|documentação|material"
    "|materiais|regulamento|contrato"
)
_SAYS = (
    "menciona|mencionam|especifica|especificam|indica|indicam|diz|dizem|esclarece|esclarecem|refere|referem|aborda"
    "|abordam|responde|respondem|fala|falam|detalha|detalham|cita|citam|informa|informam"
)
_HOLDS = (
    "contém|contêm|fornece|fornecem|oferece|oferecem|inclui|incluem|permite|permitem|traz|trazem|dá|dão|faz|fazem|tem"
    "|apresenta|apresentam"
)

WORDING = Wording(
    declines=(
        "está|estão|fica|ficam|cai ~1 fora|além ~3 do|das|da|que|meu|minhas",
        "não ~1 faz|fazem|está|estão|é|cabe ~2 parte|entre|dentro|nas|das ~2 minhas|meu|minha|meus",
        "não posso ~2 fazer|dar|oferecer|prestar|recomendar|fornecer",
        "fora|além do|das|da ~2 que|minhas|meu|minha|âmbito",
        "não ~1 posso|poderei|poderia|devo|vou|pretendo",
        "não ~1 estou ~1 autorizado|autorizada|habilitado|habilitada|apto|em",
        "não ~1 me ~2 possível|permitido|permite|compete",
        "não ~2 possível ~1 responder|ajudá|ajudar ~4",
        "não ~1 consigo ~3 ajudar|ajudá|responder|atender|fornecer|prestar|auxiliar",
        "não tenho ~1 autorização|permissão",
        (
            f"não ~1 podemos|poderemos ~3 {_HELP} ~5 essa|esta|informação|informações|esse|este|lo|pergunta"
            "|pedido|nisso|isso|sobre|detalhes"
        ),
        "lamento|lamentamos|sinto ~3 não ~1 poder|posso|podemos",
        "receio ~2 não ~1 poder|possa|posso|conseguir",
        "tenho|devo ~1 que|de recusar|declinar",
        "preciso|devo recusar|declinar|abster*",
        "prefiro não",
        "recuso",
        "fora|foge|ultrapassa ~2 meu|minha|minhas|meus|nosso|nossa",
        "o|a ~1 seu|sua|este|esse|esta|essa pedido|pergunta|solicitação ~3 não ~1 pode",
        "como|enquanto ~3 assistente|ia|modelo ~6 não",
        "me é ~1 impossível",
        "é me ~1 impossível|vedado",
        "não forneço|dou|partilho|compartilho|faço|presto",
        "abstenho",
        "não ~1 quero|desejo|pretendo|costumo",
        "não ~1 me ~1 cabe|compete|incumbe",
        "não ~1 cabe me",
        "não tenho ~2 direito|autorização|permissão",
        "não ~2 redigirei|escreverei|farei|criarei|gerarei|falarei|partilharei|compartilharei|participarei|colaborarei",
        "não ~2 ajudarei|responderei|direi|darei|revelarei|executarei|comento|revelo|respondo",
        "é|está me ~1 vedado|proibido",
    ),
    abstains=(
        f"{_SOURCES} ~2 nada {_SAYS}",
        (
            "não ~1 há|existe|aparece|consta|figura|encontro|vejo|diz ~2 nada|nenhuma|nenhum|dados|informação"
            "|informações|menção|referência"
        ),
        (
            "não ~2 é|são|foi|vem ~2 referido|referida|mencionado|mencionada|indicado|indicada|abordado|abordada"
            "|dito|especificado|especificada|tratado|tratada|explicado"
        ),
        (
            f"{_SOURCES} ~5 não ~2 {_SAYS}|dizem|diz|falam|fala|tratam|trata|referem|refere|contêm|contém|abordam"
            "|indicam|indica"
        ),
        "nenhum|nenhuma ~5 é|são|está ~2 mencionado|mencionada|referido|referida|indicado|indicada|dado|dada",
        "não ~1 consta|constam|figura|figuram|aparece|aparecem ~6",
        "não ~1 encontrei|achei|localizei|vi|encontro|vejo",
        "informação|dado|dados|resposta|informações ~2 não ~1 disponível|disponíveis|encontrada|fornecida|especificada",
        "não ~1 é possível|consigo|sei|posso|saberia ~3 responder|dizer|saber|determinar|indicar|confirmar|precisar",
        "não sei",
        "prefiro|preferiria não ~3 adivinhar|especular|arriscar|supor",
        "refere|referes se|te ~3 à|ao|a",
        "quer|queres dizer",
        "poderia|pode|podes|podia ~2 especificar|esclarecer|precisar|reformular|detalhar|indicar ~2",
        "a|o|qual ~2 que ~4 refere|referes|exatamente|concretamente",
        f"não ~1 tenho|possuo|disponho|temos|possuímos|dispomos|há|existe|existem|havia ~4 {_FACTS}",
        "não ~1 encontrei|encontro|encontramos|localizei|achei|vejo|localizo",
        "não ~1 foi|foram ~1 possível|encontrado|encontrada|encontradas|encontrados|localizada|fornecida|fornecidas",
        (
            "não ~1 posso|pude|podemos|consigo|consegui|conseguimos ~3 encontrar|determinar|confirmar|verificar"
            "|saber|localizar|apurar|deduzir|precisar|afirmar"
        ),
        "não ~2 posso|sei|consigo ~1 dizer ~1 se|quando|quem|quanto|qual|como",
        "não sei",
        "não ~1 o sei",
        "desconheço",
        "não ~1 conheço",
        "não tenho ~1 certeza|a ~1 certeza",
        f"{_SOURCES} ~8 não|nem ~2 {_SAYS}",
        f"{_SOURCES} ~8 não|nem ~2 {_HOLDS} ~3 {_FACTS}|determinar|responder|saber|nada|qualquer",
        f"não ~1 {_SAYS}|consta|constam|aparece|surge|figura ~8 {_SOURCES}",
        "não ~1 consta|constam ~5",
        (
            "não ~1 é|são|está|estão|foi|vem ~1 mencionado|mencionada|especificado|especificada|indicado"
            "|indicada|referido|referida|claro|informado|informada|mencionados|mencionadas|descrito|descrita"
            "|esclarecido"
        ),
        f"nenhum|nenhuma ~2 {_FACTS} ~8 {_SOURCES}|disponível|encontrada|encontrado|sobre|respeito",
        f"^ nenhum|nenhuma ~1 {_FACTS}",
        f"nenhum|nenhuma ~3 {_SOURCES} ~4 {_SAYS}|{_HOLDS}",
        f"{_SOURCES} ~2 é|são|fica|ficam ~2 omissa|omisso|omissos|omissas|silente",
        f"nenhum|nenhuma ~3 {_SOURCES} ~3 trata|tratam|cobre|responde",
        (
            "não ~1 é|são|está|foi ~1 abordado|abordada|tratado|tratada|contemplado|contemplada|coberto"
            "|explicado ~3 no|nos|na|nas|pelo|pela"
        ),
        f"nada ~3 nos|nas|no|na|sobre ~5 {_SOURCES}|assunto",
        "faltam|falta ~2 informações|informação|dados|elementos",
        "informações|informação|dados ~4 insuficientes|insuficiente",
        "não ~2 suficiente|suficientes ~1 informação|informações|dados",
        "informação|informações|dados suficiente|suficientes ~2 para ~3",
        "não é possível ~1 determinar|saber|confirmar|dizer|concluir|apurar",
        "informação|informações ~5 não ~1 está|estão|consta|constam ~2",
        "não se ~1 sabe|encontra ~4",
    ),
    refers=(
        (
            "poderá|poderão|saberá|saberão|pode|podem ~2 ajudar|ajudá|esclarecer|informar|orientar|responder"
            "|dizer|confirmar|indicar|aconselhar"
        ),
        "fale|contacte|contate|consulte|pergunte|procure|dirija|ligue",
        "é melhor|preferível ~4 perguntar|consultar|falar|contactar",
        "vou|irei ~2 transferir|encaminhar|passar|ligar",
        (
            "contacte|contate|consulte|pergunte|ligue|fale|dirija|procure|contacta|fala|verifique ~3 o|a|com"
            "|para|ao|à|os|as|se|junto"
        ),
        "entre em contacto|contato",
        "por favor ~2 contacte|contate|consulte|fale|entre|pergunte",
        (
            "sugiro|recomendo|aconselho|recomendamos|sugerimos ~4 contactar|contatar|consultar|contacte"
            "|consulte|falar|entre|que|fale|procure"
        ),
        "pode|poderá|deve ~2 contactar|contatar|consultar|perguntar|falar|ligar|dirigir",
        "poderá|poderão|saberá ~1 ajudá|ajudar|esclarecer|informar|orientar",
    ),
    courtesy=(
        "^ olá|oi|bom|boa",
        "como|em que posso|podemos ~4",
        "tenha ~1 um|uma ~1 bom|boa|ótimo|excelente",
        "^ desculpe|desculpa|lamento ~2 $",
        "^ infelizmente $",
        "^ de nada",
        "^ disponha|imagina|perfeito|certo|claro",
        "^ até logo|breve|já|amanhã",
        "^ por favor $",
        "posso ajudar|responder ~6",
        "^ olá|oi|bom|boa|boas|bem vindo|dia|tarde|noite|vinda",
        "^ olá|oi",
        "^ obrigado|obrigada|agradeço",
        "de nada",
        "em que ~1 posso ajudar*",
        "como posso ajudar*|ajudá",
        "fico|estou ~2 disposição|dispor",
        "não hesite",
        "^ compreendo|entendo|percebo",
        "^ boa|ótima|excelente pergunta|questão",
        "^ lamento|desculpe|desculpa|perdão $",
        "^ espero",
        "com prazer|gosto $",
        "tenha ~2 dia",
    ),
    about=(
        f"{_SOURCES} ~5 tratam|trata|falam|fala|descrevem|descreve|referem|dizem ~1 se|do|da|de|o|a|respeito",
        "procurei|pesquisei|verifiquei|consultei",
        f"com|segundo|em|base ~2 {_SOURCES} ~6 $",
        "com base|a ~2 informação|informações|trechos|textos|nos",
    ),
)
