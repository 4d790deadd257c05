"""A sizing workbook as the commands see it: saved, or open in an application.

book          the workbook: cells, named inputs with their ranges, named results
item          an input or a result by name, and what it accepts
ranges        ranges and lists of input cells, from the validations
links         inputs typed on Answer, and their links on Inputs
designs       the designs in columns, also after a column was inserted
columns       the columns of labels, units and sources, likewise
tabs          what the sheets are called in a copy
own_rows      cells outside Inputs, `<row>.<field>`
outside       cells that hold what they would not take
typed_over    formulas of the design that somebody typed over
values_only   a copy whose formulas were replaced by their values
other_books   formulas that read other workbooks
tables        tables such as Checks, as rows by heading
stored        results stored otherwise than their formulas give
run_settings  the cells that the buttons run with
retired       inputs of older versions, and what replaced them
number_formats  what a cell shows of a value by its number format
digests       the digest a workbook was built with, and the one of its formulas
live          an open workbook, read in blocks
overlay       an open workbook as openpyxl's, for audit and hand-off
reads         what a run has read, so that its sheet can tell when that differs
shipped       where the built files of this version are
references    the user's formulas that read a result sheet
insertion     a drawn sheet put into an open workbook
"""
