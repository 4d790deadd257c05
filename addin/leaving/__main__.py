"""`python -m addin.leaving BOOK FILE`: write the marks of a released workbook, such as releases/0.3.0.marks.

Its tabs go beside them, as releases/0.3.0.tabs.
"""

import sys
from pathlib import Path

from addin.leaving import tabs
from addin.leaving.marks import marks_of
from addin.workbook.book import load, open_book

if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    workbook = load(source)
    target.write_bytes(marks_of(workbook, open_book(source).cells))
    tabs.write(target, workbook.sheetnames)
