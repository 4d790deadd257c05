"""General defaults: what an empty cell takes where no profile has a figure. They are old, and named where they count.

Of each the words that say so, in the design of any method that uses it.
"""

from collections.abc import Sequence

from model.layout.line import Line
from model.reading.columns import Typed
from model.reading.facts import FactBook
from model.reading.inputs import Input
from model.reading.records import Data

ASSUMED = "assumed: general default"
_STORED = {  # what some methods store: what people call it, and the flag that this one does
    "ram_gib": ("memory", "{swap_files}"),
    "write_cache_gib": ("cache", "SIGN({write_cache_stored_gib})"),
    "image_gib": ("image", "SIGN({images_physical_gib})"),
    "disk_gib": ("disk", "SIGN({disk_stored_gib})"),
}
ALWAYS = {"start_rate_per_min": "start rate", "login_window_min": "login window", "login_duration_s": "login duration"}
ON_ITS_DISK = {key: word for key, (word, _) in _STORED.items()}
WORDS = {**ON_ITS_DISK, **ALWAYS}


def _papers(facts: FactBook, typed: Typed) -> list[tuple[str, str]]:
    """Return (code, year) of the papers behind a figure; no year of one without a date."""
    codes = dict.fromkeys(id_.partition("-")[0] for id_ in sorted(typed.facts))
    return [(code, facts.sources[code].date.partition("-")[0]) for code in codes]


def _named(papers: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{code} {year}" if year.isdigit() else code for code, year in papers)


def name(data: Data) -> str:
    """Return the name of the row of general defaults: that they are assumed, and how old they are."""
    papers = dict(each for item in data.travelling() for each in _papers(data.facts, item.value))
    years = sorted(year for year in papers.values() if year.isdigit())
    return f"{ASSUMED} of {years[0]} to {years[-1]} ({', '.join(sorted(papers))})"


def _words(data: Data, key: str) -> str:
    """Return what a design takes from the general default of an input: the figure and the papers behind it."""
    item: Input = data.input(key)
    return f"{WORDS[key]} {item.value.value:,.6g} {item.unit} ({_named(_papers(data.facts, item.value))})"


def _own(key: str) -> str:
    """Return the key of the row that names the general default of an input."""
    return f"{key}_general"


def rows(data: Data) -> tuple[Line, ...]:
    """Return the rows of Outcome that name the general defaults in use, one each: the label is what they say."""

    def line(key: str, group: str, shown: str, basis: str) -> Line:
        source = f"{{{key}_source}}"
        borrowed = f"OR(EXACT({source},{{default:general}}),EXACT({source},{group}))"
        formula = shown.replace("<words>", f'", "&{{label:{_own(key)}}}').replace("<borrowed>", borrowed)
        return Line(_own(key), _words(data, key), "text", formula, basis, text_lines=2)

    stored = "Empty where it is entered, travels with the profile, or the method stores none"
    always = "Empty where it is entered or travels with the profile"
    above = [*_STORED, *ALWAYS][len(_STORED) - 1 : -1]  # the row above each that always counts: these share a formula
    places = [f"INDEX({{groups:borrowed}},1,ROWS({{until:{_own(above[0])}:{_own(key)}}}))" for key in above]
    return (
        *(
            line(key, f"{{groups:borrowed:{key}}}", f"=REPT(<words>,IF(<borrowed>,{flag},0))", stored)
            for key, (_, flag) in _STORED.items()
        ),
        *(line(key, place, '=IF(<borrowed>,<words>,"")', always) for key, place in zip(ALWAYS, places, strict=True)),
    )
