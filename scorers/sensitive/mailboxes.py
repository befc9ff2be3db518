"""What mailboxes of functions are called: a team, a desk, an office, a purpose, and nobody's name."""

from __future__ import annotations

import re

_LONG = 4
_LONGER = 6
"""Letters from which a name of a function is told as a part of another, and as its end: "it" ends too many names."""

_NAMES = """
    abuse accessibility accounting accounts admin admissions admissionsoffice advertise advertising advisory alerts
    alumni analytics appeals applications apply appointments archive archives ask assistance association assurance
    audit auditor awards backoffice banking benefits billing board booking bookings branch bugs business buying
    calendar callcenter campus cancellations care careers cases catering certificates ciso claims classifieds
    clearance clinic collections comms communications community compensation complaints compliance concierge conduct
    conference consulting contact contacts contracts controlling coordination corporate counseling courier credit
    creditors crisis csirt customercare customerservice customersuccess customs data dataprivacy dataprotection
    datasecurity debtors deliveries delivery demo deployments design desk devops dispatch disputes dispute docs
    documentation donations dpo dsb duty editor editorial editors education elections emergency employees energy
    engineering enquiries enquiry enrolment enrollment environment equality escalation escalations estates ethics
    events examinations exams expense expenses export facilities facility faculty feedback finance fleet fraud
    frontdesk ftp fundraising gdpr giving governance grants grievance group guest guestservices health hello help
    helpdesk helpline hostmaster hotline housekeeping housing hr humanresources idea ideas images immigration import
    incident incidents info information infosec infrastructure innovation inquiries inquiry insurance integrations
    intake integrity interns internships investor investors invoice invoices invoicing it itsec itsecurity itsupport
    jobs laboratory labs law leads learning leave legal letters library licensing list listings loans logistics
    loyalty mail mailroom maintenance management marketing media medical members membership memberships merchandise
    mobility monitoring moving network news newsdesk newsletter newsroom noc no-reply noreply notices notifications
    office officers ombudsman onboarding oncall oped operations operator ops order orders outreach ovpn owners
    parking partners partnerships parts patents patient patients payables payment payments payroll pension pensions
    people permissions permits personnel phishing platform police policy postmaster press pressoffice pricing
    principal printing privacy procurement product products production projects properties property provost psirt
    publications publishing purchase purchases purchasing quality queries quotes reader readers reception recruiting
    recruitment redaction refund refunds registrar registration registry relations releases relocation remittance
    rentals repair repairs reporting reports requests research reservation reservations residency response resources
    returns rewards risk root safeguarding safety sales scheduling scholarships school schools secops secretariat
    secretary security sepa service service-desk servicedesk services settlements shipping shop site siteops soc
    solutions sourcing speakers sponsorship staff staffing statistics stewards store stores students studio
    submissions subscribe subscription subscriptions success suggestions supplier suppliers supply support
    sustainability switchboard systems talent tax taxes team technology tenders test tickets tips tours tourism
    trade training transport travel treasury trial triage trust underwriting union university usenet users uucp
    vendor vendors visa visas visitor visitors volunteer volunteers vpn warehouse warranty waste webinars webmaster
    website welcome wellbeing wellness whistleblower whistleblowing workplace workshops www abteilung allgemein
    anfrage anfragen auftrag auskunft bestellung bestellungen bewerbung buchhaltung buero datenschutz debitoren
    einkauf empfang geschaeftsstelle gesundheit immobilien kanzlei kasse kontakt kreditoren kunden kundendienst
    kundenservice lager leitung lohn meldung personal personalabteilung poststelle presse rechnung rechnungen recht
    redaktion reklamation sekretariat service-center sicherheit steuer stoerung technik verkauf versand vertrieb
    verwaltung werkstatt zentrale accueil achats administracion administration administracja administrazione aide
    amministrazione assistenza atencion atendimento bestuur biuro bok boletin cobros comercial commandes commerciale
    communication compras comptabilite comunicacion comunicazione consegne contabilidad contabilita contacto contato
    contatti contattaci correo direccion direction direzione empleo facturacion facturation faktury fatturazione
    financeiro formation formazione inkoop juridique kadry klantenservice ksiegowosc lavoro livraison magazyn
    marketingowy ochrona ordini personeel pomoc praca prensa privacidad qualite qualita reclamaciones reclami
    rechtsabteilung reservas rh rrhh ressources rodo sac sav seguridad segreteria serwis sicurezza soporte sprzedaz
    stampa sugestoes ufficio urp vendas vendite ventas verkoop zakupy
    acquisti arbeitsschutz ausbildung azubi azubis betriebsarzt betriebsrat clienti escuela facturas fahrdienst
    firmenwagen flotte fornitori fuhrpark gehalt hausmeister kantine logistica lohn lohnbuero magazzino nomina
    nominas onboarding opleiding paghe paie payes personale placowka podroze reise reisekosten reisen reizen reception
    recepcion relacje rekrutacja risorseumane salarios salaris schulung szkolenia szkolenie transporte viagens
    viajes viaggi voyages weiterbildung wsparcie zaopatrzenie zeiterfassung
"""
# Sources: RFC 2142 names those of the internet's services; the others are in common use in the languages at hand.

MAILBOXES = frozenset(_NAMES.split())
"""Names of mailboxes that belong to a function."""

LONG_MAILBOXES = frozenset(name for name in MAILBOXES if len(name) >= _LONG)
"""Those long enough to be told as a part of a name (``press.relations``)."""

ENDINGS = tuple(sorted({name for name in MAILBOXES if len(name) >= _LONGER} | {"desk", "help", "info", "news", "team"}))
"""What a name of one word may end with (``userhelp``, ``acmebilling``)."""

COMPOUND = re.compile(
    r"[a-z\u00e4\u00f6\u00fc\u00df-]{3,24}(?:stelle|buero|b\u00fcro|abteilung|verwaltung|dienst|zentrale|leitung|vertretung|beauftragte[rn]?"
    r"|administratie|afdeling|balie)"
)
"""Words that are put together in German and Dutch to name a desk: ``reisestelle``, not ``estelle``."""

ACRONYMS = frozenset(
    {
        "ciso",
        "csirt",
        "dpo",
        "dsb",
        "hr",
        "it",
        "noc",
        "ops",
        "psirt",
        "rh",
        "rrhh",
        "sac",
        "sav",
        "secops",
        "soc",
        "urp",
    }
)
"""Short names of functions that are nobody's surname, told as a part of a name (``emea.soc``)."""
