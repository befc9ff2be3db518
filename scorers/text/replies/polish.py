"""How a Polish reply declines, abstains, refers elsewhere and greets."""

from __future__ import annotations

from scorers.text.replies.base import Wording

_HELP = (
    "pomóc|odpowiedzieć|udzielić|udzielać|ujawnić|ujawniać|podać|przekazać|udostępnić|udostępniać|doradzić|doradzać"
    "|spełnić|zrealizować|skomentować|wypowiadać|wypowiedzieć|rozmawiać|komentować|odpowiadać"
)
_FACTS = (
    "informacji|informacje|informacja|danych|dane|szczegółów|odpowiedzi|wzmianki|wzmianek|wiedzy|dokumentów|dokumentu"
    "|wskazówek|źródeł|dostępu|wyników|zapisu|zapisów|podstaw|pewności"
)
_SOURCES = (
    "dokument|dokumenty|dokumencie|dokumentach|dokumentów|dokumentu|źródła|źródłach|źródeł|źródło"
    "|kontekst|kontekście|kontekstu"
    "|tekst|tekście|teksty|tekstach|fragment|fragmenty|fragmentach|fragmentów|materiały|materiałach"
    "|materiałów|polityka|regulamin"
    "|regulaminie|podręcznik|instrukcja|instrukcji|baza|bazie|treść|treści|artykuł|artykuły|dokumentacja|dokumentacji"
    "|informacje|umowa|umowie|wytyczne|wytycznych|zasady|procedura|polityce"
)
_SAYS = (
    "wspomina|wspominają|określa|określają|podaje|podają|wskazuje|wskazują|mówi|mówią|precyzuje"
    "|precyzują|odnosi|odnoszą"
    "|wymienia|wymieniają|wyjaśnia|wyjaśniają|opisuje|opisują|porusza|poruszają|odpowiada|odpowiadają|omawia|omawiają"
)
_HOLDS = "zawiera|zawierają|zawierał|dostarcza|dostarczają|ma|mają|pozwala|pozwalają|daje|dają|obejmują"

WORDING = Wording(
    declines=(
        "wykracza|wykraczają|leży|leżą|jest|są ~1 poza ~3 mój|moje|moim|moimi|zakres|możliwości|zakresem",
        "nie ~1 należy|należą|leży|mieści|wchodzi ~3 do|w ~2 moich|moim|mojego|zakres",
        "nie mogę ~3 stawiać|udzielać|dawać|doradzać|oceniać|robić|wykonać",
        "nie zajmuję",
        "nie ~1 mogę|będę|zamierzam|chcę|mogłbym",
        "nie ~1 jestem ~2 w stanie",
        "nie ~1 jestem ~1 upoważniony|upoważniona|uprawniony|uprawniona|władny",
        "nie ~1 wolno mi",
        "nie ~2 mi ~2 wolno",
        "nie mam ~1 uprawnień|prawa|upoważnienia|możliwości",
        f"nie ~1 możemy ~4 {_HELP}",
        "nie ~1 udzielam|ujawniam|ujawniamy|podaję|komentuję|doradzam",
        "nie ~1 jest ~1 możliwe ~1 udzielenie|ujawnienie",
        "nie ~1 pomogę|odpowiem|podam|ujawnię|udzielę",
        "przekracza|przekraczają ~2 moje|mój|moją",
        "jest|to ~2 mnie ~1 niemożliwe|zabronione",
        "mi|mnie zabronione|niemożliwe",
        "nie ~2 powiem|wykonam|zrobię|doradzę|odpowiadam",
        "muszę ~2 odmówić",
        "nie ~1 mam prawa|obowiązku",
        "nie ~1 chcę|chciałbym|zamierzam|życzę",
        "nie do|do mnie ~1 należy",
        "nie ~1 napiszę|zrobię|przygotuję|stworzę|wygeneruję|udostępnię|przekażę|wezmę|wykonam|przygotuje|dam",
        "odmawiam",
        "wolę|wolałbym|wolałabym nie",
        "wykracza|wykraczają ~2 poza ~3 moje|moich|mój|zakres",
        "poza ~2 zakresem|zakres ~2 moich|moje|mojej",
        "jako ~4 asystent|ai|model|sztuczna ~6 nie",
        "ta|to|tej|to|ten|na prośba|pytanie|zapytanie ~4 nie ~1 może|można",
        "nie ~1 można ~1 odpowiedzieć|udzielić ~4 odpowiedzi|pytanie|informacji|to",
        "powstrzymam|wstrzymam się",
    ),
    abstains=(
        f"{_SOURCES} ~3 nie ma|znajduję|znalazłem|znalazłam|widzę|podano|mówi ~3",
        "nie ma ~3 mowy|nic|informacji|wzmianki|danych|słowa ~6",
        f"nie ma ~6 {_SOURCES}|nich|nim",
        "nigdzie nie ~2",
        (
            "nie ~2 wspomniano|wspomina|podano|określono|opisano|omówiono|wskazano|mówi|mówią|poruszono"
            "|wymieniono|wyjaśniono"
        ),
        f"{_SOURCES} ~5 nie ~1 {_SAYS}|mówi|mówią|zawiera|zawierają|wspomina|wspominają|dotyczą|dotyczy|opisują",
        "nie ~2 znalazłem|znalazłam|znaleziono|znajduję|widzę",
        "nie wynika|wynikają ~5",
        "nie ~2 da|można|sposób się ~4 odpowiedzieć|powiedzieć|stwierdzić|ustalić|określić|udzielić",
        "nie da ~1 się|na",
        "nie potrafię|umiem ~4 odpowiedzieć|powiedzieć|wskazać|stwierdzić|potwierdzić|podać|określić",
        "nie mogę ~3 wskazać|stwierdzić|potwierdzić|określić",
        "wolę|wolałbym|wolałabym nie ~1 zgadywać|spekulować|przypuszczać",
        "^ brak ~2 danych|informacji|odpowiedzi|wzmianki|szczegółów",
        "^ niestety nie wiem",
        "nie wiem",
        "chodzi ~2 o",
        "o co ~6 chodzi",
        "czy|proszę|mógłby|mogłaby ~5 doprecyzować|sprecyzować|wyjaśnić|uściślić|szczegółów|precyzyjniej|dokładniej",
        "co|który|która|które ~4 ma|mają|masz na myśli",
        f"nie ~1 mam|posiadam|mamy|posiadamy|dysponuję|dysponujemy ~5 {_FACTS}|dostępu|pojęcia",
        "nie ~1 znalazłem|znalazłam|znaleziono|znaleźliśmy|znajduję|widzę|znalazło",
        "nie ~1 udało ~2",
        (
            "nie ~1 mogę|możemy|jestem|potrafię ~5 znaleźć|ustalić|potwierdzić|stwierdzić|określić|zweryfikować"
            "|wywnioskować|odnaleźć|ocenić"
        ),
        "nie ~1 dysponuję|posiadam|dysponujemy",
        "nie wiem",
        "nie ~1 jest mi ~1 znane|znana|wiadome|wiadomo",
        "nie ~1 wiadomo",
        f"{_SOURCES} milczy|milczą",
        "milczy|milczą ~2 temat",
        (
            "nie ~1 została|został|zostało|zostały|jest|są ~2 poruszona|poruszone|omówiona|omówione|uregulowana"
            "|opisana|uwzględniona ~3 w"
        ),
        "nie ~1 jestem ~1 pewien|pewna|pewny",
        "nie ~1 znam",
        "nic ~2 nie wiem|wiadomo|ma|mówi|mówią|wspomina|znalazłem|znalazłam",
        f"{_SOURCES} ~6 nie|ani ~2 {_SAYS}",
        f"{_SOURCES} ~6 nie ~2 {_HOLDS} ~4 {_FACTS}|stwierdzić|ustalić|odpowiedzieć|nic|żadnych|odpowiedzi",
        f"w|we|z|ze ~4 {_SOURCES} ~4 nie|brak|brakuje|nic ~3",
        f"nie ~1 {_SAYS}|wynika|ma|znajduje|znajdują|podano|wspomniano|określono ~6 {_SOURCES}",
        f"żaden|żadne|żadna ~4 {_SOURCES} ~3 nie",
        f"nie ~1 ma|było ~2 {_FACTS} ~6",
        f"brak|brakuje ~3 {_FACTS}",
        f"^ brak ~2 {_FACTS}",
        (
            "nie ~1 zostało|została|zostały|jest|są ~2 określone|określona|podane|podana|wspomniane"
            "|sprecyzowane|opisane|wskazane|wymienione"
        ),
        "nie podano|określono|wspomniano|sprecyzowano|wskazano",
        f"niewystarczając* ~2 {_FACTS}",
        f"{_FACTS} ~3 niewystarczając*|niedostępn*",
        f"za mało|wystarczających|wystarczająco ~2 {_FACTS}",
        "nie ~1 można|da ~3 ustalić|stwierdzić|określić|odczytać|wywnioskować|wyczytać",
        "trudno ~1 powiedzieć|stwierdzić",
    ),
    refers=(
        "pomoże|pomogą|wyjaśni|wyjaśnią|odpowie|odpowiedzą|udzieli|udzielą|doradzi|wie|powie ~4",
        "na ~1 pewno pomoże|wyjaśni|odpowie|to",
        "proszę ~2 skontaktować|zgłosić|porozmawiać|zapytać|zwrócić|pytać|udać|skonsultować|zajrzeć|zadzwonić",
        "najlepiej ~2 zapytać|skontaktować|zwrócić|porozmawiać",
        "przekażę|przekieruję|połączę|przełączę ~6",
        "proszę ~2 skontaktować|zwrócić|zapytać|skonsultować|zadzwonić|sprawdzić|zajrzeć|pytać",
        "skontaktuj|zwróć|skonsultuj|zapytaj|zadzwoń|sprawdź ~2 się|z|do|w|dział|swojego|przełożonego|u",
        "najlepiej ~3 skontaktować|zwrócić|zapytać|skonsultować",
        (
            "sugeruję|polecam|radzę|zalecam|zachęcam ~3 kontakt|skontaktować|zwrócić|zapytać|skonsultować"
            "|skontaktowanie|konsultację|o|do"
        ),
        "może pan|pani ~3 skontaktować|zwrócić|zapytać|sprawdzić",
        "warto ~3 skontaktować|zapytać|zwrócić|skonsultować|sprawdzić",
        "udzieli|udzielą|pomoże|pomogą ~3 odpowiedzi|informacji|panu|pani|ci|wsparcia",
    ),
    courtesy=(
        "^ dzień dobry",
        "w czym|jak ~1 mogę|możemy ~4",
        "^ miłego|dobrego|udanego",
        "^ nie ma ~1 za|sprawy|problemu",
        "^ przykro mi ~2 $",
        "^ niestety $",
        "^ do widzenia|zobaczenia|usłyszenia",
        "^ oczywiście|jasne|dobrze|świetnie|rozumiem",
        "proszę ~1 o ~4 szczegółów|informacji|numer",
        "^ chętnie ~4",
        "^ proszę bardzo",
        "^ cześć|dzień|witam|witaj|witamy|dobry|hej",
        "^ dziękuję|dzięki|dziękujemy",
        "proszę bardzo",
        "nie ma za co",
        "w czym mogę ~2 pomóc",
        "jak mogę ~2 pomóc",
        "chętnie pomogę|odpowiem",
        "^ rozumiem",
        "^ dobre|świetne|ciekawe pytanie",
        "^ to ~2 pytanie",
        "^ przykro mi $",
        "^ przepraszam|niestety $",
        "^ mam nadzieję",
        "^ miłego|powodzenia|pozdrawiam",
        "jestem|pozostaję do dyspozycji",
    ),
    about=(
        f"{_SOURCES} ~5 dotyczą|dotyczy|opisują|opisuje|mówią|omawiają|traktują",
        "^ które|którymi ~1 mam|dysponuję|posiadam $",
        "szukałem|szukałam|sprawdziłem|sprawdziłam|przejrzałem|przejrzałam",
        "na podstawie ~6 $",
        f"w|z ~2 {_SOURCES} ~4 $",
    ),
)
