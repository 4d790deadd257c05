"""The sizing model: data files and declared formulas in, one formula-driven workbook out.

data/          what is typed: CSV files, described in data/README.md
reading/       the data files into checked records
layout/        where a line stands and what it looks like
sheets/        what each tab says: its formulas, labels and texts
workbook       the tabs in their order, laid out, written, named and protected
probe/         the workbook that shows whether a spreadsheet computes what this project does
cited          what rows of the data name of the workbook: lines, columns, number formats
evidence_text  the table of evidence that the build prints
twin           every cell as a line of text, so that a change reads as a diff
provenance     version, date and digest
errors         what can go wrong, in one tree
"""
