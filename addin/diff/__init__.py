"""The differences between two copies of a workbook, and the share of each input in a result's change.

lines.py      the matched rows, columns and sheets of two copies: by label and name, never by address
same.py       the comparison of two formulas
formulas.py   formulas that differ, one finding for all copies of one formula
typed.py      typed cells: inputs, rows of the user's own, catalogue cells, texts that no formula reads
outcome.py    results that moved, checks that fail in only one copy
compared.py   the sections together
currencies.py amounts of copies in two currencies: each with its own, none subtracted
bridge.py     from the old result to the new one, input by input
since_build.py  changes by people since the build of a copy's version, for an audit
"""
