"""Net cost: what the years of every design come to, next purchase, break-even price, and list price to present cost."""

from model.layout import gridwriter, table

SHEET = table.sheet(
    __file__,
    "Net cost",
    "Cost over the years: present cost, per desktop, next purchase, break-even price",
    title="Net present cost",
    published=False,
)
PARTS = tuple(line.key for line in SHEET.lines if line.key.startswith("part_") and line.key != "part_time")

TAB = gridwriter.tab("Net cost", "Cost over the years, and break-even prices", lambda _: SHEET)
