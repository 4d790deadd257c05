"""The one room that knows the package: what a saved workbook is made of, read and written part by part.

A package is a mapping of part names to bytes. What changes a workbook takes parts and returns parts, edited where the
change is and nowhere else: text boxes, extended validations and whatever else is unknown here stay as they are.

    package         the zip: parts in, parts out, whole or not at all; the same parts give the same bytes; the manifest
    parts           names of parts, relations from one to another, content types
    elements        where the elements of a part stand in its bytes, and edits there
    workbook_part   xl/workbook.xml: sheets and the part of each, defined names, protection, tab order
    sheets          add, copy in, delete, move, rename
    drawn_sheet     a sheet drawn in a workbook of its own, put into another
    references      references to a sheet, in the formulas of all parts
    positions       rows and columns of cells, and their references
    cell_values     values, texts and formulas as a cell writes them, both ways
    quick_cells     the cells of a workbook for commands that only compute: no openpyxl, or Unread
    plain_sheets    rows in the shape that most files have, found by patterns; a cell is read when it is asked for
    read_cells      the cells of a sheet, with formats and stored results
    write_cells     other cells in a sheet
    stored_results  results beside formulas, read and written
    stored_compared  every stored result against what its formula gives
    alt_text        the description of each chart, for screen readers
    styles          xl/styles.xml: cell formats, and styles that are added
    validations     what cells accept
    in_memory       a workbook of openpyxl saved into memory
    escaping        texts as XML writes them
    edited_package  a saved workbook in memory: its cells, what is written over them, the parts that come of it
    destination     may a file be written?
    limits          may a file be read? what is too large, encrypted or in another encoding
    faults          what in a sheet keeps it from being read
    damage          what is wrong with a file that cannot be read, by part and place

elements <- parts <- workbook_part <- drawn_sheet <- sheets <- edited_package; cell_values <- read_cells <- write_cells.
"""
