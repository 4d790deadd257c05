"""Cost of the arrays in the design, per desktop, GiB and IOPS. Without a price every result says "enter a quote"."""

from model.layout import gridwriter, table
from model.layout.line import GridSheet
from model.reading.records import Data
from model.sheets.sizing import design


def sheet(data: Data) -> GridSheet:
    """Return the sheet: the money a design counts with, then what its arrays cost."""
    money = [design.used(item) for item in data.inputs if design.of_cost(item) and not item.once]
    purpose = "Price of the arrays in the design; a missing price is never counted as zero"
    return table.sheet(__file__, "Cost", purpose, rows={"money": money})


TAB = gridwriter.tab("Cost", "Cost of the arrays in the design", sheet)
