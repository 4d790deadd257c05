"""Whether a text says an amount of money: words of money in five languages, and rules on numbers without a unit.

No list of words is complete, so that a percentage, thousands and a number "per node" count as money unless a technical
word says what they are. A text left out wrongly is listed; a leak is not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_AFTER, _BEFORE = r"(?![a-z])", r"(?<![a-z])"  # a digit may touch a word: 84140EUR
_TOLD = re.compile(rf"[$\u20ac\u00a3]|usd|{_BEFORE}(?:[kmt]?(?:eur|gbp|chf)|prices?){_AFTER}")
_CURRENCY = re.compile(
    rf"{_BEFORE}(?:[kmt]?euros?|dollars?|pounds?|sterling|francs?|franken|yen|yuan|rupees?|kron(?:a"
    r"|e|er|or|en)|cents?|cts?"
    r"|pence|rappen|centimes?|centesimi|centimos?|centavos?|zloty|bucks?|quid|dirhams?|franchi|francos?|dolar(?:es)?"
    rf"|dollari){_AFTER}"
)
_CODES = "AED|AUD|BRL|CAD|CNY|COP|CZK|DKK|HKD|HUF|IDR|ILS|INR|JPY|KRW|MXN|MYR|NOK|NZD|PLN|RON|RUB|SEK|SGD|THB|TWD|ZAR"
_CODE = re.compile(rf"(?<![A-Za-z])[kKTM]?(?:{_CODES})(?![A-Za-z])")
_WORDS = (  # with a number beside it, an amount; without accents
    r"costs?|costing|quot(?:e[ds]?|ations?)|budget\w*|discount\w*|pa(?:y|ys|id|ying|yments?)|fees?|invoice\w*|priced?"
    r"|pricing|tariffs?|spen[dt]|purchas\w+|rebates?|concessions?|margins?|mark-?ups?"
    r"|knock(?:ed|ing)?|haggl\w*"
    r"|bargain\w*|mates'? rates?|off list"
    r"|(?:off|below|under|over) (?:the|their|your|our|its) list|(?:below|under) list|cheaper|expensive"
    r"|(?<!in )charge[ds]?|billed|billing|surcharges?|uplifts?|cashback|kickbacks?|refund\w*|worth|deals?|rental"
    r"|leasing|revenues?|profits?|msrp|rrp|tco|capex|opex|(?:service|sla|availability) credits?|credit notes?|half off"
    r"|negotiated (?:down|to|at)",
    r"[a-z]*preis(?:e|en|es)?|kost(?:en|et)\w*|[a-z]+kosten|[a-z]*rabatte?s?|[a-z]*nachlae?ss?e?n?|nachlass\w*"
    r"|skont[oi]s?"
    r"|angebot\w*|marge\w*|aufschlag|zuschlag|abschlag|bonus|boni|gutschrift\w*|rechnung\w*|honorar\w*|gebue?hr\w*"
    r"|entgelt\w*|bezahl\w*|zahl(?:en|t|ung|bar)\w*|tarif\w*|vergue?nstig\w*|gue?nstiger|billiger|teurer|kauf\w*"
    r"|gekauft|einkauf\w*|miete|verhandelt\w*|ersparnis\w*|unter liste",
    r"prix|cout\w*|remises?|rabais|ristournes?|escomptes?|devis|facture\w*|pai(?:e|er|ement)\w*|paye\w*|montants?|frais"
    r"|loyer|achats?|achete\w*|moins cher",
    r"prezz[oi]|cost[oi]|scont\w*|margin[ei]|preventiv\w*|fattur\w*|paga(?:t|ment|re)\w*|tariff[ae]|canon[ei]|import[oi]"
    r"|acquist\w*|ribass\w*|abbuon\w*",
    r"precios?|costes?|costos?|descuent\w*|rebaj\w*|bonific\w*|margen(?:es)?|presupuest\w*|factur\w*"
    r"|pag(?:o|os|ar|ado|amos)|importes?|compra[sr]?|cuotas?|ofertas?|desconto\w*|korting\w*",
)
_COST = re.compile(rf"{_BEFORE}(?:{'|'.join(_WORDS)}){_AFTER}")
_TENS = (
    r"ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|[a-z]*hundreds?|half|third"
    r"|quarter"
    r"|[a-z]*(?:zwanzig|dreissig|vierzig|fue?nfzig|sechzig|siebzig|achtzig|neunzig|hundert)|zehn|vingt|trente|quarante"
    r"|cinquante|soixante|cent|cento|cien|ciento|cincuenta|[a-z]*(?:venti|trenta|quaranta|cinquanta|sessanta|settanta"
    r"|ottanta|novanta)|sesenta|setenta|ochenta|noventa|veinte"
)
_THOUSANDS = (
    r"(?:[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)[ -]grand|thousands?|[a-z]*tausend\w*|mille|mil"
    r"|(?:un |due|tre|[a-z]*(?:venti|anta|cento|dieci|sei|otto|nove|quattro|cinque"
    r"|sette)[a-z]*)mila|millions?|millionen|milion[ei]|millon(?:es)?|billions?|milliard\w*"
)
_COUNTED = re.compile(rf"\d|{_BEFORE}(?:{_TENS}|{_THOUSANDS}){_AFTER}")
_GROUPED = re.compile(  # 12,345.67; no address such as 10.120.130.14, which has one sign throughout
    r"\b\d{1,3}(?P<sign>[., '\u00a0\u202f])\d{3}(?:(?P=sign)\d{3})?(?:(?!(?P=sign))[.,]\d{1,2})?\b(?![., ']?\d)"
    r"[\s\u00a0]*(?P<unit>\w*)"
)
_UNIT = re.compile(
    r"[kmgtp]i?(?:b|bytes?)|m?s|h|k?w|k?va|btu|mm|rpm|seconds?|minutes?|hours?|days?|iops|i|ios?|users?|desktops?"
    r"|machines?|vms|hosts|files|blocks|volumes|luns|seats|connections",
    re.IGNORECASE,
)
_COUNTS = (  # what is counted without being bought by the amount
    r"iops|io|ios|i/?o|i/?os|ops|[kmgtp]i?b(?:its?|ytes?)?(?:/s|ps)?|[kmgt]bit(?:/s)?|m?s|h|d|min|k?wh?|k?va|btu|hz|mm|cm|km|rpm"
    r"|pps|seconds?|minutes?|hours?|days?|weeks?|months?|blocks?|pages?|clusters?|random|sequential|reads?|writes?|users?"
    r"|benutzer\w*|desktops?|machines?|vms?|hosts?|files?|volumes?|luns?|datastores?|seats?|connections?|sessions?"
    r"|logins?|mailboxes|objects?|packets?|people|employees|paths?|pfade?|ports?|links?|hbas?|nics?|drives?|ssds?|hdds?"
    r"|platten|disks?|controllers?|snapshots?|copies|cores?|sockets?|v?cpus?|gpus?|fans?|psus?|supplies|cables?|sites?"
    r"|shelves|shelf|feeds?|plugs?|nodes?|arrays?|racks?|tests?|times|failures?|displays?|monitors?|screens?|u|he|x"
)
_A_COUNT = re.compile(rf"[\s\u00a0-]*(?:of |de |di )?(?:{_COUNTS}){_AFTER}")
_THOUSAND = re.compile(
    rf"\d[\s\u00a0]?(?P<short>k|t|m|tsd|mio|mrd|mln|mn|bn|grand)\.?(?![\w/])|{_BEFORE}(?:{_THOUSANDS}){_AFTER}"
)
_FEW = r"(?:[2-9]|two|three|four|five|six|seven|eight|nine|ten)"
_FREE = re.compile(  # buy three get one free; 2 for 1 on shelves, but not 2 for 1 node
    rf"{_BEFORE}buy {_FEW}(?![\w.,]).{{0,30}}?(?<!\w)get (?:1|one|{_FEW})(?!\w)"
    rf"|(?<![\w.,]){_FEW} for (?:[12]|one|two)(?![\w%]|[.,]\d)(?!\s+(?:of |more )?(?:{_COUNTS}){_AFTER})"
)
_LENGTH = re.compile(
    r"cabl|kabel|fib(?:re|er)|faser|lwl|om[1-5]|os[12]|dac|patch|distan|abstand|length|laeng|lang|long|deep|tief|high|hoch"
    r"|wide|breit|away|apart|floor"
)
_EACH = re.compile(  # a number, at most one word, and what is bought
    rf"(?:\d|{_BEFORE}(?:{_TENS}|{_THOUSANDS}){_AFTER})[\s\u00a0]*(?P<word>[^\W\d]+\.?)??[\s\u00a0]*"
    r"(?:(?<![a-z])(?:per|je|pro|par|por|al|all[ao]|a|an|each|every|jede[rsn]?|chaque|cada|the)\s+|/\s*)"
    r"(?:nodes?|knoten|noeuds?|nod[oi]|arrays?|desktops?|seats?|platz|arbeitsplatz|users?|benutzer|utilisateur|utente"
    r"|usuario|kwh|months?|monat|mois|mese|mes|years?|jahr|ann?o|an|annum|hosts?|gi?b|ti?b|drives?|unit|piece|stue?ck"
    rf"|baie|system|box|shelf|licen[cs]e|vm|p\.?\s?a\.?|quarter|quartal){_AFTER}"
)
_OFFER = (
    r"bids?|offer(?:s|ed|ing)?|options?|optional\w*|extras?|add-?ons?|on top|[a-z]*gebote?|optionen|zzgl|zuzue?glich"
    r"|offre\w*|offert[aei]|supplement\w*|opzion[ei]|opcion(?:es)?|adicional(?:es)?"
)
_AMOUNT = r"(?<![\w.,/-])(?P<{}>\d{{3,9}})(?![\d/-])(?:[.,]\d{{1,2}})?(?![\w])"
_OFFERED = re.compile(  # such a word and a number of three digits or more, at most two short words between them
    rf"{_BEFORE}(?:{_OFFER}){_AFTER}\W{{1,3}}(?:[a-z]{{1,12}}\W{{1,3}}){{0,2}}{_AMOUNT.format('before')}"
    rf"|{_AMOUNT.format('after')}\W{{1,3}}(?:[a-z]{{1,12}}\W{{1,3}}){{0,2}}?(?P<word>{_OFFER}){_AFTER}"
)
_BID = re.compile(
    rf"{_BEFORE}(?:bids?|offer(?:s|ed)?|[a-z]*gebote?|offre|offert[ae])\W{{1,3}}(?:of |at |for )?\d{{4,9}}(?!\d)"
)
_AT_EACH = re.compile(
    rf"{_BEFORE}(?:at|for|a|zu|zum?|je) {_AMOUNT.format('each')}\s?(?:each|apiece|per|je|pro|stue?ck|cad)"
)
_PERCENT = re.compile(
    r"%|(?<![a-z])(?:per ?cents?|percentage|pct|prozent\w*|pour ?cent|percento|per cento|por ?ciento|v\. ?h\.)"
)
_TECHNICAL = re.compile(
    r"v?cpus?|utili[sz]\w*|util|[a-z]*auslastung|loads?|loaded|last|free|frei\w*|libres?|liber[oi]|full|voll|used|belegt\w*"
    r"|occup\w*|headroom|reserve[ds]?|reads?|reading|writes?|writing|lese\w*|schreib\w*|random|sequential|cache\w*|hits?"
    r"|misses|treffer\w*|availab\w*|verfu\w+|sla|slo|uptime|thresholds?|schwell\w*|limit\w*|warn\w*|alerts?|alarm\w*"
    r"|memory|ram|[a-z]*speicher|space|spare|thin|overcommit\w*|oversubscri\w*|dedup\w*|compress\w*|rebuild\w*|snapshots?"
    r"|latency|bandwidth|throughput|iops|packets?|battery|humidity|fill\w*|fuellstand|fullstand|filled|busy|idle|iowait"
)
_SHARE_OF = re.compile(
    r"\s*(?:of|der|des|dell[ae]|de)\s+(?:(?:the|all|our|its|les|los|alle[rn]?)\s+)?"
    r"(?:users?|benutzer|desktops?|hosts?|paths?|drives?|capacity|pool|volumes?|space|machines?|vms?|ports?|links?|cores?"
    rf"|iops|sessions?|logins?|nodes?|images?|files?|data|traffic){_AFTER}"
)
_CLAUSE = re.compile(r"[;:\n]|[,.](?!\d)|\(|\)|\s[-\u2013\u2014]\s")
_NEAR = 4  # words between a percentage and what it is


def mentions_money(text: str) -> bool:
    """Return whether a text mentions a price."""
    return _TOLD.search(_bare(text)) is not None


def says_an_amount(text: str) -> bool:
    """Return whether a text names a currency, counts a cost, or has a number that may be money, by its form."""
    bare = _bare(text)
    if any(unicodedata.category(sign) == "Sc" for sign in text) or _CURRENCY.search(bare) or _CODE.search(text):
        return True
    if (_COST.search(bare) and _COUNTED.search(bare)) or _FREE.search(bare):
        return True
    if any(not _UNIT.fullmatch(found["unit"]) for found in _GROUPED.finditer(text)):
        return True
    return any(_of_money(clause) for clause in _CLAUSE.split(bare)) or _each(bare) or _offered(bare)


def names_an_amount(text: str, currencies: Collection[str] = ()) -> bool:
    """Return whether a name says an amount with its currency: a sign or a word of money with a number somewhere.

    Codes such as CAD are words too, so that theirs must stand beside the number, which is no year.
    """
    bare = _bare(text)
    if any(unicodedata.category(sign) == "Sc" for sign in text) or any(
        _beside(text, re.escape(each)) for each in currencies if each
    ):
        return True
    told = _TOLD.search(bare) or _CURRENCY.search(bare)
    return bool(told and _COUNTED.search(bare)) or _beside(text, _CODES) or _BID.search(bare) is not None


def _beside(text: str, code: str) -> bool:
    """Return whether a code of a currency, a pattern, stands beside a number that is no year."""
    number = r"(?!(?:19|20)\d\d(?![\d.,' ]*\d))\d[\d.,' ]*"
    word = rf"(?<![A-Za-z])[kKTM]?(?:{code})(?![A-Za-z])"
    return re.search(rf"{word}[\s\u00a0]*{number}|(?<![\d.,']){number}[\s\u00a0]*{word}", text) is not None


def _bare(text: str) -> str:
    """Return a text in small letters without accents, and without what joins words in names of files."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).replace("_", " ").replace("\u2019", "'")


def _of_money(clause: str) -> bool:
    """Return whether a clause has a percentage that is not called technical, or thousands of nothing technical."""
    return any(not _technical(clause, found) for found in _PERCENT.finditer(clause)) or _thousands(clause)


def _technical(clause: str, share: re.Match[str]) -> bool:
    """Return whether a percentage is of something technical: a word near it says so, or what it is a share of."""
    if _SHARE_OF.match(clause, share.end()):
        return True
    before, after = (re.findall(r"[^\W\d_]+", part) for part in (clause[: share.start()], clause[share.end() :]))
    return any(_TECHNICAL.fullmatch(word) for word in (*before[-_NEAR:], *after[:_NEAR]))


def _thousands(clause: str) -> bool:
    """Return whether a clause has thousands or millions, in letters or as 84 k, without a unit after them."""
    for found in _THOUSAND.finditer(clause):
        if _A_COUNT.match(clause, found.end()) or (found["short"] == "m" and _LENGTH.search(clause)):
            continue
        if found["short"] != "t" or not clause[found.end() :].strip():
            return True
    return False


def _each(text: str) -> bool:
    """Return whether a number that counts nothing technical stands before "per node", "a desktop", "/kWh"."""
    return any(not re.fullmatch(_COUNTS, found["word"] or "") for found in _EACH.finditer(text))


def _offered(text: str) -> bool:
    """Return whether a number without a technical unit stands beside a word such as bid, or before "each"."""
    if _AT_EACH.search(text):
        return True
    for found in _OFFERED.finditer(text):
        ends = (found.end("before"), found.end("after"), found.end())  # 500 IOPS extra, 500 extra IOPS
        if not any(end >= 0 and _A_COUNT.match(text, end) for end in ends):
            return True
    return False
