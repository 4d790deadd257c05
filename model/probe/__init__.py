"""The probe: a workbook of one sheet that says whether a spreadsheet computes what this project does.

cases.csv  about, formula, kind of the result, expected result, and its source
sheet      the workbook
"""
