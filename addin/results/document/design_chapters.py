"""The chapters about the design itself: the answer, and what it covers and leaves out."""

from __future__ import annotations

from collections.abc import Iterator

from addin.results.document import charts, diagram
from addin.results.document.blocks import Block, Chapter, Grid, Head, Picture, Points
from addin.results.document.money_chapters import day_one
from addin.results.document.reading import BLANK, Reading
from addin.results.labels import About, Compare
from addin.sizing.result_keys import CLOUD_SHARE

_RATIO = "ratio_after_failure"
_BARE = ("", "")  # headings of a table of labels and values
_LARGEST = "The largest decides; the dashed line is the design."
_NOT_RATIOS = ("ratio_largest", "ratio_normal", _RATIO)


def answer(reading: Reading) -> Chapter:
    """Return the arrays needed, what limits them, what limits next, and the room left."""
    blocks: list[Block] = [
        both(reading),
        Grid("What limits, what comes next, how sure", _BARE, list(_next(reading))),
    ]
    if _ratios(reading) and not reading.unanswered:
        said = f"The {reading.word}s that each constraint needs, unrounded. {_LARGEST}"
        blocks.append(Picture(_constraints(reading), said))
    return Chapter("answer", "Answer", [*blocks, *diagram.design(reading), *day_one(reading)])


def lead(reading: Reading) -> str:
    """Return the answer as one sentence; a remark of the status, such as no published test, comes last."""
    count, semicolon, rest = reading.text("status").partition("; ")
    design = f"{reading.input('array')} for {_users(reading)}"
    for key in ("disk_told", "share_told"):  # disks and the share are beside the arrays, not one of them
        beside = f" and {reading.text(key)}" if key in reading.book.results else BLANK
        if count.endswith(beside):
            count, design = count.removesuffix(beside), f"{design}{beside}"
    if reading.without_arrays:
        text = f"{reading.text('status')}, for {_users(reading)}."
        return text[:1].upper() + text[1:]
    counted = any(character.isdigit() for character in count)
    text = f"{count} of {design}{semicolon}{rest}." if counted else f"{count}{semicolon}{rest}. Asked for: {design}."
    return text[:1].upper() + text[1:]


def _users(reading: Reading) -> str:
    item = reading.book.inputs["desktops"]
    return f"{reading.figure(reading.used(item))} {reading.words_of(item.address, item.label).lower()}"


def both(reading: Reading) -> Grid:
    """Return normal operation and after one failure side by side; without an array, what is asked of a disk."""
    if reading.without_arrays:
        return _disk(reading)
    pairs = (
        (f"{reading.word.capitalize()}s needed", "arrays_normal", "arrays_after_failure"),
        ("Unrounded", "ratio_normal", _RATIO),
        ("Limited by", "limited_by_normal", "limited_by_after_failure"),
        ("Share of the design used", "share_used_normal", "share_used_after_failure"),
        ("Room for more users", "room_normal", "room_after_failure"),
        ("Boot of all desktops", "boot_minutes", "failover_boot_minutes"),
        ("Latency in login", "login_latency_ms", "failover_login_latency_ms"),
        ("Latency in steady work", "steady_latency_ms", "failover_steady_latency_ms"),
    )
    rows = [
        (label, reading.text(normal), _unrounded(reading) if failed == _RATIO else reading.text(failed))
        for label, normal, failed in pairs
        if normal in reading.book.results
    ]
    return Grid(
        "The answer in normal operation and after one failure", ("", "Normal operation", "After one failure"), rows
    )


def _disk(reading: Reading) -> Grid:
    """Return what the machines ask of their disks beside what these give."""
    pairs = (("Size", "gib"), ("IOPS", "iops"), ("Throughput", "mb_s"))
    machines = f"{reading.text('virtual_machines')} machines"
    rows = [
        ("Number", machines, disks(reading)),
        ("Disk", BLANK, reading.text("tier_name")),
        *((f"{label} of one", reading.text(f"machine_{key}"), reading.text(f"tier_{key}")) for label, key in pairs),
        ("Limited by", BLANK, reading.text("binding_constraint")),
        ("A sign-in takes", BLANK, reading.text("tier_signin_min")),
    ]
    return Grid("The answer: the disks of the machines", ("", "Asked", "Given"), rows)


def disks(reading: Reading) -> str:
    """Return the number of disks of a design whose machines are on disks, as its answer says it."""
    return reading.text("disk_told").partition(":")[0]


def _unrounded(reading: Reading) -> str:
    """Return the unrounded need after one failure; of nodes as Answer shows it, since those lost are bought on top."""
    if reading.known(_RATIO) != 0:
        return reading.text(_RATIO)
    shown = reading.block(Compare.SHEET, Compare.ON_ANSWER, Compare.ON_ANSWER_AFTER)
    return next((reading.figure(value, f"{reading.word}s") for label, value in shown if label == Compare.NEEDED), BLANK)


def _next(reading: Reading) -> Iterator[tuple[str, str]]:
    yield "Limited by", reading.text("binding_constraint")
    if reading.number("next_ratio"):
        yield "Limited next by", f"{reading.text('next_constraint')}, {reading.text('next_ratio')} unrounded"
    yield "Desktops that still fit", reading.text("headroom_desktops")
    yield "Close call", reading.text("call_words" if "call_words" in reading.book.results else "close_call")
    yield "Not checked", reading.text("constraints_unchecked")
    matters = "matters_words" if "matters_words" in reading.book.results else "unchecked_matters"
    for key in (matters, "unchecked_ratings_matter"):
        if reading.text(key) not in ("none", BLANK):
            yield reading.label(key), reading.text(key)


def _ratios(reading: Reading) -> list[tuple[str, float, str]]:
    """Return the unrounded arrays for each constraint, the largest first, and the constraints not checked."""
    rows = []
    for key in reading.book.results:
        if key.startswith("ratio_") and key not in _NOT_RATIOS:
            value = reading.value(key)
            if isinstance(value, float) and value > 0:
                rows.append((_limit_label(reading, key, value), value, f"{value:,.2f}"))
            elif value == "not published":
                rows.append((reading.label(key), 0.0, "not checked"))
    return sorted(rows, key=lambda row: -row[1])


def _limit_label(reading: Reading, key: str, value: float) -> str:
    """Return the name of a constraint; for the failover that decides, that of the limit after one failure."""
    limit = reading.text("binding_constraint")
    decides = key == "ratio_failover" and value == reading.value("ratio_largest") and ", " in limit
    return limit if decides else reading.label(key)


def _constraints(reading: Reading) -> str:
    design = reading.number("arrays_used")
    return charts.bars(
        f"{reading.word.capitalize()}s that each constraint needs, unrounded",
        _ratios(reading),
        (design, f"in the design: {design:,.0f}"),
    )


def scope(reading: Reading) -> Chapter:
    """Return the scope, the exclusions and the caveats of the workbook."""
    scheduled = reading.number("scheduled_work_ios") > 0
    covered = [
        f"Storage for {_users(reading)}, {reading.input('provisioning')}, workload {reading.input('profile')}.",
        "Capacity, IOPS phase by phase, throughput and latency in normal operation and after one failure.",
        f"Profile containers: {_place(reading)}.",
        f"A scheduled load such as a scan or a backup: {'included' if scheduled else 'none is entered'}.",
    ]
    if reading.text("demand_source") != BLANK:  # copies of 0.2.0 have none
        covered.insert(1, f"Load of a desktop: {reading.text('demand_source')}.")
    if reading.text("group_words") not in ("none", BLANK):
        covered.insert(1, f"User groups: {reading.text('group_words')}.")
    outside = [
        "Hosts: processors and memory are not sized; the nodes are the hosts."
        if reading.word == "node"
        else f"Hosts: processors and memory are not sized. {reading.text('hosts_required')} hosts are counted from "
        f"{reading.input('desktops_per_host')} on each, as they set the pace of a boot.",
        "Network: the ports and the bandwidth between hosts and storage are not sized; the throughput they must carry "
        "is in the chapter on the load.",
        "Backup: its capacity and its target are not sized; its load on the arrays only where it is entered above.",
        f"Disaster recovery: a second site is not sized. The data are on another array too: "
        f"{reading.input('replicated')}.",
    ]
    blocks: list[Block] = [Head("In scope"), Points(covered), Head("Out of scope"), Points(outside)]
    caveats = [f"{row[0]}: {row[1]}" for row in _caveats(reading)]
    if caveats:
        blocks += [Head("What the sizing does not claim"), Points(caveats)]
    return Chapter("scope", "Scope and exclusions", blocks)


_PLACES = {"none": "none are planned", "elsewhere": "they are elsewhere"}


def _place(reading: Reading) -> str:
    place = reading.input("container_place")
    if place in _PLACES:
        return _PLACES[place]
    share = reading.text(CLOUD_SHARE) if CLOUD_SHARE in reading.book.results else "none"
    told = "" if share in ("none", BLANK) else f": {share}"
    return f"they are on {place.removeprefix('on ')}{told}"


def _caveats(reading: Reading) -> Iterator[tuple[str, str]]:
    rows = list(reading.lines(About.SHEET))
    start = next((n for n, (text, _, _) in enumerate(rows) if text == About.CAVEATS), None)
    for text, _, at in rows[start + 1 :] if start is not None else ():
        caveat = reading.at(at._replace(column=2))
        if not caveat:
            return
        if reading.prices or text != About.PRICES:
            yield text.strip("'"), caveat
