"""A slide drawn: title, tables, points and charts, each in a box that its texts fit. Places are in points."""

from __future__ import annotations

import io
import itertools
from collections.abc import Sequence
from typing import Any

from addin.results.document.blocks import Grid
from addin.results.slides import fitting
from addin.results.slides.charts import bars
from addin.results.slides.records import Bars, Box, Part, Points, Slide, clean

WIDTH, HEIGHT = 960.0, 540.0  # 13.33 x 7.5 inches
_EDGE, _GAP, _BELOW = 42.0, 26.0, 12.0
_TOP, _BOTTOM = 112.0, 496.0
_SIZES = (18.0, 17.0, 16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0)
_TITLES = (28.0, 26.0, 24.0, 22.0, 20.0, 18.0, 16.0)
_BETWEEN = 3.0  # after a paragraph
_BULLET = 12.0
_ACROSS, _DOWN = 5.0, 2.5  # margins of a cell of a table
_LEAST = 170.0  # height of a chart
_MORE = "{} more in design.html."


TITLE = Box(_EDGE, 42.0, WIDTH - 2 * _EDGE, 62.0)
_SUBJECT = Box(_EDGE, 24.0, 500.0, 20.0)
_BRAND = Box(WIDTH - _EDGE - 240.0, 16.0, 240.0, 28.0)
_FOOT = Box(_EDGE, 510.0, WIDTH - 2 * _EDGE - 50.0, 16.0)
_NUMBER = Box(WIDTH - _EDGE - 40.0, 510.0, 40.0, 16.0)


def pt(value: float) -> Any:
    """Return a length in the units of a package."""
    from pptx.util import Pt

    return Pt(value)


def place(shape: Any, box: Box) -> None:
    """Put a shape into a place."""
    shape.left, shape.top, shape.width, shape.height = (pt(each) for each in box)


class Sheet:
    """A slide that is drawn, in colours of the presentation's theme."""

    def __init__(self, slide: Any) -> None:
        self.slide = slide

    def head(self, slide: Slide, logo: bytes | None, company: str) -> None:
        """Write subject and title, and the company's logo or name."""
        from pptx.enum.dml import MSO_THEME_COLOR

        place(self.slide.shapes.title, TITLE)
        room, texts = (TITLE.width, TITLE.height), [clean(slide.title).removesuffix(".")]
        size = fitting.size_for(texts, room, _TITLES, bold=True) or _TITLES[-1]
        self._write(self.slide.shapes.title, [fitting.cut(texts[0], room, size, bold=True)], size, bold=True)
        self._text(_SUBJECT, slide.subject.upper(), 12, MSO_THEME_COLOR.ACCENT_1, bold=True)
        if logo:
            picture = self.slide.shapes.add_picture(io.BytesIO(logo), 0, 0)
            scale = min(_BRAND.width / picture.width, _BRAND.height / picture.height)
            width, height = picture.width * scale, picture.height * scale
            place(picture, Box(WIDTH - _EDGE - width, _BRAND.top, width, height))
            picture._element.nvPicPr.cNvPr.set("descr", clean(company) or "Logo")
        elif company:
            self._text(_BRAND, company, 12, MSO_THEME_COLOR.ACCENT_1, bold=True, right=True)

    def foot(self, text: str, number: int) -> None:
        """Write where the slide comes from, and its number as a field that follows when slides move."""
        from pptx.enum.dml import MSO_THEME_COLOR
        from pptx.oxml import parse_xml
        from pptx.oxml.ns import nsdecls

        self._text(_FOOT, text, 9, MSO_THEME_COLOR.ACCENT_3)
        box = self._text(_NUMBER, "", 9, MSO_THEME_COLOR.ACCENT_3, right=True)
        field = f'<a:fld {nsdecls("a")} id="{{C1FF6DA9-008F-8B48-92A6-B652298478BF}}" type="slidenum">'
        words = f'<a:rPr lang="en-US" sz="900"/><a:t>{number}</a:t></a:fld>'
        box.text_frame.paragraphs[0]._p.append(parse_xml(field + words))

    def body(self, slide: Slide) -> None:
        """Draw the parts in two columns, or in one where only one side has any."""
        whole = WIDTH - 2 * _EDGE
        if not slide.left or not slide.right:
            self._column([*slide.left, *slide.right], Box(_EDGE, _TOP, whole, _BOTTOM - _TOP))
            return
        left = (whole - _GAP) * slide.share
        self._column(slide.left, Box(_EDGE, _TOP, left, _BOTTOM - _TOP))
        right = Box(_EDGE + left + _GAP, _TOP, whole - left - _GAP, _BOTTOM - _TOP)
        self._column(slide.right, right)

    def _column(self, parts: Sequence[Part], box: Box) -> None:
        """Draw parts below each other in one size of text: the largest at which they fit; charts take what is left."""
        charts = [part for part in parts if isinstance(part, Bars)]
        spare = box.height - _BELOW * max(len(parts) - 1, 0)

        def needed(size: float) -> float:
            return sum(_height(part, box.width, size) for part in parts if not isinstance(part, Bars))

        size = next((each for each in _SIZES if needed(each) + _LEAST * len(charts) <= spare), _SIZES[-1])
        each = (spare - needed(size)) / len(charts) if charts else 0.0
        top = box.top
        for number, part in enumerate(parts):
            below = sum(_BELOW + _height(other, box.width, size) for other in parts[number + 1 :])
            left = max(box.top + box.height - top - below, 0.0)
            if isinstance(part, Bars):
                height = max(each, _LEAST)
                bars(self.slide, part, Box(box.left, top, box.width, height))
            elif isinstance(part, Grid):
                height = _height(part, box.width, size)
                self._table(part, box._replace(top=top), size)
            else:
                height = min(_height(part, box.width, size), left)
                self._points(part, Box(box.left, top, box.width, height), size)
            top += height + _BELOW

    def _points(self, part: Points, box: Box, size: float) -> None:
        head = self._heading(part.heading, box, size)
        room = box.width - _BULLET, box.height - head
        texts, _ = fitting.kept([clean(each) for each in part.items], room, (size,), _BETWEEN, _MORE)
        shape = self.slide.shapes.add_textbox(0, 0, 1, 1)
        place(shape, Box(box.left, box.top + head, box.width, box.height - head))
        self._write(shape, texts, size, bullets=True)

    def _heading(self, text: str, box: Box, size: float) -> float:
        """Write the heading of a part, if it has one; return its height."""
        from pptx.enum.dml import MSO_THEME_COLOR

        if not text:
            return 0.0
        height = _head_height(text, box.width, size)
        self._text(box._replace(height=height), text, size, MSO_THEME_COLOR.ACCENT_1, bold=True)
        return height

    def _table(self, part: Grid, box: Box, size: float) -> None:
        head = self._heading(part.caption, box, size)
        rows, named = _rows(part)
        widths, heights = _measured(rows, named, part.numbers, box.width, size)
        frame = self.slide.shapes.add_table(len(rows), len(rows[0]), 0, 0, 1, 1)
        place(frame, Box(box.left, box.top + head, box.width, sum(heights)))
        frame._element.nvGraphicFramePr.cNvPr.set("descr", clean(part.caption))
        table = frame.table
        table.first_row, table.horz_banding = named, True
        for column, width in zip(table.columns, widths, strict=True):
            column.width = pt(width)
        for number, (row, height) in enumerate(zip(rows, heights, strict=True)):
            table.rows[number].height = pt(height)
            for column, text in enumerate(row):
                cell = table.cell(number, column)
                cell.margin_left = cell.margin_right = pt(_ACROSS)
                cell.margin_top = cell.margin_bottom = pt(_DOWN)
                bold = named and number == 0
                self._write(cell, [text], size, bold=bold, right=column in part.numbers, coloured=not bold)

    def _text(self, box: Box, text: str, size: float, colour: Any, bold: bool = False, right: bool = False) -> Any:
        """Write one paragraph into a place, cut where it does not fit; return its shape."""
        shape = self.slide.shapes.add_textbox(0, 0, 1, 1)
        place(shape, box)
        room = box.width, max(box.height, size * fitting.LINE)
        self._write(shape, [fitting.cut(clean(text), room, size, bold)], size, bold=bold, right=right)
        for run in shape.text_frame.paragraphs[0].runs:
            run.font.color.theme_color = colour
        return shape

    @staticmethod
    def _write(
        shape: Any,
        texts: Sequence[str],
        size: float,
        bold: bool = False,
        right: bool = False,
        bullets: bool = False,
        coloured: bool = True,
    ) -> None:
        """Put paragraphs into a shape or a cell without margins of its own, at its top."""
        from pptx.enum.dml import MSO_THEME_COLOR
        from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
        from pptx.oxml import parse_xml
        from pptx.oxml.ns import nsdecls

        frame = shape.text_frame
        if not hasattr(shape, "margin_left"):  # of a cell they are set with its size
            frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
            frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
        for number, text in enumerate(texts):
            paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
            paragraph.alignment = PP_ALIGN.RIGHT if right else PP_ALIGN.LEFT
            run = paragraph.add_run()
            run.text, run.font.size, run.font.bold = text, pt(size), bold
            if coloured:
                run.font.color.theme_color = MSO_THEME_COLOR.TEXT_1
            if bullets:
                paragraph.space_after = pt(_BETWEEN)
                inside = paragraph._p.get_or_add_pPr()
                inside.set("marL", str(int(pt(_BULLET))))
                inside.set("indent", str(-int(pt(_BULLET))))
                inside.append(parse_xml(f'<a:buChar {nsdecls("a")} char="\u2022"/>'))


def _head_height(text: str, width: float, size: float) -> float:
    return fitting.height([clean(text)], width, size, 4.0, bold=True) if text else 0.0


def _height(part: Part, width: float, size: float) -> float:
    """Return the height that a part needs at a size of text; the least one of a chart."""
    if isinstance(part, Bars):
        return _LEAST
    if isinstance(part, Points):
        texts = [clean(each) for each in part.items]
        return _head_height(part.heading, width, size) + fitting.height(texts, width - _BULLET, size, _BETWEEN)
    rows, named = _rows(part)
    return _head_height(part.caption, width, size) + sum(_measured(rows, named, part.numbers, width, size)[1])


def _rows(part: Grid) -> tuple[list[list[str]], bool]:
    """Return the rows of a table, its headings first where it has any, and whether it has."""
    named = any(part.headings)
    given = [*([part.headings] if named else []), *part.rows]
    return [[clean(text) for text in row] for row in given], named


def _measured(
    rows: Sequence[Sequence[str]], named: bool, numbers: frozenset[int], width: float, size: float
) -> tuple[list[float], list[float]]:
    """Return the widths of columns and the heights of rows of a table at a size of text.

    What is left of the width goes first to figures, then to texts, then to headings, so that each stays in one line.
    """
    bold = [named and number == 0 for number in range(len(rows))]
    columns = list(zip(*rows, strict=True))

    def widest(column: Sequence[str], broken: Sequence[bool]) -> float:
        """Return the width of the longest text of a column, or the longest word of those that may be broken."""
        parts = zip(column, bold, broken, strict=True)
        words = ((each, b) for text, b, split in parts for each in (text.split(" ") if split else [text]))
        return max(fitting.width(each, size, b) for each, b in words) + 2 * _ACROSS + 1.0

    every, none = [True] * len(rows), [False] * len(rows)
    least = [widest(column, every) for column in columns]
    figures = [widest(column, bold if number in numbers else every) for number, column in enumerate(columns)]
    texts, whole = [widest(column, bold) for column in columns], [widest(column, none) for column in columns]
    steps = [least, figures, texts, whole, [each + width for each in whole]]
    if sum(least) >= width:
        widths = [each * width / sum(least) for each in least]
    else:
        below, above = next(pair for pair in itertools.pairwise(steps) if sum(pair[1]) >= width)
        part = (width - sum(below)) / (sum(above) - sum(below))
        widths = [low + (high - low) * part for low, high in zip(below, above, strict=True)]
    heights = [
        max(fitting.height([text], room - 2 * _ACROSS, size, bold=b) for text, room in zip(row, widths, strict=True))
        + 2 * _DOWN
        for row, b in zip(rows, bold, strict=True)
    ]
    return widths, heights
