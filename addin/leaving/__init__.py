"""The content that may leave in a workbook without prices: the content of releases, and no other typed cells.

marks      fingerprints of texts, formulas, numbers and names, in files: one for each release, one for the current build
inserted   cells and formulas as a release has them, where columns were inserted
tabs       the tabs of each release and of the current build
filled     the cells that people fill, by names that every release has for them, and what each release ships there
releases/  marks, tabs and filled cells of each release
about      the texts that leave except about money: project, customer, author, date, those of Hand-off
own_names  names of people's own rows and of what-ifs that may say an amount, and those of their slots
money_cells  the cells about money, and what removes them
amounts    whether a text says an amount of money
parts      parts of the file that do not leave, counted
plain      a new workbook with the cells of another one, and styles and print settings of releases
"""
