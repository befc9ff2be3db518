"""What assistants say that claims nothing, as phrases: each is tied to the beginning of a clause."""

from __future__ import annotations

from collections.abc import Iterable

from scorers.text.phrases import Phrases


class Openings:
    """Phrases that a clause begins with, and the words that any of them begins with.

    >>> from scorers.text.phrases import words
    >>> known = Openings({"thanks": ("^ thank|thanks",)})
    >>> known.find(words("Thanks a lot")), known.begins("thank"), known.begins("leave")
    ({'thanks'}, True, False)
    """

    def __init__(self, families: dict[str, Iterable[str]]) -> None:
        """Compile ``families``, every pattern of which is tied to the start."""
        listed = {name: tuple(patterns) for name, patterns in families.items()}
        firsts = [pattern.split()[1] for patterns in listed.values() for pattern in patterns]
        every = {word for first in firsts for word in first.split("|")}
        self._prefixes = tuple(word[:-1] for word in every if word.endswith("*"))
        self._words = frozenset(word for word in every if not word.endswith("*"))
        self._phrases = Phrases(listed)
        # "can't" and "cannot" begin with "can not", "it's" with "it is": the first word is there all the same.
        self._words |= {"cannot"} if "can" in self._words else set()

    def find(self, tokens: list[str]) -> set[str]:
        """Return the families of phrases that ``tokens`` begin with."""
        return self._phrases.find(tokens)

    def begins(self, word: str) -> bool:
        """Return whether any phrase begins with ``word``."""
        return word in self._words or (bool(self._prefixes) and word.startswith(self._prefixes))


_INFO = (
    "information|info|detail*|guidance|advice|opinion*|response|answer*|specifics|mention|indication"
    "|reference*|evidence"
)
_GIVEN = (
    "context|information|passage|passages|source|sources|excerpt|excerpts|content|material|materials|results|knowledge"
    "|base|snippets|search|documents|texts|documentation|index|database"
)
_WRITINGS = f"{_GIVEN}|document|text|policy|policies|records|articles|article|data|files|file|handbook|pages|page|guide"
_THAT = "this|that|it|those|these|such|which"
_FINDS = "answer|find|locate|determine|tell|say|confirm|verify|identify|establish"
_INFORMS = f"{_FINDS}|help|assist|comment|discuss|advise|respond|know|see|comply|fulfil*|process|access"
_TELLS = "mention|say|state|specify|address|tell|answer|indicate|discuss|reveal|explain|describe|clarify"
_DESK = (
    "hr|it|team|teams|desk|department|support|helpdesk|office|manager|supervisor|lead|representative*|specialist*"
    "|service|services|human|agent|agents|colleague*|administrator|admin|portal|intranet|handbook|wiki|legal|compliance"
    "|payroll|finance|security|procurement|branch|doctor|pharmacist|physician|lawyer|advisor|adviser|attorney"
    "|professional*|expert*|provider|staff|centre|center|hotline|website|page|site|faq|someone|partner|resources"
    "|counsel|nurse|police|authorities|authority|helpline|emergency|owner|officer"
)
_REACH = (
    "contact|consult|ask|call|email|message|reach|speak|talk|check|refer|turn|see|visit|approach|try|connect|chat|write"
    "|get|look|follow|discuss|confirm|seek"
)
_CONSULT = "contact|consult|ask|refer|speak|talk|seek|reach|email"
_REACHING = (
    "contacting|consulting|asking|calling|emailing|reaching|speaking|talking|checking|referring|visiting|seeking"
    "|getting"
)
_MORE = (
    "more|further|additional|specific|detailed|official|help|assistance|details|questions|support|advice"
    "|guidance|other|anything|that|this|such|urgent|personal*"
)
_MAY = "can|could|may|might|should|will|would"

_ABSTAINS = (
    "^ i ~2 do|did not ~2 know|see|find|recall|understand|have|recogni*|possess",
    "^ we ~1 do|did not ~1 know|find|see|understand",
    f"^ we ~1 do|did not ~1 have ~3 {_INFO}|access",
    "^ i ~1 have|find|found|see ~1 no|nothing|none",
    f"^ we ~1 have|find|found ~1 no|nothing ~3 {_INFO}|{_WRITINGS}|relevant|matching",
    f"^ i ~2 can|could|was|am not ~3 {_FINDS}|access|see|know|be ~1 sure",
    f"^ i ~2 am|was unable to ~2 {_FINDS}|access|see",
    f"^ we ~1 can|could|were|are not ~1 ?able ?to {_FINDS}",
    f"^ we were|are unable to {_FINDS}",
    "^ i|we ~2 am|are ~1 not ~2 sure|certain|familiar|aware|clear|convinced",
    "^ i|we ~2 am|are ~1 unsure|uncertain|unaware|unfamiliar",
    "^ i lack",
    "^ i ~2 have ~1 not ~2 been|seen|found|read",
    f"^ there no ~3 {_INFO}|match|record",
    "^ that|it not ~2 mentioned|specified|stated|clear|something",
    f"^ no ~4 {_INFO}|{_WRITINGS}|match|matches|entry|entries|result ~6 found|retrieved|returned|match*|turned|came",
    f"^ no ~3 {_INFO} ~4 available|provided|given|about|on|regarding|in|for|exist*",
    f"^ nothing ~5 {_GIVEN}|found|search",
    f"^ none ~3 {_WRITINGS}",
    f"^ there is|are|was|were ~1 no|not|nothing ~4 {_INFO}|mention|match|relevant|way",
    f"^ there is|are|was|were ~1 no|not|nothing ~3 {_GIVEN} ~6 about|on|regarding|mention*|cover*|relat*|available",
    f"^ there is|are|was|were ~1 nothing ~2 in ~3 {_WRITINGS}",
    f"^ not ~1 enough|sufficient ~2 {_INFO}|{_GIVEN}",
    f"^ insufficient ~2 {_INFO}|{_GIVEN}",
    f"^ {_THAT}|the|my|our|any ~4 {_WRITINGS} ~6 do|does|did not ~2 {_TELLS}",
    (
        f"^ {_THAT}|the|my|our|any ~4 {_GIVEN} ~6 do|does|did not ~2 provide|contain|include|give|return|turn|have"
        "|cover"
        "|appear|seem"
    ),
    (
        f"^ {_THAT}|the|my|our ~4 {_GIVEN} ~2 returned|contains|contain|gives|give|provides|yielded|say|says|have"
        "|has|had"
        " ~1 no|nothing"
    ),
    f"^ {_THAT}|the|my|our ~3 {_WRITINGS} ~4 is|are ~1 silent|insufficient|incomplete|unrelated|irrelevant",
    f"^ {_THAT} ~3 is|are|was|were not ~2 mentioned|specified|stated|addressed|answered|clear|known|answerable",
    (
        f"^ {_THAT} ~3 is|are|was|were not ~2 available|provided|found|included|covered ~1 in|by|within"
        f"|to ~4 {_WRITINGS}|me|here"
    ),
    f"^ {_THAT} ~1 {_INFO} ~2 is|are|was not ~1 available|provided|known|given|included|there|found|present",
    "^ it|this|that is ~1 unclear|unknown|uncertain|impossible",
    f"^ it|this|that is not ~1 possible ~3 to ~1 say|know|share|provide|{_FINDS}",
    "^ n a $",
    "^ not applicable $",
    "^ unknown|unclear $",
    "^ not ~1 specified|stated|mentioned|found|available|sure|answerable $",
    f"^ {_THAT}|your|the ~3 can|could not ~1 be ~1 answered|determined|established|verified|confirmed|found|inferred",
    "^ without ~2 more|further|additional|that|knowing|seeing|access",
    "^ my knowledge|information|data|access|answers|sources|training ~4 limited|restricted|cover*|ends|does|only",
)
_REFUSES = (
    "^ i ~2 can|could|will|would|am|was|may not",
    "^ i ~2 do not ~1 feel|think|believe|want|share|give|provide|offer|discuss|handle|comment|engage|support",
    "^ i ~1 must|have|need|am ~4 decline|refuse|pass|declining",
    "^ i ~2 decline|refuse",
    "^ i would rather|prefer not",
    "^ i ~2 avoid",
    "^ i ~2 am ~2 unable|prohibited|forbidden|prevented|restricted|limited|bound",
    f"^ we ~2 can|could|are|will not ~2 answer|comment|discuss|help|assist|advise ~3 {_THAT}|with|on|you|your",
    f"^ we ~2 can|could|are|will not ~3 provide|give|share|offer|disclose ~2 {_INFO}|{_THAT}",
    f"^ we are unable to ~1 answer|comment|discuss|help|assist|advise ~3 {_THAT}|with|on|you|your|any|individual|cases",
    "^ that|it|this ~1 outside|beyond ~2 my|our|what|scope",
    f"^ we are unable to ~1 provide|give|share|disclose ~2 {_INFO}|{_THAT}",
    (
        f"^ {_THAT}|the|any|your|questions|requests ~6 is|are|was|falls|fall|lies|goes ~3 outside|beyond"
        "|within ~2 my|our"
        "|what|scope|the ~2 scope|i|we|capabilit*|remit|expertise|area|limits|role|knowledge|bounds|purview|domain"
    ),
    f"^ {_THAT} ~3 is|are not ~3 something|anything|topic|subject|question|questions",
    "^ that not something|anything",
    f"^ {_THAT}|your|the ~1 request|question|query|inquiry ~3 can|could not",
    f"^ {_THAT}|your|the ~1 request|question|query|inquiry ~3 is|was|has ?been not|denied|declined|rejected|against",
    f"^ {_THAT} ~2 is|are ~2 confidential|private|restricted|sensitive|personal|inappropriate|unethical|illegal",
    f"^ {_THAT} ~3 can|could|may not ~1 be ~1 shared|disclosed|discussed|provided|released|given",
    (
        f"^ {_THAT}|sharing|disclosing|providing|discussing|doing|answering|responding|revealing|fulfilling ~6"
        " would|is|could|may ~3 violat*|breach*"
        "|inappropriate|unethical|illegal|compromise|invade"
    ),
    "^ no comment",
    "^ outside|beyond ~2 my|our|what|scope",
    "^ not authorized|authorised|allowed|permitted|able|comfortable to|with|sharing",
    f"^ unable to ~2 {_INFORMS}|share|provide",
    "^ can not ~1 answer|find|locate|determine|tell|confirm|help|assist|comply|share|provide|disclose|process|do",
    "^ my guidelines|programming|instructions|settings|safety",
    "^ request|access denied|declined|refused $",
)
_REFERS = (
    f"^ please ~2 {_REACH} ~6 {_DESK}",
    "^ please ~1 log|sign in|into",
    "^ call|email our|us|your|the ~3",
    "^ please ~1 contact|consult|call|email|message",
    f"^ you ~1 {_MAY} ~3 {_REACH} ~6 {_DESK}",
    f"^ you ~1 {_MAY}|want ~2 find|see|read|look|view|check ~3 {_THAT}|more|further|all|additional|full|up|there|here",
    f"^ you ~2 best ~4 {_REACHING}|{_REACH}",
    f"^ your ~1 best ~3 {_REACHING}|{_REACH}|bet|option|contact",
    f"^ i|we ~2 recommend|suggest|advise|encourage|urge ~4 {_REACHING}|{_REACH}",
    f"^ i ~1 {_MAY} ~1 transfer|connect|forward|escalate|pass|route|hand|put|refer|direct|redirect|raise|open",
    "^ we ~1 can|could|will|would transfer|connect|forward|escalate|pass|route|hand|put|refer|direct you|this|it",
    "^ i|we have|am|are ~1 transferr*|connect*|forward*|escalat*|pass*|routed|routing|referred|raised|notified",
    f"^ it ~2 best|better|advisable|recommended|worth ~2 {_REACHING}|{_CONSULT}",
    f"^ it ~2 best|better|advisable|recommended|worth ~2 check|see|visit ~5 {_DESK}|{_WRITINGS}",
    f"^ contact|consult|ask|email|call|message|visit|try ~5 {_DESK} ~2 for|about|if|regarding|directly|instead",
    f"^ contact|consult|ask|email|call|message|try ~4 {_DESK} $",
    f"^ try|consider {_REACHING}",
    f"^ {_REACHING} ~6 {_DESK} ~4 best|recommended|next|option|step|way",
    "^ reach out to",
    "^ get in touch with",
    f"^ speak|talk|check with|to ~5 {_DESK}",
    (
        f"^ your|the|our|an|a|someone|one|hr|payroll|legal ~4 {_DESK} ~1 {_MAY} ~3 help|assist|advise|answer|guide"
        "|clarify|tell|take"
    ),
    f"^ it {_MAY} help|assist|advise ~1 you|with",
    f"^ hr|they|someone|payroll|finance|legal|support {_MAY} ~4 help|assist|advise|answer|guide|clarify|tell|take",
    (
        f"^ your|the|our|an|a|they|hr|payroll ~5 {_DESK}|are|is ~2 best|right|better|happy|glad ~1 to|place|person"
        "|contact|team|able"
    ),
    (
        f"^ a|an|your|our|the|someone ~3 {_DESK} ~1 will|can ~2 get|be|reach|contact|follow|call|respond"
        "|reply ~3 you|touch|back|shortly|soon"
    ),
    (
        f"^ {_THAT}|more|further|additional|full|all|details|information ~4 can|could|may|will|is"
        "|are ~1 be ?be found|viewed|seen|available ~1 in|on|at|under|from"
    ),
    f"^ {_THAT}|more|further|additional|full|all|details|information ~4 can|could|may|will be ~1 found|viewed|seen",
    f"^ {_THAT} ~3 should|must|needs|would ~3 directed|handled|answered|addressed|escalated|asked ~2 by|to|with",
    f"^ {_THAT} ~1 is ~2 question|matter|topic|one|issue ~1 for ~4 {_DESK}",
    f"^ see|refer|look|check ~6 for ~1 {_MORE}",
    f"^ refer to ~5 {_DESK}|{_WRITINGS} $",
    "^ here is|are ~2 link|links",
)
_ASKS = (
    "^ please ~1 provide|share|give|tell ~2 me|us|more|further|additional",
    (
        "^ please ~1 specify|clarify|rephrase|restate|elaborate|reformulate|confirm|indicate|describe ~2 which"
        "|what|whether"
        "|where|when|who|how|your|the"
    ),
    "^ please ~1 rephrase|clarify|elaborate|restate|reformulate",
    "^ please ~1 try|ask ~5 again|different*|another|rephras*|other",
    "^ try ~3 rephras*|again|reword*|different",
    "^ could|can|would|will|may you|i",
    "^ do|did|are|have you",
    "^ is this|it|that|there",
    "^ which|what|whom|when|where|how|who ~8 you|your|referring",
    "^ i|we ~2 need|require|want ~3 more|additional|further|know|understand|bit|clarification|context|see",
    f"^ more|additional|further ~1 {_INFO}|context|clarification ~2 needed|required|would|is|are",
    "^ once i|we|you ~1 know|have|tell|share|provide",
    "^ tell me ~6 more|which|what|whether|where|how|about",
    "^ give me ~3 more|moment|second|details|few",
    "^ it|that|this ~1 would|will help ~2 if|me",
)
_TELLS_OF_ITSELF = (
    (
        "^ i am ~6 assistant|ai|bot|model|chatbot|agent|program|machine|lawyer|doctor|physician|pharmacist|adviser"
        "|advisor"
        "|attorney|human|accountant|helper|person|professional"
    ),
    "^ i am|was ~2 designed|trained|programmed|built|made|created|intended|configured|limited|set|meant",
    "^ my name is",
    "^ my ~2 job|role|purpose|task|goal|function|training",
    "^ i ~1 have|only ~3 access|searched|looked|checked|reviewed|been|given|read",
    "^ i ~2 only ~3 answer|help|assist|know|cover|support|handle|discuss|speak|see|have",
    "^ i|we ~2 searched|looked|checked|reviewed|went|consulted|scanned|read ~6 " + _WRITINGS,
    f"^ based|relying ~1 on|upon ~7 {_WRITINGS} ~4 $",
    f"^ according|as|per ~1 to|per ~6 {_WRITINGS} ~3 $",
    f"^ from|in ~4 {_GIVEN} ~2 provided|available|given|above|retrieved|i|we ~3 $",
    "^ here is|are ~4 what|summary|overview|answer|information|results|details|breakdown ~7 $",
    "^ this|my|the ~1 answer|response|summary|reply|message ~2 is|was|comes|relies|rests|draws ~8 "
    + _WRITINGS
    + "|ai|automated|automatically|generated|general",
    "^ this is ~2 automated|ai|automatic",
    "^ please ~1 note that i",
    "^ note|remember that i",
    "^ keep in mind that i",
    "^ as of my",
    "^ in short|summary|conclusion|brief $",
    "^ to summarize|summarise|conclude|recap $",
    "^ this assistant|bot|chat|chatbot ~3 can|only|is|was|does|will",
    "^ i ~1 can ~1 only",
    "^ i ~2 do not ~1 store|remember|retain|keep",
)
_CHATS = (
    "^ hi|hello|hey|greetings|howdy|dear",
    "^ welcome $",
    "^ welcome ~1 to|back|aboard",
    "^ good morning|afternoon|evening|day|question|point",
    "^ nice|lovely|pleased|great to meet|hear|see|help",
    "^ thank you",
    "^ thanks $",
    "^ thanks ~2 for|again|so|very|lot",
    "^ many thanks",
    "^ much appreciated",
    "^ you are ~2 welcome",
    "^ my pleasure",
    "^ no problem|worries",
    "^ not a problem",
    "^ great|excellent|interesting|fair|awesome|perfect ~1 question|point|news|choice $",
    "^ that is ~2 great|good|excellent|interesting|fair|tough|understandable ~2 $",
    "^ have ~3 day|evening|weekend|week|time|morning|afternoon|one|night",
    "^ enjoy ~2 day|evening|weekend|week",
    "^ goodbye|bye|farewell|cheers $",
    "^ take care",
    "^ see you ~2 $",
    "^ all the best",
    "^ best|kind|warm ~1 regards|wishes",
    "^ best|regards|sincerely $",
    "^ yours ~1 sincerely|faithfully|truly",
    "^ your|the ~2 team $",
    "^ talk to you",
    "^ understood|noted|done|perfect|great|right|fine|alright|good|wonderful|excellent|sure $",
    "^ of course",
    "^ sure|certainly thing|i",
    "^ got it",
    "^ sounds good",
    "^ happy|glad|delighted to ~2 help|assist|hear|be",
    "^ always ~1 happy|glad|here",
    "^ sorry about|for|to",
    "^ sorry if this|that|i|you",
    "^ my|our ~2 apologies",
    "^ apologies for",
    "^ please ~1 accept",
    "^ pardon|excuse ~1 me|the",
    "^ i|we am|are ~2 sorry|afraid to|about|for|if|of",
    (
        "^ i|we am|are ~2 glad|happy|pleased|delighted|grateful|thrilled|excited ~1 to|that|you|for ~1 help|assist"
        "|hear|be"
        "|you|see|support"
    ),
    "^ i|we ~2 apologi*|appreciate|regret|hope|thank|wish|sympathi*",
    (
        "^ i|we ~1 understand|realize|realise|hear|acknowledge|know ~1 how|your|this|you|the|that ~3 frustrat*"
        "|difficult"
        "|concern*|important|hard|stressful|need|want|question|situation|you|inconvenien*|sound*|feel*|may"
    ),
    "^ i|we would ~1 be ~1 happy|glad|delighted",
    "^ i would ~1 love|like to ~2 help|assist|hear|know",
    "^ hope|hoping ~6 helps|help|well|helpful|clear|useful|better",
    "^ that|this must|sounds ~3 frustrating|difficult|stressful|hard|upsetting|good|great|confusing",
    "^ let me|us",
    "^ allow me",
    "^ feel free",
    "^ do not hesitate",
    "^ please ~2 hesitate",
    "^ please ~1 feel free",
    "^ please ~2 let me|us",
    "^ just ~2 let me|ask|say",
    "^ please ~1 hold|wait|bear",
    "^ one|just ~1 moment|second|minute|sec",
    "^ hold on",
    "^ bear with",
    "^ i will ~1 check|look|see|find|get|be|do|try|let|gladly|happily",
    "^ we will ~1 get back|in",
    "^ i can|could|may ~3 help|assist|answer|look|only|search|support|try|check|provide|offer",
    "^ we can ~1 help|assist ~1 you|with",
    "^ i am ~2 always|still|here|looking|checking|searching|working|ready",
    "^ is there ~1 anything|something",
    "^ anything else",
    "^ ask me|away",
    "^ thanks|hello|hi there",
    "^ congratulations",
    "^ have a",
)
_ASIDE = (
    "^ if ~1 you|this|that|it|none|there|i",
    "^ for ~2 privacy|security|legal|compliance|confidentiality|safety|data",
    "^ due|owing ~1 to ~3 privacy|security|legal|compliance|confidentiality|policy|safety",
    "^ as ~8 assistant|ai|model|bot|chatbot|program",
    f"^ for ~2 {_MORE}",
    "^ for ~2 latest|rest|exact",
    (
        "^ to ~2 help|assist|answer|give|point|find|direct|make|be|protect|get ~6 you|question|this|better|precise"
        "|sure|right"
        "|accurate*|privacy|answer|correct"
    ),
    "^ at ~1 this|the ~1 time|moment|point|present $",
    "^ in ~1 this|that|your case $",
    "^ that|this said $",
    "^ whenever you",
    "^ when you are",
    "^ with|regarding|about|on ~1 that|this|your",
    "^ given ~2 sensitiv*|nature|privacy",
    "^ in the meantime $",
    "^ in that case $",
    "^ out of ~2 respect|caution",
    "^ in order to ~2 help|assist|answer|protect",
    "^ under ~2 circumstances $",
    "^ at all $",
)
_REASONS = (
    "it is ~2 important|essential|crucial|vital|necessary ~1 to",
    "unethical|immoral|harmful|derogatory|violen*",
    "illegal ~3 unethical|harmful|dangerous|immoral",
    "respect* ~4 privacy|dignity|others|rights|people|boundaries",
    "protect*|safeguard* ~4 privacy|confidential*|personal|data|colleague*",
    "dignity|hateful|discriminat*",
    (
        f"{_THAT} ~1 request|question|information|data ~2 is|are|would|could|may ~3 confidential|private|sensitive"
        "|personal|against"
        "|violat*|not|harm*"
    ),
    "not ~2 appropriate|ethical|acceptable|okay ~1 to",
    "seek* ~4 help|support|professional*",
    "i|we ~2 recommend|encourage|suggest|urge",
    "you are not alone",
    "would|could|can|may ~2 violat*|breach*|harm|invade",
)

ACTS = Openings(
    {
        "abstention": _ABSTAINS,
        "refusal": _REFUSES,
        "referral": _REFERS,
        "request": _ASKS,
        "meta": _TELLS_OF_ITSELF,
        "courtesy": _CHATS,
    }
)
"""By what a clause does."""
ASIDES = Openings({"aside": _ASIDE})
"""What claims nothing beside a clause that does not either: on its own it would lead to something."""
REASONS = Phrases({"reason": _REASONS})
"""What a refusal is justified with, anywhere in a sentence."""
