"""Charts: native, driven by cells. Settings that some application gets wrong by default are set explicitly."""

from openpyxl.worksheet.worksheet import Worksheet

from model.grid import Layout


def add(ws: Worksheet, layout: Layout) -> None:
    """Add the charts of the Summary sheet."""
