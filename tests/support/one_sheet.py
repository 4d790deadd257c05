"""One sheet of a workbook as openpyxl reads it: the others, which take most of the time, are passed over."""

from pathlib import Path

from openpyxl.reader.excel import ExcelReader
from openpyxl.worksheet.worksheet import Worksheet


class _Reader(ExcelReader):  # type: ignore[misc]
    def __init__(self, path: Path, title: str, data_only: bool) -> None:
        super().__init__(path, data_only=data_only)
        self._title = title

    def read_worksheets(self) -> None:
        """Read the one sheet, and no names: those of a sheet go by its number among all."""
        others = {part.target for sheet, part in self.parser.find_sheets() if sheet.name != self._title}
        self.valid_files: list[str] = [name for name in self.valid_files if name not in others]
        super().read_worksheets()
        self.parser.assign_names = lambda: None


def one_sheet(path: Path, title: str, *, data_only: bool = False) -> Worksheet:
    """Return a sheet of a saved workbook. `data_only`: with the stored results of its formulas."""
    reader = _Reader(path, title, data_only)
    reader.read()
    return reader.wb[title]
