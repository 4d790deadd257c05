"""`python -m addin.leaving BOOK FILE`: write the marks of a released workbook, such as releases/0.3.0.marks.

Its tabs go beside them, as releases/0.3.0.tabs, and what it ships in the cells that people fill, as 0.3.0.filled.
"""

import sys
from pathlib import Path

from addin.leaving import filled, tabs
from addin.leaving.marks import marks_of
from addin.workbook.book import load, open_book

if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    workbook = load(source)
    book = open_book(source)
    target.write_bytes(marks_of(workbook, book.cells))
    tabs.write(target, workbook.sheetnames)
    filled.write(target, book)
