"""Every text of the workbook's sheets by which results read it, by sheet; a test looks for each in the built workbook.

A label that is renamed there is renamed here; what older copies call it goes into `OLDER`, so that both are read.
"""

from __future__ import annotations


class Compare:
    """The designs side by side, and what Answer and the charts show of them."""

    SHEET = "Compare"
    BASE = "Base design"
    RANK = "Rank"
    ARRAY = "Storage array"
    NUMBERED = "Its array, numbered where another design has it"
    YEAR = "Year of its paper"
    STATE = "State"
    NORMAL = "Arrays in normal operation"
    AFTER = "Arrays after one failure"
    LIMIT = "Limited by, share used, after one failure"
    UNCHECKED = "Not checked"
    UNCHECKED_SHORT = "Not checked, in short"
    DRAWN = "Arrays after one failure, else required"
    PRICE = "Price of one array"
    PRESENT_COST = "Present cost"
    PER_MONTH = "Per desktop and month"
    BREAK_EVEN = "Break-even price: as dear as the base design"
    CHECKED = "fully checked"
    AT_LEAST = "at least"
    EMPTY_CARD = "fill its card"
    LEFT_OUT = "left out"
    ON_ANSWER = "Shown on Answer"
    ON_ANSWER_AFTER = "after one failure"
    NEEDED = "Needed, unrounded"
    IN_ORDER = "In order"
    SHARE = "Share"


OLDER = {"Place": Compare.RANK}  # of Compare in copies up to 0.2.0


class CostReview:
    """The years of a study, and the lines from the list price to the present cost."""

    SHEET = "Cost review"
    FIRST_YEAR = "Year 1"
    FROM_LIST = "From the list price to the present cost"
    AMOUNT = "Amount"
    UNIT = "Unit"
    SOURCE = "Source, and when it is paid"
    BEHIND = "Figures behind the page"
    NEEDED = "Arrays needed"
    OWNED = "Arrays owned"
    ARRAYS = "Arrays"
    INSTALLATION = "Installation"
    SUPPORT = "Support not included in the price"
    HOSTS = "Hosts"
    LICENCES = "Licences"
    POWER = "Power and cooling"
    RACK = "Rack space"
    ADMINISTRATION = "Administration"
    CLOUD = "Cloud storage by the month"


class Arrays:
    """The catalogue of published arrays, and the sources of their figures."""

    SHEET = "Arrays"
    SOURCES = "Source of each figure"
    SERVING = "Controllers serving I/O"
    STANDBY = "Controllers standing by"
    LOST = "What a failure takes away"
    LARGEST_IOPS = "Largest IOPS demonstrated"
    LARGEST_SHARE = "Read share of that load"
    SOLD_WITH = "Data reduction it is sold with"


class AllArrays:
    """The list of all arrays, your own among them."""

    SHEET = "All arrays"
    WRITE_WEIGHT = "Write weight, in the base design"
    CAPACITY = "Read-equivalent capacity, in the base design"


class Lists:
    """Workloads, defaults and provisioning methods, each figure with its source."""

    SHEET = "Lists"
    SOURCES = "Source of each figure"
    PROFILE = "Profile"
    PHASE = "Phase"
    SOURCE = "Source"
    SOURCE_OF_IOPS = "Source of IOPS"
    SOURCE_OF_MINUTES = "Source of the minutes"
    SOURCE_OF_SHARE = "Source of read share"
    SOURCE_OF_BLOCK = "Source of block size"
    REDUCTION_PLAIN = "Reduction likely, plain array, x:1"
    REDUCTION_INLINE = "Reduction likely, inline, x:1"
    METHOD = "Provisioning method"
    CLASS = "Array class"
    COMPONENT = "Component"
    LATENCY_LIMIT = "Latency limit, ms"
    IMAGES = "images"
    USER_DATA = "user data and profiles"
    SWAP = "swap files"
    SHARES = "Share of each group"


class Design:
    """The figures of the design."""

    SHEET = "Design"
    CLASS_ROW = "Row of the array's class"


class Capacity:
    """What is stored."""

    SHEET = "Capacity"
    PVD = "Personal vDisk"


class Outcome:
    """What to ask a vendor for, among the figures behind the answer."""

    SHEET = "Outcome"
    ASKED_SHARE = "Read share of it"
    ASKED_BLOCK = "Block size of it"


class Summary:
    """Demand and supply of each phase."""

    SHEET = "Summary"
    PHASE = "Phase"
    DEMAND = "Demand"
    SUPPLY = "The arrays in the design can serve"


class Timeline:
    """The load of a day."""

    SHEET = "Timeline"
    MINUTE = "Minute"
    IOPS = "IOPS"


class About:
    """What the workbook is, and what it does not claim."""

    SHEET = "About"
    VERSION = "Version"
    CAVEATS = "What it does not claim"
    PRICES = "Prices"


class Checks:
    """The checks, a row each."""

    SHEET = "Checks"
    KIND = "Type"


class Evidence:
    """Printed results beside ours, and the facts below them; up to 0.2.0 facts had a sheet Sources."""

    SHEET = "Evidence"
    ID = "Id"
    PAPER = "Paper"
    WHERE = "Where"
    SYSTEM = "System"
    QUANTITY = "Quantity"
    PRINTED = "As printed"
    UNIT = "Unit"
    VERDICT = "Verdict"
    WHAT = "What"
    PRINTED_FROM = "Printed, from"
    PRINTED_TO = "Printed, to"
    OURS = "Ours"
    NOTE = "Note"
    KNOWN_MISS = "known miss"
    DIFFERS = "DIFFERS"


class Predictions:
    """Predictions, and the contradictions below them; up to 0.2.0 these had a sheet Discrepancies."""

    SHEET = "Predictions"
    ID = "Id"
    SEVERITY = "Severity"
    TOPIC = "Topic"
    FIRST = "First reading"
    SECOND = "Second reading"
    FOLLOWED = "Followed"
    WHY = "Why"
    FACTS = "Facts"
    PAPER = "Paper"


class HandOff:
    """What people type for the hand-off, and the figures to monitor."""

    SHEET = "Hand-off"
    FIGURE = "Figure"
    ACT_AT = "Act at"
    WHY = "Why"


SHEETS = (
    *(Compare, CostReview, Arrays, AllArrays, Lists, Design, Capacity, Outcome, Summary, Timeline, About, Checks),
    *(Evidence, Predictions, HandOff),
)
