"""Capacity: what the desktops store, what one array can hold. Follows EQL section 6.3 and the methods' definitions."""

from model.layout import gridwriter, table
from model.layout.grid import MIX
from model.reading.choices import WORDS
from model.sheets.sizing import stored_ends

INTELLICACHE_ON = "XenServer"  # the hypervisor of hypervisors.csv that has it: elsewhere there is no such cache

SHEET = table.sheet(
    __file__,
    "Capacity",
    "How much the desktops store, and how many fit on one array",
    rows={"stored_ends": stored_ends.ROWS},
    texts={"MIX": MIX, "THIS_ARRAY": WORDS["disk_places"][1][0], "INTELLICACHE_ON": INTELLICACHE_ON},
)
TAB = gridwriter.tab("Capacity", "What is stored and what fits on one array", lambda _: SHEET)
