"""The only room that knows the package: the parts of a saved workbook, read and written one by one.

A package is a mapping of part names to bytes. A function that changes a workbook takes parts and returns parts, edited
only at the change: text boxes, extended validations and anything unknown here keep their bytes.

    package         the zip: parts in, parts out, whole or not at all; equal parts give equal bytes; the manifest
    parts           names of parts, relations from one to another, content types
    elements        the positions of elements in the bytes of a part, and edits there
    workbook_part   xl/workbook.xml: sheets and the part of each, defined names, protection, tab order
    print_titles    the names of repeated rows and columns, once a sheet and columns first
    sheets          add, copy in, delete, move, rename
    drawn_sheet     a sheet drawn in a workbook of its own, put into another
    references      references to a sheet, in the formulas of all parts
    positions       rows and columns of cells, and their references
    cell_values     values, texts and formulas as a cell writes them, both ways
    quick_cells     the cells of a workbook for commands that only compute: without openpyxl, or Unread
    plain_sheets    rows in the shape that most files have, found by patterns; a cell is read when it is needed
    read_cells      the cells of a sheet, with formats and stored results
    write_cells     cells written into a sheet
    stored_results  results beside formulas, read and written
    stored_compared  every stored result against the result of its formula
    alt_text        the description of each chart, for screen readers
    styles          xl/styles.xml: cell formats, and added styles
    validations     what cells accept
    in_memory       a workbook of openpyxl saved into memory
    escaping        texts as XML writes them
    edited_package  a saved workbook in memory: its cells, pending edits, and the resulting parts
    destination     checks of a file before it is written
    limits          checks of a file before it is read: size, encryption, encoding
    faults          faults of a sheet that cannot be read
    damage          damage of a file that cannot be read, by part and place

elements <- parts <- workbook_part <- drawn_sheet <- sheets <- edited_package; cell_values <- read_cells <- write_cells.
"""
