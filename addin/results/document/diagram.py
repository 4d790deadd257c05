"""Pictures of the design: what is connected to what, in normal operation and after one failure; the day in time.

They show only what the workbook says. Ports, cables and zones are not sized, so none are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from addin.results.document.array_card import figures
from addin.results.document.blocks import Picture
from addin.results.document.charts import WIDTH, shape, svg, written
from addin.results.document.reading import BLANK, PHASE_NAMES, Reading
from addin.results.labels import Arrays, Summary
from addin.sizing.result_keys import CLOUD_SHARE

_PANEL, _LEFTS = 226, (6, 252)
_DRAWN = 4  # arrays side by side; more are a number
_PARTS = 4  # controllers of an array drawn side by side
_NONE = ("none", BLANK)
_TALL = 24  # a column in which a figure has room
_STARTS = {"boot": "boot_at", "login": "logins_at"}
_DAY = ("boot", "login", "steady", "logoff", "patching", "provisioning", "scheduled")


class Drawn(NamedTuple):
    """What both panels show: arrays, the controllers of each, what a failure takes away, and the texts beside them."""

    number: int
    whole: str  # what a box is: array or node
    serving: int
    standby: int
    lost: str
    name: str
    hosts: str
    link: str
    containers: str


def design(reading: Reading) -> Iterator[Picture]:
    """Yield the design in normal operation and after one failure; nothing where there is no answer."""
    count = reading.number("arrays_used")
    if reading.unanswered or count < 1:
        return
    shown = _drawn(reading, round(count))
    panels = [
        ("Normal operation", "", reading.text("share_used_normal"), reading.text("limited_by_normal")),
        ("After one failure", shown.lost, reading.text("share_used_after_failure"),
         reading.text("limited_by_after_failure")),
    ]  # fmt: skip
    parts = [each for left, panel in zip(_LEFTS, panels, strict=True) for each in _panel(left, shown, *panel)]
    height = 276 if shown.containers else 214
    yield Picture(svg("The design in normal operation and after one failure", height, parts), _said(reading, shown))


def _drawn(reading: Reading, count: int) -> Drawn:
    found = {label: value for label, _, value in figures(reading)}
    serving, standby = (
        round(n) if isinstance(n := found.get(key), float) else 0 for key in (Arrays.SERVING, Arrays.STANDBY)
    )
    kind = str(next((value for label, value in found.items() if label.startswith(Arrays.LOST)), ""))
    if reading.word == "node" or serving + standby > _PARTS:
        serving = standby = 0
    throughput = reading.text("ask_mb_s")
    return Drawn(
        count,
        reading.word,
        serving,
        standby,
        kind if kind in ("controller", "node", "array") else "",
        reading.input("array"),
        _hosts(reading, "{} hosts, {} on each", "the machines run on the nodes"),
        "" if throughput in _NONE else f"at most {throughput}",
        _containers(reading),
    )


def _containers(reading: Reading) -> str:
    """Return where profile containers are, for a box of its own; empty where they are on the arrays or nowhere."""
    place = reading.input("container_place")
    share = reading.text(CLOUD_SHARE) if CLOUD_SHARE in reading.book.results else "none"
    if share not in _NONE:
        return ", ".join(share.split(", ")[:2])
    if place == "another array":
        return f"{reading.text('container_arrays')} of {reading.input('container_array')}"
    return "elsewhere" if place == "elsewhere" else ""


def _panel(left: float, shown: Drawn, title: str, lost: str, used: str, limited: str) -> Iterator[Element]:
    """Yield a panel: hosts, the way to the arrays, the arrays, and where containers are; `lost` is crossed out."""
    middle = left + _PANEL / 2
    yield written(left, 14, title, "label strong")
    yield from _box(left, 24, _PANEL, 30, shown.hosts)
    yield shape("line", "link", x1=middle, y1=54, x2=middle, y2=92)
    yield written(middle + 6, 77, shown.link, "value")
    yield from _arrays(left, shown, lost)
    yield written(left, 172, f"{shown.number:,} x {shown.name}", "label")
    yield written(left, 189, f"{used} used" if used[:1].isdigit() else used, "label")
    yield written(left, 206, f"limited by {limited.partition(',')[0]}" if used[:1].isdigit() else "", "value")
    if shown.containers:
        yield shape("path", "curve", d=f"M{left} 39 H{left - 5} V243 H{left}")
        yield from _box(left, 218, _PANEL, 50, "Profile containers", *shown.containers.split(", "))


def _arrays(left: float, shown: Drawn, lost: str) -> Iterator[Element]:
    """Yield a box for each array, with its controllers; of many the first ones and their number."""
    many = shown.number > _DRAWN
    boxes = _DRAWN if many else shown.number
    wide = min(104.0, (_PANEL - 8 * (boxes - 1)) / boxes)
    start = left + (_PANEL - wide * boxes - 8 * (boxes - 1)) / 2
    for number in range(boxes):
        x = start + number * (wide + 8)
        if many and number == boxes - 1:
            yield written(x + wide / 2, 127, f"to {shown.number:,}", "value middle")
            continue
        whole = number == 0 and lost == shown.whole
        yield shape("rect", "lost" if whole else "box", x=x, y=92, width=wide, height=62)
        if whole:
            yield from _cross(x, 92, wide, 62)
        elif shown.serving:
            yield from _controllers(x, wide, shown, bool(lost) and number == 0)
        else:
            yield written(x + wide / 2, 127, f"{number + 1}", "value middle")


def _controllers(x: float, wide: float, shown: Drawn, one_lost: bool) -> Iterator[Element]:
    """Yield the controllers of an array, those standing by in grey, and the first one crossed out where it is lost."""
    every = shown.serving + shown.standby
    each = (wide - 6 * (every + 1)) / every
    for number in range(every):
        at, gone = x + 6 + number * (each + 6), one_lost and number == 0
        looks = "lost" if gone else "part" if number < shown.serving + one_lost else "spare"
        yield shape("rect", looks, x=at, y=100, width=each, height=46)
        if gone:
            yield from _cross(at, 100, each, 46)


def _cross(x: float, y: float, wide: float, tall: float) -> Iterator[Element]:
    yield shape("line", "cross", x1=x, y1=y, x2=x + wide, y2=y + tall)
    yield shape("line", "cross", x1=x, y1=y + tall, x2=x + wide, y2=y)


def _box(x: float, y: float, wide: float, tall: float, *lines: str) -> Iterator[Element]:
    yield shape("rect", "box", x=x, y=y, width=wide, height=tall)
    for number, line in enumerate(lines):
        yield written(x + wide / 2, y + tall / 2 + 4 + 14 * (number - (len(lines) - 1) / 2), line, "value middle")


def _hosts(reading: Reading, words: str, of_nodes: str) -> str:
    """Return the hosts beside the arrays in words; a node is a host itself."""
    if reading.word == "node":
        return of_nodes
    return words.format(
        reading.text("hosts_required"), reading.input("desktops_per_host").replace("desktops", "machines")
    )


def _said(reading: Reading, shown: Drawn) -> str:
    """Return the sentences that say what the picture shows."""
    normal, after = (reading.text(f"share_used_{state}") for state in ("normal", "after_failure"))
    of = f" of an {shown.whole}" if shown.lost != shown.whole else ""
    part = "controller" if shown.serving and of else shown.lost  # some vendors call a controller a node
    lost = f"After the loss of one {part}{of}" if shown.lost else "After one failure"
    standby = f" and {shown.standby} standing by (grey)" if shown.standby else ""
    each = f" Each array has {shown.serving} controllers serving I/O{standby}." if shown.serving else ""
    each = each.replace(" 1 controllers", " 1 controller")
    where = "on the same arrays" if reading.input("container_place") == "this array" else shown.containers
    where = f" Profile containers: {where}." if where else ""
    hosts = _hosts(reading, " for {} hosts of up to {}", ", which run the machines")
    return (
        f"{reading.several(shown.number)} of {shown.name}{hosts}.{each} "
        f"In normal operation{_used(normal)}. {lost}{_used(after)}.{where} Ports, switches and zones are not sized."
    )


def _used(share: str) -> str:
    return f", {share} of the design is used" if share[:1].isdigit() else f": {share}"


def day(reading: Reading) -> Iterator[Picture]:
    """Yield the phases of a day in their order: IOPS beside the limit of the design, minutes, and times as typed."""
    served = {
        str(name): (asked, supply)
        for name, asked, supply in reading.block(Summary.SHEET, Summary.PHASE, Summary.DEMAND, Summary.SUPPLY)
        if isinstance(asked, float) and isinstance(supply, float) and asked > 0
    }
    phases = [(key, *served[PHASE_NAMES[key]]) for key in _DAY if PHASE_NAMES[key] in served]
    if reading.unanswered or not phases:
        return
    tallest = max(max(asked, supply) for _, asked, supply in phases)
    wide, foot, height = WIDTH / len(phases), 190.0, 150.0
    parts = [shape("line", "axis", x1=0, y1=foot, x2=WIDTH, y2=foot)]
    for number, (key, asked, supply) in enumerate(phases):
        x, tall = wide * number, height * asked / tallest
        middle = x + wide / 2
        parts += [
            shape("rect", "one", x=x + wide * 0.2, y=foot - tall, width=wide * 0.6, height=tall),
            written(middle, foot - tall + (15 if tall > _TALL else -5), f"{asked:,.0f}", _look(tall)),
            written(middle, foot + 16, PHASE_NAMES[key], "label middle"),
            *(written(middle, foot + 32 + 15 * line, words, "value middle") for line, words in _when(reading, key)),
        ]
        if supply > 0:
            limit = foot - height * supply / tallest
            parts.append(shape("line", "mark", x1=x + wide * 0.08, y1=limit, x2=x + wide * 0.92, y2=limit))
    said = "IOPS of each phase, and as a dashed line what the design can serve then; no line where that is not known."
    yield Picture(svg("The day, phase by phase", foot + 56, parts), said)


def _look(tall: float) -> str:
    """Return the look of a figure inside a tall column, or above a low one."""
    return "inside middle" if tall > _TALL else "value middle"


def _when(reading: Reading, phase: str) -> Iterator[tuple[int, str]]:
    """Yield, numbered from 0, how long a phase takes, and from when where a time was typed."""
    minutes, typed = reading.text(f"{phase}_minutes"), _STARTS.get(phase, "")
    if minutes[:1].isdigit():
        yield 0, minutes
    if typed in reading.book.inputs and reading.book.held(reading.book.inputs[typed]) is not None:
        yield 1, f"from {reading.input(typed)}"
