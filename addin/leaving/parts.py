"""The parts of a saved workbook that do not leave, counted by name."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from addin.xlsx.package import PackageError, open_parts

# written again, or without content of their own; sheets and charts are judged by their content
_MADE_ANEW = re.compile(
    r"\[Content_Types\]\.xml|(.*/)?_rels/.*\.rels|docProps/(core|app)\.xml|xl/(workbook|styles|sharedStrings|calcChain)\.xml|"
    r"xl/(worksheets/sheet|charts/chart|drawings/drawing|theme/theme)\d*\.xml"
)
# the names of parts that applications write; any other name may be a user's text, and is not repeated
_CALLED = (
    *("customXml/item", "customXml/itemProps", "docProps/custom", "docProps/thumbnail", "docMetadata/LabelInfo"),
    *("xl/comments", "xl/comments/comment", "xl/drawings/commentsDrawing"),
    *("xl/threadedComments/threadedComment", "xl/persons/person", "xl/printerSettings/printerSettings"),
    *("xl/vbaProject", "xl/embeddings/oleObject", "xl/media/image", "xl/externalLinks/externalLink", "xl/connections"),
    *("xl/drawings/vmlDrawing", "xl/tables/table", "xl/pivotTables/pivotTable", "xl/pivotCache/pivotCacheDefinition"),
    *("xl/pivotCache/pivotCacheRecords", "xl/queryTables/queryTable", "xl/charts/style", "xl/charts/colors"),
    *("xl/worksheets/wsSortMap", "xl/ctrlProps/ctrlProp", "xl/metadata", "xl/chartsheets/sheet", "xl/model/item"),
)
_OTHER = "of another name"


def left_out(path: Path) -> str:
    """Return the parts of a saved workbook that do not leave without prices, as 2 xl/comments; empty for none."""
    try:
        with open_parts(path) as parts:
            names = [name for name in parts if not name.endswith("/") and not _MADE_ANEW.fullmatch(name)]
    except (PackageError, OSError):  # an open document
        return ""
    called = {name: re.sub(r"\d*\.\w+$", "", name) for name in names}
    counted = Counter(bare if bare in _CALLED else _OTHER for bare in called.values())
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))
