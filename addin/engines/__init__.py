"""Spreadsheet applications and files as xlwings engines under a workbook.

file/         a saved workbook
calc/         LibreOffice Calc
office/       the process of an office, its documents and views
applications  engine and applications, the common part of both engines
workbooks     workbooks, sheets, names and ranges, likewise
values        values and errors as xlwings passes them
addresses     addresses in A1 notation
"""
