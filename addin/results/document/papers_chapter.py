"""The appendix: where the papers behind a design contradict themselves, and what the formulas do not reproduce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from addin.leaving.amounts import mentions_money
from addin.results.document.blocks import Block, Chapter, Head, Points, Text
from addin.results.document.reading import Reading
from addin.results.document.sources import FACT, Origins, misses, touching
from addin.workbook import tabs
from addin.workbook.book import SizingBook

NAME, TITLE = "papers", "Appendix: where the papers contradict themselves, and what differs"
POINTER = "Contradictions in the papers behind this design, and printed results that differ, are in the appendix."
FOLLOWED = {  # what the sheet says is followed, as a sentence
    "first": "The workbook follows the first reading.",
    "second": "The workbook follows the second reading.",
    "both": "The workbook uses both, each for its purpose.",
    "neither": "The workbook follows neither of them.",
}
_UNITLESS = ("", "ratio", "count", "flag")


def papers(reading: Reading, origins: Origins) -> Chapter | None:
    """Return the appendix in sentences; None for a design whose papers neither contradict themselves nor differ."""
    facts, codes = cited(reading.book, origins)
    found, missed = list(_contradictions(reading, facts, codes)), list(_residuals(reading, codes))
    named = "; ".join(f"{code} is {origins.paper(code)}" for code in sorted(codes))
    blocks: list[Block] = [Text(f"{named}. None of this stops the design: it says how far its papers carry.")]
    if found:
        blocks += [Head("Contradictions that touch this design"), Points(found)]
    if missed:
        blocks += [Head("Printed results that the formulas do not reproduce"), Points(missed)]
    return Chapter(NAME, TITLE, blocks, new_page=True) if found or missed else None


def _contradictions(reading: Reading, facts: set[str], codes: set[str]) -> Iterator[str]:
    for id_, severity, topic, first, second, followed, why in touching(reading, facts, codes):
        said = FOLLOWED.get(followed, f"The workbook follows: {followed}.")
        read = f"First reading: {_sentence(first)} Second reading: {_sentence(second)}"
        text = f"{topic} ({id_}, severity {severity}). {read} {said} {_sentence(why)}"
        if reading.prices or not mentions_money(text):
            yield text


def _residuals(reading: Reading, codes: set[str]) -> Iterator[str]:
    for id_, what, low, high, ours, unit, note in misses(reading, codes):
        measure = "" if unit in _UNITLESS else f" {unit}"
        printed = f"{low} to {high}" if low and high and low != high else low or f"at most {high}"
        yield f"{what} ({id_}): printed {printed}{measure}, computed {ours}{measure}. {_sentence(note)}".rstrip()


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?" else f"{text}."


def cited(book: SizingBook, origins: Origins) -> tuple[set[str], set[str]]:
    """Return the facts that the array and the profile of a design cite, and the main paper of each."""
    facts, papers = set[str](), set[str]()
    for key, sheets in (("array", ("Arrays",)), ("profile", ("Lists", "Workloads", "Defaults"))):
        name = origins.reading.used(book.inputs[key])
        there = {tabs.title(book.cells, sheet) for sheet in sheets}
        places = [at for at, value in book.cells.values.items() if value == name and at.sheet in there]
        lines = {(at.sheet, at.column if key == "array" else at.row) for at in places}
        texts = [
            value for at, value in book.cells.values.items()
            if (at.sheet, at.column if key == "array" else at.row) in lines
            and isinstance(value, str) and not value.startswith("assumed")
        ]  # fmt: skip
        found = FACT.findall(" ".join(texts))
        facts.update(found)
        papers.update(paper for paper, _ in Counter(fact.partition("-")[0] for fact in found).most_common(1))
    return facts, papers
