"""Where an English reply sends people instead: to whom, and with which words."""

from __future__ import annotations

_THAT = "this|that|it|those|these|such|which"
_WRITINGS = (
    "documents|documentation|policy|policies|records|articles|article|files|file|handbook|pages|page|guide|source"
)
DESK = (
    "hr|it|team|teams|desk|department|support|helpdesk|office|manager|supervisor|lead|representative*|specialist*"
    "|service|services|human|agent|agents|colleague*|administrator|admin|portal|intranet|handbook|wiki|legal|compliance"
    "|payroll|finance|security|procurement|branch|doctor|pharmacist|physician|lawyer|advisor|adviser|attorney"
    "|professional*|expert*|provider|staff|centre|center|hotline|website|page|site|faq|someone|partner|resources"
    "|counsel|nurse|police|authorities|authority|helpline|emergency|owner|officer"
    # People and places by trade, and what they hand out.
    "|reception|receptionist|caretaker|concierge|janitor|coordinator*|organis*|organiz*|tutor|teacher"
    "|dentist|dermatologist|gp|therapist|vet|solicitor|notary|association|union|council|insurer"
    "|bank|embassy|consulate|retailer|shop|store|manufacturer|maker|supplier|vendor|seller|dealer|museum|hotel|library"
    "|registrar|secretariat|secretary|dean|landlord|operator|airline|carrier|club|clinic|hospital|surgery|practice"
    "|ministry|agency|accountant|handler|advisers|advisors|advisory|staffer|member|members|employer|host|school"
    "|university|administration|management|maintenance|facilities|housekeeping|logistics|sales|billing|accounts"
    "|accounting|marketing|counter|switchboard|boss"
    "|pharmacy|workshop|planner|mentor|instructor|trainer|counsellor|counselor|ombudsman|regulator|court|supervisors"
)
"""People, places and pages that one is sent to."""
_NAMED = DESK.replace("|it|", "|", 1)
"""The same without "it", which is a thing more often than a desk: "you may write it by hand"."""
REACH = (
    "contact|consult|ask|call|email|message|reach|speak|talk|check|refer|turn|see|visit|approach|try|connect|chat|write"
    "|get|look|follow|discuss|confirm|seek"
)
CONSULT = "contact|consult|ask|refer|speak|talk|seek|reach|email"
REACHING = (
    "contacting|consulting|asking|calling|emailing|reaching|speaking|talking|checking|referring|visiting|seeking"
    "|getting"
)
MORE = (
    "more|further|additional|specific|detailed|official|help|assistance|details|questions|support|advice"
    "|guidance|other|anything|that|this|such|urgent|personal*"
)
MAY = "can|could|may|might|should|will|would"

_PAGES = f"{DESK}|leaflet|form|chat|app|link|number|line|phone|manual|terms|documentation|insert|dashboard"
_WHOSE = "your|the|our|an|a|one|its|their|his|her|any|some|local"
_NAMED = (
    "hr|payroll|finance|legal|support|procurement|compliance|facilities|reception|housekeeping|maintenance|accounting"
    "|customer|staff|management|human|billing|sales|security|logistics|administration"
)
_KNOWS = "details|information|answer|more|figures|overview|best|numbers"
_RIGHT = "right|best|better|good|first|proper|correct|ideal|safest|quickest|easiest|simplest|fastest|reliable"
_PLACE = "place|person|bet|contact|address|team|people|port|department|source|ones"
_PASSES = (
    "transfer|connect|forward|escalate|pass|route|hand|put|refer|direct|redirect|raise|open|relay|flag|notify|alert"
)
_PASSING = "transferring|connecting|forwarding|escalating|passing|routing|handing|putting|referring|redirecting"
_PASSED = "transferred|connected|forwarded|escalated|passed|routed|handed|put|referred|redirected|flagged|notified"

_ASKS = "whether|what|who|how|when|where|why|which|if"

REFERS = (
    f"^ please ~2 {REACH} ~6 {DESK}",
    "^ please ~1 log|sign in|into",
    "^ call|email our|us|your|the ~3",
    "^ please ~1 contact|consult|call|email|message",
    f"^ you ~1 {MAY} ~3 {REACH} ~6 {_NAMED}",
    f"^ you ~1 {MAY} ~3 {CONSULT}|call|email|message ~1 it",
    f"^ you ~1 {MAY}|want ~2 find|see|read|look|view|check ~3 {_THAT}|more|further|all|additional|full|up|there|here",
    f"^ you ~2 best ~4 {REACHING}|{REACH}",
    f"^ your ~1 best ~3 {REACHING}|{REACH}|bet|option|contact",
    f"^ i|we ~2 recommend|suggest|advise|encourage|urge ~4 {REACHING}|{REACH}",
    f"^ i ~1 {MAY} ~1 transfer|connect|forward|escalate|pass|route|hand|put|refer|direct|redirect|raise|open",
    "^ we ~1 can|could|will|would transfer|connect|forward|escalate|pass|route|hand|put|refer|direct you|this|it",
    "^ i|we have|am|are ~1 transferr*|connect*|forward*|escalat*|pass*|routed|routing|referred|raised|notified",
    f"^ it ~2 best|better|advisable|recommended|worth ~2 {REACHING}|{CONSULT}",
    f"^ it ~2 best|better|advisable|recommended|worth ~2 check|see|visit ~5 {DESK}|{_WRITINGS}",
    f"^ contact|consult|ask|email|call|message|visit|try ~5 {DESK} ~2 for|about|if|regarding|directly|instead",
    f"^ contact|consult|ask|email|call|message|try ~4 {DESK} $",
    f"^ try|consider {REACHING}",
    f"^ {REACHING} ~6 {DESK} ~4 best|recommended|next|option|step|way",
    "^ reach out to",
    "^ get in touch with",
    f"^ speak|talk|check with|to ~5 {DESK}",
    (
        f"^ your|the|our|an|a|someone|one|hr|payroll|legal ~4 {DESK} ~1 {MAY} ~3 help|assist|advise|answer|guide"
        "|clarify|tell|take"
    ),
    f"^ it {MAY} help|assist|advise ~1 you|with",
    f"^ hr|they|someone|payroll|finance|legal|support {MAY} ~4 help|assist|advise|answer|guide|clarify|tell|take",
    (
        f"^ your|the|our|an|a|they|hr|payroll ~5 {DESK}|are|is ~2 best|right|better|happy|glad ~1 to|place|person"
        "|contact|team|able"
    ),
    (
        f"^ a|an|your|our|the|someone ~3 {DESK} ~1 will|can ~2 get|be|reach|contact|follow|call|respond"
        "|reply ~3 you|touch|back|shortly|soon"
    ),
    (
        f"^ {_THAT}|more|further|additional|full|all|details|information ~4 can|could|may|will|is"
        "|are ~1 be ?be found|viewed|seen|available ~1 in|on|at|under|from"
    ),
    f"^ {_THAT}|more|further|additional|full|all|details|information ~4 can|could|may|will be ~1 found|viewed|seen",
    f"^ {_THAT} ~3 should|must|needs|would ~3 directed|handled|answered|addressed|escalated|asked ~2 by|to|with",
    f"^ {_THAT} ~1 is ~2 question|matter|topic|one|issue ~1 for ~4 {DESK}",
    f"^ see|refer|look|check ~6 for ~1 {MORE}",
    f"^ refer to ~5 {DESK}|{_WRITINGS} $",
    "^ here is|are ~2 link|links",
    # Someone else knows, helps or answers.
    f"^ {_NAMED} ~2 {MAY} ~3 help|assist|advise|answer|know|tell|say|explain|clarify|confirm|check|guide|support",
    (
        f"^ {_WHOSE} ~5 {DESK} ~2 {MAY} ~4 help|assist|advise|answer|know|tell|say|explain|clarify|confirm|have|check"
        "|guide|support|inform|resolve"
    ),
    f"^ {_WHOSE} ~5 {DESK} ~4 {MAY} ~1 be ~2 able|happy|glad|pleased|delighted|willing to",
    f"^ {_WHOSE} ~5 {DESK} ~1 {MAY} ~1 sort|fix|look|deal|take|get|follow ~3 you|it|this|that|care|out",
    f"^ you ~1 will|would|may|might ~1 have|need to ~1 {REACH} ~5 {DESK}",
    f"^ you ~1 would|will|are|may ~1 be ?much better|best ~1 {REACHING}|asking|checking|to ~5",
    "^ you are ~1 better|best off",
    f"^ one|something|that|this for ~4 {DESK}",
    "^ handled|answered|dealt ~1 by someone|others|another",
    f"^ {_WHOSE} ~4 {DESK} ~3 knows|know|has|have ~3 {_KNOWS}",
    f"^ {_WHOSE} ~5 {DESK} ~4 is|are|would|will ~2 {_RIGHT} ~1 {_PLACE}",
    f"^ {_NAMED} ~2 is|are|would|will|may|might ~2 {_RIGHT} ~1 {_PLACE}",
    f"^ the|your ~1 {_RIGHT} ~1 {_PLACE} ~2 is|are|would|will|for",
    f"^ {_RIGHT} to|thing|option|bet|idea ~4 {REACH}|{REACHING}|is",
    f"^ {_WHOSE} ~4 {DESK} ~1 is|are|stands ~2 happy|glad|pleased|there|available|ready to|for",
    f"^ they|someone|somebody|he|she {MAY} ~3 help|assist|advise|answer|guide|clarify|tell|know|explain|get|inform",
    f"^ someone|somebody {MAY} be in touch",
    f"^ they {MAY} be able|happy|glad to ~1 help|assist|advise|answer|tell|guide|explain|clarify|check|sort|look",
    f"^ they {MAY} be in touch",
    f"^ who {MAY}",
    "^ who ~1 knows|handles|helps",
    f"^ you would|will|may|might ~1 need|want ~1 a|an ~1 {DESK}",
    f"^ you would|will|may|might ~1 need|want ~1 to {REACH} ~6 {DESK}",
    f"^ you ~1 need ~1 a|an ~1 {DESK} $",
    f"^ this|that|it ~2 needs|requires|calls|takes ~2 a|an ~3 {DESK}",
    f"^ try|phone|ring|telephone|dm|ping the|your|our|a|an|one ~3 {DESK}",
    "^ perhaps|maybe give ~4 call|ring|shout|try",
    "^ give ~5 call|ring|shout|try",
    "^ have ~1 word with",
    f"^ please ~2 {REACH}|read|use|phone|ring|telephone|write|view|open ~6 {_PAGES}",
    "^ please ~1 ask|try|phone|ring|speak|talk|write ~1 a|an|your|the|our|to|with|us ~4",
    f"^ kindly ~2 {REACH} ~6 {DESK}",
    f"^ {_THAT} ~1 information|info|details|detail|question|figures|rules|data ~2 {MAY} ~1 be ~3 in|on|at|with|found",
    f"^ you ~2 {MAY} ~2 {REACHING}|phone|ring|get ~6 {DESK}",
    f"^ you ~2 {MAY} ~2 try|rephras*|reword* ~2 rephras*|reword*|again|question",
    f"^ you ~1 {MAY}|might ~1 want|wish|like|need ~2 {REACH}|{REACHING}|rephras*|reword* ~6 {DESK}",
    f"^ there is|are ~4 {DESK} ~3 who can|could|will|may",
    f"^ {REACH} ~1 with|to|in|on ~5 {DESK} $",
    f"^ i ~1 will|would|can|could ~3 {_PASSES}",
    f"^ i|we ~1 am|are ~2 {_PASSING}",
    f"^ i ~1 have ~2 {_PASSED}",
    f"^ {_WHOSE} ~5 {DESK} is|are ~1 one|ones|people|person ~1 to ~2 {REACH}",
    f"^ better|best ~1 {REACH} ~5 {DESK}",
    "^ i would ~1 check|ask|contact|speak|talk|consult ~1 with|to|the|your|an|a|someone",
    f"^ {_ASKS} ~10 is|are ~1 a|the ~2 question|matter|decision|one ~1 for ~4 {DESK}",
)
"""Referrals, as patterns tied to the start of a clause."""

_LOOK = "check|see|track|look|find|follow|view"
POINTS = (
    (
        f"^ you ~1 can|could|may|might ~2 {_LOOK} ~8 on|in|at|via|through ~4 page|portal|website|site|app|account"
        "|intranet|dashboard|list"
    ),
)
"""Where to look for what is asked, which goes with a reply that gives no answer: beside one it may be a rule."""
