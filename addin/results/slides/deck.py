"""The presentation of some slides: one plain layout in the colours of a theme. Same slides, same bytes.

Colours are those of the presentation's theme, so that a slide pasted into another deck takes that one's.
"""

from __future__ import annotations

import base64
import importlib.util
import io
import re
import warnings
from collections.abc import Sequence
from typing import Any

from addin.errors import RequestError
from addin.results.document.theme import Theme
from addin.results.slides import drawing
from addin.results.slides.package import repacked
from addin.results.slides.records import Slide, clean

EXTRA = "--slides needs the package python-pptx. Install the extra: pip install -e '.[slides]'."
SVG_LOGO = "The logo is an SVG: the slides show the company's name. Give a PNG for a logo on slides."
UNREADABLE = "--slides: the theme's logo is a PNG that cannot be read. Save it anew, or leave it out of the theme."
_PNG = "data:image/png;base64,"
_INK, _WASH, _GREY, _LIGHT = "1D2329", "F3F5F7", "5F6A74", "C9D0D6"
_KEPT = "Title Only"
_APP = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"/>'
)


def check(theme: Theme) -> None:
    """Raise RequestError without the extra, or for a logo that cannot be drawn; called before the long work."""
    if importlib.util.find_spec("pptx") is None:
        raise RequestError(EXTRA)
    if not theme.logo.startswith(_PNG):
        return
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            Image.open(io.BytesIO(_logo(theme))).verify()
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombWarning, Image.DecompressionBombError):
            raise RequestError(UNREADABLE) from None


def _logo(theme: Theme) -> bytes:
    return base64.b64decode(theme.logo.removeprefix(_PNG))


def note(theme: Theme) -> str:
    """Return what a theme has that slides cannot show; empty for nothing."""
    return SVG_LOGO if theme.logo and not theme.logo.startswith(_PNG) else ""


def deck(slides: Sequence[Slide], theme: Theme, title: str, author: str, footer: str) -> bytes:
    """Return the presentation's file."""
    from pptx import Presentation

    made = Presentation()
    made.slide_width, made.slide_height = drawing.pt(drawing.WIDTH), drawing.pt(drawing.HEIGHT)
    layout = _layout(made)
    _colour(made, theme)
    logo = _logo(theme) if theme.logo.startswith(_PNG) else None
    for number, slide in enumerate(slides, 1):
        sheet = drawing.Sheet(made.slides.add_slide(layout))
        sheet.head(slide, logo, "" if logo else theme.company)
        sheet.body(slide)
        sheet.foot(footer, number)
    _describe(made, title, author)
    out = io.BytesIO()
    made.save(out)
    return repacked(out.getvalue())


def _layout(made: Any) -> Any:
    """Return the one layout that is kept, with nothing but a title; the placeholders of the others go with them."""
    for each in list(made.slide_layouts):
        if each.name != _KEPT:
            made.slide_layouts.remove(each)
    layout = made.slide_layouts[0]
    for holder in list(layout.placeholders):
        if holder.placeholder_format.type != 1:  # of a title
            holder._element.getparent().remove(holder._element)
    for holder in made.slide_master.placeholders:
        if holder.placeholder_format.type == 1:
            drawing.place(holder, drawing.TITLE)
        else:
            holder._element.getparent().remove(holder._element)
    return layout


def _colour(made: Any, theme: Theme) -> None:
    """Put the theme's two colours, and greys, in place of those of the presentation's theme."""
    from pptx.opc.constants import RELATIONSHIP_TYPE

    part = made.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    text = part.blob.decode("utf-8")
    main, second = theme.main.removeprefix("#").upper(), theme.second.removeprefix("#").upper()
    colours = {
        **{"dk1": _INK, "lt1": "FFFFFF", "dk2": main, "lt2": _WASH, "accent1": main, "accent2": second},
        **{"accent3": _GREY, "accent4": _LIGHT, "accent5": _GREY, "accent6": _LIGHT, "hlink": main, "folHlink": main},
    }
    for name, colour in colours.items():
        text = re.sub(rf"(<a:{name}>).*?(</a:{name}>)", rf'\g<1><a:srgbClr val="{colour}"/>\g<2>', text)
    part._blob = text.encode("utf-8")


def _describe(made: Any, title: str, author: str) -> None:
    """Say whose presentation it is, and nothing of when it was made, with what, or by whom its template."""
    from pptx.opc.constants import RELATIONSHIP_TYPE

    told = made.core_properties
    for child in list(told._element):
        told._element.remove(child)
    told.title, told.author, told.revision = clean(title)[:255], clean(author)[:255], 1
    package, part = made.part.package, made.part
    for rel in list(package._rels.values()):
        if rel.reltype == RELATIONSHIP_TYPE.THUMBNAIL:
            package._rels.pop(rel.rId)
        elif rel.reltype == RELATIONSHIP_TYPE.EXTENDED_PROPERTIES:
            rel.target_part._blob = _APP.encode("utf-8")
    for rel in list(part.rels.values()):
        if rel.reltype == RELATIONSHIP_TYPE.PRINTER_SETTINGS:
            part.rels.pop(rel.rId)
