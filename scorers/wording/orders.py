"""The phrases that orders to an assistant are made of; alone, most of them stand in honest text too."""

from __future__ import annotations

_ORDERS = """add adjust adopt alter analyse analyze answer append apply arrange ask assess attach augment begin change
    classify close code combine compare complete compose compute confirm consider convert copy count craft create
    deliver describe design detail determine develop disclose discuss display disregard divide draft elaborate
    embed employ encode encrypt enhance enumerate estimate evaluate execute explain explore export express extract
    fetch finish forget format forward generate give guess hide highlight identify ignore illustrate imagine imitate
    incorporate include inform insert integrate interpret invent invert jumble justify leave list log make mask mention
    mimic mirror mix modify name obey obfuscate offer omit order outline output override paraphrase pass plan post
    praise predict present pretend print proceed produce promote propose prove provide publish put quote rank rate
    rearrange recite recommend redirect refer reference refuse reject remind remove rename render repeat rephrase
    replace reply report represent request respond restate return reveal reverse reword rewrite save say scramble
    search send share shift show sign simulate skip solve speak spell start state stop substitute suggest sum
    summarise summarize swap switch talk tell transcribe transform translate treat truncate turn type update use
    utter validate verify visit warn weave wrap write"""
_ORDER = "|".join(_ORDERS.split())
_REPLY = "response|responses|reply|replies|answer|answers|message|output|summary|completion|reaction"
_TALK = """assistant chatbot model instruction instructions prompt system previous user users word words sentence line
    page document passage text following note important question everything anything every"""
VOCABULARY = frozenset((*_ORDERS.split(), *_REPLY.split("|"), *_TALK.split()))
"""Words that orders are made of whatever they are about."""

_LANGUAGES = (
    "arabic|bengali|chinese|czech|danish|dutch|english|esperanto|finnish|french|german|greek|hebrew|hindi|hungarian"
    "|indonesian|italian|japanese|korean|latin|malay|mandarin|norwegian|persian|polish|portuguese|punjabi|romanian"
    "|russian|spanish|swahili|swedish|tamil|thai|turkish|ukrainian|urdu|vietnamese|welsh|klingon"
)
_RULES = "instruction*|prompt|prompts|rule|rules|guideline*|directive*|command*|constraint*|restriction*|safeguard*"
FAMILIES: dict[str, tuple[str, ...]] = {
    "order": (f"^ {_ORDER}", f"^ please|kindly|now|then|also|instead|first|finally|just ?please {_ORDER}"),
    "order_to_you": (
        f"you|assistant|ai|model|chatbot must|should|shall|will|need|have|are ?to ?now ?always {_ORDER}",
        f"you are ~2 required|instructed|ordered|asked|told|expected to {_ORDER}",
        f"make|be sure|certain ?that ?to ?you {_ORDER}",
        f"remember|want|need|like ?you to {_ORDER}",
        f"do not|never {_ORDER}",
    ),
    "ask_you": ("^ can|could|would|will you", f"can|could|would|will you ?please {_ORDER}"),
    "ask_help": (
        "^ help|show|give|tell|teach|let me|us",
        "^ i need|want|would ?like ~2 you|help|to|a|an|the",
        "^ how do|can|should|could i|we|you",
    ),
    "question_start": ("^ how|what|why|when|where|which|who|is|are|does|do|did|has|have|was|were|should",),
    "your_reply": (f"your|its ~2 {_REPLY}", f"in|to|into|of|with|for the ~1 {_REPLY}", f"in ~1 {_REPLY}"),
    "reply_with": ("reply|respond|answer|responding|replying|answering ~2 in|with|using|by|only|as",),
    "open_reply": (f"^ in|within|throughout|for|as|at|before|after|when|while ~6 {_REPLY}",),
    "override": (
        (
            f"ignore|disregard|forget|override|overrule|bypass|skip|discard|dismiss ~5 {_RULES}|above"
            f"|previous|earlier|prior"
        ),
        (
            "ignore|disregard|forget ~2 everything|anything|all|what|that|your|the ~2 above|before|said"
            "|context|question|documents"
        ),
        (
            f"new|updated|revised|real|actual|hidden|secret|additional|following"
            f"|important ~1 {_RULES} ~2 for|are|is|from|to"
        ),
        "system|developer|initial|original|hidden prompt|message|instruction*|instructions|role",
        f"your ~2 {_RULES}|programming|training|safeguards",
        "instead of ~2 answering|responding|replying",
        f"{_RULES} ~3 follow|below|apply|void|cancelled|obey",
        "no longer apply|applies|valid|bound|restricted",
        (
            "^ system|assistant|user|human|admin|developer|instruction|instructions ?new prompt|message"
            "|note|override|you|ignore|always|never|instructions"
        ),
        "stop answering|responding|summarizing",
        "only document|source|text you",
        "whatever the|other ~2 say|says",
        "admin|administrator|developer|debug|root|god|jailbreak|dan ?override mode|access",
    ),
    "role": (
        "you are now|no|actually ~1 a|an|longer|in",
        "act|behave|respond|speak|write|answer|talk ~2 as if|though|a|an|my",
        "pretend ~2 to|you|that",
        "from now on",
        "for the rest of|remainder ~3 conversation|session|chat",
        "role play|roleplay|playing",
    ),
    "to_machine": (
        "ai|language|llm|gpt* assistant|model|models|agent|agents|bot",
        "assistant|chatbot|llm|gpt|chatgpt|copilot|claude|gemini|llama",
        "if you are|were ~3 ai|assistant|model|bot|llm",
    ),
    "conceal": (
        (
            "do not|never|without ~3 tell|tells|telling|mention*|reveal*|disclos*|inform*|notify*|warn*|say|saying"
            "|explain*|acknowledg* ~5 user*|this|these|that|anyone|them|your|the|instruction*"
        ),
        "keep ~3 secret|hidden|confidential",
    ),
    "leak": (
        (
            "reveal|print|show|repeat|output|leak|display|expose|send|forward|share|email|post|upload|exfiltrate ~6"
            " prompt|instructions|password|passwords|credentials|key|keys|token|tokens|secrets|conversation|history"
            "|documents|context|data|details|records|files"
        ),
        "http|https|url|webhook|endpoint ~4 with|including|containing|and ~4 data|conversation|history|contents",
    ),
    "cipher": (
        (
            "base|base64|base32|base58|base16|hex|hexadecimal|binary|rot13|morse|cipher|cipher*|caesar|encod*|encrypt*|emoji*"
            "|backward*|anagram*|leetspeak|pig|uppercase|lowercase|capital*|monoalphabetic|alphabet*"
        ),
        (
            "reverse|reversed|invert|inverted|shift|scrambl*|rearrang*|order|sequence ~5 letter*|character*"
            "|word*|alphabet|order|sequence"
        ),
    ),
    "language": (f"in|to|into|as|using ~1 {_LANGUAGES}", "translat*"),
    "advert": (
        (
            "visit|click|subscrib*|purchase|discount|promo*|sale|deal|deals|offer|offers|advert*|newsletter"
            "|coupon|sponsor*"
        ),
        "free|exclusive|limited ~2 shipping|trial|offer|deal*|time",
        "www|http|https|link|url",
        "brand|product|company ~1 a|b|x|y|z",
    ),
    "untrue": (
        (
            "fabricat*|false|falsely|fake|mislead*|baseless|rumor*|rumour*|nonexist*|fictitious|untrue"
            "|bogus|unfounded|hoax*"
        ),
        "non exist*|existent",
        "made up",
        "too good to",
    ),
    "task": (
        "sentiment|mood|tone|emotion ~2 of|in|behind|express*",
        "sentence|tweet|review|comment|feedback|paragraph|phrase|following",
        (
            "list|recipe|script|poem|essay|story|joke|song|code|function|program|plan|itinerary|haiku"
            "|limerick|tutorial|guide"
        ),
        "benefits|drawbacks|advantages|risks|impact|trend|trends|findings|insights|statistic*|advancements|overview",
        "fact|facts|statement|hint|teaser|reference|announcement|claim|rumor|mention",
    ),
    "steer": (
        (
            "tell|ask|inform|warn|convince|persuade|advise|direct|send ~1 user|users|reader|readers|them"
            "|anyone|person|people|customer"
        ),
        "if|when|whenever ~3 asks|asked|asking|summarize|summarise|answer|reply|respond|describe|review",
        "always|never|only ~1 answer|say|reply|respond|recommend|mention|use|speak|write|tell|give",
        "say|state|claim|write|mention|pretend|confirm|insist that",
        "word|words|sentence|phrase|line|paragraph to|in|at ~1 every|each|the|your",
        "rate|rank|score|grade|recommend|praise ~4 as|first|best|highest|positive|excellent|above",
        "positive|favorable|favourable|perfect review|rating|score|evaluation",
        "user|users s|is|email|password|account|question|address|data",
        "this|your conversation|chat|thread|session|prompt",
        "tool|tools|function|command|file|files|mail ~3 to|on|with|you|every",
    ),
    "about_users": ("user|users|reader|readers|customer|customers ~3 to|that|should|must|share|visit|send",),
}
"""Phrases by what they do."""
