"""The charts of the document as SVG, styled by classes only, so that the page needs no style attribute.

They are elements of Python's own XML, which escapes every text: svg.py, the small library for this, escapes none, and
a label may be a name that a user typed. Every figure of a chart is also in a table or beside its mark; the second
series is outlined, not only in another colour. A picture is 480 wide; a phone shows it at three quarters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element, tostring

WIDTH, LEFT, RIGHT = 480, 150, 74
ROW, BAR, TOP = 26, 15, 8
_LETTER = 7  # width of one in a figure
Series = Sequence[tuple[str, Sequence[float]]]


def bars(title: str, rows: Sequence[tuple[str, float, str]], line: tuple[float, str]) -> str:
    """Return horizontal bars: label, value, the value in words; `line` marks a value across all of them."""
    scale = (WIDTH - LEFT - RIGHT) / max([value for _, value, _ in rows] + [line[0], 1e-9])
    below = TOP + ROW * len(rows)
    x = _round(LEFT + line[0] * scale)
    parts, top = [written(min(x, WIDTH - 60), below + 15, line[1], "value middle")], TOP - 4
    for number, (label, value, words) in enumerate(rows):
        y = TOP + ROW * number
        if value * scale < x - LEFT < value * scale + _LETTER * (len(words) + 2):  # a figure is not struck through
            parts.append(shape("line", "mark", x1=x, y1=top, x2=x, y2=y))
            top = y + ROW
        parts += [written(LEFT - 8, y + 15, label, "label end"), *_row(value * scale, y + 3, (BAR, 12), words, "one")]
    parts.append(shape("line", "mark", x1=x, y1=top, x2=x, y2=below))
    return svg(title, below + 20, [*parts, _axis(TOP, below)])


def pairs(title: str, names: tuple[str, str], rows: Sequence[tuple[str, float, float, str, str]]) -> str:
    """Return two bars for each label, the second outlined, with their values in words."""
    scale = (WIDTH - LEFT - RIGHT) / max([max(first, second) for _, first, second, _, _ in rows] + [1e-9])
    step, bar = 38, 13
    height = TOP + 24 + step * len(rows)
    parts = _legend(names)
    for number, (label, first, second, one, two) in enumerate(rows):
        y = TOP + 24 + step * number
        parts.append(written(LEFT - 8, y + 18, label, "label end"))
        for place, (value, words, look) in enumerate(((first, one, "one"), (second, two, "two"))):
            parts += _row(value * scale, y + place * (bar + 2), (bar, 11), words, look)
    return svg(title, height, [*parts, _axis(TOP + 20, height - 4)])


def curve(title: str, points: Sequence[tuple[float, float]], units: tuple[str, str]) -> str:
    """Return a curve over time with rounded scales; `units` are those of x and y."""
    left, right, top, bottom, height = 62, 16, 26, 40, 260
    x_step, y_step = _step(max(x for x, _ in points)), _step(max(y for _, y in points))
    x_end = math.ceil(max(x for x, _ in points) / x_step - 1e-9) * x_step
    y_end = math.ceil(max(y for _, y in points) / y_step - 1e-9) * y_step

    def place(x: float, y: float) -> tuple[float, float]:
        across, up = (WIDTH - left - right) * x / x_end, (height - top - bottom) * y / y_end
        return _round(left + across), _round(height - bottom - up)

    parts: list[Element] = [
        written(4, 14, units[1], "label"),
        written(WIDTH - right, height - 6, units[0], "label end"),
    ]
    parts += _levels((left, WIDTH - right), (height - bottom, height - top - bottom), y_step, y_end)
    for number in range(round(x_end / x_step) + 1):
        x, y = place(number * x_step, 0)
        parts.append(written(x, y + 17, f"{number * x_step:,.10g}", "value middle"))
    drawn = " L".join("{:g} {:g}".format(*place(*point)) for point in points)
    parts.append(shape("path", "curve", d=f"M{drawn}"))
    return svg(title, height, parts)


def columns(title: str, labels: Sequence[str], series: Series, *, stacked: bool = False, unit: str = "") -> str:
    """Return columns by year: one on top of the other, or side by side with the value above each."""
    right, top, bottom = 8, 48 + 20 * ((len(series) + 1) // 2 - 1), 28
    height = top + 190 + bottom
    sums = [sum(values[n] for _, values in series) for n in range(len(labels))]
    largest = max(sums if stacked else [max(values[n] for _, values in series) for n in range(len(labels))])
    step = _step(max(largest, 1.0))
    end = math.ceil(max(largest, 1.0) / step - 1e-9) * step
    left = max(62, 14 + 7 * len(f"{end:,.10g}"))
    wide = (WIDTH - left - right) / len(labels)
    parts = [*_legend([name for name, _ in series]), *_levels((left, WIDTH - right), (height - bottom, 190), step, end)]
    if unit:
        parts.append(written(left - 6, height - 8, unit, "label end"))
    for n, label in enumerate(labels):
        x, base = left + wide * n, float(height - bottom)
        parts.append(written(x + wide / 2, height - 8, label, "label middle"))
        for place, (_, values) in enumerate(series):
            tall, thick = 190 * values[n] / end, wide * 0.6 / (1 if stacked else len(series))
            start = x + wide * 0.2 + (0 if stacked else thick * place)
            top_of = base - tall
            if tall > 0:
                parts.append(_bar(start, top_of, thick, tall, place))
            if not stacked:
                parts.append(written(start + thick / 2, top_of - 4, f"{values[n]:,.4g}", "value middle"))
            base = top_of if stacked else base
    return svg(title, height, parts)


LOOKS = ("one", "two", "three", "four")


def _levels(ends: tuple[float, float], foot: tuple[float, float], step: float, end: float) -> list[Element]:
    """Return a grid line with its number for each step up to `end`; `foot` is the y of 0 and the height of `end`."""
    parts = []
    for number in range(round(end / step) + 1):
        y = _round(foot[0] - foot[1] * (number * step) / end)
        parts.append(shape("line", "grid", x1=ends[0], y1=y, x2=ends[1], y2=y))
        parts.append(written(ends[0] - 6, y + 4, f"{number * step:,.10g}", "value end"))
    return parts


def _axis(top: float, bottom: float) -> Element:
    return shape("line", "axis", x1=LEFT, y1=top, x2=LEFT, y2=bottom)


def _row(width: float, y: float, sizes: tuple[float, float], words: str, look: str) -> list[Element]:
    """Return a horizontal bar with its value in words; `sizes` are its height and the drop to the text baseline."""
    height, drop = sizes
    bar = shape("rect", look, x=LEFT, y=y, width=_round(width), height=height)
    return [bar, written(LEFT + width + 5, y + drop, words, "value")]


def _bar(x: float, y: float, width: float, height: float, place: int) -> Element:
    look = LOOKS[place % len(LOOKS)]
    return shape("rect", look, x=_round(x), y=_round(y), width=_round(width), height=_round(height))


def _legend(names: Sequence[str]) -> list[Element]:
    parts: list[Element] = []
    for place, name in enumerate(names):
        x, y = LEFT - 90 + 215 * (place % 2), TOP + 20 * (place // 2)
        parts.append(shape("rect", LOOKS[place % len(LOOKS)], x=x, y=y, width=12, height=12))
        parts.append(written(x + 18, y + 11, name, "label"))
    return parts


def written(x: float, y: float, text: str, looks: str) -> Element:
    element = shape("text", looks, x=_round(x), y=_round(y))
    element.text = text
    return element


def shape(tag: str, looks: str, **attributes: float | str) -> Element:
    texts = {name: f"{value:g}" if isinstance(value, float | int) else value for name, value in attributes.items()}
    return Element(tag, {"class": looks, **texts})


def svg(title: str, height: float, parts: Sequence[Element]) -> str:
    # no xmlns: inside HTML the element has its name space without one
    drawn = shape("svg", "chart", viewBox=f"0 0 {WIDTH} {height:g}", role="img")
    drawn.set("aria-label", title)
    drawn.extend(parts)
    return tostring(drawn, encoding="unicode")


def _round(value: float) -> float:
    return round(float(value), 1)


def _step(largest: float) -> float:
    rough = max(largest, 1e-9) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * n for n in (1, 2, 2.5, 5, 10) if power * n >= rough * (1 - 1e-9))
