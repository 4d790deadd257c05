"""From the text of a formula to its tree, and from the trees of a workbook to the order of its cells.

cells    a workbook as the kernel sees it: values, formulas, names; from_openpyxl reads them, columns counts in letters
shapes   before pass 1: formulas that differ in their references alone, which are parsed once
tokens   pass 1  text -> tokens
nodes    the nodes of a tree
parse    pass 2  tokens -> tree; the grammar is its first comment
graph    pass 3  trees -> which cells a cell reads, and the order in which cells can be computed
"""
