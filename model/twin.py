"""The text twin: every cell of a workbook as one line of text, so that a change of the model can be read as a diff."""

from collections.abc import Mapping

from openpyxl import Workbook


def _shown(value: object) -> str:
    if isinstance(value, float):
        return repr(value)
    return str(value).replace("\\", "\\\\").replace("\n", "\\n")


def text_twin(book: Workbook, values: Mapping[tuple[str, str], object]) -> str:
    """Return names and cells in reading order; a formula is followed by its value."""
    lines = [f"name\t{name}\t{book.defined_names[name].attr_text}" for name in sorted(book.defined_names)]
    for sheet in book.worksheets:
        lines.append(f"sheet\t{sheet.title}")
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is None:
                    continue
                text = f"{cell.coordinate}\t{_shown(cell.value)}"
                if cell.data_type == "f":
                    text += f"\t{_shown(values[(sheet.title, cell.coordinate)])}"
                lines.append(text)
    return "\n".join(lines) + "\n"
