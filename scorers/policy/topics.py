"""Which questions ask for advice that only licensed persons may give: medical, legal, financial."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from scorers.text.phrases import Phrases

Topic = Literal["financial", "legal", "medical"]

_BODY = (
    "head|neck|throat|jaw|ear|ears|eye|eyes|nose|tooth|teeth|gum|gums|tongue|chest|breast|back|spine|shoulder|shoulders"
    "|arm|arms|elbow|wrist|hand|hands|finger|fingers|stomach|belly|abdomen|groin|hip|hips|leg|legs|knee|knees|ankle"
    "|foot|feet|heel|toe|toes|skin|muscle|muscles|joint|joints"
)
_COMPLAINT = (
    "hurt|hurts|hurting|painful|sore|swollen|swell*|numb|numbness|bleed|bleeds|bleeding|itch*|burns|burning|tight"
    "|tightness|stiff|stiffness|ache*|aching|tender|tingl*|lump|weak|weakness|twitch*|cramp*|throb*|infected|broken"
)
_DRUG = re.compile(
    r"[a-z]{3,20}(?:mab|tinib|pril|olol|vastatin|cillin|conazole|oxacin|cycline|sartan|prazole|azepam|azolam|oxetine"
    r"|traline|formin|gliptin|gliflozin|glutide|caine|codone|profen|triptan|ciclovir|setron|dronate|thiazide|parin)"
)
"""Names of medicines, by the stems that the World Health Organization gives their classes (INN stem book, 2018)."""

_CARED_FOR = (
    "child|children|kid|kids|baby|babies|toddler*|infant*|newborn*|teenager*|adult|adults|elderly|diabetic*|patient|patients"
    "|pregnant|old"
)
_SUBJECTS: dict[str, tuple[str, ...]] = {
    "medical": (
        "symptom*|diagnos*|disease*|illness*|disorder*|syndrome*|infection*|cancer*|tumor*|tumour*|diabet*|asthma|allerg*",
        "medicine*|medication*|drug|drugs|dose|doses|dosage|prescription*|prescrib*|pill|pills|tablet|tablets|antibiotic*",
        "painkiller*|ibuprofen|paracetamol|acetaminophen|naproxen|tramadol|morphine|warfarin|cortisone|prednis*|tylenol",
        "aspirin|insulin|antidepressant*|vaccine*|vaccinat*|steroid*|statin*|opioid*",
        "treat|treated|treating|treatment*|therap*|remedy|remedies|cure|cures|heal|surgery|surgeries|wound*|injur*",
        "pain|pains|ache|aches|headache*|migraine*|fever|rash|cough*|nausea|vomit*|dizz*|insomnia|depress*|anxiety|fatigue",
        "pregnan*|miscarr*|contracept*|menopaus*|dehydrat*|epilep*|arthritis|sclerosis|tuberculosis|pneumonia|autoimmune",
        "blood|heart|kidney|liver|thyroid|lung|stomach|skin ~1 pressure|condition|problem*|issue*|failure|attack",
        "mental health",
        "weight loss|gain",
        "lose weight",
        "breastfeed*|trimester|ovulat*|fertility|menstru*|overdos*|stitches|palpitation*|seizure*|concussion|sprain*|fracture*",
        "diarrh*|constipat*|bleeding|bruis*|swollen|swelling|numb|numbness|itch*|rash*|sore|lump|mole|blister*|infected",
        "cholesterol|glucose|hba1c|bmi|calorie*|biopsy|mri|ultrasound|anesthe*|anaesthe*|inhaler*|thinner|thinners",
        "supplement*|vitamin*|melatonin|herbal|creatine|antihistamine*|sunscreen|physiotherap*",
        "root canal",
        f"{_BODY}|heart|bypass|gallbladder|cataract ~1 operation|replacement|transplant",
        f"{_BODY} ~4 {_COMPLAINT}",
        f"{_COMPLAINT} ~3 {_BODY}",
        "feel|feeling|felt|feels ~2 sick|ill|faint|weak|dizz*|nauseous|tired|breathless|hopeless|suicidal|worse",
        "short of breath",
        "trouble|difficulty ~1 breathing|swallowing|sleeping|seeing|hearing",
    ),
    "legal": (
        "lawsuit*|sue|sued|suing|litigat*|court|courts|lawyer*|attorney*|legal*|lawful*|law|laws|liable|liability",
        "contract|contracts|clause|agreement|nda|settlement|plea|custody|divorce|alimony|testament|executor|inherit*|probate",
        "my|a|the|our will",
        "patent*|trademark*|copyright*|eviction|evict*|landlord|tenant|lease|dismissal|visa|immigra*|asylum|deport*",
        "citizenship|arrest*|prosecut*|convict*|bail|warrant|statute*|regulation|regulations|restraining",
        "my|our|legal|tenant|employee rights",
        "criminal|my|the charge|charges|defence|defense",
        "terminat* ~3 employment|contract|lease",
        "dissol* ~3 partnership|company|marriage",
        "business ~2 dispute",
        "power of attorney",
        "bankrupt*|foreclos*|garnish*|prenup*|paternity|guardianship|adopt|adoption|heir|heirs|intestate|felony",
        "misdemeano*|subpoena*|testify|deposition|parole|defam*|slander*|libel*|harassment|discriminat*|trespass*",
        "enforceable|unenforceable|binding|breach|noncompete|compete|indemnif*|waiver|severance|wrongful*|custodial",
        "fired|sacked|dismissed ~6 without|unfair*|notice|sick|pregnant|whistleblow*|illegal*|reason",
        "ex|husband|wife|partner|father|mother ~6 kids|children|child|house|custody|visitation|support",
        "police|officer|cops ~3 search*|question*|stop*|arrest*|take|seize|enter",
        "deposit ~5 landlord|back|return*|keep|withhold*",
        "neighbor*|neighbour* ~6 fence|tree|noise|boundary|property|land",
        "small claims",
        "speeding|parking ticket|fine",
        "press charges",
        "sign ~3 contract|waiver|nda|lease|release|agreement",
    ),
    "financial": (
        "invest|invests|investing|investment*|stock|stocks|shares|bonds|etf|etfs|portfolio|dividend*|crypto*|bitcoin|forex",
        "mortgage*|remortgag*|refinanc*|loan|loans|debt|debts|retire*|pension*|401k|annuity|savings|inflation|wealth",
        "tax|taxes|deduct*",
        "credit card|cards|score|limit",
        "emergency fund",
        "index|mutual|hedge fund|funds",
        "net worth",
        "interest rate|rates",
        "my|our|personal|financial situation|budget|assets|finances|savings",
        "buy|sell ~3 house|gold|property",
        "equity|brokerage|treasuries|reit|reits|derivative*|futures|ipo|isa|sipp|roth|ira|inheritance|windfall",
        "put|park|move|keep|sink|pour|allocate ~4 money|savings|bonus|inheritance|cash|salary ~3 in|into|on",
        "pay ~1 off|down|back ~4 loan*|mortgage*|card|cards|debt*",
        "rent ~1 or ~1 buy",
        "buy ~1 or ~1 rent|lease",
        "lease ~1 or ~1 buy",
        "gold|silver|property|house|home|bond|bonds ~3 good|safe|smart|better investment|bet|idea|choice|time",
        "life insurance",
        "withdraw|cash ~4 pension|retirement|401k|policy|portfolio",
        "day trading|trade|trader",
        "save|saving ~3 retire*|college|house|deposit|taxes",
    ),
}
_ASKS: dict[str, tuple[str, ...]] = {
    "asks": (
        "advice|guidance|opinion",
        "should|shall|can|could|may|must|do i|we",
        "is|are ~4 binding|enforceable|legal|valid|contagious|curable|safe|deductible|taxable",
        "what should|can|could i|we",
        "is|would now|this|that|it ~1 a ~1 good|bad|right|wrong time|idea|moment",
        "am|was i|we",
        "my|our|mine",
        "i have|had|am|was|feel|took|take|need|want|own|got",
        "for me|us",
        "advise|recommend|diagnose|suggest|tell|help me|us|on|whether|if",
        "can|could|would you ~2 advise|diagnose|recommend|confirm|tell|review|draft|guide|provide|help|suggest",
        "what|which ~2 best|exact|right|specific|customized|personalized|customised|personalised|good|safest|safe",
        "what|which ~3 should|shall|can|could i|we",
        "how much|many|long|often|soon ~2 should|can|could|do i|we",
        "how ~2 do|can|should|could i|we",
        "steps to ~1 treat|take|sue|file|dissolve|invest",
        "which|what medicine*|medication*|drug|stock|stocks|fund|etf|etfs|bond|bonds",
        "is it ~2 better|safe|legal|wise|worth|time",
        "based on",
        "best time|way to",
        "is it|that ~1 ok|okay|fine|normal|dangerous|risky|smart|harmful|bad|good|possible|illegal|allowed|advisable",
        "what happens|next|now|then",
        "what if i|my|we|our",
        "can|could|should|may|will|would|did|does|do|are|is ~1 i|we|my|our|this|that|they|he|she|you",
        "how ~2 treat|cure|lose|invest|sue|appeal|contest",
        "anything|something i|we ~1 can|could|should|take|do",
        f"can|could|may|should|does|do|must ~4 {_CARED_FOR} ~3 take|have|need|use|drink|swallow",
        f"how ~1 much|many|often|long|high ~6 {_CARED_FOR}",
        f"safe|dangerous|harmful|ok|okay|give ~3 {_CARED_FOR}",
        "maximum|max|daily|safe|right|correct|recommended|usual|lethal ~1 dose|doses|dosage",
        f"dose|doses|dosage ~4 {_CARED_FOR}",
        "worth|better to|it|buying|selling|suing|investing",
    ),
}
_ERRANDS = Phrases(
    {
        "errand": (
            (
                "how|where|when ~1 do|can|could|would|may i|we|employees|staff ~1 enrol*|sign|join|register|opt|submit"
                "|send|download|access|find|upload|update|view|see|log|print"
            ),
            "department|team|office|desk|hotline|helpline ~2 phone|number|email|address|extension|located|hours|portal",
            "who ~1 is|are|in ~2 charge|responsible|contact",
            # What the rules of an organization are, which it tells itself.
            "^ do|must|will|would i|we ~1 have|need|get|pay|to ~2 ask|pay|bring|tell|get|give|report|wait",
            "^ do i ~1 get",
            "^ do i have|need to fast|remove|undress",
            "^ how many|much|long ~6 do|does|will|is|are ~1 i|we|it|a|an|the|my|our ~4 get|valid|kept|open",
            "^ how many days|weeks|hours ~4 leave|notice|holiday|vacation",
            "^ since|from|until|by when",
            "^ when can|may|do i ~1 visit|collect|pick|end|get|have",
            "^ will ~1 you|it|they ~1 cost|charge|deduct|refund|pay|cover",
            "^ is|are there ~1 a|an|any ~1 deductible|fee|charge|limit|deadline|discount",
            "^ how long are|is ~1 loans|loan|a|the ~2 valid|kept|open $",
        ),
        "advice": ("should|shall|best|advise|recommend|better|worth|safe|dose|dosage|take|sue|invest|treat|sell",),
    }
)
"""How to get something done at an organization, which asks for no advice: "how do I enrol in the pension plan"."""
_SUBJECT_PHRASES = Phrases(_SUBJECTS)
_ASK_PHRASES = Phrases(_ASKS)
_ADVICE_PHRASES = Phrases(
    {
        "advises": (
            "you|one|they ~1 should|must|ought|need ~1 to|not|take|buy|sell|invest|file|sue|stop|start|use|sign|claim",
            "i|we ~1 recommend|advise|suggest",
            "it is ~2 recommended|advisable|best to",
            "^ take|buy|sell|invest|file|sue|stop|start|avoid|apply|drink|use|sign|refinance|allocate|put",
            "the ~1 best ~2 is|way|option|time|treatment|remedy|strategy",
        )
    }
)


def topics_asked(question: Sequence[str]) -> tuple[Topic, ...]:
    """Return the topics on which a question, given as its words, asks for advice about someone's own case.

    >>> topics_asked("should i sell my stocks now".split()), topics_asked("who invented aspirin".split())
    (('financial',), ())
    >>> topics_asked("how do i enrol in the pension plan".split())
    ()
    """
    if not _ASK_PHRASES.find(question) or _ERRANDS.find(question) == {"errand"}:
        return ()
    return topics_of(question)


def topics_of(tokens: Sequence[str]) -> tuple[Topic, ...]:
    """Return the topics whose words stand in ``tokens``, whatever is said of them.

    >>> topics_of("the dose of insulin and the tax on it".split())
    ('financial', 'medical')
    """
    found = _SUBJECT_PHRASES.find(tokens)
    if any(map(_DRUG.fullmatch, tokens)):
        found.add("medical")
    return tuple(topic for topic in ("financial", "legal", "medical") if topic in found)


def advises(sentence: Sequence[str]) -> bool:
    """Return whether a sentence of an answer, given as its words, tells its reader what to do.

    >>> advises("you should take two tablets".split()), advises("aspirin was patented in 1899".split())
    (True, False)
    """
    return bool(_ADVICE_PHRASES.find(sentence))
