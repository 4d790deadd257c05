"""The bill of materials: arrays or nodes, disks and shares, what one has, what it stores, what a quote must say."""

from __future__ import annotations

from collections.abc import Iterator

from addin.results.document.array_card import card
from addin.results.document.blocks import TO_FILL, Block, Chapter, Grid, Head, Text
from addin.results.document.reading import Reading, keys_of
from addin.results.labels import Arrays

_BARE = ("", "")  # headings of a table of labels and values
_BESIDE = (("Machines' disks", "disk_told"), ("Cloud share for containers", "share_told"))


def materials(reading: Reading) -> Chapter:
    """Return the bill of materials: arrays or nodes, volumes, capacities; and the details that a quote must give."""
    sums = [
        *(() if reading.without_arrays else _arrays(reading)),
        *((label, reading.text(key), "this design") for label, key in _BESIDE if reading.text(key)[:1].isdigit()),
        ("Catalogues, datastores of each", f"{reading.input('catalogs')}, {reading.input('datastores')}", "volumes"),
        (reading.label("desktops_per_datastore"), reading.text("desktops_per_datastore"), "volumes"),
        *(() if reading.word == "node" else (
            (reading.label("hosts_required"), reading.text("hosts_required"), "to connect"),
        )),
        ("Throughput to connect", reading.text("ask_mb_s"), "the largest phase, rounded up"),
        ("Ports and their speed", TO_FILL, "enter what the quote has"),
    ]  # fmt: skip
    blocks: list[Block] = [
        Grid("Bill of materials", ("", "", ""), sums, frozenset({1})),
        *(() if reading.without_arrays else (*_of_one(reading), *_stored(reading))),
        Head("What a quote must say"),
        Grid("To be filled in from the quote", _BARE, [
            *(() if reading.without_arrays else (
                ("Data reduction the vendor guarantees, and its terms", _guarantee(reading)),
            )),
            ("Number of the quote, date, valid until", TO_FILL if not reading.prices else _quote(reading)),
            ("Years of support included, response time", TO_FILL),
            ("Model, controllers, drives, ports, software as quoted", TO_FILL),
        ]),
    ]  # fmt: skip
    return Chapter("design", "Design and bill of materials", blocks)


def _arrays(reading: Reading) -> Iterator[tuple[str, str, str]]:
    """Yield the number of arrays or nodes, and the capacity of one and of all."""
    yield f"{reading.word.capitalize()}s of {reading.input('array')}", reading.text("arrays_used"), "this design"
    one, every = f"one {reading.word}", f"all {reading.word}s"
    places = {"raw_gib": one, "usable_gib": one, "effective_gib": one, "usable_tib": every, "effective_tib": every}
    yield from ((reading.label(key), reading.text(key), where)
                for key, where in places.items() if key in reading.book.results)  # fmt: skip


def _of_one(reading: Reading) -> Iterator[Block]:
    """Yield what is published or entered of one array or node."""
    yield Head(f"What one {reading.input('array')} has")
    yield Grid(f"Figures of one {reading.word}", ("Attribute", "Value", "Source"), list(card(reading)), frozenset({1}))
    yield Text("What is not in this table is not published, and nobody entered it.", "note")


_STORED = keys_of("""
    desktop_gib logical_gib capacity_required_gib reduction_saved_gib reduction_saved_ratio overall_reduction_ratio
    usable_after_headroom_gib free_ratio desktops_by_capacity steady_written_gib
""")


def _stored(reading: Reading) -> Iterator[Block]:
    """Yield what the arrays store."""
    yield Head("Stored, and what data reduction has to do")
    yield Grid("Capacity", _BARE, reading.rows(_STORED), frozenset({1}))


def _guarantee(reading: Reading) -> str:
    sold = next((value for label, value, _ in card(reading) if label.startswith(Arrays.SOLD_WITH)), "")
    needed = f"this design counts on {reading.text('overall_reduction_ratio')} over all components"
    return f"{sold or 'not published'}; {needed}. Terms: {TO_FILL}"


def _quote(reading: Reading) -> str:
    own = f"{reading.input('array')}.quote_id"
    return reading.at(reading.book.own[own].address) or TO_FILL if own in reading.book.own else TO_FILL
