"""How a sheet is laid out: lines, cells, names, styles, charts.

line        a line item: key, label, unit, formula, basis
table       a sheet's lines from its text file
tab         a tab as its module declares it
grid        keys into addresses
row_checks  what is wrong with the lines of all sheets
gridwriter  a sheet of lines, one formula a row
canvas      what every sheet shares: heads, widths, print set-up, typed cells, protection
styles      roles of cells, colours, number formats
codes       the words that stand for codes such as -1
fit         widths of columns and heights of rows
charts      parts of native charts
names       the workbook's defined names
"""
