"""The first page, for the person who decides: answer, cost, what could change it, what is assumed, who signs."""

from __future__ import annotations

from collections.abc import Iterator

from addin.results.document.blocks import TO_FILL, Block, Chapter, Grid, Head, Points, Text
from addin.results.document.design_chapters import lead
from addin.results.document.reading import BLANK, Reading
from addin.results.document.review_chapters import assumptions
from addin.results.document.sources import Origins
from addin.sizing.checks import ALERT, ERROR, raised
from addin.sizing.sentence import sentence
from addin.workbook import outside
from model.sheets.front.sign_off import SIGNED_BY

NAME, TITLE = "short", "In short"
COSTS = ("cost_total", "cost_per_desktop", "cost_per_desktop_month", "npv")
_NAMED = 8  # assumed inputs
_NOTHING = ("none", "no", "not run", BLANK)


def short(reading: Reading, origins: Origins) -> Chapter:
    """Return the answer in three sentences, cost where it may be shown, what could change it, and who signs."""
    sized = sentence(reading.book, reading.book.results["arrays_required"].address, ())
    blocks: list[Block] = [Text(lead(reading), "lead"), Text(f"{sized} {used(reading)}".strip())]
    if reading.prices:
        blocks.append(Grid("Cost in short", ("", ""), costs(reading), frozenset({1})))
    blocks += [Head("What could change it"), Points(list(changes(reading)))]
    blocks += [Head("What is assumed"), Points(list(assumed(reading, origins)))]
    rows = [(role, TO_FILL, TO_FILL, TO_FILL) for role in SIGNED_BY]
    blocks += [Head("Decision"), Grid("Decision", ("Role", "Name", "Date", "Signature"), rows)]
    return Chapter(NAME, TITLE, blocks)


def costs(reading: Reading) -> list[tuple[str, str]]:
    """Return the costs; one line where all of them say the same, such as that a quote is missing."""
    rows = reading.rows(COSTS)
    same = {text for _, text in rows}
    return [("Cost", same.pop())] if len(rows) > 1 and len(same) == 1 else rows


def used(reading: Reading) -> str:
    """Return how much of the design is used, and how many more users fit; nothing where there is no answer."""
    normal, failed = (reading.text(f"share_used_{state}") for state in ("normal", "after_failure"))
    if reading.unanswered or normal == BLANK or reading.without_arrays:
        return ""
    room = reading.number("headroom_desktops")
    fits = f"More desktops that fit: {reading.text('headroom_desktops')}"
    if room:
        fits = f"{room:,.0f} more desktops fit" if room > 0 else f"{-room:,.0f} desktops are too many"
    return f"In normal operation {normal} of the design is used, after one failure {failed}. {fits}."


def changes(reading: Reading) -> Iterator[str]:
    """Yield what would change the number of arrays, and what nobody has checked."""
    for key in ("call_words", "matters_words"):
        if (text := reading.text(key)) not in _NOTHING:
            label = reading.label(key)
            yield f"No {_inside(label)}: {text[4:]}." if text.startswith("no: ") else f"{label}: {text}."
    if (unchecked := reading.text("constraints_unchecked")) not in _NOTHING:
        bound = "" if reading.unanswered else ", so that the answer is a lower bound"
        yield f"Not checked{bound}: {unchecked}."
    found = (each for each in raised(reading.book, reading.values) if each.kind in (ERROR, ALERT))
    yield from (f"Warning, check {each.id} fails. It expects: {each.label}. {each.todo}." for each in found)
    yield from outside.of(reading.book)
    yield "A measurement of your own desktops: published profiles were measured elsewhere."


def assumed(reading: Reading, origins: Origins) -> Iterator[str]:
    """Yield what the design takes for granted."""
    if (text := reading.text("assumed_defaults")) not in _NOTHING:
        yield f"{text[:1].upper()}{text[1:]}."
    labels = [_inside(each.label) for each in assumptions(reading, origins)]
    if labels:
        more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
        named = f"{', '.join(labels[:_NAMED])}{more}"
        yield f"{len(labels)} inputs that nobody published, with reasons under Assumptions and open questions: {named}."
    else:
        yield "No input: all are typed, published or derived."


def _inside(label: str) -> str:
    """Return a label as it is written inside a sentence."""
    return f"{label[:1].lower()}{label[1:]}" if label[1:2].islower() else label
