"""What differs between two copies of a workbook, and how much of a result's change each input caused.

lines.py      which rows, columns and sheets of one copy are those of the other: by label and name, never by address
same.py       whether a formula of one copy computes what one of the other does
formulas.py   formulas that differ, one finding for all copies of one formula
typed.py      what is typed: inputs, rows of the user's own, catalogue cells, texts that nothing reads
outcome.py    results that moved, checks that are raised or hold again
compared.py   the sections together
bridge.py     from the old result to the new one, input by input
by_hand.py    what people changed since the build of a copy's version, for an audit
"""
